"""SPIR-V of other compilers: takes a module and what the user says of it, gives one that launchpath launches.

`adoption` is the whole of it: `arguments` reads what kernels take, `wrapper` puts entry points around them.
`launchpath.load` calls it; the module needs no other pass, and goes to the driver or to `opencl_c`.
"""
