"""Last steps of reductions in shared memory that is not volatile, without a barrier between.

Compilers may read all elements before they write any, and do so: the results of such steps are wrong on every device.
The search is in the text, because nothing of the steps can be seen after the optimizer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate

from ..messages.log import Message
from ..source.active import Active
from ..source.unit import Unit
from ..target import UNFENCED

_NAME = r"[A-Za-z_]\w*"
_ADDED = rf"(?:\+ =|= (?P=array) \[ (?P=index) \] \+|= (?P<sum>{_NAME}) (?:= (?P=sum) \+|\+ =))"
_STEP = rf"(?P<array>{_NAME}) \[ (?P<index>[^\];=]+?) \] {_ADDED} (?P=array) \[ (?P=index) \+ (?P<apart>\w+) \] ;"
_GUARD = r"(?:if (?:constexpr )?\( [^;{}]*? \) )?"
_STEPS = re.compile(rf"{_GUARD}\{{? ?{_STEP} ?\}}? ?")
_LOOP = re.compile(
    rf"for \( (?:unsigned )?(?:{_NAME} )?(?P<count>{_NAME}) = (?:16|32|warpSize / 2|WARP_SIZE / 2) ; "
    rf"(?P=count)(?: >(?: =)? [01])? ; (?P=count) (?:> > =|/ =) [12] \) \{{? ?{_GUARD}{_STEP}"
    rf"(?! (?:__sync|__threadfence|{_NAME} \. sync))"
)
_LEAST = 3  # steps, each half as far as the step before: fewer steps may not be a reduction


def unfenced(unit: Unit) -> Iterator[Message]:
    """Yield a warning for each such place in the user's files."""
    for path, file in unit.files.items():
        if b"__shared__" in file.active.text or b"__device__" in file.active.text:
            for start, array in _places(file.active):
                line, column = unit.lines(path).position(start)
                yield Message(unit.name_of(path), line, column, "warning", _text(array))


def _text(array: str) -> str:
    return f"'{array}': {UNFENCED}: declare it volatile, or put __syncwarp() or __syncthreads() between"


def _places(active: Active) -> Iterator[tuple[int, str]]:
    """Yield where such steps begin, and the array."""
    words = [token.text.decode(errors="replace") for token in active.tokens]
    text = " ".join(words)
    offsets = {offset: token.start for offset, token in zip(_begins(words), active.tokens, strict=True)}
    steps = [(match, match["apart"] == match["count"]) for match in _LOOP.finditer(text)]
    steps += [(match, True) for match in _runs(text)]
    for match, counts in sorted(steps, key=lambda step: step[0].start()):
        array = match["array"]
        if counts and not re.search(
            rf"\bvolatile\b[^;(){{}}]*\b{array}\b|\b{_NAME} volatile[^;(){{}}]*\b{array}\b", text
        ):
            yield offsets[match.start("array")], array


def _begins(words: list[str]) -> list[int]:
    return [0, *accumulate(len(word) + 1 for word in words)][: len(words)]


def _runs(text: str) -> Iterator[re.Match[str]]:
    """Yield the first of each row of steps that halve how far apart the elements are."""
    row: list[re.Match[str]] = []
    for match in [*_STEPS.finditer(text), None]:
        if match is not None and row and _follows(row[-1], match):
            row.append(match)
            continue
        if len(row) >= _LEAST:
            yield row[0]
        row = [match] if match is not None and match["apart"].isdigit() else []


def _follows(earlier: re.Match[str], later: re.Match[str]) -> bool:
    same = earlier.end() == later.start() and earlier["array"] == later["array"] and earlier["index"] == later["index"]
    return same and later["apart"].isdigit() and int(earlier["apart"]) == 2 * int(later["apart"])
