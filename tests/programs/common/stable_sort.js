/*---
{"value": "a3b3c3a2b2c2a1b1c1"}
---*/
var cards = [];
[1, 2, 3].forEach(function (n) {
    ["a", "b", "c"].forEach(function (letter) {
        cards.push({ n: n, letter: letter });
    });
});
cards.sort(function (a, b) {
    return b.n - a.n;
});
return cards.map(function (card) {
    return card.letter + card.n;
}).join("");
