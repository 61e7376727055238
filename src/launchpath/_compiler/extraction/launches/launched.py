"""The instances of kernel templates that a program's own host code launches."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from ...clang import frontend, library_headers, precompiled
from ...clang.run import Outcome, clang
from ...clang.standin import StandIns
from ...kernels.declaration import KernelDeclaration
from ...kernels.instance import without_arguments
from ...messages.log import Message, is_missing
from ...source.active import blank
from ..pieces.piece import Piece
from ..unit import ParsedUnit
from . import classes
from . import warnings as launch_warnings
from .specialization import Specialization, specializations

# Templates are renamed for this search: Clang's filter takes every declaration whose name contains this.
_MARK = "__lp_template_"
_INCLUDE = re.compile(rb"[ \t]*#[ \t]*include\b")
_UNNAMED = re.compile(r"\((?:lambda|anonymous|unnamed)[^)]*\)|\blambda at\b")
_CONDITION = re.compile(rb"#\s*(?:if|el|end|define|undef|include)")
_LAUNCHES = re.compile(rb"<<<|\b(?:cuda|hip)\w*(?:Kernel|Occupancy|Func)|\btemplate\s*(?!<)\S[^;{]*;")
_LAUNCH = re.compile(rb"<<<|LaunchKernel|LaunchCooperativeKernel")
# Clang takes no braces there: `<<<{8, 8}, {16, 16}>>>`.
_CONFIGURATION = re.compile(rb"<<<[^;]*?>>>", re.DOTALL)
_BRACED = re.compile(rb"((?:<<<|,)\s*)\{")
_ROUNDS = 6
_DUMP = ("-fsyntax-only", "-w", "-ast-dump", f"-ast-dump-filter={_MARK}")


def launched(unit: ParsedUnit) -> tuple[list[str], list[Message]]:
    """Find the name expressions of the templates that host code launches or instantiates.

    Clang instantiates the templates that the host code uses, also template functions that launch other templates. It
    goes on after errors: the part of the host code that it understands is enough.

    Returns
    -------
    list of str
        In the order of their instantiation.
    list of Message
        Warnings about those that cannot be named, and launches that Clang does not understand.
    """
    if not any(_LAUNCHES.search(file.active.original) for file in unit.files.values()):
        return [], []
    names, warnings = _of_functions(unit, [each.name for each in unit.kernels.values() if _is_of_functions(each)])
    more, problems = _of_classes(unit, [kernel for kernel in unit.kernels.values() if kernel.of_template])
    return [*names, *more], list(dict.fromkeys([*warnings, *problems]))


def _is_of_functions(kernel: KernelDeclaration) -> bool:
    return kernel.template and not kernel.of_template


def _of_classes(unit: ParsedUnit, kernels: list[KernelDeclaration]) -> tuple[list[str], list[Message]]:
    """Find the launched kernels of class templates."""
    bodies = {kernel.name: (kernel.path, *body) for kernel in kernels if (body := _body(unit, kernel)) is not None}
    warnings = [
        _message_at(unit, kernel, "its body is not in the text, so nothing finds its launches: name its instances")
        for kernel in kernels
        if kernel.name not in bodies
    ]
    if not bodies:
        return [], warnings
    words = {kernel.name.rpartition("::")[2] for kernel in kernels}
    files = classes.marked({path: _as_host(unit, path) for path in unit.files}, bodies)
    files[unit.source.path] = classes.DECLARED + files[unit.source.path]
    outcome = _understood(unit, files, {}, None, classes.MODE)
    names: dict[str, None] = {}
    for name in classes.instances(outcome.messages, unit):
        kernel = unit.kernels[without_arguments(name)]
        if problem := _unnameable(unit, name):
            warnings.append(_message_at(unit, kernel, f"it is launched with {problem}"))
        else:
            names[name] = None
    templates = {without_arguments(name): None for name in names}
    warnings += [
        _message_at(unit, kernel, message.text)
        for kernel in kernels
        for message in outcome.messages
        if kernel.name not in templates and message.level.endswith("error")
        and (message.file, message.line) == (kernel.path, kernel.line)
    ]  # fmt: skip
    return list(names), [*warnings, *_misunderstood(unit, outcome, words, templates)]


def _message_at(unit: ParsedUnit, kernel: KernelDeclaration, problem: str) -> Message:
    """Warn that an instance of a kernel is left out."""
    text = f"kernel '{kernel.written}' is skipped: {problem}"
    return Message(unit.name_of(kernel.path), kernel.line, kernel.column, "warning", text)


def _of_functions(unit: ParsedUnit, templates: list[str]) -> tuple[list[str], list[Message]]:
    """Find the launched instances of function templates."""
    if not templates:
        return [], []
    words = {name.rpartition("::")[2] for name in templates}
    pattern = re.compile(rb"\b(?:" + b"|".join(re.escape(word.encode()) for word in sorted(words)) + rb")\b")
    files = {path: _renamed(unit, path, pattern) for path in unit.files}
    candidates, outcome, warned = _search(unit, templates, files)
    names: dict[str, None] = {}
    others: dict[str, dict[str, None]] = {}
    warnings: list[Message] = []
    for specialization in _with_lambdas(unit, files, candidates, warned):
        name = _kernel(specialization, templates)
        if name is None:
            continue
        kernel = unit.kernels[name]
        arguments = specialization.arguments and specialization.arguments.replace("(anonymous namespace)::", "")
        if problem := _unnameable(unit, arguments):
            text = f"kernel '{name}' is launched with {problem}: it is skipped"
            place = (unit.name_of(kernel.path), kernel.line, kernel.column)
            warnings.append(Message(*place, "warning", text))
        elif specialization.used:
            names[f"{name}<{arguments}>"] = None
        else:
            others.setdefault(name, {})[f"{name}<{arguments}>"] = None
    # Instances that are only named, in a branch that is not taken or beside an error, count if there are no others.
    for name, instances in others.items():
        if not any(instance.startswith(f"{name}<") for instance in names):
            names |= instances
    return list(names), [*warnings, *_misunderstood(unit, outcome, words, names)]


def _with_lambdas(
    unit: ParsedUnit, files: dict[str, bytes], candidates: Iterable[Specialization], warned: Outcome | None
) -> Iterator[Specialization]:
    """Yield the specializations with the names of lambdas in their arguments, once for each instance of a lambda.

    `warned` has Clang's warnings about launches, if they were asked for.
    """

    def column(path: str, line: int, column: int) -> int:
        return _column(files, path, line, column)

    def function(message: Message) -> Piece | None:
        return unit.piece_at(message.file, message.line, column(message.file, message.line, message.column))

    candidates = list(candidates)
    for each in candidates:
        arguments = each.arguments
        if arguments is None or "(lambda at " not in arguments:
            yield each
            continue
        instances: list[dict[str, list[str]]] = []
        if any(device_lambda.template for device_lambda in unit.lambdas().described(arguments, column)):
            warned = warned or clang(unit.source, files, frontend.HOST, launch_warnings.MODE)
            instances = launch_warnings.around(warned.messages, each.name, arguments, _MARK, function)
        named = {unit.lambdas().named(arguments, column, around): None for around in instances or [{}]}
        complete = [text for text in named if "(lambda at " not in text]
        # A use outside of the lambda's template does not tell the instance, which another use may do.
        for text in complete if len(complete) >= candidates.count(each) else named:
            yield replace(each, arguments=text)


def _unnameable(unit: ParsedUnit, arguments: str | None) -> str:
    """Why template arguments cannot be written; empty if they can."""
    if arguments is None or _UNNAMED.search(arguments):
        return "template arguments that have no name"
    pieces = [
        (file.active.text[piece.start : piece.end], piece) for file in unit.files.values() for piece in file.pieces
    ]
    for word in re.findall(r"[A-Za-z_]\w*", arguments):
        # Clang prints the same for a local class of a host function and for a class of that name outside.
        declares = re.compile(rb"\b(?:struct|class)\s+%s\b\s*(?:final\b\s*)?(?:\{|:(?!:))" % word.encode())
        if any(word in piece.names for _, piece in pieces) and any(
            not piece.device and b"(" in text.partition(b"{")[0] and declares.search(text) for text, piece in pieces
        ):
            return f"'{word}', the name of a class of a function and of one outside (give one of them another name)"
    return ""


def _pasted(unit: ParsedUnit, templates: list[str]) -> Iterator[str]:
    """Yield the names that macros make, and that therefore stand nowhere in the text."""
    for name in templates:
        kernel, word = unit.kernels[name], name.rpartition("::")[2]
        lines = unit.files[kernel.path].active.original.split(b"\n")
        line = lines[kernel.line - 1] if kernel.line <= len(lines) else b""
        if not line[kernel.column - 1 :].startswith(word.encode()):
            yield word


def _renamed(unit: ParsedUnit, path: str, pattern: re.Pattern[bytes]) -> bytes:
    """A file with its templates renamed, and without kernels' bodies: their syntax trees would be most of the dump.

    Nothing else is blanked: code that the device does not see may be the host's.
    """
    lost = {message.line for message in unit.missing if message.file == unit.name_of(path)}
    active = unit.files[path].active
    text = bytearray(active.original)
    for start, end in _bodies(unit, path):
        blank(text, start, end)
    lines = bytes(text).split(b"\n")
    for number, line in enumerate(lines):
        if _INCLUDE.match(line):
            if number + 1 in lost:
                lines[number] = b""
        else:
            lines[number] = pattern.sub(lambda match: _MARK.encode() + match[0], line)
    return _CONFIGURATION.sub(lambda match: _BRACED.sub(rb"\1dim3{", match[0]), b"\n".join(lines))


def _bodies(unit: ParsedUnit, path: str) -> Iterator[tuple[int, int]]:
    """Yield what stands between the braces of a file's kernels, where that is text without conditional parts."""
    for kernel in unit.kernels.values():
        if kernel.path == path and (body := _body(unit, kernel)) is not None:
            yield body


