"""Findings of several threads that do the same."""

from launchpath._findings.alike import joined
from launchpath._findings.finding import SIMULATED, Finding, Proof
from launchpath._findings.interval import Interval


def finding(thread, saving=100.0, repetitions=50, site="a.py:3 main", kind="equal-uploads"):
    interval = Interval(saving, saving - 10, saving + 10)
    return Finding(
        kind, thread, "loop", "The upload sends the same.", "Send it once.", [site], [thread], 5, repetitions,
        1000.0, interval, [Proof(SIMULATED, interval)],
    )  # fmt: skip


def of(*findings):
    return joined(findings, lambda each: each.threads[0])


def test_threads_that_do_the_same_have_one_finding():
    [its] = of(finding("a"), finding("b", 200.0), finding("c", 300.0, repetitions=100))
    assert its.saving == Interval(225, 215, 235)  # of a repetition of any of them
    assert (its.repetitions, its.count, its.threads) == (200, 15, ["a", "b", "c"])
    assert its.proofs[0].saving == its.saving
    assert its.total == 100 * 50 + 200 * 50 + 300 * 100
    assert its.sentence == "The upload sends the same. The same in 3 threads."


def test_what_is_not_alike_stays():
    different = [finding("a"), finding("b", site="a.py:4 main"), finding("c", kind="lock"), finding("a", site="")]
    different[-1].sites = []
    assert of(*different) == different
    regions_of_one_thread = [finding("a"), finding("a")]
    assert of(*regions_of_one_thread) == regions_of_one_thread
    unknown = [finding("a"), finding("b")]
    assert joined(unknown, lambda _: None) == unknown
