"""Options of a compilation, in NVRTC's words where they mean the same, and how each compiler is told of them."""

from __future__ import annotations

import operator
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, SupportsIndex

from ...errors import ArgumentValueError, CompileError
from ..messages.shown import shown
from ..target import NATIVE, SIMULATED, Target

MOST_REGISTERS = 255  # of a thread, on every CUDA device
LEVELS = (0, 1, 2, 3)


# Whether warnings are shown, or errors.
Warnings = bool | Literal["error"]


class Options(NamedTuple):
    """What a compilation may be asked for besides its source."""

    # fast approximations of functions and divisions in single precision, as by NVRTC's ``--use_fast_math``
    fast_math: bool = False
    maxrregcount: int | None = None  # the most registers of a thread
    line_info: bool | None = None  # lines of the source in the binary; None: where they cost nothing (CUDA devices)
    optimization: int | None = None  # 0 to 3; None: the compiler's own
    dependent: bool = True  # whether kernels may wait at their entry, where that lets them be launched earlier
    fmad: bool = True  # whether a product and a sum may become one operation
    extra: tuple[str, ...] = ()  # for the compiler of the device's platform, as they are

    @property
    def words(self) -> list[str]:
        """The options as a command has them."""
        words = ["--use_fast_math"] if self.fast_math else []
        if self.maxrregcount is not None:
            words.append(f"--maxrregcount={self.maxrregcount}")
        if self.line_info is not None:
            words.append("--generate-line-info" if self.line_info else "--no-line-info")
        if self.optimization is not None:
            words.append(f"-O{self.optimization}")
        if not self.fmad:
            words.append("--fmad=false")
        return [*words, *self.extra]


NONE = Options()


class Words(NamedTuple):
    """The meaning of a list of words: options, warnings, and values for which `compile` has parameters."""

    options: Options
    warnings: Warnings | None  # as the parameter of `compile`; None if no word is about them
    defines: dict[str, str | None]
    undefined: list[str]
    folders: list[str]
    standard: str  # empty if no word is about it

    def macros(self, requested: Mapping[str, Any] | None) -> Any:
        """Give the macros: those of the parameter, which come first, and of the words."""
        if not (self.defines or self.undefined) or not isinstance(requested, Mapping | None):
            return requested
        macros = {name: value for name, value in (requested or {}).items() if name not in self.undefined}
        return {name: value for name, value in macros.items() if name not in self.defines} | self.defines

    def with_folders(self, requested: Any) -> Any:
        """Give the folders of the parameter, which come first, and of the words."""
        if not self.folders or isinstance(requested, bytes) or not isinstance(requested, Iterable | os.PathLike):
            return requested
        return [*([requested] if isinstance(requested, str | os.PathLike) else requested), *self.folders]


def options(
    fast_math: object = False, maxrregcount: object = None, line_info: object = None, optimization: object = None,
    dependent: object = True,
) -> Options:  # fmt: skip
    """Check the values of the parameters that have names of their own."""
    for name, value in (("fast_math", fast_math), ("line_info", line_info), ("dependent", dependent)):
        if not isinstance(value, bool) and not (value is None and name == "line_info"):
            raise TypeError(f"{name}: expected True or False, got {shown(value)}")
    return Options(
        bool(fast_math), _registers(maxrregcount), line_info, _level(optimization), bool(dependent)  # type: ignore[arg-type]
    )  # fmt: skip


def read(words: object, start: Options = NONE) -> Words:
    """Read a list of words, as NVRTC, nvcc and hipcc have them; `start` is what they add to.

    Raises
    ------
    TypeError, ArgumentValueError
        A word is no text, lacks its value, or sets a property that the device decides.
    """
    if isinstance(words, (str, bytes)) or not isinstance(words, Iterable):
        raise TypeError(f"options: expected a list of options (str), got {shown(words)}")
    checked = []
    for word in words:
        if not isinstance(word, str):
            raise TypeError(f"options: expected a list of options (str), got {shown(word)} in it")
        if not word.strip() or not word.isprintable():
            raise ArgumentValueError(f"options: expected an option, as '--use_fast_math', got {shown(word)}")
        checked.append(word.strip())
    return _Reader(start).read(checked)


# Options with a value, by their names without dashes: behind "=", or as the next word.
_VALUES = {
    "maxrregcount": "maxrregcount", "fmad": "fmad", "std": "std", "define-macro": "D", "undefine-macro": "U",
    "include-path": "I", "Werror": "error", "O": "O", "D": "D", "U": "U", "I": "I",
}  # fmt: skip
_SWITCHES: dict[str, Any] = {
    "use_fast_math": {"fast_math": True}, "lineinfo": {"line_info": True}, "generate-line-info": {"line_info": True},
    "no-line-info": {"line_info": False},
}  # fmt: skip
# Patterns as text: most compilations have no options.
_DEVICE = r"-{1,2}(?:gpu-architecture|arch|gpu-code|code|offload-arch|generate-code|gencode|amdgpu-target)\b"
# Files before the source. The cache would not see a change of such a file.
_BEFORE = r"-{1,2}(?:include|imacros|pre-include|include-pch)(?!-path)"
_OLDER = r"^(c|gnu)\+\+(?:98|03|0x|11|1y|14)"


