"""Options of a compilation: the words, what each compiler is told of them, and that they are part of the cache's key."""

import warnings
from types import SimpleNamespace

import pytest

import launchpath as lp
from launchpath._compiler.compile import compile
from launchpath._compiler.rtc.library.library_file import LibraryFile
from launchpath._compiler.rtc.library.machine import machine
from launchpath._compiler.rtc.library.registers import limited
from launchpath._compiler.source import options as requested
from launchpath._compiler.source import source as sources
from launchpath._compiler.source.options import Options
from launchpath._compiler.target import Target
from launchpath._programs import compile_warnings
from launchpath._programs.compilation import Compilation
from tests.unit.support.rtc import cuda, hip

KERNEL = """
__global__ void k(float *x) { int i = threadIdx.x; x[i] = sinf(x[i]) * x[i + 1] + powf(x[2], x[3]) / x[4]; }
"""


def read(*words):
    return requested.read(words)


def test_words_mean_what_the_parameters_do():
    named = requested.options(fast_math=True, maxrregcount=32, line_info=True, optimization=1)
    for words in (
        ("--use_fast_math", "--maxrregcount=32", "--generate-line-info", "-O1", "--fmad=false"),
        ("-use_fast_math", "-maxrregcount", "32", "-lineinfo", "-O=1", "-fmad=false"),
    ):
        assert read(*words).options == named._replace(fmad=False)
    assert named._replace(fmad=False).words == [
        "--use_fast_math", "--maxrregcount=32", "--generate-line-info", "-O1", "--fmad=false"
    ]  # fmt: skip
    assert read(*named.words).options == named


def test_words_for_what_compile_has_parameters_for():
    words = read("-DN=16", "-D", "FAST", "--define-macro=M=a b", "-UOLD", "-Iinclude", "-I", "more", "--std=c++20")
    assert words.macros({"N": 1, "OLD": 2, "OWN": 3}) == {"OWN": 3, "N": "16", "FAST": None, "M": "a b"}
    assert words.with_folders("first") == ["first", "include", "more"]
    assert words.standard == "c++20"
    assert (read("-std=c++11").standard, read("-std=gnu++14").standard) == ("c++17", "gnu++17")
    assert read("-w").warnings is False
    assert read("-Werror").warnings == read("--Werror=all-warnings").warnings == "error"
    assert read("-ftz=true", "-Wall").options.extra == ("-ftz=true", "-Wall")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--use_fast_math", "expected a list of options"),
        ([b"-w"], "expected a list of options .* in it"),
        ([""], "expected an option, as '--use_fast_math', got ''"),
        (["-arch=sm_80"], "expected no architecture, got '-arch=sm_80': remove it"),
        (["--offload-arch=gfx90a"], "expected no architecture"),
        (["-maxrregcount=many"], "expected a number for '-maxrregcount=many', got 'many'"),
        (["-maxrregcount=300"], "maxrregcount: expected 1 to 255 registers, got 300"),
        (["-D"], "expected a value of '-D', got none"),
        (["--fmad=perhaps"], "expected true or false for '--fmad=perhaps', got 'perhaps'"),
        (["-O4"], "optimization: expected 0, 1, 2 or 3, got 4"),
    ],
)
def test_words_that_are_wrong(words, message):
    with pytest.raises((TypeError, lp.ArgumentValueError), match=message):
        requested.read(words)


@pytest.mark.parametrize(
    "wrong",
    [{"fast_math": 1}, {"line_info": "yes"}, {"maxrregcount": True}, {"maxrregcount": 0}, {"optimization": "3"}],
)
def test_values_that_are_wrong(wrong):
    (name,) = wrong
    with pytest.raises((TypeError, lp.ArgumentValueError), match=f"^{name}: expected"):
        requested.options(**wrong)


def clang(form="clc", **options):
    target = Target(form, {"__LP_FLAT__": None}, frozenset({"cl_khr_fp64"}), "Portable")
    return compile(sources.from_text(KERNEL, "k.hip", options=Options(**options)), (), target)


@pytest.fixture(scope="module")
def plain():
    return clang().code.decode()


@pytest.mark.compiles
def test_fast_math_for_opencl(plain):
    fast = clang(fast_math=True).code.decode()
    assert "native_sin(" in fast and "native_exp2(" in fast
    assert "native_" not in plain and "sin(" in plain


@pytest.mark.compiles
def test_optimization_for_opencl(plain):
    assert len(clang(optimization=0).code) > len(plain) == len(clang(optimization=1).code)


@pytest.mark.compiles
def test_products_and_sums_for_opencl(plain):
    assert "FP_CONTRACT ON" in plain
    assert "FP_CONTRACT OFF" in clang(fmad=False).code.decode()


@pytest.mark.compiles
def test_other_options_reach_clang():
    image = clang(extra=("-Wdouble-promotion", "-Wconversion"))
    assert "implicit conversion loses integer precision: 'unsigned int' to 'int'" not in image.log
    with pytest.raises(lp.CompileError, match="unknown argument: '--nonsense'"):
        clang(extra=("--nonsense",))


