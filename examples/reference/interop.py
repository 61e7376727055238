"""Examples of the reference: other libraries. They need a GPU, torch and Triton."""

import torch
import triton
import triton.language as tl

import launchpath as lp


@triton.jit
def add(x, y, n, BLOCK: tl.constexpr):
    """Add x to y."""
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + at, tl.load(x + at, mask=at < n) + tl.load(y + at, mask=at < n), mask=at < n)


fill = lp.compile('extern "C" __global__ void fill(float *out) { out[threadIdx.x] = threadIdx.x; }').fill
x, y = torch.ones(1024, device="cuda"), torch.zeros(1024, device="cuda")
compiled = add[(4,)](x, y, 1024, BLOCK=256)  # Triton compiles for such arguments

# %% launchpath.interop.Adopted
adopted = lp.adopt(compiled)
adopted[4](x, y, 1008)  # no BLOCK; the block is the kernel's own
print(adopted.library, adopted.block, adopted.__doc__)

# %% launchpath.interop.Adopted.bind
launch = adopted.bind(4)
launch(x, y, 1008)

# %% launchpath.interop.Adopted.occupancy
blocks = adopted.occupancy(adopted.block)

# %% launchpath.interop.Adopted.suggest_block
block, grid = lp.adopt(compiled).suggest_block()

# %% launchpath.interop.Adopted.returning
sums = adopted.returning(y=1024, zero=True)
print(sums[4](x, 1008).get())  # the values of y

# %% launchpath.interop.Adopted.argument_counts
print(adopted.argument_counts())

# %% launchpath.interop.follow_torch
with lp.interop.follow_torch(), torch.cuda.stream(torch.cuda.Stream()):
    fill[1, 256](y)  # on torch's current stream
