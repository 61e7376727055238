"""The package's modules, kept for a second import.

The compiled core is loaded once in a process, and knows the classes of the modules that were imported with it. Where
somebody cleared `sys.modules` in between, as reloaders and test tools do, a second import would make others: then the
core's errors would be none of those that a program names in `except`. So the second import gives the modules of the
first.
"""

from __future__ import annotations

import sys
from types import ModuleType

from launchpath import _core

_PACKAGE = "launchpath"


def keep() -> None:
    """Remember what has been imported of the package, in the core, which outlives `sys.modules`."""
    _core.imported = {name: module for name, module in sys.modules.items() if _is_ours(name)}


def restore() -> bool:
    """Put the first import's modules back, what they have imported since included; False if this is the first."""
    stored = getattr(_core, "imported", None)
    if stored is None or stored[_PACKAGE] is sys.modules.get(_PACKAGE):
        return False
    pending = list(stored.values())
    modules = {module.__name__: module for module in pending}
    while pending:
        for value in vars(pending.pop()).values():
            if isinstance(value, ModuleType) and _is_ours(value.__name__) and value.__name__ not in modules:
                modules[value.__name__] = value
                pending.append(value)
    sys.modules.update(modules)
    return True


def _is_ours(name: str) -> bool:
    return name == _PACKAGE or name.startswith(f"{_PACKAGE}.")


restore()
