"""Tables as HTML, for notebooks: every text is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


def table_html(head: Sequence[object], rows: Iterable[Sequence[object]], title: str = "") -> str:
    """Draw a table with a line of heads."""
    above = f"<h4>{escape(title)}</h4>" if title else ""
    heads = "".join(f"<th>{escape(str(cell))}</th>" for cell in head)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    return f"{above}<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>"


def facts_html(title: str, facts: Iterable[tuple[str, object]]) -> str:
    """Draw names and values; a value of None or of no text is omitted."""
    shown = [(name, value) for name, value in facts if value is not None and str(value)]
    body = "".join(f"<tr><th>{escape(name)}</th><td>{escape(str(value))}</td></tr>" for name, value in shown)
    return f"<h4>{escape(title)}</h4><table><tbody>{body}</tbody></table>"


def lines_html(lines: Iterable[str]) -> str:
    """Draw lines of text, a paragraph each."""
    return "".join(f"<p>{escape(line)}</p>" for line in lines)
