/* Another tool of the stand-in of rocprofiler-sdk: counts launches, with context and numbers of its own. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    uint64_t context, thread, internal, external, ancestor;
    int kind, operation, phase;
    void *payload;
} record;
typedef struct {
    size_t size;
    int (*initialize)(void *, void *);
    void (*finalize)(void *);
    void *data;
} tool;
extern int rocprofiler_create_context(uint64_t *), rocprofiler_start_context(uint64_t);
extern int rocprofiler_configure_callback_tracing_service(uint64_t, int, const int32_t *, size_t, void (*)(record, uint64_t *, void *), void *);
extern int rocprofiler_configure_external_correlation_id_request_service(uint64_t, const int *, size_t, int (*)(uint64_t, uint64_t, int, int, uint64_t, uint64_t *, void *), void *);
extern int rocprofiler_query_callback_tracing_kind_operation_name(int, int, const char **, uint64_t *);

static uint64_t calls, dispatches, wrong;
static void called(record r, uint64_t *kept, void *data) {
    const char *name = "";
    (void)data;
    rocprofiler_query_callback_tracing_kind_operation_name(r.kind, r.operation, &name, 0);
    if (r.phase == 1) *kept = 12345;
    else if (*kept != 12345) wrong++;
    if (r.phase == 2 && strstr(name, "LaunchKernel")) __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
}
static void dispatched(record r, uint64_t *kept, void *data) {
    (void)kept, (void)data;
    dispatches++;
    if (r.external != 4711) wrong++;
}
static int asked(uint64_t thread, uint64_t context, int kind, int operation, uint64_t internal, uint64_t *external, void *data) {
    (void)thread, (void)context, (void)kind, (void)operation, (void)internal, (void)data;
    return *external = 4711, 0;
}
static int initialize(void *end, void *data) {
    static const int kinds[] = {11};
    uint64_t context;
    (void)end, (void)data;
    return rocprofiler_create_context(&context) || rocprofiler_configure_callback_tracing_service(context, 5, 0, 0, called, 0) ||
           rocprofiler_configure_callback_tracing_service(context, 12, 0, 0, dispatched, 0) ||
           rocprofiler_configure_external_correlation_id_request_service(context, kinds, 1, asked, 0) || rocprofiler_start_context(context);
}
static void finalize(void *data) {
    (void)data;
    fprintf(stderr, "other tool: %d calls, %d dispatches, %d wrong\n", (int)calls, (int)dispatches, (int)wrong);
}
__attribute__((visibility("default"))) tool *rocprofiler_configure(uint32_t version, const char *text, uint32_t before, void *client) {
    static tool own = {sizeof own, initialize, finalize, 0};
    (void)version, (void)text, (void)before, (void)client;
    return &own;
}
