"""The format of ``.lptrace`` files: blocks of slots, which the core writes while the program runs.

A file is a row of blocks, each at a multiple of 4,096 bytes, and begins with the block `HEADER`. All numbers are
little-endian. A block of zeros has not been written yet, or never will be: then the next multiple of 4,096 bytes that
holds `MAGIC` is the next block.

====================  =================================================================================================
`HEADER`              the counters (`COUNTERS`, one u64 each, kept up to date while the program runs)
`RING`                the ring of a thread. What is not in `SLOTS` blocks yet stands there
`SLOTS`               slots that were copied out of a ring: number `first` of that ring, and those that follow
`NAMES`               names by number: u32 number, u32 size, the bytes, and zeros up to a multiple of 8
`META`                a JSON object; those of several blocks are merged, the later ones win
`SUMMARY`             what records sum up to that were not kept: of several the one with the largest `first`
====================  =================================================================================================

A ring numbers its slots from 0. ``head`` is the number of the next slot to be written, ``tail`` of the next one to be
copied to a `SLOTS` block. After a crash, slots from ``tail`` (or from the end of the last `SLOTS` block of that ring,
if that is more) up to ``head`` are in the ring, slot n at place n modulo ``capacity``.

All slots have 64 bytes, and begin with their kind. A command takes two of them: `COMMAND`, and `DETAIL` right behind
it. Times of the host are ticks: a `HOST_CLOCK` slot says which nanosecond of the monotonic clock a tick was. Times of a
device are in nanoseconds of its own clock: a `DEVICE_CLOCK` slot says which nanosecond of the monotonic clock one was.
"""

from __future__ import annotations

import numpy

MAGIC = 0x4B42504C
VERSION = 1
PAGE = 4096
SLOT = 64

# Kinds of blocks.
HEADER, RING, SLOTS, NAMES, META, SUMMARY = 1, 2, 3, 4, 5, 6

BLOCK = numpy.dtype(
    {
        "names": ["magic", "kind", "version", "size", "ring", "thread", "first", "count", "capacity", "name"],
        "formats": ["<u4", "<u2", "<u2", "<u8", "<u4", "<u4", "<u8", "<u8", "<u8", "S16"],
        # size: of the whole block, this header included. ring: its number. thread: the system's number of the thread
        # (gettid) that wrote the slots. first, count: of the slots, or of the names; META: count is the size of the
        # JSON, SUMMARY: of its words in bytes. capacity: of a ring, in slots; SUMMARY: a sum of its words. name: the
        # thread's, of RING and SLOTS; empty if it is not known.
        "offsets": [0, 4, 6, 8, 16, 20, 24, 32, 40, 48],
        "itemsize": SLOT,
    }
)

# Behind a RING block's header: at 64 `head`, at 128 `tail`, at 192 the two slots of the launch that the thread is in
# (kind 0: none). The slots begin at 4,096.
RING_HEAD, RING_TAIL, RING_FRAME, RING_SLOTS = 64, 128, 192, 4096
RING_MOST = 16384  # slots of a ring

RANGE_NAMES = 1 << 19  # numbers of kernels' names are below it, those of ranges' names and domains' from it on
SITE_NAMES = 1 << 31  # those of sites are from it on: "path:line function"
DEVICES_MOST = 256  # in META's "devices"; what has a higher number has no clock
HOST_PROGRAM = "host_program"  # in META: a compiled program's path, which launchpath runs in a process of Python
TIME_MOST = 1 << 61  # ticks or nanoseconds, 24 years or more: a slot with a later time was damaged

# The header's counters, behind its 64 bytes, in this order.
COUNTERS = (
    "state",  # 0: the program runs, or was killed; 1: the trace ended; 2: the file could not be written to its end
    "slots",  # written to rings
    "dropped",  # slots for which no ring had room, or there was no memory for a ring
    "waits",  # of a thread for room in its ring
    "untimed",  # commands without times of the device: all timing objects were in use
    "unfinished",  # commands that were not complete when the trace ended
    "failed_times",  # commands whose times the library did not tell
    "excluded",  # launches of kernels that were not asked for
    "not_understood",  # commands of a kind that is not traced
    "timing_created",  # timing objects: created, alive at most
    "timing_most",
    "timing_waits",  # of a thread for a timing object
    "batches",  # waits for the completion of commands
    "overlapped",  # of serialized launches: those that did not wait for the one before any longer
    "captured",  # commands that went into a graph of another library, and did not run
    "markers_left_out",  # waits that needed no marker
    "uploads",  # of argument blocks: submitted, skipped
    "uploads_skipped",
)

# Kinds of slots.
(
    COMMAND,
    DETAIL,
    CALL,
    API,
    TIMES,
    HOST_CLOCK,
    DEVICE_CLOCK,
    STREAM,
    RANGE_BEGIN,
    RANGE,
    MARK,
    EVIDENCE,
    THREAD,
    DELAYS,
) = range(1, 15)

# A command's `command`.
LAUNCH, COPY, FILL, COPY_ROWS, COPY_PEER = 1, 2, 3, 4, 5
COMMAND_NAMES = {LAUNCH: "launch", COPY: "copy", FILL: "fill", COPY_ROWS: "copy_rows", COPY_PEER: "copy_peer"}

