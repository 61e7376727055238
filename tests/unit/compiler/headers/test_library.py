"""The precompiled headers of the C++ library: which sources want them, and which errors may come from them."""

import pytest

from launchpath._compiler.clang import library_headers
from launchpath._compiler.messages.log import Message
from launchpath._compiler.source.source import from_path, from_text

SYSTEM = ("/system/",)


def messages(*parts: tuple[str, str, str]) -> list[Message]:
    return [Message(file, 1, 1, level, text) for level, file, text in parts]


def test_sources_that_want_them():
    assert library_headers.wants(from_text("#include <vector>\n"))
    assert not library_headers.wants(from_text("#include <cstdint>\n#include <own.h>\n"))


def test_headers_of_the_users_that_want_them(tmp_path):
    (tmp_path / "include").mkdir()
    (tmp_path / "include" / "inner.h").write_text("#include <outer.h>\n# include <map>\n")
    (tmp_path / "outer.h").write_text('#include "include/inner.h"\n')
    main = tmp_path / "main.hip"
    main.write_text('#include "outer.h"\n')
    assert library_headers.wants(from_path(main))
    main.write_text("#include <outer.h>\n")
    assert not library_headers.wants(from_path(main))
    assert library_headers.wants(from_path(main, include_paths=[tmp_path]))
    (tmp_path / "outer.h").write_text('#include "main.hip"\n')
    assert not library_headers.wants(from_path(main, include_paths=[tmp_path]))


def test_headers_passed_as_texts_that_want_them():
    headers = {"own.h": "#include <inner/own.h>\n", "inner/own.h": "#include <vector>\n"}
    assert library_headers.wants(from_text("#include <own.h>\n", headers=headers))
    assert not library_headers.wants(from_text("#include <own.h>\n", headers={"own.h": "", "other.h": "<vector>"}))


@pytest.mark.parametrize(
    "text",
    [
        "'boost/any.hpp' file not found",
        "use of undeclared identifier 'MPI_Init'",
        "no member named 'sort' in namespace 'thrust'",
        "no type named 'go' in 'thing'",
    ],
)
def test_missing_names_are_no_conflict(text):
    assert not library_headers.may_conflict(messages(("error", "/main.hip", text)), SYSTEM)


def test_errors_are_judged_by_the_places_of_their_notes():
    error = ("error", "/main.hip", "redefinition of 'vector'")
    own, system = ("note", "/main.hip", "previous definition"), ("note", "/system/vector", "previous definition")
    warning = ("warning", "/main.hip", "unused")
    assert library_headers.may_conflict(messages(error), SYSTEM)
    assert library_headers.may_conflict(messages(error, warning, own), SYSTEM)
    assert library_headers.may_conflict(messages(error, own, system), SYSTEM)
    assert not library_headers.may_conflict(messages(error, own, warning), SYSTEM)
    assert not library_headers.may_conflict(messages(warning), SYSTEM)
