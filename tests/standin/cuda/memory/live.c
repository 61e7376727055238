/* What exists, for tests that look for leaks. */
#include <string.h>

#include "../core.h"

static long long streams(void) {
    long long count = 0;
    for (int i = 0; i < standin_devices; i++)
        for (CUstream stream = contexts[i].streams; stream; stream = stream->next)
            count += !stream->destroyed && (stream->kind == BLOCKING || stream->kind == NON_BLOCKING);
    return count;
}

static long long live(const char *what) {
    if (!strcmp(what, "streams")) return streams();
    if (!strcmp(what, "events")) return events_live;
    if (!strcmp(what, "memory")) return memory_count(PLACE_DEVICE, false) + memory_count(PLACE_POOL, false);
    if (!strcmp(what, "bytes")) return memory_count(PLACE_DEVICE, true) + memory_count(PLACE_POOL, true);
    if (!strcmp(what, "pinned")) return memory_count(PLACE_PINNED, false);
    if (!strcmp(what, "managed")) return memory_count(PLACE_MANAGED, false);
    if (!strcmp(what, "pools")) return pools_live;
    if (!strcmp(what, "modules")) return modules_live;
    if (!strcmp(what, "graphs")) return graphs_live;
    if (!strcmp(what, "nodes")) return nodes_live;
    if (!strcmp(what, "arrays")) return arrays_live;
    if (!strcmp(what, "textures")) return textures_live;
    if (!strcmp(what, "user_objects")) return user_objects_live;
    if (!strcmp(what, "destroying")) return user_objects_due;
    if (strcmp(what, "contexts")) return -1;
    long long users = 0;
    for (int i = 0; i < standin_devices; i++) users += contexts[i].users;
    return users;
}

EXPORT long long standin_live(const char *what) {
    pthread_mutex_lock(&standin_lock);
    long long count = live(what);
    pthread_mutex_unlock(&standin_lock);
    return count;
}
