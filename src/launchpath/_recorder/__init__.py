"""The recorder: a library in C, without Python, that traces any program which it is loaded into.

`recorder.c` says what is where in it, and `environment` what a program needs to have it loaded.
"""

from __future__ import annotations
