/* Threads that launch on the stand-in of CUDA, and end before the process. Each has its name before its first launch, or after
   it. The process ends as the second argument says. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void *library, *context, *function;
static int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
static int (*set_context)(void *);

static void *find(const char *name) {
    void *found = dlsym(library, name);
    if (found == 0) exit(90);
    return found;
}
static void launches(int n) {
    while (n--)
        if (launch(function, 2, 1, 1, 32, 1, 1, 0, 0, 0, 0)) exit(92);
}
static void *thread(void *name) {
    int late = *(char *)name == 'l';
    if (!late) pthread_setname_np(pthread_self(), name);
    set_context(context);
    launches(late ? 20 : 10);
    if (late) pthread_setname_np(pthread_self(), name);
    return 0;
}
static void *endless(void *name) {
    thread(name);
    for (;;) pause();
}
int main(int argc, char **argv) {
    static char image[4096];
    FILE *file = fopen(argv[3], "r");
    void *module;
    pthread_t other;
    (void)argc;
    image[fread(image, 1, sizeof image - 1, file)] = 0;
    library = dlopen(argv[1], RTLD_NOW);
    if (library == 0) return 93;
    int (*init)(unsigned) = find("cuInit"), (*retain)(void **, int) = find("cuDevicePrimaryCtxRetain");
    int (*load)(void **, const void *, unsigned, int *, void **) = find("cuModuleLoadDataEx");
    int (*get)(void **, void *, const char *) = find("cuModuleGetFunction");
    set_context = find("cuCtxSetCurrent"), launch = find("cuLaunchKernel");
    if (init(0) || retain(&context, 0) || set_context(context) || load(&module, image, 0, 0, 0) || get(&function, module, "nothing")) return 91;
    launches(5);
    pthread_create(&other, 0, thread, "early \xff\n"), pthread_join(other, 0);
    pthread_create(&other, 0, thread, "late"), pthread_join(other, 0);
    pthread_create(&other, 0, endless, "runs");
    usleep(200000);
    if (strcmp(argv[2], "kill") == 0) kill(getpid(), SIGKILL);
    return 0;
}
