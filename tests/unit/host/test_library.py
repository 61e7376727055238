"""The archives that programs are linked with: found, or built once."""

import os
import threading

import pytest

from launchpath._host.compiler import archives, library, toolchain
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


def packed(tmp_path):
    def build(folder):
        for name in ("a.a", "b.a"):
            with open(os.path.join(folder, name), "w") as file:
                file.write(f"the archive {name}" * 1000)

    folder = tmp_path / "lib" / "noun"
    archives.build_into(str(folder), "key", build)
    archives.pack(str(folder))
    assert sorted(os.listdir(folder)) == [archives.PACKED, "key"]
    return folder


def test_those_of_a_wheel_are_unpacked_once(tmp_path):
    packed(tmp_path)
    built = []
    for _ in range(2):
        found = library.found_or_built("noun", "key", built.append)
        assert found == library.own_folder("noun", "key") and not built
        assert sorted(os.listdir(found)) == ["a.a", "b.a", "key"]
        with open(os.path.join(found, "b.a")) as file:
            assert file.read() == "the archive b.a" * 1000
    # Another ziglang than the wheel was built for.
    assert library.found_or_built("noun", "other", built.append) == library.own_folder("noun", "other") and built


@pytest.mark.parametrize("damage", [b"", b"no archive", "cut off", "changed"])
def test_archives_that_cannot_be_unpacked_are_built(tmp_path, damage):
    file = packed(tmp_path) / archives.PACKED
    whole = file.read_bytes()
    parts = {"cut off": whole[:100], "changed": whole[:90] + b"????" + whole[94:]}
    file.write_bytes(parts[damage] if isinstance(damage, str) else damage)
    built = []
    assert library.found_or_built("noun", "key", built.append) == library.own_folder("noun", "key")
    assert len(built) == 1


def test_the_same_archives_are_packed_into_the_same_file(tmp_path):
    first = packed(tmp_path)
    second = packed(tmp_path / "other")
    assert (first / archives.PACKED).read_bytes() == (second / archives.PACKED).read_bytes()


def test_a_build_that_fails_leaves_nothing(tmp_path):
    def build(folder):
        raise archives.BuildError("clang: it failed")

    for _ in range(2):
        with pytest.raises(CompileError, match="cannot be built: clang: it failed"):
            library.found_or_built("noun", "key", build)
    assert [name for name in os.listdir(tmp_path / "cache" / "host") if not name.endswith(".lock")] == []


def test_the_libraries_of_an_old_glibc_go_by_their_names():
    folder = "/lib/x86_64-linux-gnu"
    files = ("libc-2.31.so", "libm-2.31.so", "ld-2.31.so", "libpthread-2.31.so", "libgcc_s.so.1", "python3.11")
    names = toolchain.by_names(f"{folder}/{name}" for name in files)
    assert {name: os.path.basename(path) for name, path in names.items() if name not in files} == {
        "libc.so.6": "libc-2.31.so",
        "libm.so.6": "libm-2.31.so",
        "ld-linux-x86-64.so.2": "ld-2.31.so",
        "libpthread.so.0": "libpthread-2.31.so",
    }
    assert names["libgcc_s.so.1"] == f"{folder}/libgcc_s.so.1"
