/* The interpreter's memory, as a thread reads its own frames there: without the GIL, which a library that calls a driver may have
   released, and without a function of Python's that makes references. A thread's frames and what they hold do not change while
   it is in a call of ours. Versions that are not in `python_layouts`, and builds whose objects have other sizes, are left alone. */
#ifndef LAUNCHPATH_TRACE_PYTHON_H
#define LAUNCHPATH_TRACE_PYTHON_H

#ifndef _WIN32
#include <dlfcn.h>
#endif
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include "../../base/lock.h"

enum { PYTHON_NONE = 0xFFFF, PYTHON_TEXT_MOST = 4096 };

typedef struct {
    uint16_t version;      /* 0x030B: 3.11 */
    uint16_t state_frame;  /* in the thread's state: the innermost frame, or what holds it */
    uint16_t holder_frame; /* and there the frame; PYTHON_NONE: the state has it itself */
    uint16_t code, previous, instruction, owner; /* in a frame */
    uint16_t first_line, filename, qualified_name, line_table, code_version, instructions; /* in a code object */
    uint16_t ascii, compact; /* in a text: its characters */
    uint16_t frame_size;     /* of frame objects, without their variables: a build with other frames has another one */
} python_layout;

/* tests/recorder/test_sites.py compares these with the headers of each version. */
static const python_layout python_layouts[] = {
    {0x030B, 56, 8, 32, 48, 56, 69, 72, 112, 128, 136, PYTHON_NONE, 184, 48, 72, 120},
    {0x030C, 56, 0, 0, 8, 56, 70, 68, 112, 128, 136, 92, 192, 40, 56, 120},
    {0x030D, 72, PYTHON_NONE, 0, 8, 56, 70, 68, 112, 128, 136, 92, 200, 40, 56, 136},
};

enum { PYTHON_UNKNOWN, PYTHON_ABSENT, PYTHON_REFUSED, PYTHON_READ };

static struct {
    uint64_t state;
    lp_lock lock;
    const python_layout *layout;
    void *(*thread)(void);
    void *(*first_interpreter)(void);
    void *(*next_interpreter)(void *);
    int (*finalizing)(void);
    const void *code_type;
    char reason[96]; /* why there are no source lines; empty: there are, or there is no Python */
} python;

#define PYTHON_AT(type, object, offset) (*(type *)((const char *)(object) + (offset)))

/* Where the interpreter is built to tell debuggers where things are, it must agree. */
static int python_agrees(const char *runtime, const python_layout *layout) {
    enum { VERSION = 8, FREE_THREADED = 16, STATE_FRAME = 184, PREVIOUS = 232, CODE = 240, INSTRUCTION = 248, OWNER = 264, FILENAME = 280,
           QUALIFIED = 296, TABLE = 304, FIRST = 312, INSTRUCTIONS = 344 };
    if (layout->version < 0x030D) return 1;
    return runtime && memcmp(runtime, "xdebugpy", 8) == 0 && PYTHON_AT(uint64_t, runtime, VERSION) >> 16 == layout->version &&
           PYTHON_AT(uint64_t, runtime, FREE_THREADED) == 0 && PYTHON_AT(uint64_t, runtime, STATE_FRAME) == layout->state_frame &&
           PYTHON_AT(uint64_t, runtime, PREVIOUS) == layout->previous && PYTHON_AT(uint64_t, runtime, CODE) == layout->code &&
           PYTHON_AT(uint64_t, runtime, INSTRUCTION) == layout->instruction && PYTHON_AT(uint64_t, runtime, OWNER) == layout->owner &&
           PYTHON_AT(uint64_t, runtime, FILENAME) == layout->filename && PYTHON_AT(uint64_t, runtime, QUALIFIED) == layout->qualified_name &&
           PYTHON_AT(uint64_t, runtime, TABLE) == layout->line_table && PYTHON_AT(uint64_t, runtime, FIRST) == layout->first_line &&
           PYTHON_AT(uint64_t, runtime, INSTRUCTIONS) == layout->instructions;
}

#ifndef _WIN32
static int python_refuse(const char *what, unsigned long version) {
    snprintf(python.reason, sizeof python.reason, "Python %lu.%lu%s", version >> 24, version >> 16 & 255, what);
    return PYTHON_REFUSED;
}

static int python_find(void) {
    const unsigned long *version = (const unsigned long *)dlsym(RTLD_DEFAULT, "Py_Version");
    const char *(*text)(void) = (const char *(*)(void))dlsym(RTLD_DEFAULT, "Py_GetVersion");
    const char *frame_type;
    size_t i;
    if (text == 0) return PYTHON_ABSENT;
    if (version == 0) {
        snprintf(python.reason, sizeof python.reason, "Python before 3.11 is not known");
        return PYTHON_REFUSED;
    }
    for (i = 0; i < sizeof python_layouts / sizeof *python_layouts; i++)
        if (python_layouts[i].version == *version >> 16) python.layout = &python_layouts[i];
    if (python.layout == 0) return python_refuse(" is not known", *version);
    if (strstr(text(), "free-threading")) return python_refuse(" without the GIL is not known", *version);
    *(void **)&python.thread = dlsym(RTLD_DEFAULT, "PyGILState_GetThisThreadState");
    *(void **)&python.first_interpreter = dlsym(RTLD_DEFAULT, "PyInterpreterState_Head");
    *(void **)&python.next_interpreter = dlsym(RTLD_DEFAULT, "PyInterpreterState_Next");
    *(void **)&python.finalizing = dlsym(RTLD_DEFAULT, "Py_IsFinalizing");
    if (python.finalizing == 0) *(void **)&python.finalizing = dlsym(RTLD_DEFAULT, "_Py_IsFinalizing");
    python.code_type = dlsym(RTLD_DEFAULT, "PyCode_Type"), frame_type = (const char *)dlsym(RTLD_DEFAULT, "PyFrame_Type");
    if (!python.thread || !python.first_interpreter || !python.next_interpreter || !python.finalizing || !python.code_type || !frame_type)
        return python_refuse(" lacks functions", *version);
    /* tp_basicsize */
    if (PYTHON_AT(int64_t, python.code_type, 32) != python.layout->instructions || PYTHON_AT(int64_t, frame_type, 32) != python.layout->frame_size ||
        !python_agrees((const char *)dlsym(RTLD_DEFAULT, "_PyRuntime"), python.layout))
        return python_refuse(" has other objects than expected", *version);
    return PYTHON_READ;
}
#else
static int python_find(void) {
    snprintf(python.reason, sizeof python.reason, "Windows is not known");
    return PYTHON_REFUSED;
}
#endif

