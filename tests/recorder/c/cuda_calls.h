/* Calls of CUDA's driver by its functions' names, of the library that a program has opened. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

typedef unsigned long long address;
typedef struct {
    void *function;
    unsigned grid[3], block[3], shared;
    void **parameters, **extra, *kernel, *context;
} kernel_node;

static void *library;

/* Call a function, or end the program with a message. */
#define CALL(name, ...)                                                                                                \
    do {                                                                                                               \
        int (*called_)() = (int (*)())dlsym(library, #name);                                                          \
        int code_ = called_ ? called_(__VA_ARGS__) : -1;                                                               \
        if (code_) {                                                                                                   \
            fprintf(stderr, "%s: %d\n", #name, code_);                                                                 \
            exit(92);                                                                                                  \
        }                                                                                                              \
    } while (0)
