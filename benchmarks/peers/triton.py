"""Triton as a peer, and launchpath launching what Triton compiled."""

from __future__ import annotations

import launchpath as lp
from benchmarks.peers.torch import tensors
from launchpath._bench.kernels import Kernels, looped
from launchpath._bench.measure import VALUES, Loop
from launchpath._bench.peer import Peer

# None of them 1 or a multiple of 16, which Triton compiles apart.
_INTS = range(2, 9)


class Triton(Peer):
    """``kernel[grid](*arguments)`` as Triton's own launch, with torch's tensors and ints."""

    subject, package = "triton", "torch triton"
    drivers = ("cuda", "hip")

    def __init__(self, kernels: Kernels) -> None:
        import triton  # noqa: PLC0415

        from benchmarks.peers import triton_kernels  # noqa: PLC0415

        self.version, self.device = triton.__version__, kernels.device
        self.kernels = {count: getattr(triton_kernels, f"launch{count}") for count in self.arguments}
        self.tensors = tensors(kernels)

    def loop(self, arguments: int) -> Loop:
        names = {"launch": self.kernels[arguments][(1,)]}
        return looped("launch({})", arguments, self.tensors, _INTS, names)


class AdoptedTriton(Triton):
    """Triton's kernels adopted and bound by launchpath, with the same arguments."""

    subject = "launchpath-adopted-triton"

    def loop(self, arguments: int) -> Loop:
        passed = {0: (), 2: (self.tensors[0], VALUES[1]), 16: (*self.tensors, VALUES[1], *_INTS)}[arguments]
        compiled = self.kernels[arguments][(1,)](*passed)
        self.device.synchronize()
        names = {"launch": lp.adopt(compiled).bind((1,))}
        return looped("launch({})", arguments, self.tensors, _INTS, names)
