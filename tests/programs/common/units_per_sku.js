/*---
{"value": {"S0": 5, "S1": 6, "S2": 6, "S3": 4, "S4": 3}}
---*/
var units = {}, page = 1;
while (page) {
    var answer = await tools.get_orders(page);
    for (var i = 0; i < answer.orders.length; i++) {
        var items = answer.orders[i].items;
        for (var j = 0; j < items.length; j++)
            units[items[j].sku] = (units[items[j].sku] || 0) + items[j].count;
    }
    page = answer.next;
}
return units;
