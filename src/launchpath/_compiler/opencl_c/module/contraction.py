"""Products that may become part of several sums.

Clang lets a device fuse a product with each sum that it goes into (``-ffp-contract=fast``). A compiler of OpenCL C does
so within an expression only, so that such a product has to stand in all of them.
"""

from __future__ import annotations

from ...spirv.opcodes import Op
from .flow import Flow
from .operands import used
from .reader import Function


def contracted(function: Function) -> set[int]:
    """Return the products used only by sums, by more than one, all in the product's own loop."""
    products: dict[int, int] = {}
    sums: dict[int, list[int]] = {}
    for label, block in function.blocks.items():
        for instruction in block.body:
            if instruction.opcode == Op.FMul:
                products[instruction.words[1]] = label
    for label, block in function.blocks.items():
        for instruction in (*block.phis, *block.body, block.terminator):
            for word in used(instruction):
                if word not in products:
                    continue
                if instruction.opcode in (Op.FAdd, Op.FSub):
                    sums.setdefault(word, []).append(label)
                else:
                    products.pop(word)
    repeated = {product for product in products if len(sums.get(product, ())) > 1}
    if repeated:
        flow = Flow(function)
        innermost = {label: flow.innermost(label) for label in flow.order}
        repeated = {
            product
            for product in repeated
            if all(innermost.get(label) == innermost.get(products[product]) for label in sums[product])
        }
    return repeated
