/* Events: the position of a stream that was recorded last, and when that was reached. */
#include <stdio.h>

#include "../core.h"

long long events_live;

void event_drop(CUevent event) {
    if (--event->references) return;
    if (event->stream) stream_drop(event->stream);
    capture_forget(event);
    handle_end(event);
}

void event_end(CUevent event) {
    events_live--;
    *event->link = event->next;
    if (event->next) event->next->link = event->link;
    event->magic = MAGIC_DEAD; /* a record that is under way keeps the memory, not the handle */
    event_drop(event);
}

void event_reached(CUevent event, unsigned long long generation) {
    if (event->generation != generation) return; /* recorded again since */
    event->time = now_ns();
    event->timed = true;
}

void event_record(CUevent event, struct operation *operation) {
    CUstream stream = operation->stream;
    capture_forget(event);
    operation->as.record.generation = ++event->generation;
    stream_keep(stream);
    if (event->stream) stream_drop(event->stream);
    event->stream = stream;
    event->recorded = true;
    event->timed = false;
    event->position = stream->submitted + 1;
}

static int event_find(CUevent event) {
    if (!handle_is(event, MAGIC_EVENT) || event->references <= 0) return SI_ERROR_INVALID_HANDLE;
    return event->context->error;
}

EXPORT CUresult cuEventCreate(CUevent *event, unsigned int flags) {
    ENTER(NEEDS_CONTEXT, NULL);
    if (!event || flags > 7) LEAVE(SI_ERROR_INVALID_VALUE);
    if ((flags & SI_EVENT_INTERPROCESS) && !(flags & SI_EVENT_DISABLE_TIMING)) LEAVE(SI_ERROR_INVALID_VALUE);
    *event = handle_new(sizeof **event, MAGIC_EVENT);
    (*event)->context = current;
    (*event)->flags = flags;
    (*event)->references = 1;
    (*event)->next = current->events;
    (*event)->link = &current->events;
    if (current->events) current->events->link = &(*event)->next;
    current->events = *event;
    events_live++;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuEventDestroy_v2(CUevent event) {
    ENTER_TO_END(NULL);
    if (!handle_is(event, MAGIC_EVENT)) LEAVE(SI_ERROR_INVALID_HANDLE);
    int error = event->context->error;
    event_end(event);
    LEAVE(error);
}

EXPORT CUresult cuEventRecord(CUevent event, CUstream handle) {
    ENTER(NEEDS_CONTEXT, handle);
    snprintf(call.detail, sizeof call.detail, "%p", (void *)event);
    CUstream stream;
    int code = stream_take(handle, &stream);
    if (!code) code = event_find(event);
    if (code) LEAVE(code);
    if (event->context != stream->context) LEAVE(SI_ERROR_INVALID_HANDLE);
    capture_record(event, stream);
    if (stream->capture) LEAVE(SI_SUCCESS); /* which makes no node */
    struct operation *operation = operation_new(stream, OP_RECORD);
    operation->as.record.event = event;
    event->references++;
    event_record(event, operation);
    operation_submit(operation);
    LEAVE(SI_SUCCESS);
}

static bool event_over(CUevent event) { return !event->recorded || event->stream->done >= event->position; }

EXPORT CUresult cuEventQuery(CUevent event) {
    ENTER(NEEDS_INIT, NULL); /* needs no current context: NVIDIA's list of its errors has none for that */
    snprintf(call.detail, sizeof call.detail, "%p", (void *)event);
    int code = event_find(event);
    if (!code) code = capture_of_event(event);
    LEAVE(code ? code : event_over(event) ? SI_SUCCESS : SI_ERROR_NOT_READY);
}

EXPORT CUresult cuEventSynchronize(CUevent event) {
    ENTER(NEEDS_CONTEXT, NULL);
    snprintf(call.detail, sizeof call.detail, "%p", (void *)event);
    int code = event_find(event);
    if (!code) code = capture_of_event(event);
    if (code) LEAVE(code);
    CUcontext context = event->context;
    struct waits waits = {0};
    if (event->recorded) waits_add(&waits, event->stream, event->position);
    waits_finish(&waits);
    LEAVE(context->error);
}

int event_captured(CUevent event) { /* asking for its time does no harm to the capture */
    if (!event->capture) return SI_SUCCESS;
    return event->capture->status == SI_CAPTURE_ACTIVE ? SI_ERROR_CAPTURED_EVENT : SI_ERROR_INVALID_VALUE;
}

static int elapsed(float *milliseconds, CUevent start, CUevent end) {
    if (!milliseconds) return SI_ERROR_INVALID_VALUE;
    int code = event_find(start);
    if (!code) code = event_find(end);
    if (!code) code = event_captured(start);
    if (!code) code = event_captured(end);
    if (code) return code;
    if (!start->recorded || !end->recorded || ((start->flags | end->flags) & SI_EVENT_DISABLE_TIMING))
        return SI_ERROR_INVALID_HANDLE;
    if (start->context != end->context) return SI_ERROR_INVALID_HANDLE;
    if (!start->timed || !end->timed) return SI_ERROR_NOT_READY;
    *milliseconds = (float)((double)(long long)(end->time - start->time) / 1e6);
    return SI_SUCCESS;
}

#undef cuEventElapsedTime /* NVIDIA's header names the second version so */
EXPORT CUresult cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
    ENTER(NEEDS_CONTEXT, NULL);
    LEAVE(elapsed(milliseconds, start, end));
}

EXPORT CUresult cuEventElapsedTime_v2(float *milliseconds, CUevent start, CUevent end) {
    ENTER(NEEDS_CONTEXT, NULL);
    LEAVE(elapsed(milliseconds, start, end));
}
