/* Functions that submit work, that the program has asked for, and that the recorder does not know: their calls are counted.

   Their parameters are not known either. So what the program gets is a few instructions that count and jump to the function. */
#ifndef LAUNCHPATH_RECORDER_UNSEEN_H
#define LAUNCHPATH_RECORDER_UNSEEN_H

#include "facts.h"

enum { UNSEEN_MOST = 256 }; /* as many as there are stubs */

typedef struct {
    uint64_t calls;
    void *function;
} unseen_function;

/* Named for the assembler, and hidden from other libraries. */
__attribute__((visibility("hidden"))) unseen_function launchpath_unseen[UNSEEN_MOST];

static struct {
    lp_lock lock;
    int n;
    char *names[UNSEEN_MOST];
} unseen;

#ifdef __x86_64__
enum { UNSEEN_STUB = 32 }; /* bytes */
__asm__(".pushsection .text\n"
        ".balign 32\n"
        ".hidden launchpath_unseen_stubs\n"
        ".globl launchpath_unseen_stubs\n"
        "launchpath_unseen_stubs:\n"
        ".set launchpath_unseen_at, 0\n"
        ".rept 256\n"
        ".balign 32\n"
        "lock incq launchpath_unseen+launchpath_unseen_at(%rip)\n"
        "jmp *launchpath_unseen+launchpath_unseen_at+8(%rip)\n"
        ".set launchpath_unseen_at, launchpath_unseen_at+16\n"
        ".endr\n"
        ".popsection\n");
extern char launchpath_unseen_stubs[];
static void *unseen_stub(int at) { return launchpath_unseen_stubs + UNSEEN_STUB * at; }
#else
static void *unseen_stub(int at) { return launchpath_unseen[at].function; } /* named, and not counted */
#endif

/* The place of a function, whose calls are counted there; -1: there is none. */
static int unseen_place(const char *name, void *function) {
    int i;
    lp_lock_acquire(&unseen.lock);
    for (i = 0; i < unseen.n && (strcmp(unseen.names[i], name) || launchpath_unseen[i].function != function); i++) {}
    if (i == unseen.n && i < UNSEEN_MOST && (unseen.names[i] = strdup(name)) != 0) {
        launchpath_unseen[i].function = function;
        unseen.n += 1;
    }
    if (i == unseen.n && lp_trace.header) lp_add(&lp_trace.header->counters.not_understood, 1); /* its calls are not counted */
    lp_lock_release(&unseen.lock);
    return i < unseen.n ? i : -1;
}

/* What the program is to call in place of a function. */
static void *unseen_add(const char *name, void *function) {
    int place = unseen_place(name, function);
    return place < 0 ? function : unseen_stub(place);
}

/* Write how often each was called. */
static void unseen_write(void) {
    json_text json = {0};
    int i, n = 0;
    json_raw(&json, "{\"unseen\":{");
    for (i = 0; i < unseen.n; i++) {
        uint64_t calls = lp_load(&launchpath_unseen[i].calls);
        if (calls == 0) continue;
        if (n++) json_raw(&json, ",");
        json_key(&json, unseen.names[i]);
        json_number(&json, (long long)calls);
    }
    json_raw(&json, "}}");
    if (n) facts_write(&json);
    else free(json.text);
}

/* In a forked child, which counts from 0. What it calls stays what its parent was given. */
static void unseen_forget(void) {
    int i;
    lp_lock_init(&unseen.lock);
    for (i = 0; i < UNSEEN_MOST; i++) launchpath_unseen[i].calls = 0;
}

#endif
