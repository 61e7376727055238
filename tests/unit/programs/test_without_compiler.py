"""Without the packages of the extra ``compile`` everything works but compiling, and that says what to install."""

import os
import sys
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

import launchpath as lp
from launchpath._cli import main
from launchpath._compiler.clang import frontend
from launchpath._compiler.extraction import clang
from launchpath._compiler.rtc.library import library_file
from tests.foreign_source import KERNELS, compiled
from tests.python import python
from tests.standin.build import environment
from tests.unit.support import binaries
from tests.unit.support.rtc import cuda, needs_nvrtc

OPENCL = [number for number, device in enumerate(lp.devices()) if device.info["driver"] == "opencl"]
NEITHER = (
    "compiling a source or a signature: expected the packages ziglang and libclang, got neither: "
    "install launchpath with its extra compile, in a clone by `pip install '.[compile]'` "
    "(another Clang than ziglang's: name it in LAUNCHPATH_CLANG)"
)

START = f"""
import os, sys
import launchpath as lp
def refused(call, *arguments, **options):
    try:
        call(*arguments, **options)
    except lp.CompileError as error:
        assert str(error) == {NEITHER!r}, error
    else:
        raise AssertionError
"""
IMPORTS = """
import pkgutil
for module in pkgutil.walk_packages(lp.__path__, "launchpath."):
    if not module.name.startswith("launchpath._bench."):  # bench imports other libraries
        __import__(module.name)
assert sys.modules["clang"] is None and sys.modules["ziglang"] is None
"""
LOADS = """
device = lp.devices()[int(sys.argv[1])]
x = lp.zeros(64, "float32", device)
x.fill(3.0)
lp.load(sys.argv[2], device).twice[1, 64](x)
assert (x.to_numpy() == 6).all()
out = lp.zeros(1, "float64", device)
lp.load(sys.argv[3], device).wide[1, 1](out, 1, 2.0, 3.0)
assert out.to_numpy()[0] == 6
refused(lp.load, sys.argv[3], device, {"wide": "double *out, char first, double d, float f"})
refused(lp.compile, "__global__ void k() {}", device)
os.environ.update(LAUNCHPATH_CACHE="0", LAUNCHPATH_COMPILE_PROCESS="0")
refused(lp.compile, "__global__ void k() {}", device)
refused(lp.load, sys.argv[3], device, {"wide": "double *out, char first, double d, float f"})
"""
LOAD = """
device = lp.devices()[int(sys.argv[1])]
x = lp.full(64, 3, "float32", device=device)
lp.load(sys.argv[2], device).twice[1, 64](x)
assert (x.to_numpy() == 6).all()
refused(lp.compile, "__global__ void k() {}", device)
"""
BINARIES = """
from launchpath._compiler.binary import hsaco
assert {kernel.entry for kernel in hsaco.read(open(sys.argv[2], "rb").read(), "k").kernels} == {"plain", "_Z5mixedPfi"}
device = lp.device("cuda")
program = lp.load(sys.argv[1], device)
assert str(program["_Z5mixedPKfjt"].signature).endswith("(const float *arg0, unsigned int arg1, unsigned short arg2)")
assert program.symbol("table").shape == (16,)
refused(lp.compile, "__global__ void k() {}", device)
"""
WITHOUT_CLANG = """
device = lp.device("cuda")
kernel = "__global__ void k(std::uint64_t *x) { *x = std::is_same<int, float>::value; }"
program = lp.compile("#include <cstdint>\\n#include <type_traits>\\n" + kernel, device)
assert str(program.k.signature) == "k(std::uint64_t *x)", program.k.signature
host = "int main() { k<<<1, 1>>>((int *)0); }"
lp.compile("#include <iostream>\\n__global__ void k(int *x) {}" + host, device)
for source, wanted in {
    "#include <vector>\\n__global__ void k(int *x) {}": "'vector' file not found",
    "template <class T> __global__ void k(T *x) {}" + host: "expected the packages ziglang and libclang, got libclang",
}.items():
    try:
        lp.compile(source, device)
    except lp.CompileError as error:
        assert wanted in str(error) and "install launchpath with its extra compile" in str(error), error
    else:
        raise AssertionError(source)
"""


