/* The condenser, given slots of damaged files. `fuzz FIRST LAST` draws a program for each number, and reads it from memory
   and from a file; `fuzz endless` reads more and more slots. Either ends with another status than 0 where slots are not
   counted, where it takes too long or too much memory, or where a sanitizer it is built with reports something. */
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include "trace/condense/blob.h"
#include "trace/condense/file.h"

enum { RINGS_MOST = 4096, SLOTS_MOST = 1 << 14, PIECES = 3, SECONDS_MOST = 30, BYTES_MOST = 4096, ROUNDS = 1000, GROWTH_MOST = 64 << 10 };

static uint64_t state;

static uint64_t draw(void) { /* splitmix64 */
    uint64_t z = (state += 0x9E3779B97F4A7C15u);
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u, z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

static uint64_t below(uint64_t most) { return draw() % most; }

static uint64_t edge(void) {
    static const uint64_t edges[] = {0, 1, 63, 64, 1000, 1u << 31, 1ull << 32, 1ull << 56, 1ull << 61, (1ull << 61) + 1, 1ull << 62, 1ull << 63, UINT64_MAX - 1, UINT64_MAX};
    return below(3) ? edges[below(sizeof edges / sizeof *edges)] + below(3) - 1 : draw() >> below(64);
}

static lp_slot_bytes slot_drawn(int wild, uint64_t *now, uint64_t keys) {
    lp_slot_bytes slot;
    int i;
    for (i = 0; i < 8; i++) slot.words[i] = wild ? edge() : 0;
    slot.kind = (uint8_t)(below(50) ? 1 + below(14) : draw());
    if (wild && below(8)) return slot;
    *now += below(wild ? 1000000 : 3000);
    switch (slot.kind) {
    case SLOT_COMMAND:
        slot.command.flags = (uint8_t)draw(), slot.command.correlation = below(keys), slot.command.begin = *now;
        slot.command.driver_begin = *now + below(100), slot.command.driver_end = *now + below(1000), slot.command.end = *now + below(2000);
        slot.command.waited = below(9), slot.command.stream = (uint32_t)below(keys), slot.command.name = (uint32_t)below(keys);
        break;
    case SLOT_DETAIL:
        slot.detail.command = (uint8_t)below(7), slot.detail.device = (uint16_t)(below(9) ? below(3) : draw());
        slot.detail.of.copy.bytes = below(5) ? below(1 << 20) : edge(), slot.detail.of.copy.to = below(64), slot.detail.number = below(keys);
        break;
    case SLOT_CALL: case SLOT_API:
        slot.call.flags = (uint8_t)(below(8) == 0), slot.call.entry = (uint16_t)below(8), slot.call.correlation = below(keys);
        slot.call.begin = *now - below(2000), slot.call.end = *now, slot.call.parent = below(2), slot.call.device = (uint16_t)below(300);
        break;
    case SLOT_TIMES:
        slot.times.flags = (uint8_t)(below(8) == 0), slot.times.device = (uint16_t)(below(9) ? below(3) : draw()), slot.times.stream = (uint32_t)below(keys);
        slot.times.correlation = below(keys), slot.times.started = *now + below(5000), slot.times.ended = slot.times.started + below(5000);
        slot.times.enqueued = *now, slot.times.name = (uint32_t)below(keys), slot.times.command = (uint32_t)below(7);
        break;
    case SLOT_HOST_CLOCK: slot.clock.ticks = *now, slot.clock.monotonic = *now + below(100), slot.clock.real = draw(); break;
    case SLOT_DEVICE_CLOCK: slot.device_clock.device = (uint16_t)below(3), slot.device_clock.device_time = *now, slot.device_clock.monotonic = *now + below(100), slot.device_clock.error = below(3) ? below(10) : edge(); break;
    case SLOT_RANGE_BEGIN: case SLOT_RANGE: case SLOT_MARK:
        slot.range.depth = (uint16_t)below(40), slot.range.begin = *now - below(1000), slot.range.end = *now, slot.range.domain = (uint32_t)below(2), slot.range.name = (uint32_t)below(keys);
        break;
    case SLOT_EVIDENCE:
        slot.evidence.flags = (uint8_t)draw(), slot.evidence.site = (uint32_t)below(keys), slot.evidence.correlation = below(keys), slot.evidence.content = below(4);
        break;
    case SLOT_THREAD: slot.thread.begin = *now - below(1000), slot.thread.end = *now, slot.thread.processor = edge(), slot.thread.runnable = edge(); break;
    default: break;
    }
    return slot;
}

/* Condense all rings; gives the blob, and how many words it has. */
static uint64_t condensed(read_source *sources, uint32_t n_sources, int file, int clocks, uint64_t **words) {
    condenser *of = condenser_new(clocks & 1);
    uint64_t count, i;
    for (i = 0; i < 4; i++) condenser_waits(of, 0, (uint32_t)i), condenser_waits(of, 1, (uint32_t)i);
    of->host.rate = clocks & 2 ? 1e9 : clocks & 4 ? 1e-9 : 0;
    for (i = 0; clocks & 8 && i < 3000; i++) host_clock_measured(&of->host, edge(), edge());
    for (i = 0; clocks & 16 && i < 3000; i++) host_clock_measured(&of->host, i * 3, i);
    if (file_read_all(of, file, sources, n_sources)) exit(3);
    condenser_end(of);
    count = condenser_words(of), *words = (uint64_t *)malloc(count * 8);
    condenser_write(of, *words);
    condenser_free(of);
    return count;
}

static void fails(uint64_t number, const char *reason) {
    fprintf(stderr, "program %llu: %s\n", (unsigned long long)number, reason);
    exit(1);
}

static void program(uint64_t number, FILE *stored) {
    static lp_slot_bytes slots[SLOTS_MOST];
    static read_piece pieces[PIECES * RINGS_MOST];
    static read_source sources[RINGS_MOST];
    uint32_t n_slots, n_rings, i, place = 0, ring;
    uint64_t now = 1000, keys, before_clocks, words, sum = 0, *first, *second;
    int wild, clocks;
    time_t began = time(0);
    state = number * 0x1234567;
    wild = (int)below(3), keys = below(2) ? 8 : 1 + below(1 << 20), clocks = (int)below(32);
    n_slots = (uint32_t)(1 + below(below(4) ? 2000 : SLOTS_MOST)), n_rings = (uint32_t)(1 + below(below(4) ? 5 : RINGS_MOST));
    for (i = 0; i < n_slots; i++) slots[i] = slot_drawn(wild == 2, &now, keys);
    rewind(stored);
    if (fwrite(slots, 64, n_slots, stored) != n_slots || fflush(stored)) fails(number, "the file cannot be written");
    memset(sources, 0, sizeof sources);
    for (ring = 0; ring < n_rings; ring++) {
        sources[ring].ring = ring / (1 + (uint32_t)below(2)), sources[ring].thread = (uint32_t)(below(9) ? ring : draw());
        sources[ring].pieces = &pieces[PIECES * ring], sources[ring].n_pieces = PIECES;
        for (i = PIECES * ring; i < PIECES * (ring + 1); i++) {
            uint32_t length = (uint32_t)below(2 * (n_slots / n_rings + 1) + 1);
            if (i == PIECES * n_rings - 1 || length > n_slots - place) length = n_slots - place;
            pieces[i].slots = &slots[place], pieces[i].offset = 64 * (uint64_t)place, pieces[i].count = length, pieces[i].follows = below(4) != 0;
            place += length;
        }
    }
    before_clocks = state;
    words = condensed(sources, n_rings, -1, clocks, &first);
    for (ring = 0; ring < n_rings; ring++) { /* once more, from the file */
        read_source again = {.ring = sources[ring].ring, .thread = sources[ring].thread, .pieces = &pieces[PIECES * ring], .n_pieces = PIECES};
        sources[ring] = again;
    }
    for (i = 0; i < PIECES * n_rings; i++) pieces[i].slots = 0;
    state = before_clocks;
    if (condensed(sources, n_rings, fileno(stored), clocks, &second) != words || memcmp(first, second, words * 8)) fails(number, "the file gives other numbers");
    for (i = 0; i < 33; i++) sum += first[BLOB_KINDS + i];
    if (first[5] != n_slots || sum != n_slots) fails(number, "not as many slots as there are");
    if (words * 8 > (uint64_t)n_slots * BYTES_MOST + (1 << 16)) fails(number, "a blob that is too large");
    if (time(0) - began > SECONDS_MOST) fails(number, "it took too long");
    free(first), free(second);
}

/* Memory does not depend on how many slots there are: many are read, each with keys of its own. */
static void endless(void) {
    static lp_slot_bytes slots[1 << 12];
    static read_piece piece = {slots, 1 << 12, 1, 0};
    condenser *of = condenser_new(0);
    struct rusage half, end;
    uint64_t i, rounds, now = 1000;
    for (rounds = 0; rounds < ROUNDS; rounds++) {
        read_source source = {.ring = (uint32_t)(rounds % 8), .thread = (uint32_t)rounds, .pieces = &piece, .n_pieces = 1};
        for (i = 0; i < 1 << 12; i++) {
            slots[i] = slot_drawn(0, &now, UINT32_MAX);
            if (slots[i].kind == SLOT_DEVICE_CLOCK) slots[i].device_clock.error = 0;
        }
        if (!read_all(of, &source, 1)) fails(rounds, "no memory");
        if (rounds == ROUNDS / 2) getrusage(RUSAGE_SELF, &half);
    }
    getrusage(RUSAGE_SELF, &end);
    if (of->slots != ROUNDS << 12) fails(rounds, "not as many slots as there are");
    if (end.ru_maxrss - half.ru_maxrss > GROWTH_MOST) fails((uint64_t)(end.ru_maxrss - half.ru_maxrss), "it takes more and more memory, KiB");
    condenser_free(of);
}

int main(int count, char **words) {
    FILE *stored = tmpfile();
    uint64_t i;
    if (count == 2 && strcmp(words[1], "endless") == 0) endless();
    else if (count == 3 && stored)
        for (i = strtoull(words[1], 0, 10); i < strtoull(words[2], 0, 10); i++) program(i, stored);
    else return 2;
    return 0;
}
