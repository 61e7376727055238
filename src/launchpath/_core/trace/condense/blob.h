/* What a condenser has counted, as words of 64 bits: `_trace/condensed/blob.py` reads them. */
#ifndef LAUNCHPATH_CONDENSE_BLOB_H
#define LAUNCHPATH_CONDENSE_BLOB_H

#include "read.h"

enum { BLOB_VERSION = 2, BLOB_HEAD = 64, BLOB_KINDS = 20, BLOB_CELL = 13, BLOB_ROW = 4, BLOB_WINDOW = 6 + TURN_PARTS };
#define BLOB_MAGIC 0x4E45444E4F43504Cu /* "LPCONDEN" */

static uint64_t bucket_count(const cell *of) {
    uint64_t count = 0;
    uint32_t octave, place;
    if (!cell_is_bucketed(of->table)) return 0;
    for (octave = 0; octave < OCTAVES; octave++)
        for (place = 0; of->octaves[octave] && place < IN_OCTAVE; place++) count += of->octaves[octave][place] != 0;
    return count;
}

static uint32_t window_count(const turn_row *row) { return row->turns ? (uint32_t)((row->turns - 1) >> row->shift) + 1 : 0; }

/* The words of a blob. */
static uint64_t condenser_words(const condenser *of) {
    uint64_t words = BLOB_HEAD;
    uint32_t i;
    for (i = 0; i < of->all.room; i++)
        if (of->all.slots[i]) words += BLOB_CELL + bucket_count(of->all.slots[i]);
    for (i = 0; i < of->n_turns; i++) words += BLOB_ROW + (uint64_t)BLOB_WINDOW * window_count(of->turns[i]);
    return words;
}

static uint64_t *blob_cell(uint64_t *to, const cell *of) {
    uint64_t buckets = bucket_count(of);
    uint32_t octave, place;
    to[0] = of->key, to[1] = of->table | buckets << 32, to[2] = of->calls, to[3] = of->failed;
    to[4] = of->calls ? of->shortest : 0, to[5] = of->longest, to[6] = of->nested, to[7] = of->amount, to[8] = of->at;
    to[9] = (uint64_t)of->total, to[10] = (uint64_t)(of->total >> 64), to[11] = (uint64_t)of->squares, to[12] = (uint64_t)(of->squares >> 64);
    to += BLOB_CELL;
    for (octave = 0; octave < OCTAVES && buckets; octave++)
        for (place = 0; of->octaves[octave] && place < IN_OCTAVE; place++)
            if (of->octaves[octave][place])
                *to++ = (uint64_t)(octave * IN_OCTAVE + place) << 48 | (of->octaves[octave][place] & (((uint64_t)1 << 48) - 1));
    return to;
}

/* Write the blob; `words` has to hold `condenser_words`. */
static void condenser_write(const condenser *of, uint64_t *words) {
    uint64_t *to = words + BLOB_HEAD, cells = 0, unrelated = 0;
    uint32_t i, kind;
    memset(words, 0, BLOB_HEAD * sizeof(uint64_t));
    for (i = 0; i < of->all.room; i++)
        if (of->all.slots[i]) to = blob_cell(to, of->all.slots[i]), cells += 1;
    for (i = 0; i < of->n_turns; i++) {
        const turn_row *row = of->turns[i];
        uint32_t place, count = window_count(row);
        to[0] = row->key, to[1] = row->table | (uint64_t)row->shift << 32, to[2] = row->turns, to[3] = count;
        to += BLOB_ROW;
        for (place = 0; place < count; place++, to += BLOB_WINDOW) {
            const turn_window *window = &row->windows[place];
            to[0] = window->turns, to[1] = window->total, to[2] = window->longest, to[3] = window->longest_number;
            to[4] = window->begin, to[5] = window->end;
            memcpy(&to[6], window->parts, sizeof window->parts);
        }
    }
    for (i = 0; i < CLOCK_DEVICES / 64; i++) unrelated += (uint64_t)__builtin_popcountll(of->unrelated[i]);
    words[0] = BLOB_MAGIC, words[1] = BLOB_VERSION, words[2] = cells, words[3] = of->n_turns, words[4] = (uint64_t)of->failed;
    words[5] = of->slots, words[6] = of->halves, words[7] = of->timed, words[8] = of->times, words[9] = of->clamped;
    words[10] = of->correction, words[11] = of->begin, words[12] = of->end, words[13] = of->untracked, words[14] = of->marks;
    words[15] = of->begun_ranges, words[16] = of->ended_ranges, words[17] = of->anchors, words[18] = unrelated, words[19] = of->real;
    for (kind = 0; kind < 256; kind++) words[BLOB_KINDS + (kind < 32 ? kind : 32)] += of->kinds[kind];
}

/* The last commands of streams end their runs, and times whose copies have not come count without them. */
static void condenser_end(condenser *of) {
    uint32_t i;
    for (i = 0; i < of->rings_room; i++)
        if (of->rings[i] && of->rings[i]->has_first) of->rings[i]->has_first = 0, of->halves += 1;
    copies_end(of);
    streams_end(of);
}

#endif
