/*---
{"kind": "syntax", "line": 4, "suggestion": "tools|built"}
---*/
import fs from "fs"; // here
return fs;
