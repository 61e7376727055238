/* What delays of 0 add to the record of a launch: the recorder's own code, with delays and without in turns, in one process.
   LAUNCHPATH_RECORDER, LAUNCHPATH_TRACE and LAUNCHPATH_DELAYS are set. The argument says how many launches a repetition has,
   the first of which is the anchor; 0: there is no anchor. Prints nanoseconds of a record, without and with. */
#include "recorder.c"

enum { BATCH = 2000, BATCHES = 2001 };

static int repetition;

static double batch(int on, uint16_t entry) {
    payload what = {.command = COMMAND_LAUNCH, .name = 2};
    uint64_t begin, ticks;
    int i;
    lp_delays.on = on;
    begin = lp_nanoseconds();
    for (i = 0; i < BATCH; i++) {
        what.name = repetition && i % repetition == 0 ? 1 : 2; /* the anchor's was the first name */
        lp_records *ring = process_ring();
        ticks = call_begins(ring, entry);
        command_write(ring, entry, ticks, lp_ticks(), 0, &what, (place){1, 0}, 0);
    }
    return (double)(lp_nanoseconds() - begin) / BATCH;
}

static int by_size(const void *a, const void *b) {
    const double left = *(const double *)a, right = *(const double *)b;
    return left < right ? -1 : left > right;
}

int main(int argc, char **argv) {
    static double without[BATCHES], with[BATCHES], more[BATCHES];
    uint16_t entry = 1;
    int i;
    repetition = argc > 1 ? atoi(argv[1]) : 0;
    while (strcmp(process.entries[entry], "cuLaunchKernel")) entry += 1;
    if (process_ring() == 0 || !lp_delays.on || lp_delays.name != 1) return 1;
    delays_anchored(process_ring()), delays_anchored(process_ring()); /* the first block begins */
    if ((lp_load(&lp_delays.state->level) & 0xFF) != DELAYS_SUBMISSIONS) return 2;
    for (i = 0; i < BATCHES; i++) {
        if (i % 2) with[i] = batch(1, entry), without[i] = batch(0, entry);
        else without[i] = batch(0, entry), with[i] = batch(1, entry);
        more[i] = with[i] - without[i];
    }
    qsort(without, BATCHES, sizeof *without, by_size), qsort(with, BATCHES, sizeof *with, by_size), qsort(more, BATCHES, sizeof *more, by_size);
    printf("{\"without\": %.3f, \"with\": %.3f, \"more\": %.3f, \"more_low\": %.3f, \"more_high\": %.3f}\n", without[BATCHES / 2], with[BATCHES / 2],
           more[BATCHES / 2], more[BATCHES / 4], more[3 * BATCHES / 4]);
    lp_delays.on = 1;
    return 0;
}