# Flags of a command, and of its times.
FAILED = 1  # refused by the driver, or it failed while it ran
KEPT_BACK = 2  # recorded by a step or a capture: there was no call of the driver's, and a later COMMAND runs it
IN_STEP = 4  # submitted by a step, a frozen step or a graph: `step`, `node`, `run` say which
TIMED = 8  # a TIMES slot follows, in some other ring
IN_GRAPH = 16  # part of a graph of the driver's: `driver_begin` to `driver_end` is the call that ran the whole graph
COOPERATIVE = 32
# Of a copy, if it is known; 0: it is not.
DIRECTION = 192
HOST_TO_DEVICE, DEVICE_TO_HOST, DEVICE_TO_DEVICE = 64, 128, 192

# Flags of evidence.
CONTENT = 1  # `content` is known
ARGUMENTS = 2  # `arguments` is known
BLOCKING = 4  # the call returns when its command has ended
PINNED = 8  # the host memory of a copy is pinned
PAGEABLE = 16  # and here it is not

# What an intervention delays: `target` of a block of delays.
SUBMISSIONS, SYNCHRONIZATIONS, COPIES, HOST_CODE = 1, 2, 3, 4

# Flags of ranges and marks.
NVTX = 1
ROCTX = 2


def _slot(*fields: tuple[str, str, int]) -> numpy.dtype:
    names, formats, offsets = zip(*fields, strict=True)
    return numpy.dtype({"names": list(names), "formats": list(formats), "offsets": list(offsets), "itemsize": SLOT})


COMMAND_SLOT = _slot(
    ("kind", "u1", 0),
    ("flags", "u1", 1),
    ("waits", "<u2", 2),  # events that it waits for
    ("result", "<i4", 4),  # the driver's code; 0: accepted
    ("correlation", "<u8", 8),  # no other call of the process has it
    ("begin", "<u8", 16),  # ticks: launchpath's function began
    ("driver_begin", "<u8", 24),  # the driver's function began; 0: KEPT_BACK
    ("driver_end", "<u8", 32),
    ("end", "<u8", 40),  # launchpath's function ended
    ("waited", "<u8", 48),  # ticks of these that the thread waited for a lock, the GIL or room in the queue
    ("stream", "<u4", 56),  # see STREAM
    ("name", "<u4", 60),  # of a launch: the kernel's
)
DETAIL_SLOT = _slot(
    ("kind", "u1", 0),
    ("command", "u1", 1),  # LAUNCH, ...
    ("device", "<u2", 2),  # its place in META's "devices"
    ("shared", "<u4", 4),  # of a launch: bytes of dynamic shared memory; of a copy of rows: rows
    ("grid", "(3,)<u4", 8),  # of a launch: blocks
    ("block", "(3,)<u4", 20),  # of a launch: threads
    ("bytes", "<u8", 8),  # of a copy or a fill
    ("to", "<u8", 16),
    ("source", "<u8", 24),  # of a copy
    ("number", "<u8", 32),  # in its stream; of the recorder: the driver's function, a place in META's "entries"
    ("external", "<u8", 40),  # the external correlation id in force; 0: none
    ("step", "<u4", 48),  # number of the step or graph; 0: none
    ("node", "<u4", 52),  # its place among the commands of the step
    ("run", "<u4", 56),  # which run of the step
    ("left_out", "<u4", 60),  # waits of this command that needed no marker
)
CALL_SLOT = _slot(  # of the driver (CALL: `entry` is a place in META's "entries"), or of launchpath (API: in "api")
    ("kind", "u1", 0),
    ("flags", "u1", 1),  # FAILED
    ("entry", "<u2", 2),
    ("result", "<i4", 4),
    ("correlation", "<u8", 8),
    ("begin", "<u8", 16),  # ticks
    ("end", "<u8", 24),
    ("quantity", "<u8", 32),  # bytes; of a marker: events that it waits for
    ("parent", "<u8", 40),  # correlation of the call of launchpath that it is part of; 0: none
    ("external", "<u8", 48),
    ("stream", "<u4", 56),  # 0: none
    ("device", "<u2", 60),
)
TIMES_SLOT = _slot(
    ("kind", "u1", 0),
    ("flags", "u1", 1),  # FAILED: the command failed, or the library did not tell: `start` and `ended` are 0
    ("device", "<u2", 2),
    ("stream", "<u4", 4),
    ("correlation", "<u8", 8),  # the command's
    ("submitted", "<u8", 16),  # device's nanoseconds: given to the device; 0: not told
    ("started", "<u8", 24),
    ("ended", "<u8", 32),
    ("enqueued", "<u8", 40),  # the command's `driver_begin`, ticks
    ("name", "<u4", 48),  # of a launch: the kernel's; else 0
    ("node", "<u4", 52),
    ("step", "<u4", 56),
    ("command", "<u4", 60),
)
HOST_CLOCK_SLOT = _slot(
    ("kind", "u1", 0),
    ("ticks", "<u8", 8),
    ("monotonic", "<u8", 16),  # nanoseconds of the monotonic clock at that tick
    ("real", "<u8", 24),  # and since 1970
    ("error", "<u8", 32),  # by how many nanoseconds that may be wrong
)
DEVICE_CLOCK_SLOT = _slot(
    ("kind", "u1", 0),
    ("device", "<u2", 2),
    ("device_time", "<u8", 8),
    ("monotonic", "<u8", 16),
    ("error", "<u8", 24),
)
STREAM_SLOT = _slot(
    ("kind", "u1", 0),
    ("type", "u1", 1),  # 0: legacy, 1: blocking, 2: non-blocking
    ("device", "<u2", 2),
    ("stream", "<u4", 4),  # no other stream of the process has it
    ("ticks", "<u8", 8),
    ("handle", "<u8", 16),  # the library's own
)
RANGE_SLOT = _slot(  # RANGE_BEGIN (`end` is 0), RANGE (when it has ended), MARK
    ("kind", "u1", 0),
    ("flags", "u1", 1),  # NVTX, ROCTX
    ("depth", "<u2", 2),  # ranges of this thread that it is in
    ("color", "<u4", 4),  # ARGB; 0: none
    ("correlation", "<u8", 8),  # RANGE_BEGIN's and RANGE's are the same
    ("begin", "<u8", 16),  # ticks
    ("end", "<u8", 24),
    ("payload", "<u8", 32),
    ("external", "<u8", 40),
    ("domain", "<u4", 48),  # a name; 0: none
    ("name", "<u4", 52),
    ("category", "<u4", 56),
)

