/* Sites: the source lines that calls come from. Each has a number, a name "path:line function" from `SITE_NAMES` on.

   A thread has a table of the code objects in whose frames it has called. It is looked up at each call; a name is made at the
   first sight of an instruction only. The memory of a code object that has ended may be another one's: by the number that
   Python gives each, or by a copy of what the name is made of, an entry is known to be the same one. */
#ifndef LAUNCHPATH_TRACE_SITE_H
#define LAUNCHPATH_TRACE_SITE_H

#include "hash.h"
#include "names.h"
#include "python.h"
#ifndef _WIN32
#include <unistd.h>
#endif

enum {
    SITES_FRAMES = 1024,  /* that are looked at: a user's is not expected below so many of libraries */
    SITES_CODES = 8192,   /* of a table, which begins anew when it is full */
    SITES_MOST = 1 << 20, /* names */
    SITE_USERS = 0,       /* whose a code object is: the program's own, */
    SITE_LIBRARYS = 1,    /* an installed package's, or launchpath's, */
    SITE_PYTHONS = 2      /* or Python's, or made while the program runs */
};
#define SITE_NAMES 0x80000000u

typedef struct {
    uint32_t instruction, number;
} site_place;

typedef struct {
    const char *code; /* NULL: the place is free */
    uint32_t version; /* Python's number of it; 0: it has none */
    uint32_t whose;
    const char *parts[3]; /* its file, its name, its table of lines */
    size_t sizes[3];      /* bytes of each: `copy` has one behind the other, where `version` is 0 */
    int32_t first_line;
    char *copy;
    uint32_t last, n, room; /* places, a power of 2 */
    site_place *places;
} site_code;

typedef struct {
    uint64_t generation; /* of the trace whose names it has */
    uint32_t n, room;
    site_code *codes;
} site_table;

static inline uint64_t site_hash(const char *code) { return (uint64_t)(uintptr_t)code * HASH_A >> 32; }

static name_table site_names;
static char site_package[PYTHON_TEXT_MOST]; /* launchpath's folder */
static uint64_t site_library;                 /* that of Python's own library, a text that is never freed; 0: not seen yet */

static int site_begins(const char *text, const char *with) { return *with && strncmp(text, with, strlen(with)) == 0; }

/* Whether a file is of Python's own library: in a folder that has its os.py. */
static int site_in_library(const char *file) {
    char folder[32], path[PYTHON_TEXT_MOST + 32];
    const char *at;
    size_t size;
    if (lp_load(&site_library) && site_begins(file, (const char *)(uintptr_t)lp_load(&site_library))) return 1;
#ifndef _WIN32
    snprintf(folder, sizeof folder, "/python%u.%u/", python.layout->version >> 8, python.layout->version & 255);
    if ((at = strstr(file, folder)) == 0) return 0;
    size = (size_t)(at - file) + strlen(folder);
    if (size + 8 > sizeof path) return 0;
    memcpy(path, file, size), strcpy(path + size, "os.py");
    if (access(path, F_OK)) return 0;
    path[size] = 0;
    if (lp_load(&site_library) == 0) lp_store(&site_library, (uint64_t)(uintptr_t)strdup(path));
    return 1;
#else
    return 0;
#endif
}

/* Whose a file is. Names in brackets are those of code without a file: typed in, or made by a library. */
static uint32_t site_whose(const char *file) {
    static const char *const typed[] = {"<stdin>", "<stdin-", "<string>", "<console>", "<ipython-input", "<python-input", "<doctest "};
    size_t i;
    if (file[0] == '<') {
        for (i = 0; i < sizeof typed / sizeof *typed; i++)
            if (site_begins(file, typed[i])) return SITE_USERS;
        return SITE_PYTHONS;
    }
    if (strstr(file, "/site-packages/") || strstr(file, "/dist-packages/") || site_begins(file, site_package)) return SITE_LIBRARYS;
    return site_in_library(file) ? SITE_PYTHONS : SITE_USERS;
}

