"""HIP and CUDA programs with their host code: compiled, linked, and run as they are.

`compiler` makes objects, libraries and programs of sources, and `executable` runs a program in the Python process.
`runtime` answers what the program calls: HIP's and CUDA's functions, by those of `launchpath.hip`. `start` has the C
sources of launchpath's part of each program.
"""
