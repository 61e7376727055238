/* Reading rings from a file, part after part, into a buffer of each ring: a file that is mapped into memory ends the process
   that reads it where it is cut off meanwhile. What is not there any more reads as zeros, slots of no kind. */
#ifndef LAUNCHPATH_CONDENSE_FILE_H
#define LAUNCHPATH_CONDENSE_FILE_H

#include <errno.h>
#include <unistd.h>
#include "read.h"

enum {
    FILE_PART = 1 << 16, /* bytes that are read at a time: they stay in the processor's cache until they are counted */
    FILE_LEAST = 1 << 12,
    FILE_ALL = 1 << 26 /* of all rings together, where that is more than `FILE_LEAST` each */
};

static const lp_slot_bytes *file_more(read_source *source, uint64_t *count) {
    uint64_t there = source->place - source->first_held;
    if (source->n_held == 0 || there >= source->n_held) {
        uint64_t want = source->pieces->count - source->place, size, done = 0;
        if (want > source->room) want = source->room;
        size = want * sizeof(lp_slot_bytes);
        if (source->held == 0) source->held = (lp_slot_bytes *)malloc(source->room * sizeof(lp_slot_bytes));
        if (source->held == 0) {
            errno = ENOMEM;
            return 0;
        }
        while (done < size) {
            uint64_t offset = source->pieces->offset + source->place * sizeof(lp_slot_bytes) + done;
            ssize_t n = pread(source->file, (char *)source->held + done, size - done, (off_t)offset);
            if (n < 0 && errno == EINTR) continue;
            if (n < 0) return 0;
            if (n == 0) break;
            done += (uint64_t)n;
        }
        memset((char *)source->held + done, 0, size - done);
        source->first_held = source->place, source->n_held = want, there = 0;
    }
    *count = source->n_held - there;
    return source->held + there;
}

/* Count all slots of some rings, whose slots are in a file where they are not in memory; 0, or errno. */
static int file_read_all(condenser *of, int file, read_source *sources, uint64_t count) {
    uint64_t i, room = count ? FILE_ALL / count : 0;
    int done;
    room = room < FILE_LEAST ? FILE_LEAST : room > FILE_PART ? FILE_PART : room;
    for (i = 0; i < count; i++)
        sources[i].file = file, sources[i].more = file_more, sources[i].room = room / sizeof(lp_slot_bytes);
    errno = ENOMEM;
    done = read_all(of, sources, count);
    for (i = 0; i < count; i++) free(sources[i].held);
    return done ? 0 : of->failed ? ENOMEM : errno;
}

#endif
