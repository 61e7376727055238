"""What calls of drivers are for: categories, by the functions' names. docs/tracing.md has the same table."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from numpy.typing import NDArray

from launchpath._report import Entry, Tally

Array = NDArray[Any]
LOADING = "load and compile"
OTHER = "other"

# The first that fits. Functions of CUDA begin with cu, HIP's with hip, OpenCL's with cl; the others are the core's own.
_PATTERNS = {
    LOADING: (
        r"(cu|hip)(Module(?!Launch)|Library|Link|Kernel(Get|Set)|Func(Load|Get|Set))|hiprtc|nvrtc"
        r"|cl(Build|Compile|Link|(Create|Release)(Program|Kernel)|CloneKernel)|module_|program_|build"
    ),
    "wait": r"(cu|hip)(Ctx|Stream|Event|Device)Synchronize|cl(Finish|WaitForEvents)$|queue_finish$|event_wait$",
    "query": r"(cu|hip)(Stream|Event)Query|(cu|hip)EventElapsedTime|clGet|queue_query$|event_query$",
    "allocate": (
        r"cuMem(Alloc|Free|Host|Create$|Release$|Address|Map$|Unmap$|SetAccess|Pool)|cuArray|hip(Ext)?(Malloc|Free|Host)"
        r"|hipMem(Create$|Release$|Address|Map$|Unmap$|SetAccess|Pool|Alloc)|hipArray"
        r"|clCreate(Buffer|SubBuffer|Image|Pipe)|clReleaseMemObject|cl(Enqueue)?SVM(Alloc|Free)|cl(Host|Device|Shared)MemAlloc|clMemFree"
        r"|allocate|free"
    ),
    "copy and fill": (
        r"(cu|hip)(Mem(cpy|set|Prefetch|Advise)|StreamAttachMem)"
        r"|clEnqueue(Read|Write|Copy|Fill|Map|Unmap|Migrate|Mem|SVM)|copy|fill"
    ),
    "submit": (
        r"(cu|hip|hipExt|hipModule|hipExtModule)Launch|(cu|hip)Graph(Launch|Upload)|(cu|hip)EventRecord"
        r"|(cu|hip)Stream(WaitEvent|WaitValue|WriteValue|BatchMemOp|AddCallback)|clEnqueue|clFlush|launch|graph_run|marker"
    ),
}


@cache
def category(function: str) -> str:
    """Give the category of a driver's function."""
    return next((name for name, pattern in _compiled() if pattern.match(function)), OTHER)


def by_category(calls: Tally) -> Tally:
    """Sum up calls of drivers by category. Time of calls inside other calls is time of these alone."""
    tally = Tally()
    for entry in calls:
        tally.entry(category(entry.name)).merge(_renamed(entry))
    return tally


@cache
def _compiled() -> list[tuple[str, re.Pattern[str]]]:
    return [(name, re.compile(pattern)) for name, pattern in _PATTERNS.items()]


def _renamed(entry: Entry) -> Entry:
    renamed = Entry(category(entry.name))
    renamed.merge(entry)
    renamed.total, renamed.nested = entry.outermost, 0
    return renamed
