/* The result as plain text for the model that wrote the program. Nothing operational stands in it:
 * no budget that is left, no timings. */
#include <inttypes.h>
#include <string.h>

#include "core/result.h"

/* How much of a value or of the logs a model is shown. */
#define MAX_SHOWN_BYTES 65536u

/* Text with a limit; what is cut is said. */
static void shown(struct buffer *out, const char *text, size_t size)
{
    size_t kept = size;
    if (kept > MAX_SHOWN_BYTES) {
        kept = MAX_SHOWN_BYTES;
        while (kept > 0 && ((unsigned char)text[kept] & 0xC0) == 0x80)
            kept--;
    }
    buffer_append(out, text, kept);
    if (kept < size)
        buffer_format(out, "… (%zu bytes more)", size - kept);
}

/* The line of the program that a failure is about, with a mark under the column, is what a model
 * needs most; it has the program itself, so only the numbers stand here. */
static void write_failure(struct buffer *out, const pawl_result *result)
{
    buffer_format(out, "The program failed: %s", result->kind);
    if (result->line != 0 && result->column != 0)
        buffer_format(out, " at line %" PRIu32 ", column %" PRIu32, result->line, result->column);
    else if (result->line != 0)
        buffer_format(out, " at line %" PRIu32, result->line);
    buffer_string(out, "\n");
    shown(out, result->message.data, result->message.size);
    buffer_string(out, "\n");
    for (size_t i = 0; i < result->suggestion_count; i++)
        buffer_format(out, "- %s\n", result->suggestions[i]);
}

static void write_logs(struct buffer *out, const pawl_result *result)
{
    if (result->log_count == 0)
        return;
    buffer_string(out, "Logs:\n");
    size_t total = 0;
    for (size_t i = 0; i < result->log_count; i++) {
        if (total + result->logs[i].size > MAX_SHOWN_BYTES) {
            buffer_format(out, "… (%zu entries more)\n", result->log_count - i);
            break;
        }
        total += result->logs[i].size;
        buffer_append(out, result->logs[i].data, result->logs[i].size);
        buffer_string(out, "\n");
    }
}

static void write_description(struct buffer *out, const pawl_result *result)
{
    if (!result->ok) {
        write_failure(out, result);
    } else if (result->has_value) {
        buffer_string(out, "The program returned:\n");
        shown(out, result->value, result->value_size);
        buffer_string(out, "\n");
    } else {
        buffer_format(out, "The program succeeded.\n%s\n",
                      result->note != NULL ? result->note : "Nothing was returned.");
    }
    write_logs(out, result);
}

const char *pawl_result_describe(pawl_result *result, size_t *size)
{
    if (result->description.data == NULL)
        write_description(&result->description, result);
    if (result->description.failed != PAWL_OK)
        buffer_clear(&result->description);
    if (size != NULL)
        *size = result->description.size;
    return result->description.data;
}
