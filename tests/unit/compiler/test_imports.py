"""What the process that compiles imports: each millisecond of it is one of every first compilation."""

import subprocess
import sys
from pathlib import Path

import pytest

import launchpath
from launchpath._compiler.process import pool
from tests.python import python
from tests.unit.compiler.test_plain_in_process import SPIRV, headers, user  # noqa: F401 (a fixture)

pytestmark = pytest.mark.compiles

SLOW = {"numpy", "elftools", "hashlib", "asyncio", "multiprocessing", "email", "unittest", "logging", "concurrent"}
# What a driver's compiler, which prepares itself while the compiler is imported, need not wait for.
LATER = SLOW | {"dataclasses", "inspect", "shutil", "tempfile", "subprocess", "traceback", "json", "clang",
                "launchpath._compiler.signature", "launchpath._compiler.clang.frontend"}  # fmt: skip
# What plain sources need not, but for their messages.
UNUSUAL = SLOW | {"clang", "launchpath._compiler.extraction.clang", "launchpath._compiler.whole",
                  "launchpath._compiler.llvm_text.rewritings.empty_assembly", "launchpath._compiler.llvm_text.indirect",
                  "launchpath._compiler.llvm_text.rewritings.address_tables", "launchpath._compiler.llvm_text.access_marks",
                  "launchpath._compiler.spirv.checks.accesses"}  # fmt: skip
CODE = f"""
import sys, types
package = sys.modules["launchpath"] = types.ModuleType("launchpath")
package.__path__ = {launchpath.__path__!r}
import launchpath._compiler.process.child
import launchpath._compiler.compile, launchpath._compiler.rtc.native, launchpath._compiler.rtc.several
slow = {SLOW!r} & sys.modules.keys()
sys.exit(f"expected none of these to be imported: {{slow}}" if slow else 0)
"""


def test_nothing_slow_is_imported() -> None:
    path = [str(Path(folder).resolve()) for folder in sys.path if folder]
    start = f"import sys\nsys.path[:] = {path!r}\n"
    done = subprocess.run([sys.executable, "-S", "-c", start + CODE], capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr


def test_a_driver_prepares_itself_before_the_compiler_is_imported() -> None:
    pool.end()
    noted = ("builtins", "exec"), ("import sys; sys.noted = [*sys.modules]", {})
    modules = pool.call(("builtins", "eval"), "modules", "__import__('sys').noted", before=noted)
    assert "launchpath._compiler.process.child" in modules
    assert LATER & {*modules} == set()


def test_a_plain_source_needs_little() -> None:
    pool.end()
    pool.call(pool.COMPILE, "user.hip", user(), (), SPIRV)
    modules = pool.call(("builtins", "eval"), "modules", "[*__import__('sys').modules]")
    pool.end()
    assert "launchpath._compiler.spirv.prepare" in modules
    assert UNUSUAL & {*modules} == set()


def test_a_plain_source_in_the_programs_process_needs_as_little(headers) -> None:  # noqa: F811
    code = """
import sys
import launchpath
from launchpath._programs.builds import own_process
from tests.unit.compiler.test_compile import SPIRV
from tests.unit.compiler.test_plain_in_process import user
theirs = {*sys.modules}
assert own_process.compiled_by_clang(user(), SPIRV) is not None
print(*sys.modules.keys() - theirs)
"""
    done = python("-c", code)
    assert "launchpath._compiler.spirv.prepare" in done.stdout.split()
    assert (UNUSUAL | {"launchpath._compiler.process.pool"}) & {*done.stdout.split()} == set()
