"""Build the modules of this folder, and launch one kernel from each of them.

``python examples/native/build.py`` needs a C and a C++ compiler, setuptools and Cython; the part in Numba runs if Numba
is installed.
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from pathlib import Path
from types import ModuleType

import numpy as np

import launchpath as lp

HERE = Path(__file__).parent
SOURCES = {
    "module_c": ["module_c.c"],
    "module_cpp": ["module_cpp.cpp", "saxpy.cpp"],
    "module_cython": ["module_cython.pyx"],
}


def build(folder: str) -> dict[str, ModuleType]:
    """Build the modules in a folder, and import them."""
    from Cython.Build import cythonize  # noqa: PLC0415 (only to build)
    from setuptools import Distribution, Extension  # noqa: PLC0415
    from setuptools.command.build_ext import build_ext  # noqa: PLC0415

    extensions = [
        Extension(
            name,
            [str(HERE / file) for file in files],
            include_dirs=[lp.get_include(), str(HERE)],
            extra_compile_args=["-std=c++17" if name == "module_cpp" else "-std=c99"],
        )
        for name, files in SOURCES.items()
    ]
    command = build_ext(Distribution({"ext_modules": cythonize(extensions, build_dir=folder, quiet=True)}))
    command.build_lib = command.build_temp = folder
    command.ensure_finalized()
    command.run()
    modules = {}
    for name in SOURCES:
        place = command.get_ext_fullpath(name)
        spec = importlib.util.spec_from_file_location(name, place)
        assert spec is not None and spec.loader is not None
        modules[name] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(modules[name])
    return modules


def main() -> int:
    """Launch from each module, and compare with NumPy."""
    n, wrong = 1000, 0
    lp.register(HERE / "saxpy.hip")
    with tempfile.TemporaryDirectory() as folder:
        launches = {name: (module.launch, 3 if name == "module_c" else 1) for name, module in build(folder).items()}
        stream = lp.Stream()
        try:
            sys.path.insert(0, str(HERE))
            from by_numba import launcher  # type: ignore[import-not-found]  # noqa: PLC0415

            run = launcher("saxpy", stream)
            launches["by_numba"] = (lambda a, x, y, n, _stream: run(a, x, y, n, 5), 5)
        except ImportError:
            print("by_numba: Numba is not installed")
        for name, (launch, times) in launches.items():
            with stream:
                x, y = lp.arange(n, dtype="float32"), lp.zeros(n, "float32")
            launch(2.0, x.pointer, y.pointer, n, stream.c_handle)
            stream.synchronize()
            right = np.array_equal(np.asarray(y), 2 * times * np.arange(n, dtype="float32"))
            wrong += not right
            print(f"{name}: {times} launches, {'right' if right else 'WRONG'}")
    return wrong


if __name__ == "__main__":
    sys.exit(main())
