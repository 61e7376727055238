"""A long mixed run of everything, in one process, whose memory must stay flat: ``make soak MINUTES=10``.

`loads` has what runs, `figures` what is measured, `watch` decides whether it is flat.
"""
