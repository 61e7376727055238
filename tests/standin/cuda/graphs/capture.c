/* Captures: streams whose commands become nodes of a graph, and what may not be done meanwhile. What CUDA does, where
 * its documentation says nothing, was asked of one H200 with driver 580 (CUDA 13.0). */
#include <stdlib.h>

#include "../core.h"

static struct capture *captures;
static unsigned long long ids;
static _Thread_local int thread_mode = SI_CAPTURE_GLOBAL;

static void capture_drop(struct capture *capture) {
    if (!--capture->references) free(capture);
}

int capture_break(struct capture *capture, int code) {
    if (capture->status == SI_CAPTURE_ACTIVE) capture->status = SI_CAPTURE_INVALIDATED;
    return code;
}

static bool is_implicit(CUstream legacy) {
    bool found = false;
    for (CUstream stream = legacy->context->streams; legacy->kind == LEGACY && stream; stream = stream->next)
        found |= stream->capture && (stream->kind == BLOCKING || stream->kind == PER_THREAD);
    return found;
}

int capture_implicit(CUstream legacy) {
    if (!is_implicit(legacy)) return SI_SUCCESS;
    for (CUstream stream = legacy->context->streams; stream; stream = stream->next)
        if (stream->capture && (stream->kind == BLOCKING || stream->kind == PER_THREAD))
            capture_break(stream->capture, 0);
    return SI_ERROR_STREAM_CAPTURE_IMPLICIT;
}

int stream_take(CUstream handle, CUstream *stream) {
    int code = stream_find(handle, stream);
    if (!code) code = capture_implicit(*stream);
    if (!code && (*stream)->capture && (*stream)->capture->status == SI_CAPTURE_INVALIDATED)
        code = SI_ERROR_STREAM_CAPTURE_INVALIDATED;
    return code;
}

