"""Clocks of hosts: by how much the monotonic clocks of two hosts differ, and how well that is known.

The times of a trace are nanoseconds of its host's monotonic clock, which begins at another moment on each host and runs
at another rate. A reference, one of the hosts or another one, answers questions for its time. Everything here follows
from those answers, as intervals that hold the truth for certain, not as averages:

1. An *exchange* (`exchange.py`) is a question and its answer, with four times. The answer was made after the question
   was sent and before it arrived here, whatever the two ways took. So the offset, the reference's clock less the host's
   own, lies in an interval as wide as the round trip; with ways of different lengths it may be anywhere in it.
2. A *measurement* (`measurement.py`) is the intersection of the intervals of some exchanges, widened by what the clocks
   can drift apart between them. It is never wider than the shortest round trip. Where nothing is in all of them an
   answer was wrong or a clock was set meanwhile, and there is no measurement.
3. The *offset* (`offset.py`) at any time is drawn between measurements, with a bound of its error: of the two
   measurements, of what the rates of two crystals change in between (`WANDER`, a stated limit), and of what time
   daemons on both sides have bent the clocks (measured, see `launchpath._tracing.clocks.slewing`; where that is much,
   there are knots in between, `launchpath._tracing.clocks.knots`). Neighbours narrow a measurement, or contradict it:
   then a clock was set between them, and the bound there has all of the contradiction.
4. A *host's clock* (`host_clock.py`) is what a trace's file says of it, in its ``META`` under ``host_clock``.
5. *Clocks* (`clocks.py`) are those of several files. They bring times to the reference's clock, and tell which of two
   times was before the other: before, after, or not ordered, where the two are closer than the bounds.

What chrony, PTP and the kernel say of the host's time of day is noted beside this. It is another clock, and nobody here
can check it: it takes no part in any of the above.
"""
