/* Records: created when an operation is submitted, put into a buffer at the end of its call, and complete when it is over. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core.h"

static _Thread_local struct record *first, *last; /* of the call that this thread is in */

void record_drop(struct record *record) {
    if (!--record->references) free(record);
}

/* Names live as long as records that a client keeps. */
static const char *kept(const char *name) {
    static struct name {
        struct name *next;
        char text[];
    } *names;
    struct name *entry = names;
    while (entry && strcmp(entry->text, name)) entry = entry->next;
    if (!entry) {
        entry = malloc(sizeof *entry + strlen(name) + 1);
        entry->next = names;
        strcpy(entry->text, name);
        names = entry;
    }
    return entry->text;
}

standin_profiled *record_submits(unsigned int number, const standin_submitted *submitted) {
    static const int kinds[] = {SC_KIND_KERNEL, SC_KIND_COPY, SC_KIND_FILL, SC_KIND_PEER_COPY};
    struct record *record = NULL;
    pthread_mutex_lock(&cupti_lock);
    if (client.kinds[kinds[submitted->kind]]) {
        record = calloc(1, sizeof *record);
        *record = (struct record){.session = client.session, .number = number, .kind = kinds[submitted->kind], .node = submitted->node};
        record->base.profiler = &cupti_profiler;
        record->references = 2; /* the operation's, and that of its call and then of its buffer */
        record->device = submitted->device;
        record->bytes = submitted->bytes;
        record->lost = option_lose && !--option_lose;
        if (submitted->launch) {
            record->name = kept(submitted->launch->name);
            memcpy(record->grid, submitted->launch->grid, sizeof record->grid);
            memcpy(record->block, submitted->launch->block, sizeof record->block);
        }
        if (last)
            last->next = record;
        else
            first = record;
        last = record;
    }
    pthread_mutex_unlock(&cupti_lock);
    return (standin_profiled *)record;
}

static uint64_t now(const struct record *record) {
    struct timespec time;
    pthread_mutex_lock(&cupti_lock);
    sc_clock clock = record->session == client.session ? client.clock : NULL;
    pthread_mutex_unlock(&cupti_lock);
    if (clock) return clock();
    clock_gettime(CLOCK_REALTIME, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

void record_starts(standin_profiled *record) { ((struct record *)record)->started = now((struct record *)record); }

void record_stops(standin_profiled *record) { ((struct record *)record)->ended = now((struct record *)record); }

void record_over(standin_profiled *profiled, bool ran) {
    struct record *record = (struct record *)profiled;
    pthread_mutex_lock(&cupti_lock);
    record->complete = ran && !record->lost;
    if (record->complete && record->buffer) buffer_complete(record->buffer, record);
    record_drop(record);
    pthread_mutex_unlock(&cupti_lock);
}

/* Puts a record into a buffer of this thread, which the client is asked for if there is none. */
static void place(struct record *record) {
    struct buffer *buffer = NULL;
    pthread_mutex_lock(&cupti_lock);
    while (record->session == client.session && !(buffer = buffer_with_room(record->kind))) {
        uint8_t *memory = NULL;
        size_t size = 0, most = 0;
        sc_request request = client.request;
        sc_request_2 request_2 = client.request_2;
        sc_complete complete = client.complete;
        if (!request && !request_2) break;
        pthread_mutex_unlock(&cupti_lock);
        if (request_2) request_2(&memory, &size, &most, NULL);
        else request(&memory, &size, &most);
        bool ended = false;
        pthread_mutex_lock(&cupti_lock);
        if (!memory || size < sizeof(sc_kernel)) break;
        ended = record->session != client.session;
        if (!ended) buffer_new(memory, size, most);
        if (ended) {
            pthread_mutex_unlock(&cupti_lock);
            if (complete) complete(NULL, 0, memory, size, 0);
            pthread_mutex_lock(&cupti_lock);
        }
    }
    if (buffer)
        buffer_put(buffer, record);
    else
        record_drop(record);
    pthread_mutex_unlock(&cupti_lock);
}

void call_places(const char *name, int result) {
    struct record *record = first;
    bool graph = !strcmp(name, "cuGraphLaunch");
    first = last = NULL;
    if (graph && option_reverse) {
        struct record *reversed = NULL;
        while (record) {
            struct record *next = record->next;
            record->next = reversed;
            reversed = record;
            record = next;
        }
        record = reversed;
    }
    while (record) {
        struct record *next = record->next;
        record->next = NULL;
        if (result) {
            pthread_mutex_lock(&cupti_lock);
            record_drop(record);
            pthread_mutex_unlock(&cupti_lock);
        } else
            place(record);
        record = next;
    }
}
