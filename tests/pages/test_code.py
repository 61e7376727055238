"""All code on the site is run: Python, C and C++ of the pages, and the examples of docstrings."""

import ctypes
import doctest
import inspect
import re
import subprocess
import sysconfig
from pathlib import Path

import pytest

import launchpath as lp
from scripts.docs import public
from tests.pages import blocks
from tests.pages.prepared import docstrings

# Languages of blocks, and what is done with them.
RUN = {"python", "c", "cpp"}
OTHERS = {
    "py": "needs a GPU, and says how to run it there; in the gallery, lines of a program",
    "sh": "tests/unit/docs/test_docs.py checks that the commands exist",
    "text": "no code",
    "svgbob": "a figure",
    "c++": "docs/programs.md's program: tests/host_programs/test_programs.py runs it",
    "console": "tests/host_programs/test_programs.py and tests/recorder/test_page.py run what launchpath's commands print, "
    "tests/pages/test_programs.py the commands of docs/kernels",
    "yaml": "a workflow of a CI service: its commands are those of the page",
}
SAXPY = """
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}
"""
# Around the blocks of docs/native.md: `run` is called with the address of the table, numbers and addresses.
C_PROGRAM = """
#include <launchpath.h>
int run(void *table, float a, const float *x, float *y, int n, launchpath_stream stream) {
    unsigned blocks = (n + 255) / 256;
    if (launchpath_use(table)) return -1;
    %s
    (void)stream;
    return status;
}
"""
CPP_PROGRAM = """
%s
extern "C" int run(void *table, float, float *x, float *y, int n, launchpath_stream stream) {
    if (launchpath_use(table)) return -1;
    work(x, y, n, stream);
    return 0;
}
"""


def test_no_block_of_a_page_is_left_unrun() -> None:
    unknown = []
    for name in blocks.DOCUMENTS:
        languages = set(re.findall(r"^```([\w+]+)", blocks.text(name), re.MULTILINE))
        unknown += [f"{name}: {language}" for language in languages - RUN - set(OTHERS)]
        for block in blocks.blocks(name, "py") if name not in blocks.GALLERY else ():
            if not block.lstrip("\n").startswith(blocks.ON_A_GPU):
                unknown.append(f"{name}: a `py` block without {blocks.ON_A_GPU!r}")
    assert not unknown
    assert (blocks.ROOT / blocks.ON_A_GPU.split()[-1]).exists()
    for language in RUN - {"python"}:
        pages = [name for name in blocks.having(language) if name not in blocks.GALLERY]
        # docs/any-program/opencl.md has a program of its own, which tests/recorder/test_page.py runs.
        assert set(pages) - {"docs/any-program/opencl.md"} == {"docs/native.md"}, (
            "add the page to the tests of C and C++"
        )


def build(source: str, folder: Path, *options: str) -> ctypes.CDLL:
    """Compile C or C++ into a shared library, with all warnings as errors."""
    file, library = folder / ("page.cpp" if options[0].endswith("++") else "page.c"), folder / "page.so"
    file.write_text(source, encoding="utf-8")
    includes = [f"-I{lp.get_include()}", f"-I{sysconfig.get_paths()['include']}"]
    done = subprocess.run(
        [
            *options,
            "-Wall",
            "-Werror",
            "-Wno-missing-field-initializers",
            "-shared",
            "-fPIC",
            *includes,
            file,
            "-o",
            library,
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return ctypes.CDLL(str(library))


@pytest.mark.skipif(not lp.devices(), reason="no device")
@pytest.mark.parametrize(
    "language, around, options, times",
    [("c", C_PROGRAM, ("cc", "-std=c99"), 3), ("cpp", CPP_PROGRAM, ("c++", "-std=c++17"), 2)],
)
def test_launches_from_c(language: str, around: str, options: tuple[str, ...], times: int, tmp_path: Path) -> None:
    (block,) = blocks.blocks("docs/native.md", language)
    library = build(around % block, tmp_path, *options)
    n = 1000
    with lp.Stream() as stream:
        x, y = lp.arange(n, dtype="float32"), lp.zeros(n)
    registration = lp.register(SAXPY)
    try:
        arguments = (
            ctypes.c_void_p(lp.c_interface().address),
            ctypes.c_float(times),
            ctypes.c_void_p(x.pointer),
            ctypes.c_void_p(y.pointer),
            ctypes.c_int(n),
            ctypes.c_ulonglong(stream.c_handle),
        )
        assert library.run(*arguments) == 0
        stream.synchronize()
    finally:
        registration.unregister()
    assert y.tolist() == [times * i for i in range(n)]


def documented() -> list[str]:
    """The public names whose docstrings have examples: a docstring that two names have counts once."""
    texts: dict[str, str] = {}
    for name in public.everything():
        text = inspect.getdoc(getattr(name.owner, name.short) if name.owner else name.value) or ""
        if ">>>" in text and text not in texts.values():
            texts[name.full] = text
    return sorted(texts)


def examples(name: str) -> doctest.DocTest:
    """Give the examples of a public name's docstring."""
    value = next(each for each in public.everything() if each.full == name)
    thing = getattr(value.owner, value.short) if value.owner else value.value
    return doctest.DocTestParser().get_doctest(inspect.getdoc(thing) or "", {}, name, None, 0)


@pytest.mark.skipif(not lp.devices(), reason="no device")
@pytest.mark.parametrize("name", documented())
def test_the_examples_of_docstrings(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    test = examples(name)
    skipped = [example for example in test.examples if doctest.SKIP in example.options]
    if skipped:
        assert skipped == test.examples and blocks.GPU_COMMAND in (test.docstring or "")
        return
    monkeypatch.chdir(tmp_path)
    test.globs.update(docstrings.names())
    # What the examples print is not shown in them.
    runner = doctest.DocTestRunner(checker=_AnyOutput(), verbose=False)
    messages: list[str] = []
    runner.run(test, out=messages.append)
    assert not runner.failures, "".join(messages)


class _AnyOutput(doctest.OutputChecker):
    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        return not want or super().check_output(want, got, optionflags)


def test_the_pages_that_name_a_gpu_are_run_there() -> None:
    source = blocks.text("tests/gpu/real/pages.py")
    assert 'having("py")' in source
