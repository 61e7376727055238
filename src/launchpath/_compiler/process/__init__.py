"""Compile in a separate process: a crash, a hang or an interrupt then ends that process, not the program's.

The rest of launchpath uses `pool.call`. `child` runs in the other process.
"""

SWITCH = "LAUNCHPATH_COMPILE_PROCESS"  # 0: in this process; 1: in another; unset: in another, what is small in this one
