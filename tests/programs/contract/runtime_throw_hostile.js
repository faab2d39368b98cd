/*---
{"kind": "runtime"}
---*/
throw {
    toString: function () { throw 1; },
    get message() { throw 2; },
    get stack() { throw 3; },
    get name() { throw 4; }
};
