/* Names of a trace: each text has a number, which records have in its place, and is in the file before any record has it. */
#ifndef LAUNCHPATH_TRACE_NAMES_H
#define LAUNCHPATH_TRACE_NAMES_H

#include "ring.h"

typedef struct {
    uint64_t hash;
    char *text; /* NULL: the place is free */
    uint32_t number;
} name_place;

typedef struct {
    lp_lock lock;        /* before `drain_lock` */
    uint64_t generation; /* of the trace whose names these are */
    uint32_t n, room;    /* a power of 2 */
    name_place *places;
    uint32_t base; /* the first number is the next one */
    uint32_t most; /* how many there can be; 0: no end */
} name_table;

static void names_clear(name_table *names) {
    uint32_t i;
    for (i = 0; i < names->room; i++) free(names->places[i].text);
    free(names->places);
    names->places = 0, names->n = names->room = 0;
    names->generation = lp_trace.generation;
}

static int names_grow(name_table *names) {
    uint32_t room = names->room ? 2 * names->room : 64, i, at;
    name_place *places = (name_place *)calloc(room, sizeof(name_place));
    if (places == 0) return 0;
    for (i = 0; i < names->room; i++) {
        if (names->places[i].text == 0) continue;
        for (at = (uint32_t)names->places[i].hash & (room - 1); places[at].text; at = (at + 1) & (room - 1)) {}
        places[at] = names->places[i];
    }
    free(names->places);
    names->places = places, names->room = room;
    return 1;
}

static void name_write(uint64_t generation, uint32_t number, const char *text, size_t size) {
    uint32_t head[2] = {number, (uint32_t)size};
    store_write(generation, STORE_NAMES, 1, head, sizeof head, text, size);
}

/* The number of a name, which is in the file by then; 0: no memory, or too many names. No lock is held. */
static uint32_t name_number_of(name_table *names, const char *text) {
    uint64_t hash = 0xCBF29CE484222325u;
    size_t size = strlen(text), i;
    uint32_t at, number = 0;
    name_place *place;
    for (i = 0; i < size; i++) hash = (hash ^ (uint8_t)text[i]) * 0x100000001B3u;
    lp_lock_acquire(&names->lock);
    if (names->generation != lp_trace.generation) names_clear(names);
    if (4 * names->n < 3 * names->room || names_grow(names)) {
        at = (uint32_t)hash & (names->room - 1);
        while (names->places[at].text && (names->places[at].hash != hash || strcmp(names->places[at].text, text)))
            at = (at + 1) & (names->room - 1);
        place = &names->places[at];
        if (place->text == 0 && (names->most == 0 || names->n < names->most)) {
            place->text = (char *)malloc(size + 1);
            if (place->text) {
                memcpy(place->text, text, size + 1);
                place->hash = hash, place->number = names->base + ++names->n;
                name_write(names->generation, place->number, text, size);
            }
        }
        number = place->text ? place->number : 0;
    }
    lp_lock_release(&names->lock);
    return number;
}

/* Once in a process, and in a forked child: a thread of the parent may have been changing it. */
static void names_init(name_table *names, uint32_t base, uint32_t most) {
    memset(names, 0, sizeof *names);
    lp_lock_init(&names->lock);
    names->base = base, names->most = most;
}

#endif
