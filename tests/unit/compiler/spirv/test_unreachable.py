"""Ways to unreachable ends: which are taken out, and what a function has in their place."""

import pytest

from launchpath._compiler.spirv.module import Instruction
from launchpath._compiler.spirv.opcodes import Op
from launchpath._compiler.spirv.outline import Outline
from launchpath._compiler.spirv.prepare import prepare
from launchpath._compiler.spirv.runtime.unreachable import remove_unreachable
from tests.unit.compiler.spirv.test_returns import check
from tests.unit.support.spirv_source import compiled, sound

pytestmark = pytest.mark.compiles

CASES = "{ case 0: A[1] = 5; break; case 1: A[2] *= 3; break; case 2: A[3]++; break; case 3: A[4] = n; break; }"
HEAD = "PARAMETERS(24)\nKERNEL k(Block block) { int *A = AT(int *, 0), n = AT(int, 8), t = threadIdx.x; "


def changed(body: str, before: str = "") -> list[Instruction]:
    outline = sound(prepare(compiled(f"{before}{HEAD}{body} }}"), early_returns=True, structured=True).module)
    check(outline)
    return [i for function in outline.functions.values() for i in function.body]


def opcodes(instructions: list[Instruction]) -> set[int]:
    return {instruction.opcode for instruction in instructions}


@pytest.mark.parametrize(("selector", "step"), [("t & 3", 2), ("AT(long, 16) & 3", 3)])
def test_a_switch_has_its_last_case_in_place_of_a_default_that_no_value_comes_to(selector, step):
    body = changed(f"switch ({selector}) {CASES} A[5] = 3;")
    (switch,) = [i for i in body if i.opcode == Op.Switch]
    assert Op.Unreachable not in opcodes(body)
    assert len(switch.words) == 2 + 3 * step
    assert switch.words[1] not in switch.words[2::step]


def test_a_switch_with_a_default_that_some_value_comes_to_stays_as_it_is():
    data = compiled(f"{HEAD} switch (t) {CASES} }}")
    assert prepare(data, early_returns=True, structured=True).encode() == prepare(data).encode()


def test_other_devices_get_the_module_as_it_is():
    outline = Outline(prepare(compiled(f"{HEAD} switch (t & 3) {CASES} }}"), early_returns=True).module)
    assert Op.Unreachable in {i.opcode for function in outline.functions.values() for i in function.body}


FAIL = """[[noreturn]] __attribute__((noinline)) __device__ void fail(int *p) {
    for (;;) ++*(volatile int *)p;
}
"""


def test_a_thread_ends_behind_the_call_of_a_function_that_never_returns():
    body = changed("if (t > n) { A[7] = 9; fail(A); } A[5] = 3;", FAIL)
    assert Op.FunctionCall in opcodes(body)
    assert Op.Unreachable not in opcodes(body)


def test_a_function_with_a_value_has_none_to_return_there():
    own = "__attribute__((noinline)) __device__ int own(int n, int *p) { if (n > 7) fail(p); return p[n]; }\n"
    body = changed("A[5] = own(n, A);", FAIL + own)
    assert Op.Unreachable in opcodes(body)


def test_a_way_that_leads_to_such_ends_alone_is_one_too():
    outline = Outline(prepare(compiled(f"{HEAD} A[t] = n; }}")).module)
    (kernel,) = [function for function in outline.functions.values() if function.id in outline.entries]
    condition = outline.types.constant(outline.types.get(Op.TypeInt, 32, 0), 77)
    outline.declarations += outline.types.added
    outline.declared.update((i.words[1], i) for i in outline.types.added if i.opcode == Op.Constant)
    labels = [outline.module.new_id() for _ in range(4)]
    ends = [
        Instruction(Op.BranchConditional, [condition, labels[1], labels[2]]),
        Instruction(Op.Branch, [labels[3]]),
        Instruction(Op.Unreachable, []),
        Instruction(Op.Switch, [condition, labels[2], 1, labels[2]]),
    ]
    kernel.body = [i for label, end in zip(labels, ends, strict=True) for i in (Instruction(Op.Label, [label]), end)]
    remove_unreachable(outline)
    assert kernel.body == [Instruction(Op.Label, [labels[0]]), Instruction(Op.Return, [])]
