"""Programs whose child processes launch kernels of Triton; `test_children.py` runs them in processes of their own."""

from __future__ import annotations

import json
import multiprocessing
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

from launchpath import fast
from tests.fast_launches.triton_cuda import Cuda
from tests.fast_launches.triton_programs import add_kernel, counts, reasons


def launch(times: int = 7) -> tuple[int, int]:
    """Launch a kernel, and return the launches by each way."""
    cuda = Cuda()
    args = (cuda.tensor([1.0] * 16), cuda.tensor([2.0] * 16), cuda.tensor([0.0] * 16), 16)
    for _ in range(times):
        add_kernel[(1,)](*args, BLOCK=16)
    cuda.synchronize()
    assert args[2].tolist() == [3.0] * 16
    return counts()


def forked(work: Callable[[], Any]) -> Any:
    """Return what a function gives in a forked child."""
    reads, writes = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.write(writes, json.dumps(work()).encode())
        finally:
            os._exit(0)
    os.close(writes)
    with os.fdopen(reads) as file:
        text = file.read()
    assert os.waitpid(child, 0)[1] == 0
    assert text, "the child failed: see above"
    return json.loads(text)


def program_forked_first() -> None:
    """A child that is forked before the first launch launches by launchpath."""
    assert forked(launch) == [3, 4]
    assert launch() == (3, 4)


def program_forked_later() -> None:
    """A child that is forked after launches has no CUDA context: Triton says so, as without launchpath, and it counts."""
    args: list[Any] = []

    def again() -> Any:
        before, texts = counts(), []
        for _ in range(3):
            try:
                add_kernel[(1,)](*args, BLOCK=16)
            except Exception as error:
                texts.append(f"{type(error).__name__}: {error}")
        return before, counts(), texts, reasons() if sum(counts()) else {}

    cuda = Cuda()
    args += [cuda.tensor([1.0] * 16), cuda.tensor([2.0] * 16), cuda.tensor([0.0] * 16), 16]
    for _ in range(7):
        add_kernel[(1,)](*args, BLOCK=16)
    assert counts() == (3, 4)
    before, after, texts, why = forked(again)
    fast.uninstall()
    assert forked(again)[2] == texts, "what Triton alone says"
    fast.install()
    assert (before, after) == ([0, 0], [0, 3])
    assert len(texts) == 3 and sum(why.values()) == 3, (texts, why)
    add_kernel[(1,)](*args, BLOCK=16)
    assert counts()[0] == 4, "the parent goes on as before"


def program_forked_while_another_thread_compares() -> None:
    """A child does not wait for locks that a thread of its parent held."""
    from launchpath._fast import capture, libraries
    from launchpath._fast.records import RECORDS

    holds, ends = threading.Event(), threading.Event()

    def hold() -> None:
        with capture.driver()._lock, RECORDS._lock, libraries._lock:
            holds.set()
            ends.wait()

    Cuda()
    thread = threading.Thread(target=hold)
    thread.start()
    holds.wait()
    free = forked(
        lambda: [lock.acquire(timeout=5) for lock in (capture.driver()._lock, libraries._lock, RECORDS._lock)]
    )
    ends.set()
    thread.join()
    assert free == [True] * 3


def spawned(queue: Any) -> None:
    """Launch in a spawned child, which Python starts anew."""
    queue.put(launch())


def program_spawned() -> None:
    """A child that multiprocessing spawns inherits it."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    child = context.Process(target=spawned, args=(queue,))
    child.start()
    assert queue.get(timeout=120) == (3, 4)
    child.join()
    assert child.exitcode == 0


def program_started() -> None:
    """So does one that is started as `python ...`, and its own children; not one of `install(children=False)`."""
    words = [sys.executable, "-m", "tests.fast_launches.children_programs"]
    for word in ("child", "parent"):
        answer = subprocess.run([*words, word], capture_output=True, text=True, check=True)
        assert answer.stdout == "(3, 4)\n", answer
    fast.uninstall()
    fast.install(children=False)
    answer = subprocess.run([*words, "child"], capture_output=True, text=True, check=True)
    assert answer.stdout == "(0, 0)\n", answer


def program_child() -> None:
    print(launch())


def program_parent() -> None:
    answer = subprocess.run([sys.executable, "-m", __spec__.name, "child"], capture_output=True, text=True, check=True)
    print(answer.stdout, end="")


if __name__ == "__main__":
    if sys.argv[1] not in ("child", "parent"):
        fast.install()
    globals()[f"program_{sys.argv[1]}"]()
