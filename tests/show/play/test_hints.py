"""Hints are what brute force finds, tell nothing else, come in time, and can be stopped."""

import threading
from contextlib import closing
from fractions import Fraction
from functools import partial
from importlib import import_module
from typing import Any, cast

import pytest

from satsweeper.board.codes import MAX_CLUE
from satsweeper.board.size import BoardSize
from satsweeper.play.draw import FirstClick, game_layout
from satsweeper.play.game import Game, Minefield
from satsweeper.play.until_stuck import UnsafeCellError
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline
from satsweeper.processes.worker import WorkerDiedError
from satsweeper.show.play import searches
from satsweeper.show.play.drawing import Look
from satsweeper.show.play.searches import Hints, SearchResult
from satsweeper.show.sentences import percent
from tests.show.play.screen import Direct, on, play


@pytest.fixture
def odd_jobs(data, monkeypatch):
    """Jobs that never end and the like, where other processes find them as well."""
    monkeypatch.syspath_prepend(str(data / "processes"))
    return import_module("odd_jobs")


DOT = "\N{MIDDLE DOT}"
CORNER = "1??\n12?\n01?\n"
"""(0, 2) is safe, (0, 1) a mine; one of the other two is."""


def test_a_process_answers_and_goes_on_answering():
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


def in_a_thread(hints: Hints, odd_jobs: Any) -> tuple[threading.Thread, list[object]]:
    """A search without end that has begun, and where its answer will be."""
    answers: list[object] = []
    search = threading.Thread(
        target=lambda: answers.append(hints.ask(odd_jobs.telling)), daemon=True
    )
    search.start()
    return search, answers


def test_a_search_is_stopped_from_another_thread_and_the_next_one_answers(odd_jobs):
    with closing(Hints(600, searches.start)) as hints:
        assert hints.ask(searches.start) is not None
        searching, answers = in_a_thread(hints, odd_jobs)
        while searching.is_alive():
            hints.stop()
            searching.join(0.05)
        assert answers == [None]
        assert hints.ask(searches.certain, Position.parse(CORNER, mines=2)) is not None


def test_closing_ends_a_search_that_would_take_minutes(odd_jobs):
    hints = Hints(600, searches.start)
    searching, answers = in_a_thread(hints, odd_jobs)
    hints.close()
    searching.join(60)
    assert answers == [None]


def test_a_limit_is_kept_and_what_was_found_by_then_is_the_answer(odd_jobs):
    nothing, some = SearchResult(said="Nothing found within 0.3 s.", whole=False), "so far"
    with closing(Hints(0.3, searches.start)) as hints:
        assert hints.ask(odd_jobs.telling) == nothing
        assert hints.ask(odd_jobs.telling, SearchResult(said=some)) == SearchResult(said=some)


def test_a_search_that_dies_is_no_answer(odd_jobs):
    died = pytest.raises(WorkerDiedError, match=r"^the search for hints ended unexpectedly")
    with closing(Hints(60, searches.start)) as hints, died:
        hints.ask(odd_jobs.leaving, 3)


def test_what_a_limit_leaves_of_a_reason_is_its_verdict():
    told: list[SearchResult] = []
    found = searches.why(told.append, Deadline(), Position.parse(CORNER), (0, 1))
    (partial,) = told
    assert partial.said == "(0, 1) is a mine; the limit came before the reason."
    assert partial.mines == found.mines == 1 << 1
    assert found.whole > partial.whole


def test_odds_that_take_too_long_are_refused_in_words():
    layout = game_layout(BoardSize(60, 60, 700), (0, 0), FirstClick.SAFE, seed=1)
    half = sum(1 << index for index in range(0, layout.geometry.size, 2))
    position = Minefield(layout, layout.free & half).position()
    found = searches.odds(None, Deadline.after(0.0), position)
    assert found.said.startswith("No odds: ")
    assert found.chances is None
    assert not found.whole


def test_of_equal_guesses_the_one_beside_a_clue_comes_first():
    # One mine is beside the clue, the other one in the first two cells.
    found = searches.odds(None, Deadline(), Position.parse("???1?\n", mines=2))
    assert found.said == "Safest guess: (0, 2), a mine with 50 %; 3 others as safe."
    assert found.marks == {(0, 2)}


def test_a_move_is_certain_or_else_the_safest_guess():
    found = searches.move(lambda part: None, Deadline(), Position.parse(CORNER, mines=2))
    assert found.safe
    assert found.guess is None
    stuck = searches.move(lambda part: None, Deadline(), Position.parse("1?\n1?\n", mines=1))
    assert (stuck.safe, stuck.chance) == (0, Fraction(1, 2))


def test_another_strategy_guesses_where_nothing_is_certain(monkeypatch, data):
    monkeypatch.chdir(data)
    position = Position.parse("?102?\n?102?\n", mines=3)
    geometry = position.geometry
    mines = sum(1 << geometry.index((row, 4)) for row in range(2))
    for name, cell in (("safest", (0, 0)), ("odd_strategies:last", (1, 0))):
        found = searches.move(lambda part: None, Deadline(), position, name)
        assert (found.chance, found.mines) == (Fraction(1, 2), mines)
        assert geometry.cell(found.guess) == cell
    with pytest.raises(ValueError, match="unknown strategy"):
        searches.move(lambda part: None, Deadline(), position, "safset")


