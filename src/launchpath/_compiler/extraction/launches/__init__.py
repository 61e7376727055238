"""Launches in host code: takes a parsed source, gives the instances of kernel templates that it launches.

`launched` asks Clang for them; `warnings` and `classes` read its answers.
Next, `parameters` says what the instances take.
"""
