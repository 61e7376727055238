"""The snippets of a page: those of another library and launchpath's, in pairs by the heading above them.

The words behind the language of a block of code name its side: ```` ```python cupy ````, ```` ```python launchpath ````.
A third word says where it belongs: `gpu` (it runs on a GPU only) or `file` (C++ outside of `main`). A line that prints
has what it prints in a comment.
"""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "docs" / "coming-from"
LAUNCHPATH = "launchpath"
MARK = "--- "  # a line that begins so is printed before each snippet, with its number
_PART = re.compile(r"^## (?P<heading>.*)$|^```(?P<words>.*)\n(?P<code>(?s:.*?))^```$", re.MULTILINE)
_PRINTED = re.compile(r"^\s*(?:print|printf)\(.*(?:#|//) (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Snippet:
    """A block of code: its heading, its side, where it belongs, and the line of the page that it begins at."""

    heading: str
    language: str
    side: str
    place: str
    code: str
    line: int

    @property
    def printed(self) -> list[str]:
        """The lines that it prints, by its comments."""
        return _PRINTED.findall(self.code)


def snippets(page: str) -> list[Snippet]:
    """Return the snippets of a page. A block whose words are not of the form above is an error."""
    text = (FOLDER / f"{page}.md").read_text(encoding="utf-8")
    heading, result = "", []
    for part in _PART.finditer(text):
        if part["heading"] is not None:
            heading = part["heading"]
            continue
        language, side, place = (*part["words"].split(), "", "", "")[:3]
        if side not in (page, LAUNCHPATH) or place not in ("", "gpu", "file"):
            raise ValueError(f"expected ```LANGUAGE {page} or {LAUNCHPATH}, then gpu or file, got {part['words']!r}")
        line = text.count("\n", 0, part.start("code"))
        result.append(Snippet(heading, language, side, place, part["code"], line))
    return result


def python(chosen: list[Snippet]) -> str:
    """Join snippets: every line is where it is in the page, and the mark of a snippet is in the line before it."""
    code = ""
    for number, snippet in enumerate(chosen):
        code += "\n" * (snippet.line - 1 - code.count("\n"))
        code += f'print("{MARK}{number}", flush=True)\n{snippet.code}'
    return code


def cpp(chosen: list[Snippet]) -> str:
    """Join snippets of C++: first those for the file, then the others as the body of `main`."""
    outside = "".join(snippet.code for snippet in chosen if snippet.place == "file")
    body = "".join(
        f'printf("{MARK}{number}\\n");\n{snippet.code}'
        for number, snippet in enumerate(chosen)
        if snippet.place != "file"
    )
    return f"#include <cstdio>\n{outside}\nint main() {{\n{body}return 0;\n}}\n"


def outputs(text: str, chosen: list[Snippet]) -> list[list[str]]:
    """Split what a program of snippets printed: the lines of each."""
    lines: list[list[str]] = [[] for _ in chosen]
    number = 0
    for line in text.splitlines():
        if line.startswith(MARK):
            number = int(line.removeprefix(MARK))
        else:
            lines[number].append(line)
    return lines
