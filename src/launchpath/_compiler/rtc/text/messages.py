"""Messages of NVRTC and hipRTC, read from their logs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...messages.log import Message
from .entry_waits import INSERTED
from .tail import NAMES

# NVRTC: file(line): error #20-D: text; hipRTC is Clang: file:line:column: error: text.
_NVRTC = re.compile(
    r"^(?P<file>[^\s(].*?)\((?P<line>\d+)\): (?P<level>catastrophic error|internal error|[Ee]rror|warning|note|remark)"
    r"(?: #\d+(?:-D)?)?: (?P<text>.*)$"
)
_CLANG = re.compile(
    r"^(?P<file>.+?):(?P<line>\d+):(?P<column>\d+): (?P<level>fatal error|error|warning|note|remark): (?P<text>.*)$"
)
_BARE = re.compile(r"^(?:\w+: |ptxas )?(?:fatal )?(?P<level>error|warning)\s*: (?P<text>.*)$")
_PTXAS = re.compile(r"^ptxas .*?(?P<level>fatal|error|warning)\s*: (?P<text>.*)$")
_WHERE = re.compile(
    r"^\s+(?:detected )?(?:during )?(?P<text>(?:instantiation of|processing of|implicit) .*?)"
    r"(?: at line (?P<line>\d+)(?: of (?P<file>.+))?)?\s*$"
)
_CARET = re.compile(r"^ *\t*[ \t]*\^\s*$")
_QUOTED = "  "  # before each line of the source that NVRTC shows
_LEVELS = {
    "catastrophic error": "fatal error",
    "internal error": "error",
    "Error": "error",
    "remark": "note",
    "fatal": "error",
}
_NAMES = "__nv_name_map"  # where NVRTC reads the expressions that names are asked for, as `NAMES` for hipRTC


def read(log: str) -> list[Message]:
    """Read a log of either; NVRTC says columns by a caret below the line only."""
    messages = list(_read(log.splitlines()))
    errors = [message for message in messages if message.level.endswith("error")]
    if any(message.file != _NAMES for message in errors):
        # It says all that is wrong with a kernel once more for the expression that names it.
        messages = [message for message in messages if message.file != _NAMES]
    for index, message in enumerate(messages):
        if message.level == "note" and message.file == NAMES and index:
            messages[index] = message._replace(file=messages[index - 1].file, line=messages[index - 1].line, column=0)
    return messages


def _read(lines: list[str]) -> Iterator[Message]:
    index = 0
    last, last_line = "", 0  # NVRTC leaves out the file where it is that of the error, and the line for a name's sake
    while index < len(lines):
        line = lines[index]
        index += 1
        if match := _CLANG.match(line):
            level = match["level"]
            yield Message(match["file"], int(match["line"]), int(match["column"]), level, match["text"])
        elif match := _NVRTC.match(line):
            last, last_line = match["file"], int(match["line"])
            text, index = _continued(match["text"], lines, index)
            column, index = _column(lines, index)
            level = _LEVELS.get(match["level"], match["level"])
            yield Message(last, int(match["line"]), column, level, text)
        elif match := _WHERE.match(line):
            place = (match["file"] or last, int(match["line"] or last_line))
            yield Message(*place, 0, "note", f"in {match['text']}")
        elif match := _BARE.match(line) or _PTXAS.match(line):
            yield Message("", 0, 0, _LEVELS.get(match["level"], match["level"]), match["text"])


def _continued(text: str, lines: list[str], index: int) -> tuple[str, int]:
    """A message may go on, further in than the source's own line that follows it."""
    while index < len(lines) and lines[index].startswith("          ") and not _WHERE.match(lines[index]):
        following = lines[index + 1] if index + 1 < len(lines) else ""
        if _CARET.match(following):
            break
        text = f"{text} {lines[index].strip()}"
        index += 1
    return text, index


def _column(lines: list[str], index: int) -> tuple[int, int]:
    """Read the column (in bytes, from 1; 0 if none is shown) off the quoted line and the caret below it."""
    if index + 1 < len(lines) and _CARET.match(lines[index + 1]) and lines[index].startswith(_QUOTED):
        caret = lines[index + 1].index("^") - len(_QUOTED)
        quoted = lines[index][len(_QUOTED) :]
        return len(quoted[:caret].replace(INSERTED, "").encode()) + 1, index + 2
    return 0, index
