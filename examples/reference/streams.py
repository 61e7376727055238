"""Examples of the reference: streams and events."""

import launchpath as lp

SOURCE = """
extern "C" __global__ void fill(float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = i;
}"""
fill = lp.compile(SOURCE).fill
n = 1000
out = lp.empty(n)

# %% launchpath.Stream
side = lp.Stream(blocking=False)
fill[4, 256, side](out, n)
with side:  # the current stream inside
    fill[4, 256](out, n)

# %% launchpath.current_stream
with side:
    assert lp.current_stream() is side

# %% launchpath.Stream.record, launchpath.Stream.wait
other = lp.Stream(blocking=False)
event = side.record()
other.wait(event)  # later work of `other` comes after the earlier work of `side`
fill[4, 256, other](out, n)

# %% launchpath.Stream.query
if not other.query():
    print("its work is not complete yet")

# %% launchpath.Stream.synchronize
other.synchronize()

# %% launchpath.Stream.end_capture
side.begin_capture()
fill[4, 256, side](out, n)
graph = side.end_capture()
assert len(graph) == 1

# %% launchpath.Stream.host_function
side.host_function(print, "all earlier work of the stream is complete")
side.synchronize()

# %% launchpath.Stream.external
if lp.current_device().driver in ("cuda", "hip"):
    handle = side.handle  # of another library: `torch.cuda.current_stream()`, say, or its address
    stream = lp.Stream.external(handle)

# %% launchpath.Event
event = lp.Event()
side.record(event)  # again and again
event.synchronize()

# %% launchpath.Event.elapsed_time
begin, end = lp.Event(timing=True), lp.Event(timing=True)
side.record(begin)
fill[4, 256, side](out, n)
side.record(end)
print(f"{begin.elapsed_time(end):.3f} ms on the device")

# %% launchpath.Event.query
assert end.query()  # never waits

# %% launchpath.Event.synchronize
end.synchronize()
