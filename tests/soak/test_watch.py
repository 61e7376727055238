"""What counts as flat, and a run of a few seconds."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from .figures import Figures
from .watch import MAY_GROW, Watch

FIGURES = Figures(rss=1 << 28, heap=1 << 26, free=0, threads=8, files=6, objects=1000, blocks=1000, arrays=0)


def watch(heaps):
    recorded = Watch(warm_s=10)
    for number, heap in enumerate(heaps):
        recorded.add(5.0 * number, replace(FIGURES, heap=heap))
    return recorded


def test_what_goes_up_and_down_is_flat():
    assert watch([1 << 26, 1 << 30] * 10).growths() == []


def test_what_grows_before_it_is_warm_is_flat():
    assert watch([0, 0, *[1 << 30] * 20]).growths() == []


def test_what_goes_on_growing_is_reported():
    (growth,) = watch([number * MAY_GROW["heap"] for number in range(20)]).growths()
    assert growth.startswith("heap grew from")


def test_a_short_run(device_id):
    command = [sys.executable, "-m", "tests.soak", "--device", device_id, "--minutes", "0.05", "--every", "1", "--warm", "1",
               "--loads", "streams,events,arrays,copies,blocks,host_functions,steps,threads", "--seed", "5"]  # fmt: skip
    process = subprocess.run(command, cwd=Path(__file__).parents[2], text=True, capture_output=True, check=False)
    assert process.returncode == 0, process.stdout + process.stderr
