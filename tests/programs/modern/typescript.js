/*---
{"value": {"total": 3, "names": ["web1", "web2"], "first": "web1"}}
---*/
interface Host {
    name: string;
    cpu?: number;
}
type Names = Array<string>;

const hosts: Host[] = [{ name: "web1" }, { name: "web2", cpu: 3 }];

function total<T extends Host>(list: T[], start: number = 0): number {
    return list.reduce((sum: number, host: T): number => sum + (host.cpu ?? 0), start);
}

const names: Names = hosts.map((host) => host.name as string);
const first = names[0]!;
return { total: total(hosts), names, first } satisfies object;
