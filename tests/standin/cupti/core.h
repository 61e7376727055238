/* The declarations that the stand-in's files share.
 *
 * One lock guards all of it. It is a leaf: neither the client nor the stand-in of CUDA is called with it, and the latter may
 * hold its own lock when it calls. Functions below are called with it held, unless they say otherwise. */
#ifndef STANDIN_CUPTI_CORE_H
#define STANDIN_CUPTI_CORE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "../cuda/profiler.h"
#include "abi.h"

#define EXPORT __attribute__((visibility("default")))
#define CALLS_MOST 1024 /* numbers of the driver's functions */

/* attach.c */
struct client {
    unsigned long long session; /* records of an earlier session have no client any more */
    bool subscribed;
    sc_callback callback;
    void *data;
    bool watched[CALLS_MOST];
    bool kinds[SC_KINDS];
    bool clones;        /* it hears of nodes of new executable graphs */
    bool second;        /* it came the second way */
    bool with_fields;   /* and chooses the fields of its records: */
    struct {
        size_t n;
        int all[SC_FIELDS_MOST];
    } fields[SC_KINDS];
    sc_clock clock;
    sc_request request;
    sc_complete complete;
    sc_request_2 request_2;
    sc_complete_2 complete_2;
};
extern pthread_mutex_t cupti_lock;
extern struct client client;
extern const standin_profiler cupti_profiler;

struct record;

/* control.c */
extern unsigned long long option_records; /* of a buffer; 0: as many as fit */
extern bool option_reverse;               /* the records of a graph's nodes: those of the last node first */
extern bool option_at_flush;              /* full buffers too are delivered at a flush only */
extern bool option_newest_first;          /* of the buffers that are due */
extern bool option_hold;                  /* only a forced flush delivers buffers */
extern unsigned long long option_late_us; /* the client hears of a call's end so many microseconds late */
extern unsigned long long option_lose;    /* the nth next record is never complete; 0: none */
extern unsigned long long option_leave;   /* a forced flush leaves buffers with records that are not complete: see LEAVE_* */
#define LEAVE_TO_END 1                    /* cuptiFinalize delivers them, if they are complete by then */
#define LEAVE_TO_NEXT 2                   /* the first flush after that does */
extern unsigned long long option_version; /* 0: SC_VERSION */
extern bool option_other;                  /* another profiler is there, which allows no second one of the first way */
extern unsigned long long option_clones;   /* of nodes: CLONES_* */
#define CLONES_UNTOLD 1                    /* the client hears of none */
#define CLONES_OTHERS 2                    /* it hears of others than those in the records, as with graphs in a graph */
void options_read(void);
/* Both take the lock. The first returns the code that a test asked for; the second notes a code, and returns it. */
int call_fault(const char *name);
int call_note(const char *name, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* attach.c: of the subscription; the lock is not held */
int client_attach(void);
uint32_t client_version(void);
int client_wants(const char *name, int kind, bool on);
void *client_subscribed(sc_callback callback, void *data); /* the handle; with the lock */
bool client_is(const void *handle);
void node_cloned(const void *node, const void *from, uint64_t id);

/* second.c */
size_t second_size(int kind);                          /* of a record with chosen fields */
void second_write(void *at, const struct record *record); /* with its times, as far as they are known */
void second_complete(uint8_t *memory, size_t size, size_t used);

/* record.c: all but `records_*` take the lock themselves */
standin_profiled *record_submits(unsigned int number, const standin_submitted *submitted);
void record_starts(standin_profiled *record);
void record_stops(standin_profiled *record);
void record_over(standin_profiled *record, bool ran);
void call_places(const char *name, int result); /* this thread's call is over: its records go to buffers */
struct record {
    standin_profiled base;
    struct record *next; /* of a call, then of a buffer */
    unsigned long long session;
    unsigned int number;
    int kind, device, references;
    bool lost, complete;
    uint64_t started, ended, node, bytes;
    struct buffer *buffer;
    size_t at;
    const char *name; /* NULL: no kernel's; it stays */
    unsigned int grid[3], block[3];
};
void record_drop(struct record *record);

/* buffer.c */
struct buffer *buffer_with_room(int kind); /* of this thread; NULL: none, and the buffer that it had is full */
struct buffer *buffer_new(uint8_t *memory, size_t size, size_t most);
void buffer_put(struct buffer *buffer, struct record *record);
void buffer_complete(struct buffer *buffer, struct record *record);
unsigned int buffers_end(void); /* drops all buffers but those that were left for later; returns how many */
void buffers_left_due(void);    /* those are due now */
void buffers_deliver(void);     /* delivers what is due before it returns; the lock is released meanwhile */
void buffers_release(void);     /* delivers buffers that were held back */
unsigned int buffers_count(void);
int buffer_next(uint8_t *buffer, size_t valid, void **record); /* without the lock */

#endif
