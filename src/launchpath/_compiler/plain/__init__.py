"""Plain sources, functions and nothing else: takes their tokens, gives kernels, what they take, and an image.

`plain` reads them without a parser. `image` goes on to SPIR-V by a run of Clang, `in_process` in the program's process.
Sources that are not plain go to `whole` or `extraction`; for CUDA devices, `rtc.direct` goes on from `plain`.
"""
