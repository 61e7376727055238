"""Pictures of the pages of findings, for people: ``python -m tests.findings.pictures FOLDER``."""

import sys
from pathlib import Path

from tests.browser import browser
from tests.findings import reports


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    with browser() as window:
        for name, make in reports.ALL.items():
            make().write_html(folder / f"{name}.html")
            for width, height in ((360, 740), (1200, 900)):
                for scheme in ("light", "dark"):
                    window.open(folder / f"{name}.html", width, height, scheme)
                    window.picture(folder / f"{name}-{width}-{scheme}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]).absolute())
