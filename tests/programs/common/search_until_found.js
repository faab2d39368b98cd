/*---
{"value": {"query": "handbook", "id": "c", "tried": ["production manual", "manual", "handbook"]}}
---*/
var queries = ["production manual", "manual", "handbook", "access"], tried = [];
for (var i = 0; i < queries.length; i++) {
    tried.push(queries[i]);
    var found = await tools.search_documents(queries[i], 1);
    if (found.length > 0)
        return { query: queries[i], id: found[0].id, tried: tried };
}
return null;
