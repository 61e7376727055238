"""The compiler driver, as hipcc, nvcc and g++ are: ``launchpath c++``, see `driver`.

`options` is the table of its options, `command` reads a command line by it. A source has a host side and a device side.
`link` makes programs and shared libraries, with the C++ library that `library` finds or builds.
"""
