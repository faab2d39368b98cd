/*---
{"value": {"count": 12, "pages": 3, "cents": 22686}, "calls": 3}
---*/
// Follows pages to the end.
var page = 1, pages = 0, orders = [];
while (page !== null) {
    var answer = await tools.get_orders(page);
    orders = orders.concat(answer.orders);
    page = answer.next;
    pages++;
    if (pages > 20)
        throw new Error("too many pages");
}

var cents = orders.reduce(function (sum, order) {
    return sum + order.cents;
}, 0);

return { count: orders.length, pages: pages, cents: cents };
