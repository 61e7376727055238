"""Calls that the tests of all programs of the gallery share."""

from PIL import Image

import launchpath as lp


def picture_of(program, monkeypatch, capsys, device, folder, *options):
    """Run a program of the gallery with some options: the size of the picture that it writes, and what it prints."""
    file = folder / "picture.png"
    words = ("--device", str(lp.devices().index(device)), "--output", str(file))
    monkeypatch.setattr("sys.argv", [f"{program.__name__}.py", *words, *map(str, options)])
    program.main()
    with Image.open(file) as picture:
        assert len(picture.getcolors(256)) > 8  # it is not empty
        return picture.size, capsys.readouterr().out
