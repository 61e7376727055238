/* Buffers of the client's: each is filled by one thread, and goes back once its records are complete. */
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core.h"

#define COMPLETE_MOST (1 << 18)

struct buffer {
    struct buffer *next;
    const void *owner;
    uint8_t *memory;
    size_t size, used;
    unsigned long long room, incomplete; /* records */
    bool full, due, ended; /* `ended`: by cuptiFinalize */
    struct record *first, *last;
};

struct complete_record { /* it was complete when the client got it */
    uint32_t number;
    int kind;
    uint64_t node, started, ended;
    unsigned int grid, block;
    const char *name;
};

static _Thread_local char here;
static struct buffer *buffers, *due, *left; /* the oldest first; `left`: for later, see LEAVE_* */
static unsigned int delivering;
static bool has_thread;
static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER, delivered = PTHREAD_COND_INITIALIZER;
static struct complete_record *complete_records;
static size_t complete_count, complete_room;

static size_t size_of(int kind) {
    if (client.with_fields) return second_size(kind);
    switch (kind) {
    case SC_KIND_KERNEL: return sizeof(sc_kernel);
    case SC_KIND_COPY: return sizeof(sc_copy);
    case SC_KIND_FILL: return sizeof(sc_fill);
    case SC_KIND_PEER_COPY: return sizeof(sc_peer_copy);
    default: return 0;
    }
}

static void append(struct buffer **list, struct buffer *buffer) {
    while (*list) list = &(*list)->next;
    buffer->next = NULL;
    *list = buffer;
}

static void take(struct buffer **list, struct buffer *buffer) {
    while (*list != buffer) list = &(*list)->next;
    *list = buffer->next;
}

/* To the client, as it is: a forced flush does so before its records are complete. */
static void give(struct buffer *buffer) {
    take(&buffers, buffer);
    append(&due, buffer);
    buffer->due = true;
}

/* Its records have nothing to do with it any more. `note`: the complete ones are noted, for tests. */
static void detach(struct buffer *buffer, bool note) {
    for (struct record *record = buffer->first, *next; record; record = next) {
        next = record->next;
        if (note && record->complete && complete_count < COMPLETE_MOST) {
            if (complete_count == complete_room) {
                complete_room = complete_room ? 2 * complete_room : 256;
                complete_records = realloc(complete_records, complete_room * sizeof *complete_records);
            }
            complete_records[complete_count++] =
                (struct complete_record){record->number, record->kind,    record->node,     record->started,
                                         record->ended,  record->grid[0], record->block[0], record->name};
        }
        record->buffer = NULL;
        record->next = NULL;
        record_drop(record);
    }
    buffer->first = buffer->last = NULL;
}

/* Gives the client a buffer that is due; false: none is. Releases the lock meanwhile. */
static bool deliver(void) {
    struct buffer *buffer = due;
    if (!buffer) return false;
    while (option_newest_first && buffer->next) buffer = buffer->next;
    take(&due, buffer);
    detach(buffer, true);
    sc_complete complete = client.complete;
    bool second = client.second;
    delivering++;
    pthread_mutex_unlock(&cupti_lock);
    if (second) second_complete(buffer->memory, buffer->size, buffer->used);
    else if (complete) complete(NULL, 0, buffer->memory, buffer->size, buffer->used);
    pthread_mutex_lock(&cupti_lock);
    delivering--;
    free(buffer);
    pthread_cond_broadcast(&delivered);
    return true;
}

static void *deliver_all(void *nothing) {
    pthread_mutex_lock(&cupti_lock);
    for (;;)
        if (option_hold || option_at_flush || !deliver()) pthread_cond_wait(&wanted, &cupti_lock);
    return nothing;
}

