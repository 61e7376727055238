/* The tool of HIP's runtime: what rocprofiler-sdk calls to have it configured. It finds this by `door.c`. */
#ifndef LAUNCHPATH_RECORDER_HIP_TOOL_H
#define LAUNCHPATH_RECORDER_HIP_TOOL_H

#include "below.h"

/* HIP is not recorded, or not its times. Say why: now, and in the file, if there is one. */
static void hip_leave(const char *why, const char *of) {
    static char text[160];
    snprintf(text, sizeof text, "%s%s", why, of);
    hip.left = text;
    fprintf(stderr, "launchpath: HIP's functions are not recorded: %s\n", text);
}

/* Whether a function that the recorder does not know submits work. */
static int hip_submits(const char *name) {
    static const char *const beginnings[] = {"hipLaunchK", "hipLaunchC", "hipLaunchB", "hipExtLaunch", "hipDrvLaunch", "hipModuleLaunch", "hipExtModuleLaunch", "hipMemcpy", "hipMemset", "hipDrvMemcpy", "hipGraphLaunch"};
    size_t i;
    for (i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
        if (strncmp(name, beginnings[i], strlen(beginnings[i])) == 0) return 1;
    return 0;
}

typedef struct {
    int32_t numbers[HIP_OPERATIONS_MOST];
    size_t n;
} hip_wanted;

/* Note rocprofiler's number of a function, which differs between its versions. */
static int hip_operation(int kind, int number, void *data) {
    hip_wanted *wanted = (hip_wanted *)data;
    const char *name = 0;
    int entry, place;
    if (number < 0 || number >= HIP_OPERATIONS_MOST || rocp.query_callback_tracing_kind_operation_name(kind, number, &name, 0) || name == 0) return 0;
    for (entry = 0; entry < HIP_ENTRIES && strcmp(hip_names[entry], name); entry++) {}
    if (entry < HIP_ENTRIES) hip_operations[number] = (uint16_t)(entry + 1);
    else if (!hip_submits(name) || (place = unseen_place(name, 0)) < 0) return 0;
    else hip_operations[number] = (uint16_t)(HIP_UNSEEN | place);
    wanted->numbers[wanted->n++] = number;
    return 0;
}

/* Have callbacks configured. Gives the step that failed, NULL: none. */
static const char *hip_configure(void) {
    static const int32_t kernels[] = {ROCP_CODE_KERNEL, ROCP_CODE_HOST_KERNEL}, dispatches[] = {ROCP_DISPATCH_COMPLETE};
    static const int asked[] = {ROCP_ASKED_DISPATCH, ROCP_ASKED_COPY};
    static hip_wanted wanted;
#define STEP(call) if (rocp.call) return #call
    STEP(create_context(&hip.context));
    STEP(iterate_callback_tracing_kind_operations(ROCP_TRACE_HIP, hip_operation, &wanted));
    if (wanted.n == 0) return "none of its functions is known";
    STEP(configure_callback_tracing_service(hip.context, ROCP_TRACE_HIP, wanted.numbers, wanted.n, hip_traced, 0));
    STEP(configure_callback_tracing_service(hip.context, ROCP_TRACE_CODE, kernels, 2, hip_code_traced, 0));
    if (options.timed) {
        STEP(configure_external_correlation_id_request_service(hip.context, asked, 2, hip_asked, 0));
        STEP(configure_callback_tracing_service(hip.context, ROCP_TRACE_DISPATCH, dispatches, 1, hip_dispatch_traced, 0));
        STEP(configure_callback_tracing_service(hip.context, ROCP_TRACE_COPY, 0, 0, hip_copy_traced, 0));
    }
    STEP(start_context(hip.context));
#undef STEP
    return 0;
}

static int hip_tool_begins(void (*end)(rocp_client), void *data) {
    const char *failed = hip_configure();
    (void)end, (void)data;
    if (failed) hip_leave("rocprofiler-sdk refused ", failed);
    return failed ? -1 : 0;
}

/* rocprofiler has waited for what was in flight, and traces nothing from now on. */
static void hip_tool_ends(void *data) {
    (void)data;
    hip_times.ended = 1;
    if (lp_load(&process.state) == PROCESS_TRACED) lp_add(&lp_trace.header->counters.unfinished, (int64_t)lp_load(&hip_times.n));
}

/* Called once in a process, by `rocprofiler_configure` of door.c; NULL: this is no tool here. `caller` is where it is called. */
EXPORT rocp_tool *launchpath_recorder_hip(uint32_t version, rocp_client *client, const void *caller) {
    static rocp_tool tool = {sizeof tool, hip_tool_begins, hip_tool_ends, 0};
    const char *missing;
    char text[32];
    if (!options.on) return 0;
    if (real_dlsym == 0) real_dlsym_find();
    if (version < ROCP_VERSION_LEAST) {
        snprintf(text, sizeof text, "%u.%u", version / 10000, version / 100 % 100);
        hip_leave("expected rocprofiler-sdk 1.0 or later, got ", text);
        return 0;
    }
    missing = rocp_find(caller);
    if (missing) {
        hip_leave("rocprofiler-sdk has no ", missing);
        return 0;
    }
    if (client) client->name = "launchpath";
    return &tool;
}

/* Before the end: what was said on the terminal stands in the file too. */
static void hip_end(void) {
    json_text json = {0};
    if (hip.left == 0) return;
    json_raw(&json, "{\"hip\":{\"left\":"), json_text_of(&json, hip.left), json_raw(&json, "}}");
    facts_write(&json);
}

static void hip_cost(void) {
    size_t i;
    for (i = 0; i < sizeof hip_devices / sizeof *hip_devices; i++)
        if (lp_load(&hip_devices[i].number)) {
            cost_left_out("hip", "no call of HIP's goes past rocprofiler-sdk");
            return;
        }
}

/* In a forked child: HIP does not work there if the parent had used it. */
static void hip_forget(void) {
    memset(hip_devices, 0, sizeof hip_devices), memset(hip_times.clocks, 0, sizeof hip_times.clocks);
    handles_init(&hip_streams), handles_init(&hip_graphs);
    lp_lock_init(&hip_kernels.lock), lp_lock_init(&hip_numbers.lock), lp_lock_init(&hip.lock), lp_lock_init(&hip_times.lock);
    hip_times.free = 0, hip_times.n = 0;
    hip_captures = 0, hip_here.depth = 0;
}

static void hip_init(void) {
    const recorder_face face = {hip_end, hip_forget, hip_cost};
    _Static_assert(1 + CUDA_ENTRIES + OPENCL_ENTRIES + HIP_ENTRIES <= ENTRIES_MOST, "there is no room for the names of all functions");
    hip.first = process_entries(hip_names, HIP_ENTRIES);
    hip_forget();
    process_add(&face);
}

#endif
