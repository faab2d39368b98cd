/*---
{"kind": "runtime", "line": 5, "suggestion": "tools|discover|network"}
---*/
var url = "https://example.org/";
var page = await fetch(url); // here
