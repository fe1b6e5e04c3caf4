"""A session says what all layouts say, whatever is opened; its reasons are needed and enough."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Mapping
from functools import cache
from itertools import product
from random import Random
from typing import Any

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper import Position, Puzzle, Session, Status, classify, explain
from satsweeper.board.errors import LimitError
from satsweeper.processes.deadline import Deadline
from satsweeper.puzzle.answers import PuzzleClassification, PuzzleConflict, PuzzleExplanation
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.session import PuzzleSession
from satsweeper.search.session import PositionSession
from tests.puzzle.plain_rules import LAYOUTS, PAIRS, SINGLE, Cell, Mines, cells, layouts, shown

SIDE = 3
EVERY = cells(SIDE, SIDE)
OVER = Deadline.after(0.0)


@cache
def meeting(rule: str) -> list[Mines]:
    """All layouts of the small board that meet a rule of layouts, "" for none."""
    every = layouts(SIDE, SIDE)
    return [mines for mines in every if not rule or LAYOUTS[rule](mines, SIDE, SIDE)]


@cache
def shows(letters: str, cell: Cell, mines: Mines) -> frozenset[str]:
    return frozenset(shown(letters, cell, mines, SIDE, SIDE))


def left(
    rule: str, letters: str, opened: Iterable[Cell], clues: Mapping[Cell, str], total: int | None
) -> list[Mines]:
    """The layouts that a board allows, of which only some parts may be given."""
    return [
        mines
        for mines in meeting(rule)
        if (total is None or len(mines) == total)
        and mines.isdisjoint(opened)
        and all(text in shows(letters, cell, mines) for cell, text in clues.items())
    ]


def verdicts(found: list[Mines], opened: Iterable[Cell]) -> dict[Any, str]:
    """The verdict of each covered cell, read off a list of layouts."""
    told = {}
    for cell in EVERY:
        if cell not in opened:
            mines = sum(cell in each for each in found)
            told[cell] = "safe" if not mines else "mine" if mines == len(found) else "unknown"
    return told


def written(rule: str, letters: str, clues: Mapping[Cell, str], total: int | None) -> Puzzle:
    rows = [" ".join(clues.get((r, c), "?") for c in range(SIDE)) for r in range(SIDE)]
    head = [f"rules: {rule} {letters}", f"mines: {'?' if total is None else total}"]
    return Puzzle.parse("\n".join([*head, *rows]))


def said(result: PuzzleClassification) -> dict[Any, str]:
    return {cell: str(verdict) for cell, verdict in result.verdict.items()}


# Without a rule of layouts there are cells that nothing but the total counts.
RULES = st.just("") | st.sampled_from([*LAYOUTS])
LETTERS = st.sampled_from([*SINGLE, *PAIRS])


def drawn(rule: str, letters: str, seed: int) -> tuple[Mines, dict[Cell, str], Random]:
    """A layout that meets the rule, and what its safe cells may show, in a random order."""
    random = Random(seed)
    mines = random.choice(meeting(rule))
    order = [cell for cell in EVERY if cell not in mines]
    random.shuffle(order)
    given_clues = {cell: sorted(shows(letters, cell, mines)) for cell in order}
    return mines, {c: random.choice(texts) for c, texts in given_clues.items() if texts}, random


def follow(rule: str, letters: str, count: bool, seed: int) -> None:
    """Open cells one by one; compare the verdicts with all layouts and with a new session."""
    mines, clues, _ = drawn(rule, letters, seed)
    total = len(mines) if count else None
    opened: dict[Cell, str] = {}
    with PuzzleSession(written(rule, letters, {}, total)) as session:
        for cell, text in [*clues.items(), (None, "")]:
            found = said(session.classify())
            assert found == verdicts(left(rule, letters, opened, opened, total), opened)
            with PuzzleSession(written(rule, letters, opened, total)) as fresh:
                assert said(fresh.classify()) == found
            if cell is not None:
                session.reveal(cell, text)
                opened[cell] = text


GAMES = given(RULES, LETTERS, st.booleans(), st.integers(0, 10**6))


@settings(max_examples=40)
@GAMES
def test_after_every_opening_the_verdicts_are_those_of_all_layouts(rule, letters, count, seed):
    follow(rule, letters, count, seed)


@pytest.mark.slow
@settings(max_examples=600)
@GAMES
def test_many_games_are_followed_right(rule, letters, count, seed):
    follow(rule, letters, count, seed)


def parts(rule: str, conflict: PuzzleConflict, clues: Mapping[Any, str]) -> list[Any]:
    """The parts of a conflict, each a rule, a cell, or None for the total."""
    assert conflict.irreducible
    assert conflict.rules in ((), (rule,))
    assert set(conflict.clues) <= {*clues}
    return [*conflict.rules, *conflict.clues, *[None] * conflict.total]


def allowed(
    rule: str, letters: str, opened: Iterable[Cell], kept: list[Any], clues: Any, total: int | None
) -> list[Mines]:
    return left(
        rule if rule in kept else "",
        letters,
        opened,
        {cell: text for cell, text in clues.items() if cell in kept},
        total if None in kept else None,
    )


@settings(max_examples=40)
@given(RULES, LETTERS, st.integers(0, 10**6))
def test_a_reason_is_enough_and_every_part_of_it_is_needed(rule, letters, seed):
    mines, clues, random = drawn(rule, letters, seed)
    total = random.choice([None, len(mines)])
    clues = dict([*clues.items()][: random.randrange(5)])
    puzzle = written(rule, letters, clues, total)
    told = verdicts(left(rule, letters, clues, clues, total), clues)
    with PuzzleSession(puzzle) as session:
        for cell, verdict in told.items():
            found = session.explain(cell)
            assert found.verdict == verdict
            if found.reason is None:
                continue
            kept = parts(rule, found.reason, clues)
            forced = verdicts(allowed(rule, letters, clues, kept, clues, total), clues)
            assert forced[cell] == verdict
            for each in kept:
                fewer = [part for part in kept if part != each]
                spared = verdicts(allowed(rule, letters, clues, fewer, clues, total), clues)
                assert spared[cell] != verdict


@settings(max_examples=40)
@given(RULES, st.sampled_from(SINGLE), st.integers(0, 10**6))
def test_a_board_without_a_layout_has_an_irreducible_conflict(rule, letters, seed):
    mines, clues, random = drawn(rule, letters, seed)
    total = random.choice([None, len(mines)])
    _, others, _ = drawn("", letters, seed + 1)
    cells_kept = random.sample([*clues, *others], min(5, len(clues) + len(others)))
    clues = {cell: random.choice([clues, others]).get(cell, "1") for cell in cells_kept}
    if letters == "2X":
        clues = {cell: text if len(text) == 2 else "11" for cell, text in clues.items()}
    puzzle = written(rule, letters, clues, total)
    found = classify(puzzle)
    consistent = bool(left(rule, letters, clues, clues, total))
    assert (found.status is Status.CONSISTENT) == consistent
    assert found.status is classify(puzzle, plain=True).status
    if found.conflict is not None:
        kept = parts(rule, found.conflict, clues)
        assert not allowed(rule, letters, clues, kept, clues, total)
        for each in kept:
            fewer = [part for part in kept if part != each]
            assert allowed(rule, letters, clues, fewer, clues, total)
        for cell in found.puzzle.hidden():
            with pytest.raises(RuleError, match="the board is inconsistent"):
                explain(puzzle, puzzle.geometry.cells[cell])
            break


@settings(max_examples=30)
@given(RULES, LETTERS, st.integers(0, 10**6))
def test_the_plain_way_and_other_solvers_agree(rule, letters, seed):
    mines, clues, random = drawn(rule, letters, seed)
    clues = dict([*clues.items()][: random.randrange(4)])
    puzzle = written(rule, letters, clues, random.choice([None, len(mines)]))
    found = classify(puzzle)
    plain = classify(puzzle, plain=True)
    strong = classify(puzzle, solver="cadical195", encoding="totalizer", total_encoding="adder")
    assert said(plain) == said(strong) == said(found)
    assert (plain.engine, found.engine) == ("plain", "portfolio")


@settings(max_examples=30)
@given(RULES, LETTERS, st.integers(0, 10**6))
def test_two_layouts_of_an_unknown_cell_meet_the_board_and_differ_there(rule, letters, seed):
    mines, clues, random = drawn(rule, letters, seed)
    clues = dict([*clues.items()][: random.randrange(4)])
    total = random.choice([None, len(mines)])
    met = left(rule, letters, clues, clues, total)
    puzzle = written(rule, letters, clues, total)
    for cell, verdict in verdicts(met, clues).items():
        if verdict == "unknown":
            found = explain(puzzle, cell)
            for rows, mine in ((found.mine_layout, True), (found.safe_layout, False)):
                layout = frozenset(c for c in EVERY if (rows or ())[c[0]][c[1]] == "M")
                assert layout in met
                assert (cell in layout) == mine
            with PuzzleSession(puzzle) as session:
                pair = [
                    frozenset(map(EVERY.__getitem__, each)) for each in session.layouts_of(cell)
                ]
            assert {*pair} <= {*met}
            assert [cell in each for each in pair] == [True, False]
        else:
            with PuzzleSession(puzzle) as session, pytest.raises(RuleError, match="no such layout"):
                session.layouts_of(cell)


# Other shapes, flags, limits, sizes, and the face.


HEXAGONS = "geometry: hexagonal\nmines: 3\n? 2 ?\n? ? ?\n1 ? ?"


def test_hexagons_are_classified_as_distances_between_them_say():
    def cube(cell: Cell) -> tuple[int, int, int]:
        across = cell[1] - (cell[0] - cell[0] % 2) // 2
        return across, cell[0], -across - cell[0]

    def near(a: Cell, b: Cell) -> bool:
        return sum(abs(x - y) for x, y in zip(cube(a), cube(b), strict=True)) == 2

    clues = {(0, 1): 2, (2, 0): 1}
    met = [
        mines
        for mines in layouts(3, 3)
        if len(mines) == 3
        and mines.isdisjoint(clues)
        and all(sum(near(c, m) for m in mines) == n for c, n in clues.items())
    ]
    assert said(classify(Puzzle.parse(HEXAGONS))) == verdicts(met, clues)


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


# Graphs, on which a cell may hold several mines, or weigh more.


@settings(max_examples=40)
@given(st.integers(0, 10**6))
def test_nodes_with_weights_several_mines_and_regions_are_as_all_numbers_of_mines_say(seed):
    random = Random(seed)
    network = networkx.gnp_random_graph(5, 0.5, seed=seed)
    nodes = sorted(network)
    capacity = {node: random.choice([1, 1, 2, 3]) for node in nodes}
    weights = {node: random.choice([1, 1, 2]) for node in nodes}
    truth = {node: random.randrange(capacity[node] + 1) for node in nodes}
    safe = [node for node in nodes if not truth[node]]
    total = random.choice([None, sum(truth.values())])
    area = random.sample(nodes, 2)
    regions = random.choice([[], [("area", area, sum(truth[node] for node in area))]])

    def sees(mines: dict[int, int], node: int) -> int:
        return sum(weights[near] * mines[near] for near in network.adj[node])

    every = [
        dict(zip(nodes, counts, strict=True))
        for counts in product(*(range(capacity[node] + 1) for node in nodes))
    ]
    opened: list[int] = []
    puzzle = Puzzle.from_graph(
        network, mines=total, weights=weights, capacity=capacity, regions=regions
    )
    with PuzzleSession(puzzle) as session:
        for node in [*safe, None]:
            met = [
                mines
                for mines in every
                if total in (None, sum(mines.values()))
                and all(sum(mines[each] for each in named) == n for _, named, n in regions)
                and all(
                    not mines[each] and sees(mines, each) == sees(truth, each) for each in opened
                )
            ]
            told = said(session.classify())
            for each in nodes:
                if each not in opened:
                    holding = sum(mines[each] > 0 for mines in met)
                    verdict = (
                        "safe" if not holding else "mine" if holding == len(met) else "unknown"
                    )
                    assert told[each] == verdict
                    assert session.explain(each).verdict == verdict
            if node is not None:
                session.reveal(node, sees(truth, node))
                opened.append(node)
        assert said(classify(session.puzzle)) == told == said(classify(session.puzzle, plain=True))
