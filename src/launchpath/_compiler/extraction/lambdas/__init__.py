"""Device lambdas and local classes: takes host functions that have them, gives classes that kernels can name.

`visitor` finds them, `captures` says what they use of the function around, `expansion` shows those within macros.
`unit`, in the folder above, puts the classes among its pieces.
"""
