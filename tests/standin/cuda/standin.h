/* What the tests and their kernels see of the stand-in: registering kernels, steering it, and what it noticed. */
#ifndef STANDIN_H
#define STANDIN_H

#include <stddef.h>
#include <stdint.h>

typedef struct standin_launch {
    unsigned int grid[3];
    unsigned int block[3];
    unsigned int shared; /* bytes of dynamic shared memory */
    unsigned int cooperative;
    int device;
    unsigned int size; /* bytes of arguments */
    const char *name;
    void *stream; /* the handle that was launched on */
} standin_launch;

/* Called once for a whole grid, on a thread of the stand-in. What it returns, if not 0, becomes its context's error. */
typedef int (*standin_kernel)(const standin_launch *launch, const unsigned char *arguments);

/* `offsets` and `sizes` may be NULL with count 0: they are then what the module says. */
void standin_register(const char *name, standin_kernel function, unsigned int count, const size_t *offsets,
                      const size_t *sizes);

/* The nth next call of that name fails with `code`, or each if nth is 0; code 0 takes it back; NULL takes back all.
 * "run:NAME" fails a kernel when it runs, "run:copy" and "run:fill" a copy and a fill: that is a sticky error. */
void standin_fail(const char *name, unsigned int nth, int code);

/* Text, one line each, and its size with the final NUL; nothing is cleared unless all of it fitted.
 * Calls: name, thread, stream, result, detail, separated by tabs. Reports: misuse that was noticed. */
size_t standin_calls(char *text, size_t size, int clear);
size_t standin_reports(char *text, size_t size, int clear);
void standin_record(int on);

/* What a texture object is the address of. Its elements have no gaps, and are as they were copied. */
typedef struct standin_texture {
    int magic;
    int live; /* 0: it was destroyed, and its memory is kept for a while */
    const void *elements;
    size_t size; /* bytes */
} standin_texture;

/* While it is paused, an operation starts only if a step allows it. */
void standin_pause(void);
void standin_resume(void);
unsigned int standin_step(unsigned int count);                      /* oldest that is ready first; how many have run */
unsigned int standin_step_stream(void *stream, unsigned int count); /* only this stream's, in its context's */
unsigned int standin_ready(void);                                   /* operations that could start now */
unsigned int standin_pending(void);                                 /* operations not complete */

/* What exists: "streams", "events", "memory", "bytes", "pinned", "pools", "modules", "graphs" (and what was
 * instantiated of them), "nodes" (of graphs that have not been destroyed), "arrays", "textures", "user_objects", "destroying" (user objects whose function has yet to return), "contexts";
 * -1: no such thing. */
long long standin_live(const char *what);
/* "depth", "free_waits", "load_waits", "create_waits", "cooperative_blocks", "memory", "version", "peers", "let_go", "destroy_at_once", "dependent": see options.c.
 * Not 0: no such option. */
int standin_option(const char *name, long long value);
/* As after a new start: waits for all work, ends all contexts, forgets faults, records, reports and options. */
void standin_reset(void);

#endif
