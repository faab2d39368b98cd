/*---
{"value": {"base64": "aGVsbG8=", "back": "hello", "bytes": [195, 169], "text": "é", "clone": {"a": [1, {"b": 2}]}, "same": false}}
---*/
const original = { a: [1, { b: 2 }] };
const clone = structuredClone(original);
return {
    base64: btoa("hello"),
    back: atob("aGVsbG8="),
    bytes: [...new TextEncoder().encode("é")],
    text: new TextDecoder().decode(new Uint8Array([195, 169])),
    clone,
    same: clone.a === original.a,
};
