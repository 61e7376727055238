"""``LAUNCHPATH_DEBUG=bounds``: each access outside is named at its line, on every CPU device. The mode is of a process."""

import functools
import json
import re
import textwrap

import pytest

from tests.corpus.run import features
from tests.faults.processes import run, start

from .cases import CASES, FOLDER

SOURCE = """
__global__ void fill(float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i + 1;
}
__global__ void plus(const float* from, float* out) { out[threadIdx.x] = from[threadIdx.x] + 1; }
"""
HEAD = f"""
import sys, warnings
import numpy as np
import launchpath as lp
SOURCE = '''{SOURCE}'''
device = lp.current_device()
"""


@functools.cache
def outcomes(index: int, files: tuple[str, ...]) -> dict[str, dict[str, object]]:
    """What became of the kernels of some files on a device, in one process for all."""
    code = f"from tests.bounds.cases import main\nmain({str(index)!r}, {list(files)!r})\n"
    return json.loads(run(code, head="", LAUNCHPATH_DEBUG="bounds"))


@pytest.fixture
def index(device):
    """The index of a CPU device."""
    import launchpath as lp

    if (device.info["driver"], device.info["kind"]) != ("opencl", "cpu"):
        pytest.skip("the device is no CPU")
    return lp.devices().index(device)


def in_mode(code, index, **environment):
    return run(code, index, head=HEAD, LAUNCHPATH_DEBUG="bounds", **environment)


def test_advice_for_too_little_dynamic_shared_memory(index):
    code = """
    from launchpath._core import launcher_as_hip
    program = lp.compile('''__global__ void h(float* x) {
        extern __shared__ float s[];
        s[threadIdx.x] = x[threadIdx.x];
        __syncthreads();
        x[threadIdx.x] = s[threadIdx.x ^ 1];
    }''')
    x = lp.zeros(32, "float32")
    for launch in (program.h[1, 32, None, 64], launcher_as_hip(program.h, 1, 32, None, 0)):
        try:
            launch(x)
        except lp.BoundsError as error:
            print(error)
    """
    some, none = in_mode(code, index).splitlines()
    assert "outside of dynamic shared memory: expected an index of 0 to 15, got 16, in thread (16, 0, 0)" in some
    advice = "bytes of it, the fourth item of h[grid, block, stream, bytes]: give more, or compare the index with the"
    assert f": the launch gives 64 {advice}" in some
    assert "outside of dynamic shared memory: expected no access, got bytes 0 to 3, in thread (0, 0, 0)" in none
    assert f": the launch gives 0 {advice}" in none


@pytest.mark.sample(10)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_named_at_its_line(case, device, index):
    files = ("outside.cu", "shuffled.cu") if "warps" in features(device) else ("outside.cu",)
    if case.file not in files:
        pytest.skip("the device has no warp functions")
    outcome = outcomes(index, files)[case.name]
    assert case.expected in outcome["message"]
    file, line = case.place
    assert (outcome["file"], outcome["line"]) == (str(FOLDER / file), line)
    assert outcome["message"].startswith(f"{FOLDER / file}:{line}:")
    assert outcome["kernel"] == (case.kernel or case.name)


def test_an_access_outside_is_left_out_and_the_process_goes_on(index):
    out = in_mode("""
        program = lp.compile(SOURCE)
        memory = lp.full(2048, 7, "float32")
        out = memory[:1000].copy()
        beside = lp.full(1000, 7, "float32")
        with_error = 0
        try:
            program.plus[1, 1024](out, out)
        except lp.BoundsError as error:
            with_error = 1
            assert error.array == (out.pointer, out.pointer + 4000), error.array
            assert (error.access, error.size) == ("read", 4), (error.access, error.size)
            assert error.thread[0] >= 1000 and error.address == out.pointer + 4 * error.thread[0]
        assert with_error
        assert (out.to_numpy() == 8).all() and (beside.to_numpy() == 7).all()
        program.fill[4, 256](out, 1000)
        device.synchronize()
        print(out.to_numpy()[-1])
    """, index)  # fmt: skip
    assert out.split() == ["1000.0"]


def test_host_arrays_and_steps(index):
    out = in_mode("""
        program = lp.compile(SOURCE)
        given, taken = np.arange(10, dtype="float32"), lp.Out(np.empty(10, "float32"))
        program.plus[1, 10](lp.In(given), taken)
        assert (taken.get() == given + 1).all()
        try:
            program.plus[1, 11](lp.In(given), lp.Out(np.empty(11, "float32")))
        except lp.BoundsError as error:
            print("from" in str(error))
        array = lp.zeros(8, "float32")
        with lp.Step():
            try:
                program.fill[1, 9](array, 9)
            except lp.BoundsError:
                print("step")
    """, index)  # fmt: skip
    assert out.split() == ["True", "step"]


