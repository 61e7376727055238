/* PTX: names, parameters and limits of its kernels, and its variables with their values. The code itself is skipped:
 * what a kernel does is the C function that is registered under its name. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../core.h"

struct token {
    const char *text;
    size_t length;
};

static struct token next(const char **at) {
    const char *p = *at;
    for (;;) {
        while (isspace((unsigned char)*p)) p++;
        if (p[0] == '/' && p[1] == '/')
            p += strcspn(p, "\n");
        else if (p[0] == '/' && p[1] == '*')
            p = strstr(p, "*/") ? strstr(p, "*/") + 2 : p + strlen(p);
        else
            break;
    }
    struct token token = {p, 0};
    if (*p == '"') {
        token.length = 1 + strcspn(p + 1, "\"");
        token.length += p[token.length] == '"';
    } else if (isalnum((unsigned char)*p) || strchr("._$%-+", *p)) {
        while (p[token.length] && (isalnum((unsigned char)p[token.length]) || strchr("._$%-+", p[token.length])))
            token.length++;
    } else
        token.length = *p != 0;
    *at = p + token.length;
    return token;
}

static bool is(struct token token, const char *text) {
    return token.length == strlen(text) && !memcmp(token.text, text, token.length);
}

static int wrong(struct reading *reading, int code, const char *format, ...) {
    int used = snprintf(reading->log, sizeof reading->log, "ptxas application ptx input, ");
    va_list rest;
    va_start(rest, format);
    vsnprintf(reading->log + used, sizeof reading->log - (size_t)used, format, rest);
    va_end(rest);
    return code;
}

static size_t size_of_type(struct token type) {
    static const char *const SIZES[] = {"8", "16", "32", "64", "128", NULL};
    if (type.length < 3 || type.text[0] != '.' || !strchr("usbf", type.text[1])) return 0;
    for (int i = 0; SIZES[i]; i++)
        if (type.length - 2 == strlen(SIZES[i]) && !memcmp(type.text + 2, SIZES[i], type.length - 2))
            return (size_t)1 << i;
    return 0;
}

/* A variable after its state space: ".align 8 .b8 name[16]". What follows ".ptr" belongs to the pointee. */
struct variable {
    struct token name;
    size_t size, element, align;
    bool open; /* "[]": its size is given elsewhere */
};

static bool read_variable(const char **at, struct variable *variable) {
    bool pointee = false;
    *variable = (struct variable){0};
    for (;;) {
        struct token token = next(at);
        if (is(token, ".align")) {
            size_t align = strtoul(next(at).text, NULL, 10);
            if (!pointee) variable->align = align;
        } else if (is(token, ".ptr"))
            pointee = true;
        else if (size_of_type(token))
            variable->element = size_of_type(token);
        else if (token.length && token.text[0] != '.') {
            variable->name = token;
            break;
        } else if (!token.length)
            return false;
    }
    if (!variable->element) return false;
    if (!variable->align) variable->align = variable->element;
    variable->size = variable->element;
    for (const char *ahead = *at; is(next(&ahead), "["); *at = ahead) {
        struct token token = next(&ahead);
        if (is(token, "]")) {
            variable->open = true;
            continue;
        }
        variable->size *= strtoul(token.text, NULL, 10);
        if (!is(next(&ahead), "]")) return false;
    }
    return true;
}

static bool read_parameters(const char **at, CUfunction function) {
    size_t offset = 0;
    for (;;) {
        struct token token = next(at);
        if (is(token, ")")) return true;
        if (is(token, ",")) continue;
        struct variable variable;
        if (!is(token, ".param") || !read_variable(at, &variable)) return false;
        offset = (offset + variable.align - 1) / variable.align * variable.align;
        function_parameter(function, offset, variable.size);
        offset += variable.size;
    }
}

static bool read_body(const char **at, CUfunction function) { /* from behind its first brace */
    struct variable variable;
    for (int depth = 1; depth;) {
        struct token token = next(at);
        if (!token.length) return false;
        depth += is(token, "{") - is(token, "}");
        if (is(token, "griddepcontrol.wait") && function) function->waits = true;
        if (is(token, "griddepcontrol.launch_dependents") && function) function->triggers = true;
        if (is(token, ".shared") && function && read_variable(at, &variable)) function->shared += (int)variable.size;
    }
    return true;
}

static int read_function(struct reading *reading, const char **at, bool entry) {
    struct token name = next(at);
    if (!entry && is(name, "(")) { /* what it returns */
        while (name.length && !is(name, ")")) name = next(at);
        name = next(at);
    }
    CUfunction function = entry ? module_function(reading->module, name.text, name.length) : NULL;
    struct token token = next(at);
    if (entry && is(token, "(")) {
        if (!read_parameters(at, function))
            return wrong(reading, SI_ERROR_INVALID_PTX, "error: parameters of %s", function->name);
        token = next(at);
    }
    for (; !is(token, "{"); token = next(at)) {
        if (!token.length || is(token, ";"))
            return entry || !token.length ? wrong(reading, SI_ERROR_INVALID_PTX, "error: no body") : 0;
        if (!entry || (!is(token, ".maxntid") && !is(token, ".reqntid"))) continue;
        unsigned long threads = 1;
        const char *ahead;
        do {
            threads *= strtoul(next(at).text, NULL, 10);
            ahead = *at;
        } while (is(next(&ahead), ",") && (*at = ahead));
        function->max_threads = (int)threads;
    }
    return read_body(at, function) ? 0 : wrong(reading, SI_ERROR_INVALID_PTX, "error: a body without end");
}

