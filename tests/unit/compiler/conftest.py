"""Compilations of these tests begin with precompiled headers, as those of a program do.

The headers are made before the first compilation of a kind in a run of the tests, for all workers. So it does not depend on
the moment whether a test has them. Those of the C++ library are left to the tests that are about them.
"""

import os
import shutil
from collections.abc import Callable, Iterator

import pytest

from launchpath._compiler.clang import library_headers, precompiled
from launchpath._compiler.clang.precompiled import Kind, Precompiled


@pytest.fixture(scope="session", autouse=True)
def _precompiled_headers(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.config.pluginmanager.has_plugin("tests.fast"):
        yield
        return
    on = [True]
    find_or_make = precompiled.find_or_make

    def find(kind: Kind, make: Callable[[str], Precompiled | None]) -> Precompiled | None:
        if precompiled._is_on is not on:  # the test has its own
            return find_or_make(kind, make)
        if not set(library_headers.HEADERS).isdisjoint(kind):
            return None
        if (headers := find_or_make(kind, make)) is None:
            precompiled.finish()
            headers = precompiled._files.get(kind)
        return headers

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(precompiled, "_is_on", on)
        patch.setattr(precompiled, "find_or_make", find)
        yield
        for file, _ in precompiled._files.values():
            folder = os.path.dirname(file)
            if os.path.basename(folder).startswith("precompiled-"):
                shutil.rmtree(folder, ignore_errors=True)
