"""Names, arguments and launches of other libraries: each is refused with what to use, which is there."""

import builtins
import io
import re
import sys
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr
from typing import Any

import pytest

import launchpath as lp
from launchpath import _logged, hip
from launchpath._listed import Absent, arguments, module, objects
from tests.python import python

COMING: set[str] = set()


def shown(call: Callable[[], object]) -> str:
    """The message as Python prints it, its own suggestion included."""
    text = io.StringIO()
    with pytest.raises(Exception) as caught:
        call()
    with redirect_stderr(text):
        sys.excepthook(caught.type, caught.value, None)
    return text.getvalue().rstrip().splitlines()[-1]


@pytest.mark.parametrize("kind", objects.INSTEAD)
def test_no_hint_hides_an_attribute(kind: str) -> None:
    cls = getattr(lp, kind)
    for name in objects.INSTEAD[kind]:
        holders = [base for base in cls.__mro__ if name in vars(base)]
        assert [isinstance(vars(base)[name], Absent) for base in holders] == [True], name
        assert not hasattr(cls, name)
        assert name not in dir(cls)


def test_no_hint_hides_a_public_name() -> None:
    assert not {*module.INSTEAD} & {*dir(lp)}
    assert not {*objects.OF_PROGRAM} & {*dir(lp.Program)}


@pytest.mark.parametrize("kind", [*objects.INSTEAD, "Program"])
def test_what_a_hint_names_is_there(kind: str) -> None:
    cls = getattr(lp, kind)
    hints = objects.OF_PROGRAM if kind == "Program" else objects.INSTEAD[kind]
    owners = {"stream": lp.Stream, "step": lp.Step, "frozen": lp.FrozenStep, "kernel": lp.Kernel, "array": lp.Array,
              "start": lp.Event, "trace": lp.Trace, "device": lp.Device}  # fmt: skip
    for text in hints.values():
        for name in re.findall(r"launchpath\.(\w+)", text):
            assert hasattr(lp, name), text
        for owner, name in re.findall(r"\b(\w+)\.(\w+)", text):
            if owner in owners and name not in COMING | {*owners[owner].__annotations__}:
                assert hasattr(owners[owner], name), text
        if match := re.match(r"use (\w+)(?:\(|,|$)", text):
            assert hasattr(cls, match[1]) or match[1] in COMING or match[1] in (*dir(builtins), "info"), text


def test_what_a_hint_of_the_module_names_is_there() -> None:
    for text in module.INSTEAD.values():
        for name in re.findall(r"launchpath\.(\w+)", text):
            assert hasattr(lp, name), text
        if match := re.match(r"use (\w+)(?:\(|,|$)", text):
            assert hasattr(lp, match[1]) or match[1] in (*dir(builtins), "blockIdx", "__syncthreads"), text


@pytest.mark.parametrize("name", ["array", "RawKernel", "sync", "set_device", "cuda", "float32", "sum"])
def test_python_adds_no_name_to_a_hint(name: str) -> None:
    assert "mean" not in shown(lambda: getattr(lp, name))


def test_a_misspelled_name_is_suggested_once() -> None:
    assert shown(lambda: lp.zeros_lke).count("ean") == 1  # type: ignore[attr-defined]
    assert shown(lambda: lp.Zeros).endswith("has no attribute 'Zeros'. Did you mean 'zeros'?")  # type: ignore[attr-defined]
    assert shown(lambda: lp.qqq).endswith("has no attribute 'qqq'")  # type: ignore[attr-defined]


def test_hip_and_cuda() -> None:
    assert "use launchpath.hip.hipMalloc" in shown(lambda: lp.hipMalloc)  # type: ignore[attr-defined]
    assert "use HIP's, launchpath.hip.hipFree" in shown(lambda: lp.cudaFree)  # type: ignore[attr-defined]
    assert "use launchpath.hiprtc.hiprtcCompileProgram" in shown(lambda: lp.hiprtcCompileProgram)  # type: ignore[attr-defined]
    assert "use HIP's like of it" in shown(lambda: lp.cuLaunchKernel)  # type: ignore[attr-defined]
    assert shown(lambda: hip.cudaFree).endswith("nor has HIP: use hipFree")
    assert shown(lambda: hip.hipFre).endswith("Did you mean 'hipFree'?")


