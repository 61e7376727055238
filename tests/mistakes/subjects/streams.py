"""Devices, streams, events and steps."""

from tests.mistakes.mistake import FUNCTION, LINE, Mistake

MODULE = "module 'launchpath'"

MISTAKES = [
    Mistake("lp.Device(0)", "lp.Device(0)", LINE, "use launchpath.device(0)"),
    Mistake("lp.set_device(0)", "no attribute 'set_device'", MODULE, "use `with launchpath.device(0):`"),
    Mistake("lp.device_count()", "no attribute 'device_count'", MODULE, "use len(devices())"),
    Mistake("lp.devices[0]", "lp.devices[0]", "devices is a function", "call it first, devices(...)"),
    Mistake("lp.device('no such words')", "no device 'no such words'", "Devices:", "0: "),
    Mistake("lp.device(None)", "got None", "the index of a device", "launchpath.current_device()"),
    Mistake("lp.create_some_context()", "no attribute 'create_some_context'", MODULE, "devices open at their first use"),
    Mistake("lp.cuda.synchronize()", "no attribute 'cuda'", MODULE, "leave it out: launchpath.synchronize()"),
    Mistake("lp.sync()", "no attribute 'sync'", MODULE, "use synchronize()"),
    Mistake("lp.get_default_stream()", "no attribute", MODULE, "use current_device().legacy_stream"),
    Mistake("from launchpath import Sream", "cannot import name 'Sream'", "from 'launchpath'", "Did you mean 'Stream'?"),
    Mistake("device.compute_capability", "no attribute 'compute_capability'", "a Device", "use architecture"),
    Mistake("device.total_mem", "no attribute 'total_mem'", "a Device", "use total_memory"),
    Mistake("lp.Stream(non_blocking=True)", "argument 'non_blocking'", "Stream()", "use blocking=False"),
    Mistake("with lp.Stream: pass", "got the class Stream", "for `with`", "write Stream(...)"),
    Mistake("stream.finish()", "no attribute 'finish'", "a Stream", "use synchronize()"),
    Mistake("stream.close()", "no attribute 'close'", "a Stream", "drop the last reference to it"),
    Mistake("stream.add_callback(print)", "no attribute 'add_callback'", "a Stream", "use host_function(function"),
    Mistake("stream.wait(lp.Stream())", "got the Stream", "expected a launchpath event", "record an event on the stream"),
    Mistake("stream.host_function(lambda: 1 / 0); stream.synchronize()", "ZeroDivisionError", "a host function raised",
        "lambda: 1 / 0"),
    Mistake("stream.host_function(stream.synchronize); stream.synchronize()", "cannot wait for work after it",
        "a host function", "wait on another thread"),
    Mistake("stream.host_function(5)", "got int", "host function", "expected a callable", ends=FUNCTION),
    Mistake("lp.Event(enable_timing=True)", "argument 'enable_timing'", "Event()", "use timing=True"),
    Mistake("event.record(stream)", "no attribute 'record'", "an Event", "use stream.record(event)"),
    Mistake("event.elapsed(event)", "no attribute 'elapsed'", "an Event", "use start.elapsed_time(end)"),
    Mistake("stream.record(event); event.elapsed_time(event)", "got others", "elapsed_time", "with timing=True"),
    Mistake("step.launch()", "no attribute 'launch'", "a Step", "frozen = step.freeze()"),
    Mistake("frozen.replay()", "no attribute 'replay'", "a FrozenStep", "use launch()"),
    Mistake("lp.Step().freeze()", "never entered", "a step", "run it once, then freeze it"),
    Mistake("lp.step(lambda: (yield))", "the generator function", "outside the step", "enter an lp.Step in its body"),
    Mistake("stream.priority = -1", "cannot be set", "'priority' of a Stream", "it can only be read"),
]  # fmt: skip
