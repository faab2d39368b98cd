/*---
{"value": {"ids": [1, 2, 3, 4, 5, 6], "pages": 2}, "calls": 2}
---*/
let pages = 0;

async function* orders() {
    for (let page = 1; page !== null;) {
        const { orders, next } = await tools.get_orders(page);
        pages++;
        yield* orders;
        page = next;
    }
}

const ids = [];
for await (const { id } of orders()) {
    ids.push(id);
    if (ids.length === 6) break;
}
return { ids, pages };
