"""Sources without their host code, for tests."""

from launchpath._compiler.extraction.unit import ParsedUnit, parse
from launchpath._compiler.source import source as sources


def unit(text: str, name: str = "user.cu", **around: object) -> ParsedUnit:
    return parse(sources.from_text(text, name, **around))


def reduced(text: str, **around: object) -> str:
    """The main file without its host code."""
    parsed = unit(text, **around)
    return parsed.reduced()[parsed.source.path].decode()


def words(text: str, **around: object) -> list[str]:
    return reduced(text, **around).split()
