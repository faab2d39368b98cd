/*---
{"kind": "bad_result", "message": "value\\.big.*[Bb]ig[Ii]nt"}
---*/
return { big: 10n ** 20n };
