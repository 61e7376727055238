"""The programs of the gallery, imported as they import each other: by their names alone."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[2] / "examples" / "gallery"))
