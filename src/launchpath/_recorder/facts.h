/* Facts that stand in the file beside the records, as JSON: about the process, its devices and its threads. */
#ifndef LAUNCHPATH_RECORDER_FACTS_H
#define LAUNCHPATH_RECORDER_FACTS_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "trace/records/python.h"
#include "trace/records/store.h"

typedef struct {
    char *text;
    size_t size, room;
    int failed; /* there was no memory: the fact is left out */
} json_text;

static void json_bytes(json_text *json, const char *bytes, size_t size) {
    if (json->size + size + 1 > json->room) {
        size_t room = 2 * (json->size + size) + 256;
        char *text = (char *)realloc(json->text, room);
        if (text == 0) {
            json->failed = 1;
            return;
        }
        json->text = text, json->room = room;
    }
    memcpy(json->text + json->size, bytes, size);
    json->size += size;
    json->text[json->size] = 0;
}

static void json_raw(json_text *json, const char *text) { json_bytes(json, text, strlen(text)); }

static void json_number(json_text *json, long long number) {
    char text[32];
    snprintf(text, sizeof text, "%lld", number);
    json_raw(json, text);
}

/* How many bytes a UTF-8 sequence has that begins here; 0: none does. */
static size_t utf8_size(const unsigned char *at, size_t left) {
    size_t n = at[0] < 0x80 ? 1 : at[0] >= 0xC2 && at[0] < 0xE0 ? 2 : (at[0] & 0xF0) == 0xE0 ? 3 : at[0] >= 0xF0 && at[0] < 0xF5 ? 4 : 0, i;
    if (n == 0 || n > left) return 0;
    for (i = 1; i < n; i++)
        if ((at[i] & 0xC0) != 0x80) return 0;
    if (n == 3 && ((at[0] == 0xE0 && at[1] < 0xA0) || (at[0] == 0xED && at[1] >= 0xA0))) return 0;
    if (n == 4 && ((at[0] == 0xF0 && at[1] < 0x90) || (at[0] == 0xF4 && at[1] >= 0x90))) return 0;
    return n;
}

/* A text. Bytes that are not UTF-8 are written as Python reads such bytes in names: as half of a surrogate pair. */
static void json_string(json_text *json, const char *text, size_t size) {
    const unsigned char *at = (const unsigned char *)text;
    char escape[8];
    size_t n;
    json_raw(json, "\"");
    while (size) {
        n = utf8_size(at, size);
        if (n == 0 || at[0] < 0x20 || at[0] == '"' || at[0] == '\\') {
            snprintf(escape, sizeof escape, "\\u%04x", n ? at[0] : 0xDC00u + at[0]);
            json_raw(json, escape);
            n = 1;
        } else json_bytes(json, (const char *)at, n);
        at += n, size -= n;
    }
    json_raw(json, "\"");
}

static void json_text_of(json_text *json, const char *text) { json_string(json, text, strlen(text)); }

static void json_key(json_text *json, const char *key) {
    json_text_of(json, key);
    json_raw(json, ":");
}

/* Whether findings are asked for, and where source lines come from. */
static void json_findings(json_text *json) {
    if (lp_trace.findings == 0) return;
    json_raw(json, ",\"findings\":true,\"sites\":{\"from\":");
    if (!(lp_trace.findings & FINDINGS_SITES) || python.state != PYTHON_READ) json_raw(json, "null");
    else json_raw(json, "\"Python\"");
    if (python.reason[0]) json_raw(json, ",\"left_out\":"), json_text_of(json, python.reason);
    json_raw(json, "}");
}

/* Write the object to the file, and give its memory back. */
static void facts_write(json_text *json) {
    if (!json->failed && json->size) store_write(lp_trace.generation, STORE_META, json->size, json->text, json->size, 0, 0);
    free(json->text);
    memset(json, 0, sizeof *json);
}

/* The content of a small file of the system; its size. */
static size_t file_content(const char *path, char *into, size_t room) {
    FILE *file = fopen(path, "re");
    size_t size = file ? fread(into, 1, room, file) : 0;
    if (file) fclose(file);
    return size;
}

#endif
