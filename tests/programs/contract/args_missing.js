/*---
{"value": {"code": "bad_arguments", "names": true}, "calls": 0}
---*/
try {
    await tools.pair();
} catch (error) {
    return { code: error.code, names: error.message.indexOf("pair(a, b?)") >= 0 };
}
