/*---
{"value": [["the", 3], ["brown", 1], ["dog", 1]]}
---*/
var text = await tools.read_file("notes.txt");
var counts = {};
(text.toLowerCase().match(/[a-z]+/g) || []).forEach(function (word) {
    counts[word] = (counts[word] || 0) + 1;
});
var pairs = [];
for (var word in counts)
    if (counts.hasOwnProperty(word))
        pairs.push([word, counts[word]]);
pairs.sort(function (a, b) {
    if (a[1] !== b[1])
        return b[1] - a[1];
    return a[0] < b[0] ? -1 : a[0] > b[0] ? 1 : 0;
});
return pairs.slice(0, 3);
