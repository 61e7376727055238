"""Operations that make, record, wait for, hold and drop what programs are made of."""

from .draft import SHARED_EVENTS, Draft

MOST_STREAMS = 9


def replace_array(draft: Draft) -> None:
    """Drop an array, perhaps in use, and make another."""
    array, memory = draft.array()
    draft.step("drop_array", array=array, free=draft.chance.random() < 0.3)
    del draft.arrays[array]
    for number, graph in list(draft.graphs.items()):
        if array in (graph.target, graph.source) and (draft.setting.is_limited or draft.chance.random() < 0.5):
            draft.drop_graph(number)  # else it keeps the memory
    draft.new_array(memory.device)


def new_stream(draft: Draft) -> None:
    """Make a stream."""
    if len(draft.streams) < MOST_STREAMS + 2 * draft.device_count:
        kind = draft.chance.choice(("blocking", "nonblocking"))
        device = draft.chance.randrange(draft.device_count)
        draft.new_stream(
            "new_stream", kind, device, blocking=kind == "blocking", priority=draft.chance.choice((0, 0, -1))
        )


def drop_stream(draft: Draft) -> None:
    """Drop a stream, perhaps in flight."""
    streams = [stream for stream in draft.streams if stream not in draft.lasting]
    if len(streams) < 2:
        return
    stream = draft.chance.choice(streams)
    if draft.chance.random() < 0.5:
        draft.record(stream)
    draft.step("drop_stream", stream=stream)
    draft.streams.remove(stream)


def record(draft: Draft) -> None:
    """Record a new event."""
    draft.record(draft.stream())


def record_again(draft: Draft) -> None:
    """Record an event again; what waits for its earlier record goes on doing so."""
    if draft.events:
        draft.record(draft.stream(), draft.chance.choice(list(draft.events)))


def wait(draft: Draft) -> None:
    """Let a stream wait for an event."""
    if draft.events:
        draft.wait(draft.stream(), draft.chance.choice(list(draft.events)))


def drop_event(draft: Draft) -> None:
    """Drop an event."""
    if draft.events:
        draft.drop_event(draft.chance.choice(list(draft.events)))


def wait_on_host(draft: Draft) -> None:
    """Wait for an event."""
    if draft.events:
        draft.wait_on_host(draft.chance.choice(list(draft.events)), draft.chance.choice(("synchronize", "poll")))


def synchronize(draft: Draft) -> None:
    """Wait for a stream."""
    draft.synchronize(draft.stream(), draft.chance.choice(("synchronize", "synchronize", "poll")))


def synchronize_device(draft: Draft) -> None:
    """Wait for a device."""
    draft.synchronize_device(draft.chance.randrange(draft.device_count))


def query(draft: Draft) -> None:
    """Ask a stream or an event, whatever it answers."""
    draft.step("query", stream=draft.stream(), event=draft.chance.choice([None, *draft.events]))


def hold(draft: Draft) -> None:
    """Hold a stream back."""
    if len(draft.holds) >= 2:
        return
    stream, number = draft.stream(), next(draft.numbers)
    is_own = draft.order.lanes[stream].kind == "nonblocking" and stream not in draft.lasting
    if draft.setting.is_alone or is_own:
        draft.order.command(stream)
        draft.step("hold", stream=stream, hold=number)
        draft.holds.append(number)


def release(draft: Draft) -> None:
    """Let go of a hold."""
    if draft.holds:
        draft.step("release", hold=draft.holds.pop(draft.chance.randrange(len(draft.holds))))


def shared_event(draft: Draft) -> None:
    """Record, wait for or ask an event that all threads share: it may only add order."""
    how = draft.chance.choice(("record", "wait", "query"))
    stream, event = draft.stream(), draft.chance.randrange(SHARED_EVENTS)
    if how == "record":
        draft.order.record(stream)
    # A wait for an event that no thread has recorded yet counts as no command, so nothing is known of a wait here.
    draft.step("shared_event", stream=stream, event=event, how=how)


def recompile(draft: Draft) -> None:
    """Compile the program, and drop the one before with its launches in flight."""
    draft.release_all()
    draft.step(
        "recompile", device=draft.chance.randrange(draft.device_count), variant=draft.chance.randrange(draft.variants)
    )


def trim(draft: Draft) -> None:
    """Give free memory back to the driver, and ask for figures."""
    draft.release_all()
    draft.step("trim", device=draft.chance.randrange(draft.device_count))


WEIGHTS = {
    replace_array: 3, new_stream: 2, drop_stream: 2, record: 5, record_again: 3, wait: 6, drop_event: 2, wait_on_host: 2,
    synchronize: 2, synchronize_device: 1, query: 3, hold: 2, release: 3, shared_event: 2, recompile: 0.5, trim: 0.3,
}  # fmt: skip
