"""The words of ``launchpath run``: options, sources, and the program's arguments."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple

from launchpath._host.compiler.words import UsageError

SOURCES = (".cu", ".hip", ".cpp", ".cc", ".cxx", ".C", ".c++", ".c")
_OBJECTS = (".o", ".a", ".so")
# Options of the compiler driver whose value is the next word.
_WITH_VALUE = frozenset({"-I", "-D", "-U", "-L", "-l", "-x", "-isystem", "-iquote", "-include", "-std", "-Xcompiler"})


class RunWords(NamedTuple):
    """What ``launchpath run`` was asked for."""

    files: tuple[str, ...]  # sources and objects, or one program that was linked before
    options: tuple[str, ...]  # the compiler driver's
    arguments: tuple[str, ...]  # the program's
    device: str | None = None  # which is the program's device 0
    trace_file: str | None = None
    is_marked: bool = False  # `--` stands before the arguments


def read(words: Sequence[str]) -> RunWords:
    """Read the words behind ``run`` and its own options.

    With ``--`` in them, all before it are files and options, and all behind it the program's arguments. Without,
    options come first, then the sources, and the program's arguments begin behind the last source.

    Raises
    ------
    UsageError
        There is no file.
    """
    words, own = _own(list(words))
    if "--" in words:
        end = words.index("--")
        before, arguments = words[:end], tuple(words[end + 1 :])
    else:
        before, arguments = words, ()
    files: list[str] = []
    options: list[str] = []
    index = 0
    while index < len(before):
        word = before[index]
        is_file = _is_file(word, not files)
        if is_file and not files and word.endswith(".py"):
            raise UsageError(f"{_EXPECTED}, got {word}: run it by `python {word}` or `launchpath run --fast {word}`")
        if "--" not in words and files and not is_file:
            return RunWords(
                tuple(files), tuple(options), tuple(before[index:]), own.get("device"), own.get("trace_file")
            )
        if is_file:
            files.append(word)
        elif word.partition("=")[0] in _OWN:
            raise UsageError(f"{word}: expected this option first, before all others: `launchpath run {word} ...`")
        else:
            options.append(word)
            if word in _WITH_VALUE and index + 1 < len(before):
                index += 1
                options.append(before[index])
        index += 1
    if not files:
        raise UsageError(f"{_EXPECTED}, got {' '.join(words) or 'nothing'}")
    return RunWords(tuple(files), tuple(options), arguments, own.get("device"), own.get("trace_file"), "--" in words)


def remarks(asked: RunWords) -> list[str]:
    """Tell of the program's arguments that are spelled as launchpath's options: a program may have such ones itself."""
    result = []
    for place, argument in enumerate(() if asked.is_marked else asked.arguments):
        if command := _meant(argument, asked.arguments[place + 1 : place + 2]):
            result.append(
                f"launchpath run: {argument} behind {asked.files[-1]} is the program's argument. If it is meant for "
                f"launchpath, write `{command} {asked.files[0]}`; if it is the program's, write `--` before its "
                "arguments, which omits this line"
            )
    return result


def _meant(argument: str, value: tuple[str, ...]) -> str:
    """Give the command, without its files, that an argument may have been meant for; empty: it is like no option."""
    name, has_value, _ = argument.partition("=")
    if name in _OWN:
        return " ".join(("launchpath run", argument, *(() if has_value else value)))
    if argument == "--fast":
        return "launchpath run --fast"
    if argument == "--findings":
        return "launchpath trace --findings -- launchpath run"
    is_folder = argument.startswith("-I") and len(argument) > 2 and os.path.isdir(argument[2:])
    return f"launchpath run {argument}" if is_folder or _COMPILERS.fullmatch(argument) else ""


_COMPILERS = re.compile(r"--?std=.+|-O[0-3s]|-D[A-Za-z_]\w*(?:=.*)?")
_EXPECTED = "expected a source (.cu, .hip, .cpp) or a program that launchpath c++ has linked"
_OWN = {"--device": "device", "--trace": "trace_file"}


def _own(words: list[str]) -> tuple[list[str], dict[str, str]]:
    """Take the options of ``launchpath run`` itself, which come first."""
    own: dict[str, str] = {}
    while words:
        name, has_value, value = words[0].partition("=")
        if name not in _OWN:
            _refuse_misspelled(name)
            break
        if not has_value and len(words) == 1:
            raise UsageError(f"{name}: expected a value behind it")
        own[_OWN[name]] = value if has_value else words[1]
        words = words[1:] if has_value else words[2:]
    return words, own


def _refuse_misspelled(name: str) -> None:
    """Refuse what is like one of these options, and is none of the compiler driver's, which would take its value."""
    like = get_close_matches(name, (*_OWN, "--fast"), 1, cutoff=0.8)
    if like and not name.startswith(tuple(f"{each}-" for each in _OWN)):
        raise UsageError(f"unknown option {name}: did you mean {like[0]}?")


def _is_file(word: str, is_first: bool) -> bool:
    if word.startswith("-"):
        return False
    if word.endswith((*SOURCES, *_OBJECTS)):
        return is_first or os.path.exists(word)
    return is_first


def is_program(files: Sequence[str]) -> bool:
    """Whether it is one program that was linked before."""
    return len(files) == 1 and not files[0].endswith((*SOURCES, *_OBJECTS))
