"""Compile in a separate process: a crash, a hang or an interrupt then ends that process, not the program's.

The rest of launchpath uses `pool.call`. `child` runs in the other process.
"""
