/*---
{"value": {"id": 1, "customer": "bob"}, "calls": 1}
---*/
// Stops at the page that has it.
var found = null, page = 1;
search: while (page !== null) {
    var answer = await tools.get_orders(page);
    for (var i = 0; i < answer.orders.length; i++) {
        var order = answer.orders[i];
        if (order.state === "open") {
            found = { id: order.id, customer: order.customer };
            break search;
        }
    }
    page = answer.next;
}
return found;
