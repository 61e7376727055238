"""Build the library in between with the C compiler, and say how a process is started with it."""

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from launchpath._drivers import opencl
from tests.standin.build import COMPILING, LINKING, WARNINGS, cache_folder, compile_c, compiler

FOLDER = Path(__file__).parent
NAME = "libopencl-interposer.so"


def library() -> Path:
    """Return the library, built if it is not there in this state."""
    state = hashlib.sha256(repr((compiler(), WARNINGS, COMPILING, LINKING)).encode())
    for path in sorted(FOLDER.glob("*.[ch]")):
        state.update(path.read_bytes())
    target = cache_folder() / f"interposer-{state.hexdigest()[:16]}" / NAME
    if target.exists():
        return target
    folder = Path(tempfile.mkdtemp(dir=target.parent.parent))
    result = compile_c(*COMPILING, *LINKING, "-o", folder / NAME, FOLDER / "interposer.c", "-ldl")
    if result.returncode:
        raise RuntimeError(f"the library in between does not compile:\n{result.stderr}")
    # Several processes may build at the same time: the first one puts it there whole.
    try:
        folder.rename(target.parent)
    except OSError:
        shutil.rmtree(folder)
    return target


def environment(**more: str) -> dict[str, str]:
    """Return variables under which launchpath takes its OpenCL devices through the library in between."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("LAUNCHPATH_")}
    for name in ("LAUNCHPATH_CACHE_DIR", "LAUNCHPATH_CACHE_LIMIT"):
        if name in os.environ:
            variables[name] = os.environ[name]
    variables |= {"LAUNCHPATH_OPENCL_LIBRARY": str(library()), "LAUNCHPATH_CUDA_LIBRARY": "none",
                  "LAUNCHPATH_HIP_LIBRARY": "none"}  # fmt: skip
    embedded = opencl.embedded_runtime()
    if embedded is not None:
        variables |= {
            "INTERPOSER_LIBRARY": embedded.loader,
            "INTERPOSER_NEEDED": ":".join(embedded.needed),
            opencl.ICD_VARIABLE: opencl.icd_filenames(os.environ.get(opencl.ICD_VARIABLE), embedded.runtime),
        }
    return variables | more
