/*---
{"kind": "runtime", "message": "name", "line": 7}
---*/
const users = [{ profile: { name: "Ann" } }, {}];
return users.map((user) => {
    const { profile } = user;
    return profile.name; // here
});
