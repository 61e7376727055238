"""Mends forced on whole programs by the environment: what they change, what they refuse, what is told."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import launchpath as lp
from tests.mends.programs import REAL, run, variables, write
from tests.patience import PATIENCE

pytestmark = pytest.mark.processes


def came(mends: dict[str, Any], which: int = 0) -> tuple[int, dict[str, int]]:
    return mends["forced"][which]["effects"], mends["forced"][which]["refused"]


def test_a_range_becomes_a_step(tmp_path: Path) -> None:
    path, _ = write(tmp_path, """
calls = []
for i in range(6):
    with lp.range("work"):
        for tag in range(4):
            mix[1, 1, stream](a, b, 16, tag)
        calls.append(machine.machine.calls.get("launch", 0))
    machine.machine.reset_calls()
print(calls, a.to_numpy(stream).sum())
""")  # fmt: skip
    plain, _ = run(path, "read-backs")
    out, mends = run(path, "step:work,read-backs")
    assert came(mends) == (6, {})
    assert plain.startswith("[4, 4, 4, 4, 4, 4] ") and out.startswith("[0, 0, 0, 0, 0, 0] ")
    assert plain.rpartition(" ")[2] == out.rpartition(" ")[2]


def test_a_launch_begins_a_step(tmp_path: Path) -> None:
    path, lines = write(tmp_path, """
def step():
    mix[1, 1, stream](a, b, 16, 1)  # first
    mix[1, 1, stream](b, a, 16, 2)
calls = []
for i in range(5):
    step()
    calls.append(machine.machine.calls.get("launch", 0))
a.to_numpy(stream)
print(calls)
""")  # fmt: skip
    for mend in ("step:@mix*2", f"step:program.py:{lines['first']}", f"step:@mix@program.py:{lines['first']}"):
        out, mends = run(path, mend)
        assert out == "[0, 2, 4, 6, 8]\n"
        assert came(mends)[0] >= 4


def test_the_programs_own_steps_and_captures_go_on(tmp_path: Path) -> None:
    path, _ = write(tmp_path, """
own = lp.Step()
with lp.range("work"):
    a.fill(1, stream)
    with own:
        a.fill(2, stream)
    frozen = own.freeze()
    frozen.launch()
with lp.range("work"):
    a.fill(3, stream)
    stream.begin_capture()
    a.fill(4, stream)
    graph = stream.end_capture().instantiate()
    graph.launch(stream)
print(own.runs, len(frozen.report().causes), a.to_numpy(stream)[0])
""")  # fmt: skip
    plain, _ = run(path, "read-backs")
    out, mends = run(path, "step:work")
    assert out == plain
    assert came(mends) == (
        0, {"a step of the program's own began inside it": 1, "a capture began inside it": 1})  # fmt: skip


def test_steps_that_are_off(tmp_path: Path) -> None:
    path, _ = write(tmp_path, "with lp.range('work'):\n    a.fill(1, stream)\n")
    _, mends = run(path, "step:work", LAUNCHPATH_STEPS="0")
    assert came(mends) == (0, {"steps are off (LAUNCHPATH_STEPS=0, or LAUNCHPATH_DEBUG=bounds)": 1})


UPLOADS = """
def upload(what):
    a.copy_from(what, stream)
    return what
for i in range(4):
    upload(values)
    mix[1, 1, stream](b, a, 16, 1)
a[:] = values  # assigned
a[:] = values  # again
a[2:6] = values[2:6]  # part
a[::2] = values[::2]  # strided
a.copy_from(values.tolist(), stream)  # converted
a.copy_from(values.tolist(), stream)  # more
print(a.to_numpy(stream).tolist())
"""


def test_uploads_of_a_function(tmp_path: Path) -> None:
    path, _ = write(tmp_path, UPLOADS)
    plain, _ = run(path, "read-backs")
    out, mends = run(path, "skip-upload:upload")
    assert out == plain
    (forced,) = mends["forced"]
    assert (forced["effects"], forced["not_needed"], forced["refused"]) == (3, 1, {})
    assert 0 < forced["ns"] < 1e9


@pytest.mark.parametrize(
    ("names", "effects", "refused"),
    [
        (("again",), 0, {}),
        (("assigned", "again"), 1, {}),
        (("converted", "more"), 1, {}),
        (("strided",), 0, {"its elements are not in a row in the device's memory": 1}),
    ],
)
def test_uploads_of_lines(tmp_path: Path, names: tuple[str, ...], effects: int, refused: dict[str, int]) -> None:
    path, lines = write(tmp_path, UPLOADS)
    plain, _ = run(path, "read-backs")
    out, mends = run(path, ",".join(f"skip-upload:{lines[name]}" for name in names))
    assert out == plain
    assert sum(forced["effects"] for forced in mends["forced"]) == effects
    told: dict[str, int] = {}
    for forced in mends["forced"]:
        told |= forced["refused"]
    assert told == refused


def test_host_arrays_that_are_arguments(tmp_path: Path) -> None:
    path, _ = write(tmp_path, """
