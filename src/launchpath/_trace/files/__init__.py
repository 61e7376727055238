"""What a trace file holds, read and checked."""
