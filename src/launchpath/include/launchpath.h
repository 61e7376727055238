/* Launch kernels by symbol from C99 and C++17, without Python on the way.

   launchpath.get_include() is the folder of this file. Nothing is linked: launchpath hands out a struct of function
   pointers, `launchpath_api`. An extension module gets it with `launchpath_import()`, other code is given its address
   (`launchpath.c_api().address`) and passes it to `launchpath_use`.

       launchpath_symbol saxpy = LAUNCHPATH_SYMBOL("saxpy");          // in one file; elsewhere: extern
       launchpath_configuration at = {{blocks, 1, 1}, {256, 1, 1}};
       void *arguments[] = {&a, &x, &y, &n};
       launchpath_status status = launchpath_launch(&saxpy, &at, arguments, 4);

   Every function may be called on any thread, with the GIL or without it. A launch takes the GIL only for what Python
   has to do: the first launch of a symbol on a device, which loads its program; arguments that are too many for the
   device; a trace, a step, LAUNCHPATH_LAUNCH_BLOCKING; an error. What a handle names must live until calls with it have
   returned; a handle of what is gone is refused. Kernels, streams and events of closed devices are refused too. */
#ifndef LAUNCHPATH_H
#define LAUNCHPATH_H

#include <stddef.h>
#include <stdint.h>

#define LAUNCHPATH_API_VERSION 1
#define LAUNCHPATH_API_NAME "launchpath._core.c_api" /* of the capsule */

#ifdef __cplusplus
extern "C" {
#endif

typedef enum launchpath_status {
    LAUNCHPATH_SUCCESS = 0,
    LAUNCHPATH_NOT_READY = 1,             /* of queries, and of events without a time yet */
    LAUNCHPATH_INVALID_VALUE = 2,         /* an argument that cannot be, or arguments that are not the kernel's */
    LAUNCHPATH_INVALID_HANDLE = 3,        /* it names nothing, or nothing any more */
    LAUNCHPATH_INVALID_CONFIGURATION = 4, /* a grid, a block or shared memory that the device or the kernel does not have */
    LAUNCHPATH_NOT_FOUND = 5,             /* no kernel is registered under the symbol, for this device */
    LAUNCHPATH_COMPILE_FAILED = 6,
    LAUNCHPATH_OUT_OF_MEMORY = 7,
    LAUNCHPATH_LAUNCH_FAILURE = 8,        /* a command failed while it ran */
    LAUNCHPATH_DRIVER_ERROR = 9,
    LAUNCHPATH_EMPTY_STACK = 10,          /* no configuration was pushed on this thread */
    LAUNCHPATH_FULL_STACK = 11,
    LAUNCHPATH_NOT_AVAILABLE = 12,        /* launchpath was not imported, is older than this header, or Python ends */
    LAUNCHPATH_UNKNOWN = 13               /* another exception of Python's; launchpath_error_text has it */
} launchpath_status;

/* Handles. 0 is none. */
typedef uint64_t launchpath_kernel; /* a kernel on one device */
typedef uint64_t launchpath_stream; /* 0: the current stream of the thread, as in Python; see Stream.c_handle */
typedef uint64_t launchpath_event;

typedef struct launchpath_configuration {
    uint32_t grid[3];  /* blocks */
    uint32_t block[3]; /* threads of a block */
    uint32_t shared;   /* bytes of dynamic shared memory of a block; 0 is not refused, even if the kernel uses it */
    uint32_t flags;    /* 0, or LAUNCHPATH_COOPERATIVE */
    launchpath_stream stream;
} launchpath_configuration;

enum { LAUNCHPATH_COOPERATIVE = 1 }; /* all blocks run at the same time, so that they may wait for one another */

/* A kernel by its name, on whichever device it is launched. Copies and several symbols of one name are the same kernel.
   `kernels` is launchpath's: which kernel it is on the devices that it was launched on. */
#define LAUNCHPATH_SYMBOL_DEVICES 4
typedef struct launchpath_symbol {
    const char *name;
    launchpath_kernel kernels[LAUNCHPATH_SYMBOL_DEVICES];
} launchpath_symbol;
#define LAUNCHPATH_SYMBOL(name) {name, {0}}

enum { LAUNCHPATH_TIMING = 1 };             /* of events: they take times */
enum { LAUNCHPATH_NON_BLOCKING = 1 };       /* of streams: they are not ordered with the legacy default stream */
enum { LAUNCHPATH_STACK = 32 };             /* configurations that a thread may have pushed at the same time */

/* Entries are only ever added, at the end: a table of a newer version serves an older header. */
typedef struct launchpath_api {
    uint32_t version; /* LAUNCHPATH_API_VERSION of launchpath */
    uint32_t size;    /* bytes of its table */

    /* Launch. `arguments` has the address of each argument, in the order of the kernel's parameters. `sizes`, if not
       NULL, has their bytes, and they are compared with the kernel's. `packed` is a struct with the arguments as its
       members, and `size` its sizeof. Nothing of either is used after the call. */
    launchpath_status (*launch_symbol)(launchpath_symbol *symbol, const launchpath_configuration *configuration,
                                       void *const *arguments, size_t count, const size_t *sizes);
    launchpath_status (*launch_symbol_packed)(launchpath_symbol *symbol, const launchpath_configuration *configuration,
                                              const void *packed, size_t size);
    launchpath_status (*launch)(launchpath_kernel kernel, const launchpath_configuration *configuration,
                                void *const *arguments, size_t count, const size_t *sizes);
    launchpath_status (*launch_packed)(launchpath_kernel kernel, const launchpath_configuration *configuration,
                                       const void *packed, size_t size);

    /* Find the kernel of a symbol on the device of a stream. */
    launchpath_status (*find)(const char *symbol, launchpath_stream stream, launchpath_kernel *kernel);
    /* Where a parameter is among the packed arguments, and its bytes. LAUNCHPATH_NOT_FOUND: the kernel has fewer. */
    launchpath_status (*parameter)(launchpath_kernel kernel, size_t index, size_t *offset, size_t *size);

    /* Configurations of this thread, the last pushed first. */
    launchpath_status (*push)(const launchpath_configuration *configuration);
    launchpath_status (*pop)(launchpath_configuration *configuration);

    /* Streams. A new one is of this thread's current device; a lower priority is more urgent. */
    launchpath_status (*stream_create)(uint32_t flags, int priority, launchpath_stream *stream);
    launchpath_status (*stream_destroy)(launchpath_stream stream); /* of stream_create; what it has goes on */
    launchpath_status (*stream_query)(launchpath_stream stream);
    launchpath_status (*stream_synchronize)(launchpath_stream stream);
    launchpath_status (*stream_wait)(launchpath_stream stream, launchpath_event event);

    /* Events. One that was never recorded is complete. */
    launchpath_status (*event_create)(uint32_t flags, launchpath_event *event);
    launchpath_status (*event_destroy)(launchpath_event event);
    launchpath_status (*event_record)(launchpath_event event, launchpath_stream stream);
    launchpath_status (*event_query)(launchpath_event event);
    launchpath_status (*event_synchronize)(launchpath_event event);
    launchpath_status (*event_elapsed)(launchpath_event start, launchpath_event end, double *milliseconds);

    /* Why the last call of this thread that failed did; empty if none did. It is valid until the next call. */
    const char *(*error_text)(void);
} launchpath_api;

/* The table that the functions below use: one for all files that are linked together. */
#if defined(_MSC_VER)
extern __declspec(selectany) const launchpath_api *launchpath_table = 0;
#else
__attribute__((weak, visibility("hidden"))) const launchpath_api *launchpath_table = 0;
#endif

/* Use the table at an address. LAUNCHPATH_NOT_AVAILABLE: it is older than this header. */
static inline launchpath_status launchpath_use(const void *table) {
    const launchpath_api *api = (const launchpath_api *)table;
    if (api == 0 || api->version < LAUNCHPATH_API_VERSION || api->size < sizeof(launchpath_api)) {
        return LAUNCHPATH_NOT_AVAILABLE;
    }
    launchpath_table = api;
    return LAUNCHPATH_SUCCESS;
}

#ifdef PY_VERSION_HEX /* of Python.h, where that was included before */
/* Get the table from launchpath, with the GIL: in a module's initialization. -1: a Python exception is set. */
static inline int launchpath_import(void) {
    void *table = PyCapsule_Import(LAUNCHPATH_API_NAME, 0);
    if (table == 0) return -1;
    if (launchpath_use(table) == LAUNCHPATH_SUCCESS) return 0;
    PyErr_Format(PyExc_ImportError,
                 "expected a launchpath with version %d of its C interface, got version %d: install a newer launchpath",
                 LAUNCHPATH_API_VERSION, (int)((const launchpath_api *)table)->version);
    return -1;
}
#endif

/* Launch the kernel of a symbol with `count` arguments, by their addresses. */
static inline launchpath_status launchpath_launch(launchpath_symbol *symbol, const launchpath_configuration *configuration,
                                                  void *const *arguments, size_t count) {
    return launchpath_table == 0 ? LAUNCHPATH_NOT_AVAILABLE
                                 : launchpath_table->launch_symbol(symbol, configuration, arguments, count, 0);
}

/* Launch it with the configuration that was pushed last on this thread. */
static inline launchpath_status launchpath_launch_pushed(launchpath_symbol *symbol, void *const *arguments, size_t count) {
    launchpath_configuration configuration;
    launchpath_status status = launchpath_table == 0 ? LAUNCHPATH_NOT_AVAILABLE : launchpath_table->pop(&configuration);
    return status ? status : launchpath_table->launch_symbol(symbol, &configuration, arguments, count, 0);
}

#ifdef __cplusplus
}

