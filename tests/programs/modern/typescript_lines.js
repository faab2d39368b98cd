/*---
{"kind": "runtime", "message": "typed", "line": 10}
---*/
type Row = {
    id: number;
    tags: readonly string[];
};

const check = (row: Row): void => {
    if (row.tags.length === 0) throw new Error("typed"); // here
};
check({ id: 1, tags: [] } as Row);
