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
static _Atomic uint32_t numbers; /* of the driver's calls: the newest */
static void (*profile)(const standin_profiler *profiler);

static const struct {
    const char *name;
    uint32_t number;
} calls[] = {{"cuMemsetD8Async", 216},     {"cuMemsetD16Async", 218},
             {"cuMemsetD32Async", 220},    {"cuMemcpy2DAsync_v2", 289},
             {"cuCtxGetCurrent", 304},     {"cuMemcpyAsync", 306},
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

const standin_profiler cupti_profiler = {begins, ends, record_submits, record_starts, record_stops, record_over};

/* The next call of the driver has the number after this. */
EXPORT void standin_cupti_number(uint32_t number) { numbers = number; }

/* Without the lock. */
static int attach(void) {
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

EXPORT int cuptiGetVersion(uint32_t *version) {
    int code = call_fault(__func__);
    if (!code) *version = SC_VERSION;
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
    if (!code && client.subscribed) code = SC_ERROR_MULTIPLE_SUBSCRIBERS;
    pthread_mutex_unlock(&cupti_lock);
    if (!code) code = attach();
    if (!code) {
        pthread_mutex_lock(&cupti_lock);
        client.subscribed = true;
        client.callback = callback;
        client.data = data;
        *handle = &subscriber;
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
        memset(client.watched, 0, sizeof client.watched);
    }
    pthread_mutex_unlock(&cupti_lock);
    if (!code) leave();
    return call_note(__func__, code, "%s", "");
}

EXPORT int cuptiEnableCallback(uint32_t on, void *handle, int domain, uint32_t call) {
    int code = call_fault(__func__);
    pthread_mutex_lock(&cupti_lock);
    bool right = client.subscribed && handle == &subscriber && domain == SC_DOMAIN_DRIVER && call && call < CALLS_MOST;
    if (!code && !right) code = SC_ERROR_INVALID_PARAMETER;
    if (!code) client.watched[call] = on;
    pthread_mutex_unlock(&cupti_lock);
    return call_note(__func__, code, "%u %u", on, call);
}

EXPORT int cuptiActivityRegisterCallbacks(sc_request request, sc_complete complete) {
    int code = call_fault(__func__);
    if (!code && (!request || !complete)) code = SC_ERROR_INVALID_PARAMETER;
    pthread_mutex_lock(&cupti_lock);
    if (!code) client.request = request, client.complete = complete;
    pthread_mutex_unlock(&cupti_lock);
    return call_note(__func__, code, "%s", "");
}

EXPORT int cuptiActivityRegisterTimestampCallback(sc_clock clock) {
    int code = call_fault(__func__);
    pthread_mutex_lock(&cupti_lock);
    if (!code) client.clock = clock;
    pthread_mutex_unlock(&cupti_lock);
    return call_note(__func__, code, "%s", "");
}

static int want(const char *name, int kind, bool on) {
    int code = call_fault(name);
    bool known = kind == SC_KIND_COPY || kind == SC_KIND_FILL || kind == SC_KIND_KERNEL || kind == SC_KIND_PEER_COPY;
    if (!code && !known) code = SC_ERROR_INVALID_KIND;
    if (!code && on) code = attach();
    pthread_mutex_lock(&cupti_lock);
    if (!code) client.kinds[kind] = on;
    pthread_mutex_unlock(&cupti_lock);
    if (!code && !on) leave();
    return call_note(name, code, "%d", kind);
}

EXPORT int cuptiActivityEnable(int kind) { return want(__func__, kind, true); }

EXPORT int cuptiActivityDisable(int kind) { return want(__func__, kind, false); }

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
