"""The example of HIP's API: 10,000 launches beside idle streams."""

import re
from pathlib import Path

import pytest

from tests.python import python

EXAMPLE = Path(__file__).parents[2] / "examples" / "hip_streams.py"


@pytest.mark.parametrize("streams", [0, 64])
def test_idle_streams_do_no_harm(device, device_id, streams):
    done = python(
        "-m", "launchpath.hip", EXAMPLE, "--streams", streams, env={"LAUNCHPATH_DEVICE": device_id}, timeout=240
    )
    assert "running with N=100 and num_arrays=100" in done.stdout
    took = re.search(rf"{streams} streams: 10000 launches, ([\d.]+) us each", done.stdout)
    assert took is not None, done.stdout
    assert float(took[1]) < 500  # with a marker in each stream it was 1,320 on a faster device
