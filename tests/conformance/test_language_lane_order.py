"""Random programs whose lanes exchange values through shared memory in step give what a simulation gives."""

import numpy as np
import pytest

import launchpath as lp
from tests.conformance.warp_programs import Program

FENCES = ("", "__syncwarp();", "__threadfence_block();", "")
KINDS = {
    "unsigned char": "uint8", "unsigned short": "uint16", "unsigned": "uint32", "unsigned long long": "uint64",
}  # fmt: skip
# Without what keeps the accesses in order, the first five gave other results; 112 where Clang threads jumps.
SEEDS = ((16, 24, 26, 47, 61, 112), tuple(range(6)), tuple(range(6, 12)))
THREADS = (8, 32, 40, 100, 256, 1000, 1024)  # a block's last warp need not be whole


@pytest.mark.parametrize("seeds", SEEDS, ids=lambda seeds: str(seeds[0]))
@pytest.mark.sample(2)
def test_random_programs_of_lanes(device, seeds):
    if device.info["dialect"] != "spirv" or device.info["kind"] != "cpu":
        pytest.skip("about Intel's runtime, whose lanes run in step")
    programs = {f"k{seed}": (Program(seed, FENCES[seed % 4]), list(KINDS)[seed // 4 % 4]) for seed in seeds}
    source = "\n".join(program.source(name, kind) for name, (program, kind) in programs.items())
    compiled = lp.compile(source, device)
    for name, (program, kind) in programs.items():
        random = np.random.default_rng(0)
        for threads in THREADS:
            x = random.integers(0, 250, threads).astype(KINDS[kind])
            wanted = program.run(x)
            array = lp.asarray(x, device=device)
            compiled[name][1, threads](array)
            assert (array.to_numpy() == wanted).all(), (name, threads, program.source(name, kind))
