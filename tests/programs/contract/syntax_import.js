/*---
{"kind": "syntax", "line": 4, "suggestion": "functions|tools"}
---*/
import fs from "fs"; // here
return fs;
