/* Times of commands on devices, and clocks, of the condenser. Part of condense.h. */

static void condense_host_clock(condenser *of, const clock_slot *slot) {
    if (slot->ticks >= CLOCK_TIME_MOST || slot->monotonic >= CLOCK_TIME_MOST) return;
    if (of->anchors == 0 && of->real == 0) of->real = slot->real - slot->monotonic;
    of->anchors += 1;
    host_clock_measured(&of->host, slot->ticks, slot->monotonic);
}

static void condense_device_clock(condenser *of, const device_clock_slot *slot) {
    if (slot->device < CLOCK_DEVICES) clock_measured(&of->devices[slot->device], slot->device_time, slot->monotonic, slot->error);
}

static inline void condense_gap(condenser *of, stream_gaps *it, uint64_t enqueued, uint64_t start, uint64_t end) {
    uint64_t gap;
    uint32_t class;
    int late;
    if (it->last) {
        gap = start > it->last ? start - it->last : 0;
        class = gap_class(gap), late = enqueued > it->last;
        condense_value(of, cell_of(&of->all, &it->gaps[late], TABLE_GAP, (uint64_t)it->device << 1 | late), (int64_t)gap, 0);
        if (class != it->run_class) {
            if (it->run) condense_run(of, it);
            it->run_class = class;
        }
        it->run += 1;
    }
    if (end > it->last) it->last = end;
}

/* Count the times from synchronizations to the starts that follow them. Of several before a start the last one counts, and
   it counts once. */
static void after_count(condenser *of, uint32_t device) {
    device_waits *waits = of->waits[device];
    uint32_t i, before = 0;
    wait_order(&waits->ends), wait_order(&waits->starts);
    for (i = 0; i < waits->starts.count; i++) {
        uint64_t start = waits->starts.times[i], last = 0;
        uint32_t from = before;
        while (before < waits->ends.count && waits->ends.times[before] <= start) last = waits->ends.times[before++];
        if (before > from) condense_value(of, cell_of(&of->all, &of->after, TABLE_AFTER, device), (int64_t)(start - last), 0);
    }
    wait_drop(&waits->ends, before);
    waits->starts.count = 0;
}

/* The same for all devices, at the end of a part of time. */
static void condense_part(condenser *of) {
    uint32_t device;
    for (device = 0; device < CLOCK_DEVICES; device++)
        if (of->waits[device] && of->waits[device]->starts.count) after_count(of, device);
}

static inline void condense_after(condenser *of, uint32_t device, uint64_t start) {
    device_waits *waits = of->waits[device];
    if (waits == 0 || waits->ends.count == 0) return;
    wait_order(&waits->ends);
    if (waits->ends.times[0] > start) return;
    if (waits->starts.count == WAITS_MOST) after_count(of, device);
    if (!wait_add(&waits->starts, start)) of->failed = 1;
}

static void condense_times(condenser *of, const times_slot *slot) {
    int failed = slot->flags & SLOT_FAILED, launch = slot->command == COMMAND_LAUNCH;
    int known = slot->device < CLOCK_DEVICES && of->devices[slot->device].known;
    int64_t enqueued = host_time(&of->host, slot->enqueued), start = enqueued, end, moved;
    stream_gaps *stream = condenser_stream(of, slot->device, slot->stream);
    of->times += 1;
    if (stream == 0) return;
    if (slot->device < CLOCK_DEVICES && !known) of->unrelated[slot->device / 64] |= (uint64_t)1 << (slot->device % 64);
    if (failed) start = end = 0;
    else if (known) {
        const condense_clock *clock = &of->devices[slot->device];
        start = clock_time(clock, slot->started), end = start + clock_span(clock, slot->started, slot->ended);
        moved = enqueued - start; /* it cannot have begun before: the relation of the clocks is not exact */
        if (moved > 0) {
            start += moved, end += moved, of->clamped += 1;
            if ((uint64_t)moved > of->correction) of->correction = (uint64_t)moved;
        }
    } else end = start + (slot->ended > slot->started && slot->ended < CLOCK_TIME_MOST ? (int64_t)(slot->ended - slot->started) : 0);
    if (!failed) condenser_limit(of, end, end);
    if (launch) {
        kernel_cells *kernel = condenser_kernel(of, slot->name);
        if (kernel == 0) {
            of->failed = 1;
            return;
        }
        condense_timed(of, cell_of(&of->all, &kernel->kernel, TABLE_KERNEL, slot->name), start, end - start, failed);
        if (!failed && known) {
            condense_value(of, cell_of(&of->all, &kernel->delay, TABLE_DELAY, slot->name), start - enqueued, 0);
            condense_after(of, slot->device, (uint64_t)start);
        }
    } else {
        pending_copy times = {
            slot->correlation, 0, (uint64_t)(end - start), (uint8_t)(slot->command == COMMAND_FILL ? FILLED : NO_DIRECTION), failed != 0, 1, 1, {0}
        };
        copy_meets(of, &times);
    }
    if (!failed && known) condense_gap(of, stream, (uint64_t)enqueued, (uint64_t)start, (uint64_t)end);
}
