/*---
{"kind": "budget_calls", "options": ["--max-calls", "3"]}
---*/
const results = await Promise.allSettled([1, 2, 3, 4, 5].map((n) => tools.echo_fast(n)));
return results.map(({ status }) => status);
