"""Descriptions: one to two pages of every family, with works that exist, in both formats."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from satsweeper.competition.description import (
    Document,
    bibliography,
    cited,
    document,
    domain_document,
    latex,
    markdown,
    prose,
    references,
)
from satsweeper.competition.files import stem
from satsweeper.competition.instance import TRACKS, series_of
from satsweeper.competition.measurement import Measurement, Probe, SolverRun
from satsweeper.competition.measuring import Bar
from satsweeper.competition.selection import Wish
from satsweeper.families.table import FAMILIES


def described(name: str, track: str = "sat") -> Document:
    if FAMILIES[name].goal != "decide":
        jobs = [Probe(name, size, 0) for size in FAMILIES[name].small]
        return domain_document(FAMILIES[name], jobs, [(stem(job), *"abcde") for job in jobs])
    claim = "SATISFIABLE" if FAMILIES[name].satisfiable else "UNSATISFIABLE"
    late, said = SolverRun("UNKNOWN", 60.0, "timeout"), SolverRun(claim, 3.5)
    found = [
        Measurement(Probe(name, size, 0), 10 * size, 99 * size, size, late, said)
        for size in FAMILIES[name].small
    ]
    return document(FAMILIES[name], Wish(track, 9, 4, 0), Bar(track, 60, "cadical195", 600), found)


def test_every_family_has_a_text_and_every_text_a_family() -> None:
    texts = prose().families
    assert set(FAMILIES) == set(texts)
    titles = [text.title for text in texts.values()]
    assert len(set(titles)) == len(titles)


@pytest.mark.parametrize("name", FAMILIES)
def test_a_description_is_one_to_two_pages_long(name: str) -> None:
    text = markdown(described(name))
    # About 900 words, a picture or a table less, are a page of IEEE proceedings.
    assert 350 < len(text.split()) < 1500
    assert FAMILIES[name].why in text
    assert all(f"n{size}_s0" in text for size in FAMILIES[name].small)


@pytest.mark.parametrize("name", FAMILIES)
def test_every_work_that_is_cited_is_known_and_numbered(name: str) -> None:
    found = described(name)
    keys = cited(found)
    assert len(keys) >= 3
    assert set(keys) <= set(references())
    text = markdown(found)
    assert "[@" not in text
    for number in range(1, len(keys) + 1):
        assert f"[{number}]" in text
        assert f"\n{number}. " in text


@pytest.mark.parametrize(
    ("track", "name"),
    [
        (track, series.family.name)
        for track in TRACKS
        for series in series_of(track).values()
        if not series.asked
    ]
    + [("pb", name) for name, each in FAMILIES.items() if each.goal != "decide"],
)
def test_latex_is_balanced_and_escaped(track: str, name: str) -> None:
    text = latex(described(name, track))
    pictures = re.compile(r"\\begin\{verbatim\}.*?\\end\{verbatim\}", re.DOTALL)
    bare = pictures.sub("", text)
    assert bare.count("$") % 2 == 0
    prose = re.sub(r"\$[^$]*\$", "", bare)
    assert prose.count("{") == prose.count("}")
    assert re.search(r"(?<!\\)[_^#]", prose) is None
    begun = re.findall(r"\\begin\{(\w+\*?)\}", bare)
    assert sorted(begun) == sorted(re.findall(r"\\end\{(\w+\*?)\}", bare))
    assert {key for group in re.findall(r"\\cite\{(.*?)\}", text) for key in [group]} <= set(
        references()
    )
    assert text.startswith("\\documentclass[conference]{IEEEtran}")
    assert text.isascii()


def test_the_bibliography_holds_each_work_once() -> None:
    text = bibliography([*references(), *references()])
    assert re.findall(r"^@\w+\{(\w+),$", text, re.MULTILINE) == sorted(references())
    assert text.count("{") == text.count("}")
    assert text.isascii()


@pytest.mark.parametrize("key", references())
def test_a_work_in_a_line_has_its_authors_title_and_year(key: str) -> None:
    reference = references()[key]
    line = reference.line()
    assert key.endswith(reference.fields["year"])
    assert line.endswith(reference.fields["year"]) or "doi:" in line
    assert not set("{}\\") & set(line)


def test_titles_keep_their_words() -> None:
    assert "promise-inference, and uniqueness" in references()["mit2024"].line()
    assert references()["een2003"].line().startswith("Niklas Eén, Niklas Sörensson: ")


def test_boards_are_shown_and_problems_are_not(make: Callable[..., Any]) -> None:
    assert "```text\n0?1" in markdown(described("ones"))
    assert "```" not in markdown(described("torus"))


def test_a_description_says_what_was_tried_and_how_it_ended(make: Callable[..., Any]) -> None:
    found = [
        make("ones", 6, "easy"),
        make("ones", 9, "easy"),
        make("ones", 12, "hard"),
        make("ones", 15, "unsolved"),
        make("torus", 5, "easy"),
    ]
    wish, bar = Wish("sat", 2, 1, 0), Bar("sat", 60, "cadical195", 600)
    text = markdown(document(FAMILIES["ones"], wish, bar, found[1:3], found))
    assert (
        "4 instances of the family were tried: 2 solved by the weak one, 1 by the strong one alone,"
        " 1 by neither. No other size or seed was measured."
    ) in text
    assert (
        "2 instances of it are in this entry; the stronger of two solvers alone solved 1." in text
    )


def test_an_optimum_is_only_called_known_where_it_is() -> None:
    assert "whose optimum is known by an argument: bump has no" in markdown(described("soft_clues"))
    text = markdown(described("peaceable_queens"))
    assert "whose optimum is not known by an argument: no queen at all" in text
