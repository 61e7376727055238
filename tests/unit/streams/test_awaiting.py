"""Awaits of events: no thread of the event loop's is taken, whatever becomes of the await and of its loop."""

import asyncio
import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor

import pytest

import launchpath as lp
from launchpath import _core
from launchpath._streams import awaiting
from tests.fixtures import arrays
from tests.patience import PATIENCE
from tests.simulated import Machine
from tests.standin.client import soon


async def _until(event: lp.Event) -> None:
    await event


def _only_await() -> weakref.ref[asyncio.Future[None]]:
    """The one that the watcher has."""
    (awaited,) = awaiting._watcher.awaited
    return weakref.ref(awaited.future)


def _is_let_go(left: weakref.ref[asyncio.Future[None]]) -> bool:
    """Whether the watcher has nothing of an await any more. Only what it tells of the end knows that at once."""
    gc.collect()  # a task and what it awaits hold each other
    return left() is None


def test_an_await_goes_on_when_the_event_is_complete(machine: Machine) -> None:
    (stream,), (a,) = machine.streams(("nonblocking",)), arrays(machine, 1)
    a.fill(7, stream)
    event = stream.record()
    assert not event.query()
    asyncio.run(_until(event))
    assert event.query()
    assert a[0].to_numpy(stream) == 7


def test_the_point_is_that_of_the_time_of_the_await(machine: Machine, stream: lp.Stream) -> None:
    async def main() -> None:
        hold = stream.hold()
        event = stream.record()
        first = asyncio.ensure_future(_until(event))
        await asyncio.sleep(0)
        hold.release()
        with stream.hold():
            stream.record(event)
            await asyncio.wait_for(first, PATIENCE)
            assert not event.query()
        await event

    machine.machine.background()
    asyncio.run(main())


def test_more_awaits_than_the_executor_has_threads(machine: Machine, stream: lp.Stream) -> None:
    async def main() -> None:
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(2))
        hold = stream.hold()
        before = threading.active_count()
        waiting = [asyncio.ensure_future(_until(stream.record())) for _ in range(200)]
        await asyncio.sleep(0.01)
        assert threading.active_count() <= before + 1
        await asyncio.wait_for(asyncio.to_thread(hold.release), PATIENCE)
        await asyncio.gather(*waiting)

    machine.machine.background()
    asyncio.run(main())


def test_a_cancelled_await_ends_at_once_and_keeps_nothing(machine: Machine, stream: lp.Stream) -> None:
    async def main() -> None:
        waiting = asyncio.ensure_future(_until(event))
        while not awaiting._watcher.awaited:
            await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(_until(event), 0.001)
        while awaiting._watcher.awaited:
            await asyncio.sleep(0)

    machine.machine.background()
    with stream.hold():
        event = stream.record()
        asyncio.run(main())
        assert not event.query()


def test_a_loop_that_was_closed_meanwhile_disturbs_no_other(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.background()
    loop = asyncio.new_event_loop()
    with stream.hold():
        event = stream.record()
        task = loop.create_task(_until(event))
        while not awaiting._watcher.awaited:
            loop.run_until_complete(asyncio.sleep(0))
        left = _only_await()
        loop.close()
    asyncio.run(_until(event))
    asyncio.run(_until(stream.record()))
    task._log_destroy_pending = False  # type: ignore[attr-defined]
    del task
    assert soon(lambda: _is_let_go(left))


def test_loops_of_several_threads_await_at_the_same_time(machine: Machine) -> None:
    machine.machine.background()
    streams = [lp.Stream(blocking=False, device=machine.device) for _ in range(4)]
    both = threading.Barrier(4)

    async def work(stream: lp.Stream) -> int:
        for _ in range(20):
            await asyncio.gather(*(_until(stream.record()) for _ in range(3)))
        return 1

    def run(stream: lp.Stream) -> int:
        both.wait(PATIENCE)
        return asyncio.run(work(stream))

    with ThreadPoolExecutor(4) as pool:
        assert sum(pool.map(run, streams, timeout=PATIENCE)) == 4


def test_the_await_of_what_failed_raises(machine: Machine, stream: lp.Stream) -> None:
    machine.machine.fail_command(0, 1, 1)
    lp.zeros(4, "int32", machine.device, stream)
    event = stream.record()
    for _ in range(2):
        with pytest.raises(lp.AsynchronousError):
            asyncio.run(_until(event))
    with pytest.raises(lp.AsynchronousError):
        stream.synchronize()


def test_what_was_never_recorded_or_is_complete_needs_no_watcher(stream: lp.Stream) -> None:
    asyncio.run(_until(lp.Event()))
    event = stream.record()
    event.synchronize()
    assert event.awaited() is None
    asyncio.run(_until(event))


def test_the_watcher_takes_events_only() -> None:
    with pytest.raises(TypeError):
        _core.watch([1], _core.watch_changes())  # type: ignore[list-item]


def test_a_watcher_that_ended_is_replaced(machine: Machine, stream: lp.Stream, monkeypatch: pytest.MonkeyPatch) -> None:
    """What it watched goes on with the next one."""
    machine.machine.background()
    asyncio.run(_until(stream.record()))
    ended = threading.Event()

    def no_room(*_: object) -> None:
        raise MemoryError

    async def main() -> weakref.ref[asyncio.Future[None]]:
        with stream.hold():
            first = asyncio.ensure_future(_until(stream.record()))
            while not awaiting._watcher.awaited:
                await asyncio.sleep(0)
            left = _only_await()
            monkeypatch.setattr(threading, "excepthook", lambda _: None)
            monkeypatch.setattr("sys.unraisablehook", lambda _: ended.set())
            monkeypatch.setattr(_core, "watch", no_room)
            _core.watch_changed()
            while not ended.is_set():
                await asyncio.sleep(0)
            monkeypatch.undo()
            second = asyncio.ensure_future(_until(stream.record()))
            await asyncio.sleep(0)
        await asyncio.wait_for(asyncio.gather(first, second), PATIENCE)
        return left

    left = asyncio.run(main())
    assert soon(lambda: _is_let_go(left))
