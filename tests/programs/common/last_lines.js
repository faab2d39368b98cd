/*---
{"value": {"web1": "GET /pay 500 31", "db1": "lock wait 1800 ms"}}
---*/
var result = {};
var names = ["web1", "db1"];
for (var i = 0; i < names.length; i++) {
    var last = await tools.get_logs(names[i], 1);
    var words = last[0].split(" ");
    result[names[i]] = words.slice(2).join(" ");
}
return result;
