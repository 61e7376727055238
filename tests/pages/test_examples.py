"""The examples of the reference: every function and every class has one, and all of them run."""

import importlib.util
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import launchpath as lp
from scripts.docs import examples, public, reference
from tests.pages import blocks

FILES = sorted(examples.FOLDER.glob("*.py"))
OWN_PAGES = ("launchpath.hip.", "launchpath.hiprtc.")  # an example for each page of HIP's functions


def described() -> Iterator[tuple[str, str]]:
    """The functions and classes of the reference, with their docstrings."""
    for name in public.everything():
        value = getattr(name.owner, name.short) if name.owner else name.value
        if callable(value) and not isinstance(name.value, property) and not name.full.startswith(OWN_PAGES):
            yield name.full, inspect.getdoc(value) or ""


def test_every_function_and_class_has_one_example() -> None:
    shown = [name for name, text in described() if ">>>" in text] + list(examples.parts())
    assert len(shown) == len(set(shown)), "one example is enough"
    known = {name for name, _ in described()}
    # A method of an adopted kernel is that of kernels, but for the block.
    without = [name for name in known - set(shown) if name.replace("interop.Adopted", "Kernel") not in shown]
    assert not without, f"add them to a file of {examples.FOLDER}, or to their docstrings"
    pages = {f"reference/hip-{page}" for page in reference.HIP_SUBJECTS} | {"reference/hip", "reference/hiprtc"}
    assert set(examples.parts()) - known == pages


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_each_example_calls_its_functions(file: Path) -> None:
    for names in examples.HEAD.findall(file.read_text(encoding="utf-8")):
        code = examples.parts()[names.split(", ")[0]]
        for name in names.split(", "):
            short = name.rpartition(".")[2]
            if "/" not in name and short.islower():  # a class may be what a function returns
                assert re.search(rf"\b{short}\(", code), name


@pytest.mark.skipif(not lp.devices(), reason="no device")
@pytest.mark.processes
@pytest.mark.compiles
@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_the_examples_run(file: Path, tmp_path: Path) -> None:
    code = file.read_text(encoding="utf-8")
    compile(code, str(file), "exec")
    libraries = set(re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE))
    missing = sorted(library for library in libraries if importlib.util.find_spec(library) is None)
    if missing or ("torch" in libraries and lp.current_device().driver == "opencl"):
        pytest.skip(f"needs a GPU, torch and Triton: {blocks.GPU_COMMAND}")
    blocks.run(code, lp.current_device().driver, tmp_path)
