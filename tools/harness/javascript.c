/* The scenarios in JavaScript: ECMAScript 5 with `await`, so that javascript-es5 runs them as well.
 *
 * Words between @ are filled in. A line in which the program is to fail has the word HERE. */
#include "tools/harness/programs.h"

#define EVERYWHERE(name, program)          \
    {                                      \
        (name), (program), .modern = false \
    }
#define MODERN(name, program)             \
    {                                     \
        (name), (program), .modern = true \
    }

const struct scenario javascript_scenarios[] = {
    /* --- Values --- */
    EVERYWHERE("value", "return {'number': 42, 'text': 'snow \\u2603', 'list': [1, [2, [3]]],\n"
                        "        'yes': true, 'no': false, 'inner': {'a': {'b': 'c'}}};\n"),
    EVERYWHERE("strings",
               "return ['\\u0000', '\\u00e9\\u2603\\ud83d\\ude00', '\"\\\\/\\b\\n\\t\\u2028'];\n"),
    EVERYWHERE("numbers", "return [0, -1, 0.1, 1e21, 1.7976931348623157e308, "
                          "1e-300, 9007199254740991];\n"),
    EVERYWHERE("nothing", "var unused = 1;\n"),
    EVERYWHERE("null", "return null;\n"),
    EVERYWHERE("syntax", "console.log('it ran');\nreturn ((;\n"),
    EVERYWHERE("runtime", "throw new Error('the cause');\n"),
    MODERN("pending", "await new Promise(function () {});\n"),
    EVERYWHERE("bad_result", "return {'items': [{'score': 1}, {'score': 0 / 0}]};\n"),
    EVERYWHERE("bad_function", "return {'callback': function () {}};\n"),

    /* --- Positions --- */
    EVERYWHERE("position_first", "throw new Error('HERE');\nreturn 1;\n"),
    EVERYWHERE("position_later", "function check(x) {\n"
                                 "    if (x > 2)\n"
                                 "        throw new Error('HERE');\n"
                                 "    return x;\n"
                                 "}\n"
                                 "for (var i = 0; i < 5; i++)\n"
                                 "    check(i);\n"),
    EVERYWHERE("position_name", "var a = 1;\n\n\nvar b = nowhere.HERE;\nreturn b;\n"),
    EVERYWHERE("position_call", "var a = 1;\n\nawait tools.fail('HERE');\n\nreturn a;\n"),
    EVERYWHERE("position_syntax", "var a = 1;\nvar b = 2;\nvar c = 'HERE' ) 4;\nreturn a;\n"),

    /* --- Logs --- */
    EVERYWHERE("logs", "for (var i = 0; i < 50; i++)\n    console.log('entry ' + i);\nreturn 1;\n"),
    EVERYWHERE("logs_failure", "console.log('before');\nthrow new Error('the cause');\n"),
    EVERYWHERE("logs_endless", "for (;;)\n    console.log('0123456789');\n"),

    /* --- Calls --- */
    EVERYWHERE(
        "echo",
        "return await tools.echo({'a': [1, -2.5, 'snow \\u2603', true], 'b': {'c': 'd'}});\n"),
    EVERYWHERE("sample", "return await tools.sample();\n"),
    EVERYWHERE("sequence", "var sum = 0;\n"
                           "for (var i = 1; i <= 20; i++)\n"
                           "    sum += await tools.note(i);\n"
                           "return sum;\n"),
    EVERYWHERE("failed", "await tools.fail('x');\nreturn 'went on';\n"),
    EVERYWHERE("failed_caught",
               "try {\n    await tools.fail('x');\n} catch (e) {\n    return e.message;\n}\n"),
    EVERYWHERE("denied", "await tools.denied(1);\nreturn 'went on';\n"),
    EVERYWHERE("denied_caught",
               "try {\n    await tools.denied(1);\n} catch (e) {\n    return e.code;\n}\n"),
    EVERYWHERE("stage_failed", "await tools.broken(1);\nreturn 'went on';\n"),
    EVERYWHERE("error_class", "try {\n"
                              "    await store.query('x');\n"
                              "} catch (e) {\n"
                              "    return [e instanceof StoreError, e.operation];\n"
                              "}\n"),
    EVERYWHERE("names", "return [await tools['__proto__'](1), await tools['constructor'](2),\n"
                        "        await tools['get-logs'](3), await tools.get_logs(4)];\n"),
    MODERN("overlap", "var both = await Promise.all([tools.meet(1), tools.meet(2)]);\n"
                      "return both.length;\n"),
    EVERYWHERE("discover", "return await discover('logs');\n"),
    EVERYWHERE("clock", "return new Date().getTime();\n"),
    EVERYWHERE("random", "return Math.random();\n"),

    /* --- Ends --- */
    EVERYWHERE("loop", "while (true) {\n}\n"),
    EVERYWHERE("loop_caught", "for (;;) {\n"
                              "    try {\n"
                              "        while (true) {\n"
                              "        }\n"
                              "    } catch (e) {\n"
                              "        console.log('ran on');\n"
                              "    } finally {\n"
                              "        console.log('ran on');\n"
                              "    }\n"
                              "}\n"),
    EVERYWHERE("calls_caught", "for (;;) {\n"
                               "    try {\n"
                               "        await tools.note(1);\n"
                               "    } catch (e) {\n"
                               "        console.log('ran on');\n"
                               "    }\n"
                               "}\n"),
    EVERYWHERE("bytes_caught", "for (;;) {\n"
                               "    try {\n"
                               "        await tools.thousand();\n"
                               "    } catch (e) {\n"
                               "        console.log('ran on');\n"
                               "    }\n"
                               "}\n"),
    EVERYWHERE("wait", "await tools.wait(1);\nreturn 'went on';\n"),

    /* --- Runs beside and after each other --- */
    EVERYWHERE("state_write", "try { Object.prototype.left = 'behind'; } catch (e) {}\n"
                              "try { Math.left = 'behind'; } catch (e) {}\n"
                              "try { tools.left = 'behind'; } catch (e) {}\n"
                              "try { Array.prototype.push = null; } catch (e) {}\n"
                              "return 'done';\n"),
    EVERYWHERE("state_read", "return [String({}.left), String(Math.left), typeof tools.left,\n"
                             "        typeof [].push];\n"),
    EVERYWHERE("threads", "var mine = @NUMBER@;\n"
                          "await tools.meet(mine);\n"
                          "console.log('run ' + mine);\n"
                          "return [mine, await tools.echo(mine)];\n"),

    /* --- Claims --- */
    EVERYWHERE("native_regexp",
               "return /^(a+)+$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab');\n"),
    EVERYWHERE("native_join", "var holes = new Array(50000000);\nfor (;;)\n    holes.join('');\n"),
    EVERYWHERE("native_sort", "var a = [];\n"
                              "for (var i = 0; i < 200000; i++)\n"
                              "    a.push(i * 7919 % 200003);\n"
                              "for (;;)\n"
                              "    a.slice().sort();\n"),
    EVERYWHERE("native_search", "var s = 'aaaaaaaaaaaaaaaa', t;\n"
                                "while (s.length < 1000000)\n"
                                "    s += s;\n"
                                "t = s.slice(s.length / 2) + 'b';\n"
                                "for (;;)\n"
                                "    s.indexOf(t);\n"),
    EVERYWHERE("bomb_objects", "var kept = [];\n"
                               "for (var i = 0; i < 3000000; i++)\n"
                               "    kept.push({'i': i, 'text': 'text ' + i});\n"
                               "return kept.length;\n"),
    EVERYWHERE("bomb_string", "var s = '0123456789abcdef';\n"
                              "while (s.length < 200000000)\n"
                              "    s = (s + s).toUpperCase();\n"
                              "return s.length;\n"),
    EVERYWHERE("bomb_list", "var lists = [];\n"
                            "for (var i = 0; i < 200; i++) {\n"
                            "    var list = [];\n"
                            "    for (var j = 0; j < 100000; j++)\n"
                            "        list.push(j);\n"
                            "    lists.push(list);\n"
                            "}\n"
                            "return lists.length;\n"),
    EVERYWHERE("memory_fits", "var kept = [];\n"
                              "for (var i = 0; i < 1000; i++)\n"
                              "    kept.push({'i': i, 'text': 'text ' + i});\n"
                              "return kept.length;\n"),
    EVERYWHERE("read_file", "var found = [];\n"
                            "try { found.push(std.loadFile('@FILE@')); } catch (e) {}\n"
                            "try { found.push(read('@FILE@')); } catch (e) {}\n"
                            "try { found.push(readFile('@FILE@')); } catch (e) {}\n"
                            "try { found.push(load('@FILE@')); } catch (e) {}\n"
                            "try { found.push(Deno.readTextFileSync('@FILE@')); } catch (e) {}\n"
                            "return found;\n"),
    EVERYWHERE("connect", "try { await fetch('http://127.0.0.1:@PORT@/'); } catch (e) {}\n"
                          "try { new WebSocket('ws://127.0.0.1:@PORT@/'); } catch (e) {}\n"
                          "try {\n"
                          "    var request = new XMLHttpRequest();\n"
                          "    request.open('GET', 'http://127.0.0.1:@PORT@/', false);\n"
                          "    request.send();\n"
                          "} catch (e) {}\n"
                          "return 'done';\n"),
    EVERYWHERE("inspect", "await tools.inspect(1);\nreturn 'done';\n"),

    /* --- Hostility --- */
    EVERYWHERE("recursion",
               "function down(n) {\n    return down(n + 1) + 1;\n}\nreturn down(0);\n"),
    EVERYWHERE("deep_value", "var deep = [];\n"
                             "for (var i = 0; i < 100000; i++)\n"
                             "    deep = [deep];\n"
                             "return deep;\n"),
    EVERYWHERE("deep_result", "return typeof await tools.deep();\n"),
    EVERYWHERE("large_result", "return (await tools.large()).length;\n"),
    EVERYWHERE("flood", "for (var i = 0; i < 100000; i++)\n    tools.note(i);\nreturn 'done';\n"),
    EVERYWHERE(NULL, NULL),
};
