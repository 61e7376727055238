"""What a wheel and an sdist hold, by what setuptools would put there: building them takes minutes, this does not."""

import json
import tarfile
import tomllib
import zipfile

import pytest

from tests import shipped
from tests.python import python

# Run where setup.py is; both lists are those of the commands that build.
LISTS = """
import json, sys
import setuptools
from distutils.core import run_setup
folder = sys.argv[1]
distribution = run_setup("setup.py", ["-q", "egg_info", "--egg-base", folder])
distribution.run_commands()
wheel = distribution.get_command_obj("build_py")
wheel.build_lib = ""
wheel.ensure_finalized()
sdist = open(f"{folder}/launchpath.egg-info/SOURCES.txt").read().splitlines()
print(json.dumps([wheel.get_outputs(include_bytecode=False), [name for name in sdist if not name.startswith(folder)]]))
"""


@pytest.fixture(scope="module")
def lists(tmp_path_factory):
    pytest.importorskip("setuptools", minversion="77")
    pytest.importorskip("Cython")
    done = python("-c", LISTS, tmp_path_factory.mktemp("lists"), cwd=shipped.ROOT)
    wheel, sdist = json.loads(done.stdout.splitlines()[-1])
    return set(wheel), set(sdist)


@pytest.mark.processes
def test_a_wheel_holds_what_runs(lists):
    # The build packs the archives, and adds what is compiled.
    assert not shipped.wrong_in_wheel({name for name in lists[0] if not name.startswith(shipped.ARCHIVES)})
    assert {
        "launchpath/py.typed",
        "launchpath/_core.pyi",
        "launchpath/_compiler/_forward/rtc/variant",
    } <= lists[0]
    # The sources of launchpath's part of programs are there, for those who have another ziglang.
    assert not any(
        name.endswith((".c", ".pxi", ".pyx")) and not name.startswith("launchpath/_host/start/") for name in lists[0]
    )
    assert "launchpath/_host/start/libc.c" in lists[0]


@pytest.mark.processes
def test_an_sdist_holds_what_git_has(lists):
    assert not shipped.wrong_in_sdist(lists[1])
    names = ("core.pyx", "ordering/queue.pxi", "driver/opencl/table.pxi", "driver/gpu/library/functions.h")
    core = {f"src/launchpath/_core/{name}" for name in names}
    assert core | {"Makefile", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "tests/standin/kernels.c"} <= lists[1]
    assert {"benchmarks", "docs", "examples", "tests"} <= {name.partition("/")[0] for name in lists[1]}
    assert "src/launchpath/_core/core.c" not in lists[1]


def test_what_is_wrong_is_named(tmp_path):
    surplus = {"launchpath/_core/core.c", "launchpath/_core.abi3.so"}
    door = "launchpath/_recorder/liblaunchpath_recorder_hip.so.1"
    there = {*shipped.in_wheel(), *shipped.LIBRARIES, *surplus} - {"launchpath/_memory/array.py", door}
    with zipfile.ZipFile(tmp_path / "x.whl", "w") as wheel:
        for name in there:
            wheel.writestr(name, "")
    assert shipped.look(tmp_path) == [
        f"expected a wheel and an sdist in {tmp_path}, got 1 and 0: make dist",
        "x.whl: missing: launchpath/_memory/array.py",
        "x.whl: not to be shipped: launchpath/_core/core.c",
        f"x.whl: missing: {door}",
    ]


@pytest.mark.processes
@pytest.mark.skipif(not shipped.in_clone(), reason="no clone: only git says which files there are")
def test_an_sdist_that_lacks_files(tmp_path):
    with tarfile.open(tmp_path / "x.tar.gz", "w:gz"):
        pass
    assert "x.tar.gz: missing: setup.py" in shipped.look(tmp_path)


def test_only_extras_bring_compilers():
    project = tomllib.loads((shipped.ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    packages = ("ziglang", "libclang", "launchpath[hip]")  # the last one for whole programs
    assert len(extras["compile"]) == len(packages)
    for package in packages:
        assert not any(package in wanted for wanted in project["dependencies"])
        assert any(wanted.startswith(package) for wanted in extras["compile"])
    for extra in ("cpu", "cuda", "cuda12", "test"):
        assert "launchpath[compile]" in extras[extra]
    assert any(wanted.startswith("launchpath[") and "test" in wanted for wanted in extras["dev"])
