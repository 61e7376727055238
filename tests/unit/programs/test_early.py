"""Early variants of compiled programs: when there is one, why there is none, and that freezing never fails for it.

On the stand-in, with NVRTC's code: it says of each node of a graph whether its function triggers.
"""

import pytest

from launchpath._compiler.image import Image, Symbol
from launchpath._programs.builds import variants
from tests.python import python
from tests.standin.build import environment
from tests.unit.support.rtc import needs_nvrtc

START = """
import os, sys, threading
from unittest import mock
import launchpath as lp
from launchpath import _core
from launchpath._programs import compilation
from launchpath.errors import CompileError
from tests.standin.control import Control
device, control = lp.devices()[0], Control(os.environ["LAUNCHPATH_CUDA_LIBRARY"])
SOURCE = '''
extern "C" __global__ void increment(int *a, int n) { int i = threadIdx.x; if (i < n) a[i] += STEP; }
'''
N = 6
compiled = []
real = compilation.Compilation._compiled
def counted(self, *rest):
    compiled.append(self.target.trigger_threads)
    return real(self, *rest)
compilation.Compilation._compiled = counted

def program(step=1, source=SOURCE, **more):
    return lp.compile(source, device, defines={"STEP": step}, **more)

def frozen(kernel, launch=True):
    stream = lp.Stream(device=device, blocking=False)
    array = lp.zeros(16, "int32", device=device, stream=stream)
    step = lp.Step()
    with step:
        for _ in range(N):
            kernel[1, 16, stream](array, 16)
    kept = step.freeze()
    control.calls()
    for _ in range(3 if launch else 0):
        kept.launch()
    stream.synchronize()
    nodes = [call.detail.endswith("triggers") for call in control.calls() if call.name == "cuGraphAddKernelNode_v2"]
    assert control.reports() == []
    assert not launch or array.to_numpy(stream).tolist() == [4 * N] * 16
    return nodes, list(kept.report().without_trigger.values())

EARLY, PLAIN = [True] * (N - 1) + [False], [False] * N
"""


def process(code, folder, *arguments, **more):
    around = environment("cuda") | {"STANDIN_VERSION": "13090", "LAUNCHPATH_CACHE": "1", **more}
    around["LAUNCHPATH_CACHE_DIR"] = str(folder / "cache")
    out = python("-c", START + code, *arguments, env=around).stdout
    assert out.endswith("done\n"), out
    return out


ONCE = """
first = program()
assert frozen(first.increment) == (EARLY, [])
assert compiled == ([] if sys.argv[1] == "kept" else [0, device.early_trigger_threads]), compiled
compiled.clear()
assert frozen(first.increment) == (EARLY, [])
assert frozen(program().increment) == (EARLY, []), "another program of the same source"
assert compiled == [], "the disk has both"
print("done")
"""


@needs_nvrtc
@pytest.mark.processes
def test_compiled_once_and_kept(tmp_path):
    process(ONCE, tmp_path, "new")
    process(ONCE, tmp_path, "kept")


SETTINGS = """
expected = {"0": PLAIN, "1": EARLY, "wait": PLAIN, "trigger": [True] * N}[sys.argv[1]]
nodes, reasons = frozen(program().increment)
assert nodes == expected, nodes
assert reasons == []
assert frozen(program(dependent=False).increment) == (PLAIN, [])
assert len(compiled) == (3 if sys.argv[1] == "1" else 2), compiled
print("done")
"""


@needs_nvrtc
@pytest.mark.processes
@pytest.mark.parametrize("setting", ["0", "1", "wait", "trigger"])
def test_the_environment(tmp_path, setting):
    process(SETTINGS, tmp_path, setting, LAUNCHPATH_DEPENDENT=setting)


NO_GRAPHS = """
assert frozen(program().increment) == ([], [])
assert compiled == [0]
print("done")
"""


@needs_nvrtc
@pytest.mark.processes
@pytest.mark.parametrize("switch", [{"LAUNCHPATH_STEPS": "0"}, {"LAUNCHPATH_LAUNCH_BLOCKING": "1"}])
def test_nothing_is_compiled_where_steps_have_no_graphs(tmp_path, switch):
    process(NO_GRAPHS, tmp_path, **switch)


