"""Documents: every link, path, name, option and printed output in them is so."""

import argparse
import re
import shlex
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from pbcnf import FORMATS
from satsweeper.cli.main import COMMANDS, module_of
from satsweeper.notation.formats import FORMATS as BOARDS
from satsweeper.version import __version__

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
DOCUMENTS = [
    README,
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    ROOT / "encodings/README.md",
    ROOT / "examples/README.md",
    *sorted((ROOT / "docs").rglob("*.md")),
]
every_document = pytest.mark.parametrize(
    "document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT))
)
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
    module_of(command).add_arguments(parser)
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


def commands(document: Path) -> Iterator[list[str]]:
    """The commands in blocks that a console shows, as words."""
    for block in blocks(document, "console"):
        lines = block.splitlines()
        shown = [line[2:] for line in lines if line.startswith("$ ")] or lines
        for line in shown:
            yield from (
                shlex.split(part.partition(" > ")[0], comments=True)
                for part in line.split(" | ")
                if part.strip()
            )


def test_the_readme_is_one_page() -> None:
    assert len(README.read_text("utf-8").splitlines()) <= 130


def test_the_readers_of_documents_see_what_is_there() -> None:
    assert ["scripts/run", "classify", "examples/expert.txt"] in list(commands(README))
    assert "how-do-we-know-it-is-correct" in anchors(README)
    assert "satsweeper/engines/table.py" in set(code_words(ROOT / "docs/add_an_engine.md"))
    assert {"--encoding", "--slow", "--count"} <= options()


@every_document
def test_links_point_to_what_exists(document: Path) -> None:
    dead = []
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(document)):
        if re.match(r"[a-z]+:", target):
            continue
        path, _, anchor = target.partition("#")
        there = (document.parent / path).resolve() if path else document
        if not there.exists() or (anchor and anchor not in anchors(there)):
            dead.append(target)
    assert dead == []


@every_document
def test_paths_in_the_text_exist(document: Path) -> None:
    gone = []
    for word in code_words(document):
        if not re.fullmatch(r"(?:satsweeper|encodings|pbcnf|tests|scripts|docs|examples)/.*", word):
            continue
        # Of satsweeper/engines/NAME.py the folder must exist.
        path = re.sub(r"[^/]*\bNAME\b.*", "", word)
        if not any((base / path).exists() for base in (ROOT, ROOT / "encodings")):
            gone.append(word)
    assert gone == []


@every_document
def test_modules_and_names_in_the_text_can_be_imported(document: Path) -> None:
    for word in code_words(document):
        if not re.fullmatch(r"(?:satsweeper|pbcnf)(?:\.\w+)+(?:\(.*\))?", word):
            continue
        parts = word.partition("(")[0].split(".")
        found = import_module(parts[0])
        for position, part in enumerate(parts[1:], start=1):
            if not hasattr(found, part):
                import_module(".".join(parts[: position + 1]))
            found = getattr(found, part)


def test_names_in_the_walk_through_the_code_stand_in_the_file_named_last() -> None:
    wrong, path, source = [], "", ""
    for word in re.findall(r"`([^`\n]+)`", prose(ROOT / "docs/reading.md")):
        if re.fullmatch(r"\w+/[\w/]+\.py", word):
            path, source = word, (ROOT / word).read_text("utf-8")
        elif word.isidentifier() and not re.search(rf"\b{word}\b", source):
            wrong.append(f"{word} is not in {path}")
    assert wrong == []


@every_document
def test_options_in_the_text_exist(document: Path) -> None:
    named = [re.split(r"[=,.]", word)[0] for word in code_words(document) if word.startswith("--")]
    assert [option for option in named if option not in options()] == []


@every_document
def test_commands_on_a_console_are_taken(document: Path) -> None:
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


def test_every_command_has_one_line_in_the_readme_and_its_options_are_its_own() -> None:
    rows = re.findall(
        r"^\| (?:[123]|all) \| `satsweeper (\w+)([^`]*)` \| (.*) \|$",
        README.read_text("utf-8"),
        re.M,
    )
    assert sorted(command for command, _, _ in rows) == sorted(COMMANDS)
    for command, usage, what in rows:
        named = set(
            re.findall(r"(?<![\w-])--?[a-z][a-z-]*", f"{usage} {' '.join(what.split('`'))}")
        )
        assert named <= parser_of(command)._option_string_actions.keys()


@pytest.mark.parametrize("package", PACKAGES)
def test_the_map_of_the_folders_is_whole(package: str) -> None:
    design = (ROOT / "docs/design.md").read_text("utf-8").partition("## The folders")[2]
    table = design.partition(f"`{package}`")[2].partition("| --- | --- |\n")[2].partition("\n\n")[0]
    mapped = {
        name.rstrip("/")
        for row in table.splitlines()
        for name in re.findall(r"`([^`]+)`", row.split("|")[1])
    }
    there = {
        path.name
        for path in PACKAGES[package].iterdir()
        if (path.is_dir() and path.name != "__pycache__")
        or (path.suffix == ".py" and not path.name.startswith("__"))
    }
    assert mapped == there - {"version.py"}


def test_every_page_of_the_docs_is_in_their_index() -> None:
    index = (ROOT / "docs/README.md").read_text("utf-8")
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"README.md"}
    assert pages <= set(re.findall(r"\]\(([\w.]+)\)", index))


def rows(heading: str) -> dict[str, str]:
    """The table below a heading of the page of formats: name -> its other cells."""
    text = (ROOT / "docs/formats.md").read_text("utf-8").partition(f"## {heading}\n")[2]
    found = re.findall(r"^\| `([^`]+)` \| (.*) \|$", text.partition("\n## ")[0], re.M)
    return dict(found)


def test_the_page_of_formats_has_every_format_and_what_it_holds() -> None:
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


def test_the_page_on_citing_says_what_the_citation_file_says() -> None:
    cited = (ROOT / "CITATION.cff").read_text("utf-8")
    entry = (ROOT / "docs/citing.md").read_text("utf-8").partition("```text\n")[2]
    for field, key in {"title": "title", "version": "version", "date": "date-released"}.items():
        told = re.search(rf"^  {field} += {{(.*)}},$", entry, re.M)
        said = re.search(rf'^{key}: "?(.*?)"?$', cited, re.M)
        assert told[1] == said[1]
    assert re.search(r'^  - name: "(.*)"$', cited, re.M)[1] in entry
    assert re.search(r"^license: (.*)$", cited, re.M)[1] in entry


def test_changelog_and_citation_name_this_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text("utf-8")
    sections = re.findall(r"^## (\S+)(?: - (\d{4}-\d\d-\d\d))?$", changelog, re.M)
    assert sections[0] == ("Unreleased", "")
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    cited = dict(re.findall(r"^(version|date-released): (\S+)$", citation, re.M))
    assert sections[1] == (cited["version"], cited["date-released"])
    assert cited["version"] == __version__
