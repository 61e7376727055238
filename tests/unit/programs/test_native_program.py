"""Programs for CUDA and HIP devices, on the stand-in driver: compiled, kept, saved, loaded; symbols; later instances."""

from types import SimpleNamespace
from typing import Any

import pytest

from launchpath._compiler.signature import Parameter, Signature
from launchpath._programs.kernel import check_layout
from launchpath.errors import SignatureError
from tests.python import python
from tests.standin.build import environment
from tests.unit.support import binaries
from tests.unit.support.rtc import needs_nvrtc

pytestmark = pytest.mark.processes

SIGNATURE = Signature("k", (Parameter("x", "float *", "pointer", 8, 8, 0), Parameter("n", "int", "int32", 4, 4, 8)), 16)


def kernel(layout: Any) -> Any:
    return SimpleNamespace(parameter_layout=lambda: layout)


def test_the_drivers_layout():
    check_layout(kernel(None), SIGNATURE)
    check_layout(kernel([(0, 8), (8, 4)]), SIGNATURE)
    with pytest.raises(SignatureError, match="kernel k: the signature has 2 parameters, the driver's kernel has 1"):
        check_layout(kernel([(0, 8)]), SIGNATURE)
    with pytest.raises(
        SignatureError,
        match=r"kernel k: parameter 1 \(int n\) has 4 bytes at 8 in the signature; in the driver's kernel 8 bytes at 16",
    ):
        check_layout(kernel([(0, 8), (16, 8)]), SIGNATURE)


START = """
import sys
import numpy as np
import launchpath as lp
device = lp.devices()[0]
SOURCE = '''
__device__ float table[4] = {1, 2, 3, 4};
namespace n { __constant__ int factor = 5; struct P { int a; double b; }; __device__ P one; }
extern "C" __global__ void plain(float *x, n::P p, int n) { x[n] = table[n] * n::factor + p.b + n::one.a; }
template <class T> __global__ void scale(T *x) { x[0] *= table[1]; }
template <class T> __global__ void free(T *x) { x[0] *= 2; }
'''
"""

PROGRAM = """
program = lp.compile(SOURCE, device, name="user.cu", names=["scale<float>"])
assert set(program.kernels) == {"plain", "scale<float>"}
assert [(p.offset, p.size) for p in program.plain.signature.parameters] == [(0, 8), (8, 16), (24, 4)]
table = program.symbol("table")
assert table.to_numpy().tolist() == [1, 2, 3, 4]
assert (program.symbol("n::factor").to_numpy() == 5) and program.symbol("n::one").shape == (16,)
table.copy_from(np.arange(4, dtype="f4"))
del program
assert table.to_numpy().tolist() == [0, 1, 2, 3]  # the array holds the module
program = lp.compile(SOURCE, device, name="user.cu", names=["scale<float>"])
assert program.symbol("table").to_numpy().tolist() == [1, 2, 3, 4]  # another program has others
try:
    program.symbol("nothing")
except lp.ArgumentValueError as error:
    assert "no global 'nothing'; it has table, n::factor, n::one" in str(error)
assert program["free<int>"].signature.parameters[0].ctype == "int *"
try:
    program["scale<int>"]
except lp.CompileError as error:
    assert "would add its own copies of globals" in str(error)
else:
    raise AssertionError
program.save(sys.argv[1])
again = lp.load(sys.argv[1], device)
assert set(again.kernels) == {"plain", "scale<float>"}
assert again.symbol("table").to_numpy().tolist() == [1, 2, 3, 4]
assert [entry for entry, _ in again._image.kernels] == ["plain", "_Z5scaleIfEvPT_"]
print("done")
"""

KEPT = """
program = lp.compile(SOURCE, device, name="user.cu", names=["scale<float>"])
assert set(program.kernels) == {"plain", "scale<float>"}
assert program.symbol("table").to_numpy().tolist() == [1, 2, 3, 4]
assert not any("nvrtc" in line for line in open("/proc/self/maps"))
assert "clang.cindex" not in sys.modules
print("done")
"""

