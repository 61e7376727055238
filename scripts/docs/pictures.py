"""Pictures that follow the colours of the site: `heat.png` is shown on a light page, `heat-dark.png` on a dark one."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from docutils import nodes
from sphinx.application import Sphinx


def in_both_colours(app: Sphinx, tree: nodes.document) -> None:
    """Put the dark picture behind each picture that has one; the theme hides one of them."""
    folder = Path(app.env.doc2path(app.env.docname)).parent
    for image in list(tree.findall(nodes.image)):
        light = PurePosixPath(image["uri"])
        dark = light.with_stem(f"{light.stem}-dark").as_posix()
        if (folder / dark).exists():
            other = image.deepcopy()
            other["uri"] = dark
            image["classes"].append("only-light")
            other["classes"].append("only-dark")
            image.parent.insert(image.parent.index(image) + 1, other)


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the handler, before Sphinx's own, which collects the files of pictures."""
    app.connect("doctree-read", in_both_colours, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