/* The parts of a code object that a site's name is made of. */
static inline size_t site_part(const char *code, int part, const char **object, const char **bytes) {
    const python_layout *at = python.layout;
    *object = PYTHON_AT(const char *, code, part == 0 ? at->filename : part == 1 ? at->qualified_name : at->line_table);
    if (part < 2) return python_raw(*object, bytes);
    *bytes = *object + 32;
    return (size_t)PYTHON_AT(int64_t, *object, 16);
}

/* Whether an entry is of the code object that is at its address now. Of code that is not the program's only the file matters. */
static inline int site_same(const site_code *entry, const char *code) {
    const char *object, *bytes, *copy = entry->copy;
    int part, parts = entry->whose == SITE_USERS ? 3 : 1;
    if (entry->version) return entry->version == PYTHON_AT(uint32_t, code, python.layout->code_version);
    if (entry->copy == 0 || entry->first_line != PYTHON_AT(int32_t, code, python.layout->first_line)) return 0;
    for (part = 0; part < parts; part++) {
        if (site_part(code, part, &object, &bytes) != entry->sizes[part] || object != entry->parts[part] || memcmp(bytes, copy, entry->sizes[part])) return 0;
        copy += entry->sizes[part];
    }
    return 1;
}

static void site_forget(site_code *entry) {
    free(entry->copy), free(entry->places);
    entry->copy = 0, entry->places = 0;
    entry->n = entry->room = entry->last = 0;
}

static int site_note(site_code *entry, const char *code) {
    char file[PYTHON_TEXT_MOST];
    const char *bytes[3];
    size_t size = 0;
    int part;
    site_forget(entry);
    entry->code = code;
    entry->version = python.layout->code_version == PYTHON_NONE ? 0 : PYTHON_AT(uint32_t, code, python.layout->code_version);
    entry->first_line = PYTHON_AT(int32_t, code, python.layout->first_line);
    for (part = 0; part < 3; part++) size += entry->sizes[part] = site_part(code, part, &entry->parts[part], &bytes[part]);
    python_text(entry->parts[0], file, sizeof file);
    entry->whose = site_whose(file);
    if (entry->version) return 1;
    if ((entry->copy = (char *)malloc(size + 1)) == 0) return 0;
    for (part = 0, size = 0; part < 3; part++) memcpy(entry->copy + size, bytes[part], entry->sizes[part]), size += entry->sizes[part];
    return 1;
}

static void sites_clear(site_table *table) {
    uint32_t i;
    for (i = 0; i < table->room; i++) site_forget(&table->codes[i]);
    free(table->codes);
    table->codes = 0, table->n = table->room = 0;
    table->generation = lp_trace.generation;
}

static int sites_grow(site_table *table) {
    uint32_t room = table->room ? 2 * table->room : 64, i, at;
    site_code *codes;
    if (table->n >= SITES_CODES) sites_clear(table), room = 64;
    codes = (site_code *)calloc(room, sizeof *codes);
    if (codes == 0) return 0;
    for (i = 0; i < table->room; i++) {
        if (table->codes[i].code == 0) continue;
        for (at = (uint32_t)site_hash(table->codes[i].code) & (room - 1); codes[at].code; at = (at + 1) & (room - 1)) {}
        codes[at] = table->codes[i];
    }
    free(table->codes);
    table->codes = codes, table->room = room;
    return 1;
}

/* The entry of a code object; NULL: there is no memory. */
static inline site_code *site_code_of(site_table *table, const char *code) {
    site_code *entry;
    uint32_t at;
    if (LP_UNLIKELY(2 * table->n >= table->room) && !sites_grow(table)) return 0;
    for (at = (uint32_t)site_hash(code) & (table->room - 1); table->codes[at].code && table->codes[at].code != code; at = (at + 1) & (table->room - 1)) {}
    entry = &table->codes[at];
    if (LP_LIKELY(entry->code != 0 && site_same(entry, code))) return entry;
    table->n += entry->code == 0;
    return site_note(entry, code) ? entry : 0;
}

