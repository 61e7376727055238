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

# Roles of calls, as `timeline.roles.Role` names them, "kernel" of a stream, and causes of idle time.
_ROLES = {
    KERNEL: ("kernel",),
    LAUNCH: ("launch", "graph", "deferred", "record", "order", "flush", "launching", "launch latency"),
    COPY: ("copy", "upload", "fill"),
    WAIT: ("synchronize", "query", "lock", "GIL", "thread not running", "other stream"),
    MEMORY: ("allocate", "free", "load", "allocation", "load and compile"),
    HOST: ("host code",),
}
_BY_ROLE = {role: group for group, roles in _ROLES.items() for role in roles}


def group_of(role: str) -> Group:
    """Give the group of a role, a cause of idle time among them; `OTHER` if it is not known."""
    return _BY_ROLE.get(role, OTHER)
