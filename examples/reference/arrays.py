"""Examples of the reference: arrays and memory."""

import numpy as np

import launchpath as lp

device = lp.current_device()
stream = lp.Stream(blocking=False)
SOURCE = """
extern "C" __global__ void read(float *out, cudaTextureObject_t image) {
    out[threadIdx.x] = tex2D<float>(image, threadIdx.x + 0.5f, 0.5f);
}"""

# %% launchpath.empty
a = lp.empty((2, 3))  # float32
b = lp.empty(1000, "int32", device)

# %% launchpath.zeros
a = lp.zeros((2, 3))
assert a.tolist() == [[0, 0, 0], [0, 0, 0]]

# %% launchpath.ones
a = lp.ones((2, 3), "int64", stream=stream)  # allocated and set in the order of that stream

# %% launchpath.full
a = lp.full((2, 3), 7, "float32")
rows = lp.full((2, 3), [1, 2, 3])  # the value is repeated, as in NumPy

# %% launchpath.arange
a = lp.arange(0, 1, 0.25, "float32")
assert a.tolist() == [0, 0.25, 0.5, 0.75]

# %% launchpath.asarray
a = lp.asarray(np.linspace(0, 1, 5))  # float64, as NumPy's
b = lp.asarray([[1, 2], [3, 4]], "float32")

# %% launchpath.empty_like
b = lp.empty_like(a)  # shape, dtype and device of `a`
c = lp.empty_like(a, dtype="float32", shape=10)

# %% launchpath.zeros_like
b = lp.zeros_like(np.ones((2, 3)))  # an array of the host, too

# %% launchpath.ones_like
b = lp.ones_like(a, "int32")

# %% launchpath.full_like
b = lp.full_like(a, 0.5)

# %% launchpath.managed_empty
if device.managed_memory:
    shared = lp.managed_empty(1000)
    shared.host_view()[:] = 1  # the same memory

# %% launchpath.pinned_empty
host = lp.pinned_empty((2, 3))  # a NumPy array, which copies reach without staging
host[:] = 1
a = lp.empty((2, 3))
a.copy_from(host)  # does not wait: `host` must not change before the copy is complete
lp.synchronize()

# %% launchpath.Array
a = lp.zeros((10, 10))
a[2:4] = 3  # in the order of the current stream, as a launch is
part = a[2:4]  # shares the memory
print(a.shape, a.dtype, a.nbytes, a)
assert np.asarray(a).sum() == 60  # waits, and copies

# %% launchpath.Array.astype
whole = a.astype("int32")

# %% launchpath.Array.copy
b = a.copy()
assert b.pointer != a.pointer

# %% launchpath.Array.copy_from
b.copy_from(a)  # an array of a device
b.copy_from(np.ones((10, 10), "float32"))  # or of the host

# %% launchpath.Array.copy_to
out = np.empty((10, 10), "float32")
a.copy_to(out)
a.copy_to(b)

# %% launchpath.Array.copy_to_host_async, launchpath.HostCopy, launchpath.HostCopy.done, launchpath.HostCopy.result
copy = a.copy_to_host_async()  # to a pinned array
if not copy.done():
    print("other work of the host, meanwhile")
values = copy.result()  # waits; `await copy` does in a coroutine

# %% launchpath.Array.fill
a.fill(0.5)
a.fill(1, stream)

# %% launchpath.Array.free
large = lp.empty(1_000_000)
large.free()  # now, and not when the last reference is gone

# %% launchpath.Array.host_view
if device.host_accessible:  # CPUs, and managed memory
    view = a.host_view()
    view[0, 0] = 5

# %% launchpath.Array.item
assert lp.arange(5)[3].item() == 3

# %% launchpath.Array.pointer_on
address = a.pointer_on(stream)  # for foreign code that uses the array in this stream's order

# %% launchpath.Array.reshape
flat = a.reshape(-1)
assert flat.shape == (100,) and flat.pointer == a.pointer

# %% launchpath.Array.to_numpy
host = a.to_numpy()
host = a.to_numpy(stream, out=host)  # in the order of that stream, into that array

# %% launchpath.Array.tolist
assert lp.arange(3).tolist() == [0, 1, 2]

# %% launchpath.Array.view
bits = lp.ones(4).view("uint32")
assert bits.tolist() == [0x3F800000] * 4

# %% launchpath.Texture, launchpath.Texture.update
image = lp.asarray(np.arange(12, dtype="float32").reshape(3, 4))  # image[y, x]
texture = lp.Texture(image)
out = lp.empty(4)
read = lp.compile(SOURCE, name="read.cu").read
read[1, 4](out, texture)
assert out.tolist() == [0, 1, 2, 3]
image.fill(1)  # the texture does not see that
texture.update(image)  # now what comes after this in its stream's order does
