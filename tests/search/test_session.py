"""Sessions: whole games in one session against fresh classifications and brute force."""

from collections.abc import Iterator
from itertools import count
from unittest.mock import Mock, call

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import satsweeper.search.frontier as frontier_module
import satsweeper.search.solver_group as group_module
from satsweeper import Position, Session, Status, classify
from satsweeper.board.facts import WrongModelError
from satsweeper.processes.deadline import Deadline
from satsweeper.solvers.protocol import Answer, Satisfied
from satsweeper.solvers.pysat import PysatSolver
from satsweeper.solvers.search_budget import SearchBudget
from tests.boards import Cell, boards, neighbours, verdicts


class Game:
    """A random layout of an expert board whose first click opens cells."""

    shape = (16, 30)

    def __init__(self, seed: int, mines: int = 99) -> None:
        self.draw = np.random.default_rng(seed)
        self.first = (int(self.draw.integers(1, 15)), int(self.draw.integers(1, 29)))
        near = {*neighbours(self.first, self.shape), self.first}
        free = [cell for cell in np.ndindex(self.shape) if cell not in near]
        self.mines = {free[k] for k in self.draw.choice(len(free), mines, replace=False)}

    def clue(self, cell: Cell) -> int:
        return len(self.mines.intersection(neighbours(cell, self.shape)))

    def start(self, total: int | None) -> Position:
        cells = np.full(self.shape, -1, np.int8)
        cells[self.first] = self.clue(self.first)
        return Position(cells, total)

    def play(self, session: Session) -> Iterator[tuple[Cell, int]]:
        """Open what is proved safe, else a cell that is safe, until only mines are covered."""
        while True:
            answer = session.classify()
            assert answer.status is Status.CONSISTENT
            assert not self.mines.intersection(answer.safe)
            assert self.mines.issuperset(answer.mines)
            batch = answer.safe
            if not batch:
                left = [cell for cell in answer.unknown if cell not in self.mines]
                if not left:
                    return
                batch = [left[int(self.draw.integers(len(left)))]]
            for cell in batch:
                session.reveal(cell, self.clue(cell))
                yield cell, self.clue(cell)


@pytest.mark.parametrize("total", [None, 99])
@pytest.mark.parametrize(
    ("seed", "options"),
    [
        (11, {}),
        *((seed, {"encoding": "direct", "solver": "minisat22"}) for seed in (3, 4)),
        *((seed, {"encoding": "totalizer", "solver": "minisat22"}) for seed in (3, 4)),
    ],
)
def test_a_whole_expert_game_runs_in_one_solver_and_agrees_with_fresh_answers(seed, options, total):
    open_solver = Mock(side_effect=PysatSolver)
    game = Game(seed)
    position = game.start(total)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(group_module, "open_solver", open_solver)
        with Session(position, **options) as session:
            for turn, (cell, clue) in enumerate(game.play(session)):
                position = position.with_clue(cell, clue)
                if turn % (12 if options else 5) == 0:
                    found, fresh = session.classify(), classify(position, solver="cadical195")
                    assert (found.grid(), found.status) == (fresh.grid(), fresh.status)
            calls = session.classify().stats.sat_calls
    if options:
        # It is never rebuilt.
        assert open_solver.mock_calls.count(call("minisat22")) == 1
        assert calls > 0
    opened = {(int(r), int(c)) for r, c in np.argwhere(position.cells >= 0)}
    assert opened == set(np.ndindex(game.shape)) - game.mines


@settings(max_examples=120)
@given(
    boards(most=10, consistent=True),
    st.sampled_from(["auto", "minisat22", "cadical195"]),
    st.sampled_from([1, 3, 300]),
    st.sampled_from([0, 2, 4, 15]),
    st.booleans(),
    st.data(),
)
def test_every_reveal_of_a_small_game_leaves_the_verdicts_of_brute_force(
    board, solver, group, table, spoil, data
):
    # Regions pass from tables to solvers and are joined as the game goes on.
    truth = data.draw(st.sampled_from(list(board.layouts())))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frontier_module, "_GROUP", group)
        patch.setattr(frontier_module, "MOST_CELLS", table)
        with Session(Position(board.cells, board.total), solver=solver) as session:
            while True:
                if data.draw(st.booleans()):
                    assert verdicts(session.classify()) == board.verdicts()
                covered = [cell for cell in board.at(-1) if spoil or cell not in truth]
                if not covered:
                    break
                cell = data.draw(st.sampled_from(covered))
                clue = len(truth.intersection(neighbours(cell, board.cells.shape)))
                if spoil and data.draw(st.integers(0, 5)) == 0:
                    clue = data.draw(st.integers(0, 8))
                board = board.opened(cell, clue)
                session.reveal(cell, clue)
            assert verdicts(session.classify()) == board.verdicts()


@pytest.mark.parametrize(
    ("cell", "clue", "message"),
    [
        *((cell, 0, "not on the board") for cell in [(3, 0), (0, 3), (-1, 0), (0, -1)]),
        ((0, 0), 1, "is a clue, 1"),
        ((2, 2), 1, "trusted flag"),
        *(((0, 1), clue, "is not a clue") for clue in (9, -1, True)),
    ],
)
def test_a_reveal_that_makes_no_sense_is_refused_and_changes_nothing(cell, clue, message):
    with Session(Position.parse("1??\n12?\n01F")) as session:
        before = session.classify()
        with pytest.raises(ValueError, match=message):
            session.reveal(cell, clue)
        assert session.classify() is before


