"""The command `launchpath`, within the tests' process."""

from typing import Any

from click.testing import CliRunner, Result

from launchpath._cli import main


def run(*words: object, **options: Any) -> Result:
    """Run it, and give what came of it."""
    return CliRunner().invoke(main, [str(word) for word in words], **options)


def succeeded(*words: object, **options: Any) -> Result:
    """The same for a command that must succeed."""
    done = run(*words, **options)
    assert done.exit_code == 0, done.output
    return done
