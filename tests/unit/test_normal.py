"""The form that sources have behind the door."""

import pytest

from launchpath._compiler.source.normal import from_str, normal
from launchpath.errors import CompileError


@pytest.mark.parametrize(
    ("text", "same"),
    [
        (b"a\r\nb\r\n", b"a\nb\n"),
        (b"a\rb\r", b"a\nb\n"),
        (b"a \\ \t\nb", b"a \\\nb"),
        (b"a \\\r\nb \\ \r\nc", b"a \\\nb \\\nc"),
        (b"// a \\ \r\nb", b"// a \\\nb"),
        (b"\xef\xbb\xbf#define A\r\n", b"#define A\n"),
        # In raw strings only the line's end.
        (b'a \\ \nR"(b \\ \r\n\r)" \\ \nc', b'a \\\nR"(b \\ \n\r)" \\\nc'),
        (b'// R"( \\ \nb \\ \n)"', b'// R"( \\\nb \\\n)"'),
        (b"// caf\xe9 \xa9\na", "// café ©\na".encode()),
        ("// é ".encode() + b"\xe9", "// é é".encode()),
        (b"/* \xe9 */ \"\xe9f\xff\" '\xe9'", "/* é */ \"\\351f\\377\" '\\351'".encode()),
        ("größe".encode(), "größe".encode()),
    ],
)
def test_what_means_the_same(text, same):
    assert normal(text, "a.cu") == same
    assert normal(same, "a.cu") == same


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"a\nb\0", "a.cu:2: expected text, got a zero byte"),
        ("a".encode("utf-16"), "a.cu: expected UTF-8 text, got UTF-16"),
        (b"// \xe9\n\xe9", "a.cu:2: expected UTF-8, got the byte 0xe9"),
        (b'\n\n R"(\xe9)"', "a.cu:3: expected UTF-8, got the byte 0xe9"),
    ],
)
def test_what_is_no_text(text, message):
    with pytest.raises(CompileError) as caught:
        normal(text, "a.cu")
    assert str(caught.value).startswith(message)


def test_half_of_a_surrogate_pair():
    with pytest.raises(CompileError, match=r"a.cu:2: expected text, got the lone surrogate '\\ud800'"):
        from_str("a\n\ud800", "a.cu")
