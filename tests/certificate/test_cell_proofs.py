"""A certain cell by itself: proved from the clues that explain it, and from nothing else."""

from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from satsweeper.position import Position

Checked = Callable[..., Any]


def entry(cell: tuple[int, int], verdict: str, clues: list[list[int]], total: bool) -> Any:
    return {"cell": list(cell), "verdict": verdict, "clues": clues, "total": total}


def constraints(opb: bytes) -> int:
    return sum(not line.startswith(b"*") for line in opb.splitlines())


def test_a_proof_holds_the_clues_that_are_needed_and_no_other(checked: Checked) -> None:
    # No two of the first three clues decide the cell; the fourth has nothing to do with it.
    board = Position.parse("01????\n12???2\n??????\n")
    certificate, found = checked(board, cells=[(2, 2)])
    (proof,) = certificate.about["cells"]
    assert (proof["cell"], proof["verdict"], proof["total"]) == ([2, 2], "safe", False)
    assert proof["clues"] == [[0, 1], [1, 0], [1, 1]]
    assert constraints(certificate.files["cells/2_2/clues.opb"]) == 3
    assert constraints(certificate.files["clues.opb"]) == 4
    assert found.cells == 1


def test_the_total_is_among_the_premises_only_where_it_is_needed(checked: Checked) -> None:
    certificate, found = checked(Position.parse("1 3 1\n1??\n"), cells=[(0, 1), (0, 2), (0, 1)])
    assert certificate.about["cells"] == [
        entry((0, 1), "mine", [[0, 0]], False),
        entry((0, 2), "safe", [[0, 0]], True),
    ]
    assert found.cells == 2
    assert constraints(certificate.files["cells/0_1/clues.opb"]) == 1
    assert constraints(certificate.files["cells/0_2/clues.opb"]) == 2
    alone, _ = checked(Position.parse("2 3 0\n???\n???\n"), cells=[(1, 2)])
    assert alone.about["cells"] == [entry((1, 2), "safe", [], True)]


def test_a_flag_that_is_trusted_counts(checked: Checked) -> None:
    certificate, _ = checked(Position.parse("1F\n1?\n"), cells=[(1, 1)])
    (proof,) = certificate.about["cells"]
    assert (proof["verdict"], len(proof["clues"]), proof["total"]) == ("safe", 1, False)
    ignored, _ = checked(Position.parse("1F\n1?\n"), flags="ignore")
    assert ignored.about["grid"] == ["1?", "1?"]


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_every_certain_cell_can_be_proved_by_itself(
    checked: Checked, small_boards: Callable[..., Any], data: st.DataObject
) -> None:
    board = data.draw(small_boards(most=7, consistent=True))
    try:
        position = Position(board.cells, board.total)
    except ValueError:
        assume(False)
    verdicts = board.verdicts()
    certain = [cell for cell, verdict in verdicts.items() if verdict != "unknown"]
    names = st.sampled_from(["direct", "totalizer", "sequential_counter", "knuth_counter"])
    encodings = {"encoding": data.draw(names), "total_encoding": data.draw(names)}
    certificate, found = checked(position, cells=certain, **encodings)
    assert found.cells == len(certain)
    for proof in certificate.about["cells"]:
        cell, clues = tuple(proof["cell"]), [tuple(clue) for clue in proof["clues"]]
        assert proof["verdict"] == verdicts[cell]
        # Trusted flags are given with the board: they need no proof.
        layouts = board.layouts(clues=clues, total=proof["total"])
        assert {cell in mines for mines in layouts} == {proof["verdict"] == "mine"}


def test_all_certain_cells_are_proved_one_by_one_on_request(checked: Checked) -> None:
    certificate, found = checked(Position.parse("2 3 2\n1??\n12?\n"), cells="all")
    proved = {tuple(proof["cell"]) for proof in certificate.about["cells"]}
    certain = {*certificate.found.safe, *certificate.found.mines}
    assert proved == certain
    assert found.cells == found.proved == len(certain) > 0


def test_of_an_inconsistent_board_no_cell_is_certain(checked: Checked) -> None:
    certificate, found = checked(Position.parse("?2?0\n"), cells="all")
    assert (certificate.about["status"], certificate.about["cells"]) == ("inconsistent", [])
    assert found.cells == 0
