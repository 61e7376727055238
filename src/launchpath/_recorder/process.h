/* The trace of this process: it begins with the first record, and ends with the process. A forked child begins its own.

   Records are in rings that are parts of the file, so at the end nothing has to be saved: after `_exit`, a signal or exec the
   file has every record of a call that returned. What the end adds are times of commands in flight, names of threads and the
   mark that it was reached. */
#ifndef LAUNCHPATH_RECORDER_PROCESS_H
#define LAUNCHPATH_RECORDER_PROCESS_H

#include <dirent.h>
#include <pthread.h>
#include <time.h>
#include "facts.h"
#include "file.h"
#include "last.h"
#include "trace/records/evidence.h"
#include "trace/records/range.h"
#include "unseen.h"

enum { PROCESS_NEW, PROCESS_TRACED, PROCESS_REFUSED };

typedef struct recorder_face recorder_face;
struct recorder_face { /* what a face has to do with the process; each may be NULL */
    void (*times)(void);    /* before the end: bring the times of what is in flight, for a while */
    void (*forget)(void);   /* in a forked child */
    void (*cost)(void);     /* after `times`: measure what a record costs */
};

enum { FACES_MOST = 8, ENTRIES_MOST = 512 };

static struct {
    uint64_t state;
    lp_lock lock; /* before `lp_trace.lock` */
    recorder_face faces[FACES_MOST];
    int n_faces;
    const char *entries[ENTRIES_MOST]; /* names of drivers' calls, by their number in records; 0 is none */
    int n_entries;
    uint8_t roles[ENTRIES_MOST]; /* of these calls to delays */
    json_text devices; /* their facts, so far */
    uint32_t n_devices;
    uint32_t n_streams;
    int exits, ended;
    uint64_t ticks, nanoseconds; /* of both clocks, when the trace began */
    char path[FILE_NAME_MOST + 64];
} process = {.n_entries = 1, .entries = {""}};

static name_table kernel_names;

static void process_add(const recorder_face *face) {
    if (process.n_faces < FACES_MOST) process.faces[process.n_faces++] = *face;
}

/* Number the calls of a library; gives the number of the first. */
static int process_entries(const char *const *names, int n) {
    int first = process.n_entries, i;
    for (i = 0; i < n && process.n_entries < ENTRIES_MOST; i++) {
        if (lp_delays.state) process.roles[process.n_entries] = (uint8_t)delays_role(names[i]);
        process.entries[process.n_entries++] = names[i];
    }
    return first;
}

static void write_process_facts(void) {
    json_text json = {0};
    struct timespec real;
    char *words = (char *)malloc(1 << 18), path[FILE_NAME_MOST], host[256] = "";
    size_t size = words ? file_content("/proc/self/cmdline", words, 1 << 18) : 0, at = 0, length;
    ssize_t n;
    int i;
    gethostname(host, sizeof host - 1);
    timespec_get(&real, TIME_UTC);
    json_raw(&json, "{\"process\":{\"pid\":"), json_number(&json, getpid());
    json_raw(&json, ",\"rank\":");
    if (process_rank() < 0) json_raw(&json, "null");
    else json_number(&json, process_rank());
    json_raw(&json, ",\"host\":"), json_text_of(&json, host);
    json_raw(&json, ",\"argv\":[");
    while (at < size) {
        length = strnlen(words + at, size - at);
        json_string(&json, words + at, length);
        at += length + 1;
        if (at < size) json_raw(&json, ",");
    }
    free(words);
    n = readlink("/proc/self/exe", path, sizeof path);
    json_raw(&json, "],\"executable\":"), json_string(&json, path, n > 0 ? (size_t)n : 0);
    json_raw(&json, "},\"begin\":{\"monotonic\":"), json_number(&json, (long long)lp_nanoseconds());
    json_raw(&json, ",\"real\":"), json_number(&json, (long long)real.tv_sec * 1000000000 + real.tv_nsec);
    json_raw(&json, "},\"recorder\":true,\"mode\":"), json_text_of(&json, options.timed ? "device" : "host");
    json_raw(&json, ",\"api\":[],\"entries\":[");
    for (i = 0; i < process.n_entries; i++) {
        if (i) json_raw(&json, ",");
        json_text_of(&json, process.entries[i]);
    }
    json_raw(&json, "],\"options\":{\"ring\":"), json_number(&json, options.capacity);
    json_raw(&json, ",\"when_full\":"), json_text_of(&json, options.drop ? "drop" : "wait");
    json_raw(&json, ",\"keep\":"), json_text_of(&json, keep_name(options.keep));
    json_raw(&json, ",\"period\":");
    if (options.period[0]) json_text_of(&json, options.period);
    else json_raw(&json, "null");
    json_raw(&json, "}");
    json_findings(&json);
    json_raw(&json, "}");
    facts_write(&json);
}

