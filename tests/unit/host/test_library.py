"""The archives that programs are linked with: found, or built once."""

import os
import threading

import pytest

from launchpath._host.compiler import archives, library
from launchpath.errors import CompileError


@pytest.fixture(autouse=True)
def _folders(tmp_path, monkeypatch):
    monkeypatch.setenv("LAUNCHPATH_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setattr(archives, "PACKAGED", str(tmp_path / "lib"))


def test_one_builds_and_others_wait():
    begun, go, folders = [], threading.Event(), []

    def build(folder):
        begun.append(folder)
        go.wait(30)
        open(os.path.join(folder, "x.a"), "w").close()

    threads = [
        threading.Thread(target=lambda: folders.append(library.found_or_built("noun", "key", build))) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    while not begun:
        pass
    go.set()
    for thread in threads:
        thread.join()
    assert len(begun) == 1 and len(set(folders)) == 1
    assert sorted(os.listdir(folders[0])) == ["key", "x.a"]


def test_those_of_the_package_come_first(tmp_path):
    built = []
    archives.build_into(str(tmp_path / "lib" / "noun"), "key", built.append)
    assert library.found_or_built("noun", "key", built.append) == str(tmp_path / "lib" / "noun")
    # Another ziglang than the package was built for.
    assert library.found_or_built("noun", "other", built.append) == library.own_folder("noun", "other")
    assert len(built) == 2


def test_a_build_that_fails_leaves_nothing(tmp_path):
    def build(folder):
        raise archives.BuildError("clang: it failed")

    for _ in range(2):
        with pytest.raises(CompileError, match="cannot be built: clang: it failed"):
            library.found_or_built("noun", "key", build)
    assert [name for name in os.listdir(tmp_path / "cache" / "host") if not name.endswith(".lock")] == []
