"""A small transformer, written once for two sets of operations: kernels on a device, and NumPy.

It has `layers` layers of attention (one head) and of a hidden layer with ReLU. Each is after a layer norm, and its
input is added to its result. Gradients are written out by hand, in the reverse order.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

RATE, DECAY, BETAS = 3e-3, 0.01, (0.9, 0.98)  # of AdamW


@dataclass(frozen=True)
class Sizes:
    """The sizes of a network and of its batches."""

    batch: int
    length: int  # tokens of a sequence
    vocabulary: int
    width: int  # of a token's row
    layers: int
    counted: int  # targets of a batch that are not -1

    def parameters(self) -> dict[str, tuple[int, ...]]:
        """Return the shapes of all parameters."""
        square, hidden = (self.width, self.width), (self.width, 4 * self.width)
        shapes: dict[str, tuple[int, ...]] = {
            "words": (self.vocabulary, self.width),
            "places": (self.length, self.width),
        }
        for k in range(self.layers):
            shapes |= {f"gain{k}": (self.width,)} | {f"{name}{k}": square for name in ("query", "key", "value", "mix")}
            shapes |= {f"hidden_gain{k}": (self.width,), f"up{k}": hidden, f"down{k}": hidden[::-1]}
        return shapes | {"last_gain": (self.width,), "scores": (self.width, self.vocabulary)}


class Network:
    """The parameters, their gradients, and the values of the last forward pass."""

    def __init__(self, operations: Any, sizes: Sizes, seed: int = 1) -> None:
        self.operations, self.sizes, self.steps = operations, sizes, 0
        random, parts = np.random.default_rng(seed), []
        for name, shape in sizes.parameters().items():
            gains = "gain" in name
            parts.append(np.ones(shape) if gains else random.normal(0, 0.5 / np.sqrt(sizes.width), shape))
        self.all = operations.array(np.concatenate([part.ravel() for part in parts]))
        self.all_grads, self.first, self.second = (operations.zeros(self.all.shape) for _ in range(3))
        self.parameters, self.grads = self.views(self.all), self.views(self.all_grads)
        self.kept: dict[str, Any] = {}

    def views(self, flat: Any) -> dict[str, Any]:
        """Return the part of each parameter in a flat array."""
        views, at = {}, 0
        for name, shape in self.sizes.parameters().items():
            size = int(np.prod(shape))
            views[name], at = flat[at : at + size].reshape(*shape), at + size
        return views

    def space(self, name: str, *shape: int) -> Any:
        """Return an array for values of this name: the same one in each step."""
        if name not in self.kept:
            self.kept[name] = self.operations.zeros(shape)
        return self.kept[name]

    def forward(self, ids: Any, targets: Any) -> Any:
        """Compute the loss of each token, and keep what the way back needs."""
        o, s, p = self.operations, self.sizes, self.parameters
        tokens, square = s.batch * s.length, (s.batch, s.length, s.length)
        self.ids = ids
        x = self.space("x0", tokens, s.width)
        o.embed(ids, p["words"], p["places"], x)
        for k in range(s.layers):
            h = self.norm(f"gain{k}", x)
            for name in ("query", "key", "value"):
                o.matmul(h, p[f"{name}{k}"], self.space(f"{name}{k}", tokens, s.width))
            query, key, value = (self.sequences(f"{name}{k}") for name in ("query", "key", "value"))
            parts = self.space(f"parts{k}", *square)
            o.matmul(query, key, parts, transposed=(False, True), scale=s.width**-0.5)
            o.softmax(parts)
            mixed = self.space(f"mixed{k}", tokens, s.width)
            o.matmul(parts, value, self.sequences(f"mixed{k}"))
            x = self.after(f"middle{k}", x, mixed, p[f"mix{k}"])
            hidden = self.space(f"hidden{k}", tokens, 4 * s.width)
            o.matmul(self.norm(f"hidden_gain{k}", x), p[f"up{k}"], hidden)
            o.relu(hidden)
            x = self.after(f"x{k + 1}", x, hidden, p[f"down{k}"])
        scores = self.space("scores", tokens, s.vocabulary)
        o.matmul(self.norm("last_gain", x), p["scores"], scores)
        losses = self.space("losses", tokens)
        o.cross_entropy(s.counted, targets, scores, losses, self.space("scores_grad", tokens, s.vocabulary))
        return losses

    def backward(self) -> None:
        """Compute the gradients of all parameters."""
        o, s = self.operations, self.sizes
        tokens = s.batch * s.length
        x_grad = self.space("x_grad", tokens, s.width)
        o.clear(x_grad)
        self.product_back("last_gain", "scores", self.kept["scores_grad"], x_grad, f"x{s.layers}")
        for k in reversed(range(s.layers)):
            hidden_grad = self.space("hidden_grad", tokens, 4 * s.width)
            self.linear_back(self.kept[f"hidden{k}"], f"down{k}", x_grad, hidden_grad)
            o.relu_back(self.kept[f"hidden{k}"], hidden_grad)
            self.product_back(f"hidden_gain{k}", f"up{k}", hidden_grad, x_grad, f"middle{k}")
            self.attention_back(k, x_grad)
        o.embed_back(self.ids, x_grad, self.grads["words"], self.grads["places"])

    def attention_back(self, k: int, x_grad: Any) -> None:
        """Go back through the attention of a layer, and add to the gradient of its input."""
        o, s = self.operations, self.sizes
        tokens, scale = s.batch * s.length, s.width**-0.5
        for name in ("mixed", "query", "key", "value", "input"):
            self.space(f"{name}_grad", tokens, s.width)
        query, key, value = (self.sequences(f"{name}{k}") for name in ("query", "key", "value"))
        mixed_grad, query_grad, key_grad, value_grad = (
            self.sequences(f"{name}_grad") for name in ("mixed", "query", "key", "value")
        )
        parts, parts_grad = self.kept[f"parts{k}"], self.space("parts_grad", s.batch, s.length, s.length)
        self.linear_back(self.kept[f"mixed{k}"], f"mix{k}", x_grad, self.kept["mixed_grad"])
        o.matmul(parts, mixed_grad, value_grad, transposed=(True, False))
        o.matmul(mixed_grad, value, parts_grad, transposed=(False, True))
        o.softmax_back(parts, parts_grad)
        o.matmul(parts_grad, key, query_grad, scale=scale)
        o.matmul(parts_grad, query, key_grad, transposed=(True, False), scale=scale)
        input_grad = self.kept["input_grad"]
        for name in ("query", "key", "value"):
            grad = self.kept[f"{name}_grad"]
            self.linear_back(self.kept[f"gain{k}"], f"{name}{k}", grad, input_grad, add=name != "query")
        self.norm_back(f"gain{k}", f"x{k}", input_grad, x_grad)

    def update(self) -> None:
        """Change all parameters by AdamW."""
        self.steps += 1
        parts = [1 - beta**self.steps for beta in BETAS]
        self.operations.adamw(RATE, DECAY, BETAS, parts, self.all_grads, self.first, self.second, self.all)

    def train(self, ids: Any, targets: Any) -> Any:
        """Do a step, and return the loss of each token before it: their sum is the loss of the batch."""
        losses = self.forward(ids, targets)
        self.backward()
        self.update()
        return losses

    # Parts that are there more than once

    def sequences(self, name: str) -> Any:
        """Return kept rows of tokens as an array of (batch, length, width)."""
        return self.kept[name].reshape(self.sizes.batch, self.sizes.length, self.sizes.width)

    def norm(self, gain: str, x: Any) -> Any:
        """Return layer norm of x, kept by the name of its gain."""
        tokens = self.sizes.batch * self.sizes.length
        out = self.space(gain, tokens, self.sizes.width)
        self.operations.norm(x, self.parameters[gain], out, self.space(f"{gain}_stats", tokens, 2))
        return out

    def after(self, name: str, x: Any, inner: Any, weights: Any) -> Any:
        """Return x + inner @ weights, kept by a name."""
        out = self.space(name, *x.shape)
        self.operations.copy(x, out)
        self.operations.matmul(inner, weights, out, add=True)
        return out

    def linear_back(self, inner: Any, weights: str, grad: Any, inner_grad: Any, add: bool = False) -> None:
        """Go back through inner @ weights."""
        self.operations.matmul(inner, grad, self.grads[weights], transposed=(True, False))
        self.operations.matmul(grad, self.parameters[weights], inner_grad, transposed=(False, True), add=add)

    def norm_back(self, gain: str, x: str, grad: Any, x_grad: Any) -> None:
        """Go back through a layer norm, and add to the gradient of its input."""
        stats = self.kept[f"{gain}_stats"]
        self.operations.norm_back(self.kept[x], self.parameters[gain], stats, grad, x_grad, self.grads[gain])

    def product_back(self, gain: str, weights: str, grad: Any, x_grad: Any, x: str) -> None:
        """Go back through norm(x) @ weights, and add to the gradient of x."""
        normed_grad = self.space("normed_grad", *x_grad.shape)
        self.linear_back(self.kept[gain], weights, grad, normed_grad)
        self.norm_back(gain, x, normed_grad, x_grad)
