"""Whether the true offset of two hosts' clocks is inside the stated bound.

    python -m benchmarks.hosts [--traces 40] [--seconds 200] [--loopback] [--json FILE]

Two processes are two hosts: in network namespaces of their own if this is run by root, else on the loopback. Their
clocks are simulated: each begins at another time, drifts, wanders and may be corrected by a daemon. So the true offset
is known. What measures is launchpath's own code, over real TCP, through a forwarder that keeps back either direction
for another time (a kernel's `tc netem` would do the same; not all have it). Between the measurements of a trace the
time of both hosts is moved on, so that a trace of some minutes takes less than a second. In each trace the offset is
asked for at random times. Exit code 1: a true offset was outside, or a bound was over 1.5 times half of the trace's
shortest round trip.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import sys
from pathlib import Path
from typing import Any

from benchmarks.any_program.__main__ import _processor
from benchmarks.hosts.simulation import Hosts, Row
from benchmarks.hosts.world import SCENES

MOST = 1.5  # times half of the shortest round trip
RESULT = Path(__file__).parents[1] / "results" / "hosts.json"


def main() -> None:
    """Simulate, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--traces", type=int, default=40, help="of each scene (40); each is asked for 5 times")
    parser.add_argument("--seconds", type=int, default=200, help="of a trace (200)")
    parser.add_argument("--loopback", action="store_true", help="no network namespaces")
    parser.add_argument("--json", type=Path, default=RESULT)
    asked = parser.parse_args()
    rows: list[Row] = []
    figures = []
    with Hosts(not asked.loopback) as hosts:
        for scene in SCENES:
            made, counts = [], [0, 0, 0, 0]
            for number in range(asked.traces):
                of_trace, of_counts = hosts.trace(scene, asked.seconds, number)
                made += of_trace
                counts = [one + other for one, other in zip(counts, of_counts, strict=True)]
            rows += made
            figures.append({"scene": scene.name, **figure(made), "failed, lost, refused, steps": counts})
            sys.stdout.write(line(scene.name, figures[-1]))
            sys.stdout.flush()
        network = hosts.network
    total = figure(rows)
    sys.stdout.write(line("all", total))
    result = {
        "benchmark": "hosts",
        "machine": f"{_processor()}, Python {platform.python_version()}, {platform.system()} {platform.release()}",
        "network": f"{network}; delays by a forwarder in user space",
        "seconds of a trace": asked.seconds,
        "rows": figures,
        "all": total,
    }
    asked.json.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    sys.exit(0 if total["inside"] == total["times"] and total["greatest ratio"] <= MOST else 1)


def figure(rows: list[Row]) -> dict[str, Any]:
    """Sum up what was stated."""
    return {
        "times": len(rows),
        "inside": sum(row.inside for row in rows),
        "greatest ratio": round(max(row.ratio for row in rows), 3),
        "median ratio": round(statistics.median(row.ratio for row in rows), 3),
        "median bound, us": round(statistics.median(row.bound for row in rows) / 1e3, 1),
        "median error, us": round(statistics.median(abs(row.true - row.stated) for row in rows) / 1e3, 1),
        "nearest to the bound": round(max(abs(row.true - row.stated) / row.bound for row in rows), 3),
    }


def line(name: str, facts: dict[str, Any]) -> str:
    return (
        f"{name:18} {facts['inside']} of {facts['times']} inside; bound {facts['median bound, us']:.1f} us, "
        f"{facts['median ratio']:.2f} (at most {facts['greatest ratio']:.2f}) times half of the shortest round trip; "
        f"error {facts['median error, us']:.1f} us, at most {facts['nearest to the bound']:.2f} of the bound\n"
    )


if __name__ == "__main__":
    main()
