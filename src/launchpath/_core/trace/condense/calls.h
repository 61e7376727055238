/* Calls, ranges, evidence and looks of the condenser. Part of condense.h. */

static inline void turns_of(condenser *of, condense_ring *ring, uint32_t table, uint64_t key, int64_t begin, int64_t end, const turn_sums *since) {
    turn_row *row = condenser_turns(of, table, key);
    uint64_t parts[TURN_PARTS];
    int i;
    if (row == 0) return;
    for (i = 0; i < TURN_PARTS; i++) parts[i] = ring->sums.parts[i] - since->parts[i];
    turn_add(row, (uint64_t)begin, (uint64_t)end, parts);
}

/* A call contains those that its thread made in it: they come before it. Their time, which it returns, is part of its time. */
static inline uint64_t calls_contain(condense_ring *ring, uint64_t begin, uint64_t span, cell *it) {
    uint32_t n = ring->n_open;
    uint64_t nested = 0;
    while (n && ring->open[n - 1].begin >= begin) {
        n -= 1;
        ring->open[n].of->nested = cell_more(ring->open[n].of->nested, ring->open[n].span);
        nested = cell_more(nested, ring->open[n].span);
    }
    if (n == CALLS_OPEN) memmove(ring->open, ring->open + 1, (CALLS_OPEN - 1) * sizeof(open_call)), n -= 1;
    ring->open[n].begin = begin, ring->open[n].span = span, ring->open[n].of = it;
    ring->n_open = n + 1;
    return nested;
}

/* A turn is from the end of a wait to the end of the thread's next one. */
static void condense_wait(condenser *of, condense_ring *ring, uint32_t table, uint64_t key, int64_t end) {
    if (ring->last_wait && of->slow && !of->begun_ranges && (uint64_t)end - ring->last_wait > of->slow) condense_slow(of, ring, ring->last_wait, 1);
    if (ring->last_wait) turns_of(of, ring, table, key, (int64_t)ring->last_wait, end, &ring->waited);
    ring->last_wait = (uint64_t)end, ring->waited = ring->sums;
}

static void device_waited(condenser *of, uint32_t device, int64_t end) {
    device_waits *waits;
    if (device >= CLOCK_DEVICES || end < 0) return;
    if (of->waits[device] == 0) of->waits[device] = (device_waits *)calloc(1, sizeof(device_waits));
    waits = of->waits[device];
    if (waits == 0 || !wait_add(&waits->ends, (uint64_t)end)) of->failed = 1;
}

static void condense_call(condenser *of, condense_ring *ring, const call_slot *slot) {
    uint64_t key = (uint64_t)slot->device << 32 | slot->entry;
    int failed = slot->flags & SLOT_FAILED;
    int64_t begin = host_time(&of->host, slot->begin), took = host_span(&of->host, slot->begin, slot->end), own;
    cell *it = cell_of(&of->all, &ring->entry, TABLE_CALL, key);
    if (it == 0) {
        of->failed = 1;
        return;
    }
    condenser_limit(of, begin, begin + took);
    condense_sum(of, cell_of(&of->all, &ring->calls, TABLE_THREAD, (uint64_t)ring->thread << 1 | 1), took, 0);
    ring->correlation = slot->correlation, ring->span = (uint64_t)took, ring->number_of = slot->entry;
    ring->is_command = ring->is_copy = 0;
    if (failed) {
        it->failed += 1;
        return;
    }
    condense_timed(of, it, begin, took, 0);
    own = (int64_t)cell_value(took) - (int64_t)cell_value((int64_t)calls_contain(ring, slot->begin, cell_value(took), it));
    if (slot->parent) ring->in_api = cell_more(ring->in_api, cell_value(own));
    if (is_wait(of->entry_waits, slot->entry)) {
        turn_called(ring, PART_WAIT, own, took);
        if (slot->parent == 0) condense_wait(of, ring, TABLE_CALL, key, begin + took);
        device_waited(of, slot->device, begin + took);
    } else turn_called(ring, PART_CALL, own, took);
}

static void condense_api(condenser *of, condense_ring *ring, const call_slot *slot) {
    int failed = slot->flags & SLOT_FAILED;
    int64_t begin = host_time(&of->host, slot->begin), took = host_span(&of->host, slot->begin, slot->end);
    int64_t inside = slot->parent ? 0 : (int64_t)cell_value((int64_t)ring->in_api);
    cell *it = cell_of(&of->all, &ring->entry_of_api, TABLE_API, slot->entry);
    if (it == 0) {
        of->failed = 1;
        return;
    }
    condenser_limit(of, begin, begin + took);
    if (slot->parent == 0) ring->in_api = 0;
    if (failed) {
        it->failed += 1;
        return;
    }
    condense_timed(of, it, begin, took, 0);
    if (slot->parent) it->nested = cell_more(it->nested, cell_value(took));
    if (is_wait(of->api_waits, slot->entry)) {
        if (slot->parent == 0) {
            turn_called(ring, PART_WAIT, (int64_t)cell_value(took) - inside, took); /* it waits by itself, too, without a call of the driver */
            condense_wait(of, ring, TABLE_API, slot->entry, begin + took);
        }
        device_waited(of, slot->device, begin + took);
    }
}

