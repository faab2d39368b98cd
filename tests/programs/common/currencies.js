/*---
{"value": {"EUR": 5000, "USD": 5500, "GBP": 4250}}
---*/
var amounts = {}, currencies = ["EUR", "USD", "GBP"];
for (var i = 0; i < currencies.length; i++) {
    var to = currencies[i];
    amounts[to] = await tools.convert({ amount: 5000, from: "EUR", to: to });
}
return amounts;
