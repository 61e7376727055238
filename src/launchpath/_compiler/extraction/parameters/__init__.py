"""Parameters of kernels: takes a parsed source and its instances, gives signatures and the types of globals.

`layout` is the whole of it, `questions` are the declarations by which Clang is asked, `types` reads its types.
Next, `rtc` compiles the device code with these signatures.
"""