def test_graphs_and_arguments_in_a_block(index):
    out = in_mode("""
        program = lp.compile(SOURCE + '''
            struct Large { float values[2000]; float* more; };
            __global__ void large(Large from, float* out, int n) {
                for (int i = 0; i < n; ++i) out[i] = from.values[i] + from.more[i];
            }
        ''')
        array, stream = lp.zeros(100, "float32"), lp.Stream(blocking=False)
        stream.begin_capture()
        program.fill[1, 128, stream](array, 101)
        graph = stream.end_capture().instantiate()
        for wait in (stream.synchronize, device.synchronize, lambda: array.to_numpy(stream)):
            try:
                graph.launch(stream)
            except lp.BoundsError as error:
                print("graph", error.thread[0])
            wait()
        large = np.zeros((), np.dtype([("values", "f4", 2000), ("more", "u8")]))
        large["more"] = array.pointer
        program.large[1, 1](large, lp.zeros(200, "float32"), 100)
        try:
            program.large[1, 1](large, lp.zeros(200, "float32"), 101)
        except lp.BoundsError as error:
            print("block", error.array == (array.pointer, array.pointer + 400))
    """, index)  # fmt: skip
    assert out.splitlines() == ["graph 100"] * 3 + ["block True"]


def test_programs_with_and_without_checks_are_kept_apart(index, tmp_path):
    code = """
        program = lp.compile(SOURCE)
        array = lp.zeros(300, "float32")
        try:
            program.fill[1, 301](array, 301)
        except lp.BoundsError:
            print("outside")
    """
    folder = {"LAUNCHPATH_CACHE_DIR": str(tmp_path)}
    assert run(code.replace("301", "300"), index, head=HEAD, **folder) == ""
    for _ in range(2):  # compiled, then from the cache
        assert in_mode(code, index, **folder).split() == ["outside"]
    # Not every access outside ends a process: this one is in what the pool rounds up.
    assert run(code, index, head=HEAD, **folder) == ""


def test_saved_programs(index, tmp_path):
    plain, checked = str(tmp_path / "plain"), str(tmp_path / "checked")
    run(f"lp.compile(SOURCE).save({plain!r})", index, head=HEAD)
    out = in_mode(f"""
        lp.compile(SOURCE).save({checked!r})
        try:
            lp.load({checked!r}).fill[1, 301](lp.zeros(300, "float32"), 301)
        except lp.BoundsError as error:
            print(error.line)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            array = lp.zeros(300, "float32")
            for _ in range(2):
                lp.load({plain!r}).fill[1, 300](array, 300)
        print(array.to_numpy()[-1], *[str(warning.message) for warning in caught])
    """, index)  # fmt: skip
    line, value, text = re.match(r"(\d+)\n(\S+) (.*)", out, re.DOTALL).groups()
    assert (line, value) == ("4", "300.0")
    assert text.strip() == (
        f"{plain}: its accesses to memory are not checked: LAUNCHPATH_DEBUG=bounds checks what is compiled from a source"
    )
    refused = run(f"""
        try:
            lp.load({checked!r})
        except lp.ArgumentValueError as error:
            print(error)
    """, index, head=HEAD)  # fmt: skip
    assert "saved with LAUNCHPATH_DEBUG=bounds" in refused


def test_without_the_variable_nothing_is_checked(device, index):
    from launchpath._compiler import target

    assert "checks_bounds" not in device.info
    assert "bounds" not in target.target_of(device.info).identity.split("\n")
    assert target.target_of(device.info) == target.target_of(device.info)._replace(bounds=False)


def test_another_value_is_refused():
    process = start("", head=HEAD, LAUNCHPATH_DEBUG="everything")
    out, err = process.communicate()
    assert process.returncode == 1 and not out
    assert "ArgumentValueError: LAUNCHPATH_DEBUG: expected 'bounds', or nothing, got 'everything'" in err


def test_devices_that_are_not_checked_are_named():
    out = run(textwrap.dedent("""
        import warnings
        from tests.simulated import Machine
        from launchpath._compiler.image import Image
        from launchpath._programs import bounds
        machine = Machine()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            for _ in range(2):
                bounds.review(Image("simulated", b"", ()), machine.device, "program")
        print(*[str(warning.message) for warning in caught])
    """), head="", LAUNCHPATH_DEBUG="bounds")  # fmt: skip
    assert "accesses to memory are not checked: LAUNCHPATH_DEBUG=bounds is for OpenCL devices of kind cpu" in out
    assert out.count("not checked") == 1
