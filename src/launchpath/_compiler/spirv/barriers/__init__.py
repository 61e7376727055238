"""Barriers and lanes: takes kernels whose threads end early, or rely on lanes in step; gives ones right on any device.

`returns` is the pass for threads that end before others reach barriers, `lockstep` and `lane_order` are for warps.
`prepare` runs them, for devices that do not wait, or step, as CUDA's do; then `spirv.checks` or `spirv.runtime`.
"""
