"""The documentation is true: its Python runs, its commands exist, its links lead somewhere, its tables are fresh."""

import fnmatch
import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import click
import pytest

import launchpath as lp
from launchpath._cli import main
from launchpath._cli.words.raw import RawCommand
from launchpath._compiler import header_folders
from launchpath._compiler.clang import frontend
from launchpath._compiler.source.source import OF_HEADERS
from tests.pages.blocks import DOCUMENTS, GALLERY, KERNELS, PAGES, ROOT, blocks, having, program, run, text
from tests.patience import PATIENCE
from tests.simulated import Machine

# Pages whose Python blocks need no device: they have tests of their own below.
ON_NO_DEVICE = ("CONTRIBUTING.md", "docs/ordering.md")
# Pages whose first block can be saved and run alone.
WITH_AN_EXAMPLE = ("README.md", "docs/tour.md")
# What the blocks of a page print, among other lines.
PRINTED = {
    "README.md": "999.0",
    "docs/arguments.md": "expected an array on the device",
    "docs/compile.md": "[1.25 2.25 3.25]",
}
DEVICES = lp.devices()

pytestmark = pytest.mark.skipif(not (ROOT / "README.md").exists(), reason="not in a checkout")
on_each_device = pytest.mark.parametrize(
    "index", range(len(DEVICES)), ids=[device.info["platform"] for device in DEVICES]
)


@pytest.mark.processes
@pytest.mark.parametrize("name", WITH_AN_EXAMPLE)
@on_each_device
def test_the_example_runs_as_a_file(index: int, name: str, tmp_path: Path) -> None:
    assert run(blocks(name, "python")[0], str(index), tmp_path).split() == ["999.0"]


@pytest.mark.processes
@pytest.mark.parametrize("name", [name for name in having("python") if name not in (*ON_NO_DEVICE, *KERNELS)])
@on_each_device
def test_the_blocks_of_a_page_run_in_their_order(index: int, name: str, tmp_path: Path) -> None:
    out = run(program(name), str(index), tmp_path)
    assert PRINTED.get(name, "") in out
    if name == "docs/tour.md":
        assert DEVICES[index].name in out


@pytest.mark.parametrize("name", [name for name in having("py") if name not in GALLERY])
def test_the_blocks_for_other_machines_are_python(name: str) -> None:
    for block in blocks(name, "py"):
        compile(block, name, "exec")


def test_the_example_of_ordering() -> None:
    for block in blocks("docs/ordering.md", "python"):
        exec(compile(block, "docs/ordering.md", "exec"), {"__name__": "example"})


@pytest.mark.processes
def test_the_test_in_contributing(machine: Machine) -> None:
    names: dict[str, object] = {"__name__": "example"}
    for block in blocks("CONTRIBUTING.md", "python"):
        exec(compile(block, "CONTRIBUTING.md", "exec"), names)
    tests = [value for name, value in names.items() if name.startswith("test_")]
    assert len(tests) == 1
    tests[0](machine)  # type: ignore[operator]


def commands() -> list[str]:
    """Every command in a shell block, and every one that stands alone in backticks."""
    lines = []
    for name in DOCUMENTS:
        lines += [line.strip() for block in blocks(name, "sh") for line in block.splitlines() if line.strip()]
        lines += re.findall(r"`((?:make|launchpath|python -m|\.venv/bin/\w+) [^`]+)`", text(name))
    return list(dict.fromkeys(lines))


def test_the_commands_exist() -> None:
    targets = set(re.findall(r"^([a-z-]+):", text("Makefile"), re.MULTILINE))
    checked = set()
    for command in commands():
        inner = re.sub(r'^eval "\$\((.*)\)"$', r"\1", command).partition(" > ")[0]
        words = [word for word in shlex.split(inner) if not re.match(r"[A-Z_]+=", word)]
        program, *rest = words
        program = program.removeprefix(".venv/bin/")
        if program == "make":
            assert set(rest) <= targets, command
        elif program == "launchpath":
            named: click.Command | None = main
            options = rest[: rest.index("--")] if "--" in rest else list(rest)  # behind it is another program
            while isinstance(named, click.Group) and options:
                named = named.get_command(click.Context(named), options.pop(0))
            assert named, command
            if isinstance(named, RawCommand):
                continue  # its words are another program's, or a compiler's
            known = {name for parameter in named.params for name in parameter.opts}
            assert {word for word in options if word.startswith("--")} <= known, command
        elif program == "python" and rest[0] == "-m":
            modules = [folder / Path(*rest[1].split(".")) for folder in (ROOT, ROOT / "src")]
            exists = any(each.with_suffix(".py").exists() or (each / "__main__.py").exists() for each in modules)
            assert rest[1] in ("launchpath", "pytest") or exists, command
        elif program == "python":
            assert rest[0] == "example.py" or (ROOT / rest[0]).exists(), command
        elif program == "pip":
            extra = re.fullmatch(r"\.\[(\w+)\]", rest[1])
            assert rest[0] == "install" and extra is not None and len(rest) == 2, command
            assert re.search(rf"^{extra[1]} = ", text("pyproject.toml"), re.MULTILINE)
        elif program == "mpirun":
            assert "launchpath" in rest, command
        else:
            assert program == "apt", command
        checked.add(program)
    assert {"make", "launchpath", "python", "pip", "apt"} <= checked


