"""A small transformer that learns to sort digits, trained by its own kernels, beside the same training in NumPy.

The network is in ``transformer_network.py``, written once. It calls operations of this file: `Kernels` launches the
kernels of ``transformer.cu``, `Numpy` computes the same on the host. Both start from the same parameters and see the
same sequences. The program compares their gradients and losses, draws both curves, and lets the trained network sort.

Run ``python examples/gallery/transformer.py``.
"""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt
from matplotlib.figure import Figure

import launchpath as lp
from picture import blocks, checked, device_of, options_of, save
from transformer_network import Network, Sizes

Ints = npt.NDArray[np.int32]

TILE, ROW = 16, 32  # threads of a block: TILE x TILE for matrices, ROW for rows
DIGITS = 8
COMPARED_STEPS = 20  # later the differences of rounding grow


class Kernels:
    """The operations on a device."""

    def __init__(self, device: lp.Device) -> None:
        self.device, self.stream = device, device.legacy_stream
        defines = {"TILE": TILE, "ROW": ROW}
        self.program = lp.compile(path=Path(__file__).with_suffix(".cu"), device=device, defines=defines)

    def array(self, values: npt.ArrayLike, dtype: str = "float32") -> lp.Array:
        """Copy values to the device."""
        return lp.asarray(values, dtype, self.device)

    def zeros(self, shape: tuple[int, ...]) -> lp.Array:
        """Return an array of zeros."""
        return lp.zeros(shape, "float32", self.device)

    def launch(self, name: str, grid: int, *arguments: Any) -> None:
        """Launch a kernel with blocks of ROW threads."""
        self.program[name][grid, ROW, self.stream](*arguments)

    def matmul(
        self,
        a: Any,
        b: Any,
        out: Any,
        transposed: tuple[bool, bool] = (False, False),
        scale: float = 1,
        add: bool = False,
    ) -> None:
        """Compute out = scale * a @ b, or add it: of matrices, or of each two in two arrays of matrices."""
        strides = []
        for matrix, swap in zip((a, b), transposed, strict=True):
            steps = (matrix.shape[-1], 1)
            batch = matrix.shape[-2] * matrix.shape[-1] if len(matrix.shape) == 3 else 0
            strides.append((batch, *(steps[::-1] if swap else steps)))
        rows, columns = out.shape[-2:]
        inner = a.shape[-2] if transposed[0] else a.shape[-1]
        grid = (blocks(columns, TILE), blocks(rows, TILE), out.shape[0] if len(out.shape) == 3 else 1)
        kernel = self.program.matmul[grid, (TILE, TILE), self.stream]
        kernel(rows, columns, inner, scale, add, a, *strides[0], b, *strides[1], out)

    def clear(self, x: Any) -> None:
        """Set all elements to 0."""
        x.fill(0)

    def copy(self, x: Any, out: Any) -> None:
        """Copy on the device."""
        out.copy_from(x)

    def embed(self, ids: Any, words: Any, places: Any, out: Any) -> None:
        """Look up the rows of words and places."""
        self.launch("embed", ids.size, *places.shape, ids, words, places, out)

    def embed_back(self, ids: Any, grad: Any, words_grad: Any, places_grad: Any) -> None:
        """Sum the gradients of each row's tokens."""
        (vocabulary, width), length = words_grad.shape, places_grad.shape[0]
        grid = blocks((vocabulary + length) * width, ROW)
        self.launch("embed_back", grid, ids.size, length, vocabulary, width, ids, grad, words_grad, places_grad)

    def norm(self, x: Any, gain: Any, out: Any, stats: Any) -> None:
        """Compute layer norm of each row."""
        self.launch("norm", x.shape[0], x.shape[1], x, gain, out, stats)

    def norm_back(self, x: Any, gain: Any, stats: Any, grad: Any, x_grad: Any, gain_grad: Any) -> None:
        """Add to the gradient of x, and compute that of the gain."""
        tokens, width = x.shape
        self.launch("norm_back", tokens, width, x, gain, stats, grad, x_grad)
        self.launch("gain_back", blocks(width, ROW), tokens, width, x, stats, grad, gain_grad)

    def softmax(self, scores: Any) -> None:
        """Compute softmax of each row, in place."""
        self.launch("softmax", scores.shape[0] * scores.shape[1], scores.shape[2], scores)

    def softmax_back(self, parts: Any, grad: Any) -> None:
        """Compute the gradient of the scores, in place."""
        self.launch("softmax_back", grad.shape[0] * grad.shape[1], grad.shape[2], parts, grad)

    def relu(self, x: Any) -> None:
        """Set negative elements to 0."""
        self.launch("relu", blocks(x.size, ROW), x.size, x)

    def relu_back(self, x: Any, grad: Any) -> None:
        """Set the gradients of those elements to 0."""
        self.launch("relu_back", blocks(x.size, ROW), x.size, x, grad)

    def cross_entropy(self, counted: int, targets: Any, scores: Any, losses: Any, grad: Any) -> None:
        """Compute losses, and the gradient of the scores."""
        self.launch("cross_entropy", *scores.shape, counted, targets, scores, losses, grad)

    def adamw(self, rate: float, decay: float, betas: Any, parts: Any, grad: Any, m: Any, v: Any, out: Any) -> None:
        """Change the parameters."""
        self.launch("adamw", blocks(out.size, ROW), out.size, rate, decay, *betas, *parts, grad, m, v, out)


