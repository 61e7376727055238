"""Failures of a command: a message on standard error, and the exit code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import click

from launchpath.errors import LaunchpathError, NoDeviceError


class Failure(click.ClickException):
    """A run, its verification or a required figure failed."""

    exit_code = 1


class NoDevice(click.ClickException):
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
