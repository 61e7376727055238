"""The groups of a timeline's roles: each is drawn in a way of its own, by its pattern and by its colour."""

from __future__ import annotations

from typing import NamedTuple


class Group(NamedTuple):
    """How roles of one group are drawn, and what the legend calls them."""

    name: str
    text: str
    is_solid: bool


KERNEL = Group("kernel", "kernels", True)
LAUNCH = Group("launch", "launches and other submissions", True)
COPY = Group("copy", "copies, uploads and fills", False)
WAIT = Group("wait", "waits: for the device, a lock, the GIL, a processor", False)
MEMORY = Group("memory", "allocations, compiling and loading", False)
HOST = Group("host", "host code", False)
OTHER = Group("other", "several kinds, or others", False)
GROUPS = (KERNEL, LAUNCH, COPY, WAIT, MEMORY, HOST, OTHER)

_ROLES = {
    KERNEL: ("kernel", "work", "graph"),
    LAUNCH: ("launch", "launching", "submission", "submit", "graph launch", "launch latency", "record", "marker"),
    COPY: ("copy", "upload", "download", "fill", "read", "write"),
    WAIT: ("synchronize", "wait", "query", "lock", "GIL", "thread not running", "other stream", "idle"),
    MEMORY: ("allocation", "allocate", "free", "compile", "load", "load and compile"),
    HOST: ("host code", "host", "python"),
}
_BY_ROLE = {role.casefold(): group for group, roles in _ROLES.items() for role in roles}


def group_of(role: str) -> Group:
    """Give the group of a role, a cause of idle time among them; `OTHER` if it is not known."""
    return _BY_ROLE.get(role.casefold(), OTHER)
