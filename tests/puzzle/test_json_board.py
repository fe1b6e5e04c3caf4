"""Boards of any geometry as JSON: what is read, refused and written, and where a fault is."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper import Position
from satsweeper.notation.error import BoardError
from satsweeper.puzzle.clue import Clue, Region
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.puzzle.geometry.graph import graph
from satsweeper.puzzle.geometry.grids import square
from satsweeper.puzzle.geometry.hexcells import hexcells
from satsweeper.puzzle.geometry.space import cubes
from satsweeper.puzzle.json_board import fields_of, json_text
from satsweeper.puzzle.puzzle import Puzzle, parse_board_or_puzzle
from satsweeper.puzzle.rules.kind import clue_kind
from tests.puzzle.boards import grids, puzzles

SQUARE = {"schema": "satsweeper/board/2", "geometry": "square", "rows": 2, "columns": 2}
GRAPH = {
    "schema": "satsweeper/board/2",
    "geometry": "graph",
    "neighbours": {"a": ["b"], "b": ["a", "c"], "c": []},
}


def cell(name: Any, **more: Any) -> dict[str, Any]:
    return {"cell": name, **more}


MALFORMED = {
    "no_geometry": ({"schema": "satsweeper/board/2"}, "'geometry' is missing"),
    "unknown_geometry": (SQUARE | {"geometry": "squares"}, "geometry: unknown geometry"),
    "geometry_no_text": (SQUARE | {"geometry": 3}, "geometry: unknown geometry '3'"),
    "rows_missing": ({k: v for k, v in SQUARE.items() if k != "rows"}, "'rows' is missing"),
    "rows_no_integer": (SQUARE | {"rows": 2.0}, "rows: 2.0: an integer from 1 to 10000"),
    "rows_true": (SQUARE | {"rows": True}, "rows: true: an integer"),
    "columns_zero": (SQUARE | {"columns": 0}, "columns: 0: an integer from 1 to 10000"),
    "too_many_cells": (SQUARE | {"rows": 101, "columns": 100}, "rows, columns: 10100 cells, where"),
    "small_torus": (SQUARE | {"geometry": "torus"}, "rows, columns: a torus has 3 rows"),
    "layers_of_a_grid": (SQUARE | {"layers": 2}, "'layers': the schema has no such name"),
    "unknown_name": (SQUARE | {"clue": []}, "'clue': the schema has no such name"),
    "rules_no_list": (SQUARE | {"rules": "C"}, 'rules: "C" is no list'),
    "rule_no_text": (SQUARE | {"rules": [1]}, "rules[0]: 1 is no text"),
    "unknown_rule": (SQUARE | {"rules": ["C", "Y"]}, "rules: unknown rule 'Y'"),
    "mines_no_integer": (SQUARE | {"mines": "3"}, 'mines: "3": an integer from 0'),
    "mines_too_many": (SQUARE | {"mines": 5}, "5 mines in 4 cells: the total is 0 to 4"),
    "clues_no_list": (SQUARE | {"clues": {}}, "clues: {} is no list"),
    "clue_no_object": (SQUARE | {"clues": [1]}, "clues[0]: 1 is no object"),
    "clue_without_cell": (SQUARE | {"clues": [{"clue": "1"}]}, "clues[0].cell is missing"),
    "clue_missing": (SQUARE | {"clues": [cell([0, 0])]}, "clues[0].clue is missing"),
    "clue_with_more": (SQUARE | {"clues": [cell([0, 0], clue="1", x=1)]}, "clues[0].x: the schema"),
    "cell_off_the_board": (SQUARE | {"clues": [cell([0, 1], clue=1), cell([2, 0], clue=1)]},
                           "clues[1].cell: [2, 0]: there is no such cell"),
    "cell_true": (SQUARE | {"clues": [cell([0, True], clue=1)]}, "clues[0].cell: true: a cell is"),
    "cell_no_name": (SQUARE | {"flags": [None]}, "flags[0]: null: a cell is text, an integer"),
    "clue_twice": (SQUARE | {"clues": [cell([0, 0], clue=1), cell([0, 0], clue=2)]},
                   "clues[1].cell: a second [0, 0]"),
    "clue_no_number": (SQUARE | {"clues": [cell([0, 0], clue="x")]}, "clues[0]: 'x': a clue is a"),
    "clue_no_text": (SQUARE | {"clues": [cell([0, 0], clue=[1])]}, "clues[0].clue: [1]: text or"),
    "clue_of_unknown_rule": (SQUARE | {"clues": [cell([0, 0], clue=1, rule=["Y"])]},
                             "clues[0]: unknown rule 'Y'"),
    "clue_of_layout_rule": (SQUARE | {"clues": [cell([0, 0], clue=1, rule=["C"])]},
                            "clues[0]: C: no rule of clues"),
    "clue_of_own_letters": (SQUARE | {"clues": [cell([0, 0], clue=1, rule=["#"])]},
                            "clues[0].rule: # is no rule of a clue"),
    "flag_twice": (SQUARE | {"flags": [[0, 0], [0, 0]]}, "flags[1]: a second [0, 0]"),
    "flag_on_a_clue": (SQUARE | {"flags": [[0, 0]], "clues": [cell([0, 0], clue=1)]},
                       "cell (0, 0) has a flag and has a clue"),
    "opened_and_shown": (SQUARE | {"opened": [[0, 1]], "shown": [[0, 1]]},
                         "cell (0, 1) is opened and is shown as a mine"),
    "weight_no_integer": (SQUARE | {"weights": [cell([0, 0], weight="2")]}, "weights[0].weight:"),
    "capacity_zero": (SQUARE | {"capacity": [cell([0, 0], mines=0)]}, "capacity[0].mines: 0: an"),
    "capacity_of_all": (SQUARE | {"capacity": [cell([0, 0], mines=600_000),
                                               cell([0, 1], mines=400_001)]},
                        "capacity: 1000001 mines in all, where 1000000 at most are possible"),
    "region_without_name": (SQUARE | {"regions": [{"cells": [], "mines": 0}]}, "regions[0].name"),
    "region_name_no_text": (SQUARE | {"regions": [{"name": 1, "cells": [], "mines": 0}]},
                            "regions[0].name: 1 is no text"),
    "strange_cell": (SQUARE | {"regions": [{"name": "", "cells": [[9, 9]], "mines": 0}]},
                     "regions[0].cells[0]: [9, 9]: there is no such cell"),
    "region_arranged": (SQUARE | {"regions": [{"name": "", "cells": [], "mines": 0,
                                               "arranged": "c"}]},
                        'regions[0].arranged: "c": "together" or "apart"'),
    "no_neighbours": ({k: v for k, v in GRAPH.items() if k != "neighbours"}, "'neighbours' is"),
    "graph_without_cells": (GRAPH | {"neighbours": {}}, "neighbours: 0 cells, where 1 to 10000"),
    "neighbours_no_list": (GRAPH | {"neighbours": {"a": "b"}}, 'neighbours.a: "b" is no list'),
    "neighbour_no_cell": (GRAPH | {"neighbours": {"a": ["b"]}}, "neighbours: 'b', a neighbour of"),
    "neighbour_of_itself": (GRAPH | {"neighbours": {"a": ["a"]}}, "neighbours: neighbours of"),
    "pair_no_pair": (GRAPH | {"neighbours": [["a"]]}, 'neighbours[0]: ["a"]: [cell, list of'),
    "node_twice": (GRAPH | {"neighbours": [[1, []], [1, []]]}, "neighbours[1]: a second cell"),
    "name_for_a_terminal": (GRAPH | {"neighbours": [["\x1b[31ma", []]]},
                            'neighbours[0]: "\\u001b[31ma": a name has characters that can be'),
    "region_of_two_lines": (SQUARE | {"regions": [{"name": "a\nb", "cells": [], "mines": 0}]},
                            'regions[0].name: "a\\nb": a name has characters'),
    "hexagon_no_place": ({"schema": "satsweeper/board/2", "geometry": "hexcells",
                          "cells": [[0, 0], [1]]}, "cells[1]: [1]: [row, column]"),
    "hexagons_overlap": ({"schema": "satsweeper/board/2", "geometry": "hexcells",
                          "cells": [[0, 0], [1, 0]]}, "cells: the hexagon (1, 0) overlaps"),
    "hexagon_twice": ({"schema": "satsweeper/board/2", "geometry": "hexcells",
                       "cells": [[0, 0], [0, 0]]}, "cells: the hexagon (0, 0) is there twice"),
}  # fmt: skip
"""Name of a defect -> a board, and a part of the message, which names the path."""


@pytest.mark.parametrize("defect", MALFORMED)
def test_a_malformed_board_is_refused_in_a_line_with_the_path(defect):
    board, message = MALFORMED[defect]
    for text in (json.dumps(board), json.dumps(board, indent=1)):
        with pytest.raises(BoardError) as error:
            Puzzle.parse(text, source="b.json")
        assert str(error.value).startswith(f"b.json: {message[:9]}")
        assert message in str(error.value)
        assert "\n" not in str(error.value)
        with pytest.raises(BoardError):
            parse_board_or_puzzle(text, "b.json")


def test_text_that_is_no_json_is_refused_with_its_place():
    for text, message in (
        ('{"schema": "satsweeper/board/2",\n "rows": }', r"b:2:10: no JSON: Expecting value"),
        ('{"schema": "satsweeper/board/2", "rows": 1, "rows": 2}', "'rows' stands twice"),
        ('{"schema": "satsweeper/board/2", "mines": NaN}', "NaN is no JSON"),
        ('{"schema": "satsweeper/board/2", "mines": ' + "9" * 5000 + "}", "thousands of digits"),
        ('{"schema": "satsweeper/board/2"' + " " * 2**24 + "}", "characters of JSON: 16777216 at"),
    ):
        with pytest.raises(BoardError, match=message):
            Puzzle.parse(text, source="b")


def test_every_part_of_a_board_is_read():
    board = SQUARE | {
        "rules": ["C", "M"], "mines": 2,
        "clues": [cell([0, 0], clue=1), cell([0, 1], clue="12", rule=["2X"])],
        "flags": [[1, 0]], "shown": [[1, 1]], "dyed": [[0, 0]],
        "weights": [cell([1, 1], weight=-3)], "capacity": [cell([1, 0], mines=2)],
        "regions": [{"name": "row", "cells": [[1, 1], [1, 0]], "mines": 2, "arranged": "apart"}],
    }  # fmt: skip
    assert Puzzle.parse(json.dumps(board)) == Puzzle(
        square(2, 2), ("C", "M"), mines=2,
        clues={0: Clue(clue_kind(("M",)), 1), 1: Clue(clue_kind(("2X",)), (1, 2))},
        flags=frozenset({2}), shown=frozenset({3}), dyed=frozenset({0}), weights={3: -3},
        capacity={2: 2}, regions=(Region("row", (3, 2), 2, "apart"),),
    )  # fmt: skip


def test_every_geometry_is_read():
    def read(**board: Any) -> Geometry:
        return Puzzle.parse(json.dumps({"schema": "satsweeper/board/2", **board})).geometry

    assert read(geometry="cubes", layers=2, rows=1, columns=3) == cubes(2, 1, 3)
    assert read(geometry="hexcells", cells=[[0, 0], [1, 1]]) == hexcells([(0, 0), (1, 1)])
    assert read(geometry="graph", neighbours={"a": ["b"], "b": []}) == graph({"a": ["b"], "b": []})
    named = read(geometry="graph", neighbours=[[1, [[0, "x"]]], [[0, "x"], []]])
    assert named == graph({1: [(0, "x")], (0, "x"): []})


def test_a_plain_board_is_a_position_and_one_with_more_is_none():
    plain = SQUARE | {"mines": 1, "clues": [cell([0, 0], clue=1)], "flags": [[1, 1]]}
    assert parse_board_or_puzzle(json.dumps(plain)) == Position.parse("2 2 1\n1?\n?F\n")
    for more in (
        {"opened": [[0, 1]]}, {"shown": [[0, 1]]}, {"weights": [cell([0, 1], weight=2)]},
        {"regions": [{"name": "row", "cells": [[1, 0]], "mines": 1}]},
        {"clues": [cell([0, 0], clue=1, rule=["X"])]},
    ):  # fmt: skip
        assert isinstance(parse_board_or_puzzle(json.dumps(plain | more)), Puzzle)


def test_boards_of_schema_1_are_read_as_ever_even_if_they_name_schema_2():
    board = {"schema": "satsweeper/board/1", "rows": 1, "columns": 2, "mines": None,
             "grid": ["1?"], "notes": {"see": "satsweeper/board/2"}}  # fmt: skip
    assert parse_board_or_puzzle(json.dumps(board)) == Position.parse("1?\n")


def test_the_total_of_the_caller_replaces_the_one_of_the_board():
    text = json.dumps(SQUARE | {"mines": 4, "rules": ["C"]})
    assert Puzzle.parse(text, mines=None).mines is None
    with pytest.raises(BoardError, match="b: 5 mines in 4 cells"):
        Puzzle.parse(text, source="b", mines=5)


@settings(max_examples=120, deadline=None)
@given(puzzles() | grids(3))
def test_a_board_that_is_written_is_read_again(puzzle: Puzzle):
    text = json.dumps(puzzle.as_json())
    assert Puzzle.parse(text) == puzzle
    assert Puzzle.parse(json_text(puzzle).encode()) == puzzle
    assert Puzzle(**fields_of(puzzle.as_json())) == puzzle


JUNK = st.sampled_from([None, True, -1, 0, 3, 1.5, "", "x", "12", [], [0], [0, 0], [[0, 0]], {}])


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all values in an object."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(
        value, list) else ()  # fmt: skip
    return [path, *[each for key, one in inner for each in places(one, (*path, key))]]


@settings(max_examples=120, deadline=None)
@given(puzzles(), st.data())
def test_a_board_with_one_strange_value_is_a_board_or_refused_in_a_line(puzzle, data):
    board = json.loads(json.dumps(puzzle.as_json()))
    *path, last = data.draw(st.sampled_from([each for each in places(board) if each]))
    inner = board
    for key in path:
        inner = inner[key]
    inner[last] = data.draw(JUNK)
    try:
        found = Puzzle.parse(json.dumps(board), source="b")
    except BoardError as error:
        message = str(error)
    else:
        assert Puzzle.parse(json_text(found)) == found
        return
    assert message.startswith("b: ")
    assert "\n" not in message


def test_what_is_empty_or_as_the_geometry_has_it_is_not_written():
    assert Puzzle(square(1, 2)).as_json() == {
        "schema": "satsweeper/board/2", "geometry": "square", "rows": 1, "columns": 2,
        "rules": [], "mines": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("geometry", "what"),
    [
        (graph({1.5: []}), "JSON cannot hold the cell 1.5: text, integers"),
        (graph({True: []}), "JSON cannot hold the cell True"),
        (Geometry("mine", ((0,),), ((),), ((),), ((),)), "the geometry 'mine', which is none of"),
        (Geometry("graph", ("a", "b"), ((), ()), ((1,), (0,)), ((), ())), "the geometry 'graph'"),
        (square(101, 100), "10100 cells, where 1 to 10000 are possible"),
    ],
)
def test_what_json_cannot_hold_is_named(geometry, what):
    with pytest.raises(RuleError, match=what):
        Puzzle(geometry).as_json()