/* Look for Python in this process, until it is there. */
LP_NOINLINE static int python_look(void) {
    lp_lock_acquire(&python.lock);
    if (python.state < PYTHON_REFUSED) lp_store(&python.state, (uint64_t)python_find());
    lp_lock_release(&python.lock);
    return (int)python.state;
}

/* The innermost frame of this thread; NULL: it runs no Python, or more than one interpreter is there, or the end has begun. */
static inline const char *python_frame(void) {
    const char *state, *frame;
    void *interpreter;
    if (python.finalizing()) return 0;
    interpreter = python.first_interpreter();
    state = interpreter && python.next_interpreter(interpreter) == 0 ? (const char *)python.thread() : 0;
    if (state == 0) return 0;
    frame = PYTHON_AT(const char *, state, python.layout->state_frame);
    return frame && python.layout->holder_frame != PYTHON_NONE ? PYTHON_AT(const char *, frame, python.layout->holder_frame) : frame;
}

/* The code of a frame; NULL: it has none, as those that mark where C called Python. */
static inline const char *python_code(const char *frame) {
    const char *code;
    if (PYTHON_AT(uint8_t, frame, python.layout->owner) > 2) return 0;
    code = PYTHON_AT(const char *, frame, python.layout->code);
    return code && PYTHON_AT(const void *, code, 8) == python.code_type ? code : 0;
}

/* Which instruction of its code a frame is at, in bytes. */
static inline uint32_t python_instruction(const char *frame, const char *code) {
    return (uint32_t)(PYTHON_AT(const char *, frame, python.layout->instruction) - (code + python.layout->instructions));
}

/* The characters of a text, as they are there; their size. 0: it is not in one piece. */
static inline size_t python_raw(const char *text, const char **characters) {
    uint32_t state = PYTHON_AT(uint32_t, text, 32), kind = state >> 2 & 7;
    *characters = text + (state & 64 ? python.layout->ascii : python.layout->compact);
    return state & 32 && (kind == 1 || kind == 2 || kind == 4) ? (size_t)PYTHON_AT(int64_t, text, 16) * kind : 0;
}

/* A text in UTF-8, up to the room; its size. Halves of surrogate pairs, by which Python has names that are no texts, are the
   bytes that they stand for. */
static size_t python_text(const char *text, char *into, size_t room) {
    const char *at;
    size_t size = python_raw(text, &at), n = 0, i;
    uint32_t state = PYTHON_AT(uint32_t, text, 32), kind = state >> 2 & 7, c;
    for (i = 0; i < size && n + 5 < room; i += kind) {
        c = kind == 1 ? PYTHON_AT(uint8_t, at, i) : kind == 2 ? PYTHON_AT(uint16_t, at, i) : PYTHON_AT(uint32_t, at, i);
        if (c >= 0xDC80 && c <= 0xDCFF) into[n++] = (char)c;
        else if (c < 0x80) into[n++] = (char)(c ? c : ' ');
        else if (c < 0x800) into[n++] = (char)(0xC0 | c >> 6), into[n++] = (char)(0x80 | (c & 63));
        else if (c < 0x10000) into[n++] = (char)(0xE0 | c >> 12), into[n++] = (char)(0x80 | (c >> 6 & 63)), into[n++] = (char)(0x80 | (c & 63));
        else {
            into[n++] = (char)(0xF0 | c >> 18), into[n++] = (char)(0x80 | (c >> 12 & 63));
            into[n++] = (char)(0x80 | (c >> 6 & 63)), into[n++] = (char)(0x80 | (c & 63));
        }
    }
    into[n] = 0;
    return n;
}

/* The line of an instruction, by the table of a code object (PEP 657: entries whose first byte has its highest bit set). */
static int32_t python_line(const char *code, uint32_t instruction) {
    const char *table = PYTHON_AT(const char *, code, python.layout->line_table);
    const uint8_t *at = (const uint8_t *)table + 32, *end = at + PYTHON_AT(int64_t, table, 16);
    int32_t line = PYTHON_AT(int32_t, code, python.layout->first_line);
    uint32_t reached = 0, value, shift;
    while (at < end) {
        uint8_t first = *at++, form = first >> 3 & 15;
        if (form == 13 || form == 14) {
            for (value = 0, shift = 0; at < end && shift < 30; shift += 6) {
                value |= (uint32_t)(*at & 63) << shift;
                if ((*at++ & 64) == 0) break;
            }
            line += value & 1 ? -(int32_t)(value >> 1) : (int32_t)(value >> 1);
        } else if (form >= 10 && form <= 12) line += form - 10;
        reached += 2 * ((first & 7) + 1u);
        if (instruction < reached) return line;
        while (at < end && (*at & 128) == 0) at++;
    }
    return line;
}

#endif
