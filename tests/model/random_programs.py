"""How many random programs: 500 of each kind, fewer in a sample, or as many as LAUNCHPATH_MODEL_PROGRAMS says."""

import os

from hypothesis import HealthCheck, settings

from tests.sample import amount

random_programs = settings(
    max_examples=int(os.environ.get("LAUNCHPATH_MODEL_PROGRAMS") or amount(100, 500)),
    deadline=None,
    derandomize="LAUNCHPATH_MODEL_PROGRAMS" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
