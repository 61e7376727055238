"""Compile in a separate process: takes a function's name and arguments, gives its result.

A crash, a hang or an interrupt then ends that process, not the program's. `child` runs in it, and calls `compile`.
The rest of launchpath uses `pool.call`.
"""

SWITCH = "LAUNCHPATH_COMPILE_PROCESS"  # 0: in this process; 1: in another; unset: in another, what is small in this one
