"""The timeline of one repetition in SVG: a lane for each thread and stream, and the critical path through them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise
from typing import Any

from launchpath._findings.amounts import counted, cut, short_time, site_text
from launchpath._findings.shown.bars import legend
from launchpath._findings.shown.roles import OTHER, Group, group_of

_LANES, _BLOCKS, _JOINTS, _ROWS = 16, 400, 300, 60
# Heights in pixels. What is on the critical path is as high as its lane, the rest half of that.
_TOP, _NAME, _LANE, _BELOW = 6, 18, 24, 16
_LOW = 12
_NAME_MOST = 38  # characters: as wide as a phone
_LETTER, _PHONE, _WIDE = 7.4, 290, 820  # pixels: a letter in a bar, and the least width of the drawing
_HEADS = (("begin", ' class="right"'), ("time", ' class="right"'), ("what, where", ""))
_FINE = 1e-3  # of the width: what is shorter is drawn together with its neighbours


@dataclass
class Block:
    """What is drawn as one bar: an item, or several that are too short to be seen."""

    group: Group
    critical: bool
    begin: float
    end: float
    items: list[dict[str, Any]] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The names of its items, three at most."""
        names = list(dict.fromkeys(str(item.get("name", "")) for item in self.items))
        text = ", ".join(cut(name, 60) for name in names[:3]) + (", ..." if len(names) > 3 else "")
        return text if len(self.items) == 1 else f"{len(self.items)} x {text}"

    @property
    def title(self) -> str:
        """What a pointer on it shows."""
        roles = list(dict.fromkeys(str(item.get("role", "")) for item in self.items))
        sites = list(dict.fromkeys(site_text(str(item["site"])) for item in self.items if item.get("site")))
        path = ", on the critical path" if self.critical else ""
        took = short_time((self.end - self.begin) * 1e3)
        text = f"{self.name}: {', '.join(roles[:3])}, {took} from {short_time(self.begin * 1e3)} on{path}"
        return text + (f"; {', '.join(sites[:3])}" if sites else "")


def timeline(drawn: dict[str, Any]) -> str:
    """Draw a `Report.timeline` with its legend, and the critical path as a table."""
    whole, lanes = float(drawn["us"]), drawn["lanes"]
    shown = lanes[:_LANES]
    blocks = [_blocks(lane["items"], whole) for lane in shown]
    height = _TOP + len(shown) * (_NAME + _LANE + _BELOW) + 18
    parts = _ticks(whole, height)
    for number, (lane, row) in enumerate(zip(shown, blocks, strict=True)):
        parts += _lane(lane, row, _top(number), whole)
    parts += _joints(shown, whole)
    label = f"One repetition of {short_time(whole * 1e3)}, with {counted(len(lanes), 'lane')}: threads and streams"
    image = f'<svg role="img" aria-label="{escape(label)}" height="{height}"><title>{escape(label)}</title>'
    groups = {block.group for row in blocks for block in row}
    path = '<li><svg aria-hidden="true" height="16"><rect class="mark" x="1" y="6" width="24" height="4"/></svg>'
    rest = len(lanes) - len(shown)
    more = f'<p class="note">{counted(rest, "other lane")} not drawn: the JSON has all.</p>' if rest else ""
    later = sum(int(lane.get("left_out", 0)) for lane in lanes)
    more += f'<p class="note">{counted(later, "later call")} and commands not drawn.</p>' if later else ""
    return (
        f"{image}{''.join(parts)}</svg>{more}"
        f"{legend(groups, f'{path}the critical path: its bars are high, and underlined</li>')}{_table(lanes)}"
    )


def _top(number: int) -> int:
    return _TOP + number * (_NAME + _LANE + _BELOW) + _NAME


def _blocks(items: Sequence[dict[str, Any]], whole: float) -> list[Block]:
    """Put items together that are too short to be seen apart; by their kinds, unless even then they are too many."""
    row: list[Block] = []
    for fine, mixed in ((_FINE, False), (4 * _FINE, False), (_FINE, True), (4 * _FINE, True)):
        row = list(_merged(items, whole * fine, mixed))
        if len(row) <= _BLOCKS:
            break
    return row


def _merged(items: Iterable[dict[str, Any]], fine: float, mixed: bool) -> Iterator[Block]:
    last: Block | None = None
    for item in sorted(items, key=lambda each: (each["begin"], -each["end"])):
        group, critical = group_of(str(item.get("role", ""))), bool(item.get("critical"))
        near = last is not None and item["begin"] - last.end < fine and item["end"] - item["begin"] < fine
        near = near and last is not None and (last.end - last.begin < fine or len(last.items) > 1)
        if last is not None and near and (mixed or (last.group, last.critical) == (group, critical)):
            last.end = max(last.end, item["end"])
            last.critical = last.critical or critical
            last.group = group if group == last.group else OTHER
            last.items.append(item)
            continue
        if last is not None:
            yield last
        last = Block(group, critical, item["begin"], item["end"], [item])
    if last is not None:
        yield last


def _ticks(whole: float, height: int) -> list[str]:
    """Draw lines at round times: 5 at most, so that their texts have room on a phone."""
    step = next(base * 10**power for power in range(-3, 13) for base in (1, 2, 5) if whole / (base * 10**power) <= 4.6)
    parts = []
    number = 0
    while number * step <= whole:
        x = _x(number * step, whole)
        parts.append(f'<line class="grid" x1="{x}" x2="{x}" y1="0" y2="{height - 16}"/>')
        anchor = "start" if not number else "end" if number * step > 0.9 * whole else "middle"
        parts.append(
            f'<text class="tick" x="{x}" y="{height - 3}" text-anchor="{anchor}">{_round_time(number * step)}</text>'
        )
        number += 1
    return parts


