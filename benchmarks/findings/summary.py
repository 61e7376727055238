"""The corpus in figures: shares of programs that are judged right, and the errors of the predictions."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from typing import Any

from benchmarks.findings.verdict import Prediction, Verdict

REQUIRED = {"named": 0.95, "silent": 0.95, "simulated": 0.9, "replayed": 0.95, "intervened": 0.9}
EDGES = (0.02, 0.05, 0.1, 0.2, 0.5, 1.0)  # of the distribution, as shares of what was measured


def summary(rows: Sequence[Verdict]) -> dict[str, Any]:
    """Return the figures. A program that failed is one that was not judged right."""
    figures: dict[str, Any] = {"programs": len(rows), "problems": sum(bool(row.problem) for row in rows)}
    figures["wide"] = sum(bool(row.wide) for row in rows)
    for name in ("named", "line", "silent"):
        figures[name] = _share([getattr(row, name) and not row.problem for row in rows])
    for how in ("simulated", "replayed", "intervened"):
        predictions = [each for row in rows for each in row.predictions if each.how == how]
        possible = [
            each.right or row.measured[each.kind].low <= each.us <= row.measured[each.kind].high
            for row in rows
            for each in row.predictions
            if each.how == how
        ]
        shares = {"share": _share([each.right for each in predictions]), "possible": _share(possible)}
        figures[how] = shares | distribution(predictions)
    return figures


def distribution(predictions: Sequence[Prediction]) -> dict[str, Any]:
    """Return how far predictions are from what was measured: quantiles, and counts between the edges."""
    if not predictions:
        return {"predictions": 0}
    shares = sorted(abs(each.error) / abs(each.measured) for each in predictions)
    counts, below = {}, 0
    for edge in EDGES:
        at_most = sum(share <= edge for share in shares)
        counts[f"at most {edge:.0%}"], below = at_most - below, at_most
    counts["more"] = len(shares) - below
    return {
        "predictions": len(shares),
        "median": statistics.median(shares),
        "nine_of_ten": shares[min(len(shares) - 1, int(0.9 * len(shares)))],
        "largest": shares[-1],
        "too_high": sum(each.error > 0 for each in predictions),
        "counts": counts,
    }


def _share(values: Sequence[bool]) -> float | None:
    return sum(values) / len(values) if values else None


def shown(figures: dict[str, Any]) -> list[str]:
    """Return the figures as lines of text."""
    lines = [f"{figures['programs']} programs, {figures['problems']} with problems"]
    if figures["wide"]:
        lines.append(f"{figures['wide']} programs ran too unevenly: what the fault costs is not known to 5 %")
    names = {"named": "the planted fault is named first", "line": "with its line", "silent": "nothing said if mended"}
    for name, text in names.items():
        lines.append(f"{text:36}{_percent(figures[name], REQUIRED.get(name))}")
    for how in ("simulated", "replayed", "intervened"):
        of = figures[how]
        text = f"{how}: within 10 % or 5 us"
        lines.append(f"{text:36}{_percent(of['share'], REQUIRED[how])} of {of['predictions']} predictions")
        if of["predictions"]:
            counts = ", ".join(f"{name}: {count}" for name, count in of["counts"].items())
            lines.append(f"    errors: median {of['median']:.1%}, 90 %: {of['nine_of_ten']:.1%}; {counts}")
    return lines


def _percent(share: float | None, least: float | None) -> str:
    if share is None:
        return "none"
    missed = f" (missed: at least {least:.0%})" if least is not None and share < least else ""
    return f"{share:.0%}{missed}"
