"""The environment, and programs that crash, do not end, or are interrupted."""

from tests.mistakes.mistake import Process

OUTSIDE = """
import launchpath as lp
program = lp.compile("__global__ void outside(int* x) { x[1 << 28] = 5; }")
x = lp.zeros(1, "int32")
program.outside[1, 1](x)
lp.synchronize()
"""
NULL = """
import launchpath as lp
program = lp.compile("struct List { int* at; }; __global__ void follow(List* x) { x->at[0] = 5; }")
program.follow[1, 1](lp.zeros(1, "uint64"))
lp.synchronize()
"""
SHARED = """
import launchpath as lp
program = lp.compile("__global__ void f(float* x) { extern __shared__ float s[]; s[threadIdx.x] = 1; x[0] = s[0]; }")
program.f[1, 256, None, 16](lp.zeros(1))
lp.synchronize()
"""
ENDLESS = """
import launchpath as lp
program = lp.compile("__global__ void endless(volatile int* x) { while (x[0] == 0) {} }")
x = lp.zeros(1, "int32")
program.endless[1, 1](x)
print("launched", flush=True)
"""
# The interrupt comes when the main thread waits: it is sent at the word.
WAITING = ENDLESS.replace(
    'print("launched", flush=True)',
    'import threading; threading.Timer(1, print, ("launched",), {"flush": True}).start()\nlp.synchronize()',
)
FORK = """
import os, sys
import launchpath as lp
x = lp.zeros(3)
lp.synchronize()
if os.fork() == 0:
    lp.zeros(3)
os.wait()
"""
BOUNDS = {"LAUNCHPATH_DEBUG": "bounds"}

MISTAKES = [
    Process("import launchpath", "LAUNCHPATH_DEBUGG has no effect", "program.py:1", "did you mean LAUNCHPATH_DEBUG?",
        environment={"LAUNCHPATH_DEBUGG": "1"}),
    Process("import launchpath as lp\nlp.zeros(3)", "got '1'", "LAUNCHPATH_DEBUG", "expected 'bounds'",
        environment={"LAUNCHPATH_DEBUG": "1"}),
    Process("import launchpath as lp\nlp.zeros(3)", "no device 'no such'", "LAUNCHPATH_DEVICE names", "0: ",
        environment={"LAUNCHPATH_DEVICE": "no such"}),
    Process("import launchpath as lp\nlp.zeros(3)", "got 'please'", "LAUNCHPATH_LOG", "expected 0 (off) or 1 (on)",
        environment={"LAUNCHPATH_LOG": "please"}),
    Process("import launchpath as lp\nlp.compile('__global__ void f(int* x) { x[0] = 3; }')",
        "/proc/no/such/folder", "program.py:2", "LAUNCHPATH_CACHE_DIR",
        environment={"LAUNCHPATH_CACHE_DIR": "/proc/no/such/folder"}),
    Process(OUTSIDE, "launchpath: SIGSEGV", "'outside'", "Set LAUNCHPATH_DEBUG=bounds"),
    Process(NULL, "launchpath: SIGSEGV", "'follow'", "Set LAUNCHPATH_DEBUG=bounds"),
    Process(OUTSIDE, "got 268435456", "<source>:1:46: kernel 'outside'", "compare the index with", environment=BOUNDS),
    Process(SHARED, "got 4", "<source>:1:75: kernel 'f'", "the launch gives 16 bytes of it, the fourth item", environment=BOUNDS),
    Process(ENDLESS, "is ended by Ctrl-C", "launchpath: the program", "'endless'", interrupted=True),
    Process(WAITING, "KeyboardInterrupt", "lp.synchronize()", "launchpath: kernels that are not",
        interrupted=True),
    Process(FORK, "forked", "program.py", "spawn"),
]  # fmt: skip
