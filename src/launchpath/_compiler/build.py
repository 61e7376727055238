"""From a parsed source to SPIR-V."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace

from ..errors import CompileError
from . import backend, empty_assembly, frontend, heap_operators, host_code, unused
from .host_code import OTHER_LAYOUT
from .indirect import indirect_calls
from .instance import GENERATED, Instance, access
from .log import Message, render
from .piece import Piece
from .run import Outcome, assemble, clang, link
from .signature import Layout
from .target import SPIRV, Target
from .unit import Unit

_ATTEMPTS = 5
_UNDECLARED = re.compile(r"undeclared identifier '(\w+)'|no member named '(\w+)'|identifier \"(\w+)\" is undefined")
_HOST_API = re.compile(r"(?:cuda|hip)[A-Z]\w*")
_NESTED = "launches from kernels (dynamic parallelism) are not supported: launch from the host"
# The messages of Clang and NVRTC about such a launch.
_LAUNCHES = ("device-side kernel call/launch is not supported", "device-side kernel launch could not be processed")
_STD = re.compile(rb"std\s*::\s*(\w+)")
_OWN_CONVENTION = "__attribute__((device_kernel))"  # in the type of what the attribute alone makes a kernel
_GLOBAL = re.compile(rb"@([\w.$]+)")  # in LLVM's text
_STATIC = re.compile(rb"(?<=@)([\w.$]+)\.static\.[0-9a-f]+(?= = )")


def to_spirv(
    unit: Unit,
    instances: list[Instance],
    layout: Layout,
    target: Target,
    laid_out_again: Callable[[], Layout],
    part: str = "",
) -> tuple[bytes, str]:
    """Compile to SPIR-V, or one of several files of a program to LLVM's bitcode.

    Parameters
    ----------
    unit : Unit
    instances : list of Instance
        The kernels wanted.
    layout : Layout
        The kernels' parameters, and the device globals.
    target : Target
    laid_out_again : callable
        Gives the layout of the unit's whole text, which is compiled if the kernels need host code.
    part : str
        A name that no other file of the program has, if there are several files.

    Returns
    -------
    bytes
        The module; its entry points are the instances'.
    str
        The compiler's warnings, at the source's own lines.

    Raises
    ------
    CompileError
        With the compiler's messages at the source's own lines.
    """
    outcomes = _attempts(unit, instances, layout, target, part)
    messages = [message for outcome in outcomes for message in outcome.messages]
    last = outcomes[-1]
    if not last.succeeded and host_code.is_missed(unit, messages):
        kept = host_code.Kept(unit)
        with suppress(CompileError):
            *_, last = _attempts(unit, instances, laid_out_again(), target, part)
        if not last.succeeded:
            kept.undo()
    if last.succeeded:
        lost = [
            missing._replace(level="warning", text=f"{missing.text}; the kernels do without it")
            for missing in unit.missing
        ]
        warnings = [render_all(unit, lost), rendered(unit, instances, last.messages)]
        return last.output, "\n".join(filter(None, warnings))
    # The messages of an attempt with host code would be about that.
    outcome = min(
        outcomes, key=lambda candidate: sum(message.level.endswith("error") for message in candidate.messages)
    )
    messages = [*host_classes(unit), *outcome.messages, *hints(unit, outcome)]
    log = rendered(unit, instances, messages, errors=True)
    if unit.missing:
        log = f"{render_all(unit, unit.missing)}\n{log}"
    raise CompileError(f"{unit.source.name} does not compile:\n{log}", log)


def _attempts(unit: Unit, instances: list[Instance], layout: Layout, target: Target, part: str) -> list[Outcome]:
    """Run Clang with more headers or with less host code until it succeeds, or nothing is left to try."""
    expressions = [instance.expression for instance in instances]
    every_header = unit.whole
    operators = heap_operators.tail(unit)
    outcomes: list[Outcome] = []
    for _ in range(_ATTEMPTS):
        tail = generated(instances, layout, expressions) + operators
        reduced = {path: empty_assembly.with_any_register(text) for path, text in unit.reduced(every_header).items()}
        files = unit.with_tail(reduced, tail)
        # At first libc++'s headers bring only what they are for: that is several times faster.
        sparing: dict[str, str | None] = access(instances)
        sparing[frontend.EVERY_HEADER if every_header else "_LIBCPP_REMOVE_TRANSITIVE_INCLUDES"] = None
        if unit.whole:
            files = {path: host_code.without_launches(text) for path, text in files.items()}
            sparing[frontend.HOST_CALLS] = None
        outcome = _translated(unit, files, target, sparing, part)
        outcomes.append(outcome if outcome.succeeded else _placed(unit, files, target, sparing, outcome))
        if outcome.succeeded:
            break
        is_ambiguous = any(message.file.startswith(GENERATED) for message in outcome.messages)
        if is_ambiguous and expressions != (with_types := typed(instances, layout)):
            expressions = with_types  # the headers, or the program, have functions of a kernel's name
        elif not every_header and (unit.includes or b"std" in unit.source.text):
            every_header = True
        elif not drop_host_code(unit, outcome):
            break
    return outcomes


def _translated(
    unit: Unit, files: Mapping[str, bytes], target: Target, sparing: Mapping[str, str | None], part: str
) -> Outcome:
    """Run Clang; where its SPIR-V backend or devices lack what the text has, go on from LLVM's text without that."""
    macros = {**target.macros, **sparing}
    if unit.source.options.fast_math:
        macros[frontend.FAST_MATH] = None
    checked = frontend.CHECKED if target.bounds else ()
    if part:
        text = clang(unit.source, files, macros, [*frontend.PART, *checked, f"-cuid={part}"])
        return _statics_united(unit, text) if text.succeeded else text
    care = frontend.in_step(files) if target.form == SPIRV else ()
    if not target.bounds:  # checks inline as much
        care += frontend.with_known_groups(files)
    options = unit.source.options
    if "__LP_FLAT__" in target.macros:
        options = frontend.with_returns(options, files)
    mode = (*frontend.optimized(frontend.SPIRV, target.form, options), *care)
    llvm = (*frontend.optimized(frontend.LLVM, target.form, options), *care)
    if target.bounds:
        text = clang(unit.source, files, macros, [*llvm, *checked])
        return _marked(unit, text, mode) if text.succeeded else text
    if backend.may_be_rewritten(files.values()):
        text = clang(unit.source, files, macros, llvm)
        if (outcome := backend.rewritten(unit, text, mode)) is not None:
            return outcome
    return backend.translated(
        unit, lambda: clang(unit.source, files, macros, mode), lambda: clang(unit.source, files, macros, llvm), mode
    )


