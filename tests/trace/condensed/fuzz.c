/* The condenser, given slots of damaged files: `fuzz FIRST LAST` draws one program for each number, and ends if a sanitizer
   reports something, memory grows beyond the input, or what was counted is not what there was. */
#include <stdio.h>
#include <time.h>
#include "trace/condense/blob.h"
#include "trace/condense/file.h"

enum { RINGS_MOST = 4096, SLOTS_MOST = 1 << 14, SECONDS_MOST = 20 };

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

static uint64_t words_of(const lp_slot_bytes *slots, read_piece *pieces, read_source *sources, uint32_t n_sources, uint32_t n_pieces, int file, int clocks, uint64_t **words) {
    condenser *of = condenser_new((int)(clocks & 1));
    uint64_t count, i, *blob;
    (void)n_pieces, (void)slots;
    for (i = 0; i < 4; i++) condenser_waits(of, 0, (uint32_t)i), condenser_waits(of, 1, (uint32_t)i);
    of->host.rate = clocks & 2 ? 1e9 : clocks & 4 ? 1e-9 : 0;
    for (i = 0; clocks & 8 && i < 3000; i++) host_clock_measured(&of->host, edge(), edge());
    for (i = 0; clocks & 16 && i < 3000; i++) host_clock_measured(&of->host, i * 3, i);
    if (file_read_all(of, file, sources, n_sources)) exit(3);
    for (i = 0; i < n_sources; i++) (void)pieces;
    condenser_end(of);
    count = condenser_words(of), blob = (uint64_t *)malloc(count * 8);
    condenser_write(of, blob);
    condenser_free(of);
    *words = blob;
    return count;
}

static void one(uint64_t number, FILE *stored) {
    static lp_slot_bytes slots[SLOTS_MOST];
    static read_piece pieces[SLOTS_MOST + RINGS_MOST], apart[SLOTS_MOST + RINGS_MOST];
    static read_source sources[RINGS_MOST];
    uint32_t n_slots, n_rings, i, n_pieces = 0, place = 0, was, ring;
    uint64_t now = 1000, *first, *second, words, sum = 0, again, keys, clock_state;
    int wild, clocks;
    time_t began = time(0);
    state = number * 0x1234567;
    wild = (int)below(3), keys = below(2) ? 8 : 1 + below(1 << 20), clocks = (int)below(32);
    n_slots = (uint32_t)(1 + below(below(4) ? 2000 : SLOTS_MOST)), n_rings = (uint32_t)(1 + below(below(4) ? 5 : RINGS_MOST));
    for (i = 0; i < n_slots; i++) slots[i] = slot_drawn(wild == 2, &now, keys);
    rewind(stored);
    if (fwrite(slots, 64, n_slots, stored) != n_slots || fflush(stored)) exit(4);
    memset(sources, 0, sizeof sources), memset(pieces, 0, sizeof pieces);
    for (ring = 0; ring < n_rings; ring++) {
        sources[ring].ring = ring / (1 + (uint32_t)below(2)), sources[ring].thread = (uint32_t)(below(9) ? ring : draw()), sources[ring].pieces = &pieces[n_pieces];
        was = n_pieces;
        do {
            uint32_t length = (uint32_t)below(2 * (n_slots / n_rings + 1) + 1);
            if (ring == n_rings - 1 && n_pieces > was) length = n_slots - place;
            if (length > n_slots - place) length = n_slots - place;
            pieces[n_pieces].slots = &slots[place], pieces[n_pieces].offset = 64 * (uint64_t)place, pieces[n_pieces].count = length, pieces[n_pieces].follows = below(4) != 0;
            place += length, n_pieces += 1;
        } while (n_pieces - was < 3);
        sources[ring].n_pieces = n_pieces - was;
    }
    memcpy(apart, pieces, sizeof pieces);
    clock_state = state;
    words = words_of(slots, pieces, sources, n_rings, n_pieces, -1, clocks, &first);
    for (i = 0, place = 0; i < n_pieces; i++) apart[i].slots = 0;
    for (ring = 0, i = 0; ring < n_rings; ring++, i += 3) {
        uint32_t own = sources[ring].ring, thread = sources[ring].thread;
        memset(&sources[ring], 0, sizeof sources[ring]);
        sources[ring].ring = own, sources[ring].thread = thread, sources[ring].pieces = &apart[i], sources[ring].n_pieces = 3;
    }
    state = clock_state;
    again = words_of(slots, apart, sources, n_rings, n_pieces, fileno(stored), clocks, &second);
    if (words != again || memcmp(first, second, words * 8)) fprintf(stderr, "%llu: from the file other numbers\n", (unsigned long long)number), exit(5);
    if (first[5] != n_slots && place == n_slots) fprintf(stderr, "%llu: %llu slots of %u\n", (unsigned long long)number, (unsigned long long)first[5], n_slots), exit(6);
    for (i = 0; i < 33; i++) sum += first[BLOB_KINDS + i];
    if (sum != first[5]) fprintf(stderr, "%llu: kinds of %llu slots, and %llu slots\n", (unsigned long long)number, (unsigned long long)sum, (unsigned long long)first[5]), exit(7);
    if (words * 8 > (uint64_t)n_slots * 4096 + 65536) fprintf(stderr, "%llu: a blob of %llu bytes of %u slots\n", (unsigned long long)number, (unsigned long long)(words * 8), n_slots), exit(8);
    if (time(0) - began > SECONDS_MOST) fprintf(stderr, "%llu: it took too long\n", (unsigned long long)number), exit(9);
    free(first), free(second);
}

int main(int count, char **words) {
    FILE *stored = tmpfile();
    uint64_t i;
    if (count != 3 || stored == 0) return 2;
    for (i = strtoull(words[1], 0, 10); i < strtoull(words[2], 0, 10); i++) one(i, stored);
    return 0;
}
