"""Operations that begin, pause, resume and end traces in the middle of a program: none may change what it gives.

A trace is the process's: a thread begins it, and another one may pause or end it.
"""

from .draft import Draft

MODES = ("host", "device", "serialized")
CROWD = 20  # streams


def begin_trace(draft: Draft) -> None:
    """Begin a trace, unless there is one."""
    draft.step("begin_trace", mode=draft.chance.choice(MODES), **_sizes(draft))


def begin_cupti_trace(draft: Draft) -> None:
    """The same, with times that CUPTI tells where there is CUPTI."""
    draft.step("begin_trace", mode="device", cupti=True, **_sizes(draft))


def pause_trace(draft: Draft) -> None:
    """Record nothing for a while."""
    draft.step("pause_trace")


def resume_trace(draft: Draft) -> None:
    """Record again."""
    draft.step("resume_trace")


def end_trace(draft: Draft) -> None:
    """End the trace, perhaps before all that is in flight has its times."""
    draft.step("end_trace", patience=draft.chance.choice((0, 0.02, 0.2)))


def crowd(draft: Draft) -> None:
    """Make many streams at once, launch on each, and drop them: with a hold too, and while other threads do the same."""
    if draft.entered:
        return  # a step that keeps launches back keeps their streams too
    device = draft.chance.randrange(draft.device_count)
    draft.step("crowd", device=device, streams=CROWD, by=draft.chance.randrange(1, 100))


def _sizes(draft: Draft) -> dict[str, int]:
    """Draw how much a trace keeps: some have less room than a program needs at once."""
    return {"ring": draft.chance.choice((64, 1024, 16384)), "timing_objects": draft.chance.choice((64, 4096))}


WEIGHTS = {begin_trace: 5, begin_cupti_trace: 1, pause_trace: 2, resume_trace: 2, end_trace: 2, crowd: 1}
