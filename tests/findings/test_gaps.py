"""Which works began by their latency, and which behind the gap after the work before them."""

import pytest

from launchpath._findings.simulation.columns import Recorded
from launchpath._findings.simulation.costs import Costs
from launchpath._findings.simulation.following import Order
from launchpath._findings.simulation.gaps import works_of
from launchpath._findings.simulation.program import Work
from launchpath._trace.format import BLOCKING, CONTENT
from tests.findings.steps import US
from tests.findings.timelines import EPOCH, Calls

READ = 50 * US  # that the trace takes for a copy's bytes


def works(calls: Calls) -> list[tuple[Work, ...]]:
    timeline = calls.timeline()
    begins = timeline.ops.begin.argsort(kind="stable")
    recorded = Recorded(timeline, Costs(timeline), begins, EPOCH)
    return works_of(recorded, Order(timeline, recorded, {1: 0}, {}, begins[:0]))


def upload_behind_a_launch(reading: int, flags: int = CONTENT) -> Work:
    """A copy's call from 60 to 125 us, and its work from 130 us on. The kernel before it ends at 100 us.

    That kernel shows a latency of 3 us.
    """
    calls = Calls()
    calls.call("launch", 0, 2 * US, stream=1, works=[(5 * US, 20 * US)])
    calls.call("launch", 40 * US, 42 * US, stream=1, works=[(45 * US, 100 * US)])
    calls.call("query", 43 * US, 59 * US)  # behind it there is no time for reading: the call has read
    calls.call(
        "copy", 60 * US, 125 * US, stream=1, works=[(130 * US, 150 * US)], direction=1, arguments=reading, flags=flags
    )
    ((copied,),) = works(calls)[3:]
    return copied


@pytest.mark.parametrize(
    ("reading", "latency", "shown"), [(READ, 5 * US, True), (30 * US, 3 * US, False), (0, 3 * US, False)]
)
def test_a_copy_is_submitted_when_its_bytes_have_been_read(reading: int, latency: int, shown: bool) -> None:
    """If the kernel has ended by then, the copy's latency is seen. If not, it is at most the usual one."""
    copied = upload_behind_a_launch(reading)
    assert (copied.latency, copied.shown) == (latency, shown)


def test_a_copy_that_blocks_is_submitted_at_its_calls_begin() -> None:
    """Its latency counts from there, and the kernel ran on then."""
    copied = upload_behind_a_launch(READ, CONTENT | BLOCKING)
    assert (copied.latency, copied.shown) == (3 * US, False)
