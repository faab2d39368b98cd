/*---
{"value": [{"customer": "ann", "paid": "44.66"}, {"customer": "bob", "paid": "39.18"}, {"customer": "cat", "paid": "33.70"}]}
---*/
// What each customer has paid, refunds and open orders left out.
var totals = {}, page = 1;
do {
    var answer = await tools.get_orders({ page: page });
    answer.orders.forEach(function (order) {
        if (order.state !== "paid")
            return;
        totals[order.customer] = (totals[order.customer] || 0) + order.cents;
    });
    page = answer.next;
} while (page !== null);

function format(cents) {
    var rest = String(cents % 100);
    return Math.floor(cents / 100) + "." + (rest.length < 2 ? "0" + rest : rest);
}

return Object.keys(totals).sort().map(function (customer) {
    return { customer: customer, paid: format(totals[customer]) };
});
