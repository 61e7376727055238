"""Findings that are alike: threads, or processes, that do the same have one finding for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from launchpath._findings.finding import AT_MOST, Finding
from launchpath._findings.interval import Interval


def joined(findings: Sequence[Finding], thread_of: Callable[[Finding], Any]) -> list[Finding]:
    """Join findings of one kind, at one source line, of several threads. Others stay as they are.

    Parameters
    ----------
    findings : sequence of Finding
    thread_of : callable
        Tells threads of all processes apart; None: the finding is of no region.
    """
    groups: dict[Any, list[Finding]] = {}
    for finding in findings:
        alone = not finding.sites or finding.saving is None or thread_of(finding) is None
        key = id(finding) if alone else (finding.kind, finding.sites[0], finding.evidence.get(AT_MOST))
        groups.setdefault(key, []).append(finding)
    result = []
    for group in groups.values():
        threads = [thread_of(finding) for finding in group]
        result += [_of(group)] if len(group) > 1 and len(set(threads)) == len(group) else group
    return result


def _of(group: list[Finding]) -> Finding:
    """Make one finding of those of several threads. Its repetitions are those of all of them."""
    first = max(group, key=lambda finding: finding.total)
    count = sum(finding.repetitions for finding in group)
    savings = [(finding.saving, finding.repetitions / count) for finding in group if finding.saving is not None]
    value, low, high = (
        sum(getattr(saving, name) * share for saving, share in savings) for name in ("value", "low", "high")
    )
    saving = Interval(value, low, high)
    return replace(
        first,
        sentence=f"{first.sentence} The same in {len(group)} threads.",
        threads=list(dict.fromkeys(thread for finding in group for thread in finding.threads)),
        count=sum(finding.count for finding in group),
        repetitions=count,
        saving=saving,
        proofs=[replace(proof, saving=saving) if proof.saving else proof for proof in first.proofs],
        edit=None,
    )
