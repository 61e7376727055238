/* What CUPTI reports: buffers of records, which its threads fill and the recorder's own thread reads. */
#ifndef LAUNCHPATH_RECORDER_CUPTI_RECORDS_H
#define LAUNCHPATH_RECORDER_CUPTI_RECORDS_H

#include "pending.h"

enum {
    CUPTI_BUFFER = 1 << 20,         /* bytes of records */
    CUPTI_TIMES_SLACK = 10000000,   /* nanoseconds by which CUPTI's clock may be off before a time counts as wrong */
    CUPTI_LATER_MOST = 1 << 16,     /* records whose calls have not returned yet */
    /* Versions before 13 are known to tell 0, or times that run backwards, after some 25 million records of nodes of graphs.
       13.0 and 13.5 had none of that in 32 million (an H200). */
    CUPTI_NODES_LIMITED = 130000,
    CUPTI_NODES_MOST = 20000000,
    CUPTI_WRONG_MOST = 1000         /* wrong times one after the other, after which they end */
};

typedef struct cupti_buffer cupti_buffer;
struct cupti_buffer { /* the records follow */
    cupti_buffer *next;
    uint64_t valid;                    /* bytes of records */
    cupti_shape shapes[CUPTI_KINDS];
};

/* What one record tells. */
typedef struct {
    int kind; /* CUPTI_KERNELS, ... */
    uint32_t number;
    uint64_t start, end, node;
    const char *name;
} cupti_row;

static struct {
    lp_lock lock;               /* a leaf: lists of buffers */
    cupti_buffer *empty;
    cupti_buffer *full, **last; /* not read yet, the oldest first */
    /* Of the reader, which has `pending.lock`. */
    cupti_row *later;           /* records whose calls have not returned */
    uint32_t n_later;
    uint64_t of_graphs;         /* records, ever */
    uint32_t wrong;             /* times, one after the other */
    int whole;                  /* all is asked for: records without times are of what is not complete */
    uint64_t read;              /* records, ever */
} cupti_records;

static void cupti_buffer_give(uint8_t **buffer, size_t *size, size_t *most) {
    cupti_buffer *empty;
    lp_lock_acquire(&cupti_records.lock);
    empty = cupti_records.empty;
    if (empty) cupti_records.empty = empty->next;
    lp_lock_release(&cupti_records.lock);
    if (empty == 0) empty = (cupti_buffer *)malloc(sizeof *empty + CUPTI_BUFFER);
    *buffer = empty ? (uint8_t *)(empty + 1) : 0;
    *size = empty ? CUPTI_BUFFER : 0, *most = 0;
}

static void cupti_buffer_give_2(uint8_t **buffer, size_t *size, size_t *most, void *unused) {
    (void)unused;
    cupti_buffer_give(buffer, size, most);
}

static void cupti_buffer_take(uint8_t *records, size_t valid, const cupti_shape *shapes) {
    cupti_buffer *buffer = (cupti_buffer *)records - 1;
    if (records == 0) return;
    buffer->valid = valid, buffer->next = 0;
    memcpy(buffer->shapes, shapes, sizeof buffer->shapes);
    lp_lock_acquire(&cupti_records.lock);
    if (cupti_records.full == 0) cupti_records.last = &cupti_records.full;
    *cupti_records.last = buffer, cupti_records.last = &buffer->next;
    lp_lock_release(&cupti_records.lock);
}

static void cupti_buffer_filled(void *context, uint32_t stream, uint8_t *records, size_t size, size_t valid) {
    (void)context, (void)stream, (void)size;
    cupti_buffer_take(records, valid, cupti_whole_records);
}

/* Where a kind's fields are, by the layout that comes with a buffer. Without one no record of the kind is in it. */
static cupti_shape cupti_shape_of(const cupti_layout *layout, int kind) {
    cupti_shape shape = {{0, -1, -1, -1, -1, -1}};
    size_t i;
    int field;
    for (i = 0; layout && i < layout->n; i++)
        for (field = FIELD_START; field < cupti_fields_of(kind); field++)
            if (layout->fields[i].field == cupti_fields[kind][field]) shape.at[field] = (int)layout->fields[i].offset;
    return shape;
}

