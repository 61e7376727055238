/* A table from handles of a driver to what the recorder knows of them. It is read without a lock; changes take one.

   A table that has grown leaves the smaller one in memory, for a thread that still reads it. */
#ifndef LAUNCHPATH_RECORDER_HANDLES_H
#define LAUNCHPATH_RECORDER_HANDLES_H

#include <stdint.h>
#include <stdlib.h>
#include "base/lock.h"

typedef struct {
    uint64_t key, value; /* key 0: never used; value 0: nothing is known */
} handle_place;

typedef struct {
    uint64_t mask; /* places - 1 */
    uint64_t used; /* keys, those without a value too */
    handle_place places[];
} handle_places;

typedef struct {
    uint64_t places; /* the handle_places, or 0 */
    lp_lock lock;
} handle_table;

static inline uint64_t handle_hash(uint64_t key) { return (key >> 4) * 0x9E3779B97F4A7C15u >> 20; }

/* What is known of a handle; 0: nothing. */
static inline uint64_t handle_find(const handle_table *table, uint64_t key) {
    const handle_places *places = (const handle_places *)(uintptr_t)lp_load(&table->places);
    uint64_t at, seen;
    if (places == 0) return 0;
    for (at = handle_hash(key) & places->mask;; at = (at + 1) & places->mask) {
        seen = lp_load(&places->places[at].key);
        if (LP_LIKELY(seen == key)) return lp_load(&places->places[at].value);
        if (seen == 0) return 0;
    }
}

static handle_places *handle_room(handle_table *table) {
    handle_places *places = (handle_places *)(uintptr_t)table->places, *larger;
    uint64_t room = places ? places->mask + 1 : 0, used = 0, i, at;
    if (places && 2 * (places->used + 1) <= room) return places;
    for (i = 0; i < room; i++) used += places->places[i].value != 0;
    room = 64;
    while (room < 4 * (used + 1)) room *= 2;
    larger = (handle_places *)calloc(1, sizeof *larger + room * sizeof(handle_place));
    if (larger == 0) return 0;
    larger->mask = room - 1;
    for (i = 0; places && i <= places->mask; i++) {
        if (places->places[i].value == 0) continue;
        for (at = handle_hash(places->places[i].key) & larger->mask; larger->places[at].key; at = (at + 1) & larger->mask) {}
        larger->places[at] = places->places[i];
        larger->used += 1;
    }
    lp_store(&table->places, (uint64_t)(uintptr_t)larger);
    return larger;
}

/* Let a handle mean something from now on; value 0: nothing. Handles are not 0. 0: there is no memory. */
static int handle_set(handle_table *table, uint64_t key, uint64_t value) {
    handle_places *places;
    uint64_t at;
    int done = 1;
    lp_lock_acquire(&table->lock);
    places = handle_room(table);
    if (places == 0) done = 0;
    else {
        for (at = handle_hash(key) & places->mask; places->places[at].key && places->places[at].key != key; at = (at + 1) & places->mask) {}
        lp_store(&places->places[at].value, value);
        if (places->places[at].key == 0) {
            places->used += 1;
            lp_store(&places->places[at].key, key);
        }
    }
    lp_lock_release(&table->lock);
    return done;
}

/* Forget the handles whose value `ends` is true of. */
static void handles_forget(handle_table *table, int (*ends)(uint64_t value, const void *data), const void *data) {
    handle_places *places;
    uint64_t i;
    lp_lock_acquire(&table->lock);
    places = (handle_places *)(uintptr_t)table->places;
    for (i = 0; places && i <= places->mask; i++)
        if (places->places[i].value && ends(places->places[i].value, data)) lp_store(&places->places[i].value, 0);
    lp_lock_release(&table->lock);
}

/* In a forked child: a thread of the parent may have had the lock. */
static void handles_init(handle_table *table) {
    table->places = 0;
    lp_lock_init(&table->lock);
}

#endif
