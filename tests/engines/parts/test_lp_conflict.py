"""Clashing clues by linear programs: by the plain predicate, and on a board beyond SAT."""

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from satsweeper import Position
from satsweeper.answers.options import Options
from satsweeper.reasons.guarded import Guarded
from satsweeper.solvers.protocol import Satisfied

pytestmark = pytest.mark.skipif(
    find_spec("highspy") is None, reason="highspy is an extra: pip install satsweeper[ilp]"
)
MODULE = "satsweeper.engines.parts.lp_conflict"


def test_a_conflict_has_no_layout_and_is_irreducible_if_it_says_so(
    known: list[Any],
    make_board: Callable[..., Any],
    apart: Callable[..., list[Any]],
    default: Options,
) -> None:
    calls = [(one.position, default) for one in known]
    named = 0
    for one, found in zip(known, apart(MODULE, "find_lp_conflict", calls), strict=True):
        if one.layouts:
            assert found is None
            continue
        if found is None:
            continue
        named += found.irreducible
        rows = one.position.text().split("\n", 1)[1]
        board = make_board(rows, one.position.mines)

        def possible(clues: set[Any], flags: set[Any], total: bool, board: Any = board) -> bool:
            return any(True for _ in board.layouts(list(clues), list(flags), total))

        clues, flags = set(found.clues), set(found.flags)
        assert not possible(clues, flags, found.total)
        if found.irreducible:
            assert all(possible(clues - {clue}, flags, found.total) for clue in clues)
            assert all(possible(clues, flags - {flag}, found.total) for flag in flags)
            assert not found.total or possible(clues, flags, False)
    assert named > 0.8 * sum(not one.layouts for one in known)


def test_the_mutilated_chessboard_has_an_irreducible_conflict_and_sat_confirms_each_part(
    data: Path, apart: Callable[..., list[Any]], default: Options
) -> None:
    position = Position.read(data / "positions" / "mutilated_8.txt")
    [found] = apart(MODULE, "find_lp_conflict", [(position, default)])
    assert found.irreducible
    assert not found.total
    guarded = Guarded(position.view())
    guarded.add_all()
    index = position.geometry.index
    wanted = {index(cell) for cell in (*found.clues, *found.flags)}
    chosen = [s for s, cell in (guarded.clue_of | guarded.flag_of).items() if cell in wanted]
    assert len(chosen) == len(wanted) == len(found.clues) + len(found.flags)
    for part in chosen:
        answer = guarded.sink.solver.solve([other for other in chosen if other != part])
        assert isinstance(answer, Satisfied)
    guarded.close()


def test_without_time_there_is_no_conflict(apart: Callable[..., list[Any]]) -> None:
    position = Position.parse("1?3\n???")
    [found] = apart(MODULE, "find_lp_conflict", [(position, Options(timeout=0.0))])
    assert found is None or not found.irreducible


def test_open_ground_far_from_a_conflict_has_no_part_in_it(
    apart: Callable[..., list[Any]], default: Options
) -> None:
    rows = ["0" * 120] * 117 + ["0" * 104 + "11" + "0" * 14, "0" * 104 + "1F" + "0" * 14]
    position = Position.parse("\n".join([*rows, "0" * 104 + "F1" + "0" * 14]))
    [found] = apart(MODULE, "find_lp_conflict", [(position, default)])
    assert found.irreducible
    assert len(found.clues) == len(found.flags) == 1
