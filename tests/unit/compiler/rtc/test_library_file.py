"""Finding NVRTC and hipRTC, and choosing one for a device."""

import os

import pytest

from launchpath._compiler.rtc.library import library_file
from launchpath.errors import CompileError
from tests.unit.support.rtc import cuda, hip


@pytest.fixture
def nothing(monkeypatch, tmp_path):
    """A machine that has no such library: everything that is looked at lies in a folder of the test's."""
    for name in (
        *library_file.VARIABLES.values(),
        "LD_LIBRARY_PATH",
        "CUDA_PATH",
        "CUDA_HOME",
        "CUDA_ROOT",
        "ROCM_PATH",
        "HIP_PATH",
    ):
        monkeypatch.delenv(name, raising=False)
    packages: list[str] = []
    monkeypatch.setattr(library_file, "SYSTEM_FOLDERS", ())
    monkeypatch.setattr(library_file, "namespace", lambda name: packages if name == "nvidia" else [])
    monkeypatch.setattr(library_file, "cuda_folders", lambda *parts: [])
    monkeypatch.setattr(library_file, "_from_pathfinder", lambda: iter(()))
    monkeypatch.setattr(library_file.glob, "glob", _below(tmp_path))
    library_file._in_folders.cache_clear()
    yield packages
    library_file._in_folders.cache_clear()


def _below(folder):
    real = library_file.glob.glob
    return lambda pattern: real(pattern) if pattern.startswith(str(folder)) else []


def put(folder, *names):
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_bytes(b"")
    return str(folder)


def test_none(nothing):
    with pytest.raises(CompileError, match="pip install nvidia-cuda-nvrtc .*LAUNCHPATH_NVRTC_LIBRARY"):
        library_file.choose(cuda())
    with pytest.raises(CompileError, match="needs hipRTC: install ROCm.*LAUNCHPATH_HIPRTC_LIBRARY"):
        library_file.choose(hip())


def test_what_takes_long_is_looked_at_only_if_it_is_needed(nothing, monkeypatch, tmp_path):
    nothing.append(str(tmp_path))
    put(tmp_path / "cu13" / "lib", "libnvrtc.so.13")

    def refuse(*_arguments):
        yield ""
        raise AssertionError("it takes long")

    for name in ("_from_pathfinder", "cuda_folders"):
        monkeypatch.setattr(library_file, name, refuse)
    assert library_file.choose(cuda()).major == 13


@pytest.mark.parametrize(
    ("target", "variable"), [(cuda(), "LAUNCHPATH_NVRTC_LIBRARY"), (hip(), "LAUNCHPATH_HIPRTC_LIBRARY")]
)
def test_named(nothing, monkeypatch, tmp_path, target, variable):
    monkeypatch.setenv(variable, str(tmp_path / "none.so"))
    with pytest.raises(CompileError, match=f"{variable} names .*none.so, which is not a file"):
        library_file.choose(target)
    path = os.path.join(put(tmp_path, "libother.so.13"), "libother.so.13")
    monkeypatch.setenv(variable, path)
    assert library_file.choose(target)[:2] == (target.form, path)


def test_packages_come_before_the_system(nothing, monkeypatch, tmp_path):
    nothing.append(str(tmp_path / "nvidia"))
    put(tmp_path / "nvidia" / "cuda_nvrtc" / "lib", "libnvrtc.so.12", "libnvrtc-builtins.so.12.9", "libnvrtc.alt.so.12")
    monkeypatch.setenv("LD_LIBRARY_PATH", put(tmp_path / "system", "libnvrtc.so.13"))
    assert library_file.choose(cuda()).major == 12
    assert [file.major for file in library_file._nvrtc()] == [12, 13]


def test_the_newest_that_the_driver_takes(nothing, tmp_path):
    nothing.append(str(tmp_path))
    put(tmp_path / "cu13" / "lib", "libnvrtc.so.13")
    put(tmp_path / "cuda_nvrtc" / "lib", "libnvrtc.so.12")
    assert library_file.choose(cuda()).major == 13
    assert library_file.choose(cuda(version=(13, 0))).major == 13
    assert library_file.choose(cuda(version=(12, 4))).major == 12


def test_none_that_the_driver_takes(nothing, tmp_path):
    nothing.append(str(tmp_path))
    put(tmp_path / "cu13" / "lib", "libnvrtc.so.13")
    with pytest.raises(
        CompileError,
        match=r"libnvrtc.so.13 makes programs that are too new for the driver, of CUDA 12.4.*nvidia-cuda-nvrtc-cu12",
    ):
        library_file.choose(cuda(version=(12, 4)))


def test_none_that_knows_the_device(nothing, tmp_path):
    nothing.append(str(tmp_path))
    put(tmp_path / "cu13" / "lib", "libnvrtc.so.13")
    with pytest.raises(
        CompileError, match=r"libnvrtc.so.13 no longer supports sm_61.*pip install nvidia-cuda-nvrtc-cu12"
    ):
        library_file.choose(cuda("sm_61", (13, 0)))
    put(tmp_path / "cuda_nvrtc" / "lib", "libnvrtc.so.12")
    library_file._in_folders.cache_clear()
    assert library_file.choose(cuda("sm_61", (13, 0))).major == 12


def test_hiprtc_beside_the_drivers_library(nothing, monkeypatch, tmp_path):
    monkeypatch.setenv("ROCM_PATH", str(tmp_path))
    put(tmp_path / "lib", "libhiprtc.so.7")
    assert library_file.choose(hip()).major == 7
    beside = put(tmp_path / "other", "libhiprtc.so.6")
    assert library_file.choose(hip()._replace(library=f"{beside}/libamdhip64.so.6")).major == 6


def test_hiprtc_in_the_drivers_library(nothing, monkeypatch, tmp_path):
    monkeypatch.setenv("ROCM_PATH", str(tmp_path))
    put(tmp_path / "lib", "libamdhip64.so.5")
    assert library_file.choose(hip()).path.endswith("libamdhip64.so.5")


def test_identity_changes_with_the_file(tmp_path):
    path = tmp_path / "libnvrtc.so.13"
    path.write_bytes(b"one")
    file = library_file.LibraryFile("cuda", str(path), 13)
    before = file.identity
    path.write_bytes(b"other")
    assert file.identity != before
    assert library_file.LibraryFile("cuda", "libnvrtc.so.13", 13).identity == "libnvrtc.so.13"
