"""Searches run in a process of their own: on time, stopped from another thread, closed at once."""

import threading
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest

from satsweeper.board.size import BoardSize
from satsweeper.play.draw import FirstClick, game_layout
from satsweeper.play.game import Minefield
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.worker import WorkerDiedError
from satsweeper.show.play import searches
from satsweeper.show.play.searches import Hints, SearchResult

CORNER = "1??\n12?\n01?\n"
"""(0, 2) is safe, (0, 1) a mine; one of the other two is."""


def test_a_process_answers_and_goes_on_answering() -> None:
    with closing(Hints(60, searches.start)) as hints:
        position = Position.parse(CORNER, mines=2)
        assert hints.ask(searches.start) is not None
        found = hints.ask(searches.certain, position)
        index = position.geometry.index
        assert found is not None
        assert (found.safe, found.mines) == (1 << index((0, 2)), 1 << index((0, 1)))
        found = hints.ask(searches.why, position, (0, 2))
        assert found is not None
        assert found.said.startswith("(0, 2) is safe: ")
    assert hints.ask(searches.certain, position) is None


def test_a_search_is_stopped_from_another_thread_and_the_next_one_answers(odd_jobs) -> None:
    with closing(Hints(600, searches.start)) as hints:
        assert hints.ask(searches.start) is not None
        answers: list[object] = []
        searching = threading.Thread(
            target=lambda: answers.append(hints.ask(odd_jobs.telling)), daemon=True
        )
        searching.start()
        while searching.is_alive():
            hints.stop()
            searching.join(0.05)
        assert answers == [None]
        assert hints.ask(searches.certain, Position.parse(CORNER, mines=2)) is not None


def test_closing_ends_a_search_that_would_take_minutes(odd_jobs) -> None:
    hints = Hints(600, searches.start)
    answers: list[object] = []
    searching = threading.Thread(
        target=lambda: answers.append(hints.ask(odd_jobs.telling)), daemon=True
    )
    searching.start()
    hints.close()
    searching.join(60)
    assert answers == [None]


def test_a_limit_is_kept_and_what_was_found_by_then_is_the_answer(odd_jobs) -> None:
    with closing(Hints(0.3, searches.start)) as hints:
        assert hints.ask(odd_jobs.telling) == SearchResult(
            said="Nothing found within 0.3 s.", whole=False
        )
        assert hints.ask(odd_jobs.telling, SearchResult(said="so far")) == SearchResult(
            said="so far"
        )


def test_a_search_that_dies_is_no_answer(odd_jobs) -> None:
    died = pytest.raises(WorkerDiedError, match=r"^the search for hints ended unexpectedly")
    with closing(Hints(60, searches.start)) as hints, died:
        hints.ask(odd_jobs.leaving, 3)


def test_what_a_limit_leaves_of_a_reason_is_its_verdict() -> None:
    told: list[SearchResult] = []
    found = searches.why(told.append, Deadline(), Position.parse(CORNER), (0, 1))
    (partial,) = told
    assert partial.said == "(0, 1) is a mine; the limit came before the reason."
    assert partial.mines == found.mines == 1 << 1
    assert found.whole > partial.whole


def test_odds_that_take_too_long_are_refused_in_words() -> None:
    layout = game_layout(BoardSize(60, 60, 700), (0, 0), FirstClick.SAFE, seed=1)
    half = sum(1 << index for index in range(0, layout.geometry.size, 2))
    position = Minefield(layout, layout.free & half).position()
    found = searches.odds(None, Deadline.after(0.0), position)
    assert found.said.startswith("No odds: ")
    assert found.chances is None
    assert not found.whole


def test_a_move_is_certain_or_else_the_safest_guess() -> None:
    position = Position.parse("1??\n12?\n01?\n", mines=2)
    found = searches.move(lambda part: None, Deadline(), position)
    assert found.safe
    assert found.guess is None
    stuck = searches.move(lambda part: None, Deadline(), Position.parse("1?\n1?\n", mines=1))
    assert (stuck.safe, stuck.chance) == (0, Fraction(1, 2))


def test_another_strategy_guesses_where_nothing_is_certain(monkeypatch) -> None:
    monkeypatch.chdir(Path(__file__).parents[2] / "data")
    position = Position.parse("?102?\n?102?\n", mines=3)
    guesses = {
        name: searches.move(lambda part: None, Deadline(), position, name)
        for name in ("safest", "odd_strategies:last")
    }
    assert {found.chance for found in guesses.values()} == {Fraction(1, 2)}
    assert {found.mines for found in guesses.values()} == {
        sum(1 << position.geometry.index((row, 4)) for row in range(2))
    }
    assert [position.geometry.cell(found.guess) for found in guesses.values()] == [(0, 0), (1, 0)]
    with pytest.raises(ValueError, match="unknown strategy"):
        searches.move(lambda part: None, Deadline(), position, "safset")
