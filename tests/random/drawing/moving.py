"""Operations that copy, fill and read, and host functions."""

from .draft import Draft


def fill(draft: Draft) -> None:
    """Fill an array."""
    array, memory = draft.array()
    stream = draft.stream(memory.device)
    draft.use(stream, writes=(array,))
    draft.step("fill", stream=stream, array=array, value=draft.seed(), way=draft.chance.choice(("given", "with")))


def copy(draft: Draft) -> None:
    """Copy from one array to another."""
    drawn = draft.two_arrays()
    if drawn is None:
        return
    device, target, source = drawn
    stream = draft.stream(device)
    draft.use(stream, reads=(source,), writes=(target,))
    draft.step("copy", stream=stream, target=target, source=source, way=draft.chance.choice(("to", "from")))


def copy_across(draft: Draft) -> None:
    """Copy to an array of another device: by the host, on that device's legacy stream."""
    array, memory = draft.array()
    others = [other for other, place in draft.arrays.items() if place.device != memory.device]
    if not others:
        return
    target = draft.chance.choice(others)
    stream = draft.stream(memory.device)
    draft.release_all()
    draft.use(stream, reads=(array,))
    writing = draft.legacy[draft.arrays[target].device]
    draft.use(writing, writes=(target,))
    draft.step("copy_across", stream=stream, target=target, source=array)
    draft.order.host_waits_for_stream(stream)


def upload(draft: Draft) -> None:
    """Copy from the host."""
    array, memory = draft.array()
    stream = draft.stream(memory.device)
    draft.before_memory()
    draft.use(stream, writes=(array,))
    draft.step("upload", stream=stream, array=array, seed=draft.seed())


def read(draft: Draft) -> None:
    """Copy to the host, and compare."""
    array, memory = draft.array()
    stream = draft.stream(memory.device)
    draft.release_all()
    draft.use(stream, reads=(array,))
    draft.step("read", stream=stream, array=array)
    draft.order.host_waits_for_stream(stream)


def host_function(draft: Draft) -> None:
    """Call a host function, which changes an array where the host reaches it, and notes that it was called."""
    array, memory = draft.array()
    stream, note = draft.stream(memory.device), next(draft.numbers)
    if draft.setting.host_reaches[memory.device] and draft.chance.random() < 0.6:
        draft.release_all()  # the host waits for what the array's memory awaits
        draft.use(stream, writes=(array,))
        draft.step("host_function", stream=stream, array=array, a=draft.odd(), b=draft.seed(), note=note,
                   nap=draft.chance.choice((0, 0, 0.001)))  # fmt: skip
        draft.notes[note] = draft.arrays[array].conflicts(writes=False)[0]
    else:
        draft.notes[note] = draft.order.command(stream)
        draft.step("host_note", stream=stream, note=note, allocates=draft.chance.random() < 0.2)


WEIGHTS = {fill: 4, copy: 5, copy_across: 1, upload: 4, read: 2, host_function: 4}
