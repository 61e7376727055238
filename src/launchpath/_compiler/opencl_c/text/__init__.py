"""The written text: takes types, constants and values, gives their spelling in OpenCL C.

`program` has what its functions share: `names`, `spelling`, `helpers`, `constants`. `statements` are its lines.
`writer`, in the folder above, puts all parts together; the driver's compiler takes the result.
"""
