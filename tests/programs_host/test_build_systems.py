"""CMake and make, which take the driver for the compilers of CUDA's and ROCm's toolkits."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.compiles, pytest.mark.processes]

PROJECT = """
cmake_minimum_required(VERSION 3.21)
project(example CXX {language})
{packages}
find_package(Threads REQUIRED)
add_library(part SHARED part.cpp)
add_executable(app main.{suffix})
target_link_libraries(app part Threads::Threads {target})
"""
PACKAGES = {
    "CUDA": ("find_package(CUDAToolkit REQUIRED)", "CUDA::cudart"),
    "HIP": ("find_package(hip REQUIRED)", "hip::host"),
}
MAIN = "#include <vector>\nint part(std::vector<int>);\nint main() { return part({1, 2}) - 2; }\n"
PART = "#include <vector>\nint part(std::vector<int> all) { return all.size(); }\n"
MAKEFILE = """
app: main.o part.o
	$(CUDA_HOME)/bin/nvcc -arch=sm_70 $^ -o $@ -L$(CUDA_HOME)/lib64 -lcudart
%.o: %.cu
	$(CUDA_HOME)/bin/nvcc -O2 -I$(CUDA_HOME)/include -Xcompiler -Wall -c $< -o $@
%.o: %.cpp
	$(CUDA_HOME)/bin/hipcc -c $< -o $@
"""


def _run(*words: object) -> str:
    process = subprocess.run([*map(str, words)], capture_output=True, text=True, check=False, timeout=240)
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout + process.stderr


@pytest.mark.parametrize("language", ["cuda", "hip"])
def test_cmake(build, language):
    cmake = Path(sys.executable).parent / "cmake"
    root = build("--print-toolkit-dir").strip()
    packages, target = PACKAGES[language.upper()]
    suffix = {"cuda": "cu", "hip": "hip"}[language]
    build.write(
        "CMakeLists.txt", PROJECT.format(language=language.upper(), suffix=suffix, packages=packages, target=target)
    )
    build.write(f"main.{suffix}", MAIN)
    build.write("part.cpp", PART)
    compiler = f"{root}/bin/{'nvcc' if language == 'cuda' else 'launchpath-c++'}"
    output = _run(
        cmake if cmake.exists() else shutil.which("cmake"), "-S", ".", "-B", "b", "-G", "Unix Makefiles",
        f"-DCMAKE_CXX_COMPILER={root}/bin/launchpath-c++", f"-DCMAKE_{language.upper()}_COMPILER={compiler}",
    )  # fmt: skip
    assert "The CXX compiler identification is Clang" in output
    _run("make", "-C", "b")
    build.run("b/app")


def test_make(build):
    root = build("--print-toolkit-dir").strip()
    build.write("Makefile", MAKEFILE)
    build.write("main.cu", MAIN)
    build.write("part.cpp", PART)
    _run("make", f"CUDA_HOME={root}")
    build.run("app")
