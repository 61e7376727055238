/* The client: its subscription, the calls and kinds that it asked for, and the stand-in of CUDA behind it. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core.h"

pthread_mutex_t cupti_lock = PTHREAD_MUTEX_INITIALIZER;
struct client client = {.session = 1};
static struct {
    char unused;
} subscriber;
static _Thread_local struct { /* the node that the client is told of */
    const void *node;
    uint64_t id;
} told;
static _Atomic uint32_t numbers; /* of the driver's calls: the newest */
static void (*profile)(const standin_profiler *profiler);

static const struct {
    const char *name;
    uint32_t number;
} calls[] = {{"cuMemsetD8Async", 216},     {"cuMemsetD16Async", 218},
             {"cuMemsetD32Async", 220},    {"cuMemcpy2DAsync_v2", 289},
             {"cuCtxGetCurrent", 304},     {"cuMemcpyAsync", 306},
             {"cuMemcpyHtoD_v2", 276},     {"cuMemcpyHtoDAsync_v2", 277},
             {"cuMemcpyDtoH_v2", 278},     {"cuMemcpyDtoHAsync_v2", 279},
             {"cuMemcpyDtoDAsync_v2", 281},
             {"cuLaunchKernel", 307},      {"cuMemcpyPeerAsync", 319},
             {"cuMemcpy3DPeerAsync", 321}, {"cuLaunchCooperativeKernel", 477},
             {"cuGraphLaunch", 514},      {"cuLaunchKernelEx", 652}};

static uint32_t call_number(const char *name) {
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        if (!strcmp(calls[i].name, name)) return calls[i].number;
    return 0; /* it cannot be watched */
}

static void call_back(int site, const char *name, uint32_t number, const int *result) {
    static _Thread_local uint64_t data;
    uint32_t call = call_number(name);
    sc_call at = {.site = site, .name = name, .result = result, .data = &data, .number = number};
    pthread_mutex_lock(&cupti_lock);
    sc_callback callback = client.subscribed && client.watched[call] ? client.callback : NULL;
    void *client_data = client.data;
    pthread_mutex_unlock(&cupti_lock);
    if (callback) callback(client_data, SC_DOMAIN_DRIVER, call, &at);
}

static unsigned int begins(const char *name) {
    uint32_t number = atomic_fetch_add(&numbers, 1) + 1;
    call_back(SC_ENTER, name, number, NULL);
    return number;
}

static void ends(const char *name, unsigned int number, const int *result) {
    call_places(name, *result);
    if (option_late_us) usleep((useconds_t)option_late_us);
    call_back(SC_EXIT, name, number, result);
}

void node_cloned(const void *node, const void *from, uint64_t id) {
    sc_cloned cloned = {.node = node, .from_node = from};
    sc_resource resource = {.descriptor = &cloned};
    pthread_mutex_lock(&cupti_lock);
    sc_callback callback = client.subscribed && client.clones && option_clones != CLONES_UNTOLD ? client.callback : NULL;
    void *client_data = client.data;
    told.node = node, told.id = option_clones == CLONES_OTHERS ? id + (1000ull << 32) : id;
    pthread_mutex_unlock(&cupti_lock);
    if (callback) callback(client_data, SC_DOMAIN_RESOURCE, SC_NODE_CLONED, &resource);
}

const standin_profiler cupti_profiler = {.begins = begins, .ends = ends, .submits = record_submits, .starts = record_starts,
                                         .stops = record_stops, .over = record_over, .cloned = node_cloned};

/* The next call of the driver has the number after this. */
EXPORT void standin_cupti_number(uint32_t number) { numbers = number; }

/* Without the lock. */
int client_attach(void) {
    const char *path = getenv("STANDIN_CUPTI_CUDA");
    void *library = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : NULL;
    void (*function)(const standin_profiler *) = NULL;
    if (library) *(void **)&function = dlsym(library, "standin_profile");
    if (!function) return SC_ERROR_NOT_INITIALIZED;
    if (profile && profile != function) profile(NULL);
    profile = function;
    profile(&cupti_profiler);
    return SC_SUCCESS;
}

/* If the client asks for nothing any more. Without the lock. */
static void leave(void) {
    bool wanted = client.subscribed;
    for (int i = 0; i < SC_KINDS; i++) wanted |= client.kinds[i];
    if (!wanted && profile) profile(NULL);
}

uint32_t client_version(void) { return option_version ? (uint32_t)option_version : SC_VERSION; }

bool client_is(const void *handle) { return client.subscribed && handle == &subscriber; }

void *client_subscribed(sc_callback callback, void *data) {
    client.subscribed = true;
    client.callback = callback;
    client.data = data;
    return &subscriber;
}

/* The driver's functions are named, as far as they can be watched. */
EXPORT int cuptiGetCallbackName(int domain, uint32_t call, const char **name) {
    for (size_t i = 0; domain == SC_DOMAIN_DRIVER && name && i < sizeof calls / sizeof *calls; i++)
        if (calls[i].number == call) {
            *name = calls[i].name;
            return SC_SUCCESS;
        }
    return SC_ERROR_INVALID_PARAMETER;
}

EXPORT int cuptiGetGraphNodeId(const void *node, uint64_t *id) {
    if (!node || node != told.node || !id) return SC_ERROR_INVALID_PARAMETER;
    *id = told.id;
    return SC_SUCCESS;
}

EXPORT int cuptiGetVersion(uint32_t *version) {
    int code = call_fault(__func__);
    if (!code) *version = client_version();
    return call_note(__func__, code, "%s", "");
}

