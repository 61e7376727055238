"""``python -m launchpath``: the command line."""

from launchpath._cli import main

main(prog_name="python -m launchpath")
