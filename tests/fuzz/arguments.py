"""Odd arguments to everything public, in a process of its own: it writes each call before it is made.

    python -m tests.fuzz.arguments DEVICE SEED FIRST SECONDS LOG

A call depends on nothing but the seed and its number, and what calls before it did to the objects of its round.
"""

import ctypes
import faulthandler
import gc
import inspect
import json
import math
import os
import random
import sys
import tempfile
import time
import traceback
import warnings
from contextlib import suppress
from typing import Any

import numpy as np

import launchpath as lp
from launchpath import _core
from tests.fuzz import commands, odd, targets
from tests.fuzz.world import NUMBERS, World

ROUND = 400  # calls on the same objects
PATIENCE = 60  # seconds for one call

ALLOWED = (
    lp.LaunchpathError, TypeError, ValueError, OverflowError, MemoryError, IndexError, KeyError, BufferError, OSError,
    odd.HostileError,
)  # fmt: skip
# What Python says of a value that nobody looked at.
INNER = (
    "not supported between instances", "unsupported operand", "is not subscriptable", "object is not iterable",
    "object is not callable", "must be real number", "cannot unpack", "only integer scalar arrays", "truth value of an array",
    "too large to convert", "can't convert negative", "argument of type", "not enough values to unpack", "int string conversion",
)  # fmt: skip