@pytest.fixture
def run(tmp_path, request, monkeypatch):
    """Run Python where neither package can be imported, or only those that a test leaves."""
    without = getattr(request, "param", "clang=None, ziglang=None")
    (tmp_path / "sitecustomize.py").write_text(f"import sys\nsys.modules.update({without})\n")
    path = os.pathsep.join([str(tmp_path), *(part or os.getcwd() for part in sys.path)])
    monkeypatch.delenv("LAUNCHPATH_CLANG", raising=False)

    def ran(*command: object, **variables: str) -> str:
        return python(*command, env={"PYTHONPATH": path, **variables}).stdout

    return ran


@pytest.mark.processes
def test_every_module_is_imported(run):
    run("-c", START + IMPORTS)


@pytest.mark.processes
@pytest.mark.parametrize("command", ["devices", "cache", "--version", "bench --help", "demo --help"])
@pytest.mark.sample(2)
def test_commands(run, command):
    assert run("-m", "launchpath", *command.split(), LAUNCHPATH_CACHE="0")


@pytest.mark.compiles
def test_what_the_command_compiles_is_described_and_loaded(run, tmp_path):
    if not OPENCL:
        pytest.skip("no OpenCL device")
    (tmp_path / "twice.hip").write_text("__global__ void twice(float *x) { x[threadIdx.x] *= N; }")
    command = [
        "compile",
        str(tmp_path / "twice.hip"),
        "-o",
        str(tmp_path / "twice.lp"),
        "-DN=2",
        "--device",
        str(OPENCL[0]),
    ]
    assert "driver" in CliRunner().invoke(main, command, catch_exceptions=False).output
    assert "twice(float *x)" in run("-m", "launchpath", "info", tmp_path / "twice.lp")
    run("-c", START + LOAD, OPENCL[0], tmp_path / "twice.lp")


@pytest.mark.compiles
@pytest.mark.parametrize("number", OPENCL, ids=[lp.devices()[number].info["platform"] for number in OPENCL])
def test_programs_are_loaded(run, tmp_path, number):
    source = "__global__ void twice(float *x) { x[threadIdx.x] *= 2; }"
    lp.compile(source, lp.devices()[number]).save(tmp_path / "saved.lp")
    (tmp_path / "kernels.spv").write_bytes(compiled(KERNELS))
    run("-c", START + LOADS, number, tmp_path / "saved.lp", tmp_path / "kernels.spv")


@pytest.mark.processes
def test_binaries_are_loaded(run, tmp_path):
    variables = environment("cuda")
    (tmp_path / "k.ptx").write_bytes(binaries.PTX)
    (tmp_path / "k.hsaco").write_bytes(binaries.hsaco())  # no stand-in runs it: it is only read
    run("-c", START + BINARIES, tmp_path / "k.ptx", tmp_path / "k.hsaco", **variables)


@pytest.mark.processes
@needs_nvrtc
@pytest.mark.parametrize("run", ["ziglang=None"], indirect=True)
def test_kernels_alone_compile_for_cuda_without_clang(run):
    variables = environment("cuda", nvrtc=library_file.choose(cuda()).path)
    run("-c", START + WITHOUT_CLANG, LAUNCHPATH_CACHE="0", LAUNCHPATH_COMPILE_PROCESS="0", **variables)


@pytest.fixture
def missing(monkeypatch):
    monkeypatch.delenv("LAUNCHPATH_CLANG", raising=False)
    monkeypatch.setattr(frontend, "_adopted", [])
    frontend.find.cache_clear()
    yield lambda *modules: [monkeypatch.setitem(sys.modules, module, None) for module in modules]
    frontend.find.cache_clear()


def test_clang_alone_is_missing(missing):
    missing("ziglang")
    with pytest.raises(lp.CompileError, match=r"ziglang and libclang, got libclang alone: install launchpath"):
        frontend.command()


def test_libclang_alone_is_missing(missing):
    missing("clang", "clang.cindex")
    with pytest.raises(lp.CompileError, match=r"ziglang and libclang, got ziglang alone: install launchpath"):
        clang.library.__wrapped__()


def test_the_library_of_libclang_is_missing(monkeypatch):
    class Missing(Exception):
        pass

    class Conf:
        @property
        def lib(self):
            raise Missing("libclang.so: no such file")

    cindex = SimpleNamespace(LibclangError=Missing, conf=Conf())
    monkeypatch.setitem(sys.modules, "clang", SimpleNamespace(cindex=cindex))
    expected = r"got a libclang that does not load \(libclang.so: no such file\): install launchpath with its extra"
    with pytest.raises(lp.CompileError, match=expected):
        clang.library.__wrapped__()