def _marked(unit: Unit, text: Outcome, mode: tuple[str, ...]) -> Outcome:
    """Go on from LLVM's text with a mark at each access to memory, whose places `unit.accesses` then has."""
    from . import access_marks  # noqa: PLC0415 (only some devices need it)

    marked = access_marks.mark(text.output.decode(errors="surrogateescape"))
    unit.accesses = marked.places
    text = replace(text, output=marked.text.encode(errors="surrogateescape"))
    text = backend.without_small_atomics(text) or text
    outcome = backend.in_cycles(unit, text, mode)
    return outcome or backend.from_text(unit, text, mode, "-disable-llvm-passes")


def _statics_united(unit: Unit, text: Outcome) -> Outcome:
    """Make bitcode of LLVM's text, with one name for each static variable.

    Clang adds the file to the name of a static variable that the host may see. Uses before Clang knows this keep the
    old name, which nothing defines.
    """
    names = {match[1]: match[0] for match in _STATIC.finditer(text.output)}
    lines = []
    for line in text.output.split(b"\n"):
        name, defined, _ = line.partition(b" = external ")
        if not (defined and name[1:] in names):
            lines.append(_GLOBAL.sub(lambda match: b"@" + names.get(match[1], match[1]), line) if names else line)
    bitcode = assemble(unit.source, b"\n".join(lines), frontend.BITCODE)
    return replace(bitcode, messages=[*text.messages, *bitcode.messages])


def linked(unit: Unit, modules: list[bytes], target: Target, is_plain: bool) -> Outcome:
    """Make SPIR-V of the bitcode of all files of a program; messages without a place name the first, `unit`.

    `is_plain` says that none of the sources may be rewritten.
    """
    mode = frontend.optimized(frontend.SPIRV, target.form)
    llvm = frontend.optimized(frontend.LLVM, target.form)
    if target.bounds:
        text = link(unit.source, modules, llvm)
        return _marked(unit, text, mode) if text.succeeded else text
    if not is_plain and (outcome := backend.rewritten(unit, link(unit.source, modules, llvm), mode)) is not None:
        return outcome
    return backend.translated(
        unit, lambda: link(unit.source, modules, mode), lambda: link(unit.source, modules, llvm), mode
    )


