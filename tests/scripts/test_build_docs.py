"""The sources of the manual: whole, linked, and made of what the code says; no Sphinx is needed."""

import inspect
import re
import subprocess
from contextlib import nullcontext
from pathlib import Path
from xml.etree import ElementTree

import pytest

from pbcnf import ENCODERS
from scripts import build_docs
from scripts.build_docs import gathered
from scripts.manual import names

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module", name="sources")
def _sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sources")
    build_docs.gather(folder)
    return folder


def targets(page: Path) -> list[str]:
    text = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.M | re.S)
    return [t for t in re.findall(r"\]\(([^)\s]+)\)", text) if not re.match(r"[a-z]+:", t)]


def test_every_document_is_a_page_and_every_link_leads_to_one(sources: Path) -> None:
    docs, gathered = (
        {path.relative_to(folder) for path in folder.rglob("*.md")}
        for folder in (ROOT / "docs", sources)
    )
    assert docs - {Path("README.md")} <= gathered
    linked = [(page, t) for page in sources.rglob("*.md") for t in targets(page)]
    assert len(linked) > 200
    assert [t for page, t in linked if not (page.parent / t.partition("#")[0]).exists()] == []


def test_the_contents_name_every_page_once(sources: Path) -> None:
    listed = []
    for index in sources.rglob("*"):
        if index.suffix not in (".md", ".rst"):
            continue
        trees = re.findall(r"toctree(?:}|::)\n(.*?)(?:```|\Z)", index.read_text("utf-8"), re.S)
        for line in "".join(trees).split("\n"):
            if line.strip() and ":" not in line and "```" not in line:
                name = re.sub(r".*<(.*)>", r"\1", line.strip())
                listed.append((index.parent / name).relative_to(sources).as_posix())
    there = {p.relative_to(sources).with_suffix("").as_posix() for p in sources.rglob("*.md")}
    there |= {p.relative_to(sources).with_suffix("").as_posix() for p in sources.rglob("*.rst")}
    assert sorted(listed) == sorted(there - {"index"})


def test_links_are_moved_with_their_pages_and_code_is_left_alone() -> None:
    text = "[a](../encodings/README.md#x) [b](pictures/p.svg) [c](https://x.y/README.md)\n"
    code = "```text\n[a](../encodings/README.md)\n```\n"
    moved = gathered("docs/a.md", text + code, {"docs/a.md": "a.md", **build_docs.ELSEWHERE})
    assert moved == text.replace("../encodings/README.md", "toolkit.md") + code


@pytest.mark.parametrize("name", build_docs.encoders())
def test_an_encoder_has_a_page_with_its_drawing(sources: Path, name: str) -> None:
    page = (sources / "encoders" / f"{name}.md").read_text("utf-8")
    drawing = ElementTree.parse(sources / "encoders" / f"{name}.svg")
    assert drawing.getroot().tag.endswith("svg")
    own = type(build_docs.encoders()[name])
    assert f".. autoclass:: {own.__module__}.{own.__qualname__}\n" in page
    for part in ("Idea", "Auxiliary variables", "Size", "Propagation", "Reference"):
        assert re.search(rf"^    .*\b{part}\b.*: ", str(own.__doc__), re.M | re.I)


def test_the_promises_on_the_pages_are_rows_of_the_audited_table() -> None:
    found = build_docs.contract()
    assert found.keys() == ENCODERS.keys()
    every, counted = "all, weighted, grouped", "at most, at least, exactly, range"
    encoded = "exactly, range, weighted range"
    assert found["adder"] == f"{every} | yes | {counted} | no | {encoded} | yes"


def test_every_public_name_is_shown_once_and_says_what_it_is() -> None:
    shown = [name for page in names.pages().values() for name in page]
    assert len({(n.home, n.name) for n in shown}) == len(shown)
    for face in names.FACES:
        module = __import__(face)
        on_its_page = {n.name for n in names.pages()[face]}
        # The base class of errors is that of pbcnf.
        assert set(module.__all__) - on_its_page == ({"Error"} if face == "satsweeper" else set())
        assert on_its_page <= set(module.__all__)
    for name in shown:
        entry = names.entry(name)
        documented = inspect.getdoc(name.value) if names.is_ours(name.value) else None
        told = re.search(r"^   (\S.*)$", entry.partition("\n\n")[2], re.M)
        assert documented or told or "   :value: " in entry, name


def test_a_dead_link_and_a_foreign_picture_are_found(tmp_path: Path) -> None:
    (tmp_path / "b.html").write_text('<p id="here">', "utf-8")
    (tmp_path / "a.html").write_text(
        '<a href="b.html#here">ok</a> <a href="https://x.y/">ok</a> <a href="b.html#gone">1</a>'
        '<a href="c.html">2</a> <img src="https://x.y/p.png"> <link href="//x.y/s.css">',
        "utf-8",
    )
    found = build_docs.faults(tmp_path)
    assert [fault.partition(": ")[2] for fault in found] == [
        "b.html#gone: no such heading",
        "c.html: there is no such file",
        "loads https://x.y/p.png from another host",
        "loads //x.y/s.css from another host",
    ]


def test_a_folder_that_is_no_manual_stays(tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("mine")
    assert build_docs.main(["-o", str(tmp_path), "--sources", str(tmp_path / "sources")]) == 1
    assert "is not empty, and no manual" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


@pytest.mark.parametrize("ends", ["killed", "fails", "dead link"])
def test_a_build_that_ends_early_leaves_the_manual_and_does_not_block_the_next(
    tmp_path, monkeypatch, ends
):
    folder = tmp_path / "manual"

    def sphinx(how):
        def run(command, **_):
            made = Path(command[-1])
            made.mkdir(parents=True)
            (made / "index.html").write_text('<a href="gone.html">' if how == "dead link" else how)
            if how == "killed":
                raise KeyboardInterrupt
            (made / build_docs.MADE).write_text("")
            return subprocess.CompletedProcess(command, how == "fails")

        return run

    monkeypatch.setattr(build_docs, "gather", lambda into: None)
    for how in ("first", ends, "second"):
        monkeypatch.setattr(subprocess, "run", sphinx(how))
        with (
            pytest.raises((KeyboardInterrupt, build_docs.CannotBuildError))
            if how == ends
            else nullcontext()
        ):
            build_docs.build(tmp_path / "sources", folder)
        assert (folder / "index.html").read_text() == ("second" if how == "second" else "first")
        assert {path.name for path in tmp_path.iterdir()} == {"manual", "sources"}


@pytest.mark.slow
def test_the_manual_builds_without_a_warning_and_with_the_same_bytes_twice(tmp_path: Path) -> None:
    pytest.importorskip("furo")
    pytest.importorskip("myst_parser")
    for name in ("first", "second"):
        build_docs.build(tmp_path / "sources", tmp_path / name)
    first, second = (
        {
            path.relative_to(folder): path.read_bytes()
            for path in folder.rglob("*")
            if path.is_file()
        }
        for folder in (tmp_path / "first", tmp_path / "second")
    )
    assert len([path for path in first if path.suffix == ".html"]) > 60
    assert first == second
