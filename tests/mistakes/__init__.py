"""Mistakes of people who come from CuPy, PyOpenCL, Numba, torch or CUDA C++, and what they are told.

A file of `subjects` for each subject has its mistakes. One is told well if the message names what was wrong, where, and
what to do, the traceback ends at the caller's line, and no process hangs or ends without a line of launchpath's.
"""
