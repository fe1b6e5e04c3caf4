"""A session says what all layouts say, whatever is opened; limits, sizes, refusals."""

from __future__ import annotations

import pickle
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper import Position, Puzzle, Session, Status, classify, explain
from satsweeper.answers.classification import Verdict
from satsweeper.answers.options import Options
from satsweeper.board.errors import LimitError
from satsweeper.engines.classify import classify_with
from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.answers import PuzzleClassification, PuzzleConflict, PuzzleExplanation
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.session import PuzzleSession
from satsweeper.search.session import PositionSession
from satsweeper.solvers.sink import SolverSink
from scripts.fuzzing.rule_boards import RuleBoard, Subject, draw
from scripts.fuzzing.rule_checks import examined, puzzle_of
from tests.puzzle.plain_boards import LAYOUTS, PAIRS, SINGLE, layouts_of

OVER = Deadline.after(0.0)


def said(result: PuzzleClassification) -> dict[Any, str]:
    return {cell: str(verdict) for cell, verdict in result.verdict.items()}


GAMES = given(
    st.just("") | st.sampled_from([*LAYOUTS]),
    st.sampled_from([*SINGLE, *PAIRS]),
    st.integers(0, 10**6),
)
"""A rule of layouts or none, rules of clues, a seed."""


def drawn(rule: str, letters: str, seed: int) -> RuleBoard:
    return draw(Subject("square", (rule,) if rule else (), letters), Random(seed), (3, 3))


def follow(rule: str, letters: str, seed: int) -> None:
    """Open cells one by one; compare the verdicts with all layouts and with a new session."""
    last = drawn(rule, letters, seed)
    board = replace(last, clues={})
    with PuzzleSession(puzzle_of(board), flags=board.reading) as session:
        for cell, (_, text) in last.clues.items():
            found = session.classify()
            assert found.status is (Status.CONSISTENT if board.truth else Status.INCONSISTENT)
            if board.truth:
                assert {c: str(each) for c, each in found.by_cell.items()} == board.verdicts
            assert said(classify(puzzle_of(board), flags=board.reading)) == said(found)
            session.reveal(divmod(cell, 3), text)
            board = replace(board, clues={**board.clues, cell: last.clues[cell]})


@settings(max_examples=40)
@GAMES
def test_after_every_opening_the_verdicts_are_those_of_all_layouts(rule, letters, seed):
    follow(rule, letters, seed)


@pytest.mark.slow
@settings(max_examples=600)
@GAMES
def test_many_games_are_followed_right(rule, letters, seed):
    follow(rule, letters, seed)


@settings(max_examples=40)
@GAMES
def test_the_plain_way_and_other_solvers_agree_and_layouts_of_a_cell_differ_there(
    rule, letters, seed
):
    board = drawn(rule, letters, seed)
    puzzle, met = puzzle_of(board), {*layouts_of(board)}
    found = classify(puzzle, flags=board.reading)
    plain = classify(puzzle, plain=True, flags=board.reading)
    strong = classify(puzzle, solver="cadical195", encoding="totalizer", total_encoding="adder",
                      flags=board.reading)  # fmt: skip
    assert said(plain) == said(strong) == said(found)
    assert plain.status is strong.status is found.status
    assert (plain.engine, found.engine) == ("plain", "portfolio")
    for cell in board.covered[:4]:
        name = divmod(cell, 3)
        with PuzzleSession(puzzle, flags=board.reading) as session:
            if found.by_cell.get(cell) is Verdict.UNKNOWN:
                pair = session.layouts_of(name)
                assert {*pair} <= met
                assert [cell in each for each in pair] == [True, False]
                continue
            with pytest.raises(RuleError, match="no such layout"):
                session.layouts_of(name)
            if not met:
                with pytest.raises(RuleError, match="the board is inconsistent"):
                    session.explain(name)


# Flags, limits, sizes, and the face.


def test_a_flag_that_is_trusted_is_a_part_and_an_ignored_one_a_covered_cell():
    puzzle = Puzzle.parse("rules: U\nF ? ?\n? ? ?")
    assert said(classify(puzzle))[0, 1] == "safe"
    assert explain(puzzle, (0, 1)).reason == PuzzleConflict((), ((0, 0),), False, rules=("U",))
    assert {*said(classify(puzzle, flags="ignore")).values()} == {"unknown"}
    assert (0, 0) in classify(puzzle, flags="ignore").verdict


