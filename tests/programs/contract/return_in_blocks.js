/*---
{"value": "inner"}
---*/
for (var i = 0; i < 10; i++) {
    switch (i) {
    case 3:
        try {
            if (i === 3)
                return "inner";
        } finally {
            console.log("finally");
        }
    }
}
return "outer";
