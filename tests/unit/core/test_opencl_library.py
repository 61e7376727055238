"""Finding the OpenCL library: which file, in which order, in which environment."""

import os
from types import SimpleNamespace

import pytest

from launchpath._drivers import opencl
from launchpath.errors import LibraryError

EVERYTHING = (opencl.LOADER, *opencl.NEEDED)


class Core:
    """Stands for the compiled core: records what is opened, and fails for the paths in `broken`."""

    def __init__(self, *broken):
        self.broken = broken
        self.opened, self.loaded, self.variable, self.at_load = [], [], None, None

    def opencl_open(self, path):
        if path.endswith(self.broken):
            raise LibraryError(f"cannot load {path}")
        self.opened.append(path)

    def opencl_load(self, path):
        if path.endswith(self.broken):
            raise LibraryError(f"cannot load {path}")
        self.loaded.append(path)
        self.at_load = os.environ.get(opencl.ICD_VARIABLE)

    def opencl_devices(self, workarounds):
        self.variable = os.environ.get(opencl.ICD_VARIABLE)
        return ["device"], [("platform", "reason")]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where the embedded runtime would be; `install(folder, ...)` puts it there."""
    monkeypatch.setattr(opencl.sys, "platform", "linux")
    monkeypatch.setattr(opencl, "embedded_folders", lambda: iter([str(tmp_path / "nowhere"), str(tmp_path)]))
    monkeypatch.delenv(opencl.ICD_VARIABLE, raising=False)
    return tmp_path


def install(folder, *but):
    for name in EVERYTHING:
        if name not in but:
            (folder / name).touch()


def test_the_environment_variable_chooses_and_nothing_else_is_tried(folder):
    install(folder)
    core = Core()
    devices = opencl.find_devices(core, {opencl.LIBRARY_VARIABLE: "/my/libOpenCL.so"})
    assert core.loaded == ["/my/libOpenCL.so"]
    assert core.opened == []
    assert devices == (["device"], [("platform", "reason")])


def test_a_chosen_library_that_does_not_load_is_an_error_that_names_the_variable(folder):
    install(folder)
    with pytest.raises(LibraryError, match=opencl.LIBRARY_VARIABLE):
        opencl.find_devices(Core("/my/libOpenCL.so"), {opencl.LIBRARY_VARIABLE: "/my/libOpenCL.so"})


def test_the_embedded_runtime_comes_before_the_system(folder):
    install(folder)
    core = Core()
    opencl.find_devices(core, {})
    assert core.loaded == [str(folder / opencl.LOADER)]
    assert core.opened == [str(folder / name) for name in opencl.NEEDED]
    assert core.variable == core.at_load == str(folder / opencl.RUNTIME)
    assert opencl.ICD_VARIABLE not in os.environ


def test_the_users_runtimes_stay_and_come_first(folder, monkeypatch):
    install(folder)
    monkeypatch.setenv(opencl.ICD_VARIABLE, "/theirs.so")
    core = Core()
    opencl.find_devices(core, os.environ)
    assert core.variable == os.pathsep.join(["/theirs.so", str(folder / opencl.RUNTIME)])
    assert os.environ[opencl.ICD_VARIABLE] == "/theirs.so"


def test_a_runtime_already_listed_is_not_listed_twice(tmp_path):
    runtime = tmp_path / opencl.RUNTIME
    runtime.touch()
    link = tmp_path / "link.so"
    link.symlink_to(runtime)
    assert opencl.icd_filenames(f"{link}{os.pathsep}/b.so", str(runtime)) == f"{link}{os.pathsep}/b.so"
    assert opencl.icd_filenames("", str(runtime)) == str(runtime)
    assert opencl.icd_filenames(None, str(runtime)) == str(runtime)


def test_the_variable_is_put_back_after_a_failure(folder, monkeypatch):
    install(folder)
    core = Core()

    def fail(workarounds):
        raise LibraryError("no")

    monkeypatch.setattr(core, "opencl_devices", fail)
    with pytest.raises(LibraryError):
        opencl.find_devices(core, {})
    assert opencl.ICD_VARIABLE not in os.environ


@pytest.mark.parametrize("name", opencl.NEEDED)
def test_an_incomplete_runtime_is_left_out_with_the_reason(folder, name, monkeypatch):
    install(folder, name)
    monkeypatch.setattr(opencl, "system_libraries", lambda: ["libOpenCL.so.1"])
    core = Core()
    devices = opencl.find_devices(core, {})
    assert core.loaded == ["libOpenCL.so.1"]
    if name != opencl.RUNTIME:  # without that there is nothing to miss
        (what, why) = devices.skipped[0]
        assert what == opencl.PACKAGE
        assert name in why
        assert opencl.NEEDED[name] in why


def test_a_runtime_that_does_not_load_is_left_out_with_the_reason(folder, monkeypatch):
    install(folder)
    monkeypatch.setattr(opencl, "system_libraries", lambda: ["libOpenCL.so.1"])
    devices = opencl.find_devices(core := Core("libsvml.so"), {})
    assert core.loaded == ["libOpenCL.so.1"]
    assert devices.skipped[0][0] == opencl.PACKAGE
    assert "libsvml.so" in devices.skipped[0][1]
    assert ("platform", "reason") in devices.skipped


def test_the_systems_names_are_tried_in_order(folder, monkeypatch):
    monkeypatch.setattr(opencl, "system_libraries", lambda: ["libOpenCL.so.1", "libOpenCL.so"])
    core = Core("libOpenCL.so.1")
    opencl.find_devices(core, {})
    assert core.loaded == ["libOpenCL.so"]


def test_without_a_library_the_error_says_what_to_install(folder):
    names = tuple(opencl.system_libraries("linux"))
    with pytest.raises(LibraryError, match=r"launchpath\[cpu\].*pocl-opencl-icd") as error:
        opencl.find_devices(Core(*names, "OpenCL", "OpenCL.dll"), {})
    assert names[0] in str(error.value)


def test_every_system_has_names_to_try():
    assert opencl.system_libraries("linux") == ["libOpenCL.so.1", "libOpenCL.so"]
    assert opencl.system_libraries("win32") == ["OpenCL.dll"]
    assert opencl.system_libraries("darwin")[0].endswith("OpenCL.framework/OpenCL")


def test_the_runtime_is_loaded_through_its_package(tmp_path, monkeypatch):
    from importlib import metadata

    install(tmp_path)
    file = SimpleNamespace(name=opencl.RUNTIME, locate=lambda: tmp_path / opencl.RUNTIME)
    other = SimpleNamespace(name="LICENSE", locate=lambda: tmp_path / "LICENSE")
    monkeypatch.setattr(opencl.sys, "platform", "linux")
    monkeypatch.setattr(metadata, "files", lambda name: [other, file] if name == opencl.PACKAGE else None)
    assert next(opencl.embedded_folders()) == os.path.realpath(tmp_path)
    assert opencl.embedded_runtime().loader == os.path.join(os.path.realpath(tmp_path), opencl.LOADER)


def test_the_runtime_is_loaded_without_its_package(tmp_path, monkeypatch):
    from importlib import metadata

    def files(name):
        raise metadata.PackageNotFoundError(name)

    (tmp_path / "lib").mkdir()
    install(tmp_path / "lib")
    monkeypatch.setattr(opencl.sys, "platform", "linux")
    monkeypatch.setattr(opencl.sys, "prefix", str(tmp_path))
    monkeypatch.setattr("sysconfig.get_path", lambda name: None)
    monkeypatch.setattr(metadata, "files", files)
    assert opencl.embedded_runtime().runtime == str(tmp_path / "lib" / opencl.RUNTIME)


def test_there_is_no_embedded_runtime_but_on_linux(folder, monkeypatch):
    install(folder)
    monkeypatch.setattr(opencl.sys, "platform", "win32")
    assert opencl.embedded_runtime() is None


def test_devices_are_looked_for_once(monkeypatch):
    calls = []
    monkeypatch.setattr(opencl, "_search", None)
    monkeypatch.setattr(opencl, "find_devices", lambda core, environment: calls.append(core) or opencl.Found([], []))
    assert opencl.devices() is opencl.devices()
    assert len(calls) == 1
