"""Compiling in a process of its own: a crash, a hang or an interrupt then costs that process and not the program's.

`pool.call` is what the rest of launchpath uses. `child` runs in the other process.
"""