ROWS = ["*....", ".....", "..*..", "*....", "....*"]


def board_seen(seen, make_board):
    """What the screen shows of a game without hints, as the oracle takes it."""
    rows = [row.replace(" ", "0").replace(DOT, "?") for row in seen.board]
    return make_board(
        "\n".join(row.replace("F", "?") for row in rows), seen.app.session.game.board.mines
    )


@on(ROWS)
async def test_s_shows_exactly_the_cells_that_all_layouts_agree_on(seen, make_board) -> None:
    await seen.press("end", "enter")
    verdicts = board_seen(seen, make_board).verdicts()
    await seen.press("s")
    shown = {(r, c): sign for r, row in enumerate(seen.board) for c, sign in enumerate(row)}
    sign = {"safe": "S", "mine": "M", "unknown": DOT}
    assert {cell: shown[cell] for cell in verdicts} == {c: sign[v] for c, v in verdicts.items()}
    assert set(verdicts.values()) == {"safe", "mine", "unknown"}
    for cell, verdict in verdicts.items():
        if verdict != "unknown":
            assert str(cell) in seen.said
    before = seen.board
    await seen.press("s")
    assert "S" not in "".join(seen.board) != "".join(before)


@on(ROWS)
async def test_o_shows_the_share_of_layouts_with_a_mine_and_b_goes_to_the_least(
    seen, make_board
) -> None:
    await seen.press("end", "enter")
    board = board_seen(seen, make_board)
    layouts = list(board.layouts())
    shares = {
        cell: Fraction(sum(cell in mines for mines in layouts), len(layouts))
        for cell in board.verdicts()
    }
    clues = [(r, c) for r in range(5) for c in range(5) if seen.board[r][c] in " 123"]
    near = {(r + down, c + right) for r, c in clues for down in (-1, 0, 1) for right in (-1, 0, 1)}
    await seen.press("o")
    (apart,) = {share for cell, share in shares.items() if cell not in near}
    assert seen.said.endswith(f" Away from the clues: {percent(apart)}.")
    for cell, share in shares.items():
        sign = {Fraction(0): "S", Fraction(1): "M"}.get(share, f"{int(share * 100):02}")
        seen.app.session.cursor = cell
        seen.app._show("")
        x, y = seen.app.board.viewport.place_of(cell)
        # Cells away from the clues have one chance, which stands in the message.
        drawn = seen.lines[1 + y][x - 1 : x + 3]
        assert drawn == f"[{sign if cell in near else DOT:<2}]"
        if 0 < share < 1:
            said = seen.where.rpartition("a mine with ")[2].removesuffix(" %")
            assert float(said) == pytest.approx(float(share * 100), abs=0.05)
    least = min(shares.values())
    await seen.press("b")
    best = seen.app.session.cursor
    assert shares[best] == least
    await seen.press("end")
    x, y = seen.app.board.viewport.place_of(best)
    assert seen.lines[1 + y][x - 1 : x + 3 : 3] == "()"
    await seen.press("o")
    assert "." not in "".join(seen.board)


@on(ROWS)
async def test_question_mark_names_and_marks_clues_that_alone_force_the_verdict(
    seen, make_board
) -> None:
    await seen.press("end", "enter")
    board = board_seen(seen, make_board)
    for cell, verdict in board.verdicts().items():
        seen.app.session.cursor = cell
        await seen.press("?")
        marks = seen.app.overlay.marks
        if verdict == "unknown":
            assert "is not certain" in seen.said
            assert not marks
            continue
        noun = "a mine" if verdict == "mine" else "safe"
        assert seen.said.startswith(f"{cell} is {noun}: ")
        assert noun in seen.where
        total = "total" in seen.said
        layouts = list(board.layouts(clues=sorted(marks), total=total))
        assert {cell in mines for mines in layouts} == {verdict == "mine"}
        for clue in marks:
            assert str(clue) in seen.said
            x, y = seen.app.board.viewport.place_of(clue)
            assert seen.lines[1 + y][x - 1] == "("


def test_hints_know_the_position_and_nothing_else():
    # Two layouts that look alike as far as they are open: the screens are equal at every step.
    screens = []

    async def script(seen) -> None:
        await seen.press("end", "j", "j", "j", "left", "enter")
        for key in ("s", "o", "?", "escape"):
            await seen.press(key)
            screens.append(seen.lines)

    for rows in (["*...", "....", "....", "...*"], ["....", "*...", "....", "...*"]):
        given = cast(Direct, play(script, rows).asked).given
        assert given
        for position, *others in given:
            assert isinstance(position, Position)
            assert all(isinstance(other, tuple) for other in others)
    assert screens[:4] == screens[4:]


