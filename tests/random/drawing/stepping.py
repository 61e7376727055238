"""Operations that enter and leave steps (`launchpath.Step`): with and without them a program gives the same values."""

from .draft import Draft

STEPS = 3  # of a thread
MOST_ENTERED = 3


def enter_step(draft: Draft) -> None:
    """Enter a step, perhaps inside another one, or inside itself."""
    if len(draft.entered) < MOST_ENTERED:
        number = draft.chance.randrange(STEPS)
        draft.entered.append(number)
        draft.step("enter_step", number=number)


def leave_step(draft: Draft) -> None:
    """Leave a step; it need not be the innermost."""
    if draft.entered:
        number = draft.entered.pop(draft.chance.randrange(len(draft.entered)))
        draft.step("leave_step", number=number)


def leave_all(draft: Draft) -> None:
    """Leave all steps."""
    while draft.entered:
        leave_step(draft)


def repeated(draft: Draft) -> None:
    """Run the same launches as a step some times, with other arguments, grids and streams: CUDA makes a graph of them."""
    array, memory = draft.array()
    number, count = draft.chance.randrange(STEPS), draft.chance.randint(3, 6)
    stream = draft.stream(memory.device)
    block = draft.chance.choice((1, 16, 64))
    for _ in range(draft.chance.randint(2, 4)):
        draft.step("enter_step", number=number)
        for _ in range(count):
            draft.use(stream, writes=(array,))
            high = draft.chance.choice((draft.size, draft.chance.randrange(draft.size) + 1))
            draft.step("affine", stream=stream, array=array, a=draft.odd(), b=draft.seed(), low=0, high=high, way="given",
                       block=block, rounds=draft.chance.choice((0, 0, 1000)))  # fmt: skip
        draft.step("leave_step", number=number)
        if draft.chance.random() < 0.3:
            stream = draft.stream(memory.device)
        if draft.chance.random() < 0.3:
            array = draft.chance.choice(draft.arrays_of(memory.device))


WEIGHTS = {enter_step: 6, leave_step: 6, repeated: 4}
