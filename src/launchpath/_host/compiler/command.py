"""A command line of the compiler driver, read by the table `options`."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from . import options
from .options import Match
from .words import UsageError, expanded, from_file, listed

CUDA, HIP = "cuda", "hip"
DIALECTS = (CUDA, HIP)
OBJECT = "object"  # whatever the linker takes
_BY_SUFFIX = {
    ".cu": CUDA, ".hip": HIP, ".cpp": "c++", ".cc": "c++", ".cxx": "c++", ".C": "c++", ".c++": "c++", ".CPP": "c++",
    ".cp": "c++", ".c": "c", ".i": "cpp-output", ".ii": "c++-cpp-output", ".s": "assembler",
    ".S": "assembler-with-cpp", ".h": "c-header", ".hh": "c++-header", ".hpp": "c++-header", ".cuh": CUDA,
}  # fmt: skip
_OBJECTS = frozenset((".o", ".a", ".so", ".obj", ".lo"))
_LANGUAGES = {
    "cu": CUDA, "cuda": CUDA, "hip": HIP, "c++": "c++", "c": "c", "none": "", "assembler": "assembler",
    "assembler-with-cpp": "assembler-with-cpp", "c-header": "c-header", "c++-header": "c++-header",
    "cpp-output": "cpp-output", "c++-cpp-output": "c++-cpp-output",
}  # fmt: skip


class Input(NamedTuple):
    """A file to compile or to link."""

    path: str
    language: str  # one of `DIALECTS`, a language of Clang's, or `OBJECT`


@dataclass
class Command:
    """What a command line asks for."""

    mode: str = "link"  # compile, assemble, preprocess, dependencies, syntax, archive, device, device-link
    output: str | None = None
    # in order; words of the linker (str) among them
    inputs: list[Input | str] = field(default_factory=list)
    macros: list[tuple[str, str]] = field(default_factory=list)  # ("D", "N=4"), ("U", "N")
    folders: list[str] = field(default_factory=list)
    system_folders: list[tuple[str, str]] = field(default_factory=list)  # with Clang's option
    includes: list[str] = field(default_factory=list)
    standard: str = ""
    host: list[str] = field(default_factory=list)  # Clang's options on the host side
    device: list[str] = field(default_factory=list)  # options of the device side, as `launchpath.compile` has them
    library_folders: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # options that have no meaning here
    verbose: bool = False
    dry: bool = False  # print what would be started
    quiet: bool = False
    shared: bool = False
    openmp: bool = False
    relocatable: bool = False  # device functions of other files are called
    host_only: bool = False
    writes_dependencies: bool = False  # -MD, -MMD

    @property
    def sources(self) -> list[Input]:
        """The files to compile."""
        return [each for each in self.inputs if isinstance(each, Input) and each.language != OBJECT]

    @property
    def has_level(self) -> bool:
        """Whether an optimization is named."""
        return any(word.startswith("-O") for word in self.host)


def read(words: Iterable[str], dialect: str | None = None) -> Command:
    """Read a command line.

    Parameters
    ----------
    words : iterable of str
        Without the program's name.
    dialect : str, optional
        That of all C++ sources, as for hipcc.

    Raises
    ------
    UsageError
        An option is unknown or refused, a value is missing, or the files do not fit.
    """
    reader = _Reader(dialect)
    reader.read(list(expanded(words)))
    return reader.finished()


class _Reader:
    """Reads words in order."""

    def __init__(self, dialect: str | None) -> None:
        self.command = Command()
        self._dialect = dialect
        self._language: str = ""  # of `-x`; empty: by the file's name
        self._files: list[tuple[int, str]] = []  # named without `-x`: the dialect may be named later
        self._is_host = False  # within `-Xcompiler`
        self._actions: dict[str, Callable[[Match, str], None]] = {
            options.MODE: self._mode, options.OUTPUT: self._output, options.LANGUAGE: self._of_language,
            options.DEFINE: lambda _, value: self.command.macros.append(("D", value)),
            options.UNDEFINE: lambda _, value: self.command.macros.append(("U", value)),
            options.FOLDER: self._folder,
            options.SYSTEM: lambda match, value: self.command.system_folders.append((match.option.detail, value)),
            options.INCLUDE: lambda _, value: self.command.includes.append(value),
            options.STANDARD: self._standard, options.HOST: self._host, options.DEVICE: self._device,
            options.LINK: self._linker_words, options.LINKED: self._linked, options.LIBRARY: self._library,
            options.LIBRARY_FOLDER: lambda _, value: self.command.library_folders.append(value),
            options.HOST_WORDS: self._host_words,
            options.LINK_WORDS: lambda _, value: self.command.inputs.extend(listed(value)),
            options.NVCC_WORDS: lambda _, value: self.read(from_file(value)),
            options.ALIAS: self._alias, options.SILENT: lambda match, value: None, options.NOTE: self._note,
            options.REFUSED: self._refused, options.SPECIAL: self._special,
        }  # fmt: skip

    def read(self, words: list[str]) -> None:
        """Read words, all of them; values are among them."""
        rest = deque(words)
        while rest:
            word = rest.popleft()
            if word == "-" or not word.startswith("-"):
                self._file(word)
            else:
                self._option(word, rest)

    def _option(self, word: str, rest: deque[str]) -> None:
        match = options.find(word)
        if match is None and self._is_host:
            self.command.host.append(word)
            return
        if match is None:
            raise UsageError(_unknown(word))
        value = match.value
        of_nvcc = word == "-Werror" and rest and options.NVCC_ERRORS.issuperset(rest[0].split(","))
        if options.takes_next(match) or of_nvcc:
            if not rest:
                raise UsageError(f"{word}: expected a value, got none")
            value = rest.popleft()
        self._actions[match.option.meaning](match, value or "")

    def _file(self, path: str) -> None:
        is_source = os.path.splitext(path)[1] not in _OBJECTS  # nvcc links those behind `-x cu` too
        if not self._language:
            self._files.append((len(self.command.inputs), path))
        self.command.inputs.append(Input(path, self._language if self._language and is_source else OBJECT))

    def finished(self) -> Command:
        """Give the command, once its parts fit."""
        command = self.command
        for place, path in self._files:
            command.inputs[place] = Input(path, self._by_name(path))
        files = [each for each in command.inputs if isinstance(each, Input)]
        if not files and not command.verbose:
            raise UsageError("expected files to compile or to link, got none: see launchpath c++ --help")
        if command.output is not None and len(command.sources) > 1 and command.mode in ("compile", "assemble"):
            raise UsageError(f"-o: expected one source with -c or -S, got {len(command.sources)}: leave -o out")
        for each in files:
            if each.path != "-" and not os.path.exists(each.path):
                raise UsageError(f"{each.path}: no such file")
            if each.path == "-" and each.language == OBJECT and command.mode != "preprocess":
                raise UsageError("-: expected -x with the language of the standard input, got none")
        return command

    def _by_name(self, path: str) -> str:
        if path == "-" and self.command.mode == "preprocess":
            return "c"
        language = _BY_SUFFIX.get(os.path.splitext(path)[1], OBJECT)
        if path == os.devnull and self.command.mode == "preprocess":
            return "c"
        return self._dialect if self._dialect and language in (*DIALECTS, "c++") else language

    def _mode(self, match: Match, _: str) -> None:
        if _STRENGTH.get(match.option.detail, 1) >= _STRENGTH.get(self.command.mode, 1):
            self.command.mode = match.option.detail
        if match.name in ("-dc", "--device-c", "-dw", "--device-w"):
            self.command.relocatable = match.name in ("-dc", "--device-c")
        if self.command.mode == "dependencies":
            self.command.host.append("-MM" if match.name in ("-MM", "--generate-nonsystem-dependencies") else "-M")

    def _output(self, _: Match, value: str) -> None:
        self.command.output = value

    def _of_language(self, match: Match, value: str) -> None:
        if value not in _LANGUAGES:
            raise UsageError(f"{match.name}: expected one of {', '.join(_LANGUAGES)}, got {value!r}")
        self._language = _LANGUAGES[value]

    def _folder(self, _: Match, value: str) -> None:
        self.command.folders += [value] if self._is_host or os.path.isdir(value) else value.split(",")

    def _standard(self, _: Match, value: str) -> None:
        self.command.standard = value

    def _host(self, match: Match, value: str) -> None:
        form, name = match.option.form, match.name
        if match.option.detail == "fast" and not self._is_host:
            self.command.device.append("--use_fast_math")
        if form == options.FLAG:
            self.command.host.append(name)
        elif form == options.JOINED:
            self.command.host.append(name + value)
        else:
            self.command.host += [name, value]

    def _device(self, match: Match, value: str) -> None:
        self.command.device.append(match.option.detail + value)

    def _linker_words(self, _: Match, value: str) -> None:
        self.command.inputs.extend(part for part in value.split(",") if part)

    def _linked(self, match: Match, value: str) -> None:
        self.command.inputs.extend([match.option.detail, value] if match.option.form != options.FLAG else [match.name])

    def _library(self, _: Match, value: str) -> None:
        self.command.inputs.extend(f"-l{name}" for name in (listed(value) if not self._is_host else [value]))

    def _host_words(self, _: Match, value: str) -> None:
        before, self._is_host = self._is_host, True
        try:
            self.read(listed(value))
        finally:
            self._is_host = before

    def _alias(self, match: Match, value: str) -> None:
        target = match.option.detail
        takes_value = match.option.form != options.FLAG
        joined = takes_value and options.TABLE[target].form == options.JOINED
        self.read([target + value] if joined else [target, value] if takes_value else [target])

    def _note(self, match: Match, value: str) -> None:
        space = "" if match.option.form == options.JOINED or not value else " "
        spelled = f"{match.name}{space}{value}"
        if spelled not in self.command.notes:
            self.command.notes.append(spelled)

    def _refused(self, match: Match, value: str) -> None:
        spelled = match.name + (f"={value}" if value else "")
        raise UsageError(f"{spelled} is refused: {match.option.detail}")

    def _special(self, match: Match, value: str) -> None:
        command, effect = self.command, match.option.detail
        if effect == "dialect":
            self._dialect = match.name.lstrip("-")
        elif effect in _SWITCHES:
            setattr(command, _SWITCHES[effect], True)
        elif effect == "written":
            command.writes_dependencies = True
            command.host.append(match.name)
        elif effect == "quiet":
            command.quiet = True
            command.host.append("-w")
        elif effect == "relocatable":
            command.relocatable = value not in ("false",)
        elif effect == "stream":
            if value == "per-thread":
                command.macros.append(("D", "CUDA_API_PER_THREAD_DEFAULT_STREAM=1"))
            elif value not in ("legacy", "null"):
                raise UsageError(f"{match.name}: expected legacy, null or per-thread, got {value!r}")
        elif effect == "error":
            command.host += ["-Werror"] if not value or "all-warnings" in value.split(",") else []
        elif effect == "target" and not value.startswith("x86_64"):
            raise UsageError(f"{match.name}: expected x86_64, which programs are made for, got {value!r}")
        elif effect == "static":
            self._note(match, value)


# Of several modes the one that ends earlier counts, as for gcc.
_STRENGTH = {"link": 0, "assemble": 2, "syntax": 3, "preprocess": 4, "dependencies": 5}
_SWITCHES = {
    "verbose": "verbose", "dry": "dry", "shared": "shared", "openmp": "openmp",
    "host-only": "host_only",
}  # fmt: skip


def _unknown(word: str) -> str:
    like = options.like(word)
    advice = (
        f"did you mean {like}?" if like else "leave it out, or pass it to Clang by -Xcompiler or to lld by -Xlinker"
    )
    return f"unknown option {word}: {advice}"
