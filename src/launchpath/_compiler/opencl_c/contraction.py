"""Products that may become part of several sums.

Clang lets a device fuse a product with each sum that it goes into (``-ffp-contract=fast``). A compiler of OpenCL C does
so within an expression only, so that such a product has to stand in all of them.
"""

from __future__ import annotations

from ..spirv.opcodes import Op
from .flow import Flow
from .operands import used
from .reader import Function


def contracted(function: Function) -> set[int]:
    """List the products that only sums use, several of them, and none in a loop further in."""
    made: dict[int, int] = {}
    sums: dict[int, list[int]] = {}
    for label, block in function.blocks.items():
        for one in block.body:
            if one.opcode == Op.FMul:
                made[one.words[1]] = label
    for label, block in function.blocks.items():
        for one in (*block.phis, *block.body, block.terminator):
            for word in used(one):
                if word not in made:
                    continue
                if one.opcode in (Op.FAdd, Op.FSub):
                    sums.setdefault(word, []).append(label)
                else:
                    made.pop(word)
    found = {product for product in made if len(sums.get(product, ())) > 1}
    if found:
        flow = Flow(function)
        innermost = {label: flow.innermost(label) for label in flow.order}
        found = {
            product
            for product in found
            if all(innermost.get(label) == innermost.get(made[product]) for label in sums[product])
        }
    return found
