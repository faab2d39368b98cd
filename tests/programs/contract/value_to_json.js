/*---
{"value": {"price": "12 EUR", "list": ["key list"]}}
---*/
return {
    price: { cents: 1200, toJSON: function () { return this.cents / 100 + " EUR"; } },
    list: [{ toJSON: function (key) { return "key " + (key === "0" ? "list" : key); } }]
};
