/* What the stand-in's own files share.
 *
 * One lock guards all of it. Every exported function takes it in call_begin and gives it back in call_end; kernels,
 * copies and host functions run without it. Functions below are called with it held, unless they say otherwise. */
#ifndef STANDIN_CORE_H
#define STANDIN_CORE_H

#include <pthread.h>
#include <stdbool.h>

#include "abi.h"
#include "operation.h"
#include "standin.h"

#define MAX_DEVICES 16
#define EXPORT __attribute__((visibility("default")))

/* library.c */
extern pthread_mutex_t standin_lock;
extern bool standin_forked;  /* in a child of the process that called cuInit: no thread of ours is there */
extern bool standin_stopped; /* the process is exiting */
extern bool standin_initialized;
extern int standin_devices;
extern int standin_version;
unsigned long long now_ns(void);

/* options.c */
extern unsigned long long
    option_depth;              /* commands in flight on one stream before the caller is made to wait; 0: no end */
extern bool option_load_waits; /* cuModuleLoadDataEx waits for all work, as CUDA's does */
extern bool option_free_waits; /* cuMemFree, cuMemFreeHost and cuModuleUnload wait for all work, as CUDA's do */
extern unsigned int option_create_waits; /* so does each n-th stream that is made; 0: none */
extern unsigned int
    option_cooperative; /* blocks per multiprocessor that a cooperative launch may have; 0: all that fit */
extern unsigned long long option_memory; /* bytes of a device */
extern unsigned int option_managed; /* memory: 0 none, 1 whenever the host likes, 2 while the device is idle */
extern bool option_peers;           /* devices can access each other's memory */
extern bool option_let_go;          /* waits for values end, whatever the values are */
extern unsigned int option_late_queries; /* queries in a row that find work not complete; the next one waits. 0: none */
extern bool option_dependent;       /* false: no dependent launch and no dependent edge is taken */
extern bool option_destroy_at_once; /* by the thread that takes a user object's last reference, as HIP does it */
void options_read(void);

/* call.c */
enum needs { NEEDS_NOTHING, NEEDS_INIT, NEEDS_CONTEXT };
struct call {
    const char *name;
    const void *stream;
    char detail[80];
    bool locked;
    CUresult result;
};
bool call_begin(struct call *call, const char *name, const void *stream, enum needs needs); /* true: go on */
CUresult call_end(struct call *call, int code);
int fault_of_run(const char *name); /* what the running kernel, copy or fill of this name is to fail with */
void calls_reset(void);
#define ENTER(needs, stream) \
    struct call call;        \
    if (!call_begin(&call, __func__, (const void *)(stream), (needs))) return call_end(&call, call.result)
#define LEAVE(code) return call_end(&call, (code))
/* For what destroys and frees: it does so even if its context has failed, and gives that error. */
bool call_begin_end(struct call *call, const char *name, const void *stream);
#define ENTER_TO_END(stream) \
    struct call call;        \
    if (!call_begin_end(&call, __func__, (const void *)(stream))) return call_end(&call, call.result)

/* profile.c: without the lock, but `profile_submitted` and `profile_cloned` */
void profile_begin(const char *name); /* a call */
void profile_end(const char *name, const int *result);
struct standin_profiled *profile_submitted(const struct operation *operation);
void profile_cloned(const void *node, const void *from, uint64_t id); /* a node of a new executable graph */

/* report.c: misuse that CUDA would not tell, or only by chance */
void report(const char *format, ...) __attribute__((format(printf, 1, 2)));
void reports_reset(void);

/* handle.c: an object whose handle stays invalid for a while after its end, instead of naming the next one */
enum magic {
    MAGIC_STREAM = 0x57a1,
    MAGIC_EVENT,
    MAGIC_MODULE,
    MAGIC_FUNCTION,
    MAGIC_POOL,
    MAGIC_GRAPH,
    MAGIC_EXEC,
    MAGIC_NODE,
    MAGIC_USER_OBJECT,
    MAGIC_ARRAY,
    MAGIC_TEXTURE,
    MAGIC_LINK,
    MAGIC_DEAD
};
void *handle_new(size_t size, enum magic magic); /* its first member is `enum magic magic` */
void handle_end(void *handle);
bool handle_is(const void *handle, enum magic magic);