LP_NOINLINE static uint32_t site_make(const char *code, uint32_t instruction) {
    char text[2 * PYTHON_TEXT_MOST + 32];
    const python_layout *at = python.layout;
    size_t size = python_text(PYTHON_AT(const char *, code, at->filename), text, PYTHON_TEXT_MOST);
    size += (size_t)snprintf(text + size, 32, ":%d ", (int)python_line(code, instruction));
    python_text(PYTHON_AT(const char *, code, at->qualified_name), text + size, PYTHON_TEXT_MOST);
    return name_number_of(&site_names, text);
}

/* The number of an instruction of a code object; 0: there is no memory, or too many names. */
static inline uint32_t site_number(site_code *entry, uint32_t instruction) {
    site_place *places = entry->places, *grown;
    uint32_t at, i, room;
    if (LP_LIKELY(entry->n && places[entry->last].instruction == instruction)) return places[entry->last].number;
    if (2 * entry->n >= entry->room) {
        room = entry->room ? 2 * entry->room : 4;
        if ((grown = (site_place *)calloc(room, sizeof *grown)) == 0) return 0;
        for (i = 0; i < entry->room; i++) {
            if (places[i].number == 0) continue;
            for (at = places[i].instruction >> 1 & (room - 1); grown[at].number; at = (at + 1) & (room - 1)) {}
            grown[at] = places[i];
        }
        free(places);
        entry->places = places = grown, entry->room = room;
    }
    for (at = instruction >> 1 & (entry->room - 1); places[at].number && places[at].instruction != instruction; at = (at + 1) & (entry->room - 1)) {}
    if (places[at].number == 0) {
        uint32_t number = site_make(entry->code, instruction);
        if (number == 0) return 0;
        places[at].instruction = instruction, places[at].number = number;
        entry->n += 1;
    }
    entry->last = at;
    return places[at].number;
}

/* The line of the program that this thread is at: of its innermost frame that is the program's own, else of the outermost one of
   a library, else of the outermost one. 0: not known. */
static uint32_t site_here(lp_records *ring) {
    const char *frame, *code, *outer_frame = 0;
    site_table *table;
    site_code *entry;
    uint32_t outer = SITE_PYTHONS;
    int n;
    if (LP_UNLIKELY(python.state != PYTHON_READ) && (python.state == PYTHON_REFUSED || python_look() != PYTHON_READ)) return 0;
    if ((frame = python_frame()) == 0) return 0;
    if (ring->sites == 0) ring->sites = calloc(1, sizeof(site_table));
    if ((table = (site_table *)ring->sites) == 0) return 0;
    if (table->generation != lp_trace.generation) sites_clear(table);
    for (n = 0; frame && n < SITES_FRAMES; n++, frame = PYTHON_AT(const char *, frame, python.layout->previous)) {
        if ((code = python_code(frame)) == 0) continue;
        if ((entry = site_code_of(table, code)) == 0) return 0;
        if (LP_LIKELY(entry->whose == SITE_USERS)) return site_number(entry, python_instruction(frame, code));
        if (entry->whose <= outer) outer = entry->whose, outer_frame = frame;
    }
    code = outer_frame ? python_code(outer_frame) : 0;
    entry = code ? site_code_of(table, code) : 0;
    return entry ? site_number(entry, python_instruction(outer_frame, code)) : 0;
}

/* Once in a process, and in a forked child. */
static void sites_init(void) {
#ifndef _WIN32
    static const char here[] = "";
    Dl_info info;
    char *end = 0;
    if (site_package[0] == 0 && dladdr(here, &info) && info.dli_fname && strlen(info.dli_fname) < sizeof site_package) {
        strcpy(site_package, info.dli_fname);
        if ((end = strstr(site_package, "/_recorder/")) == 0) end = strrchr(site_package, '/');
        if (end) end[1] = 0;
        else site_package[0] = 0;
    }
#endif
    names_init(&site_names, SITE_NAMES, SITES_MOST);
    lp_lock_init(&python.lock);
}

#endif
