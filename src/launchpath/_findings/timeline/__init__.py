"""A timeline: the records of a process as columns, in the order of time."""
