/*---
{"value": {"core": ["Ann", "Bob"], "web": ["Cat", "Dan"]}, "logs": ["no user 5"]}
---*/
// Users are numbered without a gap; the first that is missing ends them.
var teams = {};
for (var id = 1; ; id++) {
    var user;
    try {
        user = await tools.get_user(id);
    } catch (error) {
        console.log(/no user \d+/.exec(error.message)[0]);
        break;
    }
    if (!teams[user.team])
        teams[user.team] = [];
    teams[user.team].push(user.name);
}
return teams;