static void condense_range_begin(condenser *of, condense_ring *ring, const range_slot *slot) {
    of->begun_ranges += 1;
    if (slot->depth == 0) ring->open_range = (uint64_t)host_time(&of->host, slot->begin);
    if (slot->depth < RANGES_DEEP) ring->ranges[slot->depth] = ring->sums;
}

static void condense_range(condenser *of, condense_ring *ring, const range_slot *slot) {
    uint64_t key = (uint64_t)slot->domain << 32 | slot->name;
    int64_t begin = host_time(&of->host, slot->begin), took = host_span(&of->host, slot->begin, slot->end);
    cell *it = cells_find(&of->all, TABLE_RANGE, key);
    if (it == 0) {
        of->failed = 1;
        return;
    }
    of->ended_ranges += 1;
    condenser_limit(of, begin, begin + took);
    condense_timed(of, it, begin, took, 0);
    if (slot->depth) it->nested = cell_more(it->nested, cell_value(took));
    else {
        ring->open_range = 0;
        if (of->slow && (uint64_t)took > of->slow) condense_slow(of, ring, (uint64_t)begin, 1);
    }
    if (slot->depth < RANGES_DEEP) turns_of(of, ring, TABLE_RANGE, key, begin, begin + took, &ring->ranges[slot->depth]);
}

static void condense_mark(condenser *of, const range_slot *slot) {
    int64_t at = host_time(&of->host, slot->begin);
    condenser_limit(of, at, at);
}

/* Evidence of the command or call right before it. */
static void condense_evidence(condenser *of, condense_ring *ring, const evidence_slot *slot) {
    uint64_t place, site = (uint64_t)slot->site << 17 | (uint64_t)ring->is_command << 16 | (ring->number_of & 0xffff);
    if (slot->correlation != ring->correlation || slot->correlation == 0) return;
    if (slot->site) condense_sum(of, cells_find(&of->all, TABLE_SITE, site), (int64_t)ring->span, 0);
    if (!ring->is_copy || ring->direction == FILLED) {
        ring->correlation = 0; /* further slots of it add nothing */
        return;
    }
    if (slot->flags & (EVIDENCE_PINNED | EVIDENCE_PAGEABLE))
        condense_sum(of, cells_find(&of->all, TABLE_MEMORY, (uint64_t)ring->direction << 1 | ((slot->flags & EVIDENCE_PINNED) != 0)), (int64_t)ring->span, ring->bytes);
    if (ring->direction == TO_DEVICE) {
        condense_sum(of, cells_find(&of->all, TABLE_UPLOAD, slot->site), (int64_t)ring->span, ring->bytes);
        if (slot->flags & EVIDENCE_CONTENT) {
            if (of->places == 0) of->places = (upload_place *)calloc(PLACES_ROOM, sizeof(upload_place));
            if (of->places == 0) {
                of->failed = 1;
                return;
            }
            place = cell_hash(1, ring->to) & (PLACES_ROOM - 1);
            if (of->places[place].in_use && of->places[place].to == ring->to && of->places[place].content == slot->content)
                condense_sum(of, cells_find(&of->all, TABLE_EQUAL, slot->site), (int64_t)ring->span, ring->bytes);
            of->places[place].to = ring->to, of->places[place].content = slot->content, of->places[place].in_use = 1;
        }
    }
    ring->correlation = 0;
}

static void condense_look(condenser *of, condense_ring *ring, const thread_slot *slot) {
    cell *it = cell_of(&of->all, &ring->look, TABLE_LOOK, ring->thread);
    int64_t looked = host_span(&of->host, slot->begin, slot->end), away;
    if (it == 0) {
        of->failed = 1;
        return;
    }
    cell_sum(it, cell_value((int64_t)slot->processor));
    it->nested = cell_more(it->nested, cell_value((int64_t)slot->runnable)), it->amount = cell_more(it->amount, cell_value(looked));
    turn_part_add(&ring->sums, PART_RUN, (int64_t)slot->processor);
    turn_part_add(&ring->sums, PART_READY, (int64_t)slot->runnable);
    /* It slept in the long calls, or outside: short ones run. What it did in a long one it did not do outside, at any rate. */
    away = (int64_t)cell_value(looked) - (int64_t)cell_value((int64_t)slot->processor) - (int64_t)cell_value((int64_t)slot->runnable) - (int64_t)cell_value((int64_t)ring->in_long);
    turn_part_add(&ring->sums, PART_AWAY, away);
    ring->in_long = 0;
}
