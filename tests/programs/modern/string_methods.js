/*---
{"value": {"pad": "007", "repeat": "ababab", "all": "b-b", "starts": true, "trim": "x", "split": ["a", "b"], "code": 128512, "points": 2, "raw": "a\\nb", "at": "c"}}
---*/
return {
    pad: "7".padStart(3, "0"),
    repeat: "ab".repeat(3),
    all: "a-a".replaceAll("a", "b"),
    starts: "pawl".startsWith("pa"),
    trim: "  x ".trim(),
    split: "a, b".split(/,\s*/),
    code: "😀".codePointAt(0),
    points: [..."a😀"].length,
    raw: String.raw`a\nb`,
    at: "abc".at(-1),
};
