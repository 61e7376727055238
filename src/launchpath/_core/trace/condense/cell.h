/* Cells: counts and times of what has the same key, as numbers that merge. A sum is an integer, so that any order of adding
   gives the same bits. */
#ifndef LAUNCHPATH_CONDENSE_CELL_H
#define LAUNCHPATH_CONDENSE_CELL_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The tables, and what a key of each is. `_trace/condensed/format.py` has the same numbers; a test compares them. */
enum cell_table {
    TABLE_KERNEL = 1,   /* name: time on the device */
    TABLE_DELAY,        /* name: from the driver's call to the start */
    TABLE_SENT,         /* name: the driver's call of a launch */
    TABLE_AROUND,       /* name: launchpath's part of a launch */
    TABLE_WAITED,       /* name: time of a launch that its thread waited */
    TABLE_KEPT,         /* name: time that a step took to record a launch */
    TABLE_REFUSED,      /* name: launches that the driver refused */
    TABLE_COMMAND,      /* device << 32 | function: the driver's calls of commands */
    TABLE_CALL,         /* device << 32 | entry: other calls of the driver; nested: those in another call of their thread */
    TABLE_API,          /* entry: calls of launchpath */
    TABLE_LAUNCH,       /* 0: launches as calls of launchpath */
    TABLE_TRAFFIC,      /* direction: copies and fills, time on the device; amount: bytes */
    TABLE_SIZE,         /* direction: bytes of copies and fills */
    TABLE_RANGE,        /* domain << 32 | name */
    TABLE_AFTER,        /* device: from the end of a synchronization to the next start */
    TABLE_THREAD,       /* thread << 1 | 0: its commands; 1: its other calls */
    TABLE_STREAM,       /* stream: its commands; amount: its device */
    TABLE_RECORDED,     /* device << 32 | function: records of commands, of the recorder's files */
    TABLE_GAP,          /* device << 1 | late: from an end to the next start in a stream; late: it was submitted behind the end */
    TABLE_RUN,          /* device << 3 | class: commands that follow one another with gaps of a class; the value is their number */
    TABLE_EQUAL,        /* site: uploads of the bytes that were sent to the same place before; amount: bytes */
    TABLE_UPLOAD,       /* site: uploads; amount: bytes */
    TABLE_SITE,         /* site << 17 | is_command << 16 | entry or function: time of the calls of a source line */
    TABLE_MEMORY,       /* direction << 1 | pinned: copies from and to the host's memory; amount: bytes */
    TABLE_LOOK,         /* thread: looks at it; value: time on a processor; nested: ready without one; amount: time looked at */
    TABLES
};

enum {
    CELLS_SLAB = 1 << 16,
    CELLS_MOST = 1 << 18, CELLS_OF_TABLE = 1 << 15, /* keys; what comes later is counted in the cell of its table with the key CELL_OTHERS */
    OCTAVES = 58,
    IN_OCTAVE = 64 /* buckets: a value is known to 1/128 of it from the middle of its bucket */
};
#define CELL_OTHERS UINT64_MAX
#define VALUE_MOST ((int64_t)1 << 56)

typedef unsigned __int128 cell_wide;

typedef struct { /* what each value changes comes first: a line of the processor's cache */
    cell_wide total, squares;
    uint64_t calls, shortest, longest, failed;
    uint64_t key, nested, amount;
    uint64_t at; /* nanoseconds since 1970 when the longest began */
    uint32_t table, unused;
    uint64_t *octaves[]; /* OCTAVES of a table that counts values by size: counts, where there are any */
} cell;

static inline int cell_is_bucketed(uint32_t table) {
    return table != TABLE_AROUND && table != TABLE_WAITED && table != TABLE_KEPT && table != TABLE_REFUSED && table != TABLE_THREAD &&
        table != TABLE_STREAM && table != TABLE_RECORDED && table < TABLE_EQUAL;
}

/* Sums stop at the largest value: one that is wrong is to be seen. */
static inline uint64_t cell_more(uint64_t sum, uint64_t value) {
    uint64_t more = sum + value;
    return more < sum ? UINT64_MAX : more;
}

static inline uint64_t cell_value(int64_t value) { return (uint64_t)(value < 0 ? 0 : value > VALUE_MOST ? VALUE_MOST : value); }

/* Count a value without its bucket. */
static inline void cell_sum(cell *of, uint64_t value) {
    of->calls += 1;
    of->total += value;
    if (__builtin_expect(__builtin_add_overflow(of->squares, (cell_wide)value * value, &of->squares), 0)) of->squares = ~(cell_wide)0;
    if (value < of->shortest) of->shortest = value;
    if (value > of->longest) of->longest = value;
}

