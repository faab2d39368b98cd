/*---
{"value": ["Dan", "Cat", "Ann"], "calls": 3}
---*/
var chain = [], id = 4;
while (id !== null) {
    var user = await tools.get_user(id);
    chain.push(user.name);
    if (chain.length > 10)
        throw new Error("the chain does not end: " + chain.join(" > "));
    id = user.manager;
}
return chain;
