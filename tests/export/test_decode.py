"""Answers judged on the board against brute force; maps that are none; models that leave cells."""

import json
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pbcnf.formats.error import FormatError
from satsweeper import Position
from satsweeper.export.decode import BoardDecoder, Judgement, MapMismatchError, decode
from satsweeper.export.formula import formula_of
from satsweeper.export.name_map import NameMap, read_map
from satsweeper.solvers.output import Claim, Output
from tests.boards import neighbours


def map_of(position: Position, flags: Any = "trust", **changes: Any) -> NameMap:
    exported = formula_of(position, flags=flags).as_json() | changes
    return read_map(json.dumps(exported).encode(), "map")


def said(literals: list[int]) -> Output:
    return Output(Claim.SATISFIABLE, "literals", tuple(literals))


@settings(max_examples=60)
@given(st.data())
def test_a_model_is_right_exactly_if_brute_force_has_it_for_a_layout(
    small_boards: Callable[..., st.SearchStrategy[Any]], data: st.DataObject
) -> None:
    board = data.draw(small_boards(most=9))
    position = Position(board.cells, board.total)
    names = map_of(position)
    layouts = set(board.layouts())
    flags = frozenset(position.flag_cells())
    variables = sorted(names.cells)
    signs = st.lists(st.booleans(), min_size=len(variables), max_size=len(variables))
    tried = [data.draw(signs) for _ in range(4)]
    tried += [[names.cells[v] in layout for v in variables] for layout in list(layouts)[:2]]
    for values in tried:
        model = [v if value else -v for v, value in zip(variables, values, strict=True)]
        decoded = decode(position, names, said(model))
        mines = flags.union(names.cells[lit] for lit in model if lit > 0)
        assert (decoded.judgement is Judgement.RIGHT) is (mines in layouts)
        if decoded.layout is not None:
            assert set(decoded.layout.mines) | flags == mines
            assert not decoded.layout.unknown
            assert decoded.wrong == {}
        elif "clue" in decoded.wrong:
            clue = tuple(decoded.wrong["clue"])
            near = neighbours(clue, board.cells.shape)
            assert decoded.wrong["counted"] == sum(cell in mines for cell in near)
            assert decoded.wrong["shown"] == board.cells[clue] != decoded.wrong["counted"]
        else:
            assert decoded.wrong == {"total": board.total, "counted": len(mines)}


def test_the_first_broken_clue_comes_before_the_total() -> None:
    position = Position.parse("2 3 1\n1?1\n?1?\n")
    decoded = decode(position, map_of(position), said([1, 2, 3]))
    assert decoded.wrong == {"clue": [0, 0], "shown": 1, "counted": 2}


def test_only_cells_that_nothing_counts_may_be_left_open() -> None:
    position = Position.parse("1????")
    names = map_of(position)
    decoded = decode(position, names, said([1, 3]))
    assert decoded.layout is not None
    assert decoded.layout.grid() == ["1M?M?"]
    assert decoded.free == ((0, 2), (0, 4))
    assert "left open, as nothing counts them: 2 cells" in decoded.sentence
    # A map may leave them out.
    shorter = map_of(position, variables={"1": {"cell": [0, 1]}})
    assert decode(position, shorter, said([1])).free == ((0, 2), (0, 3), (0, 4))
    with pytest.raises(MapMismatchError, match=r"incomplete: no value for \(0, 1\); only"):
        decode(position, names, said([2, 3, 4]))
    known = Position.parse("1????", mines=1)
    with pytest.raises(MapMismatchError, match=r"no value for \(0, 2\), \(0, 3\), \(0, 4\);"):
        decode(known, map_of(known), said([1]))
    many = Position.parse("?" * 20, mines=1)
    with pytest.raises(MapMismatchError, match=r"\(0, 5\) and 14 more;"):
        decode(many, map_of(many), said([1]))


def test_auxiliary_variables_do_not_matter() -> None:
    position = Position.parse("?????????", mines=2)
    names = map_of(position)
    assert names.variables == formula_of(position).formula.num_vars > len(names.cells)
    for auxiliary in (10, -10, names.variables):
        decoded = decode(position, names, said([1, 2, *range(-9, -2), auxiliary]))
        assert decoded.judgement is Judgement.RIGHT


@pytest.mark.parametrize(
    ("board", "message"),
    [("1?F\n", "of a board of 3x2, and this one has 3x1"),
     ("1??\n1??\n", "the map trusts other flags"), ("1FF\n1??\n", "the map trusts other flags"),
     ("1?F\n1?1\n", r"the map has a variable for \(1, 2\), which is not covered")],
)  # fmt: skip
def test_a_map_of_another_board_is_refused(board: str, message: str) -> None:
    names = map_of(Position.parse("1?F\n1??\n"))
    with pytest.raises(MapMismatchError, match=message):
        BoardDecoder(Position.parse(board), names).flags_mode()