class Calls:
    """The calls of one seed."""

    def __init__(self, device: str, seed: int, log: int) -> None:
        self.device, self.seed, self.log = device, seed, log
        self.problems: list[str] = []

    def run(self, first: int, seconds: float) -> int:
        """Make calls until the time is over; gives how many."""
        until, number = time.monotonic() + seconds, first
        while number == first or time.monotonic() < until:
            number = self._round(number, until)
        return number - first

    def _round(self, number: int, until: float) -> int:
        world = World(self.device)
        functions = targets.functions()
        for name, thing in world.things.items():
            functions |= targets.of_thing(name, thing)
        names = sorted(functions)
        first = number
        for number in range(first, first + ROUND):  # noqa: PLR1704 (where it ends is told)
            if time.monotonic() > until:
                break
            random_ = random.Random(f"{self.seed} {number}")
            kind = random_.random()
            if kind < 0.25:
                self._launch(random_, number, world)
            elif kind < 0.255:
                self._command(random_, number, world)
            else:
                name = random_.choice(names)
                self._call(random_, number, name, functions[name], world)
        del functions
        before = world.before
        device = world.device if world.machine is None else None
        left = world.close()
        del world
        gc.collect()
        if left:
            self.problems.append(f"after call {number}: {left}")
        if device is not None:
            device.set_memory_limit(None)
            device.synchronize()
            gc.collect()
            now = device.memory_info()["arrays"]
            if now > before + 2:
                self.problems.append(f"after call {number}: {now} arrays, {before} before")
        return number + 1

    # -- one call

    def _call(self, random_: random.Random, number: int, name: str, function: Any, world: World) -> None:
        args, names, labels = self._arguments(random_, function, world)
        bare = any("bare" in label for label in (name, *labels))
        attribute = "getattr" in name or "__" in name  # which may say that there is no such attribute
        outcome = self._guarded(number, f"{name}({', '.join(labels)})", lambda: function(*args, **names), world)
        if isinstance(outcome, AttributeError) and (bare or attribute):
            return
        if isinstance(outcome, BaseException):
            self._judge(number, f"{name}({', '.join(labels)})", outcome)

    def _arguments(
        self, random_: random.Random, function: Any, world: World
    ) -> tuple[list[Any], dict[str, Any], list[str]]:
        wanted = _parameters(getattr(function, "wrapped", function))
        count = len(wanted) if random_.random() < 0.8 else random_.randrange(5)
        args: list[Any] = []
        names: dict[str, Any] = {}
        labels = []
        for i in range(count):
            parameter = wanted[i] if i < len(wanted) else None
            if parameter is not None and parameter in world.sane and random_.random() < 0.5:
                label, value = "sane", world.sane[parameter]
            else:
                label, value = odd.choose(random_, world.things)
            if parameter is not None and (names or random_.random() < 0.2):
                names[parameter] = value
                labels.append(f"{parameter}={label}")
            elif not names:
                args.append(value)
                labels.append(label)
        return args, names, labels

    def _guarded(self, number: int, text: str, call: Any, world: World) -> Any:
        """Make a call; gives what it raised, or a tuple of what it gave."""
        os.write(self.log, f"{number} {text}\n".encode("utf-8", "backslashreplace"))
        faulthandler.dump_traceback_later(PATIENCE, exit=True)
        current = _core.current_stream()
        try:
            outcome: Any = (call(),)
        except RecursionError as error:
            outcome = RuntimeError(f"RecursionError: {error}")
        except BaseException as error:
            outcome = error
        faulthandler.cancel_dump_traceback_later()
        if _core.current_stream() is not current:
            self.problems.append(f"{number} {text}: another stream is current")
        world.restore()
        return outcome

    def _judge(self, number: int, text: str, error: BaseException) -> None:
        inner = [frame for frame in traceback.extract_tb(error.__traceback__) if "/fuzz/" not in frame.filename]
        where = f"{inner[-1].filename}:{inner[-1].lineno}" if inner else "nowhere"
        problem = ""
        if isinstance(error, UnicodeError) or not isinstance(error, ALLOWED):
            problem = "is no error of a kind that is raised on purpose"
        elif (
            "/launchpath/" in where
            and type(error).__module__ == "builtins"
            and any(place in str(error) for place in INNER)
        ):
            problem = "is Python's own, and does not name what was wrong"
        if problem:
            self.problems.append(f"{number} {text}: {type(error).__name__}: {str(error)[:200]} {problem} ({where})")

    def _command(self, random_: random.Random, number: int, world: World) -> None:
        words = commands.choose(random_)
        outcome = self._guarded(number, f"command({words})", lambda: commands.run(words), world)
        wrong = outcome[0] if isinstance(outcome, tuple) else repr(outcome)
        if wrong:
            self.problems.append(f"{number} command({words}): {wrong}")

    # -- launches, whose arguments must arrive

    def _launch(self, random_: random.Random, number: int, world: World) -> None:
        stream = world.things["stream"]
        if not isinstance(stream, lp.Stream) or stream.capturing:  # what is captured does not run
            return
        try:
            ints, reals = lp.zeros(9, "int64", world.device, stream), lp.zeros(2, "float64", world.device, stream)
        except lp.LaunchpathError as error:
            if "part of a capture" in str(error):  # it waits for what a capture recorded, which does not run
                return
            raise
        passed: dict[str, Any] = {
            "a": None, "b": None, "c": None, "i8": 1, "u8": 1, "i16": 1, "u16": 1, "i32": 1, "u32": 1, "i64": 1, "u64": 1,
            "f32": 1.0, "f64": 1.0, "flag": True, "s": bytes(8),
        }  # fmt: skip
        key: tuple[Any, ...] = (1, 1, stream)
        labels = []
        for name in random_.sample(sorted(passed), random_.choice((1, 1, 2))):
            label, passed[name] = odd.choose(random_, world.things)
            labels.append(f"{name}={label}")
        if random_.random() < 0.3:
            place = random_.randrange(4)
            label, value = odd.choose(random_, world.things)
            changed = [1, 1, stream, 0]
            changed[place] = value
            labels.append(f"key[{place}]={label}")
            # A grid that may be launched, but not before the day is over.
            if place > 1 or type(value) is not int or value < 1 << 12:
                key = tuple(changed)
        text = f"launch({', '.join(labels)})"
        if key[2] is not stream:
            with suppress(lp.HostFunctionError):
                stream.synchronize()  # the zeros are there before the launch on another stream
        by_name = random_.random() < 0.3

        def call() -> None:
            launcher = world.odd[key]
            if by_name:
                launcher(**passed, ints=ints, reals=reals)
            else:
                launcher(*passed.values(), ints, reals)

        outcome = self._guarded(number, text, call, world)
        if isinstance(outcome, BaseException):
            if not (isinstance(outcome, AttributeError) and "bare" in text):
                self._judge(number, text, outcome)
            return
        if world.machine is not None or (isinstance(key[2], lp.Stream) and key[2].capturing):
            return  # nothing has run
        values = [*ints.to_numpy().tolist(), *reals.to_numpy().tolist()]
        wanted = [
            *(passed[name] for name in ("i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "flag", "f32", "f64"))
        ]
        for kind, arrived, value in zip(NUMBERS, values, wanted, strict=True):
            expected = _expected(kind, value)
            if arrived != expected and not (math.isnan(arrived) and math.isnan(expected)):
                self.problems.append(f"{number} {text}: {arrived!r} arrived as {kind}, given {value!r:.100}")


def _expected(kind: str, value: Any) -> Any:
    if isinstance(value, lp.Texture):  # an unsigned long long may be a cudaTextureObject_t
        value = value.handle
    value = value.value if isinstance(value, ctypes._SimpleCData) else value
    if kind == "float32":
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return float(np.float32(float(value)))
    if kind == "float64":
        return float(value)
    number = int(value)
    return number - (1 << 64) if kind == "uint64" and number >= 1 << 63 else number


def _parameters(function: Any) -> list[str]:
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return []
    return [
        parameter.name
        for parameter in parameters
        if parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)
        and parameter.name != "self"
        and parameter.name[0] != "_"
    ]


def main() -> None:
    device, seed, first, seconds, path = sys.argv[1:]
    faulthandler.enable()
    warnings.simplefilter("ignore")
    log = os.open(path, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
    os.chdir(tempfile.mkdtemp())
    calls = Calls(device, int(seed), log)
    count = calls.run(int(first), float(seconds))
    print(json.dumps({"made": count, "problems": calls.problems}))


if __name__ == "__main__":
    main()
