"""Messages: takes those of the compilers and values of the caller's, gives texts for errors and warnings.

`log` has a message's form, `hints` what to do about it, `unused` those that are left out, `crash` causes of crashes.
All other folders may use this one; messages about kernels, which need the source, are in `kernels`.
"""
