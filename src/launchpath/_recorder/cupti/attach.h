/* CUPTI's life in the process: the driver loads the recorder once more by CUDA_INJECTION64_PATH, in cuInit, and then CUPTI is
   attached, so that every command from the first one on has times. */
#ifndef LAUNCHPATH_RECORDER_CUPTI_ATTACH_H
#define LAUNCHPATH_RECORDER_CUPTI_ATTACH_H

#include "records.h"

enum {
    CUPTI_LOOK = 2000,             /* microseconds between two looks at what has come */
    CUPTI_FLUSH_EVERY = 50000000,  /* nanoseconds; more often makes launches slower */
    CUPTI_PATIENCE = 1000000000    /* nanoseconds without news after which the end of the process waits no longer */
};

static struct {
    lp_lock look;              /* held during a look; after it nothing of CUPTI's is called */
    int over;
    char source[512];          /* what times come from, and why there are no more */
    uint8_t watched[CUPTI_CALLS_MOST]; /* numbers of calls that submit something */
} cupti_face;

static uint64_t cupti_clock(void) { return lp_nanoseconds(); }

/* Note what the times of CUDA's devices come from. */
static void cupti_source_write(void) {
    json_text json = {0};
    uint32_t i;
    if (!options.timed || lp_load(&lp_trace.generation) == 0) return;
    json_raw(&json, "{\"times\":{");
    for (i = 0; i < cuda_device_count; i++) {
        if (i) json_raw(&json, ",");
        json_raw(&json, "\""), json_number(&json, cuda_device_numbers[i]), json_raw(&json, "\":");
        json_text_of(&json, cupti_face.source);
    }
    json_raw(&json, "}}");
    facts_write(&json);
}

/* There are no times, or no more. A text with a colon is shown in the report. */
static void cupti_without(const char *source, const char *reason) {
    lp_store(&cupti.attached, 0), lp_store(&cupti.ended, 1);
    snprintf(cupti_face.source, sizeof cupti_face.source, "%s: %s", source, reason);
    cupti_source_write();
}

/* CUPTI tells of a call or of a node, on the thread of the call. */
static void cupti_heard(void *unused, int domain, uint32_t call, const cupti_call *at) {
    const cupti_resource *resource = (const cupti_resource *)at;
    const cupti_cloned *cloned;
    uint64_t id = 0;
    (void)unused;
    if (lp_load(&cupti.attached) == 0) return; /* `inside` is noted no more: all calls would look like those of others */
    if (domain == CUPTI_DOMAIN_DRIVER && at->site == CUPTI_ENTER) {
        if (LP_LIKELY(cupti_here.inside)) pending_called(at->number);
        else if (!cuda.below && call < CUPTI_CALLS_MOST && cupti_face.watched[call]) not_understood(); /* another way to the driver */
    } else if (domain == CUPTI_DOMAIN_RESOURCE && call == CUPTI_NODE_CLONED && clones.wanted) {
        cloned = (const cupti_cloned *)resource->descriptor;
        if (cloned && cloned->from_node && cupti.more.node_id(cloned->node, &id) == 0) clone_add(cloned->from_node, id);
    }
}

static int cupti_kinds_enable(void) {
    const int n = cupti_copies_allowed() ? CUPTI_KINDS : 1;
    int kind, code = 0;
    for (kind = 0; kind < n && code == 0; kind++) {
        cupti_kind_options what = {sizeof what, {sizeof what.selection, (size_t)cupti_fields_of(kind), cupti_fields[kind]}, 0};
        code = cupti.second_way ? cupti.more.enable_2(cupti.subscriber, cupti_kinds[kind], cupti.with_fields ? &what : 0)
                                : cupti.call.enable(cupti_kinds[kind]);
    }
    return code;
}

static void cupti_kinds_disable(void) {
    int kind;
    for (kind = 0; kind < CUPTI_KINDS; kind++)
        if (cupti.second_way) cupti.more.disable_2(cupti.subscriber, cupti_kinds[kind], 0);
        else cupti.call.disable(cupti_kinds[kind]);
}