def test_at_a_limit_what_is_said_is_certain_and_a_reason_may_have_more_parts_than_needed():
    puzzle = Puzzle.parse("rules: Q\nmines: 4\n? 1 ?\n? ? ?\n? ? ?")
    told = classify(puzzle)
    assert classify(puzzle, timeout=0.0).status is Status.UNDECIDED
    with PuzzleSession(puzzle) as session:
        assert {*said(session.classify(0.0)).values()} == {"unknown"}
        with pytest.raises(LimitError, match="no verdict within the limit"):
            session.explain((2, 0), OVER)
        assert session.consistent(OVER) is None
        assert session.consistent() is True
        assert said(session.classify()) == said(told)
        certain = [*told.safe, *told.mines][0]
        found = session.explain(certain, reduce_until=OVER)
        assert found.reason is not None
        assert not found.reason.irreducible
        assert found.as_json()["irreducible"] is False
        assert session.explain(certain).reason.irreducible


def test_a_board_known_to_have_no_layout_stays_so_without_a_search():
    puzzle = Puzzle.parse("rules: Q\nmines: 1\n? ? ?\n? 1 ?\n? ? 0")
    with PuzzleSession(puzzle) as session:
        assert session.consistent() is False
        late = session.classify(0.0)
        assert late.status is Status.INCONSISTENT
        assert not late.conflict.irreducible
        session.reveal((0, 0), 1)
        assert session.consistent() is False
        found = session.classify()
        assert (found.conflict.rules, found.conflict.clues) == (("Q",), ((2, 2),))


def test_an_opened_cell_adds_the_clauses_of_its_clue_alone():
    puzzle = Puzzle.parse("geometry: torus\n" + "\n".join(["?" * 40] * 40))
    with PuzzleSession(puzzle) as session:
        before = session.classify().stats.clauses
        session.reveal((7, 7), 3)
        session.reveal((30, 1), 0)
        stats = session.classify().stats
        assert stats.clauses - before < 300
        assert stats.constraints == 2


def test_a_total_of_a_large_board_takes_some_clauses_for_each_cell():
    random = Random(1)
    rows = ["".join(random.choice("???2") for _ in range(70)) for _ in range(70)]
    with PuzzleSession(Puzzle.parse("geometry: torus\nmines: 1500\n" + "\n".join(rows))) as session:
        assert session.classify(0.0).stats.clauses < 60 * 4900


@pytest.mark.parametrize("letters", ["V", "T", "C", "2G", "2L", "2A"])
def test_large_boards_are_first_asked_without_their_total_and_say_the_same(monkeypatch, letters):
    # Every board counts as large here. A wrong total makes some of them inconsistent.
    monkeypatch.setattr("satsweeper.puzzle.session._MANY", -1)
    rules = ((letters,), "V") if letters in LAYOUTS else ((), letters)
    for seed in range(40):
        rng = Random(seed)
        board = draw(Subject("square", *rules), rng)
        if board.mines is not None:
            examined(board, rng)


def test_opening_cells_that_nothing_counted_keeps_the_total_right():
    puzzle = Puzzle.parse("rules: V\ngeometry: knight\nmines: 2\n" + "\n".join(["????"] * 4))
    with PuzzleSession(puzzle) as session:
        assert session.classify().counts == {"safe": 0, "mine": 0, "unknown": 16}
        session.reveal((0, 0), 2)
        found = session.classify()
        assert (len(found.mines), len(found.safe)) == (2, 13)
        assert session.explain((3, 3)).reason == PuzzleConflict(((0, 0),), (), True)


def test_cells_and_clues_that_cannot_be_are_refused_and_change_nothing():
    with PuzzleSession(Puzzle.parse("rules: W\n? 0\n? ?")) as session:
        for cell, clue, what in (
            ((0, 1), "1", "cell (0, 1) is not covered"),
            ((5, 5), "1", "there is no such cell"),
            ("a", "1", "there is no such cell"),
            ((0, 0), "x", "'x'"),
        ):
            with pytest.raises(RuleError, match=what.replace("(", r"\(").replace(")", r"\)")):
                session.reveal(cell, clue)
        with pytest.raises(RuleError, match="is not covered"):
            session.explain((0, 1))
        assert session.classify().grid() == ["S0", "SS"]


def test_clues_that_depend_on_one_another_are_opened_as_well():
    with PuzzleSession(Puzzle.parse("rules: 2I\nmines: 1\n? ?\n? ?")) as session:
        session.reveal((0, 0), 1)
        session.reveal((1, 1), 1)
        calls = session.classify().stats.sat_calls
        assert sorted(session.classify().counts.values()) == [0, 0, 2]
        assert session.classify().stats.sat_calls >= calls


