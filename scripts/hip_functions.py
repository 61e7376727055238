"""Write ``docs/hip-functions.md``: the functions of HIP that `launchpath.hip` has, and those that it does not have.

``make hip-functions`` runs this; a test compares the file with what it would write::

    python scripts/hip_functions.py
"""

from __future__ import annotations

from pathlib import Path

from launchpath import hip, hiprtc

FILE = Path(__file__).parents[1] / "docs" / "hip-functions.md"


def text() -> str:
    """Return the file's content."""
    lines = [
        "# Functions of HIP",
        "",
        f"[`launchpath.hip`](hip.md) has {len(hip.SUPPORTED)} functions of HIP's runtime and module API, and",
        f"`launchpath.hiprtc` {len(hiprtc.FUNCTIONS)} of hipRTC.",
        f"The other {len(hip.UNSUPPORTED)} functions of the runtime raise NotImplementedError.",
    ]
    for title, names in (
        ("Supported", hip.SUPPORTED),
        ("Supported, of hipRTC", hiprtc.FUNCTIONS),
        ("Not supported", hip.UNSUPPORTED),
    ):
        lines += ["", f"## {title}", "", *(f"- `{name}`" for name in sorted(names))]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
