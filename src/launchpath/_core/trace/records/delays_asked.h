/* What delays are asked for: the text of LAUNCHPATH_DELAYS, and what the calls of drivers are to them. `_findings/intervention`
   has the same, and refuses a wrong text before a program runs. */
#ifndef LAUNCHPATH_TRACE_DELAYS_ASKED_H
#define LAUNCHPATH_TRACE_DELAYS_ASKED_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { DELAYS_SUBMISSIONS = 1, DELAYS_SYNCHRONIZATIONS = 2, DELAYS_COPIES = 3, DELAYS_HOST_CODE = 4, DELAYS_TARGETS = 5 };
enum delays_kind { DELAYS_KERNEL = 1, DELAYS_RANGE = 2, DELAYS_FUNCTION = 3 };
enum {
    DELAYS_ARMS_MOST = 64,
    DELAYS_NAME_MOST = 4096,
    DELAYS_LONGEST = 100000000, /* nanoseconds, or thousandths */
    DELAYS_COUNT_MOST = 1000000
};

static const char *const delays_targets[DELAYS_TARGETS] = {"", "submissions", "synchronizations", "copies", "host-code"};

typedef struct {
    uint64_t target, delay; /* nanoseconds, or thousandths of the time between two calls */
} delays_arm;

typedef struct delays_state delays_state;

static struct {
    int on;              /* otherwise this is all that is read of it */
    int kind;            /* of the anchor */
    uint32_t name;       /* of a kernel: its number in this trace */
    uint32_t entry[2];   /* of a function: its number as a driver's call and as launchpath's own; 0: it is none */
    delays_state *state; /* own or lent; NULL: nothing is asked for */
    uint32_t n_arms;
    delays_arm arms[DELAYS_ARMS_MOST];
    uint64_t every, repetitions, settle, warmup, seed;
    char anchor[DELAYS_NAME_MOST], text[DELAYS_NAME_MOST + 1024];
    char reason[160]; /* why there are none, where some were asked for */
} lp_delays;

static int delays_number(const char *from, const char *to, uint64_t least, uint64_t most, uint64_t *into) {
    uint64_t value = 0;
    if (from == to || to - from > 12) return 0;
    for (; from < to; from++) {
        if (*from < '0' || *from > '9') return 0;
        value = 10 * value + (uint64_t)(*from - '0');
    }
    *into = value;
    return value >= least && value <= most;
}

static int delays_refuse(const char *expected, const char *got, const char *end) {
    snprintf(lp_delays.reason, sizeof lp_delays.reason, "expected %s, got '%.*s'", expected, end - got > 60 ? 60 : (int)(end - got), got);
    return 0;
}

static int delays_levels(uint64_t target, const char *at, const char *end) {
    while (at < end) {
        const char *comma = (const char *)memchr(at, ',', (size_t)(end - at)), *to = comma ? comma : end;
        uint64_t delay;
        if (target == 0) return delays_refuse("target= before delays=", at, end);
        if (lp_delays.n_arms == DELAYS_ARMS_MOST) return delays_refuse("at most 64 delays", at, end);
        if (!delays_number(at, to, 0, DELAYS_LONGEST, &delay)) return delays_refuse("a delay from 0 to 100000000", at, to);
        lp_delays.arms[lp_delays.n_arms].target = target, lp_delays.arms[lp_delays.n_arms].delay = delay;
        lp_delays.n_arms += 1;
        at = to + 1;
    }
    return 1;
}

static int delays_word(const char *at, const char *end, const char *const *words, int n) {
    int i;
    for (i = 1; i < n && (strlen(words[i]) != (size_t)(end - at) || memcmp(words[i], at, (size_t)(end - at))); i++) {}
    return i < n ? i : 0;
}