class _Reader:
    """Reads words in order."""

    def __init__(self, start: Options) -> None:
        self.options = start
        self.warnings: Warnings | None = None
        self.defines: dict[str, str | None] = {}
        self.undefined: list[str] = []
        self.folders: list[str] = []
        self.standard = ""

    def read(self, words: list[str]) -> Words:
        rest = iter(words)
        for word in rest:
            if re.match(_DEVICE, word):
                raise ArgumentValueError(
                    f"options: expected no architecture, got {word!r}: remove it: the device that it is "
                    "compiled for has its own"
                )
            if re.match(_BEFORE, word):
                raise ArgumentValueError(
                    f"options: expected no file before the source, got {word!r}: write #include into the source"
                )
            self._take(word, rest)
        return Words(self.options, self.warnings, self.defines, self.undefined, self.folders, self.standard)

    def _take(self, word: str, rest: Iterator[str]) -> None:
        name, has_value, value = word.lstrip("-").partition("=")
        if name in _SWITCHES and not has_value:
            self.options = self.options._replace(**_SWITCHES[name])
        elif word in ("-w", "--disable-warnings"):
            self.warnings = False
        elif match := re.fullmatch(r"(?:-([DUI])(.+)|-O(\d))", word):
            self._set(match[1] or "O", match[2] or match[3], word)
        elif word == "-Werror":
            self.warnings = "error"
        elif name in _VALUES and word.startswith("-"):
            self._set(_VALUES[name], value if has_value else next(rest, ""), word)
        else:
            self.options = self.options._replace(extra=(*self.options.extra, word))

    def _set(self, name: str, value: str, word: str) -> None:
        value = value.strip()
        if not value:
            raise ArgumentValueError(f"options: expected a value of {word!r}, got none")
        if name == "D":
            macro, has_text, text = value.partition("=")
            self.defines[macro] = text if has_text else None
        elif name == "U":
            self.defines.pop(value, None)
            self.undefined.append(value)
        elif name == "I":
            self.folders.append(value)
        elif name == "std":
            # C++17 has all of the older standards but trigraphs and dynamic exception specifications: no kernel has
            # those.
            self.standard = re.sub(f"{_OLDER}$", r"\1++17", value)
        elif name == "error":
            self._check(word, value, ("all-warnings",))
            self.warnings = "error"
        elif name == "fmad":
            self._check(word, value, ("true", "false"))
            self.options = self.options._replace(fmad=value == "true")
        elif name == "O":
            self.options = self.options._replace(optimization=_level(_number(word, value)))
        else:
            self.options = self.options._replace(maxrregcount=_registers(_number(word, value)))

    def _check(self, word: str, value: str, values: tuple[str, ...]) -> None:
        if value not in values:
            raise ArgumentValueError(f"options: expected {' or '.join(values)} for {word!r}, got {value!r}")


def _number(word: str, value: str) -> int:
    if not re.fullmatch(r"\d{1,9}", value):
        raise ArgumentValueError(f"options: expected a number for {word!r}, got {value!r}")
    return int(value)


def _registers(value: object) -> int | None:
    if value is None:
        return None
    number = _index("maxrregcount", value)
    if not 1 <= number <= MOST_REGISTERS:
        raise ArgumentValueError(f"maxrregcount: expected 1 to {MOST_REGISTERS} registers, got {shown(value)}")
    return number


def _level(value: object) -> int | None:
    if value is None:
        return None
    number = _index("optimization", value)
    if number not in LEVELS:
        raise ArgumentValueError(f"optimization: expected 0, 1, 2 or 3, got {shown(value)}")
    return number


def _index(name: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise TypeError(f"{name}: expected an int or None, got {shown(value)}")
    return operator.index(value)


def refuse(options: Options, target: Target) -> None:
    """Raise an error for options that nothing on a target has.

    Raises
    ------
    CompileError
    """
    platform = "simulated" if target.form == SIMULATED else target.platform
    if options.maxrregcount is not None:
        raise CompileError(
            f"maxrregcount: expected None for {platform} devices, got {options.maxrregcount}: their compilers take no "
            "number of registers, only CUDA's do: write __launch_bounds__(threads, blocks) before the kernel's name"
        )
    if options.line_info and target.form not in NATIVE:
        raise CompileError(
            f"line_info: expected False or None for {platform} devices, got True: what their driver is passed has no "
            "lines: Clang writes none into SPIR-V"
        )
    if options.extra and target.form == SIMULATED:
        raise CompileError(
            f"options: expected none for simulated devices, which compile nothing, got {options.extra[0]!r}"
        )