def _placed(
    unit: Unit, files: Mapping[str, bytes], target: Target, sparing: Mapping[str, str | None], outcome: Outcome
) -> Outcome:
    """Add the place to the backend's message about an indirect call: the backend does not know it."""
    if not any(backend.INDIRECT in message.text and not message.line for message in outcome.messages):
        return outcome
    text = clang(
        unit.source, files, {**target.macros, **sparing}, [*frontend.LLVM, "-debug-info-kind=line-tables-only"]
    )
    places = indirect_calls(text.output.decode(errors="replace"))
    own = list(dict.fromkeys(place for place in places if place[0] in unit.files))[:1]
    messages = [
        message._replace(file=path, line=line, column=column, text=backend.MEANINGS[backend.INDIRECT])
        for message in outcome.messages
        if backend.INDIRECT in message.text
        for path, line, column in own
    ]
    others = [message for message in outcome.messages if not own or backend.INDIRECT not in message.text]
    return replace(outcome, messages=[*dict.fromkeys(messages), *others])


def hints(unit: Unit, outcome: Outcome) -> Iterator[Message]:
    """Point to host-only declarations that kernels use."""
    for message in outcome.messages:
        match = _UNDECLARED.search(message.text)
        name = next(filter(None, match.groups()), "") if match is not None else ""
        if _HOST_API.fullmatch(name):
            text = f"'{name}' is of the host's API, which kernels do not have; {_NESTED}"
            yield message._replace(level="note", text=text)
        for path, start in unit.host_places(name) if name else ():
            place = unit.lines(path).position(start)
            yield Message(path, *place, "note", f"'{name}' is here, in host code; kernels need it to be __device__")
        if backend.ASSEMBLY.search(message.text):
            for path, start in unit.places_of(*empty_assembly.WORDS):
                if empty_assembly.has_instruction(unit.files[path].active.text, start):
                    text = "inline assembly works on a single kind of device, and this device does not support it"
                    yield Message(path, *unit.lines(path).position(start), "error", text)


def host_classes(unit: Unit) -> Iterator[Message]:
    """Point to classes of the C++ library that kernels use and that are for the host; for sources that fail."""
    from .hints import HOST_CLASSES, host_class  # noqa: PLC0415 (only sources that fail need hints)

    for path, start in unit.places_of(*HOST_CLASSES):
        text = unit.files[path].active.text
        before = text.rfind(b"std", 0, start)
        match = _STD.match(text, before) if before >= 0 else None
        if match is not None and match.start(1) == start:
            yield Message(path, *unit.lines(path).position(start), "error", host_class(match[1].decode()))


def typed(instances: Iterable[Instance], layout: Layout) -> list[str]:
    """The kernels' addresses for programs that have other functions of the same names."""
    return [instance.typed_expression(types) for instance, types in zip(instances, layout.types, strict=True)]


def generated(instances: Iterable[Instance], layout: Layout, expressions: Iterable[str]) -> str:
    """Write the kernels that a driver sees: each unpacks the packed block of arguments, or the block at an address.

    All names in the text are reserved names. A program may not have them, so neither side hides the other's names.
    """
    # Static globals that nothing on the host's side names would be folded to their initial values.
    uses = "".join(f" (void)&::{name};" for name in layout.variables)
    text = ["", '#line 1 "launchpath globals"']
    text.append(f"static __attribute__((host, unused)) void __lp_host_uses() {{{uses} }}")
    for number, (instance, signature, expression) in enumerate(
        zip(instances, layout.signatures, expressions, strict=True)
    ):
        text.append(f'#line 1 "{GENERATED}{number}"')
        kernel = f"__LP_CALL_OF({expression})"
        asserts = "".join(
            f" static_assert(sizeof({kernel}::__type<{i}>) == {p.size} && alignof({kernel}::__type<{i}>) == {p.align}, "
            f'"{OTHER_LAYOUT.format(p.name, instance.name)}");'
            for i, p in enumerate(signature.parameters)
            if p.kind == "struct"
        )
        if signature.fields:
            asserts += (
                f" static_assert(sizeof(*({kernel}::__type<0>)0) == {signature.fields_size}, "
                f'"{OTHER_LAYOUT.format(signature.parameters[0].name, instance.name)}");'
            )
        offsets = ", ".join(str(parameter.offset) for parameter in signature.parameters)
        packed_struct, parameter, argument, call = "", "", "nullptr", "__call"
        if signature.block:
            call = "__call_with_block"
            parameter, argument = f"__LP_BLOCK({signature.align}) __lp_block", "(const unsigned char *)__lp_block"
        elif signature.parameters:
            packed = f"__lp_packed{instance.entry}"  # by which `spirv.foreign` knows our own modules
            parameter, argument = f"{packed} __lp_block", "__lp_block.__bytes"
            packed_struct = (
                f"struct alignas({signature.align}) {packed} {{ unsigned char __bytes[{signature.size}]; }};"
            )
        entry = f'extern "C" __attribute__((global)) void {instance.entry}({parameter})'
        text.append(f"{packed_struct}{asserts} {entry} {{ {kernel}::{call}<{offsets}>({argument}); }}")
    return "\n".join([*text, ""])