static uint64_t value_of(struct reading *reading, const char **at, struct token token) {
    if (is(token, "generic")) {
        next(at);
        token = next(at);
        next(at);
    }
    if (token.length > 2 && token.text[0] == '0' && strchr("fFdD", token.text[1]))
        return strtoull(token.text + 2, NULL, 16);
    if (isdigit((unsigned char)*token.text) || *token.text == '-') return (uint64_t)strtoll(token.text, NULL, 0);
    for (struct global *global = reading->module->globals; global; global = global->next)
        if (is(token, global->name)) return global->address;
    return 0;
}

static int read_global(struct reading *reading, const char **at, bool elsewhere) {
    struct variable variable;
    if (!read_variable(at, &variable)) return wrong(reading, SI_ERROR_INVALID_PTX, "error: a variable");
    struct global *global = NULL;
    if (!elsewhere && !variable.open) {
        global = module_global(reading->module, variable.name.text, variable.name.length, variable.size);
        if (!global) return SI_ERROR_OUT_OF_MEMORY;
    }
    size_t filled = 0;
    for (struct token token = next(at); !is(token, ";"); token = next(at)) {
        if (!token.length) return wrong(reading, SI_ERROR_INVALID_PTX, "error: a variable without end");
        if (!global || strchr("={},", *token.text)) continue;
        uint64_t value = value_of(reading, at, token);
        if (filled + variable.element > variable.size)
            return wrong(reading, SI_ERROR_INVALID_PTX, "error: too many values");
        memcpy((char *)(uintptr_t)global->address + filled, &value, variable.element > 8 ? 8 : variable.element);
        filled += variable.element;
    }
    return 0;
}

static int newest_version(void) { /* of PTX, that a driver of this version knows: 9.0 is 90 */
    static const int OF_12[] = {80, 81, 82, 83, 84, 85, 85, 86, 87, 88};
    int major = standin_version / 1000, minor = standin_version % 1000 / 10;
    if (major == 12) return OF_12[minor < 9 ? minor : 9];
    return (major > 12 ? 90 + (major - 13) * 10 : 70) + minor;
}

static int read_target(struct reading *reading, struct token token) {
    int capability = 0;
    if (sscanf(token.text, "sm_%d", &capability) != 1) return wrong(reading, SI_ERROR_INVALID_PTX, "error: .target");
    if (capability > device_capability(reading->module->context->device))
        return wrong(reading, SI_ERROR_NO_BINARY_FOR_GPU, "error: .target sm_%d is newer than the device", capability);
    return 0;
}

static int read_version(struct reading *reading, struct token token) {
    int major = 0, minor = 0;
    sscanf(token.text, "%d.%d", &major, &minor);
    if (!major) return wrong(reading, SI_ERROR_INVALID_PTX, "error: .version");
    if (major * 10 + minor > newest_version())
        return wrong(reading, SI_ERROR_UNSUPPORTED_PTX_VERSION,
                     "fatal: Unsupported .version %d.%d; current version is '%d.%d'", major, minor,
                     newest_version() / 10, newest_version() % 10);
    return 0;
}

bool ptx_is(const char *image) {
    while (isspace((unsigned char)*image)) image++;
    return *image == '.' || !strncmp(image, "//", 2) || !strncmp(image, "/*", 2);
}

int ptx_read(struct reading *reading) {
    const char *at = reading->image;
    bool version = false, target = false, elsewhere = false;
    int code = 0;
    while (!code) {
        struct token token = next(&at);
        if (!token.length) break;
        if (is(token, ".version"))
            code = read_version(reading, next(&at)), version = true;
        else if (!version)
            code = wrong(reading, SI_ERROR_INVALID_PTX, "fatal: Missing .version directive at start of file");
        else if (is(token, ".target"))
            code = read_target(reading, next(&at)), target = true;
        else if (is(token, ".extern"))
            elsewhere = true;
        else if (is(token, ".entry") || is(token, ".func"))
            code = read_function(reading, &at, is(token, ".entry")), elsewhere = false;
        else if (is(token, ".global") || is(token, ".const") || is(token, ".shared"))
            code = read_global(reading, &at, elsewhere || is(token, ".shared")), elsewhere = false;
        else if (*token.text != '.' && *token.text != ',' && !isalnum((unsigned char)*token.text) &&
                 !strchr("{}()=;:\"[]@-+%$_", *token.text))
            code = wrong(reading, SI_ERROR_INVALID_PTX, "error: unexpected '%.*s'", (int)token.length, token.text);
    }
    if (!code && !target) code = wrong(reading, SI_ERROR_INVALID_PTX, "fatal: Missing .target directive");
    return code;
}
