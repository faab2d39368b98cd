/*---
{"value": ["select * from t where id = ? and name = ?", [7, "o'hara"]]}
---*/
const sql = (strings, ...values) => [strings.join("?"), values];
const id = 7, name = "o'hara";
return sql`select * from t where id = ${id} and name = ${name}`;
