"""The views that a query may name, and their columns."""

from __future__ import annotations

from typing import NamedTuple


class Column(NamedTuple):
    """A column of a view: its name, its type in SQL, and its meaning."""

    name: str
    type: str
    meaning: str


def _columns(text: str) -> tuple[Column, ...]:
    """Read a line for each column: name, type, meaning."""
    lines = (line.split(None, 2) for line in text.splitlines() if line)
    return tuple(Column(name, kind, meaning) for name, kind, meaning in lines)


_PROCESS = """
process         INTEGER    number of the process, from 0 on, in the order of the files
host            VARCHAR    name of its host
rank            INTEGER    its rank; null: none
pid             INTEGER    its number in the system
"""

VIEWS: dict[str, tuple[Column, ...]] = {
    "dispatches": _columns(
        _PROCESS
        + """
command         VARCHAR    launch, copy, fill, copy_rows or copy_peer
name            VARCHAR    kernel, as C++ writes it; empty: no launch
symbol          VARCHAR    kernel, as its binary names it
function        VARCHAR    the driver's function that submitted it, by the library's own name
correlation     UBIGINT    number of the command in its process
external        UBIGINT    number that the program has set; 0: none
thread          BIGINT     the system's number of the thread
device          INTEGER    device, see devices
device_name     VARCHAR    its name
stream          BIGINT     stream, see streams
number          UBIGINT    number in its stream
step            BIGINT     number of the step or graph; 0: none
node            BIGINT     its place in the step
run             BIGINT     which run of the step
grid_x          BIGINT     blocks of a launch
grid_y          BIGINT     blocks of a launch
grid_z          BIGINT     blocks of a launch
block_x         BIGINT     threads of a block
block_y         BIGINT     threads of a block
block_z         BIGINT     threads of a block
shared          BIGINT     bytes of dynamic shared memory
bytes           BIGINT     bytes of a copy or a fill
to              UBIGINT    address that a copy or a fill writes to
source          UBIGINT    address that a copy reads from
rows            BIGINT     rows of a copy of rows
direction       VARCHAR    host to device, device to host, device to device; empty: not known
begin           BIGINT     ns, host: the function of launchpath, or the driver's, began
driver_begin    BIGINT     ns, host: the driver's function began
driver_end      BIGINT     ns, host: the driver's function ended
end             BIGINT     ns, host: the function of launchpath, or the driver's, ended
waited          BIGINT     ns of it that the thread waited for a lock, the GIL or room
timed           BOOLEAN    whether the times on the device are known
submitted       BIGINT     ns, device: given to the device; null: not known
started         BIGINT     ns, device: started; null: not known
ended           BIGINT     ns, device: ended; null: not known
failed          BOOLEAN    whether the driver refused it, or it failed while it ran
result          INTEGER    the driver's code; 0: accepted
waits           INTEGER    events that it waits for
left_out        BIGINT     waits that needed no marker
in_step         BOOLEAN    submitted by a step, a frozen step or a graph
in_graph        BOOLEAN    part of a graph of the driver's
cooperative     BOOLEAN    a cooperative launch
"""
    ),
    "calls": _columns(
        _PROCESS
        + """
name            VARCHAR    function of launchpath, or of the driver's library by its own name
driver          BOOLEAN    whether it is one of the driver's
thread          BIGINT     the system's number of the thread
device          INTEGER    device, see devices
correlation     UBIGINT    number of the call in its process
parent          UBIGINT    number of the call of launchpath that it is part of; 0: none
external        UBIGINT    number that the program has set; 0: none
stream          BIGINT     stream, see streams; 0: none
quantity        BIGINT     bytes; of a marker: events that it waits for
result          INTEGER    the driver's code; 0: success
begin           BIGINT     ns, host: the function began
end             BIGINT     ns, host: the function ended
failed          BOOLEAN    whether it failed
"""
    ),
    "ranges": _columns(
        _PROCESS
        + """
name            VARCHAR    range or mark
domain          VARCHAR    its domain of NVTX; empty: none
category        VARCHAR    its category of NVTX; empty: none
source          VARCHAR    launchpath, nvtx or roctx
thread          BIGINT     the system's number of the thread
correlation     UBIGINT    number of the range in its process
external        UBIGINT    number that the program has set; 0: none
depth           INTEGER    ranges of the thread that it is in
color           BIGINT     ARGB; 0: none
payload         UBIGINT    number that the program gave with it
begin           BIGINT     ns, host: it began
end             BIGINT     ns, host: it ended; null: it had not ended
mark            BOOLEAN    whether it is a mark, whose end is its begin
open            BOOLEAN    whether it had not ended
"""
    ),
    "processes": _columns(
        _PROCESS
        + """
file            VARCHAR    the trace, or the Parquet folder
command         VARCHAR    its command line
executable      VARCHAR    its program
python          VARCHAR    version of Python; null: none
mode            VARCHAR    host, device or serialized; of Parquet: null
begin           BIGINT     ns: the trace began; of Parquet: null
real            BIGINT     to add to its times for ns since 1970
ended           BOOLEAN    whether the trace has an end; of Parquet: null
lost            BIGINT     slots that are not in the file; of Parquet: null
dropped         BIGINT     slots for which there was no room; of Parquet: null
"""
    ),
    "threads": _columns(
        _PROCESS
        + """
thread          BIGINT     the system's number of a thread that has records
name            VARCHAR    its name; empty: none
"""
    ),
    "streams": _columns(
        _PROCESS
        + """
stream          BIGINT     number of the stream in its process
device          INTEGER    its device
type            VARCHAR    legacy, blocking or nonblocking
handle          UBIGINT    the library's own handle
time            BIGINT     ns, host: first seen
"""
    ),
    "devices": _columns(
        _PROCESS
        + """
device          INTEGER    place of the device in its process
name            VARCHAR    its name
driver          VARCHAR    opencl, cuda, hip or simulated
platform        VARCHAR    its platform
vendor          VARCHAR    its vendor
kind            VARCHAR    cpu, gpu, ...
ordinal         INTEGER    its number in the driver
"""
    ),
}
OF_PROCESS = tuple(column.name for column in _columns(_PROCESS))
RECORDS = ("dispatches", "calls", "ranges")  # the views with a row for each record: Parquet folders have these
