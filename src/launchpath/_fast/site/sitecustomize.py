"""Python imports this when a process starts whose parent launches fast. The environment's own runs too."""

import importlib
import importlib.machinery
import importlib.util
import os
import sys


def _run_next(folder: str) -> None:
    """Run the sitecustomize that this one hides."""
    paths = [path for path in sys.path if os.path.abspath(path or os.curdir) != folder]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", paths)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module  # as if this file were not there
    spec.loader.exec_module(module)


def _watch(folder: str) -> None:
    """Install launchpath's launches once one of the libraries has been imported."""
    path = os.path.join(os.path.dirname(folder), "imports.py")
    spec = importlib.util.spec_from_file_location("_launchpath_fast_imports", path)
    if spec is None or spec.loader is None:
        return
    imports = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(imports)
    finders: list[object] = []

    def imported(name: str) -> None:
        if finders and finders[0] in sys.meta_path:
            sys.meta_path.remove(finders[0])  # `install` adds its own
        try:
            fast = importlib.import_module("launchpath.fast")  # most child processes import none of the libraries
        except ImportError as error:
            sys.stderr.write(f"launchpath: {name} is launched as without --fast in this process: {error}\n")
            return
        fast.install()

    finders.append(imports.watch(imported))


_folder = os.path.dirname(os.path.abspath(__file__))
try:
    _run_next(_folder)
finally:
    if os.environ.get("LAUNCHPATH_FAST", "0").strip().lower() not in ("", "0", "off", "false", "no"):
        _watch(_folder)
