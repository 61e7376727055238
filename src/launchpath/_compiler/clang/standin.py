"""Stand-ins for the declarations of missing headers, so that the launches in host code can be read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ..messages.log import Message

_TYPE = re.compile(r"^unknown type name '(\w+)'")
_TEMPLATE = re.compile(r"^no template named '(\w+)'$")
_NAME = re.compile(r"^use of undeclared identifier '(\w+)'")
_MEMBER_TYPE = re.compile(r"^no type named '(\w+)' in '")
_MEMBER = re.compile(r"^no member named '(\w+)' in '")
_FUNCTION = re.compile(r"^'(\w+)' does not name a template but is followed by template arguments")
_LIBRARY = re.compile(
    r"^no (?:member|type|template) named '\w+' in namespace 'std'|^use of undeclared identifier 'std'"
)
_HEADERS = (
    "algorithm", "array", "atomic", "chrono", "cmath", "cstdint", "cstdio", "cstdlib", "cstring", "fstream",
    "functional", "iomanip", "iostream", "limits", "map", "memory", "numeric", "random", "set", "sstream", "string",
    "thread", "tuple", "type_traits", "unordered_map", "utility", "vector",
)  # fmt: skip
_EITHER = "class = typename __lp_if<__is_base_of(__lp_anything, A) || __is_base_of(__lp_anything, B), A>::type"
_OPERATORS = "\n".join(
    [
        f"template <class A, class B, {_EITHER}> int operator{sign}(const A &, const B &);"
        for sign in ("+", "-", "*", "/", "%", "<", ">", "<=", ">=", "==", "!=", "&&", "||")
    ]
    + [f"template <class A> A &operator{sign}=(A &, const __lp_anything &);" for sign in "+-*/"]
)
_ANYTHING = """template <bool, class T> struct __lp_if; template <class T> struct __lp_if<true, T> { typedef T type; };
struct __lp_anything {
  __lp_anything(); template <class... A> __lp_anything(A &&...);
  template <class T, class = typename __lp_if<!__is_class(T), T>::type> operator T() const;
  operator dim3() const;
  template <class... A> __lp_anything operator()(A &&...) const;
  template <class A> __lp_anything operator[](A &&) const; template <class A> __lp_anything operator<<(A &&) const;
  const __lp_anything *operator->() const; const __lp_anything *begin() const; const __lp_anything *end() const;
"""


class StandIns:
    """The stand-ins that a source wants so far."""

    def __init__(self) -> None:
        self._types: dict[str, None] = {}
        self._templates: dict[str, None] = {}
        self._variables: dict[str, None] = {}
        self._member_types: dict[str, None] = {}
        self._members: dict[str, None] = {}
        self._functions: dict[str, None] = {}
        self._library = False

    def add(self, messages: Iterable[Message], files: Mapping[str, bytes]) -> bool:
        """Add the names that the messages miss; False if there are no new names."""
        before = self.text()
        for message in messages:
            if message.file not in files or not message.level.endswith("error"):
                continue
            text = message.text
            if _LIBRARY.match(text):
                self._library = True  # a missing header may have included it
            elif (match := _TYPE.match(text)) is not None:
                self._types[match[1]] = None
            elif (match := _TEMPLATE.match(text)) is not None:
                self._templates[match[1]] = None
            elif (match := _NAME.match(text)) is not None:
                after = _after(files[message.file], message, match[1])
                kinds = self._variables if re.match(rb"[.)\],;+*/%&|?=-]", after) else self._types
                (self._templates if after.startswith(b"<") and not after.startswith(b"<<") else kinds)[match[1]] = None
            elif (match := _MEMBER_TYPE.match(text)) is not None:
                self._member_types[match[1]] = None
            elif (match := _FUNCTION.match(text)) is not None and match[1] in self._members:
                self._functions[match[1]] = None
            elif self.text() and (match := _MEMBER.match(text)) is not None:
                self._members[match[1]] = None
        return self.text() != before

    def text(self) -> bytes:
        """The declarations, to put before the source; empty if none is needed."""
        library = [f"#include <{header}>" for header in _HEADERS if self._library]
        if not (self._types or self._templates or self._variables):
            return "\n".join([*library, "#line 1", ""]).encode() if library else b""
        inner = [f"  struct {name};" for name in self._member_types]
        inner += [f"  template <class... T, class... A> static __lp_anything {name}(A...);" for name in self._functions]
        others = self._member_types.keys() | self._functions.keys()
        inner += [f"  static __lp_anything {name};" for name in self._members if name not in others]
        lines = [*library, _ANYTHING, *inner, "};", _OPERATORS]
        body = "{ using __lp_anything::__lp_anything; };"
        lines += [f"struct __lp_anything::{name} : __lp_anything {body}" for name in self._member_types]
        lines += [f"struct {name} : __lp_anything {body}" for name in self._types if name not in self._templates]
        lines += [f"template <class...> struct {name} : __lp_anything {body}" for name in self._templates]
        types = self._types.keys() | self._templates.keys()
        lines += [f"extern __lp_anything {name};" for name in self._variables if name not in types]
        return "\n".join([*lines, "#line 1", ""]).encode()


def _after(text: bytes, message: Message, name: str) -> bytes:
    """The text behind a name."""
    lines = text.split(b"\n")
    line = lines[message.line - 1] if message.line <= len(lines) else b""
    return line[message.column - 1 + len(name) :].lstrip()
