"""What is built: the one extension, the library that traces any program, and the headers that only forward.

All else stands in pyproject.toml.
"""

import os
import runpy
import sys
import tarfile
from contextlib import suppress
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py

CORE = Path("src/launchpath/_core")
INCLUDE = Path("src/launchpath/include")  # for C code that uses launchpath, and for the core itself
LINUX = sys.platform.startswith("linux")
RECORDER = Path("src/launchpath/_recorder")
RECORDER_NAME = "launchpath._recorder.liblaunchpath_recorder"
DOOR_NAME = RECORDER_NAME + "_hip"  # the library by which HIP's runtime finds the recorder
CONDENSER_NAME = "launchpath._trace.condensed.libcondenser"  # sums up traces, for readers of files
COMPILER = Path("src/launchpath/_compiler")
ARCHIVES = Path("src/launchpath/_host/compiler/archives.py")
WINDOWS = sys.platform == "win32"
# For a debugger: the lines of C in the core. They take 8 MB and a part of the time that the build takes.
DEBUG = os.environ.get("LAUNCHPATH_BUILD_DEBUG", "") not in ("", "0")
# Without optimization, for the reference: it needs the core's docstrings, and no speed.
PLAIN = os.environ.get("LAUNCHPATH_BUILD_PLAIN", "") not in ("", "0")
# Builds that look for mistakes in the core while it runs, see scripts/variant.py: for impossible states, as
# _core/base/assertion.h has it; with gcc's AddressSanitizer and UndefinedBehaviorSanitizer. They build fast and run
# slowly.
ASSERTS = os.environ.get("LAUNCHPATH_BUILD_ASSERTS", "") not in ("", "0")
SANITIZE = os.environ.get("LAUNCHPATH_BUILD_SANITIZE", "") not in ("", "0")
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"]
SANITIZERS = SANITIZERS if SANITIZE else []
# The core's C, where Cython has run already: scripts/wheels.py compiles the same for several Pythons.
SOURCE = os.environ.get("LAUNCHPATH_BUILD_CORE") or str(CORE / "core.pyx")
OPTIMIZE = "-O1" if ASSERTS or SANITIZE else "-O0" if PLAIN else "-O2"
LIBRARIES = (RECORDER_NAME, DOOR_NAME, CONDENSER_NAME)


class BuildPython(build_py):
    """The build of what is no extension.

    The archives that programs are linked with are among the package's data, where ziglang is there: else the first
    link builds them.
    """

    def run(self):
        runpy.run_path(str(ARCHIVES), run_name="__main__")
        super().run()
        if not self.editable_mode:
            archives = runpy.run_path(str(ARCHIVES))
            for key in Path(self.build_lib, "launchpath/_host/lib").glob("*/key"):
                with suppress(tarfile.CompressionError):  # a Python without lzma: they stay as they are
                    archives["pack"](str(key.parent))


class BuildCore(build_ext):
    """The build, with symbols only where the core is developed: in an editable installation, and for a debugger."""

    def build_extension(self, extension):
        if LINUX and not DEBUG and not self.inplace and not self.editable_mode:
            extension.extra_link_args.append("-Wl,-s")
        super().build_extension(extension)

    def get_ext_filename(self, fullname):
        """Name libraries of C as such: they are loaded into programs of any Python, and of none."""
        if fullname.rpartition(".")[2] in {name.rpartition(".")[2] for name in LIBRARIES}:
            return os.path.join(*fullname.split(".")) + ".so.1"  # else it would pass for a module of Python's
        return super().get_ext_filename(fullname)

    def get_export_symbols(self, extension):
        return [] if extension.name in LIBRARIES else super().get_export_symbols(extension)


# The layers that treat each entry of the driver's table alike, before the list of what the core depends on.
runpy.run_path("scripts/layers.py")["write"]()
# setuptools hands a .pyx to Cython when it builds, and not before: the sdist holds the source, and metadata is at once.
core = Extension(
    "launchpath._core",
    [SOURCE],
    include_dirs=[str(CORE), str(INCLUDE)],  # Cython's too
    depends=[
        str(path)
        for folder, pattern in ((CORE, "**/*.pxi"), (CORE, "**/*.h"), (INCLUDE, "*.h"))
        for path in sorted(folder.glob(pattern))
    ],
    extra_compile_args=(
        []
        if WINDOWS
        else [OPTIMIZE, "-fvisibility=hidden", "-Wno-unused-function", "-g" if DEBUG else "-g0", *SANITIZERS]
    ),
    extra_link_args=SANITIZERS[:1],
    define_macros=[("LP_ASSERTS", "1")] if ASSERTS else [],
    libraries=[] if WINDOWS else ["pthread", "dl"],
)
core.cython_directives = {"language_level": 3}
if ASSERTS or SANITIZE:
    core.cython_line_directives = True  # what is found is told by the line of the .pxi
if ASSERTS or SANITIZE or PLAIN:
    core.cython_c_in_temp = True  # their C must not pass for that of the core which is shipped

# Without Python, and optimized in all builds: its dlsym goes on to the system's by a jump, which -O0 would make a call.
recorder = Extension(
    RECORDER_NAME,
    [str(RECORDER / "recorder.c")],
    include_dirs=[str(CORE), str(RECORDER)],
    depends=[
        str(path)
        for folder, pattern in ((RECORDER, "**/*.h"), (CORE, "trace/*/*.h"), (CORE, "base/*.h"))
        for path in sorted(folder.glob(pattern))
    ],
    extra_compile_args=["-O2", "-std=gnu11", "-fvisibility=hidden", "-Wno-unused-function", "-g" if DEBUG else "-g0"],
    extra_link_args=["-Wl,-z,nodelete"],  # its threads may be inside it when its last user closes it
    libraries=["pthread", "dl"],
)
door = Extension(
    DOOR_NAME,
    [str(RECORDER / "hip" / "door.c")],
    extra_compile_args=["-O2", "-std=gnu11", "-fvisibility=hidden", "-g" if DEBUG else "-g0"],
    libraries=["dl"],
)

condenser = Extension(
    CONDENSER_NAME,
    ["src/launchpath/_trace/condensed/condenser.c"],
    include_dirs=[str(CORE)],
    depends=[
        str(path) for folder in ("trace/condense", "trace/records") for path in sorted((CORE / folder).glob("*.h"))
    ],
    extra_compile_args=["-O3", "-std=gnu11", "-fvisibility=hidden", "-Wno-unused-function", "-g" if DEBUG else "-g0"],
)

# By its path: the package itself cannot be imported before its extension is there.
runpy.run_path(str(COMPILER / "forwarding.py"))["write"](str(COMPILER / "_forward"))
# The functions that compiled programs call, of the same headers: in C, and for Python.
runpy.run_path("scripts/host_calls.py")["write"]()
setup(
    ext_modules=[core, recorder, door, condenser] if LINUX else [core],
    cmdclass={"build_ext": BuildCore, "build_py": BuildPython},
)
