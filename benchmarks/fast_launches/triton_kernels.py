"""Triton's kernels of these benchmarks; Triton reads their source, so they are in a file."""

import triton
import triton.language as tl


@triton.jit
def two(x, n):
    tl.store(x, n)


@triton.jit
def sixteen(x0, x1, x2, x3, x4, x5, x6, x7, n0, n1, n2, n3, n4, n5, n6, n7):
    tl.store(x0, n0 + n1 + n2 + n3 + n4 + n5 + n6 + n7)
    tl.store(x1, n0)
    tl.store(x2, n0)
    tl.store(x3, n0)
    tl.store(x4, n0)
    tl.store(x5, n0)
    tl.store(x6, n0)
    tl.store(x7, n0)


@triton.jit
def normalize(x, weight, out, n, eps, BLOCK: tl.constexpr):
    """Root-mean-square norm of a row."""
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(x + row * n + at, mask=inside, other=0.0)
    scale = 1.0 / tl.sqrt(tl.sum(value * value, axis=0) / n + eps)
    tl.store(out + row * n + at, value * scale * tl.load(weight + at, mask=inside), mask=inside)


@triton.jit
def matvec(x, matrix, out, rows, columns, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    """A vector times a matrix of `rows` rows and `columns` columns, row by row."""
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)
    total = tl.zeros((ROWS,), tl.float32)
    for start in range(0, columns, COLUMNS):
        at = start + tl.arange(0, COLUMNS)
        part = tl.load(
            matrix + row[:, None] * columns + at[None, :],
            mask=(row[:, None] < rows) & (at[None, :] < columns),
            other=0.0,
        )
        total += tl.sum(part * tl.load(x + at, mask=at < columns, other=0.0)[None, :], axis=1)
    tl.store(out + row, total, mask=row < rows)


@triton.jit
def keep(key, value, keys, values, position, n, BLOCK: tl.constexpr):
    """Append a position to the caches."""
    at = tl.arange(0, BLOCK)
    inside = at < n
    tl.store(keys + position * n + at, tl.load(key + at, mask=inside), mask=inside)
    tl.store(values + position * n + at, tl.load(value + at, mask=inside), mask=inside)


@triton.jit
def attend(query, keys, values, out, length, n, HEAD: tl.constexpr, MOST: tl.constexpr):
    """One head's attention of one query over the positions so far."""
    head = tl.program_id(0) * HEAD + tl.arange(0, HEAD)
    position = tl.arange(0, MOST)
    seen = position < length
    at = position[:, None] * n + head[None, :]
    scores = tl.sum(tl.load(keys + at, mask=seen[:, None], other=0.0) * tl.load(query + head)[None, :], axis=1)
    scores = tl.where(seen, scores, float("-inf"))
    weights = tl.exp(scores - tl.max(scores, axis=0))
    weights = weights / tl.sum(weights, axis=0)
    mixed = tl.sum(weights[:, None] * tl.load(values + at, mask=seen[:, None], other=0.0), axis=0)
    tl.store(out + head, mixed)


@triton.jit
def add(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    tl.store(x + at, tl.load(x + at, mask=inside) + tl.load(y + at, mask=inside), mask=inside)


@triton.jit
def gate(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(x + at, mask=inside)
    tl.store(x + at, value / (1.0 + tl.exp(-value)) * tl.load(y + at, mask=inside), mask=inside)
