/*---
{"value": [0, -0, 0.1, 1e21, 1e-7, 5e-324, 1.7976931348623157e308, 123456789012345680000]}
---*/
var numbers = await tools.numbers();
if (1 / numbers[1] !== -Infinity)
    return "-0 was lost";
if (numbers[2] + 0.2 !== 0.30000000000000004)
    return "0.1 was read wrongly";
return numbers;