# Behind the record of a command or a call, in the same ring. Slots of one correlation are of one call: what one of them
# does not know (0, or without its flag) another one may tell, as what a copy has moved that a later call waited for.
EVIDENCE_SLOT = _slot(
    ("kind", "u1", 0),
    ("flags", "u1", 1),  # CONTENT, ARGUMENTS, BLOCKING, PINNED, PAGEABLE
    ("count", "<u2", 2),  # of a launch: arguments; of another command or call: events that it waits for
    ("site", "<u4", 4),  # the source line that called: a name from `SITE_NAMES` on; 0: not known
    ("correlation", "<u8", 8),  # the command's or the call's
    # A hash: of the bytes that a copy moves, or of all arguments of a launch. A large copy of bytes that are surely new
    # has a hash that no other copy has.
    ("content", "<u8", 16),
    # Byte n: a hash of argument n of a launch; byte 7: of all further ones. Of a copy: ticks that reading it has taken
    ("arguments", "<u8", 24),
    ("event", "<u8", 32),  # the event that it makes or records; 0: none
    ("wait", "<u8", 40),  # the first event that it waits for
    ("wait_too", "<u8", 48),  # the second one; further ones are in further slots of the same correlation
    ("host", "<u8", 56),  # of a copy: the host's address
)
IN_PAUSE = 1  # of a look's flags: the pause goes on, and a range began or ended in it
THREAD_SLOT = _slot(  # at the first call after a pause of the thread, of what was since the last look
    ("kind", "u1", 0),
    ("flags", "u1", 1),  # IN_PAUSE
    ("switches", "<u4", 4),  # times that the thread has given up the processor: it waited for something
    ("begin", "<u8", 8),  # ticks
    ("end", "<u8", 16),
    ("processor", "<u8", 24),  # nanoseconds that the thread ran
    ("runnable", "<u8", 32),  # nanoseconds that it was ready to run, and another thread ran on its processor
    ("process", "<u8", 40),  # nanoseconds that all threads of the process ran
    ("faults", "<u8", 48),  # page faults
    ("spent", "<u8", 56),  # ticks that the look itself has taken, from `end` on
)
DELAYS_SLOT = _slot(
    ("kind", "u1", 0),
    ("target", "<u2", 2),  # SUBMISSIONS, ...
    ("number", "<u4", 4),  # from 0 on
    ("begin", "<u8", 8),  # ticks
    ("end", "<u8", 16),
    ("delay", "<u8", 24),  # nanoseconds, each; of HOST_CODE: thousandths of the time between two calls
    ("delays", "<u8", 32),  # how many
    ("spent", "<u8", 40),  # ticks that they have taken, all together
    ("repetitions", "<u4", 48),  # of the program, in the block
    ("typical_spent", "<u4", 52),  # ticks that delays have taken of one, the median
    ("typical", "<u8", 56),  # ticks of one, the median
)

LAYOUTS = {
    COMMAND: COMMAND_SLOT,
    DETAIL: DETAIL_SLOT,
    CALL: CALL_SLOT,
    API: CALL_SLOT,
    TIMES: TIMES_SLOT,
    HOST_CLOCK: HOST_CLOCK_SLOT,
    DEVICE_CLOCK: DEVICE_CLOCK_SLOT,
    STREAM: STREAM_SLOT,
    RANGE_BEGIN: RANGE_SLOT,
    RANGE: RANGE_SLOT,
    MARK: RANGE_SLOT,
    EVIDENCE: EVIDENCE_SLOT,
    THREAD: THREAD_SLOT,
    DELAYS: DELAYS_SLOT,
}
