/*---
{"value": {"require": 1, "import": 2}}
---*/
var o = { require: 1, "import": 2 };
// require("x") and import in a comment, "require('x')" in a string
var text = "require('x'); import a from 'b'";
return text.length > 0 ? o : null;