def _body(unit: ParsedUnit, kernel: KernelDeclaration) -> tuple[int, int] | None:
    """What stands between a kernel's braces, where that is text without conditional parts."""
    active, starts = unit.files[kernel.path].active, unit.lines(kernel.path).starts
    named = active.index(starts[kernel.line - 1] + kernel.column - 1)
    if not active.is_at(named, kernel.name.rpartition("::")[2].encode()) or not active.is_at(named + 1, b"("):
        return None
    opened = active.closing(named + 1) + 1
    start, end = active.tokens[opened].end, active.tokens[active.closing(opened)].start
    inside = (each.line for each in active.directives if start < each.start < end)
    is_text = active.is_at(opened, b"{") and not any(_CONDITION.match(line) for line in inside)
    return (start, end) if is_text else None


def _as_host(unit: ParsedUnit, path: str) -> bytes:
    """A file without the directives that include missing headers."""
    lost = {message.line for message in unit.missing if message.file == unit.name_of(path)}
    lines = unit.files[path].active.original.split(b"\n")
    host_lines = [b"" if number in lost and _INCLUDE.match(line) else line for number, line in enumerate(lines, 1)]
    return _CONFIGURATION.sub(lambda match: _BRACED.sub(rb"\1dim3{", match[0]), b"\n".join(host_lines))