host, out = lp.In(values), np.zeros(16, np.uint32)
def upload():
    for i in range(3):
        mix[1, 1, stream](b, lp.In(values), 16, 1)
wrapped = lp.InOut(values.copy())
def both():
    for i in range(3):
        mix[1, 1, stream](wrapped, b, 16, 1)
        wrapped.array[:] = values
upload()
both()
print(b.to_numpy(stream).tolist())
""")  # fmt: skip
    plain, _ = run(path, "read-backs")
    out, mends = run(path, "skip-upload:upload,skip-upload:both")
    assert out == plain
    assert came(mends, 1)[0] == 0


WAITS = """
managed = lp.managed_empty(16, "uint32", device)
for i in range(3):
    a.fill(i, stream)
    stream.synchronize()  # wait
print("complete", stream.query(), a.to_numpy(stream)[0])
event = stream.record()
event.synchronize()  # event
device.synchronize()  # device
lp.synchronize()  # module
"""


@pytest.mark.parametrize(("name", "count"), [("wait", 3), ("event", 1), ("device", 1), ("module", 1)])
def test_waits_are_left_out(tmp_path: Path, name: str, count: int) -> None:
    path, lines = write(tmp_path, WAITS)
    out, mends = run(path, f"no-wait:program.py:{lines[name]}")
    assert came(mends) == (count, {})
    assert out == f"complete {name != 'wait'} 2\n"


def test_reading_still_waits(tmp_path: Path) -> None:
    path, lines = write(tmp_path, """
a.fill(3, stream); print(a.to_numpy()[0])  # numpy
a.fill(4, stream); print(np.asarray(a)[0])  # asarray
a.fill(5, stream); print(int(a[0].item()))  # item
a.fill(6, stream); print(a.copy_to_host_async(stream=stream).result()[0])  # result
""")  # fmt: skip
    out, mends = run(path, ",".join(f"no-wait:{line}" for line in lines.values()))
    assert out == "3\n4\n5\n6\n"
    assert [forced["effects"] for forced in mends["forced"]] == [0, 0, 0, 0]


def test_a_copy_that_is_under_way_is_waited_for(tmp_path: Path) -> None:
    path, lines = write(tmp_path, """
host = lp.pinned_empty(16, "uint32", device)
for i in range(3):
    a.fill(i, stream)
    a.copy_to_host_async(host, stream)
    stream.synchronize()  # needed
    print(host[0])
    stream.synchronize()  # needless
""")  # fmt: skip
    out, mends = run(path, f"no-wait:{lines['needed']},no-wait:{lines['needless']}")
    assert out == "0\n1\n2\n"
    assert came(mends) == (0, {"a copy to host memory that the program reads directly is under way": 3})
    assert came(mends, 1) == (3, {})


def test_what_is_read_is_hashed_in_its_order(tmp_path: Path) -> None:
    code = """
order = {order}
pinned = lp.pinned_empty(16, "uint32", device)
for value in order:
    a.fill(value, stream)
    a.to_numpy(stream)  # plain
    a.copy_to_host_async(pinned, stream).result()  # later
def other():
    a.to_numpy(stream)  # thread
thread = threading.Thread(target=other); thread.start(); thread.join()
"""
    hashes = []
    for order in ([1, 2], [1, 2], [2, 1], [1, 2, 3]):
        path, lines = write(tmp_path, code.format(order=order))
        _, mends = run(path, "read-backs")
        sites = mends["read_backs"]["sites"]
        assert mends["forced"] == [] and mends["read_backs"]["not_awaited"] == 0
        assert set(sites) == {
            f"{path}:{lines['plain']} <module>", f"{path}:{lines['later']} <module>", f"{path}:{lines['thread']} other",
        }  # fmt: skip
        plain = sites[f"{path}:{lines['plain']} <module>"]
        assert (plain["count"], plain["bytes"]) == (len(order), 64 * len(order))
        assert plain["hash"] == sites[f"{path}:{lines['later']} <module>"]["hash"]
        hashes.append(plain["hash"])
    assert hashes[0] == hashes[1] and len(set(hashes)) == 3


def test_what_is_wrong_is_refused_when_launchpath_is_imported() -> None:
    done = subprocess.run(
        [sys.executable, "-c", "import launchpath"], env=variables(LAUNCHPATH_MEND="steps:a"), capture_output=True,
        text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "LAUNCHPATH_MEND: expected step:NAME, skip-upload:NAME, no-wait:LINE or read-backs" in done.stderr
    assert "got 'steps:a'" in done.stderr


def test_nothing_is_in_the_way_without_the_variable() -> None:
    code = """
