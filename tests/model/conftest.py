"""How many random programs: 1,000 of each kind, or as many as LAUNCHPATH_MODEL_PROGRAMS says."""

import os

from hypothesis import HealthCheck, settings

from tests.unit.conftest import pytest_configure

__all__ = ["pytest_configure"]

settings.register_profile(
    "programs",
    max_examples=int(os.environ.get("LAUNCHPATH_MODEL_PROGRAMS", "1000")),
    deadline=None,
    derandomize="LAUNCHPATH_MODEL_PROGRAMS" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("programs")
