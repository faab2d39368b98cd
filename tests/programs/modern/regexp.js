/*---
{"value": {"named": {"host": "web1", "port": "80"}, "all": ["10", "20", "30"], "sticky": 3, "behind": "42", "unicode": true, "replaced": "b-a"}}
---*/
const { groups } = "web1:80".match(/(?<host>\w+):(?<port>\d+)/);
const sticky = /a/y;
sticky.lastIndex = 2;
sticky.test("bba");
return {
    named: { ...groups },
    all: [..."10, 20 and 30".matchAll(/\d+/g)].map(([digits]) => digits),
    sticky: sticky.lastIndex,
    behind: "$42".match(/(?<=\$)\d+/)[0],
    unicode: /^\p{Lu}$/u.test("É"),
    replaced: "a-b".replace(/(?<x>\w)-(?<y>\w)/, "$<y>-$<x>"),
};
