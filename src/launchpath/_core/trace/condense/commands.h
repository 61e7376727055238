/* Commands of the condenser: launches, copies and fills, as the host made them. Part of condense.h. */

/* What a directed copy's flags say; of a fill, and of a copy between devices, what they are. */
static inline uint32_t command_direction(const command_slot *slot, const detail_slot *detail) {
    if (detail->command == COMMAND_FILL) return FILLED;
    if (detail->command == COMMAND_PEER) return ON_DEVICE;
    return slot->flags >> 6;
}

static void copy_moved(condenser *of, uint32_t direction, uint64_t bytes, uint64_t time, int failed) {
    cell *it = cell_of(&of->all, &of->traffic[direction], TABLE_TRAFFIC, direction);
    if (it == 0) {
        of->failed = 1;
        return;
    }
    if (failed) {
        it->failed += 1;
        return;
    }
    it->amount = cell_more(it->amount, bytes);
    if (!cell_add(&of->all, it, cell_value((int64_t)time))) of->failed = 1;
}

/* Numbers that follow one another are in rows that do, so that the processor's cache has them. */
static inline pending_copy *pending_row(condenser *of, uint64_t correlation) {
    return of->pending + ((correlation + (correlation >> 16) * 0x9E37u) * PENDING_ROW & (of->pending_room - 1));
}

/* Make rows for as many more; 0: there are enough, or there is no memory. */
static int pending_grow(condenser *of) {
    pending_copy *old = of->pending;
    uint32_t i, k, room = of->pending_room ? of->pending_room * 2 : PENDING_LEAST;
    pending_copy *rows = of->pending_room == PENDING_MOST ? 0 : (pending_copy *)calloc(room, sizeof(pending_copy));
    if (rows == 0) return 0;
    of->pending = rows, of->pending_room = room;
    for (i = 0; i < room / 2 && old; i++) { /* those of a row go to no more than two, where they have room */
        if (!old[i].in_use) continue;
        rows = pending_row(of, old[i].correlation);
        for (k = 0; rows[k].in_use;) k++;
        rows[k] = old[i];
    }
    free(old);
    return 1;
}

/* A copy and its times come one after the other, in any order: what comes first waits for the other, in one of few places.
   Where all of these are taken by others, one of them is let go, with what is known of it. */
static void copy_meets(condenser *of, const pending_copy *mine) {
    pending_copy *row, *free_place = 0;
    uint32_t i;
    if (of->pending == 0 && !pending_grow(of)) {
        of->failed = 1;
        return;
    }
    row = pending_row(of, mine->correlation);
    for (i = 0; i < PENDING_ROW; i++) {
        pending_copy *it = &row[i];
        if (it->in_use && it->correlation == mine->correlation && it->has_time != mine->has_time) {
            const pending_copy *copy = mine->has_time ? it : mine, *times = mine->has_time ? mine : it;
            copy_moved(of, copy->direction, copy->bytes, times->time, times->failed);
            it->in_use = 0;
            return;
        }
        if (!it->in_use && free_place == 0) free_place = it;
    }
    while (free_place == 0 && pending_grow(of)) {
        row = pending_row(of, mine->correlation);
        for (i = 0; i < PENDING_ROW && free_place == 0; i++)
            if (!row[i].in_use) free_place = &row[i];
    }
    if (free_place == 0) {
        free_place = &row[of->untracked++ % PENDING_ROW];
        if (free_place->has_time) copy_moved(of, free_place->direction, 0, free_place->time, free_place->failed);
    }
    *free_place = *mine;
}

/* What waits at the end has no other half: times count without bytes, and copies not at all. */
static void copies_end(condenser *of) {
    uint32_t i;
    for (i = 0; i < of->pending_room; i++) {
        pending_copy *it = &of->pending[i];
        if (it->in_use && it->has_time) copy_moved(of, it->direction, 0, it->time, it->failed);
    }
}

