"""Device lambdas and local classes of host functions: they become classes that kernels can name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, count
from typing import Any, NamedTuple

from ...source.active import Active, changing_macros
from ...source.source import Source
from ...source.text import Lines
from .. import clang, parsed_headers
from .captured_type import LAMBDA_AT
from .captures import Captures, as_member
from .expansion import expanded
from .visitor import Parsed, Place, Tokens, Visitor

NAME = re.compile(r"\blambda_\d+(?:_\d+)*\b")
# The text before the classes.
TAIL = """
template <class T> struct __lp_same { typedef T type; };
template <class T> __lp_same<T> __lp_deduced(T);
template <class T> __lp_same<T> __lp_referred(const T &);
template <class T> T &__lp_value();
"""
_MACROS: Mapping[str, str | None] = {"__LP_HOST__": None}  # of the parse, and of the expansion


class Lambda(NamedTuple):
    """A lambda as a class."""

    name: str
    # the class, every line of the body at its own line; it has the captured variables as members, in the order of their
    # use
    text: str
    template: str = ""  # the function template on whose parameters it depends: it is a class template with the same


@dataclass(slots=True)
class Lambdas:
    """The lambdas of a source by their places (path, line, column), and the local classes by their names."""

    by_place: dict[Place, Lambda] = field(default_factory=dict)
    local: dict[str, Lambda] = field(default_factory=dict)

    def described(self, arguments: str, column: Callable[[str, int, int], int]) -> Iterator[Lambda]:
        """Yield the lambdas that template arguments describe; `column` as in `named`."""
        for match in LAMBDA_AT.finditer(arguments):
            if (device_lambda := self._of_match(match, column)) is not None:
                yield device_lambda

    def named(self, arguments: str, column: Callable[[str, int, int], int], around: Mapping[str, list[str]]) -> str:
        """Template arguments with the names of lambdas in place of their descriptions, where there are names.

        `column` gives the source's own column for a path, a line and a column of a description. `around` has the
        arguments of the function templates whose instances have the lambdas.
        """

        def name(match: re.Match[str]) -> str:
            device_lambda = self._of_match(match, column)
            if device_lambda is None:
                return match[0]
            if not device_lambda.template:
                return device_lambda.name
            if arguments.count(match[0]) > 1:  # of two instances perhaps, which are described by the same words
                return match[0]
            # An overload that takes the lambda does not contain it.
            others = [lambdas for lambdas in around.get(device_lambda.template, ()) if match[0] not in lambdas]
            return f"{device_lambda.name}<{self.named(others[0], column, around)}>" if others else match[0]

        return LAMBDA_AT.sub(name, arguments)

    def _of_match(self, match: re.Match[str], column: Callable[[str, int, int], int]) -> Lambda | None:
        path, line = match["path"], int(match["line"])
        return self.by_place.get((path, line, column(path, line, int(match["column"]))))

    def texts(self, names: set[str]) -> dict[str, str]:
        """The classes of these names, and those of the lambdas that these have as members."""
        needed = set(names)
        for device_class in reversed(self.by_place.values()):  # members come before
            if device_class.name in needed:
                needed.update(NAME.findall(device_class.text))
        return {
            device_class.name: device_class.text
            for device_class in (*self.local.values(), *self.by_place.values())
            if device_class.name in needed
        }


def lambdas(source: Source, files: dict[str, Active], library: Sequence[str] = ()) -> Lambdas:
    """Find the lambdas that are marked as device code, parsing the bodies of host functions.

    Lambdas that capture by reference, or the object around them, or depend on a class template around them, are left
    out. `library` has the headers of the C++ library that the source can be read with.
    """
    texts = {path: file.original for path, file in files.items()}
    visitor = Visitor(files, every_lambda=not source.cuda)
    with clang.lock:
        clang.forget_files()
        parsed = _translation_unit(source, texts, library)
        clang.visit(parsed.cursor, visitor.visit)
        device_lambdas = Lambdas()
        hidden: _Hidden | None = None
        changing = changing_macros(files.values())
        for number, name in _names(visitor.lambdas, files).items():
            each = visitor.lambdas[number]
            # The class stands behind the file, where a macro may mean something else.
            if each.tokens is not None and changing.isdisjoint(_words_of(each, files)):
                device_class = _class_in_file(each, name, files, visitor.usings(each.cursor), device_lambdas.by_place)
            else:
                hidden = hidden or _Hidden(source, texts, visitor.lambdas, library)
                device_class = hidden.class_of(number, name)
            if device_class is not None:
                text = _in_namespaces(device_class.text, name, visitor.namespaces(each.cursor))
                device_lambdas.by_place[each.place] = device_class._replace(text=text)
        classes = Counter(cursor.spelling for _, cursor in visitor.classes)
        for place, cursor in visitor.classes:
            # Clang does not tell which of several classes of a name a launch means.
            start, end = (clang.place(location).offset for location in (cursor.extent.start, cursor.extent.end))
            is_sure = classes[cursor.spelling] == 1 and changing.isdisjoint(files[place[0]].names(start, end))
            class_text = _local_class(cursor, place, files[place[0]]) if is_sure else None
            if class_text is not None:
                class_text = _in_namespaces(class_text, cursor.spelling, visitor.namespaces(cursor))
                device_lambdas.local[cursor.spelling] = Lambda(cursor.spelling, class_text)
    return device_lambdas


def _translation_unit(source: Source, texts: Mapping[str, bytes], library: Sequence[str]) -> Any:
    return parsed_headers.parse(source, texts, _MACROS, clang.KEEP_GOING | clang.INCOMPLETE, library)


def _names(parsed: list[Parsed], files: dict[str, Active]) -> dict[int, str]:
    """The names of the lambdas that are device code, by their numbers.

    Clang does not tell those apart that come from one use of a macro: these have none.
    """
    times = Counter(each.place for each in parsed)
    alone = [each.is_device and times[each.place] == 1 and each.place[0] in files for each in parsed]
    numbers = [number for number, is_alone in enumerate(alone) if is_alone]
    lines = Counter(parsed[number].place[1] for number in numbers)
    used_names: set[str] = set().union(*[file.names(0, len(file.text)) for file in files.values() if numbers])
    names: dict[int, str] = {}
    for number in numbers:
        _, line, column = parsed[number].place
        name = f"lambda_{line}" + (f"_{column}" if lines[line] > 1 else "")
        # Another file may have a lambda at the same line, and the program may use the name.
        name = next(
            filter(lambda candidate: candidate not in used_names, chain([name], (f"{name}_{i}" for i in count(2))))
        )
        used_names.add(name)
        names[number] = name
    return names


def _words_of(each: Parsed, files: Mapping[str, Active]) -> set[str]:
    """The names in a lambda."""
    file = files[clang.place(each.cursor.extent.start).path]
    assert each.tokens is not None
    return file.names(file.tokens[each.tokens.first].start, file.tokens[each.tokens.ended].end)


def local_names(names: set[str], files: dict[str, Active], declared: set[str]) -> set[str]:
    """Which names in template arguments may be those of local classes: of classes that are in functions only."""
    others = names - declared
    if not others:
        return set()
    pattern = re.compile(rb"\b(?:struct|class)\s+(%s)\b" % b"|".join(map(re.escape, map(str.encode, others))))
    return {match[1].decode() for file in files.values() for match in pattern.finditer(file.text)}


def _in_namespaces(text: str, name: str, within: list[str]) -> str:
    """A class in the namespaces around its function, where its names are looked up."""
    if not within:
        return text
    scope = "".join(f"namespace {namespace} {{ " for namespace in within)
    outer = "::".join(["", *filter(None, within), name])
    return f"\n{scope}{text}{'}' * len(within)}\nusing {outer};\n"


class _Hidden:
    """The lambdas whose bodies macros begin or end, as they stand after the macros."""

    def __init__(
        self, source: Source, texts: Mapping[str, bytes], before: list[Parsed], library: Sequence[str]
    ) -> None:
        self._expansion = expanded(source, texts, _MACROS)
        file = self._expansion.file
        visitor = Visitor({source.path: file}, [b"device"], not source.cuda)  # within `__attribute__`
        # They are alive for as long as it is.
        self._unit = _translation_unit(source, {source.path: file.original}, library)
        clang.visit(self._unit.cursor, visitor.visit)
        self._visitor, self._lambdas = visitor, visitor.lambdas
        places = [self._expansion.origin(clang.place(each.cursor.extent.start).offset) for each in visitor.lambdas]
        # The macros of a header may be unlike: a lambda must never be taken for another.
        self._are_same = places == [each.place[:2] for each in before]
        self._macros = {name for name, _ in source.defines}.union(*(Active(text).macros for text in texts.values()))

    def class_of(self, number: int, name: str) -> Lambda | None:
        """The class of a lambda, by its number among all of them."""
        if not self._are_same or not self._lambdas[number].is_device:
            return None
        expansion = self._expansion
        each = self._lambdas[number]
        usings = self._visitor.usings(each.cursor)
        device_class = _class(each, name, expansion.file, expansion.origin, expansion.directed, usings, {})
        if device_class is None:
            return None
        # What a macro of its own name leaves must not be expanded once more.
        again = sorted(self._macros.intersection(re.findall(r"[A-Za-z_]\w*", device_class.text)))
        before = "".join(f'#pragma push_macro("{macro}")\n#undef {macro}\n' for macro in again)
        after = "".join(f'#pragma pop_macro("{macro}")\n' for macro in again)
        return device_class._replace(text=f"\n{before}{device_class.text}{after}")


def _class_in_file(
    device_lambda: Parsed, name: str, files: Mapping[str, Active], usings: Sequence[str], inner: Mapping[Place, Lambda]
) -> Lambda | None:
    path = clang.place(device_lambda.cursor.extent.start).path
    file = files[path]
    lines = Lines(file.original)
    return _class(
        device_lambda,
        name,
        file,
        lambda offset: (path, lines.position(offset)[0]),
        lambda start, end: file.original[start:end].decode(errors="replace"),
        usings,
        inner,
    )


def _class(
    device_lambda: Parsed,
    name: str,
    file: Active,
    origin: Callable[[int], tuple[str, int]],
    text_of: Callable[[int, int], str],
    usings: Sequence[str],
    inner: Mapping[Place, Lambda],
) -> Lambda | None:
    """The class of a lambda. `origin` gives the path and the line of an offset, `text_of` the text between two.

    `usings` has the function's declarations that change which names are visible, `inner` the lambdas before.
    """
    if device_lambda.tokens is None:
        return None
    tokens = file.tokens
    _, first, _, opened, ended = device_lambda.tokens
    initializers = _initializers(file, device_lambda.tokens)
    if initializers is None:
        return None
    template = device_lambda.template
    around = Captures(
        file,
        tokens[first].start,
        tokens[ended].end,
        parameters=template.names if template is not None else (),
        initializers=initializers,
        lambdas=inner,
        is_member=template is not None and template.is_member,
    )
    if not around.collect(device_lambda.cursor):
        return None
    operator = _operator(file, device_lambda.tokens, around)
    members = "".join(f" typename __lp_same<{kind}>::type {member};" for member, kind in around.members.items())
    types = "".join(f" {text}" for text in around.types())
    copies = "".join([*(f" {text}" for text in usings), *(f" {text};" for text in around.locals())])
    path, line = origin(tokens[first].start)
    start = tokens[opened].end
    body_path, row = origin(start)
    indent = " " * (start - (file.original.rfind(b"\n", 0, start) + 1))
    outer = template if around.depends else None
    before = f"template <{outer.written}> " if outer is not None else ""
    head = f"{before}struct {name} {{{types}{members} {operator} {{{copies} {{".replace("\n", " ")
    body = around.with_qualified(start, tokens[ended].end, text_of)
    text = f'\n#line {line} "{path}"\n{head}\n#line {row} "{body_path}"\n{indent}{body} }} }};\n'
    return Lambda(name, text, outer.function if outer is not None else "")


def _initializers(file: Active, tokens: Tokens) -> list[tuple[int, int]] | None:
    """Where the initializers of a lambda's captures stand, as in ``[p = view.data()]``; None if it takes references."""
    if not file.is_at(tokens.first, b"["):  # a macro
        return None if {b"&", b"this", b"*"} & set(tokens.captures) or b"=" in tokens.captures[1:] else []
    places: list[tuple[int, int]] = []
    index = tokens.first + 1
    while index < tokens.closed:
        last = index
        while last < tokens.closed and not file.is_at(last, b","):
            last = max(last, file.closing(last) if file.is_at(last, b"(", b"[", b"{") else last) + 1
        by_default = file.is_at(index, b"=") and last == index + 1
        if file.is_at(index + 1, b"="):
            places.append((file.tokens[index + 1].end, file.tokens[last - 1].end))
        elif not by_default and (last > index + 1 or file.tokens[index].kind != "name" or file.is_at(index, b"this")):
            return None
        index = last + 1
    return places


