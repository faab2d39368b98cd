/*---
{"kind": "runtime", "message": "order 3: state is \"refunded\"", "line": 9, "logs": ["checked 1", "checked 2"]}
---*/
// A check that fails on purpose, with a message that says which order it was.
var answer = await tools.get_orders(1);

function check(order) {
    if (order.state !== "paid" && order.state !== "open")
        throw new Error("order " + order.id + ": state is " + JSON.stringify(order.state)); // here
}

for (var i = 0; i < answer.orders.length; i++) {
    check(answer.orders[i]);
    console.log("checked " + answer.orders[i].id);
}
return "all good";
