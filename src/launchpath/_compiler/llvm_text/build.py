"""From what Clang reads to SPIR-V, and the messages about it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from ..clang import frontend
from ..clang.run import Outcome, link
from ..kernels.instance import GENERATED, Instance
from ..messages import unused
from ..messages.log import Message, render
from ..source.unit import Unit
from ..target import SPIRV, Target
from . import backend
from .rewritings.table import INDIRECT

_UNDECLARED = re.compile(
    r"reference to __host__ function '(\w+)'|undeclared identifier '(\w+)'|no member named '(\w+)'"
    r"|identifier \"(\w+)\" is undefined"
)
_HOST_API = re.compile(r"(?:cuda|hip)[A-Z]\w*")
NESTED = "launches from kernels (dynamic parallelism) are not supported: launch from the host"
# The messages of Clang and NVRTC about such a launch.
_LAUNCHES = ("device-side kernel call/launch is not supported", "device-side kernel launch could not be processed")
_STD = re.compile(rb"std\s*::\s*(\w+)")
_OF_THE_HOST = re.compile(r"reference to __host__ (?:variable|function) '(?P<name>[^']+)' in .*")
_OWN_CONVENTION = "__attribute__((device_kernel))"  # in the type of what the attribute alone makes a kernel


def translated(
    unit: Unit, files: Mapping[str, bytes], target: Target, run: Callable[[tuple[str, ...]], Outcome]
) -> Outcome:
    """Make SPIR-V; where Clang's backend or devices lack what a source has, go on from LLVM's text without that.

    Parameters
    ----------
    unit : Unit
    files : mapping of str to bytes
        The texts of the user's files: they say which care the optimizer has to take.
    target : Target
    run : callable
        Runs Clang, with arguments that say what to make.
    """
    care = frontend.in_step(files) if target.form == SPIRV else ()
    if not target.bounds:  # checks inline as much
        care += frontend.with_known_groups(files)
    options = unit.source.options
    if "__LP_FLAT__" in target.macros:
        options = frontend.with_returns(options, files)
    mode = (*frontend.optimized(frontend.SPIRV, target.form, options), *care)
    llvm = (*frontend.optimized(frontend.LLVM, target.form, options), *care)
    if target.bounds:
        text = run((*llvm, *frontend.CHECKED))
        return marked(unit, text, mode) if text.succeeded else text
    if backend.may_be_rewritten(files.values()) and (outcome := backend.rewritten(unit, run(llvm), mode)) is not None:
        return outcome
    return backend.translated(unit, lambda: run(mode), lambda: run(llvm), mode)


def marked(unit: Unit, text: Outcome, mode: tuple[str, ...]) -> Outcome:
    """Go on from LLVM's text with a mark at each access to memory, whose places `unit.accesses` then has."""
    from . import access_marks  # noqa: PLC0415 (only some devices need it)

    marked = access_marks.mark(text.output.decode(errors="surrogateescape"))
    unit.accesses = marked.places
    text = replace(text, output=marked.text.encode(errors="surrogateescape"))
    text = backend.corrected(text) or text
    outcome = backend.in_cycles(unit, text, mode)
    return outcome or backend.from_text(unit, text, mode, "-disable-llvm-passes")


def linked(unit: Unit, modules: list[bytes], target: Target, is_plain: bool) -> Outcome:
    """Make SPIR-V of the bitcode of all files of a program; messages without a place name the first, `unit`.

    `is_plain` says that none of the sources may be rewritten.
    """
    mode = frontend.optimized(frontend.SPIRV, target.form)
    llvm = frontend.optimized(frontend.LLVM, target.form)
    if target.bounds:
        text = link(unit.source, modules, llvm)
        return marked(unit, text, mode) if text.succeeded else text
    if not is_plain and (outcome := backend.rewritten(unit, link(unit.source, modules, llvm), mode)) is not None:
        return outcome
    return backend.translated(
        unit, lambda: link(unit.source, modules, mode), lambda: link(unit.source, modules, llvm), mode
    )


def is_unplaced(message: Message) -> bool:
    """Whether a message is about an indirect call whose place is not known."""
    return INDIRECT in message.text and not message.line


def is_of_host(message: Message) -> bool:
    """Whether an error is about a use of the host's functions or variables."""
    return _OF_THE_HOST.match(message.text) is not None


def with_place(unit: Unit, outcome: Outcome, text: Outcome) -> Outcome:
    """Add the place to that message, from LLVM's optimized text with lines."""
    from .indirect import indirect_calls  # noqa: PLC0415 (only sources that fail need it)

    places = indirect_calls(text.output.decode(errors="replace"))
    user_places = list(dict.fromkeys(place for place in places if place[0] in unit.files))[:1]
    messages = [
        message._replace(file=path, line=line, column=column, text=backend.MEANINGS[INDIRECT])
        for message in outcome.messages
        if INDIRECT in message.text
        for path, line, column in user_places
    ]
    others = [message for message in outcome.messages if not user_places or INDIRECT not in message.text]
    return replace(outcome, messages=[*dict.fromkeys(messages), *others])


