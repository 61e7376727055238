"""Reports of findings made by hand, for what shows them."""

from __future__ import annotations

from typing import Any

from launchpath._findings.finding import INTERVENED, REPLAYED, SIMULATED, Finding, Proof
from launchpath._findings.interval import Interval
from launchpath._findings.region_summary import DEVICE, HOST, RANGE, REPETITION, RegionSummary
from launchpath._findings.report import Report

US, MS, S = 1e3, 1e6, 1e9
LAUNCHES = 96


def around(value: float, half: float) -> Interval:
    return Interval(value, value - half, value + half)


def launch_bound() -> Finding:
    saved = around(2.3 * MS, 0.1 * MS)
    return Finding(
        kind="launch-bound",
        subject="integrate",
        region="integrate",
        sentence="Launching holds the device back in `integrate`: 96 launches of 3.10us, then it is idle.",
        mend="`with lp.Step():` around simulate.py:41.",
        sites=["/home/ada/model/simulate.py:41 run", "/home/ada/model/simulate.py:44 run"],
        threads=["MainThread"],
        count=400 * LAUNCHES,
        repetitions=400,
        period=4.4 * MS,
        saving=saved,
        proofs=[
            Proof(SIMULATED, around(2.2 * MS, 0.2 * MS), None, "the recorded order with one submission a repetition"),
            Proof(
                INTERVENED, None, around(0.97, 0.03), "the program ran again with 0, 1 and 2 us before each submission"
            ),
            Proof(REPLAYED, saved, None, "the program ran again with the range `integrate` as a step, 5 times each"),
        ],
        evidence={"launches": LAUNCHES, "us_launch": 3.1, "us_idle": 2984.2, "kernels": ["forces", "integrate"]},
    )


def equal_uploads() -> Finding:
    saved = around(84 * US, 4 * US)
    return Finding(
        kind="equal-uploads",
        subject="params",
        region="integrate",
        sentence="`upload(params)` sends the same 1.2 MB 400 times (84.00us each): 33.60ms of 4.40s.",
        mend="Upload it once, before the loop.",
        sites=["/home/ada/model/simulate.py:57 upload"],
        threads=["MainThread"],
        count=400,
        repetitions=400,
        period=4.4 * MS,
        saving=saved,
        proofs=[Proof(SIMULATED, saved)],
        evidence={"bytes": 1_200_000, "us_upload": 84.0},
    )


def needless_synchronize() -> Finding:
    saved = Interval(41 * US, 12 * US, 44 * US)
    return Finding(
        kind="needless-synchronize",
        subject="Stream.synchronize",
        region="integrate",
        sentence="The synchronize at simulate.py:63 waits 41.00us, and nothing reads its result before the next one.",
        mend="Leave it out.",
        sites=["/home/ada/model/simulate.py:63 run"],
        count=400,
        repetitions=400,
        period=4.4 * MS,
        saving=saved,
        proofs=[Proof(SIMULATED, saved)],
        evidence={"us_waited": 41.0},
    )


def hidden(number: int = 0) -> Finding:
    return Finding(
        kind="host-code",
        subject="event queries",
        region="integrate",
        sentence=f"event queries{f' {number}' if number else ''} (+1.00us each changed the step by 0.02us).",
        mend="",
        repetitions=400,
        period=4.4 * MS,
        saving=around(0, 20),
        hidden=True,
    )


def region(name: str = "integrate", **more: Any) -> RegionSummary:
    fields: dict[str, Any] = {
        "source": RANGE,
        "thread": "MainThread",
        "repetitions": 400,
        "period": around(4.4 * MS, 0.05 * MS),
        "busy": 0.29,
        "idle": {"launching": 2.69 * MS, "synchronize": 0.24 * MS, "host code": 0.12 * MS, "query": 0.0},
        "bound": HOST,
    }
    return RegionSummary(name, **{**fields, **more})


