"""The simulation: threads and queues on the recorded order, with mends as edits."""
