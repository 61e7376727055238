/* How a program finds launchpath: in its process, which Python has started; or by Python, if that is in the process. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include "start.h"

static const launchpath_host *found; /* written once with one value: threads may find it at the same time */

typedef const launchpath_host *table_function(void);

static const launchpath_host *in_process(void) {
    table_function *table = (table_function *)dlsym(RTLD_DEFAULT, LAUNCHPATH_HOST_SYMBOL);
    return table == 0 ? 0 : table();
}

/* A library that a Python program has loaded: let Python import launchpath. */
static void import(void) {
    int (*ensure)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "PyGILState_Ensure");
    void (*release)(int) = (void (*)(int))dlsym(RTLD_DEFAULT, "PyGILState_Release");
    int (*run)(const char *, void *) = (int (*)(const char *, void *))dlsym(RTLD_DEFAULT, "PyRun_SimpleStringFlags");
    int (*initialized)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, "Py_IsInitialized");
    int state;
    if (ensure == 0 || release == 0 || run == 0 || initialized == 0 || !initialized()) return;
    state = ensure();
    run("import launchpath._host.runtime.process as process; process.serve()", 0);
    release(state);
}

/* NULL: there is none. So it is where the loader calls a library's constructors for a program that is about to become
   Python: what they register is registered again there. */
const launchpath_host *launchpath_host_find(void) {
    const launchpath_host *here = __atomic_load_n(&found, __ATOMIC_ACQUIRE);
    if (__builtin_expect(here != 0, 1)) return here;
    here = in_process();
    if (here == 0) {
        import();
        here = in_process();
    }
    return here;
}

const launchpath_host *launchpath_host_here(void) {
    const launchpath_host *here = __atomic_load_n(&found, __ATOMIC_ACQUIRE);
    if (__builtin_expect(here != 0, 1)) return here;
    here = launchpath_host_find();
    if (here == 0 || here->version < LAUNCHPATH_HOST_VERSION || here->size < sizeof(launchpath_host)) {
        fputs(here == 0 ? "launchpath: expected to be in a process that Python has started, got one without launchpath: "
                          "start the program itself, or load its library in Python\n"
                        : "launchpath: this program was linked by a newer launchpath: link it again, or install that one\n",
              stderr);
        exit(127);
    }
    __atomic_store_n(&found, here, __ATOMIC_RELEASE);
    return here;
}