def timeline() -> dict[str, Any]:
    """A step of 96 launches on a thread, their kernels on a stream, an upload on another, and a synchronize."""
    host: list[dict[str, Any]] = [item("upload(params)", 5, 89, "upload", True, "simulate.py:57")]
    stream, copies = [], [item("copy to the device", 30, 88, "copy", False)]
    time = 120.0
    for number in range(LAUNCHES):
        name = ("forces", "integrate")[number % 2]
        host.append(item(name, time, time + 3.1, "launch", True, "simulate.py:41"))
        stream.append(item(name, time + 6, time + 6 + 13, "kernel", number == LAUNCHES - 1))
        time += 43.4
    host.append(item("Stream.synchronize", time - 38, time - 18, "synchronize", False, "simulate.py:63"))
    host.append(item("print_energy", time - 18, 4400, "host code", True, "simulate.py:70"))
    return {
        "us": 4400.0,
        "lanes": [
            {"name": "MainThread", "kind": "thread", "items": host},
            {"name": "stream 0 of GPU 0", "kind": "stream", "items": stream},
            {"name": "stream 1 of GPU 0", "kind": "stream", "items": copies},
        ],
    }


def item(name: str, begin: float, end: float, role: str, critical: bool, site: str = "") -> dict[str, Any]:
    return {"name": name, "begin": begin, "end": end, "role": role, "critical": critical, "site": site}


def simulate() -> Report:
    """The program that the page for users shows."""
    return Report(
        program="python simulate.py",
        processes=1,
        length=4.4 * S,
        regions=[region()],
        findings=[launch_bound(), equal_uploads(), needless_synchronize()],
        hidden=[hidden()],
        not_said=["The 12 kernels of `warm_up` ran twice: expected at least 3 repetitions."],
        tracing="The trace itself took 0.21us of each launch, 0.5 % of a repetition.",
        timeline=timeline(),
    )


def crowded() -> Report:
    """Long names, many regions, many findings, and much that is not said."""
    long = "void ns::compute_forces<float, 3, ns::periodic<ns::box<double>>>(ns::view<float const *, 3>, unsigned long)"
    findings = []
    for number in range(30):
        each = launch_bound()
        each.subject = each.region = long
        each.sentence = f"Launching holds the device back in `{long}` and in `{'x' * 300}`, {number} times over."
        each.mend = f"`with lp.Step():` around a_file_with_a_long_name_{number}.py:{10_000 + number}, and look at " * 3
        findings.append(each)
    return Report(
        program=f"python -m {'package.' * 30}main --steps 100000 {'--option=value ' * 40}",
        processes=128,
        length=3600 * S,
        regions=[region(f"{long} {number}", source=REPETITION, bound=DEVICE) for number in range(9)],
        findings=findings,
        hidden=[hidden(number) for number in range(1, 40)],
        not_said=[f"Records of thread {number} were lost ({10**number} of them): nothing is said of it." for number in range(12)],
        tracing=f"The trace itself took {'0.21us of each launch, and ' * 8} nothing else.",
        timeline={
            "us": 100_000.0,
            "lanes": [
                {
                    "name": f"{long} {lane}",
                    "kind": ("thread", "stream")[lane % 2],
                    "items": [item(long, 10 * i, 10 * i + 3, ("kernel", "other thing")[i % 2], not i % 3) for i in range(10_000)],
                }
                for lane in range(30)
            ],
        },
    )  # fmt: skip


def nothing() -> Report:
    """A program that nothing holds back."""
    return Report(
        "./mended", 1, 2 * S, [region(bound=DEVICE, busy=0.99, idle={"other": 0.04 * MS})], timeline=timeline()
    )


def unknown() -> Report:
    """Of which nothing can be said."""
    return Report("./short", 1, 2 * MS, not_said=["No region ran 3 times: expected at least 3 repetitions, got 1."])


ALL = {"simulate": simulate, "crowded": crowded, "nothing": nothing, "unknown": unknown, "empty": Report}
