"""The module as it is read: takes SPIR-V, gives its types, constants and functions, sorted for the writers.

`reader` sorts it; `flow` finds the loops, `spaces` the address spaces of pointers, `contraction` fused products.
`function` and the writers of `instructions` go on from there.
"""
