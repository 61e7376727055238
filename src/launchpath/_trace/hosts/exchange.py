"""An exchange with the reference: a question for its time, and the answer."""

from __future__ import annotations

from typing import NamedTuple

# Two clocks drift apart by this at most, in parts of a billion: each runs 100 ppm wrong, and is corrected by 500 ppm,
# the limit of the kernel's own discipline.
RATE = 1_200_000


class Exchange(NamedTuple):
    """Four times of an exchange, nanoseconds: `sent` and `returned` of the own clock, the others of the reference's.

    The offset is the reference's clock less the own one. The question was received after it was sent, so the offset at
    that moment was at most ``received - sent``; and the answer was sent before it was back: ``answered - returned`` at
    least. This holds for whatever time either way took.
    """

    sent: int
    received: int
    answered: int
    returned: int

    @property
    def low(self) -> int:
        """The least offset that it allows."""
        return self.answered - self.returned

    @property
    def high(self) -> int:
        """The greatest one."""
        return self.received - self.sent

    @property
    def round_trip(self) -> int:
        """What both ways took together, nanoseconds: the width of the interval."""
        return self.high - self.low

    @property
    def middle(self) -> int:
        """The own time half way between question and answer."""
        return (self.sent + self.returned) // 2

    def fault(self) -> str | None:
        """Say why no clock can have had these times, if it is so."""
        if self.returned < self.sent:
            return "the own clock went back"
        if self.answered < self.received:
            return "the reference's clock went back"
        # Two clocks of different rates: a long stay at the reference may seem a little longer than the whole exchange.
        if self.round_trip < -self.leeway:
            return f"the reference had it for {self.answered - self.received} ns of {self.returned - self.sent} ns"
        return None

    @property
    def leeway(self) -> int:
        """What the two clocks can drift apart during the exchange, nanoseconds."""
        return drifted(self.returned - self.sent)


def drifted(span: int) -> int:
    """Give what two clocks can drift apart in so many nanoseconds, rounded up."""
    return -(-abs(span) * RATE // 10**9)
