"""The text for NVRTC and hipRTC: takes device code as it was taken out of a source, gives a program for them.

`prelude` comes before it, `tail` after it; the other files change or check what is between, `messages` reads the log.
`build`, in the folder above, puts the parts together, and gives them to `library`.
"""
