/*---
{"value": "caught"}
---*/
function down(n) {
    return down(n + 1) + 1;
}
try {
    return down(0);
} catch (error) {
    return "caught";
}