#include <stdexcept>
#include <string>

namespace launchpath {

using configuration = launchpath_configuration;

/* What `check` throws. */
class error : public std::runtime_error {
  public:
    error(launchpath_status status, const std::string &text) : std::runtime_error(text), status(status) {}
    const launchpath_status status;
};

/* Throw the error of a status. */
inline void check(launchpath_status status) {
    if (status != LAUNCHPATH_SUCCESS) {
        throw error(status, launchpath_table == nullptr ? "launchpath was not imported" : launchpath_table->error_text());
    }
}

/* A kernel with the types of its parameters: declared once, launched as a function is called.

       extern launchpath::kernel<float, const float *, float *, int> saxpy;    // in a header
       launchpath::kernel<float, const float *, float *, int> saxpy{"saxpy"};  // in one file
       saxpy({{blocks, 1, 1}, {256, 1, 1}}, 2.0f, x, y, n);

   A debugger that stops in the call shows the arguments. */
template <class... Parameters> struct kernel : launchpath_symbol {
    constexpr explicit kernel(const char *name) : launchpath_symbol{name, {}} {}
    [[nodiscard]] launchpath_status operator()(const configuration &at, Parameters... arguments) {
        void *const addresses[] = {const_cast<void *>(static_cast<const volatile void *>(&arguments))..., nullptr};
        static constexpr size_t sizes[] = {sizeof(Parameters)..., 0};
        if (launchpath_table == nullptr) return LAUNCHPATH_NOT_AVAILABLE;
        return launchpath_table->launch_symbol(this, &at, addresses, sizeof...(Parameters), sizes);
    }
};

} // namespace launchpath
#endif

#endif
