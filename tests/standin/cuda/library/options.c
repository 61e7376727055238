/* Options: from the environment (STANDIN_DEPTH and so on) when the library is loaded, then from the test. */
#include <stdlib.h>
#include <string.h>

#include "../core.h"

unsigned long long option_depth;
bool option_free_waits;
bool option_load_waits;
unsigned int option_create_waits;
unsigned int option_cooperative;
unsigned long long option_memory;
bool option_peers = true;
unsigned int option_managed = 1;
bool option_let_go;
unsigned int option_late_queries;
bool option_destroy_at_once;
bool option_dependent = true;

static unsigned long long from_environment(const char *variable, unsigned long long otherwise) {
    const char *text = getenv(variable);
    return text && *text ? strtoull(text, NULL, 0) : otherwise;
}

void options_read(void) {
    standin_version = (int)from_environment("STANDIN_VERSION", 13000);
    /* CUDA takes about a thousand launches before it makes the caller wait: who holds a stream must not submit more. */
    option_depth = from_environment("STANDIN_DEPTH", 1024);
    option_free_waits = from_environment("STANDIN_FREE_WAITS", 1);
    option_load_waits = from_environment("STANDIN_LOAD_WAITS", 0);
    option_create_waits = (unsigned int)from_environment("STANDIN_CREATE_WAITS", 0);
    option_cooperative = (unsigned int)from_environment("STANDIN_COOPERATIVE_BLOCKS", 0);
    option_memory = from_environment("STANDIN_MEMORY", 1ull << 30);
    option_peers = from_environment("STANDIN_PEERS", 1);
    option_managed = (unsigned int)from_environment("STANDIN_MANAGED", 1);
    option_destroy_at_once = from_environment("STANDIN_DESTROY_AT_ONCE", 0);
    option_dependent = from_environment("STANDIN_DEPENDENT", 1);
}

EXPORT int standin_option(const char *name, long long value) {
    int code = 0;
    pthread_mutex_lock(&standin_lock);
    if (!strcmp(name, "depth"))
        option_depth = (unsigned long long)value;
    else if (!strcmp(name, "free_waits"))
        option_free_waits = value != 0;
    else if (!strcmp(name, "load_waits"))
        option_load_waits = value != 0;
    else if (!strcmp(name, "create_waits"))
        option_create_waits = (unsigned int)value;
    else if (!strcmp(name, "cooperative_blocks"))
        option_cooperative = (unsigned int)value;
    else if (!strcmp(name, "memory"))
        option_memory = (unsigned long long)value;
    else if (!strcmp(name, "version"))
        standin_version = (int)value;
    else if (!strcmp(name, "peers"))
        option_peers = value != 0;
    else if (!strcmp(name, "managed"))
        option_managed = (unsigned int)value;
    else if (!strcmp(name, "let_go"))
        option_let_go = value != 0;
    else if (!strcmp(name, "late_queries"))
        option_late_queries = (unsigned int)value;
    else if (!strcmp(name, "dependent"))
        option_dependent = value != 0;
    else if (!strcmp(name, "destroy_at_once"))
        option_destroy_at_once = value != 0;
    else
        code = -1;
    workers_wake();
    workers_completed(); /* who waits because of the old depth looks again */
    pthread_mutex_unlock(&standin_lock);
    return code;
}
