"""Tokens and continued lines of source text."""

import pytest

from launchpath._compiler.source.active import Active
from launchpath._compiler.source.text import Joined, tokens


def tokens_of(text: bytes) -> list[tuple[bytes, int, int]]:
    return [(token.text, token.start, token.end) for token in tokens(text)]


def test_tokens_are_where_they_stand_in_continued_lines():
    assert tokens_of(b"a b\\\nc \\  \n d") == [(b"a", 0, 1), (b"bc", 2, 6), (b"d", 12, 13)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"a /\\\n/ b\nc", [b"a", b"c"]),
        (b"a // b \\ \n c\nd", [b"a", b"d"]),
        (b"a /\\\n* b *\\\n/ c", [b"a", b"c"]),
        (b'a R"x(b)" \\\n )y" c)x" d', [b"a", b"d"]),
        (b'a u8R"(")" b', [b"a", b"b"]),
        (b'a R"()\\\n") d', [b"a"]),  # lines are not joined in a raw string, so nothing ends it
        (b"1'000 + 'a' L'b' c", [b"1'000", b"+", b"'a'", b"L'b'", b"c"]),
        (b"<% x<:0:> = f<::g>(); %>", b"{ x [ 0 ] = f < : : g > ( ) ; }".split()),
        ("größe $x".encode(), ["größe".encode(), b"$x"]),
    ],
)
def test_tokens(text, words):
    assert [word for word, _, _ in tokens_of(text) if not word.startswith((b'R"', b"u8"))] == words


def test_places_go_both_ways():
    source = b"ab\\\ncd\\ \n\\\nef"
    joined = Joined(source)
    assert joined.text == b"abcdef"
    assert [source[joined.start(at) : joined.end(at + 1)] for at in range(6)] == [b"%c" % c for c in b"abcdef"]
    assert [joined.within(joined.start(at)) for at in range(6)] == [*range(6)]


def directives(text: bytes) -> list[tuple[int, int, bytes]]:
    return [
        (directive.start, directive.end, b" ".join(directive.line.split())) for directive in Active(text).directives
    ]


def test_a_directive_goes_on_behind_a_comment_of_several_lines():
    text = b"/* a\n */ #define A 1 /* b\n c */ + 2\nint x;"
    assert [line for _, _, line in directives(text)] == [b"#define A 1 + 2"]
    assert Active(text).text == b"    \n    #define A 1 /* b\n c */ + 2\nint x;"


def test_what_looks_like_a_directive_in_a_string_is_none():
    assert directives(b'auto a = R"(\n#define A\n)";\n  #undef B\n%:undef C') == [
        (29, 37, b"#undef B"),
        (38, 47, b"#undef C"),
    ]


def test_an_include_of_several_lines_is_put_on_a_single_line():
    text = b'#include \\\n /* a\n b */ "c.h"\nint x;'
    assert Active(text).text == b'#include "c.h"'.ljust(26) + b"\n\n\nint x;"


def test_names_in_macros_of_several_lines():
    text = b"#define A(x) f(x) + \\\n  g /* h\n h */ + i // j \\\n k\n l"
    assert Active(text).macros == {"A": {"x", "f", "g", "i"}}
