"""Barriers and lanes: takes kernels whose threads end early, or are in step by the hardware; gives ones that wait.

`returns` is the pass for threads that end before others reach barriers, `lockstep` and `lane_order` are for warps.
They are passes of `prepare`, which runs them before those of `runtime` that look at addresses.
"""
