"""The rewritings of LLVM's text: each is needed as long as something is wrong without it.

A test fails where nothing is: a newer LLVM does without the rewriting, which can be deleted. That the kernels compute
what they should with the rewritings is for `tests/conformance`.
"""

import inspect
import pkgutil
import re
import subprocess
from importlib import import_module
from typing import Any, NamedTuple, get_type_hints

import pytest

from launchpath._compiler import llvm_text
from launchpath._compiler.clang import frontend, run
from launchpath._compiler.llvm_text.rewritings import table as rewritings
from launchpath._compiler.llvm_text.rewritings.table import Rewriting
from launchpath._compiler.source.options import options
from launchpath._compiler.spirv.module import Module
from launchpath._compiler.spirv.outline import Outline
from launchpath._compiler.target import Target
from launchpath.errors import CompileError
from tests.unit.compiler.test_compile import OPENCL_C, SPIRV, compiled


class Case(NamedTuple):
    """A source that needs a rewriting, and what a message of Clang's or the error has without it."""

    rewriting: Rewriting
    source: str
    symptom: str
    target: Target = SPIRV
    around: dict[str, Any] = {}  # noqa: RUF012 (nothing changes it)


CASES = {
    "prefetch": Case(
        rewritings.PREFETCHES, "__global__ void k(int *x) { __builtin_prefetch(x + 8); x[0] = 1; }", "G_PREFETCH"
    ),
    "padding": Case(
        rewritings.PADDING,
        """union Either { char c; double d; };
        __constant__ Either either[2] = {{1}, {3}};
        __global__ void k(int *x) { x[0] = either[x[1]].c; }""",
        "unable to translate instruction: call llvm.spv.const.composite",
    ),
    "variable arguments": Case(
        rewritings.VARIABLE_ARGUMENTS,
        """__device__ int rank(...) { return 1; }
        __global__ void k(int *x) { x[0] = rank(x[1], 2.0); }""",
        "SPIR-V does not support variadic functions",
        around={"options": options(optimization=0)},  # the optimizer removes them
    ),
    "address within a variable": Case(
        rewritings.ADDRESS_TABLES,
        """__device__ int all[64];
        struct Two { int *a, *b; };
        __device__ Two two = {all, all + 16};
        __global__ void k(int *x) { x[0] = *two.b; two.a = x; }""",
        "All v-regs must have been mapped",
    ),
    "address of the variable itself": Case(
        rewritings.ADDRESS_TABLES,
        """struct Link { Link *next; int v; };
        __device__ Link own = {&own, 1};
        __global__ void k(int *x) { Link *at = &own; for (int i = 0; i < x[1]; ++i) at = at->next; x[0] = at->v; }""",
        "Clang crashed",
    ),
    "address of a shared variable": Case(
        rewritings.ADDRESS_TABLES,
        """__global__ void k(int *x) {
            __shared__ int s[4], t[4];
            s[threadIdx.x] = t[threadIdx.x] = x[0];
            __syncthreads();
            int *both[2] = {s, t};
            x[1] = both[x[2]][1];
        }""",
        "is initialized with the address of a __shared__ variable",
    ),
    "empty assembly": Case(
        rewritings.EMPTY_ASSEMBLY,
        '__global__ void k(int *x) { x[1] = 2; asm volatile("" ::: "memory"); x[0] = 1; }',
        "SPV_INTEL_inline_assembly",
    ),
    "empty assembly with several results": Case(
        rewritings.EMPTY_ASSEMBLY,
        """__global__ void k(int *x) {
            int a = x[0], b = x[1];
            asm volatile("" : "+r"(a), "+r"(b));
            x[0] = a + b;
        }""",
        "unable to translate instruction: call (in function",
    ),
    "empty assembly with floats": Case(
        rewritings.EMPTY_ASSEMBLY,
        """__global__ void k(float *x) {
            float a = x[0], b = x[1];
            asm volatile("" : "+r"(a), "+r"(b));
            x[0] = a + b;
        }""",
        "Unsupported asm",
    ),
    "pointer to a function": Case(
        rewritings.FUNCTION_POINTERS,
        """__device__ int increment(int a) { return a + 1; }
        __device__ int twice(int a) { return 2 * a; }
        __device__ int (*both[2])(int) = {increment, twice};
        __global__ void k(int *x) { x[1] = both[x[0]](x[2]); }""",
        "pointers to functions are called by a choice",
    ),
    "pointer to a member function": Case(
        rewritings.FUNCTION_POINTERS,
        """struct A {
            int a;
            __device__ int f() const { return a; }
            __device__ __attribute__((noinline)) int far(int x) const { return 3 * a + x; }
        };
        __global__ void k(int *x, int c) {
            A a{9};
            int (A::*f)() const = c ? nullptr : &A::f;
            x[1] = f ? (a.*f)() : 100;
            int (A::*far)(int) const = c ? &A::far : nullptr;
            x[3] = far ? (a.*far)(2) : -1;
        }""",
        "Broken function found",
    ),
    "bfloat16": Case(
        rewritings.BFLOAT16, "__global__ void k(__bf16 *x) { x[0] = x[1] * x[2]; }", "SPV_KHR_bfloat16"
    ),
    "atomic on a float": Case(
        rewritings.SMALL_ATOMICS,
        "__global__ void k(float *x) { __hip_atomic_fetch_add(x, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); }",
        "SPV_EXT_shader_atomic_float_add",
    ),
    "atomic on a byte": Case(
        rewritings.SMALL_ATOMICS,
        "__global__ void k(char *x) { __hip_atomic_fetch_add(x, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT); }",
        "an atomic operation on 8 bits",
        OPENCL_C,
    ),
}  # fmt: skip


