"""The linter names every rule that a file breaks, where it does, and nothing else."""

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


DEFECTS: dict[str, tuple[str | bytes, list[tuple[str, int | None]]]] = {
    "no header": ("1 0\n", [("header", 1)]),
    "an empty file": ("", [("header", None)]),
    "only comments": ("c\n", [("header", None)]),
    "two headers": ("p cnf 1 1\np cnf 1 1\n1 0\n", [("header", 2)]),
    "two spaces in the header": ("p cnf  1 1\n1 0\n", [("header", 1)]),
    "another format": ("p wcnf 1 1 2\n1 0\n", [("header", 1)]),
    "a negative number in the header": ("p cnf -1 1\n1 0\n", [("header", 1)]),
    "a comment in the middle": ("p cnf 1 2\n1 0\nc x\n-1 0\n", [("comments-first", 3)]),
    "p cnf in a comment": ("c p cnf 1 1\np cnf 1 1\n1 0\n", [("header-in-comment", 1)]),
    "no 0 at the end": ("p cnf 2 1\n1 2\n", [("one-line", 2)]),
    "a clause over two lines": ("p cnf 2 1\n1\n2 0\n", [("one-line", 2), ("nbclauses", None)]),
    "two clauses on a line": ("p cnf 2 2\n1 0 2 0\n", [("one-line", 2)]),
    "two spaces between literals": ("p cnf 2 1\n1  2 0\n", [("one-line", 2)]),
    "an empty line": ("p cnf 1 1\n\n1 0\n", [("one-line", 2)]),
    "a literal beyond nbvar": ("p cnf 1 1\n1 2 0\n", [("literal", 2), ("nbvar", None)]),
    "a word": ("p cnf 1 1\n1 x 0\n", [("one-line", 2), ("literal", 2)]),
    "a literal twice": ("p cnf 2 1\n1 2 1 0\n", [("distinct", 2)]),
    "opposite literals": ("p cnf 2 1\n1 2 -1 0\n", [("opposite", 2)]),
    "an unused variable": ("p cnf 3 1\n1 3 0\n", [("nbvar", None)]),
    "too many clauses": ("p cnf 1 1\n1 0\n-1 0\n", [("nbclauses", None)]),
    "too few clauses": ("p cnf 1 3\n1 0\n-1 0\n", [("nbclauses", None)]),
    "the empty clause": ("p cnf 1 2\n1 0\n0\n", [("empty-clause", 3)]),
    "a clause twice, in another order": ("p cnf 2 2\n1 2 0\n2 1 0\n", [("duplicate", 3)]),
    "CR LF": ("p cnf 1 1\r\n1 0\r\n", [("ascii", 1)]),
    "a letter that is not ASCII": ("c é\np cnf 1 1\n1 0\n", [("ascii", 1)]),
    "a zero byte": (b"p cnf 1 1\n1 0\nc\0\n", [("ascii", 3), ("comments-first", 3)]),
}


@pytest.mark.parametrize(("text", "expected"), DEFECTS.values(), ids=DEFECTS)
def test_each_defect_is_named_at_its_line(
    text: str | bytes, expected: list[tuple[str, int | None]]
) -> None:
    assert found(text) == expected


def test_every_rule_has_a_defect_that_breaks_it() -> None:
    assert {rule for _, rules in DEFECTS.values() for rule, _ in rules} == RULES.keys() - {"name"}


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
