/*---
{"value": {"port": null, "length": 4, "called": "none", "indexed": "b", "zero": 0}}
---*/
const host = { name: "web1", list: ["a", "b"], count: 0 };
return {
    port: host.settings?.port ?? null,
    length: host?.name?.length,
    called: host.missing?.() ?? "none",
    indexed: host.list?.[1],
    zero: host.count ?? 7,
};
