"""Memory of devices and of the host, by its address."""

from __future__ import annotations

from launchpath.hip._memory import advice, host, memory, pools

PARTS = (memory, host, pools, advice)  # with functions of HIP's
