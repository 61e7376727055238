"""Draws the parts of random programs."""

import random

from tests.random.kernels import VARIANTS
from tests.random.step import Step

from . import graphing, launching, lifetimes, moving, stepping, tracing
from .draft import Draft, Setting

WEIGHTS = {**launching.WEIGHTS, **moving.WEIGHTS, **lifetimes.WEIGHTS, **stepping.WEIGHTS, **graphing.WEIGHTS}
OPERATIONS = frozenset(operation.__name__ for operation in {**WEIGHTS, **tracing.WEIGHTS})
LENGTHS = (20, 60, 150)


def part(seed: int, setting: Setting, variants: int = VARIANTS) -> list[Step]:
    """Return the steps of a part, at whose end all that it has is read."""
    chance = random.Random(seed)
    draft = Draft(chance, setting, variants)
    draft.step("begin", seed=draft.seed(), size=draft.size)
    for _ in range(chance.randint(1, 4)):
        lifetimes.new_stream(draft)
    for device in range(draft.device_count):
        for _ in range(chance.randint(2, 5 if draft.device_count == 1 else 3)):
            draft.new_array(device)
    # Each part likes some operations more than others: so more of them meet than with the same weights for all.
    every = {**WEIGHTS, **tracing.WEIGHTS} if setting.traces else WEIGHTS
    usual = {operation: weight for operation, weight in every.items() if operation.__name__ not in setting.without}
    weights = [weight * chance.choice((0.3, 1, 1, 2)) for weight in usual.values()]
    for operation in chance.choices(list(usual), weights, k=chance.choice(LENGTHS)):
        operation(draft)
    _end(draft)
    return draft.steps


def _end(draft: Draft) -> None:
    draft.release_all()
    if draft.chance.random() < 0.7:
        stepping.leave_all(draft)
    for result in draft.results:
        draft.step("read_result", result=result)
    draft.step("read_staged", new=None)
    if draft.chance.random() < 0.5:
        for device in range(draft.device_count):
            draft.synchronize_device(device)
    for array, memory in list(draft.arrays.items()):
        stream = draft.stream(memory.device)
        draft.use(stream, reads=(array,))
        draft.step("read", stream=stream, array=array)
        draft.order.host_waits_for_stream(stream)
    stepping.leave_all(draft)
    for device in range(draft.device_count):
        draft.synchronize_device(device)