int capture_unsafe(void) {
    int code = SI_SUCCESS;
    for (struct capture *capture = captures; capture && thread_mode != SI_CAPTURE_RELAXED; capture = capture->next) {
        bool own = pthread_equal(capture->thread, pthread_self());
        if (own ? capture->mode != SI_CAPTURE_RELAXED
                : capture->mode == SI_CAPTURE_GLOBAL && thread_mode == SI_CAPTURE_GLOBAL)
            code = capture_break(capture, SI_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    }
    return code;
}

int capture_polled(CUstream stream) {
    if (stream->capture) return capture_break(stream->capture, SI_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    int code = capture_implicit(stream);
    return code ? code : capture_unsafe();
}

int capture_of_event(CUevent event) {
    if (!event->capture) return capture_unsafe();
    if (event->capture->status != SI_CAPTURE_ACTIVE) return SI_ERROR_INVALID_VALUE; /* it stands for nothing any more */
    return capture_break(event->capture, SI_ERROR_CAPTURED_EVENT);
}

int capture_of_context(CUcontext context) {
    int code = SI_SUCCESS;
    for (CUstream stream = context->streams; stream; stream = stream->next)
        if (stream->capture) code = capture_break(stream->capture, SI_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    return code ? code : capture_unsafe();
}

void capture_forget(CUevent event) {
    if (event->capture) capture_drop(event->capture);
    event->capture = NULL;
    nodes_clear(&event->tips);
}

void capture_record(CUevent event, CUstream stream) {
    capture_forget(event);
    if (!stream->capture) return;
    event->capture = stream->capture;
    event->capture->references++;
    nodes_join(&event->tips, &stream->tips);
}

bool capture_spreads(CUstream stream, CUevent event) { return stream->capture || event->capture; }

/* A wait makes no node: what is captured next comes after more. A stream that was not captured joins the capture. */
int capture_wait(CUstream stream, CUevent event) {
    if (!event->capture) /* of what runs, which a graph cannot wait for; one that was never recorded is over */
        return event->recorded ? capture_break(stream->capture, SI_ERROR_STREAM_CAPTURE_ISOLATION) : SI_SUCCESS;
    if (event->capture->status != SI_CAPTURE_ACTIVE)
        return stream->capture ? capture_break(stream->capture, SI_ERROR_INVALID_VALUE) : SI_ERROR_INVALID_VALUE;
    if (stream->kind == LEGACY) return capture_break(event->capture, SI_ERROR_STREAM_CAPTURE_IMPLICIT);
    if (stream->capture && stream->capture != event->capture) {
        capture_break(stream->capture, 0);
        return capture_break(event->capture, SI_ERROR_STREAM_CAPTURE_MERGE);
    }
    stream->capture = event->capture;
    nodes_join(&stream->tips, &event->tips);
    return SI_SUCCESS;
}

/* Its streams are like any others again. */
static void end(struct capture *capture) {
    for (struct capture **at = &captures; *at; at = &(*at)->next)
        if (*at == capture) {
            *at = capture->next;
            break;
        }
    for (int i = 0; i < standin_devices; i++)
        for (CUstream stream = contexts[i].streams; stream; stream = stream->next)
            if (stream->capture == capture) {
                stream->capture = NULL;
                nodes_clear(&stream->tips);
            }
    capture->graph->open = false;
    capture->status = SI_CAPTURE_NONE;
    capture_drop(capture);
}

static void give_up(struct capture *capture) {
    CUgraph graph = capture->graph;
    end(capture);
    graph_end(graph);
}

void capture_leave(CUstream stream) {
    struct capture *capture = stream->capture;
    if (!capture) return;
    stream->capture = NULL;
    nodes_clear(&stream->tips);
    if (capture->origin == stream) give_up(capture);
}

void captures_end(CUcontext context) {
    for (CUstream stream = context->streams; stream; stream = stream->next)
        if (stream->capture) give_up(stream->capture);
}

EXPORT CUresult cuStreamBeginCapture_v2(CUstream handle, CUstreamCaptureMode mode) {
    ENTER(NEEDS_INIT, handle);
    CUstream stream;
    int code = stream_find(handle, &stream);
    if (!code) code = capture_implicit(stream);
    if (code) LEAVE(code);
    if (stream->kind == LEGACY) LEAVE(SI_ERROR_STREAM_CAPTURE_UNSUPPORTED);
    if (stream->capture) LEAVE(SI_ERROR_ILLEGAL_STATE);
    if ((int)mode < SI_CAPTURE_GLOBAL || (int)mode > SI_CAPTURE_RELAXED) LEAVE(SI_ERROR_INVALID_VALUE);
    struct capture *capture = calloc(1, sizeof *capture);
    *capture = (struct capture){captures, ++ids, (int)mode, SI_CAPTURE_ACTIVE, 1, pthread_self(), stream, graph_new()};
    captures = stream->capture = capture;
    LEAVE(SI_SUCCESS);
}

EXPORT CUresult cuStreamEndCapture(CUstream handle, CUgraph *graph) {
    ENTER(NEEDS_INIT, handle);
    CUstream stream = NULL;
    if (graph) *graph = NULL;
    int code = stream_find(handle, &stream);
    if (code && (!stream || code != stream->context->error)) LEAVE(code);
    if (!code) code = capture_implicit(stream);
    if (!code && !graph) code = SI_ERROR_INVALID_VALUE;
    struct capture *capture = stream->capture;
    if (!capture) LEAVE(code ? code : SI_ERROR_ILLEGAL_STATE);
    if (capture->origin != stream) LEAVE(capture_break(capture, SI_ERROR_STREAM_CAPTURE_UNMATCHED));
    if (!code && capture->mode != SI_CAPTURE_RELAXED && !pthread_equal(capture->thread, pthread_self()))
        code = SI_ERROR_STREAM_CAPTURE_WRONG_THREAD;
    if (!code && capture->status == SI_CAPTURE_INVALIDATED) code = SI_ERROR_STREAM_CAPTURE_INVALIDATED;
    if (!code && !graph_joined(capture->graph, &stream->tips)) code = SI_ERROR_STREAM_CAPTURE_UNJOINED;
    if (code) {
        give_up(capture); /* whatever is wrong, it is over */
        LEAVE(code);
    }
    *graph = capture->graph;
    end(capture);
    LEAVE(SI_SUCCESS);
}

/* The legacy stream says so that it is waiting for the end of a capture, which stays as it is. */
static int status_of(CUstream handle, CUstream *stream, CUstreamCaptureStatus *status) {
    int code = stream_find(handle, stream);
    if (code) return code;
    if (!status) return SI_ERROR_INVALID_VALUE;
    if (is_implicit(*stream)) return SI_ERROR_STREAM_CAPTURE_IMPLICIT;
    *status = (*stream)->capture ? (*stream)->capture->status : SI_CAPTURE_NONE;
    return SI_SUCCESS;
}

EXPORT CUresult cuStreamIsCapturing(CUstream handle, CUstreamCaptureStatus *status) {
    ENTER(NEEDS_INIT, handle);
    CUstream stream;
    LEAVE(status_of(handle, &stream, status));
}

static int info(CUstream handle, CUstreamCaptureStatus *status, cuuint64_t *id, CUgraph *graph,
                const CUgraphNode **after, size_t *count) {
    CUstream stream;
    int code = status_of(handle, &stream, status);
    if (code || (int)*status != SI_CAPTURE_ACTIVE) return code;
    if (id) *id = stream->capture->id;
    if (graph) *graph = stream->capture->graph;
    if (after) *after = stream->tips.items;
    if (count) *count = stream->tips.count;
    return SI_SUCCESS;
}

EXPORT CUresult cuStreamGetCaptureInfo_v2(CUstream handle, CUstreamCaptureStatus *status, cuuint64_t *id,
                                          CUgraph *graph, const CUgraphNode **after, size_t *count) {
    ENTER(NEEDS_INIT, handle);
    LEAVE(info(handle, status, id, graph, after, count));
}

/* Edges have no data here. */
EXPORT CUresult cuStreamGetCaptureInfo_v3(CUstream handle, CUstreamCaptureStatus *status, cuuint64_t *id,
                                          CUgraph *graph, const CUgraphNode **after, const CUgraphEdgeData **edges,
                                          size_t *count) {
    ENTER(NEEDS_INIT, handle);
    if (edges) *edges = NULL;
    if (edges && !after) LEAVE(SI_ERROR_INVALID_VALUE);
    LEAVE(info(handle, status, id, graph, after, count));
}

EXPORT CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode *mode) {
    ENTER(NEEDS_INIT, NULL);
    if (!mode || (int)*mode < SI_CAPTURE_GLOBAL || (int)*mode > SI_CAPTURE_RELAXED) LEAVE(SI_ERROR_INVALID_VALUE);
    int before = thread_mode;
    thread_mode = (int)*mode;
    *mode = before;
    LEAVE(SI_SUCCESS);
}