/* Read the text; 0: it is wrong, and `reason` says why. */
static int delays_parse(const char *text) {
    static const char *const kinds[] = {"", "kernel", "range", "function"};
    const char *at = text, *end, *value;
    uint64_t target = 0;
    lp_delays.kind = DELAYS_KERNEL, lp_delays.n_arms = 0, lp_delays.anchor[0] = 0;
    lp_delays.every = 1, lp_delays.repetitions = 8, lp_delays.settle = 1, lp_delays.warmup = 2, lp_delays.seed = 1;
    if (strlen(text) >= sizeof lp_delays.text) return delays_refuse("at most 5000 characters", "more", "more" + 4);
    while (*at) {
        end = at + strcspn(at, ";"), value = (const char *)memchr(at, '=', (size_t)(end - at));
        if (value == 0) return delays_refuse("NAME=VALUE", at, end);
        value += 1;
#define IS(key) ((size_t)(value - at) == sizeof key && memcmp(at, key "=", sizeof key) == 0)
        if (IS("anchor")) { /* the last: names have any characters */
            if (*value == 0 || strlen(value) >= DELAYS_NAME_MOST) return delays_refuse("a name of up to 4095 characters", value, value + strlen(value));
            strcpy(lp_delays.anchor, value);
            end = value + strlen(value);
        } else if (IS("target")) {
            target = (uint64_t)delays_word(value, end, delays_targets, DELAYS_TARGETS);
            if (target == 0) return delays_refuse("submissions, synchronizations, copies or host-code", value, end);
        } else if (IS("delays")) {
            if (!delays_levels(target, value, end)) return 0;
        } else if (IS("kind")) {
            lp_delays.kind = delays_word(value, end, kinds, 4);
            if (lp_delays.kind == 0) return delays_refuse("kernel, range or function", value, end);
        } else if (IS("every") ? !delays_number(value, end, 1, DELAYS_COUNT_MOST, &lp_delays.every)
                   : IS("repetitions") ? !delays_number(value, end, 1, DELAYS_COUNT_MOST, &lp_delays.repetitions)
                   : IS("settle") ? !delays_number(value, end, 0, DELAYS_COUNT_MOST, &lp_delays.settle)
                   : IS("warmup") ? !delays_number(value, end, 0, DELAYS_COUNT_MOST, &lp_delays.warmup)
                   : IS("seed") ? !delays_number(value, end, 0, DELAYS_COUNT_MOST, &lp_delays.seed) : 1)
            return delays_refuse("a known name with a number in its range", at, end);
#undef IS
        at = end + (*end == ';');
    }
    if (lp_delays.n_arms < 2) return delays_refuse("at least two delays", text, at);
    if (lp_delays.anchor[0] == 0) return delays_refuse("anchor=NAME", text, at);
    strcpy(lp_delays.text, text);
    return 1;
}

/* What a call of a driver's is to delays, by its name. */
static uint64_t delays_role(const char *name) {
    static const struct {
        const char *beginning;
        uint64_t role;
    } roles[] = {
        {"cuLaunchHostFunc", 0}, {"hipLaunchHostFunc", 0},
        {"cuLaunch", DELAYS_SUBMISSIONS}, {"cuGraphLaunch", DELAYS_SUBMISSIONS}, {"cuMemset", DELAYS_SUBMISSIONS},
        {"cuMemcpy", DELAYS_COPIES}, {"cuCtxSynchronize", DELAYS_SYNCHRONIZATIONS}, {"cuStreamSynchronize", DELAYS_SYNCHRONIZATIONS},
        {"cuEventSynchronize", DELAYS_SYNCHRONIZATIONS},
        {"clEnqueueNDRangeKernel", DELAYS_SUBMISSIONS}, {"clEnqueueTask", DELAYS_SUBMISSIONS}, {"clEnqueueNativeKernel", DELAYS_SUBMISSIONS},
        {"clEnqueueCommandBufferKHR", DELAYS_SUBMISSIONS}, {"clEnqueueFill", DELAYS_SUBMISSIONS}, {"clEnqueueSVMMemFill", DELAYS_SUBMISSIONS},
        {"clEnqueueMemFill", DELAYS_SUBMISSIONS}, {"clEnqueueRead", DELAYS_COPIES}, {"clEnqueueWrite", DELAYS_COPIES},
        {"clEnqueueCopy", DELAYS_COPIES}, {"clEnqueueMap", DELAYS_COPIES}, {"clEnqueueUnmap", DELAYS_COPIES},
        {"clEnqueueSVMMemcpy", DELAYS_COPIES}, {"clEnqueueMemcpy", DELAYS_COPIES}, {"clEnqueueSVMMap", DELAYS_COPIES},
        {"clEnqueueSVMUnmap", DELAYS_COPIES}, {"clFinish", DELAYS_SYNCHRONIZATIONS}, {"clWaitForEvents", DELAYS_SYNCHRONIZATIONS},
        {"hipLaunch", DELAYS_SUBMISSIONS}, {"hipModuleLaunch", DELAYS_SUBMISSIONS}, {"hipExtLaunch", DELAYS_SUBMISSIONS},
        {"hipExtModuleLaunch", DELAYS_SUBMISSIONS}, {"hipHccModuleLaunch", DELAYS_SUBMISSIONS}, {"hipDrvLaunch", DELAYS_SUBMISSIONS},
        {"hipGraphLaunch", DELAYS_SUBMISSIONS}, {"hipMemset", DELAYS_SUBMISSIONS}, {"hipMemcpy", DELAYS_COPIES},
        {"hipDrvMemcpy", DELAYS_COPIES}, {"hipDeviceSynchronize", DELAYS_SYNCHRONIZATIONS}, {"hipStreamSynchronize", DELAYS_SYNCHRONIZATIONS},
        {"hipEventSynchronize", DELAYS_SYNCHRONIZATIONS}, {"hipCtxSynchronize", DELAYS_SYNCHRONIZATIONS},
    };
    size_t i;
    for (i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strncmp(name, roles[i].beginning, strlen(roles[i].beginning)) == 0) return roles[i].role;
    return 0;
}

#endif
