"""The pages of docs/coming-from: each pair of snippets runs, and both give the same numbers."""
