"""Rows as clauses: each row's clauses have its models."""

import random
from itertools import product

import pytest

from satsweeper.certificate.puzzle.certify import certify_puzzle
from satsweeper.certificate.puzzle.clauses import RowClauses, implied_clauses
from satsweeper.certificate.puzzle.rows import BoardRow, BoardRows
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.solvers.protocol import Satisfied
from satsweeper.solvers.pysat import PysatSolver

BOARD = "rules: M 2K\nmines: 7\n? ? ? 2\n? 4 ? ?\n? F ? ?\n3 ? ? ?\n"


def test_the_shortest_clauses_of_a_row_have_its_models_and_none_can_be_shortened() -> None:
    rng = random.Random(3)
    for _ in range(400):
        size = rng.randrange(1, 7)
        weights = [rng.choice([1, 1, 2, 3, -1, -2]) for _ in range(size)]
        literals = [v * rng.choice((1, -1)) for v in range(1, size + 1)]
        row = BoardRow(tuple(zip(weights, literals, strict=True)), rng.randrange(-3, 7))
        clauses = [*implied_clauses(row)]
        for values in product((False, True), repeat=size):
            true = {v if value else -v for v, value in enumerate(values, start=1)}
            holds = sum(w for w, lit in row.terms if lit in true) >= row.degree
            assert all(not true.isdisjoint(clause) for clause in clauses) == holds
        sets = [frozenset(clause) for clause in clauses]
        assert not any(one < other for one in sets for other in sets)


@pytest.mark.parametrize(
    "text",
    [
        BOARD,
        "rules: B 2Z\n? ? ? ?\n? ? ? ?\n? 2 ? ?\n? ? ? ?\n",
        "rules: L\nmines: 5\n? 2 ?\n? ? ?\n3 ? ?\n",
        "rules: E 2S\n? ? 4 ?\n? ? ? ?\n? ? ? ?\n",
    ],
)
def test_clauses_have_the_layouts_of_the_rows(text: str) -> None:
    rows = BoardRows(Puzzle.parse(text), "trust")
    found = RowClauses(rows, len(rows.rows))
    found.add(rows.total)
    assert len(found.numbers) == len(found.clauses)
    solver = PysatSolver("minisat22")
    solver.add_clauses(found.clauses)
    for _ in range(30):
        answer = solver.solve()
        if not isinstance(answer, Satisfied):
            break
        true = {*answer.model}
        for terms, degree in rows.rows:
            assert sum(weight for weight, lit in terms if lit in true) >= degree
        solver.add_clause([-lit for lit in answer.model[:16]])
    solver.close()


def test_a_solver_without_proofs_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot certify"):
        certify_puzzle(Puzzle.parse(BOARD), solver="minisat22")


def test_an_unused_cut_is_in_no_problem() -> None:
    """A proof holds only cuts that the solver needs: each is named by a hint."""
    text = "rules: C\nmines: 5\n1 ? ? ? 1\n? ? ? ? ?\n1 ? ? ? 1\n"
    files = certify_puzzle(Puzzle.parse(text)).files
    rows = len(BoardRows(Puzzle.parse(text), "trust").rows)
    lines = files["proof.opb"].decode().splitlines()[1:]
    used = {int(word) for line in files["proof.pbp"].decode().splitlines()
            for word in line.partition(" : ~ ")[2].split()[:-1]}  # fmt: skip
    assert {*range(rows + 1, len(lines) + 1)} <= used
