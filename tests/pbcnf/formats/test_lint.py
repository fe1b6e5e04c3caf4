"""The linter names every rule that a file breaks, where it does, and nothing else."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf import Formula, dimacs
from pbcnf.formats.lint import RULES, lint

GOOD = "c a comment\np cnf 3 2\n1 -2 0\n2 3 0\n"


def found(text: str | bytes, name: str | None = None) -> list[tuple[str, int | None]]:
    data = text if isinstance(text, bytes) else text.encode()
    return [(finding.rule, finding.line) for finding in lint(data.splitlines(keepends=True), name)]


def test_a_good_file_breaks_no_rule() -> None:
    assert found(GOOD, "minesweeper_3x3-m2_7.cnf.xz") == []


def defects() -> Iterator[Any]:
    """A line is a case: the defect | the text as JSON | each rule that it breaks, and the line."""
    path = Path(__file__).parents[2] / "data" / "lint.txt"
    for line in path.read_text("utf-8").splitlines():
        label, text, rules = line.split(" | ")
        expected = [rule.split(":") for rule in rules.split()]
        yield pytest.param(
            json.loads(text), [(rule, int(at) or None) for rule, at in expected], id=label
        )


DEFECTS = list(defects())


@pytest.mark.parametrize(("text", "expected"), DEFECTS)
def test_each_defect_is_named_at_its_line(text, expected) -> None:
    assert found(text) == expected


def test_every_rule_has_a_defect_that_breaks_it() -> None:
    broken = {rule for case in DEFECTS for rule, _ in case.values[1]}
    assert broken == RULES.keys() - {"name"}


@pytest.mark.parametrize(
    "name", ["expert.cnf", "Family_a_1.cnf.xz", "family_a_1.cnf.gz", "family_a_1.txt"]
)
def test_another_name_than_family_parameters_seed_is_a_warning(name: str) -> None:
    (finding,) = lint(GOOD.encode().splitlines(keepends=True), f"folder/{name}")
    assert (finding.rule, finding.severity) == ("name", "warning")


def test_clauses_of_the_literals_1_and_2_are_not_taken_for_those_of_minus_1_and_minus_2() -> None:
    assert found("p cnf 2 4\n-1 0\n-2 0\n1 0\n2 0\n") == []


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.lists(st.sampled_from([1, -1, 2, -2, 3, -3]), min_size=1, max_size=3),
        min_size=1,
        max_size=6,
    )
)
def test_what_we_write_breaks_only_what_its_clauses_break(clauses: list[list[int]]) -> None:
    formula = Formula(num_vars=3)
    for clause in clauses:
        formula.add_clause(clause)
    rules = {rule for rule, _ in found(dimacs(formula))}
    sets = [frozenset(clause) for clause in clauses]
    assert ("distinct" in rules) == any(len(s) < len(c) for s, c in zip(sets, clauses, strict=True))
    assert ("opposite" in rules) == any(-lit in s for s in sets for lit in s)
    assert ("duplicate" in rules) == (len(set(sets)) < len(sets))
    assert ("nbvar" in rules) == (len({abs(lit) for s in sets for lit in s}) < 3)
    assert rules <= {"distinct", "opposite", "duplicate", "nbvar"}


def test_clauses_whose_hashes_as_sets_are_equal_are_two() -> None:
    # Python's hashes of such sets of two; found in a formula of 40,000 clauses.
    one, other = (-1529, -1530), (-17985, -17986)
    lines = [b"p cnf 17986 2\n", *(b"%d %d 0\n" % clause for clause in (one, other))]
    assert "duplicate" not in {found.rule for found in lint(lines)}
