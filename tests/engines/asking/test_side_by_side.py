"""The comparison notices whoever says something else; the table loads what it names."""

from satsweeper import Position
from satsweeper.answers.options import Options
from satsweeper.board.codes import Cell
from satsweeper.engines.asking.side_by_side import Outcome, compare, disagreements
from satsweeper.engines.protocol import Engine, EngineAnswer
from satsweeper.engines.table import ENGINES, find_engine


def outcome(
    name: str,
    status: str = "consistent",
    safe: tuple[Cell, ...] = (),
    complete: bool = True,
    decided: bool = True,
) -> Outcome:
    engine = Engine(name, complete, "", None, ENGINES["sat"].load)
    answer = EngineAnswer(status, frozenset(safe), frozenset(), decided)
    return Outcome("board", None, engine, answer, 0.0)


def test_engines_that_agree_are_not_reported() -> None:
    position = Position.parse("01?\n12?\n???")
    names = ("sat", "brute_force", "enumeration", "single_clue", "subset", "assumption")
    engines = [find_engine(name) for name in names]
    done: list[float] = []
    boards = [("corner", position), ("none", Position.parse("1?3\n???", mines=2))]
    compared = compare(boards, engines, Options(timeout=60), done.append)
    for outcomes, (name, board) in zip(compared, boards, strict=True):
        assert [o.kind for o in outcomes] == ["answered"] * 6
        assert {(o.board, o.mines) for o in outcomes} == {(name, board.mines)}
        assert [o.engine.name for o in outcomes] == list(names)
        assert disagreements(outcomes) == []
    assert done == list(range(1, 13))


def test_every_kind_of_disagreement_is_reported() -> None:
    truth = outcome("first", safe=((0, 0),))
    for wrong in (
        outcome("status", "inconsistent"),
        outcome("too_much", safe=((0, 0), (0, 1)), complete=False, decided=False),
        outcome("too_little"),
        outcome("incomplete_but_sure", complete=False),
    ):
        found = disagreements([truth, wrong])
        assert len(found) == 1
        assert found[0].startswith(f"board: {wrong.engine.name}, first: ")
    impossible = outcome("first", "inconsistent")
    assert disagreements([impossible, outcome("sees_a_layout", complete=False)])


def test_less_is_no_disagreement_where_nothing_was_settled() -> None:
    truth = outcome("first", safe=((0, 0),))
    partial = outcome("partial", "undecided", complete=False, decided=False)
    assert disagreements([truth, partial]) == []
    assert disagreements([partial, partial]) == []
    assert disagreements([outcome("first", "inconsistent"), partial]) == []
