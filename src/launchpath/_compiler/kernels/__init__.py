"""Kernels of a source: takes their declarations and names, gives instances, entry points' names, messages about them.

`declaration` has a kernel or a template of kernels as its definition declares it, `instance` a kernel with its template
arguments. `entry_name` has the names by which drivers know kernels, `mangled` reads those of C++ compilers. `whole` and
`extraction` find kernels in a source; `../signature.py` has their parameters.
"""
