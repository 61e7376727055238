"""The blocks of the pages that need a GPU, or a library that needs it: `pytest tests/gpu/real/pages.py`.

Each page runs as one program, with its blocks for every device. A page is left out where a library that it imports, or
a CUDA or HIP device, is missing.
"""

import doctest
import importlib.util
import inspect
import re
from pathlib import Path

import pytest

import launchpath as lp
from scripts.docs import examples
from tests.pages import blocks

OWN = {"launchpath", "tests"}


@pytest.mark.parametrize("name", [name for name in blocks.having("py") if name not in blocks.GALLERY])
def test_the_blocks_of_a_page_run_in_their_order(device, name: str, tmp_path: Path) -> None:
    code = blocks.program(name, "python py")
    libraries = set(re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE)) - OWN
    missing = sorted(library for library in libraries if importlib.util.find_spec(library) is None)
    if missing:
        pytest.skip(f"not installed: {', '.join(missing)}")
    blocks.run(code, device.driver, tmp_path)


def test_the_example_of_adopt(torch) -> None:
    kernels = pytest.importorskip("tests.gpu.real.triton_kernels")
    x, y = torch.ones(1024, device="cuda"), torch.zeros(1024, device="cuda")
    names = {"lp": lp, "add": kernels.add, "x": x, "y": y}
    test = doctest.DocTestParser().get_doctest(inspect.getdoc(lp.adopt) or "", names, "adopt", None, 0)
    for example in test.examples:
        example.options.clear()
    assert not doctest.DocTestRunner().run(test).failed
    torch.cuda.synchronize()
    assert y[:1008].eq(2).all() and y[1008:].eq(1).all()


@pytest.mark.parametrize("file", sorted(examples.FOLDER.glob("*.py")), ids=lambda file: file.stem)
def test_the_examples_of_the_reference(device, file: Path, tmp_path: Path) -> None:
    code = file.read_text(encoding="utf-8")
    for library in set(re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE)) - OWN:
        pytest.importorskip(library)
    blocks.run(code, device.driver, tmp_path)
