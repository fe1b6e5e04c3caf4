"""Certificates of small boards: what they say is what all layouts say, and the checker agrees."""

import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf.encoders.table import expresses
from satsweeper.certificate.certify import certify
from satsweeper.certificate.formula import ENCODINGS
from satsweeper.position import KEEP, Position
from tests.boards import boards

NAMES = st.sampled_from(["direct", "totalizer", "sequential_counter", "knuth_counter"])


@settings(max_examples=100)
@given(boards(most=9), st.sampled_from(["trust", "ignore"]))
def test_a_certificate_says_what_all_layouts_say_and_is_verified(compared, board, flags) -> None:
    compared(board, flags)


@settings(max_examples=50)
@given(boards(most=8), NAMES, NAMES)
def test_every_derivable_encoding_serves_clues_and_total(compared, board, clues, total) -> None:
    compared(board, encoding=clues, total_encoding=total)


SHAPES = {
    "one covered cell": ("?", None), "a mine by the total": ("?", 1), "safe by the total": ("?", 0),
    "nothing covered": ("00 00", 0), "one clue alone": ("0", None),
    "all covered, nothing known": ("??? ???", None), "all covered, all mines": ("??? ???", 6),
    "all covered, no mines": ("??? ???", 0), "all covered, some mines": ("??? ???", 2),
    "a flag alone, total exceeded": ("F?", 1), "a frontier and an interior": ("1??? ????", None),
    "an interior that is safe by the total": ("1??? 1???", 1),
    "an interior that is mines by the total": ("1??? 1???", 5),
    "an interior that the clues leave open": ("1?? 11? ???", None),
    "a total that leaves the interior full": ("1???? 11???", 8),
    "mines fit with a total between bounds": ("?1??? ?1???", 2),
    "all mines needed by one clue": ("5?? ???", None), "two clues that clash": ("?1 2?", None),
    "a clue against the total": ("2?? ???", 1), "a total too large": ("1?? 1??", 6),
    "flags around a clue": ("F1? F2?", None),
    "a flag more than the clue allows": ("F1F ?1?", None),
}  # fmt: skip


@pytest.mark.parametrize("flags", ["trust", "ignore"])
@pytest.mark.parametrize(("text", "total"), SHAPES.values(), ids=SHAPES.keys())
def test_boards_of_every_shape(compared, make_board, text, total, flags) -> None:
    board = make_board(text, total)
    try:
        Position(board.cells, total)
    except ValueError:
        pytest.skip("this is refused as a position")
    compared(board, flags)


SOLVERS = ["glucose3", "glucose4", "cadical103", "cadical153", "cadical195", "ergo", "gluecard4",
           "lingeling", "maplechrono", "maplecm"]  # fmt: skip


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize(
    ("text", "total"), [("1?? 12? 01?", None), ("1???? 2???? 11???", 3), ("?1? 1?3 ???", 1)]
)
def test_proofs_of_many_solvers_are_verified(compared, make_board, solver, text, total) -> None:
    compared(make_board(text, total), solver=solver)


@pytest.mark.parametrize(
    ("options", "why"),
    [({"solver": "minisat22"}, "solver 'minisat22' cannot certify: it writes no proofs"),
     ({"solver": "maplesat"}, "solver 'maplesat' cannot certify: it writes no proofs"),
     ({"solver": "mergesat3"}, "solver 'mergesat3' cannot certify"),
     ({"solver": "kissat404"}, "solver 'kissat404' cannot classify"),
     ({"solver": "glucose5"}, "unknown solver 'glucose5'; did you mean 'glucose4'"),
     ({"total_encoding": "modulo_totalizer"}, "total encoding 'modulo_totalizer' cannot be"),
     ({"encoding": "directt"}, "'directt'"), ({"cells": [(0, 0)]}, "cell (0, 0) is a clue"),
     ({"cells": [(0, 2)]}, "cell (0, 2) is unknown: only certain verdicts have proofs"),
     ({"cells": [(3, 0)]}, "cell (3, 0) is not on the board")],
)  # fmt: skip
def test_what_cannot_be_certified_is_refused_with_the_reason(options, why) -> None:
    with pytest.raises(ValueError, match=re.escape(why)):
        certify(Position.parse("1??\n"), **options)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_certificate_is_accepted_for_each_clue_that_its_encoding_expresses(
    compared, make_board, encoding: str
) -> None:
    for mines in (0, 1, 4, 7, 8):
        clue = f"??? ?{mines}? ???"
        if mines in (0, 8) or expresses(encoding, 8, mines, mines):
            compared(make_board(clue, None), encoding=encoding)
        else:
            with pytest.raises(ValueError, match=f"{encoding} cannot express {mines} <= sum"):
                compared(make_board(clue, None), encoding=encoding)


def answer(grid: list[str]) -> str:
    return "".join(mark if mark in "SM?" else "." for row in grid for mark in row)


