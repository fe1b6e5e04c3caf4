"""Certificates of small boards: what they say is what all layouts say, and the checker agrees."""

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbcnf.encoders.table import expresses
from satsweeper.certificate.formula import ENCODINGS
from satsweeper.position import Position

Compared = Callable[..., Any]
slow_draws = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


@settings(slow_draws, max_examples=100)
@given(st.data())
def test_a_certificate_says_what_all_layouts_say_and_is_verified(
    compared: Compared, small_boards: Callable[..., Any], data: st.DataObject
) -> None:
    board = data.draw(small_boards(most=9))
    flags = data.draw(st.sampled_from(["trust", "ignore"]))
    compared(board, flags)


@settings(slow_draws, max_examples=50)
@given(st.data())
def test_every_derivable_encoding_serves_clues_and_total(
    compared: Compared, small_boards: Callable[..., Any], data: st.DataObject
) -> None:
    names = st.sampled_from(["direct", "totalizer", "sequential_counter", "knuth_counter"])
    compared(
        data.draw(small_boards(most=8)),
        encoding=data.draw(names),
        total_encoding=data.draw(names),
    )


SHAPES = {
    "one covered cell": ("?", None),
    "one covered cell, a mine by the total": ("?", 1),
    "one covered cell, safe by the total": ("?", 0),
    "nothing covered": ("00 00", 0),
    "one clue alone": ("0", None),
    "all covered, nothing known": ("??? ???", None),
    "all covered, all mines": ("??? ???", 6),
    "all covered, no mines": ("??? ???", 0),
    "all covered, some mines": ("??? ???", 2),
    "a flag alone, total exceeded": ("F?", 1),
    "a frontier and an interior": ("1??? ????", None),
    "an interior that is safe by the total": ("1??? 1???", 1),
    "an interior that is mines by the total": ("1??? 1???", 5),
    "an interior that the clues leave open": ("1?? 11? ???", None),
    "a total that leaves the interior full": ("1???? 11???", 8),
    "mines fit with a total between bounds": ("?1??? ?1???", 2),
    "all mines needed by one clue": ("5?? ???", None),
    "two clues that clash": ("?1 2?", None),
    "a clue against the total": ("2?? ???", 1),
    "a total too large": ("1?? 1??", 6),
    "flags around a clue": ("F1? F2?", None),
    "a flag more than the clue allows": ("F1F ?1?", None),
}


@pytest.mark.parametrize("flags", ["trust", "ignore"])
@pytest.mark.parametrize(("text", "total"), SHAPES.values(), ids=SHAPES.keys())
def test_boards_of_every_shape(
    compared: Compared, make_board: Callable[..., Any], text: str, total: int | None, flags: str
) -> None:
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
def test_proofs_of_many_solvers_are_verified(
    compared: Compared, make_board: Callable[..., Any], solver: str, text: str, total: int | None
) -> None:
    compared(make_board(text, total), solver=solver)


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"solver": "minisat22"}, "solver 'minisat22' cannot certify: it writes no proofs"),
        ({"solver": "maplesat"}, "solver 'maplesat' cannot certify: it writes no proofs"),
        ({"solver": "mergesat3"}, "solver 'mergesat3' cannot certify"),
        ({"solver": "kissat404"}, "solver 'kissat404' cannot classify"),
        ({"solver": "glucose5"}, "unknown solver 'glucose5'; did you mean 'glucose4'"),
        ({"total_encoding": "modulo_totalizer"}, "total encoding 'modulo_totalizer' cannot be"),
        ({"encoding": "directt"}, "'directt'"),
        ({"cells": [(0, 0)]}, "cell (0, 0) is a clue"),
        ({"cells": [(0, 2)]}, "cell (0, 2) is unknown: only certain verdicts have proofs"),
        ({"cells": [(3, 0)]}, "cell (3, 0) is not on the board"),
    ],
)
def test_what_cannot_be_certified_is_refused_with_the_reason(
    options: dict[str, Any], why: str
) -> None:
    from satsweeper.certificate.certify import certify

    with pytest.raises(ValueError, match=r"^.+$") as refused:
        certify(Position.parse("1??\n"), **options)
    assert why in str(refused.value)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_certificate_is_accepted_for_each_clue_that_its_encoding_expresses(
    compared: Compared, make_board: Callable[..., Any], encoding: str
) -> None:
    for mines in (0, 1, 4, 7, 8):
        clue = f"??? ?{mines}? ???"
        if mines in (0, 8) or expresses(encoding, 8, mines, mines):
            compared(make_board(clue, None), encoding=encoding)
        else:
            with pytest.raises(ValueError, match=f"{encoding} cannot express {mines} <= sum"):
                compared(make_board(clue, None), encoding=encoding)
