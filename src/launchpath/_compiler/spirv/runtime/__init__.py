"""Passes for OpenCL runtimes: takes what Clang writes and a runtime refuses or gets wrong, gives what it takes.

Each file is a pass with a reason of its own: `recursion`, `atomics`, `spaces` of pointers, `argument_block`.
`prepare` says in which order they run, and which the target needs; a driver, or `opencl_c`, takes the module next.
"""
