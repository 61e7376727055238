/* The stand-in's own image: a text, one thing a line.
 *
 *   STANDIN1
 *   kernel NAME SYMBOL BYTES OFFSET:SIZE,OFFSET:SIZE
 *   global NAME SIZE
 *   waits NAME: that kernel, of a line before, waits at its entry for the kernel before it
 *   triggers NAME: that kernel lets the next one start before it ends
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core.h"

#define MAGIC "STANDIN1\n"

bool image_is(const char *image) { return !strncmp(image, MAGIC, strlen(MAGIC)); }

static bool read_kernel(struct reading *reading, const char *line) {
    char name[512], symbol[512];
    unsigned long bytes;
    int used = 0;
    if (sscanf(line, "kernel %511s %511s %lu%n", name, symbol, &bytes, &used) < 3) return false;
    CUfunction function = module_function(reading->module, name, strlen(name));
    function->symbol = strdup(symbol);
    for (const char *at = line + used; *at == ' ' || *at == ',';) {
        char *end;
        size_t offset = strtoul(at + 1, &end, 10);
        if (*end != ':') return false;
        size_t size = strtoul(end + 1, &end, 10);
        function_parameter(function, offset, size);
        at = end;
    }
    if (function->bytes > bytes) return false;
    function->bytes = bytes;
    return true;
}

static bool read_line(struct reading *reading, const char *line) {
    char name[512];
    unsigned long size;
    if (!*line) return true;
    if (!strncmp(line, "kernel ", 7)) return read_kernel(reading, line);
    if (sscanf(line, "waits %511s", name) == 1) {
        for (CUfunction function = reading->module->functions; function; function = function->next)
            function->waits |= !strcmp(function->name, name);
        return true;
    }
    if (sscanf(line, "triggers %511s", name) == 1) {
        for (CUfunction function = reading->module->functions; function; function = function->next)
            function->triggers |= !strcmp(function->name, name);
        return true;
    }
    if (sscanf(line, "global %511s %lu", name, &size) < 2) return false;
    return module_global(reading->module, name, strlen(name), size);
}

int image_read(struct reading *reading) {
    int number = 1;
    for (const char *at = reading->image + strlen(MAGIC); *at; number++) {
        size_t length = strcspn(at, "\n");
        char *line = strndup(at, length);
        bool right = read_line(reading, line);
        free(line);
        if (!right) {
            snprintf(reading->log, sizeof reading->log, "error   : line %d", number + 1);
            return SI_ERROR_INVALID_IMAGE;
        }
        at += length + (at[length] == '\n');
    }
    return SI_SUCCESS;
}
