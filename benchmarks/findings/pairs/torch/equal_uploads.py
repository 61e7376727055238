"""A model in torch whose positional encoding goes to the GPU in each step."""

from __future__ import annotations

import torch

from benchmarks.findings.program import Clock, run


def main(mended: bool, repetitions: int) -> None:
    """Do forward passes; mended: the encoding is sent once."""
    torch.manual_seed(1)
    encoding = torch.randn(1024, 1024)
    on_device, weights = encoding.cuda(), torch.randn(1024, 1024, device="cuda") / 32
    x = torch.randn(1024, 1024, device="cuda")
    clock = Clock(repetitions)
    with torch.no_grad():
        for _ in clock:
            if not mended:
                on_device = encoding.to("cuda")  # fault
            h = x + on_device
            for _ in range(8):
                h = torch.tanh(h @ weights)
            largest = h.max().item()
    clock.report(h.cpu().numpy(), [largest])


if __name__ == "__main__":
    run(main, 300)
