"""Verdicts by sums of clues: the proofs hold, say what is true, and need no clauses."""

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf.derivation import Derivation, write_proof
from pbcnf.derivation.derivation_state import Combined
from pbcnf.proof.cutting_planes import check_proof
from satsweeper.certificate import formula
from satsweeper.families.table import FAMILIES
from satsweeper.position import Position
from satsweeper.solvers.protocol import SolverError

Checked = Callable[..., Any]
CLAUSES = {"formula.cnf", "derivation.pbp", "refutation.cnf", "refutation.drat", "refutation.lrat"}


def test_what_is_certified_is_what_brute_force_finds(compared, small_boards, sums_first):
    ways = set()

    @settings(max_examples=200)
    @given(small_boards(), st.sampled_from(["trust", "ignore"]))
    def compare(board, flags):
        _, found = compared(board, flags)
        ways.add((found.proof, found.status))

    compare()
    # Single clues and the total are sums that prove nearly all that there is on such boards.
    assert {("sums", "consistent"), ("sums", "inconsistent")} <= ways


@pytest.mark.parametrize(
    ("family", "size"),
    [
        ("mutilated_chessboard", 12),
        ("chessboard_with_private_cells", 10),
        ("parity_lattice", 10),
        ("ones", 10),
        ("safehole", 10),
        ("hall", 12),
    ],
)
def test_hard_boards_are_certified_without_a_clause(checked, family, size):
    known = FAMILIES[family]
    certificate, found = checked(known.instance(size), apart=True)
    assert found.proof == "sums"
    assert not CLAUSES & certificate.files.keys()
    assert (found.status == "consistent") == known.satisfiable
    for (r, c), mine in known.certain(size, 0).items():
        assert found.grid[r][c] == ("M" if mine else "S")


def test_a_cell_of_a_hard_region_is_proved_by_the_sums_of_its_reason_alone(checked):
    known = FAMILIES["safehole"]
    cell = min(known.certain(10, 0))
    certificate, found = checked(known.instance(10), apart=True, cells=[cell])
    assert found.cells == 1
    assert [proof["proof"] for proof in certificate.about["cells"]] == ["sums"]


def test_what_sums_leave_is_proved_from_clauses_and_what_they_prove(checked):
    # The open end is settled modulo 2; that leaves clues which single rules do not finish.
    certificate, found = checked(FAMILIES["parity_lattice_with_open_end"].instance(10))
    assert found.proof == "both"
    assert 0 < found.by_sums < found.proved
    assert certificate.files.keys() >= CLAUSES | {"sums.pbp"}


def board_with_separate_clues(rows: int, columns: int, more: int) -> Position:
    """Clues 2 that share no cell, and a total of so many more than they need."""
    cells = np.full((rows, columns), -1, np.int8)
    cells[1::3, 1::3] = 2
    return Position(cells, int((cells == 2).sum()) * 2 + more)


def test_a_total_that_clues_use_up_is_one_sum_whatever_the_size_of_the_board(checked):
    position = board_with_separate_clues(61, 61, 0)
    certificate, found = checked(position, cells=[(0, 60)])
    # What no clue counts: the last row and the last column.
    assert (found.proof, found.by_sums, found.proved) == ("sums", 121, 121)
    assert all(len(data) < 400_000 for data in certificate.files.values())
    assert "cells/0_60/sums.pbp" in certificate.files
    assert certificate.about["total_encoding"] is None


def test_a_total_that_no_sum_uses_is_refused_before_it_is_encoded(checked, monkeypatch):
    monkeypatch.setattr(formula, "_MOST_OF_TOTAL", 10)
    monkeypatch.setattr("satsweeper.certificate.certify._LARGE", 0)
    # Mixtures of layouts have totals that layouts do not have.
    position = Position.parse("4 5 6\n?12??\n?????\n?4???\n???2?\n")
    with pytest.raises(SolverError, match=r"more than 10 clauses: .*--mines unknown"):
        checked(position)
    monkeypatch.undo()
    assert checked(position)[1].proof == "clauses"


def test_a_row_is_divided_by_its_modulus_in_both_halves():
    """x1 + x2 = 1, x2 + x3 = 1 and x1 + x3 = 1: twice the sum of all is odd."""
    derivation = Derivation(6)
    for lower in (1, 2):
        derivation.add(Combined(tuple((n + lower, 1) for n in (0, 2, 4)), divisor=2))
    derivation.add(Combined(((7, 1), (8, 1))))
    stream = io.BytesIO()
    write_proof(derivation, stream, contradiction=9)
    text = stream.getvalue().decode()
    assert "pol 1 3 + 5 + 2 d ;\npol 2 4 + 6 + 2 d ;\npol 7 8 + ;\n" in text
    problem = b"+1 x1 +1 x2 = 1 ;\n+1 x2 +1 x3 = 1 ;\n+1 x1 +1 x3 = 1 ;\n"
    assert check_proof(problem, stream.getvalue()).refuted
