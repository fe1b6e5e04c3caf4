"""Entries to the competition: exact, named, hashed, and the same layouts as the board."""

import hashlib
import io
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from pbcnf import Formula
from pbcnf.formats.lint import lint
from satsweeper import Position
from satsweeper.export.competition import compacted, entry_of
from satsweeper.export.formula import formula_of

LITERALS = st.integers(1, 7).flatmap(lambda var: st.sampled_from([var, -var]))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(LITERALS, max_size=4, unique=True), max_size=8))
def test_compacting_keeps_the_clauses_up_to_names_and_repetition(clauses: list[list[int]]) -> None:
    formula = Formula(num_vars=9)
    for clause in clauses:
        formula.add_clause(clause)
    smaller, old = compacted(formula)
    names = [0, *old.tolist()]
    restored = [[names[lit] if lit > 0 else -names[-lit] for lit in c] for c in smaller.clauses()]
    distinct = []
    for clause in clauses:
        if set(clause) not in map(set, distinct):
            distinct.append(clause)
    assert restored == distinct
    assert names[1:] == sorted({abs(lit) for clause in clauses for lit in clause})


@pytest.mark.parametrize("encoding", ["direct", "totalizer", "adder"])
@pytest.mark.parametrize("mines", [None, 4])
def test_an_entry_breaks_no_rule_and_its_models_are_the_layouts(
    encoding: str, mines: int | None
) -> None:
    board = Position.parse("1??\n?3?\n???\n", mines=mines)
    export = formula_of(board, encoding=encoding, total_encoding=encoding)
    entry = entry_of(export)
    stream = io.BytesIO()
    hashes = entry.write_cnf(stream)
    text = stream.getvalue()
    assert list(lint(text.splitlines(keepends=True), f"{entry.stem}.cnf.xz")) == []
    assert hashes["sha256"] == hashlib.sha256(text).hexdigest()
    cells = {tuple(cell["cell"]): int(var) for var, cell in entry.name_map()["variables"].items()}
    around = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)]
    with Solver("minisat22", bootstrap_with=list(entry.formula.clauses())) as solver:
        for layout in product((0, 1), repeat=7):
            mine = dict(zip(around, layout, strict=True))
            valid = sum(layout) == 3 and mine[0, 1] + mine[1, 0] == 1
            valid = valid and (mines is None or sum(layout) == mines)
            known = [cells[c] if mine[c] else -cells[c] for c in around if c in cells]
            assert solver.solve(known) == valid, layout


def test_the_gbd_hash_is_that_of_its_authors_tool(tmp_path: Path) -> None:
    gbdc = pytest.importorskip("gbdc")
    entry = entry_of(formula_of(Position.parse("1??\n?3?\n???\n")))
    path = tmp_path / "e.cnf"
    with path.open("wb") as stream:
        hashes = entry.write_cnf(stream)
    assert gbdc.gbdhash(str(path)) == hashes["gbd_hash"]


def test_the_gbd_hash_of_a_small_formula_by_hand() -> None:
    entry = entry_of(formula_of(Position.parse("1?\n??")))
    clauses = " ".join(" ".join(map(str, [*clause, 0])) for clause in entry.formula.clauses())
    hashes = entry.write_cnf(io.BytesIO())
    assert hashes["gbd_hash"] == hashlib.md5(clauses.encode()).hexdigest()


def test_cells_without_a_clause_are_free_in_the_map() -> None:
    entry = entry_of(formula_of(Position.parse("1?\n1?\n??\n??")))
    found = entry.name_map()
    assert found["free"] == [{"cell": [3, 0]}, {"cell": [3, 1]}]
    assert entry.left_out == 2
    assert list(found["variables"]) == [str(v) for v in range(1, entry.formula.num_vars + 1)]
