"""Names of trace files: patterns for programs of several processes."""

from __future__ import annotations

import os
import re
import socket
import tempfile
from collections.abc import Mapping

from launchpath._shown import shown
from launchpath.errors import ArgumentValueError

# What starters of parallel programs tell a process of its place. torchrun comes first: mpirun or srun may have started
# it, once on each host. srun comes last but for names that could be anyone's: a batch script has its variable, too.
_TORCH = ("RANK", "WORLD_SIZE")
_RANKS = (
    "OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "MV2_COMM_WORLD_RANK", "PALS_RANKID", "JSM_NAMESPACE_RANK",
    "FLUX_TASK_RANK", "SLURM_PROCID", "RANK", "MPI_RANK",
)  # fmt: skip
_PATTERN = re.compile(r"%(pid|rank|hostname|env\{([^}]*)\}|.?)%?")


def rank(environment: Mapping[str, str] = os.environ) -> int | None:
    """Return the rank of this process, as the program that starts parallel ones tells it; None: it does not."""
    torch = _TORCH[:1] if all(environment.get(name, "").isdecimal() for name in _TORCH) else ()
    for name in (*torch, *_RANKS):
        text = environment.get(name, "")
        if text.isdecimal():
            return int(text)
    return None


def clock_of(folder: str) -> int:
    """Return what a folder's file system takes for the time now, in nanoseconds since 1970.

    That may be up to a second behind the system's clock, and a server's clock. No file that is written later is older.
    """
    with tempfile.TemporaryFile(dir=folder) as file:
        file.write(b"now")
        file.flush()
        return os.fstat(file.fileno()).st_mtime_ns


def expanded(pattern: str, environment: Mapping[str, str] = os.environ) -> str:
    """Replace ``%pid%``, ``%rank%``, ``%hostname%``, ``%env{NAME}%`` and ``%%`` (a percent sign) in a file's name.

    Raises
    ------
    ArgumentValueError
        It has another ``%``, or a variable that is not set.
    """

    def value(match: re.Match[str]) -> str:
        text = match[0]
        if text == "%%":
            return "%"
        if text == "%pid%":
            return str(os.getpid())
        if text == "%hostname%":
            return socket.gethostname()
        if text == "%rank%":
            number = rank(environment)
            return "0" if number is None else str(number)
        if match[2] and text.endswith("}%"):
            if match[2] not in environment:
                raise ArgumentValueError(
                    f"{shown(pattern)} names the environment variable {match[2]}, which is not set"
                )
            return environment[match[2]]
        raise ArgumentValueError(
            f"expected %pid%, %rank%, %hostname%, %env{{NAME}}% or %% in the name of a trace, got {shown(pattern)}"
        )

    return _PATTERN.sub(value, pattern)
