"""How many random programs: 250 of each kind, or as many as LAUNCHPATH_MODEL_PROGRAMS says."""

import os

from hypothesis import HealthCheck, settings

random_programs = settings(
    max_examples=int(os.environ.get("LAUNCHPATH_MODEL_PROGRAMS", "250")),
    deadline=None,
    derandomize="LAUNCHPATH_MODEL_PROGRAMS" not in os.environ,
    suppress_health_check=[HealthCheck.too_slow],
)
