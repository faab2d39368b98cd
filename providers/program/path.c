#include "path.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "json_text.h"
#include "utf8.h"

#define ELLIPSIS  "\xE2\x80\xA6"
#define STEP_SIZE 96 /* of one step's text; a key is cut where it would not fit */

static void add_step(struct program_path *path, const char *step, size_t length)
{
    const size_t ellipsis = strlen(ELLIPSIS);
    if (!path->is_cut) {
        /* As long as an ellipsis and any last step still fit behind it. */
        if (path->length + length + ellipsis + STEP_SIZE < sizeof path->text) {
            memcpy(path->text + path->length, step, length + 1);
            path->length += length;
            return;
        }
        path->is_cut = true;
        path->head = path->length;
        memcpy(path->text + path->head, step, length + 1);
        path->length += length;
        return;
    }
    memcpy(path->text + path->head, ELLIPSIS, ellipsis);
    memcpy(path->text + path->head + ellipsis, step, length + 1);
    path->length = path->head + ellipsis + length;
}

void program_path_start(struct program_path *path, const char *root)
{
    size_t length = strlen(root);
    *path = (struct program_path){0};
    if (length >= STEP_SIZE)
        length = STEP_SIZE - 1;
    memcpy(path->text, root, length);
    path->length = length;
}

static bool is_identifier(const char *key, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = key[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$';
        if (!letter && !(i > 0 && c >= '0' && c <= '9'))
            return false;
    }
    return length > 0;
}

void program_path_member(struct program_path *path, const char *key, size_t length)
{
    static const char closing[] = "\"]", cut[] = ELLIPSIS "\"]";
    char step[STEP_SIZE] = "";
    size_t used, offset = 0;
    if (length < STEP_SIZE - 1 && is_identifier(key, length)) {
        used = (size_t)snprintf(step, sizeof step, ".%.*s", (int)length, key);
        add_step(path, step, used);
        return;
    }
    used = (size_t)snprintf(step, sizeof step, "[\"");
    while (offset < length) {
        char escaped[PROGRAM_JSON_CHARACTER_SIZE];
        uint32_t code_point;
        size_t width = program_utf8_decode_any(key + offset, length - offset, &code_point);
        size_t added = program_json_escape(code_point, escaped);
        if (used + added + sizeof cut > sizeof step)
            break;
        memcpy(step + used, escaped, added);
        used += added;
        offset += width;
    }
    strcpy(step + used, offset < length ? cut : closing);
    add_step(path, step, strlen(step));
}

void program_path_index(struct program_path *path, uint64_t index)
{
    char step[STEP_SIZE] = "";
    add_step(path, step, (size_t)snprintf(step, sizeof step, "[%" PRIu64 "]", index));
}
