/*---
{"value": ["fulfilled", "rejected:stage_denied"], "options": ["--stage", "allow={\"allow\": [\"tools.echo\"]}"]}
---*/
const results = await Promise.allSettled([tools.echo(1), tools.version()]);
return results.map(({ status, reason }) => (reason ? `${status}:${reason.code}` : status));
