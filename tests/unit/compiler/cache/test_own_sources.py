"""The identity of the compiler's own files."""

import os

import pytest

from launchpath._compiler import header_folders
from launchpath._compiler.cache import own_sources
from launchpath._compiler.clang import frontend
from launchpath.errors import CompileError


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "spirv").mkdir()
    (tmp_path / "spirv" / "loops.py").write_text("")
    monkeypatch.setattr(own_sources, "_FOLDER", str(tmp_path))
    own_sources.identity.cache_clear()
    yield tmp_path
    own_sources.identity.cache_clear()


def identity() -> str:
    own_sources.identity.cache_clear()
    return own_sources.identity()


def test_a_file_that_changes_in_place_is_another_identity(folder):
    before = identity()
    assert before == identity()
    (folder / "spirv" / "loops.py").write_text("MOST = 3")
    assert identity() != before


def test_the_bytecode_of_a_first_import_is_no_other_identity(folder):
    before = identity()
    (folder / "spirv" / "__pycache__").mkdir()
    assert identity() == before
    (folder / "spirv" / "waits.py").write_text("")
    assert identity() != before


def test_an_installed_package_is_told_by_its_folders(folder, monkeypatch):
    monkeypatch.setattr(own_sources, "_IS_INSTALLED", True)
    before = identity()
    (folder / "spirv" / "loops.py").write_text("MOST = 3")  # in place: no installer does that
    assert identity() == before
    os.utime(folder / "spirv", ns=(1, 1))
    assert identity() != before


def test_a_file_in_the_place_of_a_folder(folder):
    (folder / "spirv" / "checks").write_text("")
    with pytest.raises(CompileError, match=r"got the file .*/spirv/checks: .*install launchpath again"):
        identity()


def test_a_file_in_the_place_of_a_folder_of_headers(tmp_path):
    (tmp_path / "headers").write_text("")
    with pytest.raises(CompileError, match=r"got the file .*/headers: .*install launchpath again"):
        header_folders.identity(str(tmp_path / "headers" / "clang"))


def test_the_cache_s_key_has_it(monkeypatch):
    before = frontend.identity()
    monkeypatch.setattr(own_sources, "identity", lambda: "other")
    assert frontend.identity() != before
