/* libFuzzer: the JSON checker on any bytes, and what is written from any bytes: it must be JSON,
 * and a number must read back as itself. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "providers/program/json_text.h"
#include "providers/program/number.h"
#include "providers/program/path.h"
#include "providers/program/utf8.h"

static void require(bool holds)
{
    if (!holds)
        abort();
}

static void check_text(const char *text, size_t length)
{
    struct program_json_report report;
    if (program_json_check(text, length, 100, &report)) {
        require(report.reason == NULL && report.offset == length && report.depth <= 100);
        require(report.start + report.length <= length && report.length > 0);
        require(program_utf8_check(text, length) == length);
        require(program_json_check(text + report.start, report.length, report.depth, NULL));
        if (report.depth > 0)
            require(!program_json_check(text, length, report.depth - 1, NULL));
    } else {
        require(report.reason != NULL && report.offset <= length);
    }
}

static void check_strings(const uint8_t *data, size_t size)
{
    struct program_buffer buffer = {0};
    require(program_json_put_string(&buffer, (const char *)data, size));
    require(program_json_check(buffer.data, buffer.length, 0, NULL));
    program_buffer_release(&buffer);
    uint16_t *units = malloc(size + 2);
    require(units != NULL);
    if (size > 0)
        memcpy(units, data, size);
    require(program_json_put_utf16(&buffer, units, size / 2));
    require(program_json_check(buffer.data, buffer.length, 0, NULL));
    program_buffer_release(&buffer);
    free(units);
}

static void check_numbers(const uint8_t *data, size_t size)
{
    char text[PROGRAM_NUMBER_SIZE];
    double value, again;
    size_t read = program_number_parse((const char *)data, size, &value);
    require(read <= size && !isnan(value));
    if (size < sizeof value)
        return;
    memcpy(&value, data, sizeof value);
    size_t length = program_number_print_json(value, text);
    require((length > 0) == (isfinite(value) != 0));
    if (length == 0)
        return;
    require(program_json_check(text, length, 0, NULL));
    require(program_number_parse(text, length, &again) == length);
    require(memcmp(&value, &again, sizeof value) == 0);
}

static void check_paths(const uint8_t *data, size_t size)
{
    struct program_path path;
    program_path_start(&path, "value");
    for (size_t at = 0; at < size;) {
        size_t length = data[at] < size - at ? data[at] : size - at;
        program_path_member(&path, (const char *)data + at, length);
        program_path_index(&path, at);
        require(path.length < sizeof path.text && strlen(path.text) == path.length);
        require(program_utf8_check(path.text, path.length) == path.length);
        at += length + 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    check_text((const char *)data, size);
    check_strings(data, size);
    check_numbers(data, size);
    check_paths(data, size);
    return 0;
}
