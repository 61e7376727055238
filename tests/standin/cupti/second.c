/* The second way to use it, from version 13.4 on: beside other profilers, and with records of chosen fields. */
#include <stdlib.h>
#include <string.h>

#include "core.h"

/* What is at a field's number, of a kind; NULL: it cannot be chosen. */
static const void *field_value(const struct record *record, int kind, int field, size_t *size) {
    static const uint64_t no_time;
    static const struct {
        int kind, start, end, number, node, name;
    } numbers[] = {{SC_KIND_KERNEL, 7, 8, 22, 31, 24},
                   {SC_KIND_COPY, 6, 7, 11, 12, -1},
                   {SC_KIND_FILL, 3, 4, 8, 11, -1},
                   {SC_KIND_PEER_COPY, 6, 7, 15, 16, -1}};
    static const struct record none;
    if (!record) record = &none;
    *size = 8;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        if (numbers[i].kind != kind) continue;
        if (field == numbers[i].start) return record->complete ? &record->started : &no_time;
        if (field == numbers[i].end) return record->complete ? &record->ended : &no_time;
        if (field == numbers[i].node) return &record->node;
        if (field == numbers[i].name) return &record->name;
        *size = 4;
        if (field == numbers[i].number) return &record->number;
        if (field == 0) return &record->kind;
    }
    return NULL;
}

size_t second_size(int kind) { return 8 * client.fields[kind].n; }

void second_write(void *at, const struct record *record) {
    size_t size;
    memset(at, 0, second_size(record->kind));
    for (size_t i = 0; i < client.fields[record->kind].n; i++) {
        const void *value = field_value(record, record->kind, client.fields[record->kind].all[i], &size);
        memcpy((char *)at + 8 * i, value, size);
    }
}

/* Give a buffer back, with the layouts of its records by their kinds. */
void second_complete(uint8_t *memory, size_t size, size_t used) {
    sc_layout all[SC_KINDS], *layouts[SC_KINDS] = {0};
    sc_field fields[SC_KINDS][SC_FIELDS_MOST];
    sc_completion completion = {.size = sizeof completion, .layouts = layouts, .n = SC_KINDS};
    pthread_mutex_lock(&cupti_lock);
    sc_complete_2 complete = client.complete_2;
    if (!client.with_fields) completion.layouts = NULL, completion.n = 0;
    for (int kind = 0; kind < SC_KINDS; kind++) {
        if (!client.fields[kind].n) continue;
        for (size_t i = 0; i < client.fields[kind].n; i++)
            fields[kind][i] = (sc_field){sizeof **fields, client.fields[kind].all[i], 8 * i, 8, 8};
        all[kind] = (sc_layout){sizeof *all, fields[kind], client.fields[kind].n, second_size(kind)};
        layouts[kind] = &all[kind];
    }
    pthread_mutex_unlock(&cupti_lock);
    if (complete) complete(memory, size, used, &completion);
}

EXPORT int cuptiSubscribe_v2(void **handle, sc_callback callback, void *data, const sc_subscription *with) {
    int code = call_fault(__func__);
    pthread_mutex_lock(&cupti_lock);
    bool right = handle && with && with->size == sizeof *with && client_version() >= SC_VERSION_SECOND;
    if (!code && !right) code = SC_ERROR_INVALID_PARAMETER;
    if (!code && (client.subscribed || (option_other && !with->several))) code = SC_ERROR_MULTIPLE_SUBSCRIBERS;
    pthread_mutex_unlock(&cupti_lock);
    if (!code) code = client_attach();
    if (!code) {
        pthread_mutex_lock(&cupti_lock);
        *handle = client_subscribed(callback, data);
        client.second = true;
        pthread_mutex_unlock(&cupti_lock);
    }
    return call_note(__func__, code, "%s", "");
}

static int checked(const char *name, const void *handle) {
    int code = call_fault(name);
    pthread_mutex_lock(&cupti_lock);
    if (!code && !(client_is(handle) && client.second)) code = SC_ERROR_NOT_COMPATIBLE;
    pthread_mutex_unlock(&cupti_lock);
    return code;
}

EXPORT int cuptiActivitySetAttribute_v2(void *handle, int attribute, size_t *size, void *value) {
    int code = checked(__func__, handle);
    pthread_mutex_lock(&cupti_lock);
    if (code) {
    } else if (attribute == SC_ATTRIBUTE_CLOCK && *size == sizeof client.clock)
        memcpy(&client.clock, value, sizeof client.clock);
    else if (attribute == SC_ATTRIBUTE_FIELDS && *size == 1)
        client.with_fields = *(uint8_t *)value;
    else
        code = attribute == SC_ATTRIBUTE_HARDWARE_TIMES ? SC_ERROR_NOT_SUPPORTED : SC_ERROR_INVALID_PARAMETER;
    pthread_mutex_unlock(&cupti_lock);
    return call_note(__func__, code, "%d", attribute);
}

EXPORT int cuptiActivityRegisterCallbacks_v2(void *handle, sc_request_2 request, sc_complete_2 complete) {
    int code = checked(__func__, handle);
    pthread_mutex_lock(&cupti_lock);
    if (!code) client.request_2 = request, client.complete_2 = complete;
    pthread_mutex_unlock(&cupti_lock);
    return call_note(__func__, code, "%s", "");
}

/* The first field is the kind. */
static int choose(int kind, const sc_kind_options *options) {
    size_t size, n = options ? options->selection.n : 0;
    if (!n || n > SC_FIELDS_MOST || options->size != sizeof *options || options->selection.fields[0])
        return SC_ERROR_INVALID_PARAMETER;
    for (size_t i = 0; i < n; i++) {
        if (!field_value(NULL, kind, options->selection.fields[i], &size)) return SC_ERROR_INVALID_PARAMETER;
        client.fields[kind].all[i] = options->selection.fields[i];
    }
    client.fields[kind].n = n;
    return SC_SUCCESS;
}

EXPORT int cuptiActivityEnable_v2(void *handle, int kind, const sc_kind_options *options) {
    int code = checked(__func__, handle);
    pthread_mutex_lock(&cupti_lock);
    if (!code && client.with_fields) code = choose(kind, options);
    pthread_mutex_unlock(&cupti_lock);
    return code ? call_note(__func__, code, "%d", kind) : client_wants(__func__, kind, true);
}

EXPORT int cuptiActivityDisable_v2(void *handle, int kind, const sc_kind_options *options) {
    int code = checked(__func__, handle);
    (void)options;
    return code ? call_note(__func__, code, "%d", kind) : client_wants(__func__, kind, false);
}

EXPORT int cuptiActivityGetNextRecord_v2(void *handle, uint8_t *buffer, size_t valid, void **record) {
    return client_is(handle) && client.second ? buffer_next(buffer, valid, record) : SC_ERROR_NOT_COMPATIBLE;
}
