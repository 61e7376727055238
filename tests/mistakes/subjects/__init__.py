"""The mistakes, a file for each subject."""