/* Begin the delays that are asked for, and write which. */
static void process_delays(void) {
    json_text json = {0};
    int entry;
    if (lp_delays.reason[0]) {
        json_raw(&json, "{\"delays\":{\"refused\":"), json_text_of(&json, lp_delays.reason), json_raw(&json, "}}");
        facts_write(&json);
    }
    if (lp_delays.state == 0) return;
    json_raw(&json, "{\"delays\":{\"text\":"), json_text_of(&json, lp_delays.text), json_raw(&json, "}}");
    facts_write(&json);
    for (entry = process.n_entries - 1; entry > 0 && strcmp(process.entries[entry], lp_delays.anchor); entry--) {}
    delays_start(lp_delays.kind == DELAYS_KERNEL ? name_number_of(&kernel_names, lp_delays.anchor) : 0, (uint32_t)entry, 0);
}

/* End them, and write how often the anchor has occurred. */
static void process_delays_end(void) {
    json_text json = {0};
    if (!lp_delays.on) return;
    delays_stop();
    json_raw(&json, "{\"delays_seen\":{\"anchors\":"), json_number(&json, (long long)lp_load(&lp_delays.state->occurrences));
    json_raw(&json, ",\"blocks\":"), json_number(&json, (long long)lp_load(&lp_delays.state->blocks)), json_raw(&json, "}}");
    facts_write(&json);
}

/* Write the names of the threads that there are now. */
static void write_threads(void) {
    json_text json = {0};
    DIR *tasks = opendir("/proc/self/task");
    struct dirent *entry;
    char path[300], name[64];
    size_t size;
    int n = 0;
    json_raw(&json, "{\"threads\":{");
    while (tasks && (entry = readdir(tasks)) != 0) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "/proc/self/task/%s/comm", entry->d_name);
        size = file_content(path, name, sizeof name);
        if (size == 0) continue;
        if (n++) json_raw(&json, ",");
        json_key(&json, entry->d_name);
        json_string(&json, name, name[size - 1] == '\n' ? size - 1 : size);
    }
    if (tasks) closedir(tasks);
    json_raw(&json, "}}");
    facts_write(&json);
}

/* Whether the system itself takes its time from the processor's counter: then all processors' agree. */
static int processors_share_clock(void) {
    char text[16];
    size_t size = file_content("/sys/devices/system/clocksource/clocksource0/current_clocksource", text, sizeof text);
    return size >= 3 && memcmp(text, "tsc", 3) == 0;
}

/* Before the libraries' own ends: bring the times of what is in flight, and measure what records cost. */
static void process_at_exit(void) {
    int i;
    if (lp_load(&process.state) != PROCESS_TRACED || process.exits) return;
    process.exits = 1;
    process_delays_end();
    for (i = 0; i < process.n_faces; i++)
        if (process.faces[i].times) process.faces[i].times();
    for (i = 0; i < process.n_faces; i++)
        if (process.faces[i].cost) process.faces[i].cost();
}

/* The last that this library does. Threads that still run write to their rings, which stay parts of the file. */
__attribute__((destructor)) static void process_end(void) {
    lp_records *ring;
    if (lp_load(&process.state) != PROCESS_TRACED || process.ended) return;
    process.ended = 1;
    unseen_write();
    write_threads();
    ring = records_here();
    if (ring) host_clock_write(ring);
    drain_all();
    lp_lock_acquire(&lp_trace.drain_lock);
    keep_end();
    lp_lock_release(&lp_trace.drain_lock);
    if (lp_trace.header->counters.state == 0) lp_store(&lp_trace.header->counters.state, 1);
}

static uint64_t period_clock(void) {
    struct timespec real;
    timespec_get(&real, TIME_UTC);
    return (uint64_t)real.tv_sec * 1000000000u + (uint64_t)real.tv_nsec;
}

