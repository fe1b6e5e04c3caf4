"""Where search gives up at once, sums of clues and what follows say the same as brute force."""

import pytest
from hypothesis import given, settings

from satsweeper import Position, Session, classify
from satsweeper.answers.classification import Status
from satsweeper.board.errors import DefectError
from satsweeper.board.facts import WrongModelError
from satsweeper.families.chessboard import chessboard_with_private_cells as private_chessboard
from satsweeper.families.chessboard import mutilated_chessboard, parity_lattice
from satsweeper.families.lattice import planted
from satsweeper.linear.elimination import eliminate
from satsweeper.processes.deadline import Deadline
from satsweeper.search import algebraic_fallback
from satsweeper.solvers.search_budget import SearchBudget
from tests.boards import boards, verdicts
from tests.commands import need_highs


def test_verdicts_are_those_of_brute_force_where_search_has_no_budget():
    looked = 0

    @settings(max_examples=300)
    @given(boards())
    def claim(board):
        nonlocal looked
        position = Position(board.cells, board.total)
        # A solver that is named keeps regions out of tables.
        with Session(position, solver="minisat22") as session:
            found = session.classify(SearchBudget(conflicts=0))
        looked += bool(found.stats.hard_regions)
        assert verdicts(found) == board.verdicts()

    claim()
    assert looked > 3


@pytest.mark.parametrize(
    ("position", "by"), [(mutilated_chessboard(20), "modulo 3"), (parity_lattice(20), "modulo 2")]
)
def test_boards_that_are_hard_for_resolution_are_refuted(position, by):
    found = classify(position)
    assert found.status is Status.INCONSISTENT
    assert [(region.refuted, region.by) for region in found.stats.hard_regions] == [(True, (by,))]
    assert found.conflict.clues


def test_what_only_the_whole_board_decides_is_found():
    need_highs()
    found = classify(private_chessboard(16))
    [region] = found.stats.hard_regions
    assert (len(found.safe), found.stats.by_sums) == (2, 2)
    assert (region.decided, region.refuted) == (2, False)


def test_layouts_that_the_linear_program_comes_upon_are_not_asked_for_again():
    need_highs()
    position = planted(10)
    with Session(position) as session:
        found = session.classify(SearchBudget(conflicts=0))
    assert found.stats.hard_regions
    assert found.grid() == classify(position, engine="sat").grid()
    # A question for each layout is what search needs.
    assert found.stats.sat_calls < found.stats.models


def test_a_layout_that_is_none_and_wrong_rows_are_a_defect_and_no_verdict(monkeypatch):
    def no_layout(equations, left):
        found = prove(equations, left)
        found.solutions = [frozenset()]
        return found

    def wrong(equations, modulus, long):
        found = eliminate(equations, modulus, long=long)
        rows = [row._replace(value=(row.value + 1) % modulus) for row in found.rows]
        return found._replace(rows=rows)

    prove = algebraic_fallback.prove_without_search
    monkeypatch.setattr(algebraic_fallback, "prove_without_search", no_layout)
    session = Session(Position.parse("1??\n???\n??1"), solver="minisat22")
    with session, pytest.raises(WrongModelError):
        session.classify(SearchBudget(conflicts=0))
    monkeypatch.setattr("satsweeper.linear.elimination.eliminate", wrong)
    with pytest.raises(DefectError):
        prove([((1, 2), 1), ((1, 2, 3), 1)], lambda: None)


def test_the_engine_sat_does_without():
    with Session(mutilated_chessboard(12), beyond=False) as session:
        found = session.classify(SearchBudget(Deadline.after(1.0)))
    assert (found.status, found.engine) == (Status.UNDECIDED, "sat")
    assert found.stats.hard_regions == ()
