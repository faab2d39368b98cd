/*---
{"kind": "deadline", "options": ["--timeout", "300ms"]}
---*/
const spin = () => Promise.resolve().then(spin);
await spin();
