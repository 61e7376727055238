"""Sphinx's settings for the site; `scripts/docs/__main__.py` runs it."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

import launchpath

project = "launchpath"
version = release = launchpath.__version__
html_title = f"launchpath {version}"
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "scripts.docs.entries",
    "scripts.docs.figure",
    "scripts.docs.pictures",
]
language = "en"
highlight_language = "none"
default_role = "py:obj"

myst_heading_anchors = 4
myst_fence_as_directive = ["svgbob"]

# Code is copied without the prompts of Python and of a shell, and without what was printed.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

autodoc_class_signature = "mixed"
autodoc_typehints = "signature"
napoleon_google_docstring = False
napoleon_use_rtype = False
python_maximum_signature_line_length = 88
add_module_names = False
toc_object_entries_show_parents = "hide"

html_theme = "furo"
templates_path = ["templates"]
_sidebar = ["brand", "search", "scroll-start", "navigation", "scroll-end", "variant-selector"]
html_sidebars = {"**": [*(f"sidebar/{part}.html" for part in _sidebar), "repository.html"]}
html_static_path = ["static"]
html_css_files = ["site.css"]
html_copy_source = False
html_show_search_summary = False  # it is fetched, which a browser refuses for pages that are files
html_show_sphinx = False
html_show_copyright = False
pygments_style = "tango"
pygments_dark_style = "github-dark"
