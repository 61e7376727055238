"""The simulation of a region: its recorded calls and commands run again, with a mend as an edit.

Stretches of consecutive repetitions are taken out of the timeline (`planning`, `extracting`). Of each call its own
time and the host code before it stay; waits are taken out, and become what they waited for (`following`,
`own_times`). Of each command its time on the device stays, and what told when it began: its latency, or the gap
behind what came before it (`gaps`, `latencies`). A run has a clock for each host thread and each queue (`running`,
`turns`); nothing in it is drawn by chance. The unchanged program has to take as long as it was measured to. What an
edit saves is the difference of two runs, repetition by repetition (`simulation`).
"""
