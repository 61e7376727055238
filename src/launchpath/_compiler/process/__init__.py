"""Compile in a separate process: a crash, a hang or an interrupt then ends that process, not the program's.

`pool.call` is what the rest of launchpath uses. `child` runs in the other process.
"""
