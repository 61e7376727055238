"""Programs of several files on the stand-in of CUDA: linked by nvJitLink or the driver, kept, saved, loaded."""

import pytest

from launchpath._compiler.rtc.library import linker
from tests.python import python
from tests.standin.build import environment
from tests.unit.compiler.rtc.test_several import COMMON, PROGRAM, needs_nvjitlink
from tests.unit.support.rtc import needs_nvrtc

pytestmark = pytest.mark.processes

START = """
import os, sys
import launchpath as lp
device = lp.devices()[0]
folder, saved = sys.argv[1:]
paths = [os.path.join(folder, name) for name in ("a.cu", "b.cu", "host.cpp")]
a, b = paths[:2]
def check(program):
    assert sorted(program.kernels) == ["first", "scale<double>", "scale<float>", "second", "shared_by_both"]
    assert program.symbol("counter").to_numpy() == 5 and program.symbol("table").to_numpy().tolist() == [1, 2, 3]
    assert program.symbol(f"{a}:hidden").to_numpy() == 1 and program.symbol(f"{b}:hidden").to_numpy() == 100
"""
PROGRAM_TEXT = """
program = lp.compile(paths=paths, device=device)
check(program)
assert program["scale<short>"].signature.parameters[1].ctype == "short"
program.save(saved)
check(lp.load(saved, device))
for parts, says in (
    ([("x.cubin", b"nothing", False)], "'x.cubin' is no such binary"),
    ([("x.ptx", b"nothing", True)], "'x.ptx' is no such binary"),
):
    try:
        device.driver_device.link(parts)
    except lp.CompileError as error:
        assert says in str(error), error
    else:
        raise AssertionError
print("done")
"""
KEPT = """
check(lp.compile(paths=paths, device=device))
check(lp.load(saved, device))
assert not any("nvrtc" in line or "nvJitLink" in line for line in open("/proc/self/maps"))
print("done")
"""
OLD = """
paths = [os.path.join(folder, name) for name in ("one.cu", "other.cu")]
for path in paths:
    with open(path, "w") as file:
        file.write(f"__global__ void {os.path.basename(path)[:-3]}(int *x) {{ *x = 1; }}")
try:
    lp.compile(paths=paths, device=device)
except lp.LaunchpathError as error:
    print(type(error).__name__, error, *error.__notes__)
"""


@pytest.fixture
def run(tmp_path):
    for name, text in (PROGRAM | {"common.h": COMMON}).items():
        (tmp_path / name).write_text(text)

    def ran(text: str, way: str, without: tuple[str, ...] = ()) -> tuple[str, str]:
        around = environment("cuda", without)
        around |= {"STANDIN_VERSION": "13090", "LAUNCHPATH_CACHE_DIR": str(tmp_path / "cache"), "LAUNCHPATH_CACHE": "1"}
        around |= {"LAUNCHPATH_LOG": "1"}
        if way == "driver":
            around[linker.VARIABLE] = linker.NONE
        done = python("-c", START + text, tmp_path, tmp_path / "saved.lp", env=around)
        return done.stdout, done.stderr

    return ran


@needs_nvrtc
@pytest.mark.sample(1)
@pytest.mark.parametrize(("way", "links"), [pytest.param("nvJitLink", 0, marks=needs_nvjitlink), ("driver", 2)])
def test_linked_kept_saved_loaded(run, way, links):
    output, log = run(PROGRAM_TEXT, way)
    assert output == "done\n"
    assert log.count("cuda.program_link") == links + 2  # of the program, and of the later instance
    # What is kept is linked, and needs neither a library nor Clang.
    output, log = run(KEPT, way)
    assert output == "done\n"
    assert "program_link" not in log


@needs_nvrtc
def test_a_driver_without_a_linker(run, tmp_path):
    output, _ = run(OLD, "driver", ("cuLinkCreate_v2",))
    assert "DriverError cuLinkCreate_v2 failed: function not in this library" in output
    assert f"the driver does not link {tmp_path}/one.cu, " in output
    assert "pip install nvidia-nvjitlink" in output