LOADED = """
import pathlib
data = pathlib.Path(sys.argv[1]).read_bytes()
program = lp.load(data, device)
assert str(program["_Z5mixedPKfjt"].signature) == "_Z5mixedPKfjt(const float *arg0, unsigned int arg1, unsigned short arg2)"
assert program.symbol("table").shape == (16,)
given = "struct S { double a, b; }; float *x, unsigned n, S s, short h, char c, double d, float f"
program = lp.load(data, device, signatures={"plain": given})
assert str(program.plain.signature) == "plain(float *x, unsigned int n, S s, short h, char c, double d, float f)"
for signatures, says in (
    ({"plain": "float *x"}, "has 1 parameters, the kernel 7"),
    ({"nope": "float *x"}, "has no kernel 'nope', which `signatures` names; it has plain, _Z5mixedPKfjt, none, bare"),
):
    try:
        lp.load(data, device, signatures=signatures)
    except lp.ArgumentValueError as error:
        assert says in str(error), error
    else:
        raise AssertionError
for broken in (data.replace(b"sm_80", b"sm_99"), data.replace(b".version 8.0", b".version 99.9")):
    try:
        lp.load(broken, device)
    except (lp.ArgumentValueError, lp.CompileError) as error:
        print(error)
    else:
        raise AssertionError
program.save(sys.argv[1] + ".lp")
assert lp.load(sys.argv[1] + ".lp", device).plain.signature == program.plain.signature
print("done")
"""


BUNDLE = """
import pathlib
with lp.register(pathlib.Path(sys.argv[1])):
    try:
        lp.find_kernel("plain", device)
    except lp.LaunchpathError as error:
        print(type(error).__name__, error)
"""


@pytest.fixture
def run(tmp_path):
    def ran(driver: str, text: str, *arguments: object) -> str:
        around = environment(driver)
        around |= {"STANDIN_VERSION": "13090", "LAUNCHPATH_CACHE_DIR": str(tmp_path / "cache"), "LAUNCHPATH_CACHE": "1"}
        if driver == "hip":
            from launchpath._compiler.rtc.library import library_file
            from tests.unit.support.rtc import cuda

            around["HIP_FORWARD_ARCH"] = "gfx90a"
            around["HIP_FORWARD_NVRTC"] = library_file.choose(cuda()).path
        return python("-c", START + text, *arguments, env=around).stdout

    return ran


@needs_nvrtc
@pytest.mark.parametrize("driver", ["cuda", "hip"])
def test_compiled_kept_saved_loaded(run, tmp_path, driver):
    assert run(driver, PROGRAM, tmp_path / "saved.lp").endswith("done\n")
    # What is kept needs neither the library nor Clang.
    assert run(driver, KEPT).endswith("done\n")


def test_ptx_loaded(run, tmp_path):
    (tmp_path / "x.ptx").write_bytes(binaries.PTX)
    output = run("cuda", LOADED, tmp_path / "x.ptx")
    assert "the data is for sm_99; 'Stand-in GPU 0' is sm_90" in output
    assert "the data (PTX for sm_80) does not load on 'Stand-in GPU 0'" in output
    assert output.endswith("done\n")


@needs_nvrtc
def test_the_entry_of_a_registered_bundle(run, tmp_path):
    """The stand-in has no code objects, and refuses the device's: that of gfx90a."""
    spirv = {"hip-spirv64----generic": b"\x03\x02\x23\x07"}
    amd = {f"hipv4-amdgcn-amd-amdhsa--{name}": binaries.hsaco(name) for name in ("gfx908", "gfx90a")}
    path = tmp_path / "x.hipfb"
    path.write_bytes(binaries.bundle_of(spirv | amd))
    assert f"CompileError {path} (a bundle of Clang's for gfx90a) does not load" in run("hip", BUNDLE, path)
    path.write_bytes(binaries.bundle_of(spirv))
    assert "expected code for gfx90a, got code for spirv64 only" in run("hip", BUNDLE, path)
    assert "a device of CUDA, got code for spirv64 only" in run("cuda", BUNDLE, path)