static void cupti_buffer_filled_2(uint8_t *records, size_t size, size_t valid, const cupti_completion *completion) {
    cupti_shape shapes[CUPTI_KINDS];
    int kind;
    (void)size;
    if (!cupti.with_fields) {
        cupti_buffer_take(records, valid, cupti_whole_records);
        return;
    }
    for (kind = 0; kind < CUPTI_KINDS; kind++)
        shapes[kind] = cupti_shape_of(completion && (size_t)cupti_kinds[kind] < completion->n ? completion->layouts[cupti_kinds[kind]] : 0, kind);
    cupti_buffer_take(records, valid, shapes);
}

static void cupti_field_read(const uint8_t *record, int at, void *into, size_t size) {
    if (at >= 0) memcpy(into, record + at, size);
}

/* Read a record; 0: it is of another kind, or lacks a field. */
static int cupti_row_read(const cupti_buffer *buffer, const uint8_t *record, cupti_row *row) {
    const cupti_shape *shape;
    int kind;
    memset(row, 0, sizeof *row);
    memcpy(&kind, record, sizeof kind);
    for (row->kind = 0; row->kind < CUPTI_KINDS && cupti_kinds[row->kind] != kind; row->kind++) {}
    if (row->kind == CUPTI_KINDS) return 0;
    shape = &buffer->shapes[row->kind];
    if (shape->at[FIELD_START] < 0 || shape->at[FIELD_END] < 0 || shape->at[FIELD_NUMBER] < 0) return 0;
    cupti_field_read(record, shape->at[FIELD_START], &row->start, sizeof row->start);
    cupti_field_read(record, shape->at[FIELD_END], &row->end, sizeof row->end);
    cupti_field_read(record, shape->at[FIELD_NUMBER], &row->number, sizeof row->number);
    cupti_field_read(record, shape->at[FIELD_NODE], &row->node, sizeof row->node);
    cupti_field_read(record, shape->at[FIELD_NAME], &row->name, sizeof row->name);
    return 1;
}

static int cupti_kind_is(int kind, uint8_t command) {
    return kind == CUPTI_KERNELS ? command == COMMAND_LAUNCH : kind == CUPTI_FILLS ? command == COMMAND_FILL
                                 : command != COMMAND_LAUNCH && command != COMMAND_FILL;
}

/* The node of a record whose id is new: the first that has none, of the same kind and name; -1: there is none. The caller has
   `node_ids_lock`. */
LP_NOINLINE static int64_t cupti_node_learn(cuda_graph *graph, const cupti_row *row, uint32_t name) {
    uint8_t *known = (uint8_t *)calloc(graph->n + 1, 1);
    int64_t place = -1;
    uint32_t i;
    if (known == 0) return -1;
    if (!graph->ids.confirmed) node_ids_restart(&graph->ids, row->node); /* all of them may be of a graph in this one */
    for (i = 0; i < graph->ids.room; i++)
        if (graph->ids.nodes[i]) known[graph->ids.nodes[i] - 1] = 1;
    for (i = 0; i < graph->n && place < 0; i++)
        if (!known[i] && cupti_kind_is(row->kind, graph->nodes[i].what.command) && (name == 0 || name == graph->nodes[i].what.name)) place = i;
    if (place >= 0 && !node_ids_set(&graph->ids, row->node, (uint32_t)place)) place = -1; /* the next record would take the node again */
    free(known);
    return place;
}

static int64_t cupti_node(cuda_graph *graph, const cupti_row *row) {
    int64_t node;
    uint32_t name;
    lp_lock_acquire(&node_ids_lock);
    node = node_ids_find(&graph->ids, row->node);
    if (node >= 0) graph->ids.confirmed = 1;
    lp_lock_release(&node_ids_lock);
    if (LP_LIKELY(node >= 0)) return node;
    name = row->name ? name_number_of(&kernel_names, row->name) : 0;
    lp_lock_acquire(&node_ids_lock);
    node = cupti_node_learn(graph, row, name);
    lp_lock_release(&node_ids_lock);
    return node;
}

