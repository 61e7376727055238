"""Write ``_compiler/rtc/text/prelude_words.py``: the words of the headers that come before every source for NVRTC.

A plain source that has none of these words needs no such header. `make prelude-words` runs it, after a change of those
headers.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

from launchpath._compiler.rtc import bare
from launchpath._compiler.rtc.library import headers as rtc_headers
from launchpath._compiler.source.text import tokens

ROOT = Path(__file__).parents[1]
WRITTEN = ROOT / "src" / "launchpath" / "_compiler" / "rtc" / "text" / "prelude_words.py"
PRELUDE = "launchpath/rtc.h"
HEAD = '"""The words of the headers before every source for NVRTC. Written by ``scripts/prelude_words.py``."""'
_INCLUDE = re.compile(rb'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"\n]+)[>"]', re.MULTILINE)


def headers() -> dict[Path, bytes]:
    """The texts of our headers that `PRELUDE` includes, whatever its conditions are."""
    texts: dict[Path, bytes] = {}
    waiting = [PRELUDE]
    while waiting:
        name = waiting.pop()
        for folder in rtc_headers.HEADERS:
            path = Path(folder, name)
            if path.is_file() and path not in texts:
                texts[path] = path.read_bytes()
                waiting += [included.decode() for included in _INCLUDE.findall(texts[path])]
    return texts


def words() -> set[str]:
    """The words of those headers that a source cannot have without them."""
    every = {token.text.decode() for text in headers().values() for token in tokens(text) if token.kind == "name"}
    return every - bare.FREE


def text() -> str:
    """The module."""
    lines = textwrap.wrap(" ".join(sorted(words())), 116, initial_indent="    ", subsequent_indent="    ")
    body = "\n".join(lines)
    return (
        f'{HEAD}\n\nfrom __future__ import annotations\n\n_TEXT = """\n{body}\n"""\nWORDS = frozenset(_TEXT.split())\n'
    )


if __name__ == "__main__":
    WRITTEN.write_text(text())
