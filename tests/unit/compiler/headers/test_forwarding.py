"""The headers that only forward: what the build writes is what the table says, and each name finds its header."""

import re
from pathlib import Path

import pytest

from launchpath._compiler import forwarding, header_folders
from launchpath._compiler.clang import frontend, run
from launchpath._compiler.source.source import from_path, from_text
from tests.unit.compiler.headers.names import by_name

FOLDERS = {
    "clang": (Path(header_folders.CLANG), Path(header_folders.COMMON)),
    "rtc": (Path(header_folders.RTC), Path(header_folders.COMMON)),
    "libraries": (Path(header_folders.LIBRARIES),),
}
TABLES = {"clang": forwarding.CLANG, "rtc": forwarding.RTC, "libraries": forwarding.LIBRARIES}
KERNEL = "__global__ void k(float *x) { x[0] = 1; }\n"
# assert.h may be included again, after another #define of NDEBUG; so may cassert.
AGAIN = {"cassert"}
MAIN = "launchpath/precompiled.h"  # the main file where headers are precompiled


def test_the_build_has_written_what_the_table_says():
    written = {name: file.read_text() for name, file in by_name(Path(header_folders.FORWARDING)).items()}
    assert written == forwarding.texts(), "make setup writes them again"


def test_it_is_written_where_it_is_another_only(tmp_path):
    folder = tmp_path / "_forward"

    def states():
        forwarding.write(str(folder))
        return {name: file.stat().st_mtime_ns for name, file in by_name(folder).items()}

    first = states()
    assert first.keys() == forwarding.texts().keys()
    assert states() == first
    (folder / "clang" / "gone.h").write_text("")
    assert (second := states()).keys() == first.keys()
    changed = folder / "rtc" / "cfloat"
    changed.write_text(changed.read_text() + " ")
    assert states().keys() == second.keys()
    assert changed.read_text() == forwarding.texts()["rtc/cfloat"]


def test_names_are_sorted_and_there_once():
    tables = (forwarding.CLANG, forwarding.RTC, forwarding.LIBRARIES, forwarding.CUB)
    lists = [*(names for table in tables for names in table.values()), forwarding.CUDA_STD, forwarding.LIBCUXX]
    for names in lists:
        assert names.split() == sorted(names.split())
    # CUB's names stand in two folders. Those of thrust are sorted by folder.
    assert len(set(forwarding.THRUST.split())) == len(forwarding.THRUST.split())
    lists += [forwarding.CLANG["launchpath/cub/cuda.h"], forwarding.THRUST]
    forwards = [text for text in forwarding.texts().values() if text.startswith(forwarding.FIRST)]
    assert len(forwards) == sum(len(names.split()) for names in lists)


@pytest.mark.parametrize("side", TABLES)
def test_each_name_leads_to_a_header_and_not_to_another_name(side):
    served = {name for folder in FOLDERS[side] for name in by_name(folder)}
    for included in " ".join(TABLES[side]).split():
        assert included in served, included


@pytest.mark.parametrize("side", FOLDERS)
def test_what_only_forwards_is_in_the_table(side):
    for folder in FOLDERS[side]:
        for name, file in by_name(folder).items():
            lines = {line.strip() for line in re.sub(r"//[^\n]*", "", file.read_text()).splitlines()} - {
                "",
                "#pragma once",
            }
            kept = name in (*AGAIN, MAIN, "launchpath/cub/all.h") or name.startswith(("amd/", "nvidia/"))
            assert kept or not all(line.startswith("#include <") for line in lines), name


def compiled(text, **around):
    source = text if not isinstance(text, str) else from_text(text, **around)
    return run.clang(source, {source.path: source.text}, {}, frontend.SPIRV)


@pytest.mark.compiles
def test_has_include():
    has = "".join(
        f"#if !__has_include(<{name}>)\n#error {name}\n#endif\n" for name in ("vector_types.h", "cuda/std/span")
    )
    assert compiled(has + "#if __has_include(<sm_10.h>)\n#error it is\n#endif\n" + KERNEL).succeeded


@pytest.mark.compiles
def test_include_next_goes_on_to_it(tmp_path):
    (tmp_path / "vector_types.h").write_text("#include_next <vector_types.h>\n#define MINE\n")
    text = "#include <vector_types.h>\n#ifndef MINE\n#error not mine\n#endif\nfloat2 f;\ncudaError_t e;\n"
    assert compiled(text + KERNEL, include_paths=[tmp_path]).succeeded


@pytest.mark.compiles
def test_an_error_in_the_file_that_includes_it(tmp_path):
    file = tmp_path / "user.cu"
    file.write_text("#include <vector_types.h>\n#include <cuda/std/tuple>\nint x = y;\n")
    (message, *_) = compiled(from_path(file)).messages
    assert (message.file, message.line, message.column) == (str(file), 3, 9)