def _column(files: Mapping[str, bytes], path: str, line: int, column: int) -> int:
    """The column in the source for a column in the text with renamed templates."""
    text = files[path].split(b"\n")[line - 1] if path in files else b""
    return column - len(_MARK) * text[: column - 1].count(_MARK.encode())


def _search(
    unit: ParsedUnit, templates: list[str], files: dict[str, bytes]
) -> tuple[Iterable[Specialization], Outcome, Outcome | None]:
    """Find the specializations, with the C++ library's headers read before if that is possible.

    The last outcome is that of the warnings about launches; None where they were not asked for, or are of no use.
    """
    names = {word: _MARK + word for word in _pasted(unit, templates)}
    headers, warned = None if names else _library(unit), None
    if headers is not None:
        warned = outcome = clang(unit.source, files, frontend.HOST, launch_warnings.MODE, headers)
        texts = {path: file.active.original for path, file in unit.files.items()}
        instances = launch_warnings.specializations(outcome.messages, templates, texts, _MARK)
        if instances is not None:
            return instances, outcome, warned
        if _may_conflict(outcome):
            headers = warned = None
    outcome = _understood(unit, files, names, headers)
    return specializations(outcome.output.decode(errors="replace").replace(_MARK, "")), outcome, warned


def _library(unit: ParsedUnit) -> str | None:
    """Give the precompiled headers of the C++ library, if the program can be read with them."""
    if not library_headers.wants(unit.source):
        return None
    headers = precompiled.find(unit.source, frontend.HOST, _DUMP, library_headers.HEADERS)
    return headers if unit.reads_library else None