def pieces_with_errors(unit: Unit, messages: Iterable[Message]) -> dict[tuple[str, int], Piece]:
    """Find the pieces that errors are in, by path and start."""
    pieces = {}
    for message in messages:
        piece = unit.piece_at(message.file, message.line, message.column) if message.level.endswith("error") else None
        if piece is not None:
            pieces[message.file, piece.start] = piece
    return pieces


def drop_host_code(unit: Unit, outcome: Outcome) -> bool:
    """Leave out the pieces with errors that are not marked as device code; False if there are errors elsewhere.

    Classes are still declared: what kernels take may have pointers to them.
    """
    wanted: dict[tuple[str, int], Piece] = {}
    for message in outcome.messages:
        if not message.level.endswith("error"):
            continue
        piece = unit.piece_at(message.file, message.line)
        if piece is None or piece.device or (message.file, piece.start) in unit.dropped:
            return False
        wanted[message.file, piece.start] = piece
    unit.dropped |= {place for place, piece in wanted.items() if not piece.leave_less()}
    return bool(wanted)


def rendered(unit: Unit, instances: list[Instance], messages: Iterable[Message], errors: bool = False) -> str:
    """Messages in the terms of the user's own files.

    Messages about our own and the system's headers are left out. An error in such a header is shown at the user's
    line from which the compiler came there.
    """
    shown: list[Message] = []
    waiting: Message | None = None
    skipping = False
    for message in unused.local(unit, messages):
        own = _own(unit, instances, message)
        if message.level == "note":
            if own is None:
                continue
            if waiting is not None:
                own, waiting = own._replace(level=waiting.level, text=waiting.text), None
            elif skipping:
                continue
            shown.append(own)
            continue
        if waiting is not None:
            shown.append(waiting)
        waiting, skipping = None, False
        if own is not None and (message.level.endswith("error") or not errors):
            shown.append(own)
        elif backend.ASSEMBLY.search(message.text) and unit.places_of(*empty_assembly.WORDS):
            pass  # the hint says it
        elif own is None and message.level.endswith("error"):
            explanation = next((text for part, text in backend.MEANINGS.items() if part in message.text), message.text)
            waiting = message._replace(level="error", file=unit.source.name, line=0, column=0, text=explanation)
        else:
            skipping = True
    if waiting is not None:
        shown.append(waiting)
    return render_all(unit, dict.fromkeys(shown))


def _own(unit: Unit, instances: list[Instance], message: Message) -> Message | None:
    """The message at the user's file, or None if it is about another."""
    level = message.level.removeprefix("fatal ")
    if message.text.startswith(_LAUNCHES):
        message = message._replace(text=_NESTED)
    if " is unavailable: " in message.text and "this device" in message.text:
        message = message._replace(text=f"{message.text}; platforms that take SPIR-V have it, such as Intel's OpenCL")
    if message.file.startswith(GENERATED):
        instance = instances[int(message.file[len(GENERATED) :])]
        at = instance.declaration
        text = message.text
        if _OWN_CONVENTION in text:
            text = "expected __global__ for a kernel, got __attribute__((global))"
        if level == "error" and not text.startswith(("static assertion", "static_assert")):
            text = f"kernel '{instance.name}': {text}"
        return message._replace(file=unit.name_of(at.path), line=at.line, column=at.column, level=level, text=text)
    if message.file in unit.files:
        return message._replace(file=unit.name_of(message.file), level=level)
    # `#line` may give a place any name; ours and the system's headers lie in absolute folders.
    named = message.file in {unit.name_of(path) for path in unit.files}
    if named or (message.file and not message.file.startswith(("/", "<", "launchpath "))):
        return message._replace(level=level)
    return None


def render_all(unit: Unit, messages: Iterable[Message]) -> str:
    """Render messages with the lines of the user's files that they are about."""
    paths = {unit.name_of(path): path for path in unit.files}
    parts = []
    for message in list(messages)[:60]:
        if not message.line:
            parts.append(f"{message.file}: {message.level}: {message.text}")
        else:
            parts.append(render([message], unit.lines(paths.get(message.file, ""))))
    return "\n".join(parts)
