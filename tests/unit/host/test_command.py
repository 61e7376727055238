"""The table of options, and what a command line becomes by it."""

import os

import pytest

from launchpath._host.compiler import options
from launchpath._host.compiler.command import OBJECT, Input, read
from launchpath._host.compiler.words import UsageError


@pytest.fixture(autouse=True)
def _files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("a.cu", "b.hip", "c.cpp", "d.c", "e.o", "f.a", "g.so", "h.so.1", "s.S"):
        (tmp_path / name).touch()


@pytest.mark.parametrize(
    ("words", "dialect", "languages"),
    [
        ("a.cu b.hip c.cpp d.c e.o f.a g.so h.so.1 s.S", None,
         ["cuda", "hip", "c++", "c", OBJECT, OBJECT, OBJECT, OBJECT, "assembler-with-cpp"]),
        ("a.cu b.hip c.cpp d.c e.o", "hip", ["hip", "hip", "hip", "c", OBJECT]),
        ("--hip a.cu c.cpp", None, ["hip", "hip"]),
        ("c.cpp --cuda", None, ["cuda"]),
        ("-x cu c.cpp e.o -x none c.cpp", None, ["cuda", OBJECT, "c++"]),
        ("-x c++ a.cu", "hip", ["c++"]),
        ("-xhip d.c", None, ["hip"]),
        ("-x=cu c.cpp", None, ["cuda"]),
        ("-x cu -c -", None, ["cuda"]),
    ],
)  # fmt: skip
def test_languages(words, dialect, languages):
    assert [each.language for each in read(words.split(), dialect).inputs] == languages


@pytest.mark.parametrize(
    ("words", "mode"),
    [
        ("", "link"), ("-c", "compile"), ("-dc", "compile"), ("-S", "assemble"), ("-E -c", "preprocess"),
        ("-c -E", "preprocess"), ("-M", "dependencies"), ("-fsyntax-only", "syntax"), ("-lib", "archive"),
        ("-dlink", "device-link"), ("--compile", "compile"),
    ],
)  # fmt: skip
def test_modes(words, mode):
    assert read(["a.cu", *words.split()]).mode == mode


# The words, a field, and its value.
CASES = [
    ("-DN=4 -D M -UN --define-macro=K --undefine-macro L", "macros",
     [("D", "N=4"), ("D", "M"), ("U", "N"), ("D", "K"), ("U", "L")]),
    ("-Iinc -I other --include-path=third", "folders", ["inc", "other", "third"]),
    ("-isystem sys -idirafter late --system-include=more", "system_folders",
     [("-isystem", "sys"), ("-idirafter", "late"), ("-isystem", "more")]),
    ("-include x.h --pre-include=y.h", "includes", ["x.h", "y.h"]),
    ("-std=c++20", "standard", "c++20"),
    ("--std c++14", "standard", "c++14"),
    ("-o out", "output", "out"),
    ("--output-file=out", "output", "out"),
    ("-O3 -g -Wall -fno-exceptions -march=native -MD -MF x.d", "host",
     ["-O3", "-g", "-Wall", "-fno-exceptions", "-march=native", "-MD", "-MF", "x.d"]),
    ("--optimize 3 --debug", "host", ["-O3", "-g"]),
    ("-Xcompiler -fopenmp,-Wall -Xcompiler=-O1", "host", ["-Wall", "-O1"]),
    ("-Xcompiler -fopenmp", "openmp", True),
    ('-Xcompiler="-fPIC -Wextra"', "host", ["-Wextra"]),
    ("-Xcompiler --some-option-of-gcc", "host", ["--some-option-of-gcc"]),
    ("-use_fast_math --maxrregcount=32 -maxrregcount 64 -lineinfo -fmad=false", "device",
     ["--use_fast_math", "--maxrregcount=32", "--maxrregcount=64", "-lineinfo", "--fmad=false"]),
    ("-ffast-math", "device", ["--use_fast_math"]),
    ("-ffast-math", "host", ["-ffast-math"]),
    ("-Xcompiler -ffast-math", "device", []),
    ("-arch=sm_80 -gencode arch=compute_70,code=sm_70 --offload-arch=gfx90a --generate-code=arch=x", "notes", []),
    ("-Xptxas -v --ptxas-options=-O3", "notes", ["-Xptxas -v", "--ptxas-options -O3"]),
    ("-static", "notes", ["-static"]),
    ("-rdc=true", "relocatable", True),
    ("-rdc=false", "relocatable", False),
    ("-fgpu-rdc", "relocatable", True),
    ("-dc", "relocatable", True),
    ("-shared", "shared", True),
    ("-L. --library-path=x -L y", "library_folders", [".", "x", "y"]),
    ("-w", "quiet", True),
    ("-Werror all-warnings", "host", ["-Werror"]),
    ("-Werror cross-execution-space-call,reorder", "host", []),
    ("-Werror", "host", ["-Werror"]),
    ("-Werror=format", "host", ["-Werror=format"]),
    ("-ccbin g++ -cudart static -t 4 --expt-relaxed-constexpr -m64 -pipe", "notes", []),
    ("-default-stream per-thread", "macros", [("D", "CUDA_API_PER_THREAD_DEFAULT_STREAM=1")]),
    ("--default-stream=legacy", "macros", []),
    ("-mllvm -x -Xclang -y", "host", ["-mllvm", "-x", "-Xclang", "-y"]),
    ("-flto=thin -flto", "notes", ["-flto=thin", "-flto"]),
]  # fmt: skip