def _round_time(microseconds: float) -> str:
    for size, unit in ((1e6, "s"), (1e3, "ms"), (1.0, "us")):
        if microseconds >= size:
            return f"{microseconds / size:g} {unit}"
    return f"{microseconds * 1e3:g} ns" if microseconds else "0"


def _lane(lane: dict[str, Any], row: Sequence[Block], top: int, whole: float) -> list[str]:
    name = str(lane["name"])
    parts = [f'<text x="0" y="{top - 5}"><title>{escape(name)}</title>{escape(cut(name, _NAME_MOST))}</text>']
    for block in row:
        x, width = _x(block.begin, whole), _x(block.end - block.begin, whole)
        high = _LANE if block.critical else _LOW
        y = top + (_LANE - high) // 2
        parts.append(
            f'<g><title>{escape(block.title)}</title><rect class="bar {block.group.name}" x="{x}" y="{y}" '
            f'width="{width}" height="{high}"/>{_text(block, top, whole)}</g>'
        )
    parts += [
        f'<rect class="mark" x="{_x(begin, whole)}" y="{top + _LANE + 3}" width="{_x(end - begin, whole)}" height="3"/>'
        for begin, end in _critical(lane["items"], _FINE * whole)
    ]
    return parts


def _critical(items: Iterable[dict[str, Any]], fine: float) -> Iterator[tuple[float, float]]:
    """The times of a lane that are on the critical path: those with less than `fine` between them together."""
    last: tuple[float, float] | None = None
    for begin, end in sorted((item["begin"], item["end"]) for item in items if item.get("critical")):
        if last is not None and begin - last[1] < fine:
            last = last[0], max(last[1], end)
            continue
        if last is not None:
            yield last
        last = begin, end
    if last is not None:
        yield last


def _text(block: Block, top: int, whole: float) -> str:
    """Write a name into its bar, where the bar is wide enough: on every screen, or on wide ones."""
    name = cut(block.name, 40)
    share = (block.end - block.begin) / whole if whole else 0.0
    need = (len(name) + 2) * _LETTER
    if not block.critical or share * _WIDE < need:
        return ""
    kinds = ["in", "on" if block.group.is_solid else "over"] + ["wide"] * (share * _PHONE < need)
    x = _x((block.begin + block.end) / 2, whole)
    return f'<text class="{" ".join(kinds)}" x="{x}" y="{top + 16}" text-anchor="middle">{escape(name)}</text>'


def _joints(lanes: Sequence[dict[str, Any]], whole: float) -> list[str]:
    """Draw where the critical path goes from one lane to another."""
    path = _path(lanes)
    parts = []
    for (above, _), (below, item) in pairwise(path):
        if above != below:
            x = _x(item["begin"], whole)
            first, last = sorted((above, below))
            parts.append(f'<line class="path" x1="{x}" x2="{x}" y1="{_top(first) + _LANE}" y2="{_top(last)}"/>')
    return parts if len(parts) <= _JOINTS else []


def _path(lanes: Sequence[dict[str, Any]]) -> list[tuple[int, dict[str, Any]]]:
    """The items of the critical path, with the numbers of their lanes, in the order of time."""
    path = [(number, item) for number, lane in enumerate(lanes) for item in lane["items"] if item.get("critical")]
    return sorted(path, key=lambda pair: (pair[1]["begin"], pair[1]["end"]))


def _table(lanes: Sequence[dict[str, Any]]) -> str:
    """The critical path as a table: what follows itself in a lane is one row."""
    rows: list[tuple[int, Block]] = []
    for number, item in _path(lanes):
        group = group_of(str(item.get("role", "")))
        if rows and rows[-1][0] == number and rows[-1][1].group == group:
            rows[-1][1].items.append(item)
            rows[-1][1].end = max(rows[-1][1].end, item["end"])
        else:
            rows.append((number, Block(group, True, item["begin"], item["end"], [item])))
    if not rows:
        return '<p class="note">The critical path is not known.</p>'
    body = "".join(_row(str(lanes[number]["name"]), block) for number, block in rows[:_ROWS])
    rest = len(rows) - _ROWS
    more = f'<p class="note">{counted(rest, "more row")}: the JSON has all.</p>' if rest > 0 else ""
    heads = "".join(f'<th{kind} scope="col">{head}</th>' for head, kind in _HEADS)
    return (
        '<details><summary><span class="more">The critical path as a table</span></summary>'
        f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>{more}</details>"
    )


def _row(lane: str, block: Block) -> str:
    busy = sum(item["end"] - item["begin"] for item in block.items)
    sites = list(dict.fromkeys(site_text(str(item["site"])) for item in block.items if item.get("site")))
    role = cut(str(block.items[0].get("role", "")), 30)
    where = f" at {', '.join(sites[:2])}" if sites else ""
    return (
        f'<tr><td class="right">{short_time(block.begin * 1e3)}</td><td class="right">{short_time(busy * 1e3)}</td>'
        f"<td>{escape(block.name)}: {escape(role)}{escape(where)}, on {escape(cut(lane, 60))}</td></tr>"
    )


def _x(time: float, whole: float) -> str:
    return f"{100 * min(max(time / whole if whole else 0.0, 0.0), 1.0):.3f}%"