def test_flags_are_trusted_if_they_were() -> None:
    position = Position.parse("1?F\n1??\n")
    assert BoardDecoder(position, map_of(position)).flags_mode() == "trust"
    ignored = map_of(position, "ignore")
    assert BoardDecoder(position, ignored).flags_mode() == "ignore"
    decoded = decode(position, ignored, said([1, -2, -3, 4]))
    assert decoded.layout is not None
    assert decoded.layout.grid() == ["1MS", "1SM"]


@pytest.mark.parametrize(
    ("found", "judgement"),
    [(Claim.SATISFIABLE, Judgement.WRONG), (Claim.UNSATISFIABLE, Judgement.RIGHT),
     (Claim.UNKNOWN, Judgement.UNCONFIRMED)],
)  # fmt: skip
def test_a_claim_of_no_layout_is_judged_by_our_own_search(found, judgement) -> None:
    position = Position.parse("1?")
    claim = Output(Claim.UNSATISFIABLE, "competition", ())
    decoder = BoardDecoder(position, map_of(position))
    assert decoder.decode(claim, lambda: found).judgement is judgement
    assert decoder.decode(claim).judgement is Judgement.UNCONFIRMED


GOOD: dict[str, Any] = {
    "schema": "satsweeper/map/1", "rows": 1, "columns": 3, "mines": 1, "flags": [[0, 2]],
    "variables": {"1": {"cell": [0, 1]}}, "auxiliaries": [{"first": 2, "last": 5}],
}  # fmt: skip


def test_a_map_is_read() -> None:
    names = read_map(json.dumps(GOOD).encode(), "map")
    assert names == NameMap(1, 3, 1, frozenset({(0, 2)}), {1: (0, 1)}, 5)
    last = {"variables": {"1073741823": {"cell": [0, 1]}}}
    assert read_map(json.dumps(GOOD | last).encode(), "map").cells == {2**30 - 1: (0, 1)}


@pytest.mark.parametrize(
    ("changes", "message"),
    [({"schema": "satsweeper/problem-map/1"}, "no map of a board: its schema is not"),
     ({"rows": 0}, "rows: no number from 1"), ({"rows": "1"}, "rows: no number from 1"),
     ({"columns": True}, "columns: no number from 1"),
     ({"mines": 4}, "mines: no number from 0 to 3"),
     ({"mines": -1}, "mines: no number from 0 to 3"), ({"flags": None}, "flags: missing"),
     ({"flags": [[0, 3]]}, "flags: no cell of a board of 3x1"),
     ({"flags": [[0, 1]]}, "the cell at (0, 1) is named twice"),
     ({"variables": []}, "variables: missing"),
     ({"variables": {"1": {"cell": [0, -1]}}}, "variable 1: no cell of a board"),
     ({"variables": {"1": {"cell": [0, 0.5]}}}, "variable 1: no cell of a board"),
     ({"variables": {"1": {"cell": [0]}}}, "variable 1: no cell of a board"),
     ({"variables": {"0": {"cell": [0, 1]}}}, "variables: '0' is no variable"),
     ({"variables": {"x1": {"cell": [0, 1]}}}, "variables: 'x1' is no variable"),
     ({"variables": {"\u0663": {"cell": [0, 1]}}}, "is no variable"),
     ({"variables": {"9999999999": {"cell": [0, 1]}}}, "is no variable with a role"),
     ({"variables": {"1": [0, 1]}}, "variables: '1' is no variable with a role"),
     ({"variables": {"1": {"cell": [0, 1]}, "2": {"cell": [0, 1]}}}, "is named twice"),
     ({"auxiliaries": {}}, "auxiliaries: missing"),
     ({"auxiliaries": [5]}, "auxiliaries: no range"),
     ({"auxiliaries": [{"first": 2}]}, "last: no number from 1")],
)  # fmt: skip
def test_a_defective_map_is_one_line(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(FormatError) as caught:
        read_map(json.dumps(GOOD | changes).encode(), "map")
    assert message in str(caught.value)
    assert str(caught.value).isprintable()


@given(st.one_of(st.binary(max_size=40), st.just(b"[" * 100_000), st.just(b'{"a":' * 100_000)))
def test_bytes_that_are_no_map_are_an_error(data: bytes) -> None:
    with pytest.raises(FormatError):
        read_map(data, "map")


@given(st.data())
def test_a_mutated_map_is_a_map_or_an_error(data: st.DataObject) -> None:
    text = bytearray(json.dumps(GOOD).encode())
    for _ in range(data.draw(st.integers(1, 4))):
        text[data.draw(st.integers(0, len(text) - 1))] = data.draw(st.integers(0, 255))
    with suppress(FormatError):
        read_map(bytes(text), "map")
