"""Verdicts by sums of clues, on large boards too: proofs hold, and clauses prove only the rest."""

import io
import random
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf.derivation import Derivation, write_proof
from pbcnf.derivation.derivation_state import Combined
from pbcnf.proof.cutting_planes import check_proof
from satsweeper import Position, certify, check, classify
from satsweeper.certificate import formula, witnesses
from satsweeper.certificate.formula import Statement
from satsweeper.certificate.sums import prove_by_sums
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.families.table import FAMILIES
from satsweeper.solvers.protocol import SolverError
from tests.boards import neighbours

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
    [("mutilated_chessboard", 12), ("chessboard_with_private_cells", 10), ("parity_lattice", 10),
     ("ones", 10), ("safehole", 10), ("hall", 12)],
)  # fmt: skip
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


def test_a_total_that_clues_use_up_is_one_sum_whatever_the_size_of_the_board(checked):
    cells = np.full((61, 61), -1, np.int8)
    cells[1::3, 1::3] = 2  # These share no cell.
    certificate, found = checked(Position(cells, 2 * 20 * 20), cells=[(0, 60)])
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


def board(side: int, seed: int, share: float = 0.16, hidden: float = 0.04) -> Position:
    """All cells open but mines, and some more."""
    rng = random.Random(seed)
    places = [*product(range(side), repeat=2)]
    mines = {cell for cell in places if rng.random() < share}
    cells = np.full((side, side), -1, np.int8)
    for cell in places:
        if cell not in mines and rng.random() >= hidden:
            cells[cell] = len(mines.intersection(neighbours(cell, cells.shape)))
    return Position(cells, len(mines))


def test_a_large_board_is_proved_by_sums_and_clauses_and_the_other_way_by_clauses_alone(tmp_path):
    position = board(130, seed=3)
    wanted = tuple(classify(position).grid())
    lean, whole = certify(position), certify(position, clauses=True)
    for name, certificate in (("lean", lean), ("whole", whole)):
        certificate.write(tmp_path / name)
        found = check(tmp_path / name, board=position.text(), external=False)
        assert found.grid == wanted
        assert found.one_proof
        assert (found.proof == "clauses") == (name == "whole")
    assert lean.about["proof"] in ("sums", "both")
    assert sum(map(len, lean.files.values())) < sum(map(len, whole.files.values()))


@pytest.mark.parametrize("seed", range(12))
def test_boards_proved_as_large_ones_are_have_the_same_verdicts(seed, tmp_path, monkeypatch):
    monkeypatch.setattr("satsweeper.certificate.certify.MANY", 0)
    position = board(12, seed, hidden=0.3)
    if seed % 2:
        position = Position(position.cells, None)
    certify(position).write(tmp_path / "c")
    found = check(tmp_path / "c", external=False, board=position.text())
    assert found.grid == tuple(classify(position, plain=True).grid())


def test_no_verdict_that_sums_do_not_prove_passes(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr("satsweeper.certificate.certify.MANY", 0)
    certificate = certify(board(6, 5, hidden=0.4))
    grid = certificate.about["grid"]
    refused = 0
    for r, c in product(range(6), repeat=2):
        mark = grid[r][c]
        for other in {"S", "M", "?"} - {mark} if mark in "SM?" else ():
            row = grid[r][:c] + other + grid[r][c + 1 :]
            about = {**certificate.about, "grid": [*grid[:r], row, *grid[r + 1 :]]}
            replace(certificate, about=about).write(tmp_path / "c")
            with pytest.raises(WrongCertificateError):
                check(tmp_path / "c", external=False)
            refused += 1
    assert refused > 20


def test_the_difference_of_two_clues_decides_what_one_has_alone() -> None:
    # Two of 1, 2, 3 and one of 2, 3, 4 are mines: 1 is one, and 4 is none. Nothing else is told.
    said = Statement(4, (((1, 2, 3), 2), ((2, 3, 4), 1)), None)
    found = prove_by_sums(said, total=False, least=None, certain=[1, -4])
    assert found.decided == {1: True, 4: False}
    assert prove_by_sums(said, total=False, least=None).decided == {}


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_a_board_of_a_million_cells_is_certified_and_checked(tmp_path: Path) -> None:
    position = board(1000, seed=1, share=0.2, hidden=0.01)
    found = certify(position)
    found.write(tmp_path / "c")
    checked = check(tmp_path / "c", board=position.text(), external=False, jobs=2)
    assert checked.grid == tuple(found.found.grid())
    assert checked.proved > 100_000


@pytest.mark.parametrize("total", [None, 4, 5, 9])
def test_layouts_searched_in_batches_show_every_unknown_cell(total, tmp_path, monkeypatch) -> None:
    # Three regions of their own, and cells that no clue counts; a total may leave them no choice.
    monkeypatch.setattr(witnesses, "_BATCH", 2)
    rows = ["?1?", "???", "???", "??2", "???", "???", "?1?", "???", "???", "???"]
    position = Position(Position.parse("\n".join(rows)).cells, total)
    certify(position).write(tmp_path / "c")
    found = check(tmp_path / "c", external=False, mines="unknown" if total is None else total)
    assert found.grid == tuple(classify(position, plain=True).grid())
    assert found.witnessed > 15