class Numpy:
    """The same operations on the host."""

    def __init__(self, dtype: str = "float32") -> None:
        self.dtype = dtype

    def array(self, values: npt.ArrayLike, dtype: str | None = None) -> Any:
        return np.array(values, dtype or self.dtype)

    def zeros(self, shape: tuple[int, ...]) -> Any:
        return np.zeros(shape, self.dtype)

    def matmul(
        self,
        a: Any,
        b: Any,
        out: Any,
        transposed: tuple[bool, bool] = (False, False),
        scale: float = 1,
        add: bool = False,
    ) -> None:
        a, b = (np.swapaxes(x, -1, -2) if swap else x for x, swap in zip((a, b), transposed, strict=True))
        out[:] = scale * (a @ b) + (out if add else 0)

    def clear(self, x: Any) -> None:
        x[:] = 0

    def copy(self, x: Any, out: Any) -> None:
        out[:] = x

    def embed(self, ids: Any, words: Any, places: Any, out: Any) -> None:
        out[:] = words[ids] + np.tile(places, (len(ids) // len(places), 1))

    def embed_back(self, ids: Any, grad: Any, words_grad: Any, places_grad: Any) -> None:
        words_grad[:] = 0
        np.add.at(words_grad, ids, grad)
        places_grad[:] = grad.reshape(-1, *places_grad.shape).sum(axis=0)

    def norm(self, x: Any, gain: Any, out: Any, stats: Any) -> None:
        stats[:, 0], stats[:, 1] = x.mean(axis=1), 1 / np.sqrt(x.var(axis=1) + 1e-5)
        out[:] = (x - stats[:, :1]) * stats[:, 1:] * gain

    def norm_back(self, x: Any, gain: Any, stats: Any, grad: Any, x_grad: Any, gain_grad: Any) -> None:
        normed, before = (x - stats[:, :1]) * stats[:, 1:], gain * grad
        gain_grad[:] = (grad * normed).sum(axis=0)
        with_x = (before * normed).mean(axis=1, keepdims=True)
        x_grad += stats[:, 1:] * (before - before.mean(axis=1, keepdims=True) - normed * with_x)

    def softmax(self, scores: Any) -> None:
        scores[:, ~np.tri(scores.shape[2], dtype=bool)] = -np.inf
        scores[:] = np.exp(scores - scores.max(axis=2, keepdims=True))
        scores /= scores.sum(axis=2, keepdims=True)

    def softmax_back(self, parts: Any, grad: Any) -> None:
        grad[:] = parts * (grad - (parts * grad).sum(axis=2, keepdims=True))

    def relu(self, x: Any) -> None:
        x[x < 0] = 0

    def relu_back(self, x: Any, grad: Any) -> None:
        grad[x <= 0] = 0

    def cross_entropy(self, counted: int, targets: Any, scores: Any, losses: Any, grad: Any) -> None:
        parts = np.exp(scores - scores.max(axis=1, keepdims=True))
        parts /= parts.sum(axis=1, keepdims=True)
        rows = np.flatnonzero(targets >= 0)
        losses[:], grad[:] = 0, 0
        losses[rows] = -np.log(parts[rows, targets[rows]]) / counted
        grad[rows] = parts[rows]
        grad[rows, targets[rows]] -= 1
        grad /= counted

    def adamw(self, rate: float, decay: float, betas: Any, parts: Any, grad: Any, m: Any, v: Any, out: Any) -> None:
        m[:] = betas[0] * m + (1 - betas[0]) * grad
        v[:] = betas[1] * v + (1 - betas[1]) * grad**2
        out -= rate * (m / parts[0] / (np.sqrt(v / parts[1]) + 1e-8) + decay * out)


# ---------------------------------------------------------------------------------------------------------------------
# The sequences, and the training


def sizes_of(batch: int, digits: int, width: int = 32, layers: int = 2) -> Sizes:
    """Return the sizes for sequences of some digits: the digits, a separator, and all sorted digits but the last."""
    return Sizes(batch, 2 * digits, DIGITS + 1, width, layers, batch * digits)


def sequences(sizes: Sizes, random: np.random.Generator) -> tuple[Ints, Ints]:
    """Draw a batch: the tokens, and the target of each, which is the next token where that is a sorted digit."""
    count = sizes.length // 2
    digits = random.integers(0, DIGITS, (sizes.batch, count))
    ordered = np.sort(digits, axis=1)
    ids = np.hstack([digits, np.full((sizes.batch, 1), DIGITS), ordered[:, :-1]])
    targets = np.hstack([np.full((sizes.batch, count), -1), ordered])
    return ids.ravel().astype("int32"), targets.ravel().astype("int32")


def trained(network: Network, steps: int, region: Any = None, seed: int = 7) -> list[float]:
    """Train for some steps, each in a region if there is one, and return the loss of each."""
    operations, random, losses = network.operations, np.random.default_rng(seed), []
    for _ in range(steps):
        ids, targets = (operations.array(values, "int32") for values in sequences(network.sizes, random))
        if region is None:
            of_tokens = network.train(ids, targets)
        else:
            with region:
                of_tokens = network.train(ids, targets)
        losses.append(float(np.asarray(of_tokens).sum()))
    return losses


def right(network: Network, seed: int = 99) -> float:
    """Return which part of the sorted digits of a new batch the network has right."""
    ids, targets = sequences(network.sizes, np.random.default_rng(seed))
    network.forward(*(network.operations.array(values, "int32") for values in (ids, targets)))
    best = np.asarray(network.kept["scores"]).argmax(axis=1)
    return float((best == targets)[targets >= 0].mean())


def compare_gradients(device: Network, host: Network) -> None:
    """Compare the gradients of all parameters for one batch, and end the program if they differ."""
    batch = sequences(device.sizes, np.random.default_rng(1))
    for network in (device, host):
        network.forward(*(network.operations.array(values, "int32") for values in batch))
        network.backward()
    checked("gradients", device.all_grads, host.all_grads, 1e-4)


def draw(curves: dict[str, list[float]]) -> Figure:
    """Draw the losses."""
    figure = Figure(figsize=(7.6, 2.8), layout="constrained")
    axes = figure.subplots()
    styles = [{"color": "#f2a154", "linewidth": 4}, {"color": "#22577a", "linewidth": 1}]
    for (name, losses), style in zip(curves.items(), styles, strict=True):
        axes.plot(np.arange(1, len(losses) + 1), losses, label=name, **style)
    axes.set(xlabel="step", ylabel="cross entropy", xlim=(0, len(losses)), ylim=(0, None))
    axes.legend(frameon=False)
    return figure


def main() -> None:
    """Run the program."""
    options = options_of(__doc__, "transformer.png", batch=32, digits=6, steps=400).parse_args()
    kernels, sizes = Kernels(device_of(options)), sizes_of(options.batch, options.digits)
    compare_gradients(Network(kernels, sizes), Network(Numpy(), sizes))
    curves: dict[str, list[float]] = {}
    for name, operations, region in ("NumPy", Numpy(), None), ("launchpath", kernels, lp.Step()):
        network, began = Network(operations, sizes), perf_counter()
        curves[name] = trained(network, options.steps, region)
        print(f"{name}: {options.steps} steps in {perf_counter() - began:.2f} s, last loss {curves[name][-1]:.4f}")
        print(f"{name}: {100 * right(network):.1f} % of the digits of a new batch are right")
    first, second = (curve[:COMPARED_STEPS] for curve in (curves["launchpath"], curves["NumPy"]))
    checked(f"losses of the first {len(first)} steps", first, second, 1e-3)
    save(draw(curves), options.output, colours=64)


if __name__ == "__main__":
    main()
