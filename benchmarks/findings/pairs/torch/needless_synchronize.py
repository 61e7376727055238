"""A training loop in torch that waits for the GPU behind each layer."""

from __future__ import annotations

import torch

from benchmarks.findings.program import Clock, run

LAYERS = 12


def main(mended: bool, repetitions: int) -> None:
    """Do forward passes; mended: launches go on while the GPU works."""
    torch.manual_seed(1)
    weights = [torch.randn(2048, 2048, device="cuda") / 45 for _ in range(LAYERS)]
    x = torch.randn(2048, 2048, device="cuda")
    clock = Clock(repetitions)
    with torch.no_grad():
        for _ in clock:
            h = x
            for layer in weights:
                h = torch.tanh(h @ layer)
                if not mended:
                    torch.cuda.synchronize()  # fault
            largest = h.max().item()
    clock.report(h.cpu().numpy(), [largest])


if __name__ == "__main__":
    run(main, 300)