/* idle.c: what a call that waits for its context holds meanwhile, the weakest first */
enum idle_lock { IDLE_NONE, IDLE_UNLOAD, IDLE_FREE, IDLE_ALL };
void idle_wait(CUcontext context, enum idle_lock lock); /* lets go of the stand-in's own lock */
void idle_pass(CUcontext context, const char *name);    /* waits until the call of that name need not wait for it */

/* context.c */
struct CUctx_st {
    int device;
    enum idle_lock idle_lock;
    int local; /* bytes of local memory that a thread may have: the most that a launch has needed, or what was set since */
    unsigned int created; /* streams, so far */
    int users;
    int error; /* sticky */
    CUstream legacy;
    CUstream streams; /* all of it, ends with the legacy one */
    CUevent events;
    unsigned long long used;
    bool peers[MAX_DEVICES]; /* whose memory it may access, pools left out */
};
extern struct CUctx_st contexts[MAX_DEVICES];
extern _Thread_local CUcontext current;
bool context_is(CUcontext context);
void context_fail(CUcontext context, int code);

/* A set of a graph's nodes: those that something comes after. */
struct nodes {
    CUgraphNode *items;
    unsigned int count, room;
};

/* timeline.c: streams as lists of operations. What graphs launch runs in streams of their own, the lanes. */
enum stream_kind { LEGACY, PER_THREAD, BLOCKING, NON_BLOCKING, LANE };
struct CUstream_st {
    enum magic magic;
    enum stream_kind kind;
    CUcontext context;
    CUstream next;
    pthread_t owner; /* of a per-thread stream */
    int priority;
    int references; /* the context's list, and everything that waits for one of its positions */
    bool destroyed;
    unsigned int late_queries; /* in a row that found it not complete, see option_late_queries */
    unsigned long long submitted, done;
    struct operation *first, *last;
    bool waits; /* what was submitted last is a kernel that waits at its entry */
    struct capture *capture; /* what is submitted goes there instead */
    struct nodes tips;       /* what the next node comes after */
};
CUstream stream_new(CUcontext context, enum stream_kind kind, int priority);
int stream_find(CUstream handle, CUstream *stream); /* in the current context, if it is one of the special handles */
void stream_keep(CUstream stream);
void stream_drop(CUstream stream);
void stream_end(CUstream stream); /* takes it out of its context's list */

/* worker.c */
extern bool workers_paused;
extern _Thread_local const char *outside; /* the program's function that runs on this thread, and may not call us */
void call_outside(CUhostFn function, void *data, const char *what); /* without the lock */
void worker_for_functions(void);
void workers_wake(void);
void workers_wait(void); /* until some operation completes; lets go of the lock */
void workers_completed(void);
void work_finish(CUcontext context); /* all that was submitted to it */

/* event.c */
struct CUevent_st {
    enum magic magic;
    CUcontext context;
    unsigned int flags;
    int references;
    bool recorded, timed; /* timed: `time` is that of the newest record */
    CUevent *link, next;  /* among those of its context */
    CUstream stream;
    unsigned long long position, generation, time;
    struct capture *capture; /* recorded last in a stream that was captured */
    struct nodes tips;       /* and what the stream's next node came after */
};
void event_record(CUevent event, struct operation *operation); /* which is the next one of its stream */
void event_reached(CUevent event, unsigned long long generation);
int event_captured(CUevent event); /* a code if it was recorded last in a stream that was captured */
void event_drop(CUevent event);
void event_end(CUevent event);
extern long long events_live;

/* memory.c */
enum place { PLACE_DEVICE, PLACE_POOL, PLACE_PINNED, PLACE_MANAGED, PLACE_GLOBAL, PLACE_GRAPH };
enum state { STATE_COMING, STATE_LIVE, STATE_GOING, STATE_FREED };
struct memory {
    void *block; /* what `free` takes; the memory begins in it */
    uintptr_t address;
    size_t size;
    enum place place;
    enum state state;
    CUcontext context;
    CUmemoryPool pool;
    unsigned long long id;
    CUgraph graph;               /* of PLACE_GRAPH: whose node allocates it, as long as that exists */
    bool promised, freed_within; /* a launch allocates it and nobody has freed it yet; another node frees it */
};
struct memory *memory_new(CUcontext context, size_t size, enum place place, CUmemoryPool pool);
struct memory *memory_find(uintptr_t address);                    /* freed ones that are kept from reuse too */
int memory_check(const void *address, size_t size, bool running); /* a code; addresses that are nobody's are right */
void memory_free(struct memory *memory);
void memory_freed(struct memory *memory); /* a graph's can be allocated again by the next launch */
void memory_end(CUcontext context);
void memory_inspect(void); /* reports what was written where nobody may */
long long memory_count(enum place place, bool bytes);

