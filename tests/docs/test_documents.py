"""Documents: every link, path, name, option and output is so, and every block of code runs."""

import argparse
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

from pbcnf import FORMATS, language
from pbcnf.language import Builder, IntegerVariable, Operand, Proposition
from satsweeper.cli.main import COMMANDS, module_of
from satsweeper.cli.options import add_options
from satsweeper.notation.formats import FORMATS as BOARDS
from satsweeper.play.game import Game
from satsweeper.play.record import write_game
from satsweeper.version import __version__
from tests.commands import ROOT, environment

README = ROOT / "README.md"
DOCUMENTS = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *(ROOT / name for name in ("encodings/README.md", "examples/README.md")),
    *sorted((ROOT / "docs").rglob("*.md")),
]


def named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


every_document = pytest.mark.parametrize("document", DOCUMENTS, ids=named)
PACKAGES = {"satsweeper": ROOT / "satsweeper", "encodings/pbcnf": ROOT / "encodings/pbcnf"}


@cache
def blocks(document: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", document.read_text("utf-8"), re.M | re.S)


@cache
def prose(document: Path) -> str:
    """The text without blocks of code, and without what only the built manual has."""
    text = document.read_text("utf-8")
    return re.sub(r"^```.*?^```$|<!-- built: .*? -->", "", text, flags=re.M | re.S)


def code_words(document: Path) -> Iterator[str]:
    """The words that stand in the text as code."""
    for span in re.findall(r"`([^`\n]+)`", prose(document)):
        yield from span.split()


def anchors(document: Path) -> set[str]:
    """Where links may point to: headings in lower case, blanks as hyphens, signs left out."""
    headings = re.findall(r"^#+ +(.+)$", prose(document), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@cache
def parser_of(command: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(exit_on_error=False)
    add_options(parser, module_of(command).OPTIONS)
    return parser


@cache
def options() -> set[str]:
    """All that any command takes, and what the scripts name."""
    known = {"--help", "--version"}
    for command in COMMANDS:
        known |= parser_of(command)._option_string_actions.keys()
    for script in (ROOT / "scripts").rglob("*"):
        if script.is_file() and script.suffix in {".py", ".sh", ""}:
            known |= set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", script.read_text("utf-8")))
    return known


class Command(NamedTuple):
    line: str
    printed: str | None  # None where the console shows no output


def shown_commands(document: Path) -> Iterator[Command]:
    for block in blocks(document, "console"):
        if not block.startswith("$ "):
            yield from (Command(line, None) for line in block.splitlines() if line)
            continue
        for shown in re.split(r"^\$ ", block, flags=re.M)[1:]:
            line, _, printed = shown.partition("\n")
            yield Command(line, printed)


def commands(document: Path) -> Iterator[list[str]]:
    """The commands in blocks that a console shows, as words, those of a pipe one by one."""
    for line, _ in shown_commands(document):
        for part in line.split(" | "):
            yield shlex.split(part.partition(" > ")[0], comments=True)


def test_the_readme_is_one_page_and_the_readers_of_documents_see_what_is_there():
    assert len(README.read_text("utf-8").splitlines()) <= 130
    assert ["scripts/run", "classify", "examples/expert.txt"] in list(commands(README))
    assert "how-do-we-know-it-is-correct" in anchors(README)
    assert "satsweeper/engines/table.py" in set(code_words(ROOT / "docs/add_an_engine.md"))
    assert {"--encoding", "--slow", "--count"} <= options()


@every_document
def test_links_point_to_what_exists(document):
    dead = []
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(document)):
        path, _, anchor = target.partition("#")
        there = (document.parent / path).resolve() if path else document
        met = there.exists() and (not anchor or anchor in anchors(there))
        if not met and not re.match(r"[a-z]+:", target):
            dead.append(target)
    assert dead == []


@every_document
def test_paths_in_the_text_exist(document):
    folders = "satsweeper|encodings|pbcnf|tests|scripts|docs|examples"
    words = [word for word in code_words(document) if re.fullmatch(rf"(?:{folders})/.*", word)]
    # Of satsweeper/engines/NAME.py the folder must exist.
    paths = {word: re.sub(r"[^/]*\bNAME\b.*", "", word) for word in words}
    homes = (ROOT, ROOT / "encodings")
    assert [w for w, path in paths.items() if not any((h / path).exists() for h in homes)] == []


@every_document
def test_modules_and_names_in_the_text_can_be_imported(document):
    for word in code_words(document):
        if not re.fullmatch(r"(?:satsweeper|pbcnf)(?:\.\w+)+(?:\(.*\))?", word):
            continue
        parts = word.partition("(")[0].split(".")
        found = import_module(parts[0])
        for position, part in enumerate(parts[1:], start=1):
            if not hasattr(found, part):
                import_module(".".join(parts[: position + 1]))
            found = getattr(found, part)


def test_names_in_the_walk_through_the_code_stand_in_the_file_named_last():
    wrong, path, source = [], "", ""
    for word in re.findall(r"`([^`\n]+)`", prose(ROOT / "docs/reading.md")):
        if re.fullmatch(r"\w+/[\w/]+\.py", word):
            path, source = word, (ROOT / word).read_text("utf-8")
        elif word.isidentifier() and not re.search(rf"\b{word}\b", source):
            wrong.append(f"{word} is not in {path}")
    assert wrong == []


@every_document
def test_options_in_the_text_exist(document):
    named = [re.split(r"[=,.]", word)[0] for word in code_words(document) if word.startswith("--")]
    assert [option for option in named if option not in options()] == []


@every_document
def test_commands_on_a_console_are_taken(document):
    for words in commands(document):
        name, *arguments = words
        if name == "scripts/run":
            name = "satsweeper"
        if name == "satsweeper":
            command, *rest = arguments
            parser_of(command).parse_args(rest)
        elif name == "python":
            assert (ROOT / arguments[0]).is_file()
            assert {word for word in arguments if word.startswith("--")} <= options()
        elif name.startswith("scripts/"):
            assert (ROOT / name).is_file()


def test_every_command_has_one_line_in_the_readme_and_its_options_are_its_own():
    row = r"^\| (?:[123]|all) \| `satsweeper (\w+)([^`]*)` \| (.*) \|$"
    rows = re.findall(row, README.read_text("utf-8"), re.M)
    assert sorted(command for command, _, _ in rows) == sorted(COMMANDS)
    for command, usage, what in rows:
        options = re.findall(r"(?<![\w-])--?[a-z][a-z-]*", f"{usage} {what.replace('`', ' ')}")
        assert {*options} <= parser_of(command)._option_string_actions.keys()


@pytest.mark.parametrize("package", PACKAGES)
def test_the_map_of_the_folders_is_whole(package):
    design = (ROOT / "docs/design.md").read_text("utf-8").partition("## The folders")[2]
    table = design.partition(f"`{package}`")[2].partition("| --- | --- |\n")[2].partition("\n\n")[0]
    cells = " ".join(row.split("|")[1] for row in table.splitlines())
    mapped = {name.rstrip("/") for name in re.findall(r"`([^`]+)`", cells)}
    there = {
        path.name
        for path in PACKAGES[package].iterdir()
        if (path.is_dir() and path.name != "__pycache__")
        or (path.suffix == ".py" and not path.name.startswith("__"))
    }
    assert mapped == there - {"version.py"}


def test_every_page_of_the_docs_is_in_their_index():
    index = (ROOT / "docs/README.md").read_text("utf-8")
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages <= set(re.findall(r"\]\(([\w.]+)\)", index))


def rows(heading: str) -> dict[str, str]:
    """The table below a heading of the page of formats: name -> its other cells."""
    text = (ROOT / "docs/formats.md").read_text("utf-8").partition(f"## {heading}\n")[2]
    found = re.findall(r"^\| `([^`]+)` \| (.*) \|$", text.partition("\n## ")[0], re.M)
    return dict(found)


def test_the_page_of_formats_has_every_format_and_what_it_holds():
    words = {"view": "what is seen", "total": "the total", "layout": "the layout", "notes": "notes"}
    boards = rows("Boards")
    assert boards.keys() == BOARDS.keys()
    for name, board in BOARDS.items():
        assert set(boards[name].rpartition("| ")[2].split(", ")) == {words[p] for p in board.holds}
    problems = rows("Problems")
    assert problems.keys() == FORMATS.keys()
    for name, problem in FORMATS.items():
        _, read, holds = problems[name].split(" | ")
        assert (read == "yes") is (problem.reader is not None)
        assert holds.split(",")[0] == problem.holds
        assert ("parities" in holds) is problem.keeps_parities


def test_the_page_on_citing_the_citation_file_and_the_changelog_name_this_version_alike():
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    entry = (ROOT / "docs/citing.md").read_text("utf-8").partition("```text\n")[2]
    cited = dict(re.findall(r'^(\S+): "?(.*?)"?$', text, re.M))
    told = dict(re.findall(r"^  (\w+) += {(.*)},$", entry, re.M))
    for field, key in {"title": "title", "version": "version", "date": "date-released"}.items():
        assert told[field] == cited[key]
    assert re.search(r'^  - name: "(.*)"$', text, re.M)[1] in entry
    assert cited["license"] in entry
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    sections = re.findall(r"^## (\S+)(?: - (\d{4}-\d\d-\d\d))?$", changelog, re.M)
    assert sections[:2] == [("Unreleased", ""), (cited["version"], cited["date-released"])]
    assert cited["version"] == __version__


# Every block of code in the documents runs: consoles here, Python as doctests or from its file


NOT_HERE = {
    "scripts/test": "is what runs this",
    "scripts/renew_constraints": "installs all that is newest and runs this",
    "scripts/page": "fetches what a browser needs: scripts/test --browser",
    "scripts/release": "installs for minutes: its tests in tests/scripts, and itself",
    "git ": "is about a checkout of one's own",
    "twine upload": "publishes",
    "satsweeper play": "needs a terminal: tests/show/play",
    "python scripts/table_win_rates.py": "writes into the checkout: its tests in tests/scripts",
}
"""Commands of documents that other tests run."""
SMALLER = {
    "--games 100000": "--games 20",
    "study_encodings.py -o DIR": "study_encodings.py -o DIR --quick",
    "--each 40 --size 12 --limit 20": "--each 1 --size 5 --limit 5",
    "large/facilities_100_1.opb --timeout 20": "large/facilities_100_1.opb --timeout 1",
    "vertex_cover:42,max_sat:80,soft_sums:45,set_cover:28,knapsack:22,facilities:24": (
        "vertex_cover:8,facilities:6"
    ),
}
"""Commands that take minutes or hours, each with a form of it that takes seconds."""
LONG = (
    *("python scripts/bench_solve.py", "python scripts/study_encodings.py", "satsweeper simulate"),
    *("satsweeper compare random:30x16/99", "satsweeper report sweep --html"),
    "satsweeper solve large/",
)
"""Commands that take seconds all the same: they run with the slow tests."""


def prepared(folder: Path, document: Path) -> None:
    """Fill a folder for the commands of a document: the checkout, and files that its text shows."""
    for name in ("examples", "scripts"):
        (folder / name).symlink_to(ROOT / name)
    shutil.copytree(ROOT / "docs", folder / "docs")
    game = Game("9x9/10", "safe", seed=1)
    game.open((4, 4))
    (folder / "game.jsonl").write_bytes(write_game(game))
    (folder / "FOLDER").mkdir()
    shutil.copy(ROOT / "examples/packing.opb", folder / "FOLDER")
    if document.name == "add_an_encoder.md":
        code = next(block for block in blocks(document, "python") if "def lonely" in block)
        lines = [line[4:] for line in code.splitlines() if line.startswith((">>> def", "... "))]
        text = "\n".join(["from itertools import combinations", *lines, ""])
        (folder / "mine.py").write_text(text, "utf-8")


def run(line: str, folder: Path) -> "subprocess.CompletedProcess[str]":
    python = shlex.quote(sys.executable)
    for long, short in SMALLER.items():
        line = line.replace(long, short)
    line = re.sub(r"^scripts/run ", "satsweeper ", line)
    line = re.sub(r"(^|\| )satsweeper ", rf"\1{python} -m satsweeper ", line)
    line = re.sub(r"^satsweeper-check ", f"{python} -m satsweeper_check ", line)
    line = re.sub(r"^python ", f"{python} ", line)
    return subprocess.run(
        line, shell=True, cwd=folder, env=environment(NO_COLOR="1", COLUMNS="80"),
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip


def check(document: Path, folder: Path, skipped: tuple[str, ...]) -> None:
    prepared(folder, document)
    for line, printed in shown_commands(document):
        if line.startswith(skipped):
            continue
        ended = run(line, folder)
        # An answer of a solver is no error.
        assert ended.returncode in (0, 10, 20, 30), (line, ended.stderr)
        assert "Traceback" not in ended.stderr
        if printed is not None:
            assert ended.stderr == ""
            seconds = re.compile(r"\b[0-9]+\.[0-9]+ s$", re.M)
            assert seconds.sub("_ s", ended.stdout) == seconds.sub("_ s", printed)


CONSOLES = [path for path in DOCUMENTS if blocks(path, "console")]
LONG_ONES = [p for p in CONSOLES if any(c.line.startswith(LONG) for c in shown_commands(p))]


@pytest.mark.parametrize("document", CONSOLES, ids=named)
def test_a_console_runs_and_shows_what_is_printed(document, tmp_path):
    check(document, tmp_path, (*NOT_HERE, *LONG))


@pytest.mark.slow
@pytest.mark.parametrize("document", LONG_ONES, ids=named)
def test_a_console_that_takes_long_runs(document, tmp_path):
    check(document, tmp_path, tuple(NOT_HERE))


@every_document
def test_python_is_a_doctest_or_a_file_that_runs(document):
    files = {path.read_text("utf-8") for path in (ROOT / "examples/gallery").glob("*.py")}
    for block in blocks(document, "python"):
        assert block.startswith(">>> ") or block in files
    if any(">>> " in block for block in blocks(document, "python")):
        collected = [ROOT / name for name in ("docs", "encodings", "README.md", "CONTRIBUTING.md")]
        assert any(document.is_relative_to(place) for place in collected)


@pytest.mark.skipif(find_spec("cpmpy") is None, reason="cpmpy is not installed")
def test_the_solver_class_for_cpmpy_finds_a_solution(tmp_path):
    code = "".join(blocks(ROOT / "docs/from_pysat.md", "text"))
    # A process of its own: cpmpy brings OR-Tools along, beside which HiGHS cannot be loaded.
    (tmp_path / "solve.py").write_text(
        "import sys\nsys.modules['highspy'] = None\nimport cpmpy\nx = cpmpy.boolvar(shape=4)\n"
        "some = [3 * x[0], 2 * x[1], 4 * x[2]]\n"
        "model = cpmpy.Model(cpmpy.sum(some) >= 5, cpmpy.sum(x) <= 2)\n"
        f"{code}print(*map(int, x.value()))\n",
        "utf-8",
    )
    ended = run("python solve.py", tmp_path)
    first, second, third, fourth = map(int, ended.stdout.split())
    assert 3 * first + 2 * second + 4 * third >= 5
    assert first + second + third + fourth <= 2


@every_document
def test_a_block_says_what_it_is_and_text_is_no_command(document):
    languages = re.findall(r"^```(\w*)$", document.read_text("utf-8"), re.M)[::2]
    assert set(languages) <= {"console", "python", "text"}
    assert not [block for block in blocks(document, "text") if block.startswith("$ ")]


# The page of the language names every operator, function and method that there is


PAGE = (ROOT / "docs/language.md").read_text("utf-8")
WRITTEN = {
    "add": "`a + b`", "sub": "`a - b`", "neg": "`-a`", "mul": "`a * b`", "abs": "`abs(a)`",
    "le": "`<=`", "lt": "`<`", "ge": "`>=`", "gt": "`>`", "eq": "`==`", "ne": "`!=`",
    "and": "`a & b`", "or": "`a \\| b`", "xor": "`a ^ b`", "rshift": "`a >> b`", "invert": "`~a`",
}  # fmt: skip
PYTHONS = {"init", "repr", "hash", "bool", "module", "doc", "slots", "weakref", "array_ufunc"}
PYTHONS |= {"annotations", "firstlineno", "static_attributes"}


def own(*kinds: type) -> set[str]:
    return {name for kind in kinds for name in vars(kind)}


def test_the_page_shows_every_operator():
    dunders = {name.strip("_") for name in own(Operand, Proposition) if name.startswith("__")}
    operators = dunders - PYTHONS
    assert {name for name in operators if not {name, name[1:]} & set(WRITTEN)} == set()
    assert [sign for sign in WRITTEN.values() if sign not in PAGE] == []


@pytest.mark.parametrize(
    "module", ["connectives", "relations", "names", "builder", "transformation", "integers"]
)
def test_the_page_shows_what_is_imported_from(module):
    offered = {name: getattr(language, name) for name in vars(language)["__all__"]}
    home = f"pbcnf.language.{module}"
    names = [name for name, value in offered.items() if getattr(value, "__module__", "") == home]
    without = {"Domain", "IntegerEncoding", "IntegerVariable", "Transformation"}  # Named by str.
    assert names
    assert [name for name in names if f"{name}(" not in PAGE and name not in without] == []


def test_the_page_shows_what_builders_and_integers_do():
    public = {name for name in own(Builder, IntegerVariable) if not name.startswith("_")}
    read = {"name", "domain", "encoding", "statements", "objective", "integer_variables", "value"}
    assert [name for name in sorted(public - read) if f".{name}" not in PAGE] == []
