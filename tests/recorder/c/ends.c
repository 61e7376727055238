/* A process with threads that launch, and an end at random: ends.py runs it. Its arguments: cuda or opencl, the library, the
   kernels' image or the platform's name, the file of counts, the seed, and how deep its children may go.

   Each thread counts the launches that have returned, in a file that is shared memory: what was counted there outlives any end. */
#define _GNU_SOURCE
#include "opencl.h"
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS_MOST = 4000, THREADS_MOST = 4, ENDLESS = 1 << 30 };

typedef struct {
    int pid, tid;
    uint64_t returned;
} row;
static struct {
    uint64_t n;
    row rows[ROWS_MOST];
} *shared;
static __thread row *mine;

static char **arguments;
static int is_opencl, begun;
static char image[8192];
extern char **environ;

/* Of CUDA's driver. */
static int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, void **);
static int (*set_context)(void *), (*new_stream)(void **, unsigned);
static void *function, *program_context;

static unsigned drawn(unsigned *seed, unsigned most) {
    *seed = *seed * 1103515245u + 12345u;
    return (*seed >> 8) % most;
}

static void cuda_begin(void) {
    int (*init)(unsigned), (*retain)(void **, int), (*load)(void **, const void *, unsigned, int *, void **), (*get)(void **, void *, const char *);
    void *module;
    library = dlopen(arguments[2], RTLD_NOW);
    if (library == 0) exit(90);
    launch = dlsym(library, "cuLaunchKernel"), set_context = dlsym(library, "cuCtxSetCurrent"), new_stream = dlsym(library, "cuStreamCreate");
    init = dlsym(library, "cuInit"), retain = dlsym(library, "cuDevicePrimaryCtxRetain");
    load = dlsym(library, "cuModuleLoadDataEx"), get = dlsym(library, "cuModuleGetFunction");
    if (init(0) || retain(&program_context, 0) || set_context(program_context) || load(&module, image, 0, 0, 0) || get(&function, module, "nothing")) exit(91);
}
static void driver_begin(void) {
    if (begun) return;
    begun = 1;
    if (!is_opencl) cuda_begin();
    else if (begin(arguments[2], arguments[3])) exit(92);
}

static void launches(unsigned n, unsigned *seed) {
    static const char *source = "__kernel void add(__global int *a) { a[0] = 1; }";
    void *queue = 0, *kernel = 0, *buffer;
    size_t items = 1;
    unsigned i;
    int code;
    driver_begin();
    if (mine == 0) {
        mine = &shared->rows[__atomic_fetch_add(&shared->n, 1, __ATOMIC_SEQ_CST)];
        if (mine >= &shared->rows[ROWS_MOST]) exit(93);
        mine->pid = getpid(), mine->tid = (int)syscall(SYS_gettid);
    }
    if (is_opencl) {
        queue = queue_with(0), kernel = kernel_of(source, "add");
        buffer = ((void *(*)())call_of("clCreateBuffer"))(context, (uint64_t)1, (size_t)4, NO, NO);
        if (queue == 0 || RAW(clSetKernelArg)(kernel, 0, sizeof buffer, &buffer)) exit(94);
    } else {
        set_context(program_context);
        if (drawn(seed, 2)) new_stream(&queue, 0);
    }
    for (i = 0; i < n; i++) {
        if (is_opencl) code = RAW(clEnqueueNDRangeKernel)(queue, kernel, 1, NO, &items, NO, 0, NO, NO);
        else code = launch(function, 1, 1, 1, 1, 1, 1, 0, queue, 0, 0);
        if (code) {
            fprintf(stderr, "a launch failed: %d\n", code);
            return;
        }
        __atomic_store_n(&mine->returned, mine->returned + 1, __ATOMIC_SEQ_CST);
        if (is_opencl && i % 256 == 255) RAW(clFinish)(queue);
        if (drawn(seed, 300) == 0) usleep(drawn(seed, 1000));
    }
    if (is_opencl) RAW(clFinish)(queue);
}

enum { LIVES, LIVES_LONG, EXITS, EXITS_HARD, KILLS, TERMINATES, CRASHES };
typedef struct {
    unsigned seed, deed;
} thread_life;
static void *thread(void *data) {
    thread_life life = *(thread_life *)data;
    launches(life.deed == LIVES_LONG ? ENDLESS : 1 + drawn(&life.seed, 1500), &life.seed);
    if (life.deed == EXITS) exit(5);
    if (life.deed == EXITS_HARD) _exit(6);
    if (life.deed == KILLS) kill(getpid(), SIGKILL);
    if (life.deed == TERMINATES) raise(SIGTERM);
    if (life.deed == CRASHES) *(volatile int *)8 = 1;
    return 0;
}
static void thread_start(thread_life *life, unsigned deed, unsigned *seed) {
    pthread_t started;
    life->seed = drawn(seed, 1u << 20), life->deed = deed;
    if (pthread_create(&started, 0, thread, life) == 0) pthread_detach(started);
}

