"""Debug information: takes LLVM's text, gives types, closures and variables in the source's terms.

`nodes` reads its nodes by number, `types` makes the types of launches of them, `fields` those of structs.
`kernels`, in the folder above, makes signatures of them.
"""
