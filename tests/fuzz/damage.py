"""Damage: bytes and texts with something in them changed, by a generator of random numbers."""

import json
from collections.abc import Sequence
from random import Random
from typing import Any

_EXTREME = (0, 1, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 1 << 40, (1 << 63) - 1, 1 << 63)
_WORDS = [
    "{", "}", "(", ")", "[", "]", "<", ">", ";", ",", ":", "::", "#", '"', "'", "\\", "/*", "*/", "//", "<<<", ">>>",
    'R"(', ')"', "__global__", "__device__", "__shared__", "template", "typename", "class", "struct", "namespace",
    "extern", '"C"', "operator", "static", "const", "volatile", "void", "int", "float", "auto", "if", "else", "for",
    "return", "#if", "#endif", "#else", "#define", "#include", "#pragma", "#line", "main", "\\\n", "\n", "\r\n", "\t",
    "\x0c", "\x0b", "\x00", "\ufeff", "é", "😀", "$", "@", "`", "0", "-1", "1e999", "...",
]  # fmt: skip
_VALUES = (
    None,
    True,
    False,
    0,
    -1,
    1 << 31,
    1 << 64,
    1e308,
    "",
    "x",
    "\ud800",
    [],
    [[]],
    {},
    {"a": None},
    [0, 1],
    "struct",
)


def damaged(random: Random, data: bytes, times: int = 2) -> bytes:
    """Change some bytes: cut, doubled, moved, overwritten; numbers at their limits."""
    text = bytearray(data)
    for _ in range(random.randint(1, times)):
        if not text:
            return bytes(text)
        at, length = random.randrange(len(text)), random.choice((1, 4, 8, 16, 64, 500))
        kind = random.randrange(8)
        if kind == 0:
            del text[at:]
        elif kind == 1:
            del text[at : at + length]
        elif kind == 2:
            text[at:at] = text[at : at + length] * random.choice((1, 2, 50))
        elif kind == 3:
            text[at : at + length] = random.randbytes(min(length, len(text) - at))
        elif kind == 4:
            text[at] ^= 1 << random.randrange(8)
        elif kind == 5:
            other = random.randrange(len(text))
            text[at : at + length] = text[other : other + length]
        else:
            size = random.choice((1, 2, 4, 8))
            at -= at % size
            number = random.choice(_EXTREME) & ((1 << 8 * size) - 1)
            text[at : at + size] = number.to_bytes(size, "little")
    return bytes(text)


def damaged_text(random: Random, text: str, times: int = 2, words: Sequence[str] = _WORDS) -> str:
    """Change some of a text: cut, lines and pieces doubled, left out, swapped; signs and words put in."""
    for _ in range(random.randint(1, times)):
        at = random.randint(0, len(text))
        length = random.choice((1, 1, 2, 5, 20, 100))
        kind = random.randrange(9)
        if kind == 0 and random.random() < 0.5:
            text = text[:at]
        elif kind <= 2:
            text = text[:at] + text[at + length :]
        elif kind == 3:
            text = text[:at] + text[at : at + length] * random.choice((1, 1, 1, 20)) + text[at:]
        elif kind == 4:
            lines = text.split("\n")
            first, second = random.randrange(len(lines)), random.randrange(len(lines))
            lines[first], lines[second] = lines[second], lines[first]
            text = "\n".join(lines)
        elif kind == 5:
            lines = text.split("\n")
            del lines[random.randrange(len(lines))]
            text = "\n".join(lines)
        else:
            text = text[:at] + random.choice(words) + text[at:]
    return text


def rewritten(random: Random, text: str) -> bytes:
    """Write a C++ source otherwise: its meaning is the same, and each line is where it was."""
    end = random.choice(("\n", "\r\n", "\r"))
    lines = []
    for line in text.split("\n"):
        blanks = random.choice(("", " ", "\t ", " \f")) if line.endswith("\\") else ""
        lines.append(line + blanks)
    data = end.join(lines).encode()
    return random.choice((b"", b"\xef\xbb\xbf")) + data


def damaged_json(random: Random, value: Any) -> Any:
    """Change one value somewhere in what JSON holds."""
    value = json.loads(json.dumps(value))
    while True:
        within = value
        while True:
            keys = list(within) if isinstance(within, dict) else list(range(len(within)))
            if not keys:
                break
            key = random.choice(keys)
            if isinstance(within[key], (dict, list)) and random.random() < 0.85:
                within = within[key]
                continue
            kind = random.randrange(4)
            if kind == 0:
                del within[key]
            elif kind == 1 and isinstance(within, list):
                within.insert(key, within[random.choice(keys)])
            elif isinstance(within[key], int) and kind == 2:
                within[key] += random.choice((-1, 1, 8, 1 << 20, -(1 << 20), 1 << 40))
            else:
                within[key] = random.choice(_VALUES)
            return value
        if not value:
            return random.choice(_VALUES)