static inline void condense_launch(condenser *of, const command_slot *slot, int called, int failed, int64_t inside, int64_t took) {
    uint64_t name = slot->name;
    int64_t waited = slot->waited ? host_span(&of->host, slot->begin, slot->begin + slot->waited) : 0, around = took - inside - waited;
    kernel_cells *kernel;
    if (around < 0 || of->is_recorder) around = 0; /* the recorder stands around the driver's function alone */
    if (slot->flags & SLOT_KEPT_BACK) condense_sum(of, cells_find(&of->all, TABLE_KEPT, name), around, 0);
    else if (called && failed) condense_value(of, cells_find(&of->all, TABLE_REFUSED, name), 0, 1);
    else if (called) {
        kernel = condenser_kernel(of, slot->name);
        if (kernel == 0) {
            of->failed = 1;
            return;
        }
        condense_value(of, cell_of(&of->all, &kernel->sent, TABLE_SENT, name), inside, 0);
        if (!of->is_recorder) condense_sum(of, cell_of(&of->all, &kernel->around, TABLE_AROUND, name), around, 0);
        if (waited) condense_sum(of, cell_of(&of->all, &kernel->waited, TABLE_WAITED, name), waited, 0);
    }
}

static inline void condense_moved(condenser *of, const command_slot *slot, const detail_slot *detail, uint32_t direction, int failed) {
    cell *it = cell_of(&of->all, &of->traffic[direction], TABLE_TRAFFIC, direction);
    if (it == 0) of->failed = 1;
    else if (failed) it->failed += 1;
    if (failed) return;
    condense_value(of, cell_of(&of->all, &of->sizes[direction], TABLE_SIZE, direction), (int64_t)(detail->of.copy.bytes < (uint64_t)VALUE_MOST ? detail->of.copy.bytes : (uint64_t)VALUE_MOST), 0);
    if (slot->flags & SLOT_TIMED) {
        pending_copy copy = {slot->correlation, detail->of.copy.bytes, 0, (uint8_t)direction, 0, 0, 1, {0}};
        copy_meets(of, &copy);
    }
}

static void condense_command(condenser *of, condense_ring *ring, const command_slot *slot, const detail_slot *detail) {
    int failed = slot->flags & SLOT_FAILED, kept_back = slot->flags & SLOT_KEPT_BACK, launch = detail->command == COMMAND_LAUNCH;
    int called = !kept_back && !(slot->flags & SLOT_IN_GRAPH);
    uint32_t function = of->is_recorder ? (uint32_t)(detail->number < FUNCTIONS ? detail->number : FUNCTIONS - 1) : detail->command;
    uint64_t key = (uint64_t)detail->device << 32 | function;
    int64_t begin = host_time(&of->host, slot->begin), took = host_span(&of->host, slot->begin, slot->end);
    int64_t inside = kept_back ? 0 : host_span(&of->host, slot->driver_begin, slot->driver_end), own;
    uint32_t direction = launch ? NO_DIRECTION : command_direction(slot, detail);
    condenser_stream(of, detail->device, slot->stream);
    condenser_limit(of, begin, begin + took);
    of->timed += (slot->flags & SLOT_TIMED) != 0;
    if (called) {
        condense_value(of, cell_of(&of->all, &ring->function, TABLE_COMMAND, key), inside, failed);
        condense_sum(of, cell_of(&of->all, &ring->commands, TABLE_THREAD, (uint64_t)ring->thread << 1), inside, 0);
        if (launch) turn_called(ring, PART_SUBMIT, inside, inside);
        else { /* with what is staged for it, but without the calls that are told by themselves */
            own = took - (int64_t)cell_value((int64_t)calls_since(ring, slot->begin));
            turn_called(ring, PART_COPY, own > inside ? own : inside, took);
        }
    }
    if (of->is_recorder) {
        cell *records = cell_of(&of->all, &ring->recorded, TABLE_RECORDED, key);
        if (records) records->calls += 1;
    } else if (launch && !(slot->flags & SLOT_IN_STEP)) condense_timed(of, cell_of(&of->all, &of->launch, TABLE_LAUNCH, 0), begin, took, failed);
    if (launch) condense_launch(of, slot, called, failed, inside, took);
    else if (!kept_back) condense_moved(of, slot, detail, direction, failed);
    ring->correlation = slot->correlation, ring->span = (uint64_t)inside, ring->number_of = function, ring->is_command = 1;
    ring->is_copy = !launch && !failed, ring->direction = direction;
    if (!launch) ring->bytes = detail->of.copy.bytes, ring->to = detail->of.copy.to;
}
