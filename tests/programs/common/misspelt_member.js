/*---
{"kind": "runtime", "line": 6}
---*/
// The mistake that models make most: a member that the answer does not have.
var answer = await tools.get_orders(1);
var totals = answer.items.map(function (order) { // here
    return order.cents;
});
return totals;
