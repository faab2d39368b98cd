/*---
{"kind": "bad_result", "message": "value\\.bytes.*Uint8Array"}
---*/
return { bytes: new Uint8Array(3) };
