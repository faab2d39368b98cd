/*---
{"value": ["ROLLING BACK A PRODUCTION DEPLOY", "DEPLOYING TO PRODUCTION"]}
---*/
const pipe = (...steps) => async (value) => {
    for (const step of steps) value = await step(value);
    return value;
};
const titles = pipe(
    (query) => tools.search_documents({ query, limit: 5 }),
    (documents) => documents.filter(({ words }) => words > 100),
    (documents) => documents.toSorted((a, b) => a.words - b.words),
    (documents) => documents.map(({ title }) => title.toUpperCase()),
);
return titles("production");
