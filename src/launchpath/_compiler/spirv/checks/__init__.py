"""Checks of accesses: takes a module with marks, gives one that looks at each address before it is used.

`accesses` is the pass, `marks` are Clang's calls in the module, `rows` and `roots` say which memory an address is in.
It is a pass of `prepare`, for devices that check; `launch_record` is what the core reads after a launch.
"""
