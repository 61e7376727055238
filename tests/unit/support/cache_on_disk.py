"""What tests of the cache share: one in a folder of the test's own, and its entries."""

import os
import stat
import time
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from launchpath._compiler.cache import cache as module
from launchpath._compiler.cache.cache import Cache, Entry, key

ENTRY = Entry({"kernels": ["k"], "source": "k.hip"}, {"binary": b"binary", "image": b""})
KEY = key("one")
MIB = 1 << 20


@pytest.fixture(autouse=True)
def fresh_warnings(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As in a process that has not warned yet, in which a warning is an error; and not in the user's own cache."""
    monkeypatch.setattr(module, "_untold", ["a warning"])
    for name in (module.SWITCH, module.FOLDER, module.LIMIT, "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "a" / "cache"


@pytest.fixture
def cache(folder: Path) -> Cache:
    return Cache(str(folder), 64 * MIB)


def file_of(cache: Cache, of: str = KEY) -> Path:
    return Path(cache.folder) / f"{of}.lp"


def put(cache: Cache, of: str, size: int = 100, age: float = 0) -> None:
    cache.put(of, Entry({"kernels": [of]}, {"binary": bytes(size)}))
    if age:
        os.utime(file_of(cache, of), (time.time() - age,) * 2)


def mode(path: Path) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)