def record_messages(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Record the texts of Clang's messages from now on."""
    texts: list[str] = []
    start = run.start

    def recorded(*arguments: Any, **further: Any) -> run.Outcome:
        outcome = start(*arguments, **further)
        texts.extend(message.text for message in outcome.messages)
        return outcome

    monkeypatch.setattr(run, "start", recorded)
    return texts


@pytest.mark.sample(4)
@pytest.mark.compiles
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_it_is_needed(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    assert compiled(case.source, to=case.target, **case.around).kernels
    rewriting = case.rewriting
    monkeypatch.setattr(rewritings, "OFF", frozenset({rewriting.name}))
    texts = record_messages(monkeypatch)
    try:
        compiled(case.source, to=case.target, **case.around)
    except CompileError as error:
        assert any(case.symptom in text for text in [*texts, str(error)]), error
    else:
        pytest.fail(f"expected {rewriting.needed_by} to refuse this source, got a module: {needless(rewriting)}")


def needless(rewriting: Rewriting) -> str:
    return f"the rewriting {rewriting.name!r} ({rewriting.function}) can be deleted, or this case of it"


@pytest.mark.compiles
def test_calls_with_variable_arguments_are_wrong_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a function returns nothing the backend has no message."""
    source = """__device__ void log(const char *text, ...) {}
    __global__ void k(int *x) { log("x", x[0], 2.0); }"""
    around = {"options": options(optimization=0)}
    assert calls_fit(compiled(source, **around).code)
    rewriting = rewritings.VARIABLE_ARGUMENTS
    monkeypatch.setattr(rewritings, "OFF", frozenset({rewriting.name}))
    assert not calls_fit(compiled(source, **around).code), needless(rewriting)


def calls_fit(code: bytes) -> bool:
    """Whether all calls of a module pass as many arguments as the function takes."""
    functions = Outline(Module.decode(code)).functions
    calls = [call.words for function in functions.values() for call in function.calls]
    return all(len(words) - 3 == len(functions[words[2]].parameters) for words in calls)


@pytest.mark.parametrize("rewriting", rewritings.ALL, ids=lambda rewriting: rewriting.name)
def test_each_has_cases_for_what_it_is_called_for(rewriting: Rewriting) -> None:
    symptoms = [case.symptom for case in CASES.values() if case.rewriting.name == rewriting.name]
    assert symptoms
    refusals = [word for word in rewriting.refusals if word != rewritings.INDIRECT]
    assert [word for word in refusals if not any(word in symptom for symptom in symptoms)] == []


@pytest.mark.processes
def test_the_version_of_llvm_is_the_one_that_the_cases_are_tried_with() -> None:
    version = subprocess.run([*frontend.command(), "--version"], capture_output=True, text=True, check=True).stdout
    match = re.search(r"clang version (\d+\.\d+)", version)
    assert match is not None
    assert f"LLVM {match[1]}" == rewritings.LLVM, "another LLVM needs these rewritings still: name it in the table"


def rewriting_functions() -> set[str]:
    """The functions of the package that make another text of LLVM's text."""
    found = set()
    for module in pkgutil.walk_packages(llvm_text.__path__, f"{llvm_text.__name__}."):
        file = import_module(module.name)
        for name, function in inspect.getmembers(file, inspect.isfunction):
            if function.__module__ != file.__name__ or name.startswith("_"):
                continue
            hints = get_type_hints(function)
            result = hints.pop("return", None)
            makes_text = result in (str, str | None) or "text" in getattr(result, "__annotations__", {})
            if list(hints) == ["text"] and makes_text:
                found.add(f"{module.name.rpartition('.')[2]}.{name}")
    return found


def test_each_function_that_rewrites_is_in_the_table() -> None:
    features = {"access_marks.mark"}  # every LLVM needs it
    assert rewriting_functions() == {rewriting.function for rewriting in rewritings.ALL} | features