EXPORT int cuptiGetResultString(int code, const char **text) {
    const char *name = code == SC_SUCCESS                      ? "CUPTI_SUCCESS"
                       : code == SC_ERROR_INVALID_PARAMETER    ? "CUPTI_ERROR_INVALID_PARAMETER"
                       : code == SC_ERROR_MAX_LIMIT_REACHED    ? "CUPTI_ERROR_MAX_LIMIT_REACHED"
                       : code == SC_ERROR_NOT_INITIALIZED      ? "CUPTI_ERROR_NOT_INITIALIZED"
                       : code == SC_ERROR_INVALID_KIND         ? "CUPTI_ERROR_INVALID_KIND"
                       : code == SC_ERROR_MULTIPLE_SUBSCRIBERS ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"
                       : code == SC_ERROR_UNKNOWN              ? "CUPTI_ERROR_UNKNOWN"
                                                               : NULL;
    if (text && name) *text = name;
    return text && name ? SC_SUCCESS : SC_ERROR_INVALID_PARAMETER;
}

EXPORT int cuptiSubscribe(void **handle, sc_callback callback, void *data) {
    int code = call_fault(__func__);
    pthread_mutex_lock(&cupti_lock);
    if (!code && !handle) code = SC_ERROR_INVALID_PARAMETER;
    if (!code && (client.subscribed || option_other)) code = SC_ERROR_MULTIPLE_SUBSCRIBERS;
    pthread_mutex_unlock(&cupti_lock);
    if (!code) code = client_attach();
    if (!code) {
        pthread_mutex_lock(&cupti_lock);
        *handle = client_subscribed(callback, data);
        pthread_mutex_unlock(&cupti_lock);
    }
    return call_note(__func__, code, "%s", "");
}

EXPORT int cuptiUnsubscribe(void *handle) {
    int code = call_fault(__func__);
    pthread_mutex_lock(&cupti_lock);
    if (!code && (!client.subscribed || handle != &subscriber)) code = SC_ERROR_INVALID_PARAMETER;
    if (!code) {
        client.subscribed = false;
        client.second = client.with_fields = client.clones = false;
        client.request_2 = NULL, client.complete_2 = NULL;
        memset(client.watched, 0, sizeof client.watched);
    }
    pthread_mutex_unlock(&cupti_lock);
    if (!code) leave();
    return call_note(__func__, code, "%s", "");
}

EXPORT int cuptiEnableCallback(uint32_t on, void *handle, int domain, uint32_t call) {
    int code = call_fault(__func__);
    pthread_mutex_lock(&cupti_lock);
    bool node = domain == SC_DOMAIN_RESOURCE && call == SC_NODE_CLONED;
    bool right = client_is(handle) && (node || (domain == SC_DOMAIN_DRIVER && call && call < CALLS_MOST));
    if (!code && !right) code = SC_ERROR_INVALID_PARAMETER;
    if (!code && node) client.clones = on;
    else if (!code) client.watched[call] = on;
    pthread_mutex_unlock(&cupti_lock);
    return call_note(__func__, code, "%u %u", on, call);
}

EXPORT int cuptiActivityRegisterCallbacks(sc_request request, sc_complete complete) {
    int code = call_fault(__func__);
    if (!code && (!request || !complete)) code = SC_ERROR_INVALID_PARAMETER;
    pthread_mutex_lock(&cupti_lock);
    if (!code && client.second) code = SC_ERROR_NOT_COMPATIBLE;
    if (!code) client.request = request, client.complete = complete;
    pthread_mutex_unlock(&cupti_lock);
    return call_note(__func__, code, "%s", "");
}

EXPORT int cuptiActivityRegisterTimestampCallback(sc_clock clock) {
    int code = call_fault(__func__);
    pthread_mutex_lock(&cupti_lock);
    if (!code && client.second) code = SC_ERROR_NOT_COMPATIBLE;
    if (!code) client.clock = clock;
    pthread_mutex_unlock(&cupti_lock);
    return call_note(__func__, code, "%s", "");
}

int client_wants(const char *name, int kind, bool on) {
    int code = call_fault(name);
    bool known = kind == SC_KIND_COPY || kind == SC_KIND_FILL || kind == SC_KIND_KERNEL || kind == SC_KIND_PEER_COPY;
    if (!code && !known) code = SC_ERROR_INVALID_KIND;
    if (!code && on) code = client_attach();
    pthread_mutex_lock(&cupti_lock);
    if (!code) client.kinds[kind] = on;
    pthread_mutex_unlock(&cupti_lock);
    if (!code && !on) leave();
    return call_note(name, code, "%d", kind);
}

EXPORT int cuptiActivityEnable(int kind) {
    return client.second ? SC_ERROR_NOT_COMPATIBLE : client_wants(__func__, kind, true);
}

EXPORT int cuptiActivityDisable(int kind) {
    return client.second ? SC_ERROR_NOT_COMPATIBLE : client_wants(__func__, kind, false);
}

/* All is as if no client had attached, and numbers begin anew. Buffers that it has not got by now never come, unless a test
 * has them left for later. */
EXPORT int cuptiFinalize(void) {
    int code = call_fault(__func__);
    unsigned int dropped = 0;
    if (!code) {
        if (profile) profile(NULL);
        pthread_mutex_lock(&cupti_lock);
        dropped = buffers_end();
        if (option_leave == LEAVE_TO_END) {
            buffers_left_due();
            buffers_deliver();
        }
        client = (struct client){.session = client.session + 1};
        numbers = 0;
        pthread_mutex_unlock(&cupti_lock);
    }
    return call_note(__func__, code, "%u", dropped);
}
