/* A stand-in for NVRTC: what it "compiles" is taken from comments of the source.
 *
 *   //ptx TEXT      a line of the PTX that comes out
 *   //error TEXT    compiling fails with that in the log
 *
 * A name expression's lowered name is the expression with underlines in place of all but letters and digits.
 * The log holds the options, one a line; "unknown option" fails, as it does in NVRTC. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum {
    SUCCESS = 0,
    INVALID_INPUT = 3,
    INVALID_PROGRAM = 4,
    INVALID_OPTION = 5,
    COMPILATION = 6,
    NO_EXPRESSIONS_AFTER = 8,
    NO_NAMES_BEFORE = 9,
    NOT_VALID = 10
};

struct name {
    struct name *next;
    char *expression, *lowered;
};

typedef struct program {
    char *source, *log, *ptx;
    struct name *names;
    int compiled;
} *program;

static void add(char **text, const char *more, size_t length) {
    char *longer;
    if (asprintf(&longer, "%s%.*s\n", *text ? *text : "", (int)length, more) < 0) abort();
    free(*text);
    *text = longer;
}

EXPORT int nvrtcVersion(int *major, int *minor) {
    if (!major || !minor) return INVALID_INPUT;
    *major = 13;
    *minor = 0;
    return SUCCESS;
}

EXPORT int nvrtcCreateProgram(program *made, const char *source, const char *name, int count,
                              const char *const *headers, const char *const *names) {
    (void)name, (void)headers;
    if (!made || !source || count < 0) return INVALID_INPUT;
    *made = calloc(1, sizeof **made);
    (*made)->source = strdup(source);
    for (int i = 0; i < count; i++) {
        add(&(*made)->log, "header:", 7);
        add(&(*made)->log, names[i], strlen(names[i]));
    }
    return SUCCESS;
}

EXPORT int nvrtcDestroyProgram(program *ended) {
    if (!ended || !*ended) return INVALID_PROGRAM;
    while ((*ended)->names) {
        struct name *name = (*ended)->names;
        (*ended)->names = name->next;
        free(name->expression);
        free(name->lowered);
        free(name);
    }
    free((*ended)->source);
    free((*ended)->log);
    free((*ended)->ptx);
    free(*ended);
    *ended = NULL;
    return SUCCESS;
}

static int is_known(const char *option) {
    static const char *const KNOWN[] = {"--gpu-architecture=",
                                        "-arch=",
                                        "-I",
                                        "-D",
                                        "-U",
                                        "--include-path=",
                                        "--define-macro=",
                                        "--std=",
                                        "-std=",
                                        "--use_fast_math",
                                        "--pre-include",
                                        "-w",
                                        "-default-device",
                                        "-lineinfo",
                                        "--device-debug"};
    for (size_t i = 0; i < sizeof KNOWN / sizeof *KNOWN; i++)
        if (!strncmp(option, KNOWN[i], strlen(KNOWN[i]))) return 1;
    return *option != '-';
}

EXPORT int nvrtcCompileProgram(program program, int count, const char *const *options) {
    int code = SUCCESS;
    if (!program) return INVALID_PROGRAM;
    for (int i = 0; i < count; i++) {
        add(&program->log, options[i], strlen(options[i]));
        if (is_known(options[i])) continue;
        add(&program->log, "unknown option", 14);
        return INVALID_OPTION;
    }
    for (const char *at = program->source; *at; at += strcspn(at, "\n"), at += *at == '\n') {
        size_t length = strcspn(at, "\n");
        if (!strncmp(at, "//ptx ", 6)) add(&program->ptx, at + 6, length - 6);
        if (strncmp(at, "//error ", 8)) continue;
        add(&program->log, at + 8, length - 8);
        code = COMPILATION;
    }
    program->compiled = !code;
    return code;
}

EXPORT int nvrtcAddNameExpression(program program, const char *expression) {
    if (!program || !expression) return INVALID_INPUT;
    if (program->compiled) return NO_EXPRESSIONS_AFTER;
    struct name *name = calloc(1, sizeof *name);
    name->expression = strdup(expression);
    name->lowered = strdup(expression);
    for (char *at = name->lowered; *at; at++)
        if (!isalnum((unsigned char)*at)) *at = '_';
    name->next = program->names;
    program->names = name;
    return SUCCESS;
}

EXPORT int nvrtcGetLoweredName(program program, const char *expression, const char **lowered) {
    if (!program || !program->compiled) return NO_NAMES_BEFORE;
    for (struct name *name = program->names; name; name = name->next)
        if (!strcmp(name->expression, expression)) {
            *lowered = name->lowered;
            return SUCCESS;
        }
    return NOT_VALID;
}

static int size_of(const char *text, size_t *size) {
    if (!size) return INVALID_INPUT;
    *size = (text ? strlen(text) : 0) + 1;
    return SUCCESS;
}

static int copy(const char *text, char *to) {
    if (!to) return INVALID_INPUT;
    strcpy(to, text ? text : "");
    return SUCCESS;
}

EXPORT int nvrtcGetProgramLogSize(program program, size_t *size) { return size_of(program->log, size); }
EXPORT int nvrtcGetProgramLog(program program, char *to) { return copy(program->log, to); }
EXPORT int nvrtcGetPTXSize(program program, size_t *size) {
    return program->compiled ? size_of(program->ptx, size) : INVALID_PROGRAM;
}
EXPORT int nvrtcGetPTX(program program, char *to) {
    return program->compiled ? copy(program->ptx, to) : INVALID_PROGRAM;
}
EXPORT int nvrtcGetCUBINSize(program program, size_t *size) {
    if (!program->compiled) return INVALID_PROGRAM;
    *size = 0; /* as for a virtual architecture: there is only PTX */
    return SUCCESS;
}
EXPORT int nvrtcGetCUBIN(program program, char *to) {
    (void)program, (void)to;
    return INVALID_PROGRAM;
}
EXPORT const char *nvrtcGetErrorString(int code) {
    static const char *const NAMES[] = {"NVRTC_SUCCESS",
                                        "NVRTC_ERROR_OUT_OF_MEMORY",
                                        "NVRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                        "NVRTC_ERROR_INVALID_INPUT",
                                        "NVRTC_ERROR_INVALID_PROGRAM",
                                        "NVRTC_ERROR_INVALID_OPTION",
                                        "NVRTC_ERROR_COMPILATION",
                                        "NVRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                        "NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                        "NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                        "NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID"};
    return code >= 0 && code <= NOT_VALID ? NAMES[code] : "NVRTC_ERROR unknown";
}
