"""Decode with a small transformer of Triton kernels: tokens a second as it is and by launchpath.

    python -m benchmarks.fast_launches.decode [--json FILE] [--tokens 128] [--layers 14] [--width 256]

200 launches a token: 14 layers of 14, and 4. Each way runs in turn in one process, several times.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import time
from pathlib import Path
from typing import Any

from launchpath import fast

HEAD = 64
MOST = 256  # positions


class Transformer:
    """Weights, caches, and the launches of one token."""

    def __init__(self, torch: Any, layers: int, width: int, words: int = 1024) -> None:
        from benchmarks.fast_launches import triton_kernels  # noqa: PLC0415

        self.kernels, self.torch, self.width, self.words = triton_kernels, torch, width, words
        generator = torch.Generator(device="cuda").manual_seed(1)

        def random(*shape: int) -> Any:
            return torch.randn(*shape, device="cuda", generator=generator) / width**0.5

        self.embedding, self.head, self.last = random(words, width), random(words, width), 1 + random(width)
        self.layers = []
        for _ in range(layers):
            square = {name: random(width, width) for name in ("query", "key", "value", "output", "gate", "up", "down")}
            caches = {name: torch.zeros(MOST, width, device="cuda") for name in ("keys", "values")}
            self.layers.append({**square, **caches, "first": 1 + random(width), "second": 1 + random(width)})
        names = ("x", "normed", "q", "k", "v", "mixed", "y", "g", "u")
        self.buffers = {name: torch.zeros(width, device="cuda") for name in names}
        self.logits = torch.zeros(words, device="cuda")

    def forget(self) -> None:
        """Begin anew."""
        for layer in self.layers:
            layer["keys"].zero_()
            layer["values"].zero_()

    def matvec(self, x: Any, matrix: Any, out: Any, rows: int) -> None:
        self.kernels.matvec[((rows + 15) // 16,)](x, matrix, out, rows, self.width, ROWS=16, COLUMNS=128)

    def token(self, word: int, position: int) -> None:
        """Launch one token's work; `logits` has the result."""
        kernels, n, b = self.kernels, self.width, self.buffers
        x, normed = b["x"], b["normed"]
        kernels.normalize[(1,)](self.embedding[word], self.last, x, n, 1e-5, BLOCK=n)
        for layer in self.layers:
            kernels.normalize[(1,)](x, layer["first"], normed, n, 1e-5, BLOCK=n)
            self.matvec(normed, layer["query"], b["q"], n)
            self.matvec(normed, layer["key"], b["k"], n)
            self.matvec(normed, layer["value"], b["v"], n)
            kernels.keep[(1,)](b["k"], b["v"], layer["keys"], layer["values"], position, n, BLOCK=n)
            kernels.attend[(n // HEAD,)](
                b["q"], layer["keys"], layer["values"], b["mixed"], position + 1, n, HEAD=HEAD, MOST=MOST
            )
            self.matvec(b["mixed"], layer["output"], b["y"], n)
            kernels.add[(1,)](x, b["y"], n, BLOCK=n)
            kernels.normalize[(1,)](x, layer["second"], normed, n, 1e-5, BLOCK=n)
            self.matvec(normed, layer["gate"], b["g"], n)
            self.matvec(normed, layer["up"], b["u"], n)
            kernels.gate[(1,)](b["g"], b["u"], n, BLOCK=n)
            self.matvec(b["g"], layer["down"], b["y"], n)
            kernels.add[(1,)](x, b["y"], n, BLOCK=n)
        kernels.normalize[(1,)](x, self.last, normed, n, 1e-5, BLOCK=n)
        kernels.add[(1,)](normed, b["mixed"], 0, BLOCK=n)
        self.matvec(normed, self.head, self.logits, self.words)

    def decode(self, tokens: int) -> tuple[list[int], Any]:
        """Decode greedily, and return the words and the last logits."""
        self.forget()
        words = [1]
        for position in range(tokens):
            self.token(words[-1], position)
            words.append(int(self.logits.argmax()))
        return words, self.logits.clone()


def main() -> int:
    """Measure both ways, compare their outputs, and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--tokens", type=int, default=128)
    parser.add_argument("--layers", type=int, default=14)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--rounds", type=int, default=7)
    asked = parser.parse_args()
    import torch  # noqa: PLC0415

    model = Transformer(torch, asked.layers, asked.width)
    tokens = min(asked.tokens, MOST)
    seconds: dict[str, list[float]] = {"original": [], "fast": []}
    results: dict[str, Any] = {}
    same = True
    for way in ("original", "fast") * (asked.rounds + 1):
        fast.install(children=False) if way == "fast" else fast.uninstall()
        began = time.perf_counter()
        words, logits = model.decode(tokens)
        torch.cuda.synchronize()
        seconds[way].append(time.perf_counter() - began)
        first = results.setdefault("first", (words, logits))
        same = same and words == first[0] and bool(torch.equal(logits, first[1]))
    rates = {way: tokens / statistics.median(values[1:]) for way, values in seconds.items()}
    made = fast.report()
    launches = 14 * asked.layers + 4
    print(f"{launches} launches a token, {tokens} tokens, width {asked.width}")
    for way, rate in rates.items():
        print(f"{way:10}{rate:10.1f} tokens/s{1e6 / rate / launches:10.2f} µs a launch")
    print(f"{rates['fast'] / rates['original']:.2f} x; outputs {'identical' if same else 'DIFFER'}")
    print(made.line())
    if asked.json:
        row = {
            "tokens/s": rates,
            "launches a token": launches,
            "width": asked.width,
            "identical": same,
            "fast": made.fast,
        }
        asked.json.write_text(json.dumps(row, indent=1))
    return 0 if same else 1


if __name__ == "__main__":
    sys.exit(main())
