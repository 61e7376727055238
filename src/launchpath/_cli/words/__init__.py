"""The words of a command line: options that several commands have, and what their values mean."""