/* copy.c */
/* A code if a command cannot use that memory. A graph's nodes (NULL: no graph) can use what the graph allocates. */
int memory_usable(const void *address, size_t size, CUcontext context, CUgraph graph);
int fill_check(const struct operation *operation, CUcontext context, CUgraph graph);
size_t fill_size(const struct operation *operation); /* bytes from the first one to the last one */

/* texture.c */
extern long long arrays_live, textures_live;

/* launch.c */
struct launch_arguments {
    void **parameters, **extra; /* pointers to each argument, or packed bytes */
};
void launch_describe(struct call *call, CUfunction function, const standin_launch *launch);
int launch_check(CUfunction function, const standin_launch *launch); /* limits */
void dependent_check(const struct operation *operation, bool waits_before); /* reports what must not be */
/* Copies the arguments, and keeps the module. */
int launch_prepare(struct operation *operation, CUfunction function, standin_launch launch,
                   struct launch_arguments arguments);

/* peer.c */
bool peer_reaches(CUcontext context, const struct memory *memory);

/* pool.c */
struct CUmemPoolHandle_st {
    enum magic magic;
    int device;
    unsigned long long threshold, limit, used, used_high, reserved, reserved_high;
    uint32_t reuse[4];
    bool access[MAX_DEVICES]; /* of which devices, besides its own */
    bool destroyed, is_default;
    CUmemoryPool *link, next; /* among all pools */
};
extern long long pools_live;
bool pool_take(CUmemoryPool pool, size_t size);
void pool_give(CUmemoryPool pool, size_t size);
void pool_settle(CUcontext context); /* a synchronize gives back what is above the threshold */
CUmemoryPool pool_default(CUcontext context);
void pools_reset(void);

/* capture.c */
struct capture {
    struct capture *next; /* of those that have not been ended */
    unsigned long long id;
    int mode, status, references; /* SI_CAPTURE_...; NONE once it has been ended */
    pthread_t thread;
    CUstream origin;
    CUgraph graph;
};
int stream_take(CUstream handle, CUstream *stream); /* finds it for a command: a code if its capture allows none */
#define ENTER_TO_SUBMIT /* to the stream that `handle` names */ \
    ENTER(NEEDS_CONTEXT, handle);                               \
    CUstream stream;                                            \
    int code = stream_take(handle, &stream)
int capture_implicit(CUstream stream);     /* a code if the legacy stream is waiting for the end of a capture */
int capture_polled(CUstream stream);       /* ... if a capture forbids to ask for its end, or to wait for it */
int capture_of_event(CUevent event);       /* ... the same for an event */
int capture_of_context(CUcontext context); /* ... and for all of a context */
int capture_unsafe(void);                  /* ... if a capture forbids this thread what is unsafe */
#define SAFE                       \
    int unsafe = capture_unsafe(); \
    if (unsafe) LEAVE(unsafe)
int capture_break(struct capture *capture, int code); /* it is invalid from now on; the code */
bool capture_spreads(CUstream stream, CUevent event);
int capture_wait(CUstream stream, CUevent event);    /* if it spreads */
void capture_record(CUevent event, CUstream stream); /* recorded where nothing is captured, the event forgets */
void capture_forget(CUevent event);
void capture_leave(CUstream stream); /* it is destroyed */
void captures_end(CUcontext context);

/* user_object.c: what a graph has references to, or what was instantiated of it; NULL: nothing */
struct objects *objects_copy(const struct objects *objects); /* with references of its own */
struct objects *objects_keep(struct objects *objects);
void objects_drop(struct objects *objects);
bool user_objects_destroy(void); /* calls one of the functions that are due; false: none is */
void user_objects_forget(void);  /* lets go of the lock until none runs; none is called any more */
void user_objects_reset(void);
extern long long user_objects_live, user_objects_due; /* due ones live until their function has returned */

