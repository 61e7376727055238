"""``launchpath clock``: answer for this host's time, and measure this host's clock against another one's."""

from __future__ import annotations

import signal
import time

import click
import numpy

from launchpath._cli.failure import Failure
from launchpath._cli.shown.output import Output
from launchpath._cli.words.group import Group
from launchpath._cli.words.options import json_option
from launchpath._report import format_time
from launchpath._report.console import printable
from launchpath._trace.hosts.exchange import RATE
from launchpath._trace.hosts.host_clock import HostClock
from launchpath._trace.hosts.offset import Offset
from launchpath._trace.hosts.statements import sentences
from launchpath._tracing.clocks.address import PORT, address
from launchpath._tracing.clocks.identity import identity
from launchpath._tracing.clocks.reference import Reference
from launchpath._tracing.clocks.server import ClockServer
from launchpath._tracing.clocks.statements import statements
from launchpath._tracing.clocks.watch import Watch


@click.group(cls=Group)
def clock() -> None:
    """Clocks of hosts: answer for this host's, or measure it against another one's."""


@clock.command()
@click.option("--bind", default="", metavar="ADDRESS", help="Where to listen. Default: all of this host's.")
@click.option("--port", type=click.IntRange(0, 65535), default=PORT, show_default=True, help="0: a free one.")
def serve(bind: str, port: int) -> None:
    """Answer for this host's time until Ctrl-C or SIGTERM: the reference of other hosts' clocks.

    Traces of other hosts name it by `launchpath trace --clock HOST:PORT`. Every program that can connect is answered.
    The answers tell the monotonic clock, the host's name, and nothing else.
    """
    try:
        server = ClockServer(bind, port)
    except OSError as error:
        raise Failure(f"cannot listen at {bind or 'this host'}, port {port}: {error.strerror}") from None
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with server:
        try:  # from the line on that says so, it may be ended
            click.echo(f"launchpath: answers at port {server.address[1]}; Ctrl-C ends", err=True)
            signal.pause()
        except KeyboardInterrupt:
            click.echo("launchpath: ended", err=True)


@clock.command()
@click.argument("where", metavar="HOST[:PORT]")
@click.option(
    "--seconds",
    type=click.FloatRange(0),
    default=2.0,
    show_default=True,
    help="From the first to the last measurement: the longer, the better is the drift known.",
)
@json_option
def measure(where: str, seconds: float, json_file: str | None) -> None:
    """Measure this host's clock against that of HOST, where `launchpath clock serve` answers."""
    output = Output(json_file)
    watch = Watch(Reference(address(where, "HOST[:PORT]")))
    watch.facts.statements = statements()
    watch.start()
    begun = time.monotonic()
    try:
        while watch.measure() is not None and (left := begun + seconds - time.monotonic()) > 0:
            time.sleep(min(left, 1.0))
    finally:
        watch.stop()
    facts = watch.facts
    if facts.failed:
        raise Failure(facts.failure)
    output.json(facts.as_json())
    for line in _lines(facts):
        output.print(printable(line))


def _lines(facts: HostClock) -> list[str]:
    if facts.is_reference:
        return [f"{facts.reference_host} is this host: processes with the clock {identity()} have the same"]
    offset = Offset(facts.measurements)
    first, last = offset.measurements[0], offset.measurements[-1]
    answered = [each for each in offset.measurements if each.exchanges]
    stated, bound = offset(numpy.array([last.time]))
    lines = [
        f"the monotonic clock of {facts.reference_host} is {_signed(int(stated[0]))} ahead of that of {facts.host}, "
        f"within {format_time(int(bound[0]))}",
        f"{len(answered)} measurements of {sum(each.exchanges for each in answered)} exchanges; "
        f"the shortest round trip: {format_time(min(each.round_trip for each in answered))}",
    ]
    if length := last.time - first.time:
        drift, wrong = (last.offset - first.offset) / length * 1e6, (first.bound + last.bound) / length * 1e6
        known = f"{drift:+.3f} ppm, within {wrong:.3f}" if wrong < RATE / 1e3 else "not known: measure for longer"
        lines.append(f"its drift: {known}")
    if facts.lost or facts.refused:
        lines.append(f"questions without an answer: {facts.lost}; answers that were refused: {facts.refused}")
    return lines + sentences(facts)


def _signed(time_: int) -> str:
    """Give a time that may be of days, with all its nanoseconds: it is to be computed with."""
    whole, part = divmod(abs(time_), 10**9)
    return f"{'-' if time_ < 0 else ''}{whole}.{part:09d} s"