@on(ROWS)
async def test_flags_that_are_wrong_mislead_no_hint(seen, make_board) -> None:
    await seen.press("end", "enter")
    verdicts = board_seen(seen, make_board).verdicts()
    safe = next(cell for cell, verdict in verdicts.items() if verdict == "safe")
    seen.app.session.cursor = safe
    await seen.press("f", "s")
    assert seen.board[safe[0]][safe[1]] == "W"
    assert seen.where.endswith("covered, flagged, but safe")
    others = {cell for cell, verdict in verdicts.items() if verdict == "mine"}
    assert all(seen.board[row][column] == "M" for row, column in others)


@on(game=Game("30x16/99", "opening", seed=7, number=1))
async def test_a_plays_certain_cells_until_stuck_and_then_says_that_it_guesses(seen) -> None:
    await seen.press("a")
    session = seen.app.session
    assert session.game.start == (0, 0)
    assert seen.said.endswith("now no cell is certain: a guesses.")
    assert not session.game.lost
    assert not session.game.flags & ~session.game.layout.mines
    covered = session.covered.bit_count()
    await seen.press("a")
    assert seen.said.startswith("A guess, as no cell is certain: (")
    assert " %" in seen.said
    assert session.covered.bit_count() < covered
    # A guess is one move; all that was certain is one as well.
    await seen.press("u")
    assert session.covered.bit_count() == covered


@on(ROWS)
async def test_a_step_opens_all_that_is_certain_now(seen, make_board) -> None:
    await seen.press("end", "enter")
    verdicts = board_seen(seen, make_board).verdicts()
    await seen.press(".")
    for cell, verdict in verdicts.items():
        code = seen.app.session.codes[seen.app.session.game.geometry.index(cell)]
        if verdict == "safe":
            assert code <= MAX_CLUE
        assert (seen.board[cell[0]][cell[1]] == "F") == (verdict == "mine")


@on(game=Game("16x16/40", "opening", seed=0))
async def test_capital_a_plays_to_the_end(seen) -> None:
    await seen.press("A")
    assert seen.status.endswith(("won", "lost"))
    assert seen.app.session.over
    await seen.press("a")
    assert seen.said.startswith("You have ")


class Held(Direct):
    """A search that ends when it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.go, self.begun = threading.Event(), threading.Event()
        self.stopped = False

    def ask(self, job, *arguments):
        self.begun.set()
        self.go.wait(60)
        return None if self.stopped else SearchResult(safe=-1, said="found at last")

    def stop(self) -> None:
        self.stopped = True
        self.go.set()

    close = stop


@pytest.mark.parametrize("stop", ["escape", "enter", "n n"])
@on(asked=Held)
async def test_a_long_search_freezes_nothing_and_ends_with_its_position(seen, stop) -> None:
    await seen.pilot.press("o")
    assert seen.app.asked.begun.wait(60)
    await seen.pilot.press("right", "f")
    await seen.pilot.pause()
    assert seen.where == "row 0, column 1: covered, flagged"
    assert seen.app.searching == "the odds"
    await seen.pilot.press("s")
    assert seen.said == "Still searching for the odds: escape stops it."
    await seen.pilot.press("right", *stop.split())
    await seen.settle()
    assert seen.app.asked.stopped
    assert "found" not in seen.said
    assert not seen.app.overlay.safe
    if stop == "escape":
        assert seen.said == "Stopped searching for the odds."


def test_leaving_does_not_wait_for_a_search():
    async def script(seen) -> None:
        await seen.pilot.press("?")
        assert seen.app.asked.begun.wait(60)
        await seen.pilot.press("q")

    assert cast(Held, play(script, asked=Held).asked).stopped


@on(asked=Held)
async def test_an_answer_that_comes_while_a_page_is_read_is_there_afterwards(seen) -> None:
    await seen.pilot.press("o", "h")
    assert seen.app.asked.begun.wait(60)
    seen.app.asked.go.set()
    await seen.settle()
    assert seen.lines[0].startswith("Minesweeper")
    await seen.press("q")
    assert seen.said == "found at last"


def limited(job):
    if job is searches.odds:
        raise WorkerDiedError("the search ended unexpectedly (SIGKILL)")
    return SearchResult(said="Nothing found within 10 s.", whole=False)


@on(asked=partial(Direct, limited))
async def test_a_limit_and_a_failure_are_said_below_the_board(seen) -> None:
    for key in ("s", "?", "a", "A", "."):
        await seen.press(key)
        assert seen.said == "Nothing found within 10 s."
    await seen.press("o")
    assert seen.said == "the search ended unexpectedly (SIGKILL)"
    assert seen.app.session.game.moves == []


@on(asked=partial(Direct, lambda job: SearchResult(said="because " * 100)))
async def test_a_long_reason_is_a_page(seen) -> None:
    await seen.press("?")
    assert "\n".join(seen.lines).count("because") == 100
    await seen.press("q")
    assert seen.status.startswith("5x5/3")
    assert seen.said.endswith("...")


def test_a_mine_that_was_called_safe_ends_the_game_with_an_error():
    wrong = partial(Direct, lambda job: SearchResult(safe=1, said="wrong"))
    app = play(lambda seen: seen.press("end", "enter", "."), asked=wrong, look=Look())
    assert isinstance(app.return_value, UnsafeCellError)
