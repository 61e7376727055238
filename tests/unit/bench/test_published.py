"""``benchmarks.published``: how many programs of a folder compile."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

import launchpath as lp
from benchmarks.published import Published, percentile, read_list
from tests.shipped import ROOT

KERNEL = "#ifdef N\n__global__ void k(int *x) { x[0] = N; }\n#endif\nint main() { k<<<1, 1>>>(nullptr); }\n"


def test_lists(tmp_path: Path) -> None:
    (tmp_path / "b.hip").write_text(KERNEL)
    (tmp_path / "a.cu").write_text(KERNEL)
    assert [source.file for source in read_list(tmp_path)] == ["a.cu", "b.hip"]
    (tmp_path / "programs.txt").write_text("b.hip -DN=2 '-Ione two' # a suite, 1.0\n\n")
    assert read_list(tmp_path) == [Published("b.hip", ("-DN=2", "-Ione two"), "a suite, 1.0")]
    with pytest.raises(FileNotFoundError):  # all files of the folder would be another measurement
        read_list(tmp_path, tmp_path / "other.txt")


def test_percentiles() -> None:
    values = [3.0, 1.0, 2.0, 4.0, 10.0, 5.0, 6.0, 7.0, 8.0, 9.0]
    assert (percentile(values, 0.5), percentile(values, 0.9), percentile([], 0.5)) == (5.0, 9.0, 0.0)


@pytest.mark.processes
@pytest.mark.skipif(not lp.devices(), reason="no device")
def test_programs_are_compiled_as_they_are_and_failures_are_reported(tmp_path: Path) -> None:
    (tmp_path / "p.cu").write_text(KERNEL)
    (tmp_path / "programs.txt").write_text("p.cu -DN=2\np.cu\n")
    command = [sys.executable, "-m", "benchmarks.published", str(tmp_path), "--device", "0", "--least", "60"]
    done = subprocess.run(
        [*command, "--json", str(tmp_path / "out.json")], cwd=ROOT, capture_output=True, text=True, check=False
    )
    result = json.loads((tmp_path / "out.json").read_text())
    good, bad = result["outcomes"]
    assert (done.returncode, result["programs"], result["compiled"]) == (1, 2, 1), done.stderr
    assert (good["compiled"], good["kernels"], good["message"]) == (True, 1, "")
    assert not bad["compiled"] and "use of undeclared identifier 'k'" in bad["message"]
    assert good["processor_s"] > 0 and "parser" in good["stages"]
    assert "1 of 2 programs compile on 0, 1 kernels" in done.stdout
