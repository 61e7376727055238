"""The command line."""

from tests.mistakes.mistake import Command

MISTAKES = [
    Command("compil kernel.cu", "compil", "launchpath", "compile"),
    Command("compile nofile.cu", "nofile.cu", "cannot read", "No such file"),
    Command("report nofile.lptrace", "nofile.lptrace", "launchpath report", "there is no such file"),
    Command("devices --josn", "--josn", "launchpath devices", "--json"),
    Command("bench nosuch", "nosuch", "launchpath bench", "launch"),
    Command("trace", "Missing", "launchpath trace", "--help"),
    Command("run nofile.py", "got nofile.py", "expected a source", "run it by `python nofile.py`"),
]
