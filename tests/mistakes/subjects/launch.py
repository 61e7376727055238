"""Launches: grids, blocks, shared memory, and kernels by the ways of other libraries."""

from tests.mistakes.mistake import LINE, Mistake

MISTAKES = [
    Mistake("program.fill((4,), (256,), (x, n))", "expected a grid and a block", "fill", "fill[(4,), (256,)](*arguments)"),
    Mistake("program.fill(stream, (1024,), (256,), x, n)", "expected a grid and a block", "fill(queue, global_size",
        "fill[grid, block, stream](...), where the grid is in blocks"),
    Mistake("program.fill(x, n)", "expected a grid and a block", "fill:", "fill[grid, block](...)"),
    Mistake("program.fill[4](x, n)", "got 4", "fill[grid, block]", "expected fill[grid, block], fill[grid, block, stream]"),
    Mistake("program.fill[n / 256, 256](x, n)", "got 3.90625", "fill: expected the grid", "-(-n // 256)"),
    Mistake("program.fill[0, 256](x, n)", "got 0", "dimensions of the grid", "kernel.over(n)"),
    Mistake("program.fill[1, 1 << 20](x, n)", "got 1048576", "fill: expected a block of at most", "use a smaller block"),
    Mistake("program.fill[1, (64, 64, 64)](x, n)", "got 262144", "threads on", "use a smaller block and a larger grid"),
    Mistake("program.fill[(1, 1, 1, 1), 256](x, n)", "got (1, 1, 1, 1)", "fill: expected the grid", "with 1 to 3 dimensions"),
    Mistake("program.fill[4, 256, 1024](x, n)", "got the int 1024", "a stream (third)", "shared memory is the fourth"),
    Mistake("program.tile[1, 32](x, x)", "got 0", "extern __shared__ 's'", "tile[grid, block, stream, bytes]"),
    Mistake("program.tile[1, 32, None, 1 << 30](x, x)", "1073741824 bytes", "tile:", "use a smaller block"),
    Mistake("program.fill[4, 256, stream, '1k'](x, n)", "got '1k'", "dynamic shared memory in bytes", "an int"),
    Mistake("program.fill[4, 256](x, n, stream=stream)", "no parameter 'stream'", "fill(float *out, int n)",
        "fill[grid, block, stream, shared](...)"),
    Mistake("program.fill.forall(1000)(x, n)", "no attribute 'forall'", "a Kernel", "use kernel.over(n)(*arguments)"),
    Mistake("program.fill[4, 256].launch(x, n)", "no attribute 'launch'", "a Launcher", "call it with the kernel's arguments"),
    Mistake("program.fill.set_args(x, n)", "no attribute 'set_args'", "a Kernel", "use kernel[grid, block](*arguments)"),
    Mistake("program.fill.prepare('Pi')", "no attribute 'prepare'", "a Kernel", "launcher = kernel[grid, block]"),
    Mistake("program.fill.max_threads_per_block", "no attribute", "a Kernel", "use attributes.max_threads_per_block"),
    Mistake("program.get_function('fill')", "no attribute 'get_function'", "a Program", 'program["name"]; it has fill'),
    Mistake("program.fil[4, 256](x, n)", "no kernel 'fil'", "it has fill, tile", "Did you mean 'fill'?"),
    Mistake("program['fil']", "no kernel 'fil'", "it has fill, tile", "Did you mean 'fill'?"),
    Mistake("program.weights", "no kernel 'weights'", "It is a global", "use program.symbol('weights')"),
    Mistake("program.sum[4, 256](x, n)", "without instances so far", "sum<class T>", "program['sum<float>']"),
    Mistake("program.add = 3", "cannot be set", "'add' of a Program", "keep the value in a variable of your own"),
    Mistake("lp.Kernel('fill')", "lp.Kernel('fill')", LINE, "use program.name or program[name]"),
]  # fmt: skip
