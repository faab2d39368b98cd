#include "providers/program/number.h"

#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "program.h"
#include "tests/unit/test.h"

static void check_print(double value, const char *expected)
{
    char actual[PROGRAM_NUMBER_SIZE];
    size_t length = program_number_print(value, actual);
    if (strcmp(actual, expected) != 0)
        printf("\n  of: %.17g\n  expected: %s\n  actual:   %s\n", value, expected, actual);
    CU_ASSERT_STRING_EQUAL(actual, expected);
    CU_ASSERT_EQUAL(length, strlen(expected));
}

static void check_parse(const char *text, double expected, size_t length)
{
    double actual = 77;
    size_t read = program_number_parse(text, strlen(text), &actual);
    if (memcmp(&actual, &expected, sizeof actual) != 0 || read != length)
        printf("\n  of: %.60s\n  expected: %.17g\n  actual:   %.17g, %zu bytes\n", text, expected,
               actual, read);
    CU_ASSERT_EQUAL(memcmp(&actual, &expected, sizeof actual), 0);
    CU_ASSERT_EQUAL(read, length);
}

static void check_parse_all(const char *text, double expected)
{
    check_parse(text, expected, strlen(text));
}

static void test_print(void)
{
    check_print(0, "0");
    check_print(-0.0, "0");
    check_print(1, "1");
    check_print(-1, "-1");
    check_print(NAN, "NaN");
    check_print(INFINITY, "Infinity");
    check_print(-INFINITY, "-Infinity");
    check_print(0.1, "0.1");
    check_print(0.1 + 0.2, "0.30000000000000004");
    check_print(-1.5, "-1.5");
    check_print(123456789.125, "123456789.125");
    check_print(9007199254740991, "9007199254740991");
    check_print(9007199254740992, "9007199254740992");
    check_print(9007199254740994, "9007199254740994");
    check_print(123456789012345680000.0, "123456789012345680000");
    check_print(1e20, "100000000000000000000");
    check_print(999999999999999900000.0, "999999999999999900000");
    check_print(1e21, "1e+21");
    check_print(1.5e21, "1.5e+21");
    check_print(1e-6, "0.000001");
    check_print(1.5e-6, "0.0000015");
    check_print(1e-7, "1e-7");
    check_print(1.25e-7, "1.25e-7");
    check_print(5e-324, "5e-324");
    check_print(2.2250738585072014e-308, "2.2250738585072014e-308");
    check_print(2.225073858507201e-308, "2.225073858507201e-308");
    check_print(1.7976931348623157e308, "1.7976931348623157e+308");
    check_print(-1.2345678901234567e-308, "-1.2345678901234567e-308");
    check_print(-0.0000012345678901234567, "-0.0000012345678901234567");
    check_print(5e-7, "5e-7");
    check_print(1e23, "1e+23");
    check_print(9.5e-7, "9.5e-7");
    check_print(4.35, "4.35");
    check_print(1 / 3.0, "0.3333333333333333");
    check_print(2 / 3.0, "0.6666666666666666");
    /* Below a power of two the interval is lopsided: trying precisions in turn finds one digit
     * too many. */
    check_print(0x1p-44, "5.684341886080802e-14");
    check_print(0x1p-1022, "2.2250738585072014e-308");
    check_print(9.007199254740993e22, "9.007199254740994e+22");
}

static void test_print_json(void)
{
    char out[PROGRAM_NUMBER_SIZE];
    CU_ASSERT_EQUAL(program_number_print_json(-0.0, out), 2);
    CU_ASSERT_STRING_EQUAL(out, "-0");
    CU_ASSERT_EQUAL(program_number_print_json(0, out), 1);
    CU_ASSERT_STRING_EQUAL(out, "0");
    CU_ASSERT_EQUAL(program_number_print_json(1e21, out), 5);
    CU_ASSERT_STRING_EQUAL(out, "1e+21");
    CU_ASSERT_EQUAL(program_number_print_json(NAN, out), 0);
    CU_ASSERT_EQUAL(program_number_print_json(INFINITY, out), 0);
    CU_ASSERT_EQUAL(program_number_print_json(-INFINITY, out), 0);
}

