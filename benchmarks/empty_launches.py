"""What a launch costs beside the driver: launches on a CUDA library whose ``cuLaunchKernel`` does nothing.

    python benchmarks/empty_launches.py --json results.json

The library is the system's own but for ``cuLaunchKernel``, which returns at once, or first reads and executes so many
KiB as a driver's call does: they replace as much of the processor's first caches. The difference between launchpath and
C's loop is then the cost of launchpath's own code, with warm and with cold caches. ``driver`` is the library as it is.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

DRIVER = "driver"
KIB = (0, 16, 32, 64, 128, 256)
# A line of code is a jump to the next line, so that as many lines of the cache of instructions are used.
SOURCE = """
#include <stddef.h>
#include <stdlib.h>
#define KIB %d
#if KIB
static volatile char data[KIB << 10] __attribute__((aligned(64)));
void lines(void);
__asm__(".text\\n.p2align 6\\nlines:\\n.rept " "%d" "\\njmp 1f\\n.p2align 6\\n1:\\n.endr\\nret\\n");
#endif
__attribute__((visibility("default"))) int cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz,
    unsigned bx, unsigned by, unsigned bz, unsigned shared, void *stream, void **parameters, void **extra) {
#if KIB
    for (size_t i = 0; i < sizeof data; i += 64) data[i]++;
    lines();
#endif
    return 0;
}
"""


def child(blocks: int) -> None:
    """Measure, and print medians in microseconds by subject."""
    import launchpath as lp  # noqa: PLC0415 (the parent needs none)
    from launchpath._bench.callers import callers  # noqa: PLC0415
    from launchpath._bench.kernels import Kernels  # noqa: PLC0415
    from launchpath._bench.launch import _held  # noqa: PLC0415
    from launchpath._bench.measure import Size, interleave  # noqa: PLC0415
    from launchpath._bench.result import Result  # noqa: PLC0415

    device, size = lp.device("cuda"), Size(blocks=blocks)
    with device:
        kernels = Kernels(device)
        others = callers(kernels, size, Result("launch", device.name))
        loops = (("c", kernels.c(2)), ("launchpath", kernels.launchpath(2)), ("python", kernels.python(2)))
        probes = [_held(kernels, subject, {"arguments": 2}, loop, size) for subject, loop in loops if loop is not None]
        probes += [probe for probe in others.probes if probe.subject == "c++" and probe.group == 2]
        rows = interleave(probes, size)
        others.close()
    print(json.dumps({" ".join([row.subject, *map(str, [*row.case.values()][1:])]): row.us for row in rows}))


def measured(kib: int | str, blocks: int, library: str) -> dict[str, float]:
    """Measure in a process whose CUDA library launches nothing; or with the driver as it is."""
    with tempfile.TemporaryDirectory() as folder:
        environment = dict(os.environ)
        if os.path.isabs(library):
            environment["LAUNCHPATH_CUDA_LIBRARY"] = library
        if kib != DRIVER:
            source, built = Path(folder, "empty.c"), Path(folder, "empty.so")
            source.write_text(SOURCE % (kib, int(kib) * 16), encoding="utf-8")
            place = Path(library)
            needed = [f"-L{place.parent}", f"-Wl,-rpath,{place.parent}"] if place.parent.name else []
            command = ["cc", "-O2", "-fPIC", "-shared", "-o", str(built), str(source), *needed]
            subprocess.run([*command, "-Wl,--no-as-needed", f"-l:{place.name}"], check=True)
            environment["LAUNCHPATH_CUDA_LIBRARY"] = str(built)
        command = [sys.executable, __file__, "--child", "--blocks", str(blocks)]
        done = subprocess.run(command, env=environment, check=True, stdout=subprocess.PIPE, text=True)
    return dict(json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    """Measure each, and print the differences from C."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--blocks", type=int, default=150)
    parser.add_argument("--library", default="libcuda.so.1", help="the CUDA library, by its name or path")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child:
        child(options.blocks)
        return
    results = {}
    for kib in (*KIB, DRIVER):
        rows = results[str(kib)] = measured(kib, options.blocks, options.library)
        over = ", ".join(f"{name} {us - rows['c']:+.3f}" for name, us in rows.items() if name != "c")
        print(f"{kib if kib == DRIVER else f'{kib} KiB'}: C {rows['c']:.3f} us; over C: {over}", flush=True)
    if options.json is not None:
        options.json.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
