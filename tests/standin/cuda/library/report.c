/* Reports: misuse that CUDA would not tell, or only by chance. Tests that end with one have failed. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core.h"

#define MOST 65536

static char *lines;
static size_t length;

void report(const char *format, ...) {
    if (!lines) lines = calloc(1, MOST);
    if (!lines || length + 2 >= MOST) return;
    va_list rest;
    va_start(rest, format);
    int more = vsnprintf(lines + length, MOST - length - 1, format, rest);
    va_end(rest);
    length += more < 0 ? 0 : (size_t)more;
    if (length > MOST - 2) length = MOST - 2;
    lines[length++] = '\n';
    lines[length] = 0;
}

void reports_reset(void) { length = 0; }

EXPORT size_t standin_reports(char *text, size_t size, int clear) {
    pthread_mutex_lock(&standin_lock);
    memory_inspect();
    size_t whole = length + 1;
    if (size) {
        size_t part = length < size ? length : size - 1;
        if (part) memcpy(text, lines, part);
        text[part] = 0;
    }
    if (clear && whole <= size) length = 0;
    pthread_mutex_unlock(&standin_lock);
    return whole;
}