/* Wait for so long; where periods are aligned, until a nanosecond since 1970. */
static void period_wait(uint64_t time, uint64_t until) {
    if (!options.aligned) lp_sleep(time / 1000);
    while (options.aligned && !last.leaving) { /* the clock may be set in between */
        uint64_t now = period_clock();
        if (now >= until) return;
        lp_sleep((until - now < 1000000000u ? until - now + 999 : 1000000000u) / 1000);
    }
}

static void *process_period(void *unused) {
    uint64_t i, begin, every = options.delay + options.duration;
    sigset_t all;
    (void)unused;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, 0);
    lp_add(&last.helpers, 1);
    for (i = 0; !last.leaving && (options.repeat == 0 || i < options.repeat); i++) {
        lp_trace.recording = 0;
        begin = period_clock(), begin += every - begin % every;
        period_wait(options.delay, begin);
        lp_trace.recording = 1;
        period_wait(options.duration, begin + options.duration);
    }
    lp_trace.recording = 0;
    lp_add(&last.helpers, -1);
    return 0;
}

/* Prepare the summary, if there is to be one; 0, or an error number. */
static int process_keeps(void) {
    static const char *const waits[] = {"clFinish", "clWaitForEvents", "cuCtxSynchronize", "cuStreamSynchronize", "cuEventSynchronize"};
    int entry, well;
    size_t i;
    lp_lock_acquire(&lp_trace.drain_lock);
    well = keep_begin(options.keep, 1, options.slow, options.window);
    for (entry = 0; well && trace_keep.of && entry < process.n_entries; entry++) {
        /* As `_trace/labels.py` has it: a function of a later version, cuStreamSynchronize_ptsz, is the same. */
        for (i = 0; i < sizeof waits / sizeof *waits; i++) {
            size_t size = strlen(waits[i]);
            if (strncmp(process.entries[entry], waits[i], size) == 0 && strchr("_", process.entries[entry][size])) condenser_waits(trace_keep.of, 0, (uint32_t)entry);
        }
    }
    if (!well) lp_store(&lp_trace.generation, 0);
    lp_lock_release(&lp_trace.drain_lock);
    return well ? 0 : ENOMEM;
}

/* Begin the trace of this process, if it has none: with its first record. */
LP_NOINLINE static void process_begin(void) {
    lp_records *ring;
    pthread_t thread;
    int file, code;
    lp_lock_acquire(&process.lock);
    if (process.state == PROCESS_NEW) {
        if (options.findings) looks_begin(processors_share_clock()), python_look();
        file = file_open(process.path, sizeof process.path);
        code = file < 0 ? errno : 0;
        if (code == 0) {
            lp_lock_acquire(&lp_trace.lock);
            lp_trace.timed = options.timed;
            lp_trace.findings = options.findings;
            lp_trace.keep = options.keep; /* rings are mapped by it */
            code = store_begin(file, options.capacity, options.drop, processors_share_clock());
            if (code == 0) code = process_keeps();
            lp_lock_release(&lp_trace.lock);
        }
        if (code) {
            fprintf(stderr, "launchpath: no trace was begun: %s: %s\n", process.path, strerror(code));
            lp_store(&process.state, PROCESS_REFUSED);
        } else {
            process.ticks = lp_ticks(), process.nanoseconds = lp_nanoseconds();
            write_process_facts();
            process_delays();
            lp_trace.recording = !options.periodic || (options.delay == 0 && !options.aligned);
            ring = records_here();
            if (ring) host_clock_write(ring);
            drainer_start();
            atexit(process_at_exit); /* should no device be used */
            lp_store(&process.state, PROCESS_TRACED);
            if (options.periodic && pthread_create(&thread, 0, process_period, 0) == 0) pthread_detach(thread);
        }
    }
    lp_lock_release(&process.lock);
}

/* The thread's ring, or NULL: nothing is recorded. */
static inline lp_records *process_ring(void) {
    lp_records *ring = (lp_records *)lp_here.records;
    if (LP_LIKELY(ring != 0 && lp_trace.recording && ring->generation == lp_trace.generation)) return ring;
    if (!options.on) return 0;
    if (lp_load(&process.state) == PROCESS_NEW) process_begin();
    return lp_trace.recording ? records_here() : 0;
}

