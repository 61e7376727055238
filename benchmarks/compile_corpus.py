"""Compile the sources of tests/corpus in one process without a cache, in turn or side by side, and print the time.

.venv/bin/python -m benchmarks.compile_corpus --device intel
.venv/bin/python -m benchmarks.compile_corpus --device intel --in-turn
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
import warnings
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

import launchpath as lp
from tests.corpus.cases import load
from tests.corpus.registry import Source
from tests.corpus.run import features


def sources(device: lp.Device) -> list[Source]:
    """List the sources whose kernels the device can express, each once."""
    here = features(device)
    cases = [case for theme in load().values() for case in theme if not case.source.needs - here]
    return list({case.source.key: case.source for case in cases}.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--device", default="intel", metavar="WORDS", help="as lp.device takes it; default: intel")
    parser.add_argument("--in-turn", action="store_true", help="one after the other, not by lp.compile_all")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    device = lp.device(options.device)
    wanted = [{"path": s.file, "names": s.names, "defines": dict(s.defines)} for s in sources(device)]
    with tempfile.TemporaryDirectory(prefix="launchpath-corpus-") as cache:
        os.environ["LAUNCHPATH_CACHE_DIR"] = cache
        start = time.perf_counter()
        if options.in_turn:
            programs = [lp.compile(device=device, **each) for each in wanted]
        else:
            programs = lp.compile_all(wanted, device)
        print(f"{device.name}: {len(programs)} sources in {time.perf_counter() - start:.1f} s")


if __name__ == "__main__":
    main()
