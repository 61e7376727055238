"""Batches that go to the GPU from ordinary memory."""

from __future__ import annotations

import torch

from benchmarks.findings.program import Clock, run


def main(mended: bool, repetitions: int) -> None:
    """Send batches; mended: from pinned memory."""
    torch.manual_seed(1)
    batch = torch.randn(4096, 1024)
    if mended:
        batch = batch.pin_memory()
    on_device, weights = torch.empty(4096, 1024, device="cuda"), torch.randn(1024, 1024, device="cuda") / 32
    clock = Clock(repetitions)
    seen = 0.0
    with torch.no_grad():
        for step in clock:
            batch[0, :64] = seen + step  # from the step before
            on_device.copy_(batch, non_blocking=True)  # fault
            h = on_device
            for _ in range(8):
                h = torch.tanh(h @ weights)
            seen = h.max().item()
    clock.report(h.cpu().numpy())


if __name__ == "__main__":
    run(main, 300)
