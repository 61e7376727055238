"""Compile ``native/runtime_memory.c``, and run it on the runtimes here: ``python -m benchmarks.runtime_memory``."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import launchpath as lp
from launchpath._drivers import opencl
from tests.random.kernels import SOURCE
from tests.standin.build import compile_c


def main() -> None:
    """Print what each runtime keeps."""
    embedded = opencl.embedded_runtime()
    library, needed, variables = opencl.system_libraries()[0], [], dict(os.environ)
    if embedded is not None:
        library, needed = embedded.loader, list(embedded.needed)
        variables[opencl.ICD_VARIABLE] = opencl.icd_filenames(variables.get(opencl.ICD_VARIABLE), embedded.runtime)
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "runtime_memory"
        result = compile_c("-O1", "-o", program, Path(__file__).parent / "native" / "runtime_memory.c", "-ldl")
        if result.returncode:
            raise SystemExit(result.stderr)
        for device in lp.devices():
            if device.info["driver"] != "opencl":
                continue
            binary = Path(folder) / "program"
            binary.write_bytes(lp.compile(SOURCE, device).binary())
            print(device.info["platform"], flush=True)
            subprocess.run([program, library, device.info["platform"], binary, *needed], env=variables, check=False)


if __name__ == "__main__":
    main()