static void cupti_times_write(lp_records *ring, const cupti_row *row, const pending_command *command, const payload *what, int64_t node) {
    uint64_t enqueued = process_nanoseconds(command->enqueued);
    times_slot *slot;
    /* It tells 0 where it could not take a time, and after very many records of graphs also times that are wrong. */
    if (row->start == 0 || row->end < row->start || row->start + CUPTI_TIMES_SLACK < enqueued ||
        row->end > lp_nanoseconds() + CUPTI_TIMES_SLACK) {
        lp_add(&lp_trace.header->counters.failed_times, 1);
        cupti_records.wrong += 1;
        return;
    }
    cupti_records.wrong = 0;
    if (!records_has_room(ring, 1)) return;
    slot = &records_slot(ring, 0)->times;
    memset(slot, 0, sizeof *slot);
    slot->kind = SLOT_TIMES, slot->device = command->device, slot->stream = command->stream;
    slot->correlation = command->correlation, slot->enqueued = command->enqueued;
    slot->name = command->name, slot->command = command->command;
    if (what) {
        slot->correlation += (uint64_t)node, slot->node = (uint32_t)node, slot->step = command->graph->number;
        slot->name = what->name, slot->command = what->command;
    }
    slot->started = row->start, slot->ended = row->end;
    records_publish(ring, 1);
}

/* Why times have to end; NULL: they need not. */
static const char *cupti_records_wrong(void) {
    const uint64_t most = options.graph_records ? options.graph_records : cupti.version < CUPTI_NODES_LIMITED ? CUPTI_NODES_MOST : UINT64_MAX;
    if (cupti_records.of_graphs > most) return "it had told of so many nodes of graphs that further times may be wrong";
    return cupti_records.wrong > CUPTI_WRONG_MOST ? "it told wrong times" : 0;
}

/* Write the times that a record tells. 0: its call has not returned, so later. The caller has `pending.lock`. */
static int cupti_row_write(lp_records *ring, const cupti_row *row) {
    pending_command *command = pending_place(row->number);
    uint64_t state = lp_load(&command->state);
    const payload *what = 0;
    int64_t node = -1;
    if (state >> 2 != row->number || phase_of(state) == PENDING_FREE) return 1; /* of a command without a record */
    if (phase_of(state) == PENDING_IN_CALL) return 0;
    if (cupti_records.whole && (row->start == 0 || row->end == 0)) return 1;
    if (command->graph) {
        node = cupti_node(command->graph, row);
        if (node < 0) {
            not_understood();
            return 1;
        }
        if (command->graph->nodes[node].excluded) return 1;
        what = &command->graph->nodes[node].what;
    }
    cupti_times_write(ring, row, command, what, node);
    lp_add(&pending.left, -1);
    if (--command->left == 0) pending_end(command, 0);
    return 1;
}

static void cupti_row_take(lp_records *ring, const cupti_row *row) {
    cupti_records.read += 1;
    cupti_records.of_graphs += row->node != 0;
    if (cupti_row_write(ring, row)) return;
    if (cupti_records.later == 0) cupti_records.later = (cupti_row *)malloc(CUPTI_LATER_MOST * sizeof *row);
    if (cupti_records.later && cupti_records.n_later < CUPTI_LATER_MOST) cupti_records.later[cupti_records.n_later++] = *row;
    else lp_add(&lp_trace.header->counters.failed_times, 1);
}

static void cupti_later_read(lp_records *ring) {
    uint32_t i, n = 0;
    for (i = 0; i < cupti_records.n_later; i++)
        if (!cupti_row_write(ring, &cupti_records.later[i])) cupti_records.later[n++] = cupti_records.later[i];
    cupti_records.n_later = n;
}

static int cupti_next(cupti_buffer *buffer, void **record) {
    uint8_t *records = (uint8_t *)(buffer + 1);
    if (buffer->valid == 0) return -1;
    return cupti.second_way ? cupti.more.next_2(cupti.subscriber, records, buffer->valid, record) : cupti.call.next(records, buffer->valid, record);
}

/* Read what has come. */
static void cupti_records_read(lp_records *ring) {
    cupti_buffer *buffer, *next;
    cupti_row row;
    void *record;
    lp_lock_acquire(&cupti_records.lock);
    buffer = cupti_records.full, cupti_records.full = 0;
    lp_lock_release(&cupti_records.lock);
    lp_lock_acquire(&pending.lock);
    cupti_later_read(ring);
    for (; buffer; buffer = next) {
        next = buffer->next, record = 0;
        while (cupti_next(buffer, &record) == 0)
            if (cupti_row_read(buffer, (const uint8_t *)record, &row)) cupti_row_take(ring, &row);
        lp_lock_acquire(&cupti_records.lock);
        buffer->next = cupti_records.empty, cupti_records.empty = buffer;
        lp_lock_release(&cupti_records.lock);
    }
    lp_lock_release(&pending.lock);
}

#endif
