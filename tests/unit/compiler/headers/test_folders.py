"""The folders of our own headers: what Clang includes, what NVRTC and hipRTC include, and what both do."""

import re
import shutil
import time
from pathlib import Path

import pytest

from launchpath._compiler import forwarding, header_folders
from launchpath._compiler.clang import frontend
from launchpath._compiler.rtc.library import headers
from launchpath.errors import CompileError
from tests.unit.compiler.headers.names import by_name

SIDES = {"clang": Path(header_folders.CLANG), "rtc": Path(header_folders.RTC)}
FORWARDING = {"clang": Path(header_folders.CLANG_FORWARDING), "rtc": Path(header_folders.RTC_FORWARDING)}
COMMON = Path(header_folders.COMMON)
ROOT = Path(__file__).parents[4]


def files(folder):
    return set(by_name(folder))


@pytest.mark.parametrize("side", SIDES)
def test_no_header_hides_a_common_header(side):
    assert not files(SIDES[side]) & files(COMMON)
    assert not files(FORWARDING[side]) & (files(SIDES[side]) | files(COMMON))


@pytest.mark.parametrize("side", SIDES)
def test_what_common_headers_include_is_on_both_sides(side):
    served = files(SIDES[side]) | files(COMMON) | files(FORWARDING[side])
    if side == "clang":  # it has libc++ for those of the standard that NVRTC gets from here
        served |= {
            name for name in files(SIDES["rtc"]) | files(FORWARDING["rtc"]) if "." not in name and "/" not in name
        }
    for name in files(COMMON):
        for included in re.findall(r"^#include <([^>]+)>", (COMMON / name).read_text(), re.MULTILINE):
            # NVIDIA's own headers come with NVRTC; hipRTC gets those of the folder `amd`.
            assert included in served or f"amd/{included}" in served, f"{name}: {included}"


def test_every_common_header_is_included_or_public():
    texts = "".join(
        file.read_text()
        for folder in (*SIDES.values(), *FORWARDING.values(), COMMON)
        for file in by_name(folder).values()
    )
    for name in files(COMMON):
        assert not name.startswith("launchpath/") or f"#include <{name}>" in texts, name


def test_each_folder_is_packaged():
    packaged = (ROOT / "pyproject.toml").read_text()
    for folder in (*SIDES.values(), COMMON, Path(header_folders.LIBRARIES), Path(header_folders.FORWARDING)):
        assert f'"_compiler/{folder.name}/**/*"' in packaged


def _rename_and_remove(changed, identity):
    """Rename a header and remove it: `identity` is true where the identity was never seen before."""
    changed.rename(changed.with_name("other.h"))
    assert identity()
    changed.with_name("other.h").unlink()
    assert identity()


@pytest.mark.parametrize(
    ("module", "folder"), [(module, index) for module in (frontend, headers) for index in range(len(module.HEADERS))]
)
def test_a_header_that_changes_is_another_identity(module, folder, monkeypatch, tmp_path):
    copies = tuple(shutil.copytree(folder, tmp_path / Path(folder).name) for folder in module.HEADERS)
    monkeypatch.setattr(module, "HEADERS", tuple(map(str, copies)))
    seen = []

    def identity():
        header_folders._identity.cache_clear()
        seen.append(module.identity())
        return len(seen) == len(set(seen))

    changed = next(file for file in sorted(copies[folder].rglob("*")) if file.is_file())
    assert identity()
    changed.write_text(changed.read_text() + " ")
    assert identity()
    _rename_and_remove(changed, identity)
    header_folders._identity.cache_clear()


def test_headers_that_the_build_writes_anew_are_another_identity(monkeypatch, tmp_path):
    folder = tmp_path / "_forward"
    monkeypatch.setattr(header_folders, "FORWARDING", str(folder))
    seen = []

    def identity():
        time.sleep(0.02)  # clocks of file systems are coarse
        header_folders._identity.cache_clear()
        seen.append(header_folders.identity(str(folder / "clang"), str(folder / "rtc")))
        return len(seen) == len(set(seen))

    forwarding.write(str(folder))
    assert identity()
    assert not identity()
    seen.pop()
    forwarding.write(str(folder))  # it finds them as they are to be
    assert not identity()
    seen.pop()
    changed = next(file for file in sorted((folder / "rtc").rglob("*")) if file.is_file())
    changed.write_text(changed.read_text() + " ")
    forwarding.write(str(folder))
    assert identity()
    _rename_and_remove(changed, identity)
    header_folders._identity.cache_clear()


@pytest.mark.parametrize("module", [frontend, headers])
def test_a_checkout_that_was_never_built(module, monkeypatch, tmp_path):
    monkeypatch.setattr(module, "HEADERS", (*module.HEADERS[:-1], str(tmp_path / "_forward")))
    with pytest.raises(CompileError, match=r"_forward is missing; .* make setup"):
        module.identity()