def _may_conflict(outcome: Outcome) -> bool:
    """Whether an error may come from the precompiled headers."""
    return library_headers.may_conflict(outcome.messages, frontend.find().system)


def _understood(
    unit: ParsedUnit, files: dict[str, bytes], names: Mapping[str, str], headers: str | None,
    mode: tuple[str, ...] = _DUMP,
) -> Outcome:  # fmt: skip
    """Run Clang over the host code, until no missing header or declaration hides launches."""
    main = unit.source.path
    stand_ins = StandIns()
    for _ in range(_ROUNDS):
        texts = files | {main: stand_ins.text() + files[main]}
        outcome = clang(unit.source, texts, {**frontend.HOST, **names}, mode, headers)
        if headers is not None and _may_conflict(outcome):
            headers = None
            outcome = clang(unit.source, texts, {**frontend.HOST, **names}, mode)
        lost = {
            (message.file, message.line)
            for message in outcome.messages
            if is_missing(message.text) and message.file in files
        }
        for path, line in lost:  # a header that only the host includes
            lines = files[path].split(b"\n")
            lines[line - 1] = b""
            files[path] = b"\n".join(lines)
        if not lost and not ((unit.missing or unit.partly) and stand_ins.add(outcome.messages, files)):
            break
    return outcome


def _kernel(specialization: Specialization, templates: list[str]) -> str | None:
    """The kernel template of a specialization, if there is one in `templates`."""
    full = specialization.name.replace("(anonymous namespace)::", "")
    if full in templates:
        return full
    same = [name for name in templates if name.rpartition("::")[2] == full.rpartition("::")[2]]
    return same[0] if len(same) == 1 else None


def _misunderstood(unit: ParsedUnit, outcome: Outcome, words: set[str], names: Mapping[str, None]) -> Iterator[Message]:
    """Warn of launches that Clang refuses, where no instance of their template is known."""
    read = {name.partition("<")[0].rpartition("::")[2] for name in names}
    lines = {path: file.active.original.split(b"\n") for path, file in unit.files.items()}
    for message in outcome.messages:
        if message.file not in lines or not message.level.endswith("error"):
            continue
        line = lines[message.file][message.line - 1 : message.line]
        launched = {word for word in words - read if line and re.search(rb"\b%s\b" % word.encode(), line[0])}
        if launched and _LAUNCH.search(line[0]):
            text = f"launch of '{launched.pop()}' could not be read: {message.text.replace(_MARK, '')}"
            yield Message(unit.name_of(message.file), message.line, message.column, "warning", text)