/* All cells, by table and key. */
typedef struct {
    cell **slots; /* of a hash table with open addressing; room is a power of 2 */
    uint32_t room, count, of_table[TABLES];
    struct cells_slab *slabs; /* what all of them are in: places at multiples of 64 bytes */
    char *next;
    size_t left;
} cells;

typedef struct cells_slab {
    struct cells_slab *next;
} cells_slab;

/* Memory of zeros, as long as the cells live; NULL: there is none. */
static void *cells_place(cells *all, size_t size) {
    void *place;
    size += -size & 63;
    if (all->left < size) {
        cells_slab *slab = (cells_slab *)calloc(1, CELLS_SLAB);
        if (slab == 0) return 0;
        slab->next = all->slabs, all->slabs = slab;
        all->next = (char *)(((uintptr_t)(slab + 1) + 63) & ~(uintptr_t)63);
        all->left = (size_t)((char *)slab + CELLS_SLAB - all->next);
    }
    place = all->next;
    all->next += size, all->left -= size;
    return place;
}

/* Values below 64 have a bucket each, in the first octave. */
static inline uint64_t *cell_bucket(cells *all, cell *of, uint64_t value) {
    unsigned octave = 0, place = (unsigned)value;
    if (value >= IN_OCTAVE) {
        unsigned top = 63 - (unsigned)__builtin_clzll(value);
        octave = top - 5, place = (unsigned)(value >> (top - 6)) & (IN_OCTAVE - 1);
    }
    if (__builtin_expect(of->octaves[octave] == 0, 0)) {
        of->octaves[octave] = (uint64_t *)cells_place(all, IN_OCTAVE * sizeof(uint64_t));
        if (of->octaves[octave] == 0) return 0;
    }
    return &of->octaves[octave][place];
}

/* Count a value; 0: there is no memory for its bucket. */
static inline int cell_add(cells *all, cell *of, uint64_t value) {
    uint64_t *bucket = cell_bucket(all, of, value);
    if (bucket == 0) return 0;
    cell_sum(of, value);
    *bucket += 1;
    return 1;
}

static inline uint64_t cell_hash(uint32_t table, uint64_t key) {
    uint64_t hash = (key ^ (uint64_t)table << 56) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

static int cells_grow(cells *all) {
    uint32_t i, room = all->room ? all->room * 2 : 1024;
    cell **slots = (cell **)calloc(room, sizeof(cell *));
    if (slots == 0) return 0;
    for (i = 0; i < all->room; i++) {
        cell *each = all->slots[i];
        uint64_t place;
        if (each == 0) continue;
        for (place = cell_hash(each->table, each->key) & (room - 1); slots[place]; place = (place + 1) & (room - 1)) {}
        slots[place] = each;
    }
    free(all->slots);
    all->slots = slots, all->room = room;
    return 1;
}

/* The cell of a key, a new one if need be; NULL: there is no memory. */
__attribute__((noinline)) static cell *cells_find(cells *all, uint32_t table, uint64_t key) {
    cell *each;
    uint64_t place;
    for (;;) {
        if (all->room == 0 || all->count * 2 >= all->room)
            if (!cells_grow(all)) return 0;
        for (place = cell_hash(table, key) & (all->room - 1); (each = all->slots[place]) != 0; place = (place + 1) & (all->room - 1))
            if (each->key == key && each->table == table) return each;
        if ((all->count < CELLS_MOST && all->of_table[table] < CELLS_OF_TABLE) || key == CELL_OTHERS) break;
        key = CELL_OTHERS;
    }
    each = (cell *)cells_place(all, sizeof(cell) + (cell_is_bucketed(table) ? OCTAVES * sizeof(uint64_t *) : 0));
    if (each == 0) return 0;
    each->table = table, each->key = key, each->shortest = UINT64_MAX;
    all->slots[place] = each, all->count += 1, all->of_table[table] += 1;
    return each;
}

/* A cell that was looked up before, and will be again. */
typedef struct {
    uint64_t key;
    cell *of;
} cell_memo;

static inline cell *cell_of(cells *all, cell_memo *memo, uint32_t table, uint64_t key) {
    if (__builtin_expect(memo->of == 0 || memo->key != key, 0)) memo->of = cells_find(all, table, key), memo->key = key;
    return memo->of;
}

static void cells_free(cells *all) {
    while (all->slabs) {
        cells_slab *slab = all->slabs;
        all->slabs = slab->next;
        free(slab);
    }
    free(all->slots);
    memset(all, 0, sizeof *all);
}

#endif
