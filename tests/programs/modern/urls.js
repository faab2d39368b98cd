/*---
{"value": {"host": "example.org", "port": "8080", "q": "a b", "all": ["1", "2"], "built": "https://example.org/x?k=v+w", "encoded": "a%20b%2F"}}
---*/
const url = new URL("https://user@example.org:8080/path?q=a%20b&n=1&n=2#top");
const built = new URL("/x", "https://example.org/y/z");
built.searchParams.set("k", "v w");
return {
    host: url.hostname,
    port: url.port,
    q: url.searchParams.get("q"),
    all: url.searchParams.getAll("n"),
    built: built.href,
    encoded: encodeURIComponent("a b/"),
};
