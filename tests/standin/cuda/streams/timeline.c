/* Timelines: a stream is a list of operations, and the n-th that enters it has position n. All that one operation waits
 * for, CUDA's rules for the legacy stream included, is a set of (stream, position) fixed when it is submitted. */
#include <stdlib.h>

#include "../core.h"

unsigned long long operations_pending, operations_polling;
static unsigned long long orders;

CUstream stream_new(CUcontext context, enum stream_kind kind, int priority) {
    CUstream stream = handle_new(sizeof *stream, MAGIC_STREAM);
    stream->kind = kind;
    stream->context = context;
    stream->priority = priority;
    stream->owner = pthread_self();
    stream->references = 1;
    stream->next = context->streams;
    context->streams = stream;
    return stream;
}

void stream_keep(CUstream stream) { stream->references++; }

void stream_drop(CUstream stream) {
    if (!--stream->references) handle_end(stream);
}

void stream_end(CUstream stream) {
    for (CUstream *at = &stream->context->streams; *at; at = &(*at)->next)
        if (*at == stream) {
            *at = stream->next;
            break;
        }
    stream_drop(stream);
}

static CUstream per_thread(CUcontext context) {
    for (CUstream stream = context->streams; stream; stream = stream->next)
        if (stream->kind == PER_THREAD && pthread_equal(stream->owner, pthread_self())) return stream;
    return stream_new(context, PER_THREAD, 0);
}

int stream_find(CUstream handle, CUstream *stream) {
    if ((uintptr_t)handle <= SI_STREAM_PER_THREAD) {
        if (!context_is(current)) return SI_ERROR_INVALID_CONTEXT;
        *stream = (uintptr_t)handle == SI_STREAM_PER_THREAD ? per_thread(current) : current->legacy;
    } else {
        if (!handle_is(handle, MAGIC_STREAM) || handle->destroyed) return SI_ERROR_INVALID_HANDLE;
        *stream = handle;
    }
    return (*stream)->context->error;
}

void waits_add(struct waits *waits, CUstream stream, unsigned long long position) {
    if (stream->done >= position) return;
    if (waits->count == waits->room) {
        waits->room = waits->room ? waits->room * 2 : 4;
        waits->items = realloc(waits->items, waits->room * sizeof *waits->items);
    }
    stream_keep(stream);
    waits->items[waits->count++] = (struct wait){stream, position};
}

void waits_of(CUstream stream, struct waits *waits, bool command) {
    waits_add(waits, stream, stream->submitted);
    CUcontext context = stream->context;
    if (stream->kind == LEGACY) {
        for (CUstream other = context->streams; other; other = other->next)
            if (other->kind == BLOCKING || other->kind == PER_THREAD) waits_add(waits, other, other->submitted);
    } else if ((stream->kind == BLOCKING || stream->kind == PER_THREAD) && command) /* a synchronize: its own only */
        waits_add(waits, context->legacy, context->legacy->submitted);
}

bool waits_met(const struct waits *waits) {
    for (unsigned int i = 0; i < waits->count; i++)
        if (waits->items[i].stream->done < waits->items[i].position) return false;
    return true;
}

void waits_end(struct waits *waits) {
    for (unsigned int i = 0; i < waits->count; i++) stream_drop(waits->items[i].stream);
    free(waits->items);
    *waits = (struct waits){0};
}

void waits_finish(struct waits *waits) {
    while (!waits_met(waits) && !standin_stopped) workers_wait();
    waits_end(waits);
}

struct operation *operation_behind(CUstream stream, enum kind kind, struct waits waits) {
    struct operation *operation = calloc(1, sizeof *operation);
    operation->stream = stream;
    operation->kind = kind;
    operation->waits = waits;
    waits_of(stream, &operation->waits, true);
    return operation;
}

struct operation *operation_new(CUstream stream, enum kind kind) {
    stream_keep(stream);
    while (option_depth && stream->submitted - stream->done >= option_depth && !stream->capture && !standin_stopped)
        workers_wait();
    stream_drop(stream);
    return operation_behind(stream, kind, (struct waits){0});
}

unsigned long long operation_submit(struct operation *operation) {
    CUstream stream = operation->stream;
    if (stream->capture) {
        waits_end(&operation->waits);
        graph_append(stream, operation);
        return 0;
    }
    operation->record = profile_submitted(operation);
    operation->order = ++orders;
    operation->position = ++stream->submitted;
    if (stream->last)
        stream->last->next = operation;
    else
        stream->first = operation;
    stream->last = operation;
    stream->waits = operation->kind == OP_KERNEL && operation->as.kernel.waits && !operation->as.kernel.launch.cooperative;
    operations_pending++;
    operations_polling += operation->kind == OP_VALUE;
    unsigned long long position = operation->position;
    workers_wake();
    return position;
}

void operation_complete(struct operation *operation) {
    CUstream stream = operation->stream;
    operations_pending--;
    operations_polling -= operation->kind == OP_VALUE;
    stream->done = operation->position;
    stream->first = operation->next;
    if (!stream->first) stream->last = NULL;
    waits_end(&operation->waits);
    operation_release(operation);
    free(operation);
    if (stream->destroyed && !stream->first) stream_end(stream);
    workers_completed();
}

static bool could_start(struct operation *operation) {
    if (!operation || operation->running || !waits_met(&operation->waits)) return false;
    return operation->kind != OP_VALUE || operation->stream->context->error || operation_value_met(operation);
}

struct operation *operation_ready(CUstream only, bool granted) {
    struct operation *oldest = NULL;
    for (int i = 0; i < standin_devices; i++)
        for (CUstream stream = contexts[i].streams; stream; stream = stream->next) {
            if (only && stream != only) continue;
            struct operation *head = stream->first;
            if (!head || (oldest && oldest->order < head->order) || (granted && !head->granted)) continue;
            if (could_start(head)) oldest = head;
        }
    return oldest;
}

EXPORT unsigned int standin_ready(void) {
    unsigned int count = 0;
    pthread_mutex_lock(&standin_lock);
    for (int i = 0; i < standin_devices; i++)
        for (CUstream stream = contexts[i].streams; stream; stream = stream->next) count += could_start(stream->first);
    pthread_mutex_unlock(&standin_lock);
    return count;
}

EXPORT unsigned int standin_pending(void) {
    pthread_mutex_lock(&standin_lock);
    unsigned int count = (unsigned int)operations_pending;
    pthread_mutex_unlock(&standin_lock);
    return count;
}
