"""The words of a command line: quotes, files of options, lists of values."""

import pytest

from launchpath._host.compiler.words import UsageError, expanded, listed, split


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", []),
        ("-a  -b\n\t-c", ["-a", "-b", "-c"]),
        ("'a b' \"c d\"", ["a b", "c d"]),
        ("-DX='a b'c", ["-DX=a bc"]),
        (r"a\ b \"", ["a b", '"']),
        ("''", [""]),
        (r"""'\' "\"" """, ["\\", '"']),
    ],
)
def test_split(text, words):
    assert split(text) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("-fPIC", ["-fPIC"]),
        ("-fPIC,-Wall", ["-fPIC", "-Wall"]),
        ("-fPIC -Wall", ["-fPIC", "-Wall"]),
        ("'-DX=a b'", ["-DX=a b"]),
        ("-DF(a,b)=a,-O2", ["-DF(a,b)=a", "-O2"]),
        (",", []),
    ],
)
def test_lists(value, words):
    assert listed(value) == words


def test_files_of_options(tmp_path):
    (tmp_path / "inner").write_text("-O2 'x y'")
    (tmp_path / "outer").write_text(f"-c @{tmp_path}/inner")
    assert list(expanded(["a", f"@{tmp_path}/outer", "@none"])) == ["a", "-c", "-O2", "x y", "@none"]


def test_files_of_options_that_do_not_end(tmp_path):
    (tmp_path / "self").write_text(f"@{tmp_path}/self")
    with pytest.raises(UsageError, match="expected files of options that end"):
        list(expanded([f"@{tmp_path}/self"]))
