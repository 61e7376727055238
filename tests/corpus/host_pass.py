"""Clang's look at the host code of the corpus, once for all devices.

It finds which templates a program launches, takes as long as everything else that Clang does, and is the same for every
device. What it gives is kept for one run of the tests, by everything that goes into it; files of the corpus do not change.
"""

import os
import pickle
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

from launchpath._compiler.cache.fingerprint import key
from launchpath._compiler.clang import frontend
from launchpath._compiler.clang.run import Outcome
from launchpath._compiler.clang.run import clang as run_clang
from launchpath._compiler.extraction.launches import launched
from launchpath._compiler.source.source import Source


def _clang(
    source: Source,
    files: Mapping[str, bytes],
    macros: Mapping[str, str | None],
    mode: Iterable[str],
    headers: str | None = None,
) -> Outcome:
    mode = [*mode]
    texts = [part for path, text in sorted({**source.virtual_files(), **files}.items()) for part in (path, text)]
    name = key(frontend.identity(), source.path, *frontend.arguments(source, macros), *mode, *texts)
    kept = Path(os.environ["LAUNCHPATH_TEST_FOLDER"]) / f"{name}.host"
    if kept.exists():
        outcome: Outcome = pickle.loads(kept.read_bytes())
        return outcome
    outcome = run_clang(source, files, macros, mode, headers)
    part = kept.with_suffix(f".{os.getpid()}")
    part.write_bytes(pickle.dumps(outcome))
    part.rename(kept)  # at once, for another process may be reading it
    return outcome


@contextmanager
def once() -> Iterator[None]:
    """Compile within this block with what is kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(launched, "clang", _clang)
        yield
