"""Run cells as a notebook, or in IPython's shell where there is no Jupyter, and write what each printed as JSON.

python tests/pages/run_notebook.py jupyter|ipython CELLS OUTPUTS
"""

import ctypes
import json
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

Outputs = list[dict[str, Any]]  # of each cell: its text, the types of what it showed, and whether it failed
_COLOR = re.compile(r"\x1b\[[\d;]*m")


def in_jupyter(cells: list[str]) -> Outputs:
    """Run cells in a process of Jupyter's."""
    import nbclient
    import nbformat

    os.environ.pop("PYTEST_CURRENT_TEST", None)  # with it, Jupyter's process does not show what kernels print
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, kernel_name="python3", allow_errors=True).execute()
    outputs = []
    for cell in notebook.cells:
        text, kinds, failed = "", set(), False
        for output in cell.outputs:
            if output.output_type == "stream":
                text += output.text
            elif output.output_type == "error":
                text, failed = text + "\n".join(output.traceback), True
            else:
                kinds |= set(output.data)
                text += output.data.get("text/plain", "")
        outputs.append({"text": _COLOR.sub("", text), "kinds": sorted(kinds), "failed": failed})
    return outputs


def in_ipython(cells: list[str]) -> Outputs:
    """Run cells in IPython's shell in this process."""
    from IPython.core.interactiveshell import InteractiveShell
    from IPython.utils.capture import capture_output

    shell = InteractiveShell.instance(colors="NoColor")
    shell.display_formatter.active_types = ["text/plain", "text/html"]
    outputs = []
    for cell in cells:
        with _printed_by_kernels() as lines, capture_output() as captured:
            result = shell.run_cell(cell, store_history=True)
        kinds = set(shell.display_formatter.format(result.result)[0])
        text = _COLOR.sub("", "".join(lines) + captured.stdout + captured.stderr)
        outputs.append({"text": text, "kinds": sorted(kinds), "failed": not result.success})
    return outputs


@contextmanager
def _printed_by_kernels() -> Iterator[list[str]]:
    """Give what is written to the standard output by code other than Python's. Jupyter shows that by itself."""
    lines: list[str] = []
    out = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            yield lines
            ctypes.CDLL(None).fflush(None)
        finally:
            os.dup2(out, 1)
            os.close(out)
        file.seek(0)
        lines.append(file.read().decode())


if __name__ == "__main__":
    run = {"jupyter": in_jupyter, "ipython": in_ipython}[sys.argv[1]]
    read = json.loads(Path(sys.argv[2]).read_text(encoding="utf-8"))
    Path(sys.argv[3]).write_text(json.dumps(run(read)), encoding="utf-8")
