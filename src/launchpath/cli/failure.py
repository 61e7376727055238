"""Failing from a command: a message on standard error, and the exit code."""

from __future__ import annotations

import click


class Failure(click.ClickException):
    """A run, its verification or a required figure failed."""

    exit_code = 1


class NoDevice(click.ClickException):
    """There is no device, or none such."""

    exit_code = 3