static void test_parse(void)
{
    check_parse_all("0", 0);
    check_parse_all("-0", -0.0);
    check_parse_all("+1", 1);
    check_parse_all("1", 1);
    check_parse_all("00012", 12);
    check_parse_all(".5", .5);
    check_parse_all("5.", 5);
    check_parse_all("-.5e1", -5);
    check_parse_all("1e3", 1000);
    check_parse_all("1E+3", 1000);
    check_parse_all("1e-3", 0.001);
    check_parse_all("0.1", 0.1);
    check_parse_all("123456789012345678901234567890", 123456789012345678901234567890.0);
    check_parse_all("17.123456789012345", 17.123456789012345);
    check_parse_all("0.30000000000000004", 0.1 + 0.2);
    check_parse_all("9007199254740993", 9007199254740992); /* a tie, to even */
    check_parse_all("9007199254740993.0000000000000000000000001", 9007199254740994);
    check_parse_all("9007199254740995", 9007199254740996);
    check_parse_all("5e-324", 5e-324);
    check_parse_all("2.4703282292062327e-324", 0);
    check_parse_all("2.4703282292062328e-324", 5e-324);
    check_parse_all("2.2250738585072012e-308", 2.2250738585072014e-308);
    check_parse_all("2.2250738585072011e-308", 2.225073858507201e-308);
    check_parse_all("1.7976931348623157e308", 1.7976931348623157e308);
    check_parse_all("1.7976931348623158e308", 1.7976931348623157e308);
    check_parse_all("1.7976931348623159e308", INFINITY);
    check_parse_all("-1e309", -INFINITY);
    check_parse_all("1e-400", 0);
    check_parse_all("-1e-400", -0.0);
    check_parse_all("1e99999999999999999999", INFINITY);
    check_parse_all("1e-99999999999999999999", 0);
    check_parse_all("0e99999999999999999999", 0);
    check_parse_all("1e23", 1e23);
    check_parse_all("8.41e21", 8.41e21);
    check_parse("12abc", 12, 2);
    check_parse("1e", 1, 1);
    check_parse("1e+", 1, 1);
    check_parse("1.2.3", 1.2, 3);
    check_parse("", 0, 0);
    check_parse("-", 0, 0);
    check_parse(".", 0, 0);
    check_parse("e5", 0, 0);
    check_parse("abc", 0, 0);
    check_parse(" 1", 0, 0);
    check_parse("1,5", 1, 1);
    double value;
    CU_ASSERT_EQUAL(program_number_parse("1234", 2, &value), 2);
    CU_ASSERT_EQUAL(value, 12);
}

static void test_parse_long(void)
{
    enum { ZEROS = 100000 };
    char *text = malloc(2 * ZEROS + 64);
    CU_ASSERT_PTR_NOT_NULL_FATAL(text);
    memset(text, '0', ZEROS);
    strcpy(text + ZEROS, "7");
    check_parse_all(text, 7);
    memset(text, '0', ZEROS);
    text[0] = '1';
    strcpy(text + ZEROS, "e-99999");
    check_parse_all(text, 1);
    text[0] = '.';
    strcpy(text + ZEROS, "25e99999");
    check_parse_all(text, 0.25);
    /* A tie whose digits end long before 800, with zeros behind them, then with a one. */
    int length = sprintf(text, "9007199254740993.");
    memset(text + length, '0', ZEROS);
    text[length + ZEROS] = 0;
    check_parse_all(text, 9007199254740992);
    strcpy(text + length + ZEROS, "1");
    check_parse_all(text, 9007199254740994);
    free(text);
}

static uint64_t random_bits(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state * 0x2545F4914F6CDD1Du;
}

/* Doubles of every exponent, and those that programs have: few decimals, quotients, powers of 2. */
static double random_double(uint64_t *state)
{
    uint64_t bits = random_bits(state);
    double value;
    switch (bits % 5) {
    case 0:
        return (double)(int64_t)(random_bits(state) % 2000000000) / 1000;
    case 1:
        return (double)(random_bits(state) % 1000000) / (double)(1 + random_bits(state) % 1000);
    case 2:
        return ldexp(1, (int)(random_bits(state) % 2098) - 1074);
    default:
        do {
            bits = random_bits(state);
            memcpy(&value, &bits, sizeof value);
        } while (!isfinite(value));
        return value;
    }
}

