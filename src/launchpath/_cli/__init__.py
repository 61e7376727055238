"""The command line: ``launchpath devices``, ``compile``, ``info``, ``demo``, ``bench``, ``cache`` and ``report``.

Exit codes: 0 all is well; 1 a run, its verification or a required figure failed; 2 the command was misused; 3 there is
no device, or none such.
"""

from __future__ import annotations

from typing import Any

import click

from launchpath import __version__
from launchpath._cli.bench import bench
from launchpath._cli.cache import cache
from launchpath._cli.compile import compile
from launchpath._cli.demo import demo
from launchpath._cli.devices import devices
from launchpath._cli.failure import in_words
from launchpath._cli.info import info
from launchpath._cli.report import report
from launchpath._cli.trace import trace

__all__ = ["main"]


class Commands(click.Group):
    """A group that prints errors of its commands without a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with in_words():
            return super().invoke(ctx)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="launchpath")
def main() -> None:
    """Launch HIP and CUDA kernels from Python at the driver's own cost."""


main.add_command(devices)
main.add_command(demo)
main.add_command(bench)
main.add_command(cache)
main.add_command(compile)
main.add_command(info)
main.add_command(report)
main.add_command(trace)
