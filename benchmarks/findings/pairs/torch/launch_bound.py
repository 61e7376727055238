"""A network of many small layers in torch, for one input at a time."""

from __future__ import annotations

import torch

from benchmarks.findings.program import Clock, run

LAYERS = 48


def main(mended: bool, repetitions: int) -> None:
    """Do forward passes; mended: as a CUDA graph."""
    torch.manual_seed(1)
    weights = [torch.randn(512, 512, device="cuda") / 22 for _ in range(LAYERS)]
    x = torch.randn(64, 512, device="cuda")

    def forward() -> torch.Tensor:
        h = x
        for layer in weights:
            h = torch.tanh(h @ layer)  # fault
        return h

    with torch.no_grad():
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            forward()
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        if mended:
            with torch.cuda.graph(graph):
                h = forward()
        clock = Clock(repetitions)
        for step in clock:
            x[0, 0] = step
            if mended:
                graph.replay()
            else:
                h = forward()
            largest = h.max().item()
    clock.report(h.cpu().numpy(), [largest])


if __name__ == "__main__":
    run(main, 300)