import sys, launchpath as lp
from launchpath import _core
from launchpath._tracing import ranges
assert not [name for name in sys.modules if name.startswith("launchpath._mends.") and "by_environment" not in name]
assert type(_core.upload_plain).__name__ in ("cython_function_or_method", "builtin_function_or_method", "cyfunction")
assert type(lp.range("a")) is ranges.Range and ranges.Range.__module__ == "launchpath._tracing.ranges"
"""
    for mend in ("", " "):
        done = subprocess.run(
            [sys.executable, "-c", code], env=variables(LAUNCHPATH_MEND=mend), capture_output=True, text=True,
            timeout=PATIENCE, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr


def test_a_forked_child_and_a_second_import(tmp_path: Path) -> None:
    path, _ = write(tmp_path, """
def upload():
    a.copy_from(values, stream)
upload(); upload()
import os
child = os.fork()
if not child:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
for name in [name for name in sys.modules if name.startswith("launchpath")]:
    del sys.modules[name]
import launchpath
upload()
""")  # fmt: skip
    _, mends = run(path, "skip-upload:upload,read-backs")
    assert came(mends) == (2, {})


DEVICE = """
def upload():
    by.copy_from(values)
for i in range(20):
    upload()
    with lp.range("work"):
        for _ in range(4):
            program.scale[1, 256](b, a, by, 256)
            program.scale[1, 256](a, b, by, 256)
    lp.synchronize()  # wait
print(a.to_numpy().sum())
"""


@pytest.mark.compiles
def test_all_mends_on_a_device(tmp_path: Path, device: lp.Device) -> None:
    index = str(lp.devices().index(device))
    path, lines = write(tmp_path, DEVICE, REAL)
    mend = f"step:work,skip-upload:upload,no-wait:{lines['wait']},read-backs"
    plain, read = run(path, "read-backs", LAUNCHPATH_DEVICE=index)
    out, mends = run(path, mend, LAUNCHPATH_DEVICE=index)
    assert out == plain
    assert mends["read_backs"] == read["read_backs"]
    assert [came(mends, i) for i in range(3)] == [(20, {}), (19, {}), (20, {})]


HIP = """
from launchpath import hip
def check(answer):
    assert not int(answer[0]), answer
    return answer[1] if len(answer) > 1 else None
memory = check(hip.hipMalloc(64))
sent, got = np.arange(16, dtype=np.int32), np.zeros(16, np.int32)
for i in range(3):
    check(hip.hipMemcpy(memory, sent, 64, hip.hipMemcpyKind.hipMemcpyHostToDevice))  # up
    check(hip.hipDeviceSynchronize())  # wait
    check(hip.hipMemcpy(got, memory, 64, hip.hipMemcpyKind.hipMemcpyDeviceToHost))  # down
print(got.tolist())
"""


@pytest.mark.compiles
def test_hip_functions(tmp_path: Path, device: lp.Device) -> None:
    index = str(lp.devices().index(device))
    path, lines = write(tmp_path, HIP, REAL)
    names = (
        f"skip-upload:{lines['up']},no-wait:{lines['wait']},no-wait:{lines['down']},no-wait:{lines['up']},read-backs"
    )
    out, mends = run(path, names, LAUNCHPATH_DEVICE=index)
    assert out == f"{list(range(16))}\n"
    assert came(mends)[0] == 0
    assert list(came(mends)[1]) == [
        "memory of HIP's functions: its address was handed out, so that a kernel may write there unseen"
    ]
    assert [came(mends, i) for i in (1, 2, 3)] == [(3, {}), (0, {}), (0, {})]
    (site,) = [site for site in mends["read_backs"]["sites"] if f":{lines['down']} " in site]
    assert mends["read_backs"]["sites"][site]["count"] == 3