@pytest.mark.parametrize(("words", "field", "value"), CASES)
def test_fields(words, field, value):
    from launchpath._host.compiler.words import split

    assert getattr(read(["a.cu", *split(words)]), field) == value


def test_the_order_of_what_is_linked():
    words = "-Lx e.o -lfoo -Wl,-rpath,y f.a -Xlinker -z,now c.cpp --library=bar -z defs"
    command = read(words.split())
    assert command.inputs == [
        Input("e.o", OBJECT), "-lfoo", "-rpath", "y", Input("f.a", OBJECT), "-z", "now", Input("c.cpp", "c++"), "-lbar",
        "-z", "defs",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("a.cu -quux", "unknown option -quux: leave it out"),
        ("a.cu --maxregcount=3", "unknown option --maxregcount=3: did you mean --maxrregcount?"),
        ("a.cu -o", "-o: expected a value, got none"),
        ("a.cu -ptx", "-ptx is refused: this makes a device's binary"),
        ("a.cu -fsanitize=address", "-fsanitize=address is refused: ziglang has no libraries for sanitizers"),
        ("a.cu -m32", "-m32 is refused"),
        ("none.cu", "none.cu: no such file"),
        ("", "expected files to compile or to link, got none"),
        ("-c a.cu c.cpp -o x.o", "-o: expected one source with -c or -S, got 2"),
        ("-x fortran a.cu", "-x: expected one of cu, cuda, hip"),
        ("--target=aarch64-linux-gnu a.cu", "--target: expected x86_64, which programs are made for, got 'aarch64-"),
        ("-default-stream other a.cu", "expected legacy, null or per-thread, got 'other'"),
        ("-c -", "-: expected -x with the language of the standard input"),
    ],
)
def test_refusals(words, message):
    with pytest.raises(UsageError) as error:
        read(words.split())
    assert message in str(error.value)


def test_files_of_options_of_nvcc(tmp_path):
    (tmp_path / "file").write_text("-DX -Ifolder")
    command = read(["--options-file", "file", "a.cu"])
    assert command.macros == [("D", "X")] and command.folders == ["folder"]


def test_the_table_is_whole():
    """Each alias leads to an option, and each option has an action."""
    for name, option in options.TABLE.items():
        assert name.startswith("-"), name
        if option.meaning == options.ALIAS:
            assert option.detail in options.TABLE, name
        found = options.find(f"{name}=x" if option.form == options.ONLY_EQUALS else name)
        assert found is not None and found.name == name


def test_folders_with_commas(tmp_path):
    os.mkdir(tmp_path / "a,b")
    assert read(["a.cu", "-Ia,b", "-Ic,d"]).folders == ["a,b", "c", "d"]
