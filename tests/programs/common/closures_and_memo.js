/*---
{"value": {"fib": 610, "misses": 16, "counter": [1, 2, 1]}}
---*/
function memo(f) {
    var known = {}, misses = 0;
    function wrapped(n) {
        if (!known.hasOwnProperty(n)) {
            misses++;
            known[n] = f(n);
        }
        return known[n];
    }
    wrapped.misses = function () {
        return misses;
    };
    return wrapped;
}
var fib = memo(function (n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
});
function counter() {
    var n = 0;
    return function () {
        return ++n;
    };
}
var a = counter(), b = counter();
return { fib: fib(15), misses: fib.misses(), counter: [a(), a(), b()] };
