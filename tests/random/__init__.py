"""Random programs over streams, events, memory and launches, whose arrays are compared with a sequential run.

A program has a part for each of its threads. A part is a list of steps, drawn from a seed: its own arrays are used on any of
its streams, and wherever the rules of streams and events do not order two uses, a step that does stands between them. So
its values do not depend on the schedule, and a run with NumPy, step by step, gives them.

`kernels` has the device code, `step` a step, `order` the rules, `memory` which commands use an array, `draft`,
`launching`, `moving`, `lifetimes`, `stepping`, `graphing` and `generator` draw steps, `values` runs them with NumPy,
`machine`, `launches` and `graphs` on devices, `program` puts parts together, `runner` runs programs, `worker` and
`processes` do that in processes of their own, `report` counts.

Only NumPy, launchpath and the standard library are imported, so that it runs where nothing else is installed.
"""