static void test_round_trip(void)
{
    uint64_t state = 88172645463325252;
    unsigned wrong = 0;
    for (int i = 0; i < 300000; i++) {
        double value = random_double(&state), again, reference;
        char text[PROGRAM_NUMBER_SIZE];
        size_t length = program_number_print_json(value, text);
        bool same = program_number_parse(text, length, &again) == length &&
                    memcmp(&value, &again, sizeof value) == 0;
        reference = strtod(text, NULL);
        same = same && memcmp(&value, &reference, sizeof value) == 0;
        if (!same && wrong++ == 0)
            printf("\n  of %.17g: %s gives %.17g\n", value, text, again);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Texts at, just below and just above the middle between two doubles, against the C library. */
static void test_parse_ties(void)
{
    uint64_t state = 123456789;
    unsigned wrong = 0;
    char text[1300], near[1400];
    for (int i = 0; i < 20000; i++) {
        double value = fabs(random_double(&state));
        long double middle = ((long double)value + nextafter(value, INFINITY)) / 2;
        if (!isfinite(nextafter(value, INFINITY)))
            continue;
        snprintf(text, sizeof text, "%.1200Lg", middle);
        char *exponent = strchr(text, 'e');
        int digits = (int)(exponent != NULL ? exponent - text : (long)strlen(text));
        bool has_point = memchr(text, '.', (size_t)digits) != NULL;
        static const char *const tails[] = {"", "0", "00000001"};
        for (int j = 0; j < 3; j++) {
            double actual, expected;
            snprintf(near, sizeof near, "%.*s%s%s%s", digits, text, !has_point && j > 0 ? "." : "",
                     tails[j], text + digits);
            expected = strtod(near, NULL);
            program_number_parse(near, strlen(near), &actual);
            if (memcmp(&actual, &expected, sizeof actual) != 0 && wrong++ == 0)
                printf("\n  of %.80s…\n  expected %.17g, actual %.17g\n", near, expected, actual);
        }
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

static void test_parse_random_text(void)
{
    uint64_t state = 987654321;
    unsigned wrong = 0;
    char text[80];
    for (int i = 0; i < 200000; i++) {
        int digits = 1 + (int)(random_bits(&state) % 40), used = 0;
        double actual, expected;
        for (int j = 0; j < digits; j++)
            text[used++] = (char)('0' + random_bits(&state) % 10);
        used += sprintf(text + used, "e%d", (int)(random_bits(&state) % 700) - 380);
        expected = strtod(text, NULL);
        program_number_parse(text, (size_t)used, &actual);
        if (memcmp(&actual, &expected, sizeof actual) != 0 && wrong++ == 0)
            printf("\n  of %s: expected %.17g, actual %.17g\n", text, expected, actual);
    }
    CU_ASSERT_EQUAL(wrong, 0);
}

/* Number::toString of a real engine decides, where there is one. */
static void test_against_node(void)
{
    enum { COUNT = 300000 };
    static const char script[] = "const b = require('fs').readFileSync(process.argv[1]);"
                                 "const o = [];"
                                 "for (let i = 0; i < b.length; i += 8) o.push(b.readDoubleLE(i));"
                                 "process.stdout.write(o.map(String).join('\\n') + '\\n');";
    char path[] = "/tmp/program-number-XXXXXX", command[1024], line[64];
    uint64_t state = 362436069;
    unsigned wrong = 0, compared = 0;
    if (system("node --version >/dev/null 2>&1") != 0) {
        test_skip("there is no node");
        return;
    }
    int fd = mkstemp(path);
    CU_ASSERT_TRUE_FATAL(fd >= 0);
    double *values = malloc(COUNT * sizeof *values);
    CU_ASSERT_PTR_NOT_NULL_FATAL(values);
    for (int i = 0; i < COUNT; i++)
        values[i] = random_double(&state);
    CU_ASSERT_EQUAL_FATAL(write(fd, values, COUNT * sizeof *values),
                          (ssize_t)(COUNT * sizeof *values));
    close(fd);
    snprintf(command, sizeof command, "node -e \"%s\" %s", script, path);
    FILE *output = popen(command, "r");
    CU_ASSERT_PTR_NOT_NULL_FATAL(output);
    while (compared < COUNT && fgets(line, sizeof line, output) != NULL) {
        char text[PROGRAM_NUMBER_SIZE];
        line[strcspn(line, "\n")] = 0;
        program_number_print(values[compared], text);
        if (strcmp(text, line) != 0 && wrong++ == 0)
            printf("\n  of %.17g: node says %s, we say %s\n", values[compared], line, text);
        compared++;
    }
    pclose(output);
    unlink(path);
    free(values);
    CU_ASSERT_EQUAL(compared, COUNT);
    CU_ASSERT_EQUAL(wrong, 0);
}

static void test_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8"};
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names && !found; i++)
        found = setlocale(LC_NUMERIC, names[i]) != NULL;
    check_print(1.5, "1.5");
    check_print(1.5e30, "1.5e+30");
    check_parse_all("1.5", 1.5);
    check_parse_all("1.00000000000000000000000000001", 1);
    setlocale(LC_NUMERIC, "C");
    if (!found)
        test_skip("there is no locale with a decimal comma");
}

void program_number_suite(void)
{
    CU_pSuite suite = CU_add_suite("program: number", NULL, NULL);
    CU_ADD_TEST(suite, test_print);
    CU_ADD_TEST(suite, test_print_json);
    CU_ADD_TEST(suite, test_parse);
    CU_ADD_TEST(suite, test_parse_long);
    CU_ADD_TEST(suite, test_round_trip);
    CU_ADD_TEST(suite, test_parse_ties);
    CU_ADD_TEST(suite, test_parse_random_text);
    CU_ADD_TEST(suite, test_against_node);
    CU_ADD_TEST(suite, test_locale);
}
