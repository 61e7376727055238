"""Examples of the reference: programs and kernels."""

import tempfile
from pathlib import Path

import numpy as np

import launchpath as lp

SOURCE = """
__device__ float scale = 1;
extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += scale * a * x[i];
}
extern "C" __global__ void total(const float *x, int n, float *sum) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, x[i]);
}"""
program = lp.compile(SOURCE)
n = 1000
x, y = lp.ones(n), lp.zeros(n)
folder = Path(tempfile.mkdtemp())

# %% launchpath.Program
print(dir(program))  # its kernels
program.saxpy[4, 256](2, x, y, n)
program["saxpy"][4, 256](2, x, y, n)  # kernels of templates have names like "sum<float, 256>"

# %% launchpath.Program.binary
binary = program.binary()  # PTX's or OpenCL's machine code, of the device's driver
assert isinstance(binary, bytes)

# %% launchpath.Program.save
program.save(folder / "saxpy.lp")
again = lp.load(folder / "saxpy.lp")  # in another process, without a compiler
again.saxpy[4, 256](2, x, y, n)

# %% launchpath.Program.symbol
scale = program.symbol("scale")  # an array of one element, in the program's own memory
scale.fill(3)
assert scale.item() == 3
scale.fill(1)

# %% launchpath.Kernel
saxpy = program.saxpy
print(saxpy.__doc__)  # its parameters
saxpy[4, 256](2, x, y, n)
saxpy[4, 256](a=2, x=x, y=y, n=n)
stream = lp.Stream()
saxpy[(4, 1, 1), (256, 1, 1), stream, 0](2, x, y, n)  # stream, and bytes of dynamic shared memory

# %% launchpath.Kernel.bind
launch = saxpy.bind(grid=4, block=256)
for _ in range(10):
    launch(2, x, y, n)

# %% launchpath.Kernel.occupancy
try:
    blocks = saxpy.occupancy(block=256)  # on a compute unit at the same time
except lp.ConfigurationError:
    blocks = None  # OpenCL's drivers do not report it

# %% launchpath.Kernel.suggest_block
try:
    block, grid = saxpy.suggest_block()
except lp.ConfigurationError:
    block, grid = 256, 4
saxpy[-(-n // block), block](2, x, y, n)

# %% launchpath.Kernel.returning
total = program.total.returning("sum", zero=True)
result = total[4, 256](x, n)  # does not wait
assert float(result) == n  # waits

# %% launchpath.Kernel.argument_counts
counts = saxpy.argument_counts()  # of kernels whose arguments are in device memory: what was uploaded, and what not
print(counts)

# %% launchpath.Result
result = total[4, 256](x, n)
if not result.done:
    print("other work of the host, meanwhile")
print(float(result), int(result))  # waits, once

# %% launchpath.Result.get
value = total[4, 256](x, n).get()
assert isinstance(value, np.float32)

# %% launchpath.Result.item
value = total[4, 256](x, n).item()
assert isinstance(value, float)

# %% launchpath.In, launchpath.InOut, launchpath.InOut.get
a, b = np.ones(n, "float32"), np.zeros(n, "float32")
changed = lp.InOut(b)
saxpy[4, 256](2, lp.In(a), changed, n)  # takes the values now, and does not wait
assert changed.get() is b and b[0] == 2

# %% launchpath.Out, launchpath.Out.get
fill = lp.compile('extern "C" __global__ void fill(int *out) { out[threadIdx.x] = threadIdx.x; }').fill
filled = lp.Out(np.empty(32, "int32"))
fill[1, 32](filled)
assert filled.get()[31] == 31  # waits for the launch

# %% launchpath.DevicePointer
address = lp.DevicePointer(y.pointer)  # memory of another library, say; nothing is checked
saxpy[4, 256](2, x, address, n)
lp.synchronize()

# %% launchpath.argument_counts
print(lp.argument_counts())  # of all kernels

# %% launchpath.skip_uploads
before = lp.skip_uploads(False)  # upload arguments for every launch, to measure what skipping saves
saxpy[4, 256](2, x, y, n)
lp.skip_uploads(before)
