"""What another process does with pickles; it is started anew and imports this file."""

import multiprocessing
import pickle

import numpy as np

import launchpath as lp
from tests.patience import PATIENCE


def fill(kernel) -> tuple[int, np.ndarray]:
    """Launch a kernel of 64 floats that takes its array and a number."""
    array = lp.zeros(64, "float32", kernel.device)
    kernel[1, 64](array, 2.0)
    return lp.devices().index(kernel.device), array.to_numpy()


def counts(program, add, read) -> list[int]:
    """Add to a program's global by one kernel, and read it by another."""
    out = lp.zeros(1, "int32", program.device)
    add[1, 1](5)
    read[1, 1](out)
    return [int(out.to_numpy()[0]), int(program.symbol("total").to_numpy())]


def answer(queue, data: bytes) -> None:
    try:
        function, arguments = pickle.loads(data)
        queue.put(function(*arguments))
    except Exception as error:
        queue.put(error)


def elsewhere(function, *arguments):
    """Call a function in a process that starts anew; its arguments go there by pickles."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=answer, args=(queue, pickle.dumps((function, arguments))))
    process.start()
    try:
        result = queue.get(timeout=PATIENCE)
    finally:
        process.join(PATIENCE)
    if isinstance(result, Exception):
        raise result
    return result
