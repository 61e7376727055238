"""Kernels of a source: takes their declarations and names, gives instances, entry points' names, messages about them.

`declaration` is a kernel as it is defined, `instance` one with its arguments; `mangled`, `entry_name`: their names.
`whole` and `extraction` find them in a source, and `signature`, beside this folder, is what they take.
"""
