"""What a trace's file says of its process."""

import os
import threading

import pytest

from launchpath._tracing.facts import process_facts


def test_the_processors_of_all_threads_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program may keep its own thread from the processors that a device's threads use."""
    if not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2:
        pytest.skip("needs two processors, and a system that lets a thread choose")
    before, ready, end = os.sched_getaffinity(0), threading.Event(), threading.Event()

    def wait() -> None:
        ready.set()
        end.wait()

    other = threading.Thread(target=wait)
    other.start()
    ready.wait()
    try:
        os.sched_setaffinity(0, {min(before)})
        assert process_facts()["processors"] == len(before)
    finally:
        os.sched_setaffinity(0, before)
        end.set()
        other.join()
    monkeypatch.setattr(os, "listdir", lambda path: (_ for _ in ()).throw(OSError))
    monkeypatch.setattr(os, "cpu_count", lambda: 96)
    assert process_facts()["processors"] == 96
