/* hiprtc over NVRTC: the same results, other options, and code that is a cubin or PTX (HIP_FORWARD_CODE=ptx). */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "forward.h"

typedef int nvrtcResult;
typedef void *nvrtcProgram;

#define RTC_FUNCTIONS(X)                                                                                               \
    X(nvrtcVersion, (int *, int *))                                                                                    \
    X(nvrtcCreateProgram, (nvrtcProgram *, const char *, const char *, int, const char *const *, const char *const *)) \
    X(nvrtcDestroyProgram, (nvrtcProgram *))                                                                           \
    X(nvrtcCompileProgram, (nvrtcProgram, int, const char *const *))                                                   \
    X(nvrtcAddNameExpression, (nvrtcProgram, const char *))                                                            \
    X(nvrtcGetLoweredName, (nvrtcProgram, const char *, const char **))                                                \
    X(nvrtcGetProgramLog, (nvrtcProgram, char *))                                                                      \
    X(nvrtcGetProgramLogSize, (nvrtcProgram, size_t *))                                                                \
    X(nvrtcGetPTX, (nvrtcProgram, char *))                                                                             \
    X(nvrtcGetPTXSize, (nvrtcProgram, size_t *))                                                                       \
    X(nvrtcGetCUBIN, (nvrtcProgram, char *))                                                                           \
    X(nvrtcGetCUBINSize, (nvrtcProgram, size_t *))

