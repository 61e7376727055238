"""Failures of a command: a message on standard error, and the exit code."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import IO, Any

import click

from launchpath._report.console import console
from launchpath.errors import LaunchpathError, NoDeviceError


class _Told(click.ClickException):
    """An error whose message fits the terminal. One of several lines has code and marks in them, and stays as it is."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Write it."""
        text = f"Error: {self.format_message()}"
        where = console(stderr=True)
        where.print(text, as_it_is="\n" in text) if file is None else click.echo(text, file=file)


class Failure(_Told):
    """A run, its verification or a required figure failed."""

    exit_code = 1


class NoDevice(_Told):
    """There is no device, or none such."""

    exit_code = 3


@contextmanager
def in_words() -> Iterator[None]:
    """Make launchpath's errors failures of the command: told without a traceback."""
    try:
        yield
    except NoDeviceError as error:
        raise NoDevice(str(error)) from None
    except LaunchpathError as error:
        raise Failure(f"{type(error).__name__}: {error}") from None
    except ImportError as error:
        if "pip install" not in str(error):
            raise
        raise Failure(str(error)) from None  # it names the package that is missing


_OF_WRITING = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EPIPE)


@contextmanager
def output_written() -> Iterator[None]:
    """Write all of the standard output. Exit with 1 if that fails: in silence if the reader has ended (``| head``)."""
    try:
        try:
            yield
        finally:
            sys.stdout.flush()  # the interpreter would write it at its end, and tell of a failure in words of its own
    except OSError as error:
        if error.errno not in _OF_WRITING or error.filename is not None:  # of something else
            raise
        with suppress(OSError, ValueError):  # what is left would be written again at the end
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if error.errno != errno.EPIPE:
            with suppress(OSError):
                sys.stderr.write(f"Error: cannot write to the standard output: {error.strerror}\n")
        sys.exit(1)
