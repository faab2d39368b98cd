/*---
{"value": {"price": "12 EUR", "list": ["a name"]}}
---*/
return {
    price: { cents: 1200, toJSON: function () { return this.cents / 100 + " EUR"; } },
    list: [{ toJSON: function () { return "a name"; } }]
};
