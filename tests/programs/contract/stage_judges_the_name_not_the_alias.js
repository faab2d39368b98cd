/*---
{"value": "stage_denied", "options": ["--stage", "allow={\"allow\": [\"*\"], \"deny\": [\"tools.get-thing\"]}"]}
---*/
try {
    return await tools.get_thing();
} catch (error) {
    return error.code;
}
