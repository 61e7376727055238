"""Programs of other libraries that count what they submit: ``python -m tests.gpu.real.counted_programs torch``.

Each prints, as its last line, how many launches of its own kernel it has made, those of graphs for each of their runs.
"""

import sys


def torch_program() -> int:
    import torch

    x = torch.zeros(1000, device="cuda")
    graph, side = torch.cuda.CUDAGraph(), torch.cuda.Stream()
    launches = 0
    for _ in range(300):
        x.cos_()
        launches += 1
    with torch.cuda.graph(graph, stream=side):
        for _ in range(4):
            x.cos_()
    for _ in range(25):
        graph.replay()
        launches += 4
    torch.cuda.synchronize()
    return launches


def triton_program() -> int:
    import torch

    from tests.gpu.real.fast_kernels import add

    x = torch.ones(1000, device="cuda")
    y, out = torch.ones_like(x), torch.zeros_like(x)
    launches = 0
    for _ in range(200):
        add[(8,)](x, y, out, 1000, BLOCK=128)
        launches += 1
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for _ in range(10):
            add[(8,)](x, y, out, 1000, BLOCK=128)
    for _ in range(50):
        graph.replay()
        launches += 10
    torch.cuda.synchronize()
    assert out[0].item() == 2
    return launches


def cupy_program() -> int:
    import cupy

    kernel = cupy.RawKernel('extern "C" __global__ void counted(float *x) { x[threadIdx.x] += 1; }', "counted")
    x = cupy.zeros(32, dtype=cupy.float32)
    for _ in range(250):
        kernel((1,), (32,), (x,))
    cupy.cuda.Device().synchronize()
    assert float(x[0]) == 250
    return 250


def jax_program() -> int:
    import jax
    import jax.numpy as jnp

    step = jax.jit(lambda x: x * 2 + 1)
    x = jnp.zeros(1000)
    for _ in range(100):
        x = step(x)
    x.block_until_ready()
    return 100


# The kernels that count, by parts of their names. JAX: `zeros` is a broadcast.
KERNELS = {
    "torch": (torch_program, ("cos_kernel",)),
    "triton": (triton_program, ("add",)),
    "cupy": (cupy_program, ("counted",)),
    "jax": (jax_program, ("loop_add", "loop_multiply", "fusion")),
}

if __name__ == "__main__":
    print(KERNELS[sys.argv[1]][0]())
