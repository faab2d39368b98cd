/*---
{"value": [1, "stage_denied"], "options": ["--stage", "allow={\"allow\": [\"*\"], \"deny\": [\"*.version\"]}"], "call_log": [{"status": "ok"}, {"status": "denied"}]}
---*/
var first = await tools.echo(1);
try {
    await tools.version();
} catch (error) {
    return [first, error.code];
}
