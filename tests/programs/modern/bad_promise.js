/*---
{"kind": "bad_result", "message": "value\\[0\\].*Promise"}
---*/
return [tools.version()];
