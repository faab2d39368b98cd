/*---
{"value": {"has": true, "iso": "2024-02-29T12:00:00.000Z", "diff": 366, "json": "\"2024-02-29T12:00:00.000Z\""}}
---*/
const key = {};
const weak = new WeakMap([[key, 1]]);
const leap = new Date("2024-02-29T12:00:00Z");
const days = (Date.UTC(2025, 0, 1) - Date.UTC(2024, 0, 1)) / 86_400_000;
return { has: weak.has(key), iso: leap.toISOString(), diff: days, json: JSON.stringify(leap) };