/* The nanosecond of the monotonic clock at a tick since the trace began, by the rate until now. */
static uint64_t process_nanoseconds(uint64_t ticks) {
    uint64_t now = lp_nanoseconds(), now_ticks = lp_ticks();
    double rate = now_ticks > process.ticks ? (double)(now - process.nanoseconds) / (double)(now_ticks - process.ticks) : 1;
    return now - (uint64_t)((double)(now_ticks - ticks) * rate);
}

/* Add a device to the facts; gives its number in records. `library` has the names of its library's calls of commands. */
/* `units`: multiprocessors, or compute units; 0: the library does not tell. `bus`: its address on the PCI bus; empty: likewise. */
static uint16_t process_device(const char *name, const char *driver, const char *platform, int ordinal, int units, const char *bus) {
    json_text json = {0};
    uint32_t number;
    lp_lock_acquire(&process.lock);
    number = process.n_devices++;
    /* Functions of atexit are called in the reverse order: this one before those of the device's library, which is there by now. */
    atexit(process_at_exit);
    if (number) json_raw(&process.devices, ",");
    json_raw(&process.devices, "{\"name\":"), json_text_of(&process.devices, name);
    json_raw(&process.devices, ",\"driver\":"), json_text_of(&process.devices, driver);
    json_raw(&process.devices, ",\"library\":"), json_text_of(&process.devices, driver);
    json_raw(&process.devices, ",\"platform\":"), json_text_of(&process.devices, platform);
    json_raw(&process.devices, ",\"ordinal\":"), json_number(&process.devices, ordinal);
    if (units > 0) json_raw(&process.devices, ",\"units\":"), json_number(&process.devices, units);
    if (bus[0]) json_raw(&process.devices, ",\"pci_bus\":"), json_text_of(&process.devices, bus);
    json_raw(&process.devices, "}");
    json_raw(&json, "{\"devices\":["), json_raw(&json, process.devices.text ? process.devices.text : ""), json_raw(&json, "]}");
    facts_write(&json);
    lp_lock_release(&process.lock);
    return (uint16_t)number;
}

/* Note which time of the host a device's time is, by how many nanoseconds that may be wrong. */
static void device_clock_write(lp_records *ring, uint16_t device, uint64_t there, uint64_t here, uint64_t error) {
    device_clock_slot *slot;
    if (!records_has_room(ring, 1)) return;
    slot = &records_slot(ring, 0)->device_clock;
    memset(slot, 0, sizeof *slot);
    slot->kind = SLOT_DEVICE_CLOCK, slot->device = device, slot->device_time = there, slot->monotonic = here, slot->error = error;
    records_publish(ring, 1);
}

/* Note what a stream is; gives its number, which no other stream of the process has. `type`: 0 legacy, 1 blocking, 2 not. */
static uint32_t process_stream(lp_records *ring, uint16_t device, uint8_t type, uint64_t handle) {
    uint32_t number = __atomic_add_fetch(&process.n_streams, 1, __ATOMIC_RELAXED);
    stream_slot *slot;
    if (!records_has_room(ring, 1)) return number;
    slot = &records_slot(ring, 0)->stream;
    memset(slot, 0, sizeof *slot);
    slot->kind = SLOT_STREAM, slot->type = type, slot->device = device, slot->stream = number;
    slot->ticks = lp_ticks(), slot->handle = handle;
    records_publish(ring, 1);
    return number;
}

static void process_forked(void) {
    int i, file = lp_trace.file;
    if (lp_load(&process.state) == PROCESS_TRACED && file >= 0) close(file); /* else it keeps the parent's lock of the file */
    records_forget();
    keep_forget();
    delays_forget();
    last_init();
    ranges_init();
    sites_init();
    names_init(&kernel_names, 0, RANGE_NAMES - 1);
    lp_lock_init(&process.lock), unseen_forget();
    process.state = PROCESS_NEW, process.n_devices = process.n_streams = 0, process.exits = process.ended = 0;
    memset(&process.devices, 0, sizeof process.devices);
    for (i = 0; i < process.n_faces; i++)
        if (process.faces[i].forget) process.faces[i].forget();
}

static void process_init(void) {
    records_init();
    ranges_init();
    sites_init();
    names_init(&kernel_names, 0, RANGE_NAMES - 1);
    lp_lock_init(&process.lock);
    options_read();
    if (options.on) delays_asked(0), last_init(), pthread_atfork(0, 0, process_forked);
}

#endif