@pytest.mark.parametrize("solver", ["auto", "minisat22"])
def test_opening_a_cell_that_was_proved_a_mine_makes_the_position_inconsistent(solver):
    with Session(Position.parse("1??\n12?\n01?"), solver=solver) as session:
        assert session.classify().verdict[0, 1] == "mine"
        session.reveal((0, 1), 2)
        answer = session.classify()
        assert answer.status is Status.INCONSISTENT
        assert (0, 0) in answer.conflict.clues
        session.reveal((0, 2), 0)
        assert session.classify().status is Status.INCONSISTENT
        with pytest.raises(ValueError, match="inconsistent"):
            session.explain((1, 2))


def test_an_answer_is_kept_until_something_is_opened_an_ignored_flag_as_well():
    with Session(Position.parse("1F?\n12?\n01?"), flags="ignore") as session:
        first = session.classify()
        assert session.classify() is first
        kept = first.grid()
        session.reveal((0, 1), 1)
        assert session.classify() is not first
        assert first.grid() == kept
    with Session(Position.parse("1F?\n???"), flags="ignore") as session:
        assert session.classify().verdict[0, 1] == "unknown"
        session.reveal((0, 1), 1)
        assert session.classify().grid()[0].startswith("11")


@pytest.mark.parametrize("total", [None, 3])
def test_a_wrong_model_is_never_believed(total):
    class Liar(PysatSolver):
        def solve(self, assumptions=(), conflicts=None, seconds=None) -> Answer:
            answer = super().solve(assumptions, conflicts, seconds)
            if isinstance(answer, Satisfied):
                return Satisfied([-literal for literal in answer.model])
            return answer

    position = Position.parse("???\n?3?\n???", mines=total)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(group_module, "open_solver", Liar)
        for solver in ("minisat22", "cadical195"):
            with pytest.raises(WrongModelError), Session(position, solver=solver) as session:
                session.classify()


def test_closing_twice_is_harmless_and_unknown_names_are_refused_with_the_nearest_known_one():
    with Session(Position.parse("???\n?3?\n???"), solver="minisat22") as session:
        assert session.classify().status is Status.CONSISTENT
    session.close()
    session.close()
    for names in ({"encoding": "dirct"}, {"total_encoding": "totalizr"}, {"solver": "minisat23"}):
        with pytest.raises(ValueError, match="did you mean"):
            Session(Position.parse("?1????1?", mines=3), **names)


def test_a_limit_that_stops_every_question_ends_in_the_full_answer(sample):
    # One conflict a question, so that searches are stopped and taken up again, the total's too.
    text = "?1?10?\n1?1??0\n???0??\n1?0???\n1?1?2?\n?????2\n???3??\n2?????"
    positions = [*(Position.parse(r.text) for r in sample[::3]), Position.parse(text, mines=9)]
    for position in positions:
        expected = classify(position).grid()
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("satsweeper.solvers.search_budget._FIRST_BUDGET", 1)
            for solver in ("auto", "minisat22", "cadical195"):
                result = classify(position, solver=solver, timeout=600)
                assert (result.status, result.grid()) == (Status.CONSISTENT, expected), position


def test_calls_are_counted_on_when_groups_are_joined():
    asked = []

    class Counted(PysatSolver):
        def solve(self, assumptions=(), conflicts=None, seconds=None):
            asked.append(assumptions)
            return super().solve(assumptions, conflicts, seconds)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(frontier_module, "_GROUP", 1)
        patch.setattr(group_module, "open_solver", Counted)
        board = Position.parse("??1???1??\n?????????")
        with Session(board, solver="minisat22") as session:
            apart = session.classify().stats
            session.reveal((1, 4), 1)
            joined = session.classify().stats
    assert (apart.solvers, joined.solvers) == (2, 1)
    assert joined.sat_calls == len(asked) > apart.sat_calls > 0


class Moments(Deadline):
    """The time is over after so many looks at the clock."""

    looks: int

    def passed(self) -> bool:
        self.looks -= 1
        return self.looks < 0


def opened_at_random(size: int, seed: int) -> Position:
    """A layout with a fifth of mines, 40 % of whose other cells are opened."""
    draw = np.random.default_rng(seed)
    mines = draw.random((size, size)) < 0.2
    around = np.pad(mines, 1).astype(np.int8)
    clues = sum(np.roll(around, (r, c), (0, 1)) for r in (-1, 0, 1) for c in (-1, 0, 1))
    opened = ~mines & (draw.random((size, size)) < 0.4)
    return Position(np.where(opened, clues[1:-1, 1:-1], -1), int(mines.sum()))


@pytest.mark.parametrize("encoding", ["direct", "totalizer"], ids=["tables", "solvers"])
def test_a_limit_at_any_moment_leaves_what_is_proved_and_loses_nothing(monkeypatch, encoding):
    """Reductions and setting up solvers look at the clock, too: on large boards they take long."""
    monkeypatch.setattr(frontier_module, "_GROUP", 40)
    position = opened_at_random(30, 5)
    known = verdicts(classify(position))
    stopped = []
    for looks in count():
        moments = Moments()
        moments.looks = looks
        with Session(position, encoding=encoding) as session:
            answer = session.classify(SearchBudget(moments))
            if answer.status is not Status.UNDECIDED:
                break
            stopped.append(answer.stats)
            for cell, verdict in answer.verdict.items():
                assert str(verdict) in ("unknown", known[cell])
            assert verdicts(session.classify()) == known
    assert verdicts(answer) == known
    assert stopped[0].clauses == stopped[0].by_tables == 0
    assert len({(stats.by_rules, stats.by_tables, stats.clauses) for stats in stopped}) > 3
