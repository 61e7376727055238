"""Wrong input of the functions of streams, events, captures and user objects."""

from .rows import BAD, each, rows

GONE = "AMD's runtime returns it for every stream that is gone, and its own tests ask for it"
STREAMS = (BAD, "gone_stream")
EVENTS = (None, BAD, "gone_event")
OBJECTS = (None, BAD, "gone_user")
LEGACY = 1
FLAGS = "AMD's runtime checks the function and the flags, and lists the code of streams"
DESTROY = "AMD's runtime returns it for the null event"
DESTROYED = "AMD's runtime returns it for every other event that is gone, and its own tests ask for it"
STATE = "AMD's runtime returns it for a stream that is not captured"
UNSUPPORTED = "AMD's runtime returns it for the legacy stream"
INFO = "as hipStreamGetCaptureInfo_v2, whose list has it"

ROWS = [
    *rows("hipStreamCreateWithFlags", "InvalidValue", (77,), (-1,)),
    *rows("hipStreamCreateWithPriority", "InvalidValue", (77, 0), (-1, 0)),
    *rows("hipStreamDestroy", "InvalidHandle", (None,), (LEGACY,), (2,)),
    *rows("hipStreamDestroy", "ContextIsDestroyed", *each(0, (None,), *STREAMS), why=GONE),
    *rows(
        "hipStreamQuery hipStreamQuery_spt hipStreamSynchronize hipStreamSynchronize_spt hipStreamGetFlags "
        "hipStreamGetFlags_spt hipStreamGetPriority hipStreamGetPriority_spt hipStreamGetId",
        "ContextIsDestroyed",
        *each(0, (None,), *STREAMS),
        why=GONE,
    ),
    *rows("hipStreamGetDevice", "ContextIsDestroyed", *each(0, (None,), *STREAMS)),
    *rows("hipLaunchHostFunc hipLaunchHostFunc_spt", "InvalidValue", (None, None, None), ("stream", 0, None)),
    *rows(
        "hipLaunchHostFunc hipLaunchHostFunc_spt",
        "ContextIsDestroyed",
        *each(0, (0, "function", None), *STREAMS),
        why=GONE,
    ),
    *rows(
        "hipStreamAddCallback hipStreamAddCallback_spt",
        "InvalidHandle",
        *each(0, (None, "function", None, 0), *STREAMS),
    ),
    *rows(
        "hipStreamAddCallback hipStreamAddCallback_spt",
        "InvalidValue",
        (None, None, None, 0),
        ("stream", "function", None, 1),
        why=FLAGS,
    ),
    *rows("hipExtStreamCreateWithCUMask", "InvalidValue", (0, None), (1, None), (0, [1])),
    *rows("hipExtStreamGetCUMask", "InvalidValue", ("stream", 99, None), ("stream", 0, "place")),
    *rows("hipExtStreamGetCUMask", "InvalidHandle", *each(0, (None, 2, "place"), *STREAMS)),
    *rows("hipStreamCopyAttributes", "InvalidValue", *each(0, (None, "stream"), *STREAMS)),
    *rows("hipStreamCopyAttributes", "InvalidValue", *each(1, ("stream", None), *STREAMS)),
    *rows(
        "hipStreamGetAttribute hipStreamSetAttribute",
        "InvalidValue",
        *[("stream", 999, "attribute_value"), ("stream", 2, "attribute_value"), ("stream", 3, None)],
    ),
    *rows(
        "hipStreamGetAttribute hipStreamSetAttribute", "InvalidHandle", *each(0, (None, 3, "attribute_value"), *STREAMS)
    ),
    *rows(
        "hipStreamWaitValue32 hipStreamWaitValue64",
        "InvalidValue",
        *[(None, None, 1, 0, 1), (None, "host", 1, 0, 1), (None, "pinned", 1, 99, 1)],
    ),
    *rows(
        "hipStreamWaitValue32 hipStreamWaitValue64",
        "ContextIsDestroyed",
        *each(0, (None, "pinned", 1, 0, 1), *STREAMS),
        why=GONE,
    ),
    *rows(
        "hipStreamWriteValue32 hipStreamWriteValue64",
        "InvalidValue",
        *[(None, None, 1, 0), (None, "gone_memory", 1, 0), (None, "memory", 1, 7)],
    ),
    *rows(
        "hipStreamWriteValue32 hipStreamWriteValue64",
        "ContextIsDestroyed",
        *each(0, (None, "memory", 1, 0), *STREAMS),
        why=GONE,
    ),
    # Events.
    *rows("hipEventCreateWithFlags", "InvalidValue", (1 << 20,), (0x40000000 | 0x80000000,)),
    *rows("hipEventDestroy", "InvalidHandle", (None,), why=DESTROY),
    *rows("hipEventDestroy", "ContextIsDestroyed", (BAD,), ("gone_event",), why=DESTROYED),
    *rows("hipEventQuery hipEventSynchronize", "InvalidHandle", *each(0, (None,), *EVENTS)),
    *rows("hipEventRecord hipEventRecord_spt", "InvalidHandle", *each(0, (None, None), *EVENTS)),
    *rows("hipEventRecord hipEventRecord_spt", "InvalidHandle", *each(1, ("event", None), *STREAMS)),
    *rows("hipEventRecordWithFlags", "InvalidHandle", *each(0, (None, None, 0), *EVENTS)),
    *rows("hipEventRecordWithFlags", "InvalidHandle", *each(1, ("event", None, 0), *STREAMS)),
    *rows("hipEventRecordWithFlags", "InvalidValue", ("event", None, 77)),
    *rows("hipEventElapsedTime", "InvalidHandle", *each(0, (None, "event"), *EVENTS, "new_event", "timeless")),
    *rows("hipEventElapsedTime", "InvalidHandle", *each(1, ("event", None), *EVENTS, "new_event", "timeless")),
    *rows("hipStreamWaitEvent hipStreamWaitEvent_spt", "InvalidHandle", *each(0, (None, "event", 0), *STREAMS)),
    *rows("hipStreamWaitEvent hipStreamWaitEvent_spt", "InvalidHandle", *each(1, ("stream", None, 0), *EVENTS)),
    *rows("hipStreamWaitEvent hipStreamWaitEvent_spt", "InvalidValue", ("stream", "event", 77)),
    # Captures.
    *rows("hipStreamBeginCapture hipStreamBeginCapture_spt", "InvalidValue", ("stream", 99), ("stream", -1)),
    *rows(
        "hipStreamBeginCapture hipStreamBeginCapture_spt", "ContextIsDestroyed", *each(0, (None, 0), *STREAMS), why=GONE
    ),
    *rows("hipStreamBeginCapture", "StreamCaptureUnsupported", (None, 0), (LEGACY, 0), why=UNSUPPORTED),
    *rows("hipStreamBeginCaptureToGraph", "InvalidValue", *each(0, (None, "graph", None, None, 0, 0), *STREAMS)),
    *rows(
        "hipStreamBeginCaptureToGraph", "InvalidValue", *each(1, ("stream", 0, None, None, 0, 0), None, "gone_graph")
    ),
    *rows("hipStreamBeginCaptureToGraph", "InvalidValue", *each(5, ("stream", "graph", None, None, 0, 0), 99)),
    *rows(
        "hipStreamBeginCaptureToGraph", "InvalidValue", *each(2, ("stream", "graph", 0, None, 1, 0), None, "other_node")
    ),
    *rows("hipStreamEndCapture hipStreamEndCapture_spt", "ContextIsDestroyed", *each(0, (None,), *STREAMS), why=GONE),
    *rows("hipStreamEndCapture hipStreamEndCapture_spt", "IllegalState", (None,), ("stream",), why=STATE),
    *rows("hipStreamIsCapturing hipStreamIsCapturing_spt", "ContextIsDestroyed", *each(0, (None,), *STREAMS), why=GONE),
    *rows(
        "hipStreamGetCaptureInfo hipStreamGetCaptureInfo_spt",
        "ContextIsDestroyed",
        *each(0, (None,), *STREAMS),
        why=GONE,
    ),
    *rows(
        "hipStreamGetCaptureInfo_v2 hipStreamGetCaptureInfo_v2_spt",
        "ContextIsDestroyed",
        *each(0, (None, None), *STREAMS),
        why=GONE,
    ),
    *rows("hipStreamUpdateCaptureDependencies", "InvalidValue", *each(0, (None, None, 0, 0), *STREAMS)),
    *rows("hipStreamUpdateCaptureDependencies", "InvalidValue", ("stream", None, 0, 99)),
    *rows("hipStreamUpdateCaptureDependencies", "IllegalState", ("stream", None, 0, 0), (None, None, 0, 0)),
    # User objects.
    *rows(
        "hipUserObjectCreate", "InvalidValue", (None, None, 1, 1), (None, "function", 0, 1), (None, "function", 1, 0)
    ),
    *rows("hipUserObjectRetain hipUserObjectRelease", "InvalidValue", *each(0, (None, 1), *OBJECTS)),
    *rows("hipUserObjectRetain hipUserObjectRelease", "InvalidValue", ("user", 0), ("user", 1 << 31)),
    *rows("hipUserObjectRelease", "InvalidValue", ("user", 99)),
]
