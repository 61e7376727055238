/* Launches on the stand-in of CUDA and ends in the state that the second argument names. A function of atexit, which is called
   after the recorder's, prints whether the context and the memory are what they were. The exit code is 5. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *library, *context, *last;
static unsigned char *memory;

static void *find(const char *name) {
    void *found = dlsym(library, name);
    if (found == 0) exit(90);
    return found;
}
static void check(void) {
    int (*current)(void **) = dlsym(library, "cuCtxGetCurrent");
    void *now = (void *)1;
    int code = current(&now), i, same = 1;
    for (i = 0; memory && i < 64; i++) same &= memory[i] == 7;
    printf("%d %d %d\n", code, now == last, same);
    fflush(stdout);
}
static void block(void *unused) {
    (void)unused;
    for (;;) pause();
}
int main(int argc, char **argv) {
    static char image[4096];
    const char *end = argv[2];
    FILE *file = fopen(argv[3], "r");
    void *module, *function, *stream;
    int i;
    (void)argc;
    image[fread(image, 1, sizeof image - 1, file)] = 0;
    atexit(check);
    library = dlopen(argv[1], RTLD_NOW);
    if (library == 0) return 93;
    int (*init)(unsigned) = find("cuInit"), (*retain)(void **, int) = find("cuDevicePrimaryCtxRetain"), (*set)(void *) = find("cuCtxSetCurrent");
    int (*load)(void **, const void *, unsigned, int *, void **) = find("cuModuleLoadDataEx");
    int (*get)(void **, void *, const char *) = find("cuModuleGetFunction"), (*new_stream)(void **, unsigned) = find("cuStreamCreate");
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **) = find("cuLaunchKernel");
    int (*host)(void *, void (*)(void *), void *) = find("cuLaunchHostFunc"), (*capture)(void *, int) = find("cuStreamBeginCapture_v2");
    int (*managed)(unsigned long *, size_t, unsigned) = find("cuMemAllocManaged");
    unsigned long at = 0;
    if (init(0) || retain(&context, 0) || set(context) || load(&module, image, 0, 0, 0) || get(&function, module, "nothing")) return 91;
    last = context;
    if (managed(&at, 64, 1) == 0) memory = (unsigned char *)at, memset(memory, 7, 64);
    for (i = 0; i < 100; i++)
        if (launch(function, 2, 1, 1, 32, 1, 1, 0, 0, 0, 0)) return 92;
    if (new_stream(&stream, 1)) return 94;
    if (strcmp(end, "busy") == 0 && (host(stream, block, 0) || host(0, block, 0) || host((void *)2, block, 0))) return 95;
    if (strcmp(end, "capture") == 0 && capture(stream, 0)) return 96;
    if (strcmp(end, "no context") == 0) set(last = 0);
    return 5;
}
