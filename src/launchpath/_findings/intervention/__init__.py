"""Interventions: what a program does with delays, as its trace has it, and what follows from that.

`delays` is the text that says what is delayed, `blocks` what a trace has of it, `slopes` the statistics, `plan` which
delays to take and for how long.
"""