def test_every_command_is_documented() -> None:
    groups = [("launchpath", main)]
    for path, group in groups:
        for name, command in group.commands.items():
            if isinstance(command, click.Group):
                groups.append((f"{path} {name}", command))
            else:
                assert f"`{path} {name}`" in text("docs/command-line.md")


def test_every_environment_variable_is_documented() -> None:
    used: set[str] = set()
    for file in [*(ROOT / "src").rglob("*.py"), *(ROOT / "src").rglob("*.pxi")]:
        used |= set(re.findall(r"""["'](LAUNCHPATH_[A-Z_]+)["']""", file.read_text(encoding="utf-8")))
    documented = set(re.findall(r"^\| `(LAUNCHPATH_[A-Z_]+)`", text("docs/environment.md"), re.MULTILINE))
    assert used - OF_HEADERS == documented
    assert all(name in text("docs/language.md") for name in OF_HEADERS if not name.startswith("_"))


def test_every_key_of_memory_info_is_documented(machine: Machine) -> None:
    table = text("docs/arrays.md").partition("`device.memory_info()` is a dict:")[2].partition("\n## ")[0]
    keys = re.findall(r"^\| (`.*`) \|", table, re.MULTILINE)
    assert {name for each in keys for name in re.findall(r"`(\w+)`", each)} == set(machine.device.memory_info())


def test_every_error_is_documented() -> None:
    errors = {
        name
        for name in lp.__all__
        if isinstance(getattr(lp, name), type) and issubclass(getattr(lp, name), lp.LaunchpathError)
    }
    assert errors <= set(re.findall(r"`(?:lp\.)?(\w+Error)`", text("docs/errors.md")))


def test_the_readme_is_short_and_leads_to_every_page() -> None:
    assert len(text("README.md").splitlines()) <= 150
    for name in PAGES:
        if name.count("/") == 1:  # pages in folders are listed by the site
            assert f"({name})" in text("README.md"), name


def test_continuous_integration_runs_the_test_command_of_the_readme() -> None:
    assert "make test" in [line.strip() for block in blocks("README.md", "sh") for line in block.splitlines()]
    assert re.search(r"^(?:[A-Z_]+=\S+ )*make test$", text(".ci/run"), re.MULTILINE)


def anchors(name: str) -> set[str]:
    """What a link may name behind a `#`: the headings, as hosts of Markdown write them."""
    prose = re.sub(r"^```.*?^```$", "", text(name), flags=re.DOTALL | re.MULTILINE)
    headings = [heading.lower() for heading in re.findall(r"^#+ (.*)$", prose, re.MULTILINE)]
    return {re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_links_and_files_exist(name: str) -> None:
    prose = re.sub(r"^```.*?^```$|`[^`\n]*`", "", text(name), flags=re.DOTALL | re.MULTILINE)
    for target, anchor in re.findall(r"\]\(([^)#:]*)(?:#([^)]*))?\)", prose):
        file = (ROOT / name).parent.joinpath(target).resolve() if target else ROOT / name
        assert file.exists(), target
        if anchor:
            assert anchor in anchors(str(file.relative_to(ROOT))), f"{target}#{anchor}"
    for path in re.findall(r"`((?:src|tests|docs|benchmarks)/[\w./-]+)`", text(name)):
        assert (ROOT / path).exists(), path


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/internals.md"])
def test_files_and_folders_named_in_the_architecture_exist(page: str) -> None:
    here = ROOT / "src" / "launchpath"
    files = {f"/{path.relative_to(ROOT).as_posix()}" for path in here.rglob("*")}
    for path in re.findall(r"`((?:\w+/)*\w+\.(?:pxi|pyx|py)|_\w+(?:/\w+)+)`", text(page)):
        assert (ROOT / path).exists() or any(file.endswith(f"/{path}") for file in files), path


@pytest.mark.processes
@pytest.mark.parametrize("name", ["benchmarks/figures.py", "benchmarks/chart.py", "benchmarks/measured.py"])
def test_the_figures_are_those_of_the_results(name: str) -> None:
    done = subprocess.run([sys.executable, str(ROOT / name), "--check"], timeout=PATIENCE, check=False)
    assert done.returncode == 0, f"run {name}"


def test_the_drawing_loads_nothing_and_has_its_own_background() -> None:
    drawing = ElementTree.fromstring(text("docs/launch.svg"))
    inside = [element.tag.rpartition("}")[2] for element in drawing.iter()]
    assert set(inside) == {"svg", "title", "desc", "style", "rect", "text"}
    assert "prefers-color-scheme: dark" in text("docs/launch.svg")
    background = next(element for element in drawing if element.tag.endswith("rect"))
    assert background.get("class") == "page edge"


def test_the_headers_that_are_listed_are_those_that_are_served() -> None:
    section = text("docs/language.md").partition("## Headers")[2].partition("\n## ")[0]
    patterns = {name for name in re.findall(r"`([^`]+)`", re.sub(r"\([^)]*\)", "", section)) if name != "-I"}
    served = {
        str(file.relative_to(folder))
        for folder in (*frontend.HEADERS, *header_folders.ABSENT)
        for file in Path(folder).rglob("*")
        if file.is_file()
    }
    ours = re.compile(
        r"launchpath/|__|(?:complex|optional|stdbool\.h|stdexcept|string|typeinfo)$"
    )  # and what libc++ has as well
    assert not [name for name in patterns if not any(fnmatch.fnmatchcase(header, name) for header in served)]
    assert not [
        header
        for header in served
        if not ours.match(header) and not any(fnmatch.fnmatchcase(header, p) for p in patterns)
    ]
