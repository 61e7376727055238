"""Random programs over streams, events and the host: drawn by Hypothesis, run on the core and on the model."""

from dataclasses import dataclass

from hypothesis import strategies as st

KINDS = ("blocking", "blocking", "nonblocking")  # blocking ones twice as likely: they have the richer rules


@dataclass(frozen=True)
class Program:
    """Streams by kind (the first is the legacy one), and steps: (what, stream, event or operand)."""

    kinds: tuple[str, ...]
    steps: tuple[tuple[str, int, int], ...]


@st.composite
def programs(draw: st.DrawFn, actions: tuple[str, ...], most_steps: int = 40) -> Program:
    """Draw a program of `actions`, each an entry as often as it is to be likely."""
    kinds = ("legacy", *draw(st.lists(st.sampled_from(KINDS), min_size=1, max_size=5)))
    step = st.tuples(st.sampled_from(actions), st.integers(0, len(kinds) - 1), st.integers(0, 7))
    # The length is drawn first: left to itself, Hypothesis draws mostly short lists.
    length = draw(st.integers(1, most_steps))
    return Program(kinds, tuple(draw(st.lists(step, min_size=length, max_size=length))))