def _operator(file: Active, tokens: Tokens, around: Captures) -> str:
    """The declaration of a lambda's operator."""

    def written(first: int, last: int) -> str:
        start, end = file.tokens[first].start, file.tokens[last].end
        return around.with_qualified(start, end, file.on_one_line)

    between = range(tokens.closed + 1, tokens.opened)
    attributes = {
        token for i in between if file.is_at(i, b"__attribute__") for token in range(i, file.closing(i + 1) + 1)
    }
    brackets = next((i for i in between if file.is_at(i, b"(") and i not in attributes), None)
    parameters, returned = "()", ""
    if brackets is not None:
        after = file.closing(brackets)
        parameters = written(brackets, after)
        arrow = next((i for i in range(after, tokens.opened) if file.is_at(i, b"-") and file.is_at(i + 1, b">")), None)
        returned = " " + written(arrow, tokens.opened - 1) if arrow is not None else ""
    constant = "" if any(file.is_at(i, b"mutable") for i in between) else " const"
    generic: list[str] = []

    def parameter(_: re.Match[str]) -> str:
        generic.append(f"_Auto{len(generic)}")
        return generic[-1]

    parameters = re.sub(r"\bauto\b", parameter, parameters)
    template = f"template <{', '.join(f'class {type_name}' for type_name in generic)}> " if generic else ""
    return f"{template}__attribute__((device)) auto operator(){parameters}{constant}{returned}"


def _local_class(cursor: Any, place: tuple[str, int, int], file: Active) -> str | None:
    """A local class as it is, with what it uses of its function's types and constants; None if it uses more."""
    start, end = clang.place(cursor.extent.start).offset, clang.place(cursor.extent.end).offset
    around = Captures(file, start, end, is_class=True)
    if not around.collect(cursor) or around.members:
        return None
    opened = next((i for i in range(file.index(start), file.index(end)) if file.is_at(i, b"{")), None)
    if opened is None:
        return None
    inside = file.tokens[opened].end
    # The names that it uses become its members. A base in its head cannot see those.
    if not file.names(start, inside).isdisjoint(around.copied) or any(offset < inside for offset in around.qualified):
        return None
    copies = " ".join(as_member(text) for text in around.copied.values())
    path, line, _ = place
    row = line + file.original[start:inside].count(b"\n")
    indent = " " * (inside - (file.original.rfind(b"\n", 0, inside) + 1))
    head = file.on_one_line(start, inside)
    body = around.with_qualified(inside, end, lambda start, end: file.original[start:end].decode(errors="replace"))
    return f'\n#line {line} "{path}"\n{head} public: {copies}\n#line {row} "{path}"\n{indent}{body};\n'