def hints(unit: Unit, outcome: Outcome) -> Iterator[Message]:
    """Point to host-only declarations that kernels use."""
    for message in outcome.messages:
        match = _UNDECLARED.search(message.text)
        name = next(filter(None, match.groups()), "") if match is not None else ""
        if _HOST_API.fullmatch(name):
            text = f"'{name}' is of the host's API, which kernels do not have; {NESTED}"
            yield message._replace(level="note", text=text)
        for path, start in unit.host_places(name) if name else ():
            place = unit.lines(path).position(start)
            yield Message(path, *place, "note", f"'{name}' is here, in host code; kernels need it to be __device__")
        if backend.ASSEMBLY.search(message.text):
            from ..source import assembly  # noqa: PLC0415 (only sources that fail need it)

            for path, start in unit.places_of(*assembly.WORDS):
                if assembly.has_instruction(unit.files[path].active.text, start):
                    text = "inline assembly works on a single kind of device, and this device does not support it"
                    yield Message(path, *unit.lines(path).position(start), "error", text)


def host_classes(unit: Unit, messages: Iterable[Message]) -> Iterator[Message]:
    """Point to classes of the C++ library that are for the host, in lines that have errors; for sources that fail."""
    from ..messages.hints import HOST_CLASSES, host_class  # noqa: PLC0415 (only sources that fail need hints)

    wrong = {(message.file, message.line) for message in messages}
    for path, start in unit.places_of(*HOST_CLASSES):
        if (path, unit.lines(path).position(start)[0]) not in wrong:
            continue
        text = unit.files[path].active.text
        before = text.rfind(b"std", 0, start)
        match = _STD.match(text, before) if before >= 0 else None
        if match is not None and match.start(1) == start:
            yield Message(path, *unit.lines(path).position(start), "error", host_class(match[1].decode()))


def rendered(unit: Unit, instances: list[Instance], messages: Iterable[Message], errors: bool = False) -> str:
    """Messages in the terms of the user's own files.

    Messages about our own and the system's headers are left out. An error in such a header is shown at the user's
    line from which the compiler came there.
    """
    shown: list[Message] = []
    waiting: Message | None = None
    skipping = False
    for message in unused.local(unit, messages):
        placed = _at_kernel(unit, instances, message)
        if message.level == "note":
            if placed is None:
                continue
            if waiting is not None:
                placed, waiting = placed._replace(level=waiting.level, text=waiting.text), None
            elif skipping:
                continue
            shown.append(placed)
            continue
        if waiting is not None:
            shown.append(waiting)
        waiting, skipping = None, False
        if placed is not None and (message.level.endswith("error") or not errors):
            shown.append(placed)
        elif backend.ASSEMBLY.search(message.text) and _has_assembly(unit):
            pass  # the hint says it
        elif placed is None and message.level.endswith("error"):
            explanation = next((text for part, text in backend.MEANINGS.items() if part in message.text), message.text)
            waiting = message._replace(level="error", file=unit.source.name, line=0, column=0, text=explanation)
        else:
            skipping = True
    if waiting is not None:
        shown.append(waiting)
    return render_all(unit, dict.fromkeys(shown))


def _has_assembly(unit: Unit) -> bool:
    from ..source.assembly import WORDS  # noqa: PLC0415 (few sources need it)

    return bool(unit.places_of(*WORDS))


def _at_kernel(unit: Unit, instances: list[Instance], message: Message) -> Message | None:
    """The message at the user's file, or None if it is about another."""
    level = message.level.removeprefix("fatal ")
    if (host := _OF_THE_HOST.match(message.text)) is not None:
        message = message._replace(text=f"expected what is __device__, got the host's '{host['name']}'")
    if message.text.startswith(_LAUNCHES):
        message = message._replace(text=NESTED)
    if " is unavailable: " in message.text and "this device" in message.text:
        message = message._replace(text=f"{message.text}; platforms that take SPIR-V have it, such as Intel's OpenCL")
    if message.file.startswith(GENERATED):
        instance = instances[int(message.file[len(GENERATED) :])]
        declaration = instance.declaration
        text = message.text
        if _OWN_CONVENTION in text:
            text = "expected __global__ for a kernel, got __attribute__((global))"
        if level == "error" and not text.startswith(("static assertion", "static_assert")):
            text = f"kernel '{instance.name}': {text}"
        return message._replace(
            file=unit.name_of(declaration.path),
            line=declaration.line,
            column=declaration.column,
            level=level,
            text=text,
        )
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
