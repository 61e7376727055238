"""Whole applications with two faults each, at the lines `# fault: KIND`."""
