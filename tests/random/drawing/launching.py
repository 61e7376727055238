"""Operations that launch kernels."""

from .draft import Draft


def affine(draft: Draft) -> None:
    """One array, or a part of it."""
    array, memory = draft.array()
    stream = draft.stream(memory.device)
    low, high = 0, draft.size
    if draft.chance.random() < 0.3:
        low = draft.chance.randrange(draft.size)
        high = draft.chance.randrange(low, draft.size) + 1
    draft.use(stream, writes=(array,))
    way = draft.chance.choice(("given", "given", "with", "kept", "packed", "named"))
    draft.step("affine", stream=stream, array=array, a=draft.odd(), b=draft.seed(), low=low, high=high, way=way,
               **draft.shape())  # fmt: skip


def mix(draft: Draft) -> None:
    """Two arrays."""
    drawn = draft.two_arrays()
    if drawn is None:
        return
    device, target, source = drawn
    stream = draft.stream(device)
    draft.use(stream, reads=(source,), writes=(target,))
    way = draft.chance.choice(("given", "given", "with", "kept", "named"))
    draft.step("mix", stream=stream, target=target, source=source, a=draft.odd(), way=way, **draft.shape())


def chain(draft: Draft) -> None:
    """Launches in a row, each of which needs what the one before left: dependent launches, where the device has them."""
    drawn = draft.two_arrays()
    if drawn is None:
        return
    device, target, source = drawn
    stream = draft.stream(device)
    plain = draft.chance.choice((0, 0, 0.2))  # how many do not wait at their entry
    block, rounds = draft.chance.choice((1, 16, 64)), draft.chance.choice((0, 0, 10, 1000))
    for _ in range(draft.chance.choice((2, 4, 12))):
        draft.use(stream, reads=(source,), writes=(target,))
        draft.step("mix", stream=stream, target=target, source=source, a=draft.odd(), way=draft.way(), block=block,
                   rounds=rounds, plain=draft.chance.random() < plain)  # fmt: skip
        target, source = source, target


def fields(draft: Draft) -> None:
    """A const struct of arguments in device memory, unchanged for some launches."""
    drawn = draft.two_arrays()
    if drawn is None:
        return
    device, target, source = drawn
    stream = draft.stream(device)
    a, b = draft.chance.choice((3, 5, draft.odd())), draft.chance.choice((1, 2, draft.seed()))
    table = draft.chance.choice((0, 1, 2, draft.seed()))
    for _ in range(draft.chance.choice((1, 1, 2, 6))):
        b = (b + draft.chance.choice((0, 1))) & 0xFFFFFFFF
        draft.use(stream, reads=(source,), writes=(target,))
        draft.step("fields", stream=stream, target=target, source=source, a=a, b=b, table=table, way=draft.way(),
                   block=draft.chance.choice((1, 16, 64)), rounds=draft.chance.choice((0, 0, 1000)))  # fmt: skip


def written(draft: Draft) -> None:
    """A struct of arguments that the kernel writes to."""
    array, memory = draft.array()
    stream = draft.stream(memory.device)
    for _ in range(draft.chance.choice((1, 3))):
        draft.use(stream, writes=(array,))
        draft.step("written", stream=stream, array=array, a=9, way=draft.way(), block=draft.chance.choice((1, 16, 64)))


def table(draft: Draft) -> None:
    """A table of 16 KiB by value."""
    array, memory = draft.array()
    stream = draft.stream(memory.device)
    for _ in range(draft.chance.choice((1, 2))):
        draft.use(stream, writes=(array,))
        draft.step("table", stream=stream, array=array, value=draft.chance.choice((1, 2, draft.seed())),
                   first=draft.chance.choice((0, 1)), kind=draft.chance.choice(("bytes", "array")), way=draft.way(),
                   block=draft.chance.choice((1, 16, 64)), rounds=draft.chance.choice((0, 0, 1000)))  # fmt: skip


def hashed(draft: Draft) -> None:
    """A kernel that returns values."""
    array, memory = draft.array()
    stream, result = draft.stream(memory.device), next(draft.numbers)
    draft.before_memory()
    draft.use(stream, reads=(array,))
    count = min(draft.size, draft.chance.choice((1, 50, 500)))
    draft.step("hashed", stream=stream, array=array, count=count, result=result)
    if draft.chance.random() < 0.8:
        draft.results.append(result)
    else:
        draft.step("drop_result", result=result)


def read_result(draft: Draft) -> None:
    """Read what a launch returned."""
    if draft.results:
        draft.release_all()
        draft.step("read_result", result=draft.results.pop(draft.chance.randrange(len(draft.results))))


def staged(draft: Draft) -> None:
    """Host arrays as arguments; they order themselves."""
    draft.before_memory()
    stream = draft.stream(0)
    fresh, spoil = draft.chance.random() < 0.2, draft.chance.random() < 0.3
    new = draft.seed() if draft.chance.random() < 0.5 else None
    draft.order.command(stream)
    draft.step("staged", stream=stream, a=draft.seed(), new=new, fresh=fresh, spoil=spoil,
               block=draft.chance.choice((1, 16, 64)))  # fmt: skip


def read_staged(draft: Draft) -> None:
    """Bring back what the kernels wrote, and perhaps go on from other values."""
    draft.release_all()
    draft.step("read_staged", new=draft.seed() if draft.chance.random() < 0.5 else None)


def count(draft: Draft) -> None:
    """Count in an array that all threads share; addition asks for no order."""
    stream = draft.stream()
    draft.order.command(stream)
    draft.step("count", stream=stream, by=draft.chance.randrange(1, 100), device=draft.device_of(stream))


def temporary(draft: Draft) -> None:
    """Memory that is freed while it is used."""
    array, memory = draft.array()
    stream = draft.stream(memory.device)
    draft.before_memory()
    draft.order.command(stream)
    draft.use(stream, writes=(array,))
    draft.step("temporary", stream=stream, array=array, a=draft.odd(), value=draft.seed(),
               ordered=draft.chance.random() < 0.5, free=draft.chance.random() < 0.3, **draft.shape())  # fmt: skip


WEIGHTS = {
    affine: 10, mix: 12, chain: 4, fields: 8, written: 3, table: 3, hashed: 4, read_result: 3, staged: 4, read_staged: 2, count: 3,
    temporary: 6,
}  # fmt: skip
