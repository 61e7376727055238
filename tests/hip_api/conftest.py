"""HIP's API on each device."""

from __future__ import annotations

from importlib.util import find_spec

import pytest

if find_spec("rocm") is None:  # there are no wheels of HIP's types for this platform
    collect_ignore_glob = ["test_*.py"]


@pytest.fixture
def hip(device):
    """Return the module, with the device as this thread's."""
    from launchpath import hip
    from launchpath.hip import _current

    _current.choose(device)
    hip.hipGetLastError()
    yield hip
    hip.hipGetLastError()
    _current.choose(None)
