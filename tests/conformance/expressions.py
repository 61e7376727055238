"""Expressions of the kernel language, computed for every element of some arrays by one kernel."""

import numpy as np

import launchpath as lp

NAMES = {
    "int32": "int", "uint32": "unsigned", "int64": "long long", "uint64": "unsigned long long",
    "float32": "float", "float64": "double",
}  # fmt: skip


def evaluate(device, expressions, arguments, dtype, before=""):
    """Return one row for each expression of the names in `arguments` (equally long arrays), as `dtype`."""
    n = len(next(iter(arguments.values())))
    parameters = "".join(f", const {NAMES[str(a.dtype)]}* {name}_" for name, a in arguments.items())
    loads = " ".join(f"{NAMES[str(a.dtype)]} {name} = {name}_[at];" for name, a in arguments.items())
    stores = "\n".join(f"out_[{row} * count_ + at] = ({expression});" for row, expression in enumerate(expressions))
    program = lp.compile(f"""{before}
        __global__ void evaluate({NAMES[dtype]}* out_, int count_{parameters}) {{
            int at = blockIdx.x * blockDim.x + threadIdx.x;
            if (at >= count_) return;
            {loads}
            {stores}
        }}
        """, device)  # fmt: skip
    out = lp.zeros((len(list(expressions)), n), dtype, device)
    inputs = [lp.asarray(a, device=device) for a in arguments.values()]
    program.evaluate[-(-n // 64), 64](out, n, *inputs)
    return out.to_numpy()


def differences(names, got, wanted):
    """Say which rows are not what they should be, number for number."""
    messages = []
    for name, row, right in zip(names, got, map(np.asarray, wanted), strict=True):
        same = row == right
        if row.dtype.kind == "f":
            same |= np.isnan(row) & np.isnan(right)
        if not same.all():
            at = int(np.argmin(same))
            messages.append(f"{name}: {row[at]}, not {right[at]} (element {at}, {np.count_nonzero(~same)} wrong)")
    return messages
