"""Device globals and hidden parameters: takes a module with variables, gives one that gets them as arguments.

`block` lays all globals out in one block of memory, `initial` has its first bytes, `hidden` adds the parameters.
It is a pass of `prepare`; `checks` and `foreign` add hidden parameters too.
"""
