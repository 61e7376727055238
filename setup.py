"""What is built: the one extension, and the headers that only forward. All else stands in pyproject.toml."""

import runpy
import sys
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup

CORE = Path("src/launchpath/_core")
COMPILER = Path("src/launchpath/compiler")
WINDOWS = sys.platform == "win32"

core = Extension(
    "launchpath._core",
    [str(CORE / "core.pyx")],
    include_dirs=[str(CORE)],
    depends=[str(path) for pattern in ("**/*.pxi", "**/*.h") for path in CORE.glob(pattern)],
    extra_compile_args=[] if WINDOWS else ["-O3", "-fvisibility=hidden", "-Wno-unused-function"],
    libraries=[] if WINDOWS else ["pthread", "dl"],
)

# By its path: the package itself cannot be imported before its extension is there.
runpy.run_path(str(COMPILER / "forwarding.py"))["write"](str(COMPILER / "headers_forwarding"))
setup(ext_modules=cythonize([core], include_path=[str(CORE)], language_level=3))
