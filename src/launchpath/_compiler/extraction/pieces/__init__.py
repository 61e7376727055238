"""Pieces: takes a translation unit, gives the declarations of the user's files, and which kernels need.

`collector` finds them, `declaration` and `extent` have a single one, `reached` follows what kernels use.
`unit`, in the folder above, writes the text of them by `blanked`.
"""