/* Beside other profilers, and with records of the fields that are wanted. 0, or CUPTI's code. */
static int cupti_attach_second(void) {
    cupti_subscription with = {sizeof with, "launchpath", 0, 0, 1, {0}};
    uint64_t (*clock)(void) = cupti_clock;
    uint8_t yes = 1;
    size_t size = sizeof clock;
    int code = cupti.more.subscribe_2(&cupti.subscriber, cupti_heard, 0, &with);
    if (code) return code;
    cupti.second_way = 1;
    code = cupti.more.set_2(cupti.subscriber, CUPTI_CLOCK, &size, &clock);
    size = sizeof yes;
    cupti.with_fields = code == 0 && cupti.more.set_2(cupti.subscriber, CUPTI_USES_FIELDS, &size, &yes) == 0;
    size = sizeof yes;
    if (code == 0) cupti.more.set_2(cupti.subscriber, CUPTI_HARDWARE_TIMES, &size, &yes); /* refused where the device has none */
    if (code == 0) code = cupti.more.use_buffers_2(cupti.subscriber, cupti_buffer_give_2, cupti_buffer_filled_2);
    if (code == 0) code = cupti_kinds_enable();
    if (code) {
        cupti.call.unsubscribe(cupti.subscriber);
        cupti.second_way = cupti.with_fields = 0;
    }
    return code;
}

static int cupti_attach_first(void) {
    int code = cupti.call.subscribe(&cupti.subscriber, cupti_heard, 0);
    if (code) return code;
    if (cupti.more.hardware_times) cupti.more.hardware_times(1); /* the same */
    code = cupti.call.use_clock(cupti_clock);
    if (code == 0) code = cupti.call.use_buffers(cupti_buffer_give, cupti_buffer_filled);
    if (code == 0) code = cupti_kinds_enable();
    if (code) cupti.call.unsubscribe(cupti.subscriber);
    return code;
}

/* Hear of the calls that submit something: those that the recorder knows, and others by their names. */
static void cupti_watch(void) {
    static const char *const submit[] = {"cuLaunchKernel", "cuLaunchCooperative", "cuMemcpy", "cuMemset", "cuGraphLaunch"};
    const char *name;
    uint32_t number;
    size_t i;
    for (number = 1; number < CUPTI_CALLS_MOST; number++) {
        name = 0;
        if (cupti.more.call_name(CUPTI_DOMAIN_DRIVER, number, &name) || name == 0) continue;
        for (i = 0; i < sizeof submit / sizeof *submit && strncmp(name, submit[i], strlen(submit[i])); i++) {}
        if (i == sizeof submit / sizeof *submit) continue;
        cupti_face.watched[number] = 1;
        cupti.call.watch(1, cupti.subscriber, CUPTI_DOMAIN_DRIVER, number);
    }
    cupti.call.watch(1, cupti.subscriber, CUPTI_DOMAIN_RESOURCE, CUPTI_NODE_CLONED);
}

/* Attach a library; NULL, or why not. */
static const char *cupti_attach(void *handle) {
    const char *reason = cupti_library_take(handle), *text = 0;
    int code;
    if (reason) return reason;
    code = cupti.more.subscribe_2 && cupti.more.set_2 && cupti.version >= CUPTI_WITH_FIELDS ? cupti_attach_second() : -1;
    if (code && code != CUPTI_ERROR_MULTIPLE_SUBSCRIBERS) code = cupti_attach_first();
    if (code == CUPTI_ERROR_MULTIPLE_SUBSCRIBERS) return "another profiler is attached to this process";
    if (code) return cupti.call.text(code, &text) == 0 && text ? text : "CUPTI refused it";
    cupti_watch();
    return 0;
}

/* What the thread of the recorder does: it reads what has come, and asks for more now and then. */
static void cupti_look(int flush) {
    lp_records *ring;
    const char *wrong;
    lp_lock_acquire(&cupti_face.look);
    ring = cupti_face.over ? 0 : records_here();
    if (ring) {
        if (flush) cupti.call.flush(flush > 1 ? CUPTI_FLUSH_FORCED : 0);
        cupti_records_read(ring);
        wrong = cupti_records_wrong();
        if (wrong && !lp_load(&cupti.ended)) {
            cupti_kinds_disable();
            cupti_without("cupti, which was ended", wrong);
        }
    }
    lp_lock_release(&cupti_face.look);
}

