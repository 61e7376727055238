"""The blocks of docs/notebooks.md are cells of a notebook: Jupyter runs them, and IPython's shell, if they are installed.

Cells with words of IPython's are in blocks of ``python cell``; tests/unit/docs/test_docs.py runs the others as a file.
"""

import importlib.util
import json
import os
import re
from dataclasses import dataclass
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from pathlib import Path
from typing import Any

import pytest

import launchpath as lp
from tests.pages import blocks, run_notebook
from tests.python import python

PAGE = "docs/notebooks.md"
NEEDS = {"jupyter": ("nbclient", "ipykernel"), "ipython": ("IPython",)}
DEVICES = lp.devices()
_BLOCK = re.compile(r"^```(?P<words>(?:python|text)\b.*)\n(?P<code>(?s:.*?))^```$", re.MULTILINE)

pytestmark = pytest.mark.skipif(not (blocks.ROOT / PAGE).exists(), reason="not in a checkout")


@dataclass
class Cell:
    """A cell: its code, and what it prints, if the page says so."""

    code: str
    output: str = ""


def notebooks() -> list[list[Cell]]:
    """Return the cells of the page: behind `restarted` they are those of another process."""
    found: list[list[Cell]] = [[]]
    text, end = blocks.text(PAGE), 0
    for block in _BLOCK.finditer(text):
        between, end = text[end : block.start()], block.end()
        if block["words"] == "text":
            if not between.strip():  # the block of the cell is directly above
                found[-1][-1].output = block["code"]
            continue
        if block["words"].endswith("restarted"):
            found.append([])
        found[-1].append(Cell(block["code"].rstrip("\n")))
    return found


def outputs(how: str, cells: list[str], device: lp.Device, folder: Path) -> list[dict[str, Any]]:
    """Run cells, and return what each gave."""
    if missing := [name for name in NEEDS[how] if importlib.util.find_spec(name) is None]:
        pytest.skip(f"not installed: {', '.join(missing)}")
    (folder / "cells.json").write_text(json.dumps(cells), encoding="utf-8")
    path = os.pathsep.join(filter(None, [str(Path(lp.__file__).parents[1]), os.environ.get("PYTHONPATH")]))
    own = dict.fromkeys(("IPYTHONDIR", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR"), str(folder / "own"))
    around = {"PYTHONPATH": path, "LAUNCHPATH_DEVICE": str(DEVICES.index(device)), **own}
    python(run_notebook.__file__, how, "cells.json", "outputs.json", cwd=folder, env=around)
    return json.loads((folder / "outputs.json").read_text(encoding="utf-8"))  # type: ignore[no-any-return]


@pytest.mark.processes
@pytest.mark.parametrize("how", NEEDS)
@pytest.mark.parametrize("number", range(2))
@pytest.mark.parametrize("device", DEVICES, ids=[device.info["platform"] for device in DEVICES])
def test_the_cells_of_the_page(device: lp.Device, number: int, how: str, tmp_path: Path) -> None:
    cells = notebooks()[number]
    if number and device.kind != "cpu":
        pytest.skip("checks of accesses are for CPU devices")
    results = outputs(how, [cell.code for cell in cells], device, tmp_path)
    for cell, result in zip(cells, results, strict=True):
        assert result["failed"] == ("Error:" in cell.output), result["text"]
        if cell.output:
            text = re.sub(r"(?m)^launchpath: .* s( so far)?$", "", result["text"])  # progress, on a slow machine
            matches = OutputChecker().check_output(cell.output, text, ELLIPSIS | NORMALIZE_WHITESPACE)
            assert matches, f"{cell.code}\n{result['text']}"
    kinds = {kind for result in results for kind in result["kinds"]}
    if number == 0:
        assert "text/html" in kinds
        assert how != "jupyter" or "image/png" in kinds


def test_the_page_has_cells() -> None:
    first, second = notebooks()
    assert len(first) > 10 and len(second) == 2
    assert sum("Error:" in cell.output for cell in first + second) == 2