@pytest.mark.parametrize("with_total", [True, False], ids=["total known", "total unknown"])
def test_every_verdict_of_the_sample_is_certified(checked, sample, with_total) -> None:
    for record in sample:
        expected = record.known if with_total else record.unknown
        if expected == "-":
            continue
        position = Position.parse(record.text, mines=KEEP if with_total else None)
        certificate, found = checked(position)
        assert answer(certificate.about["grid"]) == expected
        assert found.proved == expected.count("S") + expected.count("M")
        assert found.witnessed == expected.count("?")


def test_a_cell_of_a_large_board_has_a_short_proof_of_its_own(checked, sample) -> None:
    records = [record for record in sample if record.name.startswith("exp")]
    record = max(records, key=lambda record: sum(mark in "SM" for mark in record.unknown))
    position = Position.parse(record.text, mines=None)
    certificate, _ = checked(position)
    certain = [*certificate.found.safe, *certificate.found.mines]
    alone, found = checked(position, cells=certain[:3])
    assert found.cells == 3
    whole = len(alone.files["refutation.cnf"])
    for row, column in certain[:3]:
        assert len(alone.files[f"cells/{row}_{column}/refutation.cnf"]) < whole / 10


def entry(cell: tuple[int, int], verdict: str, clues: list[list[int]], total: bool) -> Any:
    return {"cell": list(cell), "verdict": verdict, "clues": clues, "total": total}


def constraints(opb: bytes) -> int:
    return sum(not line.startswith(b"*") for line in opb.splitlines())


def test_a_proof_holds_the_clues_that_are_needed_and_no_other(checked) -> None:
    # No two of the first three clues decide the cell; the fourth has nothing to do with it.
    board = Position.parse("01????\n12???2\n??????\n")
    certificate, found = checked(board, cells=[(2, 2)])
    (proof,) = certificate.about["cells"]
    assert (proof["cell"], proof["verdict"], proof["total"]) == ([2, 2], "safe", False)
    assert proof["clues"] == [[0, 1], [1, 0], [1, 1]]
    assert constraints(certificate.files["cells/2_2/clues.opb"]) == 3
    assert constraints(certificate.files["clues.opb"]) == 4
    assert found.cells == 1


def test_the_total_is_among_the_premises_only_where_it_is_needed(checked) -> None:
    certificate, found = checked(Position.parse("1 3 1\n1??\n"), cells=[(0, 1), (0, 2), (0, 1)])
    cells = [entry((0, 1), "mine", [[0, 0]], False), entry((0, 2), "safe", [[0, 0]], True)]
    assert certificate.about["cells"] == cells
    assert found.cells == 2
    assert constraints(certificate.files["cells/0_1/clues.opb"]) == 1
    assert constraints(certificate.files["cells/0_2/clues.opb"]) == 2
    alone, _ = checked(Position.parse("2 3 0\n???\n???\n"), cells=[(1, 2)])
    assert alone.about["cells"] == [entry((1, 2), "safe", [], True)]


def test_a_flag_that_is_trusted_counts(checked) -> None:
    certificate, _ = checked(Position.parse("1F\n1?\n"), cells=[(1, 1)])
    (proof,) = certificate.about["cells"]
    assert (proof["verdict"], len(proof["clues"]), proof["total"]) == ("safe", 1, False)
    ignored, _ = checked(Position.parse("1F\n1?\n"), flags="ignore")
    assert ignored.about["grid"] == ["1?", "1?"]


@settings(max_examples=25)
@given(boards(most=7, consistent=True), NAMES, NAMES)
def test_every_certain_cell_can_be_proved_by_itself(checked, board, clues, total) -> None:
    position = Position(board.cells, board.total)
    verdicts = board.verdicts()
    certain = [cell for cell, verdict in verdicts.items() if verdict != "unknown"]
    certificate, found = checked(position, cells=certain, encoding=clues, total_encoding=total)
    assert found.cells == len(certain)
    for proof in certificate.about["cells"]:
        cell, named = tuple(proof["cell"]), [tuple(clue) for clue in proof["clues"]]
        assert proof["verdict"] == verdicts[cell]
        # Trusted flags are given with the board: they need no proof.
        layouts = board.layouts(clues=named, total=proof["total"])
        assert {cell in mines for mines in layouts} == {proof["verdict"] == "mine"}


def test_all_certain_cells_are_proved_one_by_one_on_request_none_of_an_inconsistent_board(checked):
    certificate, found = checked(Position.parse("2 3 2\n1??\n12?\n"), cells="all")
    proved = {tuple(proof["cell"]) for proof in certificate.about["cells"]}
    certain = {*certificate.found.safe, *certificate.found.mines}
    assert proved == certain
    assert found.cells == found.proved == len(certain) > 0
    certificate, found = checked(Position.parse("?2?0\n"), cells="all")
    assert (certificate.about["status"], certificate.about["cells"]) == ("inconsistent", [])
    assert found.cells == 0
