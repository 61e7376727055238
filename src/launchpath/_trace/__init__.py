"""Files of traces: their format, reading, summaries, and other formats."""
