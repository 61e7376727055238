"""Results of runs compared: exit codes, standard output, and what was read from devices."""

from __future__ import annotations

from dataclasses import dataclass

from launchpath._proof.run import Run

_CODE, _OUTPUT = "the exit code", "the standard output"


@dataclass(frozen=True)
class Comparison:
    """What was compared between a run with a mend and two runs without.

    Attributes
    ----------
    different : tuple of str
        What is not the same with the mend, each as a phrase.
    unsteady : tuple of str
        What differs between the two runs without it already: nothing can be told of it.
    same : tuple of str
        What is the same in all three.
    """

    different: tuple[str, ...]
    unsteady: tuple[str, ...]
    same: tuple[str, ...]

    @property
    def tells(self) -> bool:
        """Whether results were compared at all: an exit code alone is none, where the rest is unsteady."""
        return not self.unsteady or any(part != _CODE for part in self.same)

    def __str__(self) -> str:
        if self.different:
            return "with the mend the program gives other results: " + "; ".join(self.different)
        if not self.tells:
            return "results cannot be compared: two runs without the mend differ too"
        text = f"results are the same: {', '.join(self.same)}"
        if self.unsteady:
            text += f" (not compared, since two runs without the mend differ: {', '.join(self.unsteady)})"
        return text


def compare(mended: Run, before: Run, after: Run) -> Comparison:
    """Compare a run with a mend with two runs without."""
    different: list[str] = []
    unsteady: list[str] = []
    same: list[str] = []

    def part(name: str, values: tuple[object, object, object], phrase: str) -> None:
        if values[1] != values[2]:
            unsteady.append(name)
        elif values[0] != values[1]:
            different.append(phrase)
        else:
            same.append(name)

    part(
        _CODE, (mended.code, before.code, after.code), f"exit code {mended.code}, expected {before.code}{_end(mended)}"
    )
    if before.output != after.output:
        _compare_lines(mended, before, after, different, unsteady, same)
    else:
        part(_OUTPUT, (mended.output, before.output, after.output), _output_phrase(mended.output, before.output))
    _compare_read_backs(mended, before, after, different, unsteady, same)
    return Comparison(tuple(different), tuple(unsteady), tuple(same))


def _end(run: Run) -> str:
    last = run.errors.strip().rpartition("\n")[2]
    return f" ({last})" if run.code and last else ""


def _output_phrase(got: bytes, expected: bytes) -> str:
    rows, wanted = got.splitlines(), expected.splitlines()
    for i, (row, want) in enumerate(zip(rows, wanted, strict=False)):
        if row != want:
            return f"line {i + 1} of the standard output is {_shown(row)}, expected {_shown(want)}"
    return f"the standard output has {len(rows)} lines and {len(got)} bytes, expected {len(wanted)} and {len(expected)}"


def _shown(line: bytes) -> str:
    text = line.decode(errors="replace")
    return repr(text if len(text) <= 60 else text[:57] + "...")


def _compare_lines(
    mended: Run, before: Run, after: Run, different: list[str], unsteady: list[str], same: list[str]
) -> None:
    """Compare the lines of the standard output that are the same in both runs without the mend: others have times."""
    rows, first, second = (run.output.splitlines() for run in (mended, before, after))
    if len(first) != len(second):
        unsteady.append(_OUTPUT)
        return
    steady = [i for i, (row, again) in enumerate(zip(first, second, strict=True)) if row == again]
    if len(rows) != len(first):
        different.append(f"the standard output has {len(rows)} lines, expected {len(first)}")
        return
    for i in steady:
        if rows[i] != first[i]:
            different.append(f"line {i + 1} of the standard output is {_shown(rows[i])}, expected {_shown(first[i])}")
            return
    unsteady.append(f"{len(first) - len(steady)} lines of the standard output")
    if steady:
        same.append(f"{len(steady)} lines of the standard output")


def _compare_read_backs(
    mended: Run, before: Run, after: Run, different: list[str], unsteady: list[str], same: list[str]
) -> None:
    got, expected, again = mended.read_backs(), before.read_backs(), after.read_backs()
    count = 0
    for site in sorted({*got, *expected, *again}):
        name = f"what is read at {site}"
        if expected.get(site) != again.get(site):
            unsteady.append(name)
        elif got.get(site) != expected.get(site):
            different.append(f"{name} is not the same{_counts(got.get(site), expected.get(site))}")
        else:
            count += sum(read[0] for read in expected[site])
    if count:
        same.append(f"{count} read-backs" if count > 1 else "1 read-back")


def _counts(got: tuple[tuple[int, int, str], ...] | None, expected: tuple[tuple[int, int, str], ...] | None) -> str:
    reads, wanted = (sum(read[0] for read in reads or ()) for reads in (got, expected))
    return f" ({reads} reads, expected {wanted})" if reads != wanted else ""
