/* What a record costs: at the end of the process the same calls are made by the recorder and past it, in small batches that
   take turns. Meanwhile this thread has a ring that is no part of the file, so they leave no record. */
#ifndef LAUNCHPATH_RECORDER_COST_H
#define LAUNCHPATH_RECORDER_COST_H

#include "record.h"

enum {
    COST_BATCHES = 25,
    COST_BATCH = 40,          /* calls */
    COST_LEAST = 5,           /* batches, else the figure says nothing */
    COST_MOST_TIME = 10000000, /* nanoseconds of a figure's batches, on a machine with much else to do */
    COST_SLOTS = 4096         /* of the ring: more than a processor's nearest cache, as the threads' rings are */
};

typedef struct {
    int64_t least, typical, most; /* picoseconds a call: the quartiles of the batches' differences */
    int calls;                    /* on each side; 0: it was not measured */
} cost_figure;

/* Make so many calls: by the recorder, or past it. */
typedef void (*cost_calls)(void *data, int n);

static int cost_order(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return left < right ? -1 : left > right;
}

static uint64_t cost_time(cost_calls calls, void *data) {
    uint64_t begin = lp_nanoseconds();
    calls(data, COST_BATCH);
    return lp_nanoseconds() - begin;
}

/* Compare both kinds of calls. `between`, if it is not NULL, is called between two batches, and ends the comparison by 0. */
static cost_figure cost_measure(cost_calls with, cost_calls without, int (*between)(void *data), void *data) {
    int64_t differences[COST_BATCHES];
    uint64_t spent = 0, first, second;
    cost_figure figure = {0, 0, 0, 0};
    int n;
    cost_time(with, data), cost_time(without, data); /* the first ones find cold caches, and make what is made once */
    for (n = 0; n < COST_BATCHES && spent < COST_MOST_TIME; n++) {
        if (between && !between(data)) break;
        first = cost_time(n % 2 ? without : with, data), second = cost_time(n % 2 ? with : without, data);
        spent += first + second;
        differences[n] = ((int64_t)first - (int64_t)second) * (n % 2 ? -1 : 1) * 1000 / COST_BATCH;
    }
    if (n < COST_LEAST) return figure;
    qsort(differences, (size_t)n, sizeof *differences, cost_order);
    figure.least = differences[n / 4], figure.typical = differences[n / 2], figure.most = differences[n - 1 - n / 4];
    figure.calls = n * COST_BATCH;
    return figure;
}

static struct {
    lp_records ring;
    lp_records *before; /* the thread's own */
    uint64_t began;     /* nanoseconds */
} cost;

/* Give this thread the ring; 0: nothing is recorded now, or there is no memory. */
static int cost_begin(void) {
    lp_records *ring = &cost.ring, *own = process_ring();
    char *region = own ? (char *)lp_region(TRACE_PAGE + 64 * COST_SLOTS) : 0;
    if (region == 0) return 0;
    memset(region, 0, TRACE_PAGE + 64 * COST_SLOTS); /* the pages of threads' rings are there too */
    memset(ring, 0, sizeof *ring);
    ring->region = region, ring->slots = (lp_slot_bytes *)(region + TRACE_PAGE);
    ring->head_there = (uint64_t *)(region + 64), ring->tail_there = (uint64_t *)(region + 128);
    ring->frame = (lp_slot_bytes *)(region + 192);
    ring->mask = COST_SLOTS - 1, ring->limit = UINT64_MAX, ring->generation = own->generation;
    cost.before = own, cost.began = lp_nanoseconds();
    lp_here.records = ring;
    return 1;
}

static void cost_end(void) {
    lp_here.records = cost.before;
    munmap(cost.ring.region, TRACE_PAGE + 64 * COST_SLOTS);
}

static void json_picoseconds(json_text *json, const char *key, int64_t picoseconds) {
    char text[40];
    uint64_t size = (uint64_t)(picoseconds < 0 ? -picoseconds : picoseconds);
    snprintf(text, sizeof text, "%s%llu.%03u", picoseconds < 0 ? "-" : "", (unsigned long long)(size / 1000), (unsigned)(size % 1000));
    json_key(json, key);
    json_raw(json, text);
}

static void cost_json(json_text *json, const char *key, const cost_figure *figure) {
    json_raw(json, ",");
    json_key(json, key);
    if (figure->calls == 0) {
        json_raw(json, "null");
        return;
    }
    json_raw(json, "{"), json_picoseconds(json, "ns", figure->typical);
    json_raw(json, ","), json_picoseconds(json, "ns_low", figure->least);
    json_raw(json, ","), json_picoseconds(json, "ns_high", figure->most);
    json_raw(json, ",\"calls\":"), json_number(json, figure->calls);
    json_raw(json, "}");
}

/* Write what the commands of a driver cost, and its other calls. `timed`: times of devices are in it. */
static void cost_write(const char *driver, const char *function, const cost_figure *command, const cost_figure *call, int timed) {
    json_text json = {0};
    json_raw(&json, "{\"cost\":{"), json_key(&json, driver);
    json_raw(&json, "{\"function\":"), json_text_of(&json, function);
    json_raw(&json, ",\"ns_measuring\":"), json_number(&json, (long long)(lp_nanoseconds() - cost.began));
    json_raw(&json, ",\"device_times\":"), json_raw(&json, timed ? "true" : "false");
    cost_json(&json, "command", command), cost_json(&json, "call", call);
    json_raw(&json, "}}}");
    facts_write(&json);
}

/* Write why there is no figure. */
static void cost_left_out(const char *driver, const char *reason) {
    json_text json = {0};
    json_raw(&json, "{\"cost\":{"), json_key(&json, driver), json_raw(&json, "{\"left_out\":"), json_text_of(&json, reason);
    json_raw(&json, "}}}");
    facts_write(&json);
}

#endif