def test_imports_have_the_hint() -> None:
    for line, text in (
        ("from launchpath import RawKernel", "'RawKernel' from 'launchpath': use launchpath.compile"),
        ("from launchpath import Sream", "'Sream' from 'launchpath'. Did you mean 'Stream'?"),
        ("from launchpath.hip import cudaFree", "'cudaFree' from 'launchpath.hip': use hipFree"),
    ):
        with pytest.raises(ImportError, match=re.escape(text)):
            exec(line)
    assert not hasattr(lp, "RawKernel")
    assert getattr(lp, "RawKernel", 5) == 5


@pytest.mark.parametrize("function", arguments.INSTEAD)
def test_arguments_of_other_libraries(function: str) -> None:
    call: Any = getattr(lp, function)
    for name, text in arguments.INSTEAD[function].items():
        with pytest.raises(TypeError, match=re.escape(f"unexpected keyword argument {name!r}: ")) as caught:
            call(**{name: 1})
        assert str(caught.value).endswith(text)


def test_misspelled_arguments() -> None:
    with pytest.raises(TypeError, match=r"compile\(\) got .* 'optons'. Did you mean 'options'\?$"):
        lp.compile("", optons=[])  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"Stream\(\) got .* 'qq': it takes blocking, priority, device$"):
        lp.Stream(qq=1)  # type: ignore[call-arg]


def a_callback(n: int) -> None:
    """Of a program's own."""


def test_errors_of_other_functions_stay_as_they_are() -> None:
    def inside() -> None:
        a_callback(m=3)  # type: ignore[call-arg]

    with pytest.raises(TypeError, match=r"^a_callback\(\) got an unexpected keyword argument 'm'$"):
        lp.step(inside)()


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        (lp.Device, "use launchpath.device(0)"), (lp.Array, "use launchpath.empty"), (lp.Kernel, "use program.name"),
        (lp.Program, "use launchpath.compile(source)"), (lp.Result, "kernel.returning"), (lp.SavedTrace, "read_trace(path)"),
        (lp.FrozenStep, "step.freeze()"), (lp.Graph, "stream.end_capture()"),
    ],
)  # fmt: skip
def test_classes_that_are_not_called(kind: Any, text: str) -> None:
    with pytest.raises(TypeError, match=re.escape(text)):
        kind()


def test_a_class_in_a_with_statement() -> None:
    for kind in (lp.Stream, lp.Step, lp.Device):
        match = rf"got the class {kind.__name__}: write {kind.__name__}\(\.\.\.\)"
        with pytest.raises(TypeError, match=match), kind:  # type: ignore[attr-defined]
            pass


def test_a_function_with_an_index() -> None:
    with pytest.raises(TypeError, match=r"^devices is a function: call it first, devices\(\.\.\.\)$"):
        lp.devices[0]  # type: ignore[index]


def test_warnings_name_the_caller() -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        _logged.tell_caller("told")
        _logged.warn_caller("warned", UserWarning)
    assert [(str(each.message), each.filename) for each in caught] == [("told", __file__), ("warned", __file__)]
    with warnings.catch_warnings(record=True) as shown_only:
        warnings.simplefilter("error")
        _logged.tell_caller("told")
        with pytest.raises(UserWarning, match="warned"):
            _logged.warn_caller("warned", UserWarning)
    assert [(str(each.message), each.filename) for each in shown_only] == [("told", __file__)]


@pytest.mark.processes
def test_hints_cost_an_import_nothing() -> None:
    out = python(
        "-c", "import sys, launchpath; print('launchpath._listed.module' in sys.modules, 'difflib' in sys.modules)"
    )
    assert out.stdout.split() == ["False", "False"]
