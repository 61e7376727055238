"""The cache on disk: takes images by keys of all that they depend on, gives them to later processes.

`entry` is the file format, also of saved programs; `fingerprint` and `own_sources` make keys; `folder` shares files.
It stands beside the stages: an `image` is stored after the last of them. Precompiled headers are kept by `clang`.
"""
