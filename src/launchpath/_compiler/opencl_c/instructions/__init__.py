"""Instructions: takes those of a function's blocks, one kind in each file, gives expressions and statements.

Every writer shares `function`, in the folder above, which has the function's state and its ids.
`writer` calls each for its opcodes, and `control` puts their statements into braces.
"""
