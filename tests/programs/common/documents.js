/*---
{"value": {"titles": ["Deploying to production", "Rolling back a production deploy", "Production access"], "words": 695, "longest": "a"}}
---*/
var documents = await tools.search_documents("production");
var longest = documents[0], words = 0;
documents.forEach(function (document) {
    words += document.words;
    if (document.words > longest.words)
        longest = document;
});
return {
    titles: documents.map(function (document) { return document.title; }),
    words: words,
    longest: longest.id
};
