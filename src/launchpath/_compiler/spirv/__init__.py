"""SPIR-V (Khronos, SPIR-V Specification 1.6): takes a module of Clang's or of others, gives one that runtimes take.

`module` and `outline` have a module's parts, `prepare` runs the passes in the folders; `foreign` adopts modules.
A driver takes the module next, or `opencl_c` where a platform has no SPIR-V.
"""
