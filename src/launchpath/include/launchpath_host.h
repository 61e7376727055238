/* What launchpath's part of a compiled program (libstart.a) asks of launchpath. It is for that part alone: programs call
   HIP's and CUDA's functions. */
#ifndef LAUNCHPATH_HOST_H
#define LAUNCHPATH_HOST_H

#include <stddef.h>
#include <stdint.h>

#define LAUNCHPATH_HOST_VERSION 1
#define LAUNCHPATH_HOST_SYMBOL "launchpath_host_table" /* the function of the core that gives the table */

enum { LAUNCHPATH_VARIABLE_DEVICE = 0, LAUNCHPATH_VARIABLE_MANAGED = 1 };

/* Entries are only ever added, at the end. */
typedef struct launchpath_host {
    uint32_t version; /* LAUNCHPATH_HOST_VERSION of launchpath */
    uint32_t size;    /* bytes of its table */

    /* What Clang's constructors tell of the device code in an object. `binary` is what __hipRegisterFatBinary gets, a name
       the mangled one of the device's function or variable. Nothing is loaded before its first use. */
    void **(*register_binary)(const void *binary);
    void (*register_function)(void **binary, const void *stub, const char *name);
    void (*register_variable)(void **binary, void *address, const char *name, size_t size, uint32_t kind);
    void (*unregister_binary)(void **binary);

    /* Launches with <<<>>>. A dim3 is two numbers, as it is passed in two registers: x and, from bit 32 on, y; and z.
       Results are HIP's codes. */
    int (*push)(uint64_t grid_xy, uint32_t grid_z, uint64_t block_xy, uint32_t block_z, size_t shared, void *stream);
    int (*pop)(void *grid, void *block, size_t *shared, void **stream);
    int (*launch)(const void *stub, uint64_t grid_xy, uint32_t grid_z, uint64_t block_xy, uint32_t block_z,
                  void **arguments, size_t shared, void *stream);

    /* Every other function, by its name and the addresses of its arguments. The result is its code, or its pointer. */
    uint64_t (*call)(const char *name, void *const *arguments);

    /* Whether a function of this thread has failed since the thread asked for its last error. */
    int (*has_failed)(void);

    /* The functions that programs call most, without Python. Arguments are HIP's, pointers and handles as numbers. The result
       is 0 (success), 600 (not ready), or -1: then nothing was done, and `call` is to be asked. scripts/host_calls.py has
       the names. */
    int (*allocate)(uint64_t place, uint64_t size);
    int (*free)(uint64_t address);
    int (*copy)(uint64_t to, uint64_t source, uint64_t size, uint32_t kind, uint64_t stream);
    int (*copy_and_wait)(uint64_t to, uint64_t source, uint64_t size, uint32_t kind);
    int (*fill)(uint64_t to, uint32_t value, uint64_t size, uint64_t stream);
    int (*fill_default)(uint64_t to, uint32_t value, uint64_t size);
    int (*event_record)(uint64_t event, uint64_t stream);
    int (*event_query)(uint64_t event);
    int (*event_synchronize)(uint64_t event);
    int (*stream_wait_event)(uint64_t stream, uint64_t event, uint32_t flags);
    int (*stream_query)(uint64_t stream);
    int (*stream_synchronize)(uint64_t stream);
    int (*device_synchronize)(void);
    int (*get_device)(uint64_t place);
    int (*set_device)(uint32_t number);
} launchpath_host;

#endif
