/*---
{"value": {"days": 29, "weekday": 4, "next": "2024-03-01T00:00:00.000Z", "round": true}}
---*/
var start = new Date(Date.UTC(2024, 1, 1)), end = new Date(Date.UTC(2024, 2, 1));
var days = (end.getTime() - start.getTime()) / 86400000;
var next = new Date(start.getTime());
next.setUTCMonth(next.getUTCMonth() + 1);
return {
    days: days,
    weekday: start.getUTCDay(),
    next: next.toISOString(),
    round: Date.parse(end.toISOString()) === end.getTime()
};