static void cupti_monitor(void *unused) {
    uint64_t flushed = lp_nanoseconds();
    (void)unused;
    lp_add(&last.helpers, 1);
    while (!cupti_face.over && !last.leaving) {
        int due = lp_load(&pending.left) && lp_nanoseconds() - flushed > CUPTI_FLUSH_EVERY;
        cupti_look(due);
        if (due) flushed = lp_nanoseconds();
        lp_sleep(lp_load(&pending.left) ? CUPTI_LOOK : 10 * CUPTI_LOOK);
    }
    lp_add(&last.helpers, -1);
}

/* Find CUPTI: that which the process has loaded, for two would be in each other's way; else what `launchpath trace` names. */
static void cupti_begin(void) {
    static const char *const loaded[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11", "libcupti.so"};
    const char *text = getenv("LAUNCHPATH_RECORDER_CUPTI"), *reason = "CUPTI is not installed: pip install nvidia-cuda-cupti";
    int version = 0, attached = 0;
    void *handle = 0;
    size_t i, size;
    char path[FILE_NAME_MOST];
    if (cuda.call.cuDriverGetVersion) cuda.call.cuDriverGetVersion(&version);
    for (i = 0; i < sizeof loaded / sizeof *loaded && !handle; i++) handle = dlopen(loaded[i], RTLD_NOW | RTLD_NOLOAD);
    if (handle) attached = (reason = cupti_attach(handle)) == 0;
    for (; !handle && !attached && text && *text; text += size + (text[size] == ':')) {
        size = strcspn(text, ":");
        snprintf(path, sizeof path, "%.*s", (int)size, text);
        if (size == 0 || (version && cupti_major(path) > version / 1000)) continue;
        void *library = dlopen(path, RTLD_NOW);
        if (library) attached = (reason = cupti_attach(library)) == 0;
    }
    dlerror();
    if (!attached) {
        cupti_without("nothing", reason);
        return;
    }
    snprintf(cupti_face.source, sizeof cupti_face.source, "cupti");
    lp_store(&cupti.attached, 1);
    lp_thread(cupti_monitor, 0);
}

/* Before the libraries' own ends: bring the times of what is in flight, as long as there is news. */
static void cupti_times(void) {
    uint64_t read = cupti_records.read, since = lp_nanoseconds();
    if (cupti.subscriber == 0 || cupti_face.over) return;
    while (lp_load(&pending.left) && lp_nanoseconds() - since < CUPTI_PATIENCE) {
        cupti_look(1);
        if (read != cupti_records.read) read = cupti_records.read, since = lp_nanoseconds();
        else lp_sleep(200);
    }
    cupti_records.whole = 1;
    cupti_look(2);
    lp_lock_acquire(&cupti_face.look);
    cupti_face.over = 1;
    lp_store(&cupti.attached, 0);
    lp_add(&lp_trace.header->counters.unfinished, (int64_t)lp_load(&pending.left));
    lp_lock_release(&cupti_face.look);
}

/* In a forked child: CUPTI is the parent's, and so is its context. */
static void cupti_forget(void) {
    lp_lock_init(&pending.lock), lp_lock_init(&cupti_records.lock), lp_lock_init(&cupti_face.look), lp_lock_init(&node_ids_lock);
    lp_store(&cupti.attached, 0);
    cupti.subscriber = 0, cupti_face.over = 0, cupti_records.whole = 0, pending.left = 0;
    snprintf(cupti_face.source, sizeof cupti_face.source, "nothing: the driver loaded no recorder (CUDA_INJECTION64_PATH)");
    cupti_here.inside = 0, cupti_here.place = 0;
}

/* The driver calls it in cuInit. */
EXPORT int InitializeInjection(void) {
    if (!options.on || !options.timed || cupti.subscriber || lp_load(&cupti.ended)) return 1;
    if (cuda.below && options.leave_cupti) {
        cupti_without("nothing", "launchpath's own trace has CUPTI (--cupti)");
        return 1;
    }
    pending.places = (pending_command *)calloc(PENDING_PLACES, sizeof *pending.places);
    if (pending.places) cupti_begin();
    else cupti_without("nothing", "there is no memory");
    return 1;
}

#endif
