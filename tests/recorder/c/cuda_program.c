/* Launches on the stand-in of CUDA, by the way that the first argument names, and ends as the second one says. It prints how
   many launches have returned, right after each hundred and before it ends. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void *library;
static int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
static void *function, *context;
static int (*set_context)(void *);

static void *find(const char *name) {
    void *found = dlsym(library, name);
    if (found == 0) exit(90);
    return found;
}
static void begin(const char *image) {
    int (*init)(unsigned) = find("cuInit"), (*retain)(void **, int) = find("cuDevicePrimaryCtxRetain");
    int (*load)(void **, const void *, unsigned, int *, void **) = find("cuModuleLoadDataEx");
    int (*get)(void **, void *, const char *) = find("cuModuleGetFunction");
    void *module;
    set_context = find("cuCtxSetCurrent"), launch = find("cuLaunchKernel");
    if (init(0) || retain(&context, 0) || set_context(context) || load(&module, image, 0, 0, 0) || get(&function, module, "nothing")) exit(91);
}
static void launches(void *stream, int n) {
    for (int i = 0; i < n; i++)
        if (launch(function, 2, 1, 1, 32, 1, 1, 0, stream, 0, 0)) exit(92);
}
static void *thread(void *unused) {
    (void)unused;
    set_context(context);
    launches(0, 200);
    return 0;
}
int main(int argc, char **argv) {
    static char image[4096];
    const char *end = argv[2];
    FILE *file = fopen(argv[3], "r");
    pthread_t other;
    (void)argc;
    image[fread(image, 1, sizeof image - 1, file)] = 0;
    library = dlopen(argv[1], RTLD_NOW);
    if (library == 0) return 93;
    if (strcmp(end, "pthread_exit") == 0) { /* before the stand-in has threads of its own */
        int (*init)(unsigned) = find("cuInit");
        init(0);
        pthread_exit(0);
    }
    begin(image);
    launches(0, 300);
    if (strcmp(end, "threads") == 0) {
        pthread_create(&other, 0, thread, 0);
        launches(0, 100);
        pthread_join(other, 0);
    }
    if (strcmp(end, "fork") == 0 && fork() == 0) _exit(7);
    if (strcmp(end, "fork") == 0) wait(0);
    puts("launched");
    fflush(stdout);
    if (strcmp(end, "_exit") == 0) _exit(3);
    if (strcmp(end, "abort") == 0) abort();
    if (strcmp(end, "kill") == 0) kill(getpid(), SIGKILL);
    if (strcmp(end, "exec") == 0) execl(argv[0], argv[0], argv[1], "exit", argv[3], (char *)0);
    return 0;
}