/* graph.c */
struct operand { /* what an update of a node cannot change */
    int kind;    /* PAGEABLE, or a place, PLACE_DEVICE for all of a device */
    CUcontext context;
};
#define PAGEABLE (-1)
struct CUgraphNode_st {
    enum magic magic;
    CUgraph graph;
    struct operation *operation; /* copied by each instantiation */
    CUcontext context;
    struct nodes after;
    struct operand to, from; /* of a copy or fill */
    unsigned int index, lane;
    bool reached;
};
struct CUgraph_st {
    enum magic magic;
    CUgraph next;
    struct nodes nodes; /* each comes after earlier ones only */
    unsigned int references, lanes;
    struct objects *objects; /* until the handle's end */
    bool open, allocates, instantiated; /* open: it is being captured */
};
CUgraph graph_new(void);
void graph_drop(CUgraph graph);
void graph_end(CUgraph graph); /* the handle's end */
bool graph_joined(CUgraph graph, const struct nodes *tips);
void graph_append(CUstream stream, struct operation *operation);
CUgraphNode node_new(CUgraph graph, CUcontext context, struct nodes after, struct operation *operation);
bool node_is(CUgraphNode node); /* false: it ended with its graph's handle */
struct operand operand_of(const void *address);
void nodes_add(struct nodes *nodes, CUgraphNode node);
void nodes_join(struct nodes *nodes, const struct nodes *others);
void nodes_clear(struct nodes *nodes);
void graphs_reset(void);
extern long long graphs_live; /* graphs, and what was instantiated of them */
extern long long nodes_live;  /* of graphs that have not been destroyed */

/* graph_exec.c */
void execs_reset(void);

/* module.c */
struct parameter {
    size_t offset, size;
};
struct CUfunc_st {
    enum magic magic;
    CUmodule module;
    char *name;
    char *symbol; /* of the C function; NULL: the name */
    struct parameter *parameters;
    unsigned int count;
    size_t bytes;
    int max_threads, shared, local, constant, registers, max_dynamic, carveout, ptx, binary;
    bool waits; /* at its entry, for the kernel before it */
    bool triggers; /* lets the next kernel start before it ends */
    CUfunction next;
};
struct global {
    char *name;
    CUdeviceptr address;
    size_t size;
    struct global *next;
};
struct CUmod_st {
    enum magic magic;
    CUcontext context;
    CUfunction functions;
    struct global *globals;
    unsigned int references;
    bool unloaded;
};
CUfunction module_function(CUmodule module, const char *name, size_t length);
struct global *module_global(CUmodule module, const char *name, size_t length, size_t size);
void function_parameter(CUfunction function, size_t offset, size_t size);
void module_drop(CUmodule module);
void modules_end(CUcontext context);
extern long long modules_live;

/* image.c, ptx.c, cubin.c: an image into an empty module; on failure a code, and words for the log */
struct reading {
    CUmodule module;
    const char *image;
    char log[256];
};
int image_read(struct reading *reading);
int ptx_read(struct reading *reading);
int cubin_read(struct reading *reading);
bool image_is(const char *image);
bool ptx_is(const char *image);
bool cubin_is(const char *image);
void cubin_symbols(const char *image, void (*each)(void *data, const char *name, bool defined, bool weak), void *data);

/* link.c: what the linker made, which holds what it was given */
int linked_read(struct reading *reading);
bool linked_is(const char *image);
int image_of_any_kind(struct reading *reading); /* module.c */
void log_give(const char *log, bool failed, unsigned int count, const CUjit_option *options, void **values);

/* kernel.c: the C functions behind kernels, by name */
standin_kernel kernel_find(const char *name);
void kernel_describe(CUfunction function); /* gives it the parameters that were registered, if its module says none */

/* occupancy.c: blocks of a kernel that fit on one multiprocessor */
int occupancy(CUfunction function, unsigned int block, size_t shared);

/* device.c */
int device_capability(int device); /* 90 */
int device_attribute(int device, int attribute, int *value);
#define DEVICE_MULTIPROCESSORS 132
#define DEVICE_SHARED_OPTIN 232448
#define DEVICE_SHARED_DEFAULT 49152
#define DEVICE_MAX_PARAMETERS 32764

#endif
