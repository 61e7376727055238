"""The whole source to LLVM's text: Clang reads it, in rounds where host code does not compile here."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from ... import header_folders
from ...clang import frontend, library_headers, precompiled
from ...clang.run import INCLUSIONS, Outcome, clang
from ...clang.standin import StandIns
from ...messages.log import Message, is_missing
from ...source import dialect
from ...source.active import Active
from ...source.source import Source
from ...source.text import Lines
from ...target import Target
from . import instantiations
from .conditions import skipped
from .files import Files
from .launches import launches
from .recovered import recovered
from .templates import templates
from .tolerance import Tolerance, Tolerated

WHOLE = "__LP_WHOLE__"
_ROUNDS = 24
_INFORMATION = ("-debug-info-kind=standalone", "-dwarf-version=5")
_MODE = ("-O2", "-disable-llvm-passes", "-emit-llvm", *frontend.CARE, *_INFORMATION)
_PROGRAM = re.compile(rb"<<<|\bmain\s*\(|\b(?:hipLaunchKernel|cudaLaunch)\w*")
# Functions of the C++ library are for both sides here; those of a class that is derived of its classes are not.
_OVERRIDES = re.compile("marked '(?:override|final)' hides virtual member function")
_OVERRIDING = re.compile(rb"(?:override|final)(?:\s+(?:override|final))*\b")


class Reading(NamedTuple):
    """What Clang makes of a source."""

    # LLVM's text before optimization, with debug information. Where it failed, the messages are those that matter
    outcome: Outcome
    missing: list[Message]  # errors about headers that were not found
    tolerated: list[Tolerated]  # the errors in host code


def read(
    source: Source, files: Files, target: Target, tail: str = "", macros: Mapping[str, str | None] | None = None,
    part: str = "",
    bare: bool = False,
) -> Reading:  # fmt: skip
    """Read a source.

    Parameters
    ----------
    source : Source
    files : Files
        Its own files; more may be added.
    target : Target
    tail : str
        Text that follows the source.
    macros : mapping of str to str or None, optional
        Besides the source's and the target's.
    part : str
        A name that no other file of the program has, if there are several files.
    bare : bool
        Read all headers anew: of functions in precompiled headers Clang does not say what a device cannot do.
    """
    return _Rounds(source, files, target, tail, macros or {}, part, bare).run()


def is_program(files: Files) -> bool:
    """Whether there is host code that launches something, or begins a program."""
    return any(map(_PROGRAM.search, files.originals.values()))


class _Rounds:
    """The runs of Clang over a source, each with less of the host's code."""

    def __init__(
        self,
        source: Source,
        files: Files,
        target: Target,
        tail: str,
        macros: Mapping[str, str | None],
        part: str,
        bare: bool,
    ) -> None:
        self.bare = bare
        self.part = ("-fgpu-rdc", f"-cuid={part}") if part else ()
        self.source, self.files, self.tail, self.target = source, files, tail, target
        self.texts = dict(files.texts)
        self.macros: dict[str, str | None] = {
            **target.macros, **macros, frontend.HOST_CALLS: None, WHOLE: None,
        }  # fmt: skip
        if source.options.fast_math:
            self.macros[frontend.FAST_MATH] = None
        self.sparing = "_LIBCPP_REMOVE_TRANSITIVE_INCLUDES"
        self.sparing_messages: list[Message] | None = None
        self.library = self._library()
        self.stand_ins = StandIns()
        self.missing: dict[Message, None] = {}

    def run(self) -> Reading:
        outcome = self._run()
        dialect.check_dialect(self.source, map(self._name, outcome.included))
        for _ in range(_ROUNDS):
            if self.files.add(outcome.included):
                self.texts |= {path: text for path, text in self.files.texts.items() if path not in self.texts}
            elif outcome.succeeded:
                break
            elif not self._leave_out(outcome):
                return self._recovered(self._clearest(outcome))
            outcome = self._run()
        return Reading(outcome, [*self.missing], [])

    def _name(self, path: str) -> str:
        """Give the name by which a header was included."""
        roots = (*frontend.roots(self.source), *self.source.virtual_folders)
        inside = [path[len(root) + 1 :] for root in roots if path.startswith(f"{root}/")]
        return inside[0] if inside else path

    def _clearest(self, last: Outcome) -> Outcome:
        """Choose the messages of the run with fewer errors: that with more headers, or that before."""
        if self.sparing_messages is None:
            return last
        both = (self.sparing_messages, last.messages)
        counts = [sum(each.level.endswith("error") for each in messages) for messages in both]
        return replace(last, messages=self.sparing_messages) if counts[0] <= counts[1] else last

    def _recovered(self, outcome: Outcome) -> Reading:
        """Go on from a source whose errors are in host code, or say which are not."""
        originals = self.files.originals
        tolerance = Tolerance(outcome.messages, originals, skipped(self.source, originals, self._files_and_macros()[1]))
        missing = [*self.missing]
        if tolerance.harmful:
            return Reading(replace(outcome, messages=tolerance.harmful), missing, [])
        more = recovered(self.source, *self._files_and_macros(self._tail_of(tolerance)), self._mode(), self.library)
        if more is None:
            return Reading(outcome, missing, [])
        text = more.output.decode(errors="surrogateescape")
        if reached := tolerance.reached(text):
            return Reading(replace(outcome, messages=reached), missing, [])
        warnings = [message for message in more.messages if not message.level.endswith("error")]
        reading = Reading(replace(more, messages=warnings), missing, tolerance.tolerated)
        is_partly = any(path.startswith(header_folders.ABSENT) for path in outcome.included)
        errors = [message for message in outcome.messages if message.level.endswith("error")]
        if self._lacks_launches(text) and (missing or is_partly) and self.stand_ins.add(errors, self.texts):
            further = self._again()
            return further if further.outcome.succeeded else reading
        return reading

    def _again(self) -> Reading:
        """Go on with stand-ins for what a missing header declares."""
        outcome = self._run()
        return Reading(outcome, [*self.missing], []) if outcome.succeeded else self._recovered(outcome)

    def _tail_of(self, tolerance: Tolerance) -> str:
        """Name the kernels with template arguments that are launched in functions with errors."""
        parts = dict.fromkeys(each.part for each in tolerance.tolerated)
        names = dict.fromkeys(launch.written for part in parts for launch in launches(part.tokens) if launch.arguments)
        lines = [
            f"\nnamespace {{ __attribute__((device, used)) auto *const __lp_launched_{number} = &{name}; }}"
            for number, name in enumerate(names)
        ]
        return "".join(['\n#line 1 "launchpath launches"', *lines, "\n"]) if lines else ""

    def _lacks_launches(self, text: str) -> bool:
        """Whether a template that is launched has no instance in LLVM's text."""
        launched = {
            launch.name.rpartition("::")[2].encode()
            for original in self.files.originals.values()
            if b"<<<" in original or b"aunchKernel" in original
            for launch in launches(Active(original).tokens)
        }
        names = {name.rpartition("::")[2].encode() for name in templates(self.files.active().values())}
        return any(not re.search(rb"@_Z\w*?\d%s[IE\w]" % name, text.encode()) for name in launched & names)

    def _library(self) -> str | None:
        """Give the precompiled headers of the C++ library, if the source can be read with all of them before it."""
        if self.bare or not any(library_headers.is_slow(text) for text in self.files.originals.values()):
            return None
        macros = {**self.macros, frontend.EVERY_HEADER: None}
        headers = precompiled.find_with_macros(self.source, macros, self._mode(), library_headers.HEADERS)
        if headers is None or library_headers.depends(self.files.active().values(), headers[1]):
            return None
        return headers[0]

    def _run(self) -> Outcome:
        if self.library is not None:
            files, macros = self._files_and_macros()
            macros = {**self.macros, frontend.EVERY_HEADER: None}
            outcome = clang(self.source, files, macros, (*self._mode(), *INCLUSIONS), self.library)
            if outcome.succeeded or not library_headers.may_conflict(outcome.messages, frontend.find().system):
                self.sparing = frontend.EVERY_HEADER
                return outcome
            self.library = None
        headers = "" if self.bare else None
        return clang(self.source, *self._files_and_macros(), (*self._mode(), *INCLUSIONS), headers)

    def _files_and_macros(self, more: str = "") -> tuple[dict[str, bytes], dict[str, str | None]]:
        path = self.source.path
        main = self.stand_ins.text() + self.texts[path] + (self.tail + more).encode()
        return {**self.texts, path: main}, {**self.macros, self.sparing: None}

    def _mode(self) -> tuple[str, ...]:
        return (*frontend.optimized(_MODE, self.target.form, self.source.options), *self.part)

    def _leave_out(self, outcome: Outcome) -> bool:
        """Leave out the includes of missing headers, or read more headers."""
        errors = [message for message in outcome.messages if message.level.endswith("error")]
        if lost := [message for message in errors if is_missing(message.text)]:
            self.missing |= dict.fromkeys(lost)
            if not is_program(self.files) or any(message.file not in self.texts for message in lost):
                return False
            for message in lost:
                self._blank_line(message)
            return True
        if all(_OVERRIDES.search(message.text) for message in errors) and self._blank_overrides(errors):
            return True
        if self.sparing != frontend.EVERY_HEADER and self._includes():
            self.sparing, self.sparing_messages = frontend.EVERY_HEADER, outcome.messages
            return True
        return self._blank_overrides(errors) or self._mark_instantiations()

    def _includes(self) -> bool:
        return any(b"include" in text or b"std" in text for text in self.files.originals.values())

    def _blank_line(self, message: Message) -> None:
        lines = self.texts[message.file].split(b"\n")
        lines[message.line - 1] = b" " * len(lines[message.line - 1])
        self.texts[message.file] = b"\n".join(lines)

    def _blank_overrides(self, errors: list[Message]) -> bool:
        changed = False
        for path, place in self._places([message for message in errors if _OVERRIDES.search(message.text)]):
            text = self.texts[path]
            match = _OVERRIDING.match(text, place)
            if match is not None:
                self.texts[path] = text[:place] + re.sub(rb"\w", b" ", match[0]) + text[match.end() :]
                changed = True
        return changed

    def _mark_instantiations(self) -> bool:
        changed = instantiations.marked(self.texts)
        self.texts |= changed
        return bool(changed)

    def _places(self, messages: Iterable[Message]) -> Iterable[tuple[str, int]]:
        """Yield path and offset of each message about the user's files."""
        for message in messages:
            if message.file in self.texts:
                starts = Lines(self.texts[message.file]).starts
                if 0 < message.line <= len(starts):
                    yield message.file, starts[message.line - 1] + message.column - 1