@pytest.mark.parametrize(
    ("form", "options", "message"),
    [
        ("clc", {"maxrregcount": 32}, r"maxrregcount: expected None for Portable devices, got 32: .*__launch_bounds__"),
        ("spirv", {"line_info": True}, "line_info: expected False or None for Portable devices, got True"),
        ("simulated", {"maxrregcount": 32}, "maxrregcount: expected None for simulated devices"),
        ("simulated", {"extra": ("-Wall",)}, "options: expected none for simulated devices, .* got '-Wall'"),
    ],
)
def test_what_a_platform_has_not(form, options, message):
    with pytest.raises(lp.CompileError, match=message):
        clang(form, **options)


def options_of(target, kind_of="cubin", version=(13, 0), **options):
    known = (90,) if kind_of == "cubin" else (80,)
    library = SimpleNamespace(file=LibraryFile("cuda", "/lib/n.so.13", 13), version=version, architectures=known)
    return machine(sources.from_text(KERNEL, "k.cu", options=Options(**options)), target, library).options


def test_options_of_nvrtc():
    everything = {"fast_math": True, "maxrregcount": 32, "optimization": 1, "fmad": False, "extra": ("--ftz=true",)}
    wanted = ["--use_fast_math", "--fmad=false", "--generate-line-info", "--maxrregcount=32", "--ptxas-options=-O1"]
    assert options_of(cuda(), **everything)[-6:] == [*wanted, "--ftz=true"]
    assert "--generate-line-info" not in options_of(cuda(), line_info=False)
    assert "--generate-line-info" not in options_of(cuda(), version=(11, 1))
    assert not any("maxrregcount" in word for word in options_of(cuda(), "ptx", maxrregcount=32))
    with pytest.raises(lp.CompileError, match="NVRTC 13.0 makes PTX for this device, and the driver optimizes that"):
        options_of(cuda(), "ptx", optimization=1)


def test_options_of_hiprtc():
    words = options_of(hip(), fast_math=True, optimization=1, fmad=False, line_info=True, extra=("-mllvm",))
    assert words[-6:] == [
        "-O1", "-ffast-math", "-fno-finite-math-only", "-ffp-contract=off", "-gline-tables-only", "-mllvm"
    ]  # fmt: skip
    assert options_of(hip())[-1] == "-O3"
    with pytest.raises(lp.CompileError, match="maxrregcount: expected None for HIP devices"):
        options_of(hip(), maxrregcount=32)


def test_registers_in_ptx():
    ptx = b".visible .entry a(\n.param .u64 p\n)\n{\nret;\n}\n.entry b()\n.maxntid 64, 1, 1\n{\n}\n.func c()\n{\n}\n"
    ptx += b".visible .entry d()\n.maxnreg 16\n{\n}\n.visible .entry e()\n.maxnreg 64\n{\n}\n.entry f();\n"
    text = limited(ptx, 32)
    assert text.count(b".maxnreg 32\n{") == 3 and text.count(b".maxnreg") == 4
    assert b".maxntid 64, 1, 1\n.maxnreg 32\n{" in text
    assert b".func c()\n{" in text and b".maxnreg 16\n{" in text and text.endswith(b".entry f();\n")


CHANGES = [
    Options(fast_math=True), Options(maxrregcount=32), Options(maxrregcount=33), Options(line_info=True),
    Options(line_info=False), Options(optimization=0), Options(optimization=3), Options(fmad=False), Options(),
    Options(extra=("-Wall",)), Options(extra=("-W", "all")),
]  # fmt: skip


def test_options_are_part_of_the_key(device):
    keys = {Compilation(sources.from_text(KERNEL, options=options), device, ())._key((), False) for options in CHANGES}
    assert len(keys) == len(CHANGES)


LOG = "a.cu:1:2: warning: odd\nint x\n    ^"


def test_warnings_are_shown_once_for_each_place():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")
        for _ in range(3):
            compile_warnings.tell(LOG, "a.cu", True, 1)
    assert [(str(warning.message), warning.category) for warning in caught] == [(LOG, lp.CompileWarning)]
    assert caught[0].filename == __file__


def test_warnings_that_nobody_wants_or_that_are_errors():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        compile_warnings.tell(LOG, "a.cu", False, 1)
        for quiet in ("", "a.cu: note: 40 instances are launched", 'in a note: "warning: nothing"'):
            compile_warnings.tell(quiet, "a.cu", "error", 1)
    with pytest.raises(
        lp.CompileError, match=r"a.cu does not compile without warnings.*\na.cu:1:2: warning: odd"
    ) as at:
        compile_warnings.tell(LOG, "a.cu", "error", 1)
    assert at.value.log == LOG
    for value, error in ((1.5, TypeError), (None, TypeError), ("all", lp.ArgumentValueError)):
        with pytest.raises(error, match="warnings: expected True, False or 'error'"):
            compile_warnings.choice(value)