static char **leaf_words(unsigned *seed) {
    static char number[32];
    static char *words[8];
    snprintf(number, sizeof number, "%u", drawn(seed, 1u << 20));
    memcpy(words, arguments, 5 * sizeof *words);
    words[5] = number, words[6] = "0", words[7] = 0;
    return words;
}

static void live(unsigned *seed, int depth);

/* Something that the process does on its way. */
static void happening(unsigned *seed, int depth) {
    unsigned other = drawn(seed, 1u << 20), which = drawn(seed, 6), waits = drawn(seed, 4);
    char **words = leaf_words(seed);
    pid_t child = 0;
    if (which <= 1) {
        int may_launch = which == 1 && (!is_opencl || !begun); /* a child of a process that has begun has no OpenCL */
        if ((child = fork()) == 0) {
            mine = 0;
            if (may_launch) live(&other, depth - 1);
            if (drawn(&other, 2)) _exit(0);
            exit(0);
        }
    } else if (which == 2) {
        if ((child = vfork()) == 0) _exit(3);
    } else if (which == 3) {
        if ((child = vfork()) == 0) {
            execv(words[0], words);
            _exit(4);
        }
    } else if (which == 4) posix_spawn(&child, words[0], 0, 0, words, environ);
    else if (!is_opencl && begun) { /* this process's other threads have not begun */
        dlclose(library);
        cuda_begin();
    }
    if (child > 0 && waits) waitpid(child, 0, 0);
}

static void quick(void) { launches(3, &(unsigned){1}); }

/* The life of a process, from its begin to an end that does not return. */
static void live(unsigned *seed, int depth) {
    static thread_life lives[THREADS_MOST + 1];
    unsigned i, n_threads = drawn(seed, THREADS_MOST + 1), n_happenings = depth > 0 ? drawn(seed, 3) : 0, end = drawn(seed, 15);
    for (i = 0; i < n_happenings; i++) {
        if (drawn(seed, 2)) launches(drawn(seed, 400), seed);
        happening(seed, depth);
    }
    driver_begin();
    for (i = 0; i < n_threads; i++) thread_start(&lives[i], end >= 8 || drawn(seed, 2) ? LIVES_LONG : LIVES, seed);
    launches(drawn(seed, 1200), seed);
    if (n_threads && depth > 0 && drawn(seed, 3) == 0 && fork() == 0) _exit(0); /* while threads launch */
    switch (end) {
    case 0: exit(0);
    case 1: _exit(1);
    case 2:
        at_quick_exit(quick);
        quick_exit(2);
    case 3: abort();
    case 4: kill(getpid(), SIGKILL); break;
    case 5: raise(SIGTERM); break;
    case 6: *(volatile int *)16 = 1; break;
    case 7:
        thread_start(&lives[THREADS_MOST], EXITS, seed); /* threads of the driver would keep the process alive */
        pthread_exit(0);
    case 8: execv(arguments[0], leaf_words(seed)); break;
    case 9:
        atexit(quick);
        exit(9);
    case 10: thread_start(&lives[THREADS_MOST], EXITS, seed); break;
    case 11: thread_start(&lives[THREADS_MOST], EXITS_HARD, seed); break;
    case 12: thread_start(&lives[THREADS_MOST], KILLS, seed); break;
    case 13: thread_start(&lives[THREADS_MOST], TERMINATES, seed); break;
    case 14: thread_start(&lives[THREADS_MOST], CRASHES, seed); break;
    }
    launches(ENDLESS, seed);
    for (;;) pause(); /* the driver has ended while another thread exits */
}

int main(int argc, char **argv) {
    unsigned seed = (unsigned)strtoul(argv[5], 0, 10);
    int file = open(argv[4], O_RDWR);
    FILE *content = fopen(argv[3], "r");
    (void)argc;
    arguments = argv, is_opencl = strcmp(argv[1], "opencl") == 0;
    shared = mmap(0, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (shared == MAP_FAILED) return 95;
    if (content) image[fread(image, 1, sizeof image - 1, content)] = 0, fclose(content);
    drawn(&seed, 2);
    live(&seed, atoi(argv[6]));
    return 96;
}