def test_a_clue_may_come_with_a_rule_of_its_own():
    rows = "rules: #\nmines: 3\n{} {} ?\n? ? ?"
    with PuzzleSession(Puzzle.parse(rows.format("?", "?"))) as session:
        session.reveal((0, 0), 2, ["W"])
        session.reveal((0, 1), "L3")
        other = Puzzle.parse(rows.format("W2", "L3"))
        assert session.puzzle == other
        assert (
            said(session.classify()) == said(classify(other)) == said(classify(other, plain=True))
        )
        with pytest.raises(RuleError, match="begins with the letters of its rule"):
            session.reveal((0, 2), 2)


def test_sessions_and_questions_take_any_board():
    puzzle, squares = Puzzle.parse("rules: C\n1?"), Position.parse("1?")
    with Session(puzzle, solver="cadical195") as session:
        assert isinstance(session, PuzzleSession)
        assert isinstance(session.classify(), PuzzleClassification)
        assert isinstance(session.explain((0, 1)), PuzzleExplanation)
    with Session(squares, beyond=False) as session:
        assert isinstance(session, PositionSession)
    assert explain(puzzle, (0, 1)).reason == PuzzleConflict(((0, 0),), (), False)
    assert explain(squares, (0, 1)).reason.clues == ((0, 0),)
    with pytest.raises(ValueError, match="engine smt takes squares with plain clues"):
        classify(puzzle, engine="smt")
    assert repr(explain(puzzle, (0, 1))) == "PuzzleExplanation((0, 1) is mine: 1 clue)"
    assert repr(explain(Puzzle.parse("rules: C\n??"), (0, 1))) == (
        "PuzzleExplanation((0, 1) is unknown: two layouts that differ there)"
    )


@pytest.mark.parametrize("letters", ["W", "2E", "M X", "L", "2P"])
def test_a_board_can_be_sent_to_another_process(letters):
    rows = {"2E": "A ?\n? ?"}.get(letters, "2 ?\n? ?")
    puzzle = Puzzle.parse(f"rules: C {letters}\n{rows}")
    again = pickle.loads(pickle.dumps(puzzle))
    assert again == puzzle
    assert said(classify(again)) == said(classify(puzzle))


def test_partial_answers_name_the_engine_that_was_asked_for(monkeypatch):
    monkeypatch.setattr("satsweeper.puzzle.session._TELL", 0.0)
    told = []
    found = classify_with(Puzzle.parse("rules: C\n? ? ?\n? ? 1\n"), Options(tell=told.append))
    assert {each.engine for each in (*told, found)} == {"portfolio"}
    assert told


def test_a_session_that_was_interrupted_says_the_same_when_it_is_asked_again(monkeypatch):
    puzzle = Puzzle.parse("rules: C\nmines: 4\n? ? ? ? ?\n1 ? ? ? ?\n? ? ? ? 1\n")
    expected = said(classify(puzzle))
    for number in range(0, 200, 7):
        with PuzzleSession(puzzle) as session, monkeypatch.context() as patched:
            add, left = session._sink.add_clause, [number]

            def interrupted(clause, add=add, left=left):
                left[0] -= 1
                if left[0] == -1:
                    raise KeyboardInterrupt
                add(clause)

            patched.setattr(session._sink, "add_clause", interrupted)
            with suppress(KeyboardInterrupt):
                session.classify()
            assert said(session.classify()) == expected
            if left[0] >= 0:
                break
    assert number > 50


@pytest.mark.parametrize("rules", ["C", "S L", "2L"])
def test_a_clue_that_was_interrupted_is_taken_back_and_can_be_opened_again(monkeypatch, rules):
    before = Puzzle.parse(f"rules: {rules}\nmines: 4\n? ? ? ?\n1 ? ? ?\n? ? ? ?\n? ? 1 ?\n")
    after = before.with_clue(3, 1)
    cell = before.geometry.cells[3]
    interruptions = 0
    for number in range(60):
        with PuzzleSession(before) as session, monkeypatch.context() as patched:
            assert said(session.classify()) == said(classify(before))
            left = [number]

            def interrupted(self, clause, add=SolverSink.add_clause, left=left):
                left[0] -= 1
                if left[0] == -1:
                    raise KeyboardInterrupt
                add(self, clause)

            patched.setattr(SolverSink, "add_clause", interrupted)
            with suppress(KeyboardInterrupt):
                session.reveal(cell, 1)
            if left[0] >= 0:
                break
            interruptions += 1
            assert said(session.classify()) == said(classify(before))
            session.reveal(cell, 1)
            assert said(session.classify()) == said(classify(after))
    assert interruptions
