"""Large boards: sums of one or two clues prove most of what is certain, clauses only the rest."""

import random
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest

from satsweeper import Position, certify, check, classify
from satsweeper.certificate import witnesses
from satsweeper.certificate.formula import Statement
from satsweeper.certificate.sums import prove_by_sums
from satsweeper.checker.errors import WrongCertificateError


def board(side: int, seed: int, share: float = 0.16, hidden: float = 0.04) -> Position:
    """All cells open but mines, and some more."""
    rng = random.Random(seed)
    mines = {cell for cell in product(range(side), repeat=2) if rng.random() < share}

    def shown(r: int, c: int) -> str:
        if (r, c) in mines or rng.random() < hidden:
            return "?"
        around = product((r - 1, r, r + 1), (c - 1, c, c + 1))
        return str(sum(cell in mines for cell in around))

    rows = ["".join(shown(r, c) for c in range(side)) for r in range(side)]
    return Position.parse(f"{side} {side} {len(mines)}\n" + "\n".join(rows) + "\n")


def test_a_large_board_is_proved_by_sums_and_clauses_and_the_other_way_by_clauses_alone(
    tmp_path: Path,
) -> None:
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
def test_boards_proved_as_large_ones_are_have_the_same_verdicts(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satsweeper.certificate.certify.MANY", 0)
    position = board(12, seed, hidden=0.3)
    if seed % 2:
        position = replace_total(position)
    certify(position).write(tmp_path / "c")
    found = check(tmp_path / "c", external=False, board=position.text())
    assert found.grid == tuple(classify(position, plain=True).grid())


def replace_total(position: Position) -> Position:
    return Position(position.cells, None)


def test_no_verdict_that_sums_do_not_prove_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("satsweeper.certificate.certify.MANY", 0)
    certificate = certify(board(6, 5, hidden=0.4))
    grid = certificate.about["grid"]
    refused = 0
    for r, row in enumerate(grid):
        for c, mark in enumerate(row):
            for other in {"S", "M", "?"} - {mark} if mark in "SM?" else ():
                rows = [*grid]
                rows[r] = row[:c] + other + row[c + 1 :]
                forged = replace(certificate, about={**certificate.about, "grid": rows})
                forged.write(tmp_path / "c")
                with pytest.raises(WrongCertificateError):
                    check(tmp_path / "c", external=False)
                refused += 1
    assert refused > 20


def test_the_difference_of_two_clues_decides_what_one_has_alone() -> None:
    # Two of 1, 2, 3 and one of 2, 3, 4 are mines: 1 is one, and 4 is none. Nothing else is told.
    said = Statement(4, (((1, 2, 3), 2), ((2, 3, 4), 1)), None)
    assert prove_by_sums(said, total=False, least=None, certain=[1, -4]).decided == {
        1: True,
        4: False,
    }
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
def test_layouts_searched_in_batches_show_every_unknown_cell(
    total: int | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Three regions of their own, and cells that no clue counts; a total may leave them no choice.
    monkeypatch.setattr(witnesses, "_BATCH", 2)
    rows = ["?1?", "???", "???", "??2", "???", "???", "?1?", "???", "???", "???"]
    position = Position(Position.parse("\n".join(rows)).cells, total)
    certify(position).write(tmp_path / "c")
    found = check(tmp_path / "c", external=False, mines="unknown" if total is None else total)
    assert found.grid == tuple(classify(position, plain=True).grid())
    assert found.witnessed > 15
