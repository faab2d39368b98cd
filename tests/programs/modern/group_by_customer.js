/*---
{"value": {"ann": {"orders": 4, "cents": 8110}, "bob": {"orders": 4, "cents": 7014}, "cat": {"orders": 4, "cents": 7562}}}
---*/
const all = [];
let page = 1;
while (page) {
    const { orders, next } = await tools.get_orders(page);
    all.push(...orders);
    page = next;
}

const groups = all.reduce((groups, { customer, cents }) => {
    const group = (groups[customer] ??= { orders: 0, cents: 0 });
    group.orders += 1;
    group.cents += cents;
    return groups;
}, {});

return groups;
