/* Times of several rings, each in order: they are put in order all together when they are needed. */
#ifndef LAUNCHPATH_CONDENSE_WAITS_H
#define LAUNCHPATH_CONDENSE_WAITS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { WAITS_MOST = 1 << 16 }; /* of more the first half is let go: they are long ago */

typedef struct {
    uint64_t *times, *other; /* other: as much room, for sorting */
    uint32_t count, room;
    int is_unordered;
} wait_times;

static void wait_free(wait_times *of) {
    free(of->times), free(of->other);
    memset(of, 0, sizeof *of);
}

/* Put times in order: parts that are in order are merged, two at a time. */
static void wait_order(wait_times *of) {
    while (of->is_unordered) {
        uint32_t at = 0, parts = 0;
        uint64_t *swapped;
        while (at < of->count) {
            uint32_t first = at, second, end, to = at;
            for (second = at + 1; second < of->count && of->times[second - 1] <= of->times[second]; second++) {}
            for (end = second + 1; end < of->count && of->times[end - 1] <= of->times[end]; end++) {}
            if (end > of->count) end = of->count;
            at = second;
            while (first < at && second < end) of->other[to++] = of->times[second] < of->times[first] ? of->times[second++] : of->times[first++];
            while (first < at) of->other[to++] = of->times[first++];
            while (second < end) of->other[to++] = of->times[second++];
            at = end, parts += 1;
        }
        swapped = of->times, of->times = of->other, of->other = swapped;
        of->is_unordered = parts > 1;
    }
}

/* Let go of the first times, which are in order. */
static void wait_drop(wait_times *of, uint32_t count) {
    of->count -= count;
    memmove(of->times, of->times + count, of->count * sizeof(uint64_t));
}

/* Add a time; 0: there is no memory. */
static int wait_add(wait_times *of, uint64_t time) {
    if (of->count == of->room && of->room == WAITS_MOST) wait_order(of), wait_drop(of, WAITS_MOST / 2);
    if (of->count == of->room) {
        uint32_t room = of->room ? of->room * 2 : 256;
        uint64_t *times = (uint64_t *)realloc(of->times, room * sizeof(uint64_t)), *other;
        if (times) of->times = times;
        other = times ? (uint64_t *)realloc(of->other, room * sizeof(uint64_t)) : 0;
        if (other == 0) return 0;
        of->other = other, of->room = room;
    }
    if (of->count && of->times[of->count - 1] > time) of->is_unordered = 1;
    of->times[of->count++] = time;
    return 1;
}

#endif
