/* What the programs for OpenCL share: functions of the loader by name, and the counts of their own calls. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO ((void *)0)
#define ZERO ((size_t)0)
#define COUNTED_MOST 200

static void *library, *platform, *device, *context;
static struct {
    const char *name;
    void *function;
    int calls;
} counted[COUNTED_MOST];
static pthread_mutex_t counted_lock = PTHREAD_MUTEX_INITIALIZER;

static void *function_named(const char *name) {
    void *function = dlsym(library, name);
    void *(*extension)(void *, const char *) = dlsym(library, "clGetExtensionFunctionAddressForPlatform");
    if (function == 0) function = extension(platform, name);
    return function;
}
static int place_of(const char *name) {
    int i;
    pthread_mutex_lock(&counted_lock);
    for (i = 0; counted[i].name && strcmp(counted[i].name, name); i++) {}
    if (counted[i].name == 0) counted[i].name = name, counted[i].function = function_named(name);
    pthread_mutex_unlock(&counted_lock);
    if (counted[i].function == 0) fprintf(stderr, "no function: %s\n", name), exit(2);
    return i;
}
static void *call_of(const char *name) { return counted[place_of(name)].function; }
static int counts(const char *name, int code) {
    if (code) fprintf(stderr, "failed: %s: %d\n", name, code), _exit(2);
    __atomic_add_fetch(&counted[place_of(name)].calls, 1, __ATOMIC_RELAXED);
    return 0;
}
#define RAW(name) ((int (*)())call_of(#name))
#define DO(name, ...) counts(#name, ((int (*)())call_of(#name))(__VA_ARGS__)) /* counted: it must succeed */
#define MAKE(name, ...) counted_object(#name, ((void *(*)())call_of(#name))(__VA_ARGS__))
static void *counted_object(const char *name, void *object) {
    counts(name, object == 0);
    return object;
}
#define EXPECT(condition)                                                                                              \
    do {                                                                                                               \
        if (!(condition)) fprintf(stderr, "expected %s (line %d)\n", #condition, __LINE__), _exit(5);                  \
    } while (0)

static int begin(const char *loader, const char *name) {
    void *platforms[16];
    unsigned n = 0, i;
    char text[256];
    library = dlopen(loader, RTLD_NOW);
    if (library == 0) return 3;
    if (RAW(clGetPlatformIDs)(16, platforms, &n)) return 4;
    for (i = 0; i < n && device == 0; i++) {
        RAW(clGetPlatformInfo)(platforms[i], 0x902, sizeof text, text, NO);
        if (strstr(text, name)) platform = platforms[i], RAW(clGetDeviceIDs)(platform, (uint64_t)0xFFFFFFFF, 1, &device, NO);
    }
    if (device == 0) return 4;
    context = ((void *(*)())call_of("clCreateContext"))(NO, 1, &device, NO, NO, NO);
    return context ? 0 : 4;
}
static void *queue_with(uint64_t properties) { return ((void *(*)())call_of("clCreateCommandQueue"))(context, device, properties, NO); }
static void *kernel_of(const char *source, const char *name) {
    void *program = ((void *(*)())call_of("clCreateProgramWithSource"))(context, 1, &source, NO, NO);
    DO(clBuildProgram, program, 1, &device, "", NO, NO);
    return MAKE(clCreateKernel, program, name, NO);
}
static int ended(void) {
    int i;
    for (i = 0; counted[i].name; i++)
        if (counted[i].calls) printf("%s %d\n", counted[i].name, counted[i].calls);
    return 0;
}
