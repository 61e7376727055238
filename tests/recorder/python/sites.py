"""A program of any Python: it calls CUDA's driver from many kinds of frames: ``sites.py driver GIL scene``.

GIL is ``held`` or ``released``: so are the calls. It prints the lines that it has called from, for each thread and in their
order, as JSON; and how many of the code objects that it made had the memory of earlier ones.
"""

import contextlib
import ctypes
import functools
import json
import os
import sys
import threading

init = (ctypes.PyDLL if sys.argv[2] == "held" else ctypes.CDLL)(sys.argv[1]).cuInit
lines = {}
codes = []


def note(depth=1):
    """Note the line that calls next."""
    frame = sys._getframe(depth)
    code = frame.f_code
    site = f"{code.co_filename}:{frame.f_lineno} {code.co_qualname}"
    lines.setdefault(str(threading.get_native_id()), []).append(site)


def nested(depth):
    if depth:
        nested(depth - 1)
        note() or init(0)
        return
    note() or init(0)


def generator(n):
    for i in range(n):
        note() or init(0)
        yield i
        note() or init(0)


class Method:
    def __del__(self):
        note() or init(0)

    def call(self):
        return [note() or init(0) for _ in range(2)] + list(map(lambda _: note() or init(0), range(2)))  # noqa: C417


def closes():
    thing = type("Thing", (), {"close": functools.partial(init, 0)})()
    with contextlib.closing(thing):  # whose end calls, from a file of Python's own
        site = f"{__file__}:{closes.__code__.co_firstlineno + 2} closes"
        lines.setdefault(str(threading.get_native_id()), []).append(site)


def libraries():
    for name in ("/x/site-packages/a.py", "/usr/lib/python3/dist-packages/b.py", "<generated: 'c'>", "<frozen d>"):
        space = {"init": init}
        exec(compile("def call():\n    return init(0)\n", name, "exec"), space)
        note() or space["call"]()
    space = {"init": init, "note": note}
    exec(compile("\n\ndef call():\n    return note() or init(0)\n", "<string>", "exec"), space)
    space["call"]()


FILES = ("/made/0.py", "/made/1.py", "/made/2.py")  # each the same object every time


def many(n):
    """Call from functions that are made and freed, with names and files as equal as can be."""
    for i in range(n):
        lines_before = "\n" * (i // 10 % 7)
        more = "\n" * (i % 5) + "    x = 1\n" * (i % 2)  # blank lines leave the instructions where they are
        text = lines_before + "def call(note=note, init=init):\n" + more + "    return note() or init(0)\n"
        space = {"init": init, "note": note}
        exec(compile(text, FILES[i // 20 % 3], "exec"), space)
        codes.append(id(space["call"].__code__))
        space["call"]()
        space.clear()  # and with it the function at once


def long():
    """Call from a line that is far from its function's first one, by the long forms of the table of lines."""
    text = (
        "def call():\n"
        + "\n" * 300
        + "    a = (1,\n"
        + "\n" * 70
        + "      note() or init(0))\n"
        + "    note() or init(0)\n"
    )
    space = {"init": init, "note": note}
    exec(compile(text + "# é€😀\n", "/lang/é€😀.py", "exec"), space)
    space["call"]()


def everything():
    nested(3)
    for _ in generator(3):
        note() or init(0)
    method = Method()
    method.call()
    del method
    closes()
    libraries()
    many(300)
    long()


def forks():
    everything()
    sys.stdout.flush()
    if os.fork() == 0:
        lines.clear()
        everything()
        with open("child.json", "w") as file:
            json.dump(lines, file)
        os._exit(0)
    os.wait()
    everything()


def threads():
    running = [threading.Thread(target=everything) for _ in range(8)]
    for thread in running:
        thread.start()
    everything()
    for thread in running:
        thread.join()


def interpreters():
    """With a second interpreter nothing is told; after it, everything again."""
    name = "_interpreters" if sys.version_info >= (3, 13) else "_xxsubinterpreters"
    module = __import__(name)
    note() or init(0)
    other = module.create()
    lines[str(threading.get_native_id())].append("")
    init(0)
    module.destroy(other)
    note() or init(0)


{"everything": everything, "forks": forks, "threads": threads, "interpreters": interpreters}[sys.argv[3]]()
print(json.dumps({"lines": lines, "codes": len(codes), "places": len(set(codes))}))
