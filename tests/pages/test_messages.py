"""The messages of docs/troubleshooting.md are those of the source."""

import re

import pytest

from tests.pages import blocks

PAGE = "docs/troubleshooting.md"
SOURCE = blocks.ROOT / "src" / "launchpath"
ADJACENT = re.compile(r"""(?s)["']\s*(?:#[^\n]*\n\s*)*f?["']|\\(?=["'])""")  # between literals that Python joins
WINDOW = 600  # characters of source in which the parts of a message are


def messages() -> list[str]:
    """The first cells of the tables below a heading `message`, in code."""
    cells = []
    for section in re.split(r"(?m)^## ", blocks.text(PAGE))[1:]:
        if "| message |" in section:
            rows = [line for line in section.splitlines() if line.startswith("| ")][1:]
            cells += [row.split(" | ")[0].removeprefix("| ") for row in rows]
    assert all(cell.startswith("`") and cell.endswith("`") for cell in cells)
    return [cell.strip("`") for cell in cells]


@pytest.fixture(scope="module")
def texts() -> list[str]:
    files = [file for pattern in ("*.py", "*.pxi") for file in SOURCE.rglob(pattern)]
    return [ADJACENT.sub("", file.read_text(encoding="utf-8")) for file in files]


def is_in(message: str, text: str) -> bool:
    """Whether the parts of a message, between its `…`, are in a text, near each other and in their order."""
    parts = [part for part in message.split("…") if re.search(r"\w\w", part)]
    for start in re.finditer(re.escape(parts[0]), text):
        place = start.end()
        for part in parts[1:]:
            place = text.find(part, place, place + WINDOW)
            if place < 0:
                break
            place += len(part)
        else:
            return True
    return False


@pytest.mark.parametrize("message", messages())
def test_a_message_is_in_the_source(message: str, texts: list[str]) -> None:
    assert any(is_in(message, text) for text in texts), "no such message: correct docs/troubleshooting.md"


def test_a_changed_message_is_noticed(texts: list[str]) -> None:
    assert len(messages()) > 50
    assert not any(is_in("no such message … anywhere in it", text) for text in texts)
    for message in messages()[:20]:
        words = message.split()
        longest = max(words, key=len)
        assert not any(is_in(message.replace(longest, longest + "x"), text) for text in texts)
