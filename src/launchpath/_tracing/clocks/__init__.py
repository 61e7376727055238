"""Measuring the clock of a host against a reference: what runs beside a program that is traced.

`server.py` answers for the reference, `reference.py` asks it by TCP, and `mpi.py` does both between MPI's ranks.
`slewing.py` watches what time daemons do to a clock, `statements.py` asks these daemons, and `watch.py` measures at the
begin and the end of a trace and every minute. What follows from the answers is in `launchpath._trace.hosts`.
"""
