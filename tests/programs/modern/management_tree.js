/*---
{"value": {"name": "Ann", "reports": [{"name": "Bob", "reports": []}, {"name": "Cat", "reports": [{"name": "Dan", "reports": []}]}]}}
---*/
const users = await Promise.all([1, 2, 3, 4].map((id) => tools.get_user(id)));

const tree = (manager) => users
    .filter((user) => user.manager === manager)
    .map(({ id, name }) => ({ name, reports: tree(id) }));

const [root] = tree(null);
return root;