REASONS = """
state = SOURCE + "__device__ int seen; extern \\"C\\" __global__ void count(int *a) { a[0] = atomicAdd(&seen, 1); }"
hidden = SOURCE + '''
__device__ int drawn() { static int next; return ++next; }
extern "C" __global__ void draw(int *a) { a[0] = drawn(); }
'''
for source, words in ((state, "its program has variables (seen)"), (hidden, "what each module has of its own")):
    nodes, (reason,) = frozen(program(source=source).increment)
    assert nodes == PLAIN and words in reason, reason
assert compiled == [0, 0], "without a second compilation"

plain = program()
plain.save(sys.argv[1])
nodes, reasons = frozen(lp.load(sys.argv[1], device).increment)
assert nodes == PLAIN and reasons == ["its program was loaded, and has no source"]

def fails(self, *rest):
    if self.target.trigger_threads:
        raise CompileError("no compiler today\\nat all", "")
    return counted(self, *rest)
with mock.patch.object(compilation.Compilation, "_compiled", fails):
    other = program(2)
    nodes, reasons = frozen(other.increment, launch=False)
    assert reasons == ["its early variant does not compile: no compiler today"]
assert frozen(other.increment, launch=False)[1] == reasons, "once for a program"

def otherwise(self, *rest):
    image = counted(self, *rest)
    return image._replace(**changed) if self.target.trigger_threads else image
for number, changed, words in (
    (3, {"body": "another"}, "the compiler made other code of its early variant"),
    (4, {"waiting": frozenset()}, "its early variant does not wait at its entry"),
    (5, {"code": b"nonsense"}, "cuModuleLoadDataEx"),
):
    with mock.patch.object(compilation.Compilation, "_compiled", otherwise):
        nodes, (reason,) = frozen(program(number).increment, launch=False)
        assert words in reason, reason
print("done")
"""


@needs_nvrtc
@pytest.mark.processes
def test_why_there_is_none(tmp_path):
    process(REASONS, tmp_path, tmp_path / "saved.lp")


HELD = """
plain = program()
side = lp.Stream(device=device, blocking=False)
hold = side.hold()
nodes, reasons = frozen(plain.increment)
assert (nodes, reasons) == ([], ["a stream waited for the host when the step was frozen"]), "no graph then either"
hold.release()
assert frozen(plain.increment) == (EARLY, []), "not for good"

other, step, inside = program(1, SOURCE + "// another"), lp.Step(), []
stream = lp.Stream(device=device, blocking=False)
array = lp.zeros(16, "int32", device=device, stream=stream)
with step:
    for _ in range(N):
        other.increment[1, 16, stream](array, 16)
stream.synchronize()
lp.Stream(device=device, blocking=False).host_function(
    lambda: inside.append(step.freeze().report().without_trigger)
)
device.synchronize()
assert inside == [{"increment": reasons[0]}], inside
print("done")
"""

THREADED = """
plain = program()
compiled.clear()
start, seen = threading.Barrier(4), []
def freeze():
    start.wait()
    seen.append(frozen(plain.increment, launch=False))
threads = [threading.Thread(target=freeze) for _ in range(4)]
for thread in threads: thread.start()
for thread in threads: thread.join()
assert seen == [([], [])] * 4 and compiled == [device.early_trigger_threads], (seen, compiled)
loaded = control.live("modules")
assert frozen(plain.increment) == (EARLY, [])
assert control.live("modules") == loaded, "loaded once"
print("done")
"""

FORKED = """
kernel = program().increment._driver
lp.zeros(16, "int32", device=device)
with kernel.variants._lock:  # as if another thread compiled
    child = os.fork()
    if child == 0:
        os._exit(0 if "fork" in kernel.variants.pair(kernel) else 1)
    assert os.waitpid(child, 0)[1] == 0
print("done")
"""

INSTANCES = """
source = "template <class T> __global__ void increment(T *a, int n) { int i = threadIdx.x; if (i < n) a[i] += 1; }"
templates = lp.compile(source, device, names=["increment<int>"])
late = templates["increment<unsigned>"]
for kernel in (templates["increment<int>"], late):
    variants = kernel._driver.variants
    assert variants.pair(kernel._driver) == "" and kernel._driver.early.entry == kernel._driver.entry
print("done")
"""


@needs_nvrtc
@pytest.mark.processes
@pytest.mark.parametrize("code", [HELD, THREADED, FORKED, INSTANCES], ids=["held", "threads", "fork", "instances"])
def test_around_it(tmp_path, code):
    process(code, tmp_path)


def image(**more):
    return Image("cubin", b"", (), waiting=frozenset({"k"}), body="a")._replace(**more)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, ""),
        ({"body": ""}, "may have what each module has of its own"),
        ({"symbols": (Symbol("seen", 0, 4),)}, "has variables (seen)"),
    ],
)
def test_programs_that_are_bound_to_their_module(changes, words):
    reason = variants._why_bound(image(**changes))
    assert words in reason
    assert bool(reason) == bool(words)


def test_images_that_have_none():
    assert variants.of(image(), None, ()) is not None
    assert variants.of(image(waiting=frozenset()), None, ()) is None
    assert variants.of(image(kind="binary"), None, ()) is None


@pytest.mark.parametrize(
    ("early", "alike"),
    [
        ({}, True),
        ({"registers": 40}, True),
        ({"max_threads_per_block": 512}, False),
        ({"shared_memory": 8}, False),
        ({"local_memory": 8}, False),
    ],
)
def test_what_a_variant_may_take(early, alike):
    info = {"max_threads_per_block": 1024, "shared_memory": 0, "local_memory": 0, "registers": 20}
    assert variants._is_alike(info, info | early) == alike