static struct {
#define X(name, parameters) nvrtcResult(*name) parameters;
    RTC_FUNCTIONS(X)
#undef X
} nvrtc;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) {
    const char *path = getenv("HIP_FORWARD_NVRTC");
    static const char *const NAMES[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", NULL};
    void *library = path && *path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    for (int i = 0; !library && !(path && *path) && NAMES[i]; i++) library = dlopen(NAMES[i], RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
#define X(name, parameters)                          \
    {                                                \
        void *symbol = dlsym(library, #name);        \
        memcpy(&nvrtc.name, &symbol, sizeof symbol); \
    }
    RTC_FUNCTIONS(X)
#undef X
}

static hiprtcResult result_of(nvrtcResult result) { /* the first twelve are the same */
    return (hiprtcResult)(result > HF_RTC_INTERNAL_ERROR ? HF_RTC_INTERNAL_ERROR : result);
}

#define RTC(name, ...) \
    (pthread_once(&once, load), nvrtc.name ? result_of(nvrtc.name(__VA_ARGS__)) : (hiprtcResult)HF_RTC_INTERNAL_ERROR)

EXPORT hiprtcResult hiprtcVersion(int *major, int *minor) { return RTC(nvrtcVersion, major, minor); }

/* HIP's compiler has that header built in, and programs may include it. */
static const char HEADER[] = "#pragma once\n";

EXPORT hiprtcResult hiprtcCreateProgram(hiprtcProgram *program, const char *source, const char *name, int count,
                                        const char **headers, const char **names) {
    if (!program || !source || count < 0) return HF_RTC_INVALID_INPUT;
    const char **all = calloc((size_t)count + 1, sizeof *all),
               **all_names = calloc((size_t)count + 1, sizeof *all_names);
    for (int i = 0; i < count; i++) all[i] = headers[i], all_names[i] = names[i];
    all[count] = HEADER;
    all_names[count] = "hip/hip_runtime.h";
    hiprtcResult result = RTC(nvrtcCreateProgram, (nvrtcProgram *)program, source, name, count + 1, all, all_names);
    free(all);
    free(all_names);
    return result;
}

static bool starts(const char *text, const char *with) { return !strncmp(text, with, strlen(with)); }

/* One option as NVRTC has it, NULL if it has none like it. `*pair` says that its value is the next option. */
static char *option_of(const char *option, const char *architecture, bool *pair) {
    char *text = NULL;
    *pair = !strcmp(option, "-I") || !strcmp(option, "-D") || !strcmp(option, "-U") || !strcmp(option, "-include");
    bool ignored_pair = !strcmp(option, "-mllvm") || !strcmp(option, "-x") || !strcmp(option, "-Xclang");
    if (starts(option, "--offload-arch=") || starts(option, "--gpu-architecture="))
        (void)!asprintf(&text, "--gpu-architecture=%s", architecture);
    else if (!strcmp(option, "-include"))
        text = strdup("--pre-include");
    else if (starts(option, "-I") || starts(option, "-D") || starts(option, "-U") ||
             starts(option, "--include-path=") || starts(option, "--define-macro=") || !strcmp(option, "-w"))
        text = strdup(option);
    else if (starts(option, "-std=") || starts(option, "--std="))
        (void)!asprintf(&text, "--std=c++%s", strstr(option, "++") ? strstr(option, "++") + 2 : "17");
    else if (!strcmp(option, "-ffast-math"))
        text = strdup("--use_fast_math");
    *pair |= ignored_pair;
    return text;
}

EXPORT hiprtcResult hiprtcCompileProgram(hiprtcProgram program, int count, const char **options) {
    char architecture[64];
    char **translated = calloc((size_t)count + 2, sizeof *translated);
    int used = 0;
    bool chosen = false;
    if (architecture_of(current_device(), architecture, sizeof architecture) || starts(architecture, "gfx"))
        strcpy(architecture, "sm_90"); /* an AMD device in name */
    for (int i = 0; i < count; i++) {
        bool pair;
        char *text = option_of(options[i], architecture, &pair);
        if (text && starts(text, "--gpu-architecture")) chosen = true;
        if (text) translated[used++] = text;
        if (pair && ++i < count && text) translated[used++] = strdup(options[i]);
    }
    if (!chosen) (void)!asprintf(&translated[used++], "--gpu-architecture=%s", architecture);
    hiprtcResult result = RTC(nvrtcCompileProgram, program, used, (const char *const *)translated);
    while (used) free(translated[--used]);
    free(translated);
    return result;
}

static bool wants_cubin(hiprtcProgram program, size_t *size) {
    const char *wanted = getenv("HIP_FORWARD_CODE");
    if (wanted && !strcmp(wanted, "ptx")) return false;
    return !RTC(nvrtcGetCUBINSize, program, size) && *size; /* 0 where the architecture is a virtual one */
}

EXPORT hiprtcResult hiprtcGetCodeSize(hiprtcProgram program, size_t *size) {
    if (!size) return HF_RTC_INVALID_INPUT;
    return wants_cubin(program, size) ? (hiprtcResult)HF_SUCCESS : RTC(nvrtcGetPTXSize, program, size);
}

EXPORT hiprtcResult hiprtcGetCode(hiprtcProgram program, char *code) {
    size_t size = 0;
    return wants_cubin(program, &size) ? RTC(nvrtcGetCUBIN, program, code) : RTC(nvrtcGetPTX, program, code);
}

EXPORT hiprtcResult hiprtcDestroyProgram(hiprtcProgram *program) {
    return RTC(nvrtcDestroyProgram, (nvrtcProgram *)program);
}
EXPORT hiprtcResult hiprtcGetProgramLog(hiprtcProgram program, char *log) {
    return RTC(nvrtcGetProgramLog, program, log);
}
EXPORT hiprtcResult hiprtcGetProgramLogSize(hiprtcProgram program, size_t *size) {
    return RTC(nvrtcGetProgramLogSize, program, size);
}
EXPORT hiprtcResult hiprtcAddNameExpression(hiprtcProgram program, const char *name) {
    return RTC(nvrtcAddNameExpression, program, name);
}
EXPORT hiprtcResult hiprtcGetLoweredName(hiprtcProgram program, const char *name, const char **lowered) {
    return RTC(nvrtcGetLoweredName, program, name, lowered);
}

EXPORT const char *hiprtcGetErrorString(hiprtcResult result) {
    static const char *const WORDS[] = {"HIPRTC_SUCCESS",
                                        "HIPRTC_ERROR_OUT_OF_MEMORY",
                                        "HIPRTC_ERROR_PROGRAM_CREATION_FAILURE",
                                        "HIPRTC_ERROR_INVALID_INPUT",
                                        "HIPRTC_ERROR_INVALID_PROGRAM",
                                        "HIPRTC_ERROR_INVALID_OPTION",
                                        "HIPRTC_ERROR_COMPILATION",
                                        "HIPRTC_ERROR_BUILTIN_OPERATION_FAILURE",
                                        "HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION",
                                        "HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION",
                                        "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID",
                                        "HIPRTC_ERROR_INTERNAL_ERROR"};
    return (int)result < 0 || (int)result > HF_RTC_INTERNAL_ERROR ? "Invalid HIPRTC error code" : WORDS[(int)result];
}
