"""An OpenCL library in between: it forwards to the real one, counts calls and objects, and fails a call when it is told to.

`interposer.c` and `functions.h` are the library, `build` makes it, `control` steers it, `scenario` has what is run,
`failing` fails each call of a scenario in turn, and ``python -m tests.interposer`` does so for all of them.
"""
