"""The whole programs of a page: blocks of Python whose first line names their file, and the commands that run them.

A command is in a block of ``console``, behind ``$``, with what it prints below it. One below a heading with ``On a CPU``
or ``On a GPU`` is for such devices, and one with ``LAUNCHPATH_DEVICE=pocl`` is for devices without warp functions: it
stands for the plain command there.
"""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker

import launchpath as lp
from tests.pages import blocks

WITHOUT_WARPS = "pocl"  # in commands: the devices of these platforms
PLATFORMS_WITHOUT_WARPS = ("Portable Computing Language", "NVIDIA CUDA")
BOUNDS = ("LAUNCHPATH_DEBUG", "bounds")  # for CPU devices only
_PART = re.compile(r"^(?P<depth>##+) (?P<heading>.*)$|^```(?P<language>\w*).*\n(?P<code>(?s:.*?))^```$", re.MULTILINE)
_NAME = re.compile(r"# (\w+\.py)\n")


@dataclass(frozen=True)
class Command:
    """A command of a page: the words behind ``python``, the variables before it, what it prints, and its devices."""

    words: tuple[str, ...]
    variables: tuple[tuple[str, str], ...]
    output: str
    place: str  # "cpu", "gpu", or "" for both

    @property
    def file(self) -> str:
        """The program that it runs."""
        return self.words[-1]

    @property
    def fails(self) -> bool:
        """Whether it ends with an error."""
        return bool(re.search(r"(?m)^[\w.]+Error: |ends the process", self.output))

    @property
    def is_plain(self) -> bool:
        """Whether it can share a process with others."""
        return len(self.words) == 1 and not self.variables and not self.fails

    def printed(self, text: str) -> bool:
        """Whether a text is what it prints: ``...`` stands for anything, and line ends for blanks."""
        return OutputChecker().check_output(self.output, text, ELLIPSIS | NORMALIZE_WHITESPACE)


def sources(page: str) -> dict[str, str]:
    """Return the programs of a page by the names of their files. A block without a name is an error."""
    found = {}
    for block in blocks.blocks(page, "python"):
        name = _NAME.match(block.lstrip("\n"))
        if name is None or name[1] in found:
            raise ValueError(f"{page}: expected a block of Python that begins with a new `# NAME.py`, got {block!r}")
        found[name[1]] = block  # with its lines where they are in the page
    return found


def commands(page: str) -> list[Command]:
    """Return the commands of a page."""
    found, place = [], ""
    for part in _PART.finditer(blocks.text(page)):
        if part["depth"] == "##":
            place = {"On a CPU": "cpu", "On a GPU": "gpu"}.get(part["heading"], "")
        elif part["language"] == "console":
            found += list(_commands(part["code"], place))
    return found


def _commands(code: str, place: str) -> Iterator[Command]:
    for text in re.split(r"(?m)^\$ ", code)[1:]:
        command, _, output = text.partition("\n")
        words = shlex.split(command)
        count = words.index("python")
        variables = tuple((name, value) for name, _, value in (word.partition("=") for word in words[:count]))
        yield Command(tuple(words[count + 1 :]), variables, output, "cpu" if BOUNDS in variables else place)


def commands_on(page: str, device: lp.Device) -> list[Command]:
    """Return the commands of a page for a device."""
    place = "cpu" if device.kind == "cpu" else "gpu"
    bare = device.driver == "opencl" and device.platform in PLATFORMS_WITHOUT_WARPS
    here = [each for each in commands(page) if each.place in ("", place)]
    special = {each.file for each in here if _device(each)}
    if bare:
        return [each for each in here if _device(each) or each.file not in special]
    return [each for each in here if not _device(each)]


def _device(command: Command) -> str:
    name = dict(command.variables).get("LAUNCHPATH_DEVICE", "")
    if name not in ("", WITHOUT_WARPS):
        raise ValueError(f"expected LAUNCHPATH_DEVICE={WITHOUT_WARPS} in a command, got {name}")
    return name