static void deliver_later(void) {
    sigset_t all, before;
    pthread_t thread;
    pthread_cond_signal(&wanted);
    if (has_thread) return;
    sigfillset(&all); /* the program's signals are for its own threads */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    has_thread = !pthread_create(&thread, NULL, deliver_all, NULL);
    if (has_thread) pthread_detach(thread);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void buffers_release(void) {
    if (due) deliver_later();
}

static void due_if_full(struct buffer *buffer) {
    if (!buffer->full || buffer->incomplete || buffer->due) return;
    give(buffer);
    deliver_later();
}

struct buffer *buffer_with_room(int kind) {
    struct buffer *buffer = buffers;
    while (buffer && (buffer->owner != &here || buffer->full)) buffer = buffer->next;
    if (!buffer || (buffer->room && buffer->used + size_of(kind) <= buffer->size)) return buffer;
    buffer->full = true;
    due_if_full(buffer);
    return NULL;
}

struct buffer *buffer_new(uint8_t *memory, size_t size, size_t most) {
    struct buffer *buffer = calloc(1, sizeof *buffer);
    *buffer = (struct buffer){.owner = &here, .memory = memory, .size = size, .room = most ? most : ~0ull};
    if (option_records && option_records < buffer->room) buffer->room = option_records;
    append(&buffers, buffer);
    return buffer;
}

static void write_times(const struct buffer *buffer, const struct record *record) {
    if (client.with_fields) {
        second_write(buffer->memory + record->at, record);
        return;
    }
    memcpy(buffer->memory + record->at + offsetof(sc_kernel, start), &record->started, 8); /* all kinds have them there */
    memcpy(buffer->memory + record->at + offsetof(sc_kernel, end), &record->ended, 8);
}

void buffer_complete(struct buffer *buffer, struct record *record) {
    write_times(buffer, record);
    buffer->incomplete--;
    due_if_full(buffer);
}

static void write_record(void *at, const struct record *record) {
    if (client.with_fields) {
        second_write(at, record);
        return;
    }
    uint32_t device = (uint32_t)record->device, number = record->number;
    uint64_t bytes = record->bytes, node = record->node;
    if (record->kind == SC_KIND_KERNEL) {
        sc_kernel *kernel = at;
        *kernel = (sc_kernel){
            .kind = SC_KIND_KERNEL, .device = device, .number = number, .node = node, .name = record->name};
        for (int i = 0; i < 3; i++) kernel->grid[i] = (int)record->grid[i], kernel->block[i] = (int)record->block[i];
    } else if (record->kind == SC_KIND_COPY)
        *(sc_copy *)at =
            (sc_copy){.kind = SC_KIND_COPY, .bytes = bytes, .device = device, .number = number, .node = node};
    else if (record->kind == SC_KIND_FILL)
        *(sc_fill *)at =
            (sc_fill){.kind = SC_KIND_FILL, .bytes = bytes, .device = device, .number = number, .node = node};
    else
        *(sc_peer_copy *)at =
            (sc_peer_copy){.kind = SC_KIND_PEER_COPY, .bytes = bytes, .device = device, .number = number, .node = node};
}

void buffer_put(struct buffer *buffer, struct record *record) {
    record->buffer = buffer;
    record->at = buffer->used;
    buffer->used += size_of(record->kind);
    buffer->room--;
    write_record(buffer->memory + record->at, record);
    if (buffer->last)
        buffer->last->next = record;
    else
        buffer->first = record;
    buffer->last = record;
    if (record->complete)
        write_times(buffer, record);
    else
        buffer->incomplete++;
    buffer->full = !buffer->room || buffer->used + sizeof(sc_kernel) > buffer->size;
    due_if_full(buffer);
}

unsigned int buffers_end(void) {
    unsigned int count = 0;
    for (struct buffer *buffer = buffers, *next; option_leave && buffer; buffer = next) {
        next = buffer->next;
        if (buffer->incomplete) continue;
        take(&buffers, buffer);
        append(&left, buffer);
        buffer->ended = true;
    }
    for (struct buffer **list = &buffers;; list = &due) {
        while (*list) {
            struct buffer *buffer = *list;
            *list = buffer->next;
            detach(buffer, false);
            free(buffer);
            count++;
        }
        if (list == &due) return count;
    }
}

unsigned int buffers_count(void) {
    unsigned int count = delivering;
    for (struct buffer *buffer = buffers; buffer; buffer = buffer->next) count++;
    for (struct buffer *buffer = due; buffer; buffer = buffer->next) count++;
    return count;
}

void buffers_left_due(void) {
    while (left) {
        struct buffer *buffer = left;
        take(&left, buffer);
        append(&due, buffer);
    }
}

void buffers_deliver(void) {
    while (deliver());
    while (delivering) pthread_cond_wait(&delivered, &cupti_lock);
}

/* Delivers buffers whose records are complete, or all, before it returns, unless a test holds them back. */
EXPORT int cuptiActivityFlushAll(uint32_t flags) {
    int code = call_fault(__func__);
    bool forced = flags & SC_FORCED;
    pthread_mutex_lock(&cupti_lock);
    if (left && left->ended) buffers_left_due();
    for (struct buffer *buffer = buffers, *next; !code && buffer; buffer = next) {
        next = buffer->next;
        if (buffer->incomplete && (!forced || option_leave)) continue;
        give(buffer);
    }
    while (!code && (forced || !option_hold) && deliver());
    while (!code && delivering) pthread_cond_wait(&delivered, &cupti_lock);
    pthread_mutex_unlock(&cupti_lock);
    return call_note(__func__, code, "%u", flags);
}

/* The first record if `*record` is NULL, otherwise the next. */
EXPORT int cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, void **record) {
    return client.second ? SC_ERROR_NOT_COMPATIBLE : buffer_next(buffer, valid, record);
}

int buffer_next(uint8_t *buffer, size_t valid, void **record) {
    size_t at = 0;
    if (!buffer || !record) return SC_ERROR_INVALID_PARAMETER;
    if (*record) {
        size_t size = size_of(*(const int32_t *)*record);
        if (!size) return SC_ERROR_INVALID_KIND;
        at = (size_t)((uint8_t *)*record - buffer) + size;
    }
    if (at >= valid) return SC_ERROR_MAX_LIMIT_REACHED;
    *record = buffer + at;
    return SC_SUCCESS;
}

/* Records that were complete when the client got them: number, kind, node, start, end, name, grid
 * and block, separated by tabs. */
EXPORT size_t standin_cupti_records(char *text, size_t size, int clear) {
    pthread_mutex_lock(&cupti_lock);
    size_t length = 0;
    for (size_t i = 0; i < complete_count; i++) {
        const struct complete_record *record = &complete_records[i];
        size_t room = length < size ? size - length : 0;
        length += (size_t)snprintf(room ? text + length : NULL, room, "%u\t%d\t%llu\t%llu\t%llu\t%s\t%u\t%u\n",
                                   record->number, record->kind, (unsigned long long)record->node,
                                   (unsigned long long)record->started, (unsigned long long)record->ended,
                                   record->name ? record->name : "", record->grid, record->block);
    }
    if (!length && size) text[0] = 0;
    if (clear && length < size) complete_count = 0;
    pthread_mutex_unlock(&cupti_lock);
    return length + 1;
}
