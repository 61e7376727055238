"""``python -m launchpath``: the command line."""

from launchpath._cli import main

if __name__ == "__main__":
    main(prog_name="python -m launchpath")
