"""The checker's reader of JSON boards: what is no board is refused in one line, whatever it is."""

import json
import random
from typing import Any

import pytest

from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.puzzle.reading import read_puzzle_board
from satsweeper.notation.error import BoardError
from satsweeper.puzzle.puzzle import Puzzle
from tests.checker.puzzle.test_every_board import BOARDS, changed, text_of

FAULTS: list[tuple[str, tuple[Any, ...], Any, str]] = [
    ("graph", ("schema",), "satsweeper/board/1", "schema"),
    ("graph", ("geometry",), ["graph"], "no such geometry"),
    ("graph", ("geometry",), "cubes", "columns: it is missing"),
    ("graph", ("colour",), 1, "colour: the schema has no such name"),
    ("graph", ("neighbours",), {}, "no cell"),
    ("graph", ("neighbours",), [["a"]], "not \\[cell"),
    ("graph", ("neighbours",), [["a", []], ["a", []]], "a second cell a"),
    ("graph", ("neighbours", "a"), ["b", "b"], "each once"),
    ("graph", ("neighbours", "a"), ["a"], "not the cell itself"),
    ("graph", ("neighbours", "a"), ["z"], "z is no cell"),
    ("graph", ("neighbours", "a"), [True], "a cell is printable text"),
    ("graph", ("neighbours", "a"), [None], "a cell is printable text"),
    ("graph", ("rules",), "C", "no list"),
    ("graph", ("rules",), [1], "not all entries are texts"),
    ("graph", ("rules",), ["module:rule"], "there is no rule"),
    ("graph", ("rules",), ["C", "C"], "twice"),
    ("graph", ("mines",), 8, "no integer from 0 to 7"),
    ("graph", ("mines",), True, "no integer"),
    ("graph", ("mines",), "4", "no integer"),
    ("graph", ("clues", 0), 1, "no object with"),
    ("graph", ("clues", 0, "colour"), 1, "no object with"),
    ("graph", ("clues", 0, "cell"), "z", "no such cell"),
    ("graph", ("clues", 0, "cell"), "z\x1b[2J", "a cell is printable text"),
    ("graph", ("clues", 0, "clue"), "x", "no clue of rule V"),
    ("graph", ("clues", 0, "clue"), None, "no text"),
    ("graph", ("clues", 0, "rule"), ["C"], "no rule of one clue"),
    ("graph", ("clues", 0, "rule"), ["#"], "no rule of one clue"),
    ("graph", ("clues",), [{"cell": "b", "clue": 1}] * 2, "a second entry of b"),
    ("graph", ("opened",), ["b"], "opened and flagged, or a mine and safe"),
    ("graph", ("flags",), ["g"], "opened and flagged, or a mine and safe"),
    ("graph", ("flags",), ["a", "a"], "twice"),
    ("graph", ("regions", 0, "cells"), ["a", "a"], "twice"),
    ("graph", ("regions", 0, "mines"), -1, "no integer"),
    ("graph", ("regions", 0, "arranged"), "near", "not together"),
    ("graph", ("regions", 0, "name"), 1, "no printable text"),
    ("weights", ("weights", 0, "weight"), 10**7, "no integer from -1000000"),
    ("several", ("capacity", 0, "mines"), 0, "no integer from 1"),
    ("several", ("capacity", 0, "mines"), 10**6, "mines in all cells"),
    ("several", ("rows",), 10**4, "cells"),
    ("several", ("rows",), 0, "no integer from 1"),
    ("arranged", ("cells", 0), [2, 1], "there twice"),
    ("arranged", ("cells", 0), [3, 1], "overlap"),
    ("arranged", ("cells", 0), [0, 1, 2], "not \\[row, column\\]"),
    ("arranged", ("cells",), [], "no place"),
]


@pytest.mark.parametrize(("name", "path", "value", "why"), FAULTS)
def test_what_is_no_board_is_refused_in_one_line(name: str, path, value, why: str) -> None:
    text = text_of(changed(BOARDS[name], path, value))
    with pytest.raises(WrongCertificateError, match=why) as caught:
        read_puzzle_board(text, "board.json")
    assert str(caught.value).startswith("board.json: ")
    assert "\n" not in str(caught.value)


NONE = ["{", "{}", "[]", '{"a":' * 10**5, '{"schema": NaN}', '{"a": 1, "a": 1}', "{\ud800}"]


@pytest.mark.parametrize("text", NONE, ids=range(len(NONE)))
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(WrongCertificateError):
        read_puzzle_board(text)


def test_a_cell_with_a_name_a_thousand_lists_deep_is_refused() -> None:
    name = "[" * 900 + "]" * 900
    text = f'{{"schema": "satsweeper/board/2", "geometry": "graph", "neighbours": [[{name}, []]]}}'
    with pytest.raises(WrongCertificateError):
        read_puzzle_board(text)


def test_what_the_checker_reads_of_changed_texts_the_product_reads_as_well() -> None:
    rng = random.Random(4)
    agreed = 0
    for _ in range(1500):
        text = text_of(BOARDS[rng.choice([*BOARDS])])
        place = rng.randrange(len(text))
        text = text[:place] + rng.choice('0123"[]{},:abcVHN-') + text[place + 1 :]
        try:
            about = read_puzzle_board(text)
        except WrongCertificateError:
            continue
        try:
            puzzle = Puzzle.parse(text)
        except BoardError as error:
            raise AssertionError(json.dumps(text)) from error
        agreed += 1
        assert [*about.grid.names] == [*puzzle.geometry.cells]
        assert about.covered(True) == puzzle.hidden()
        assert [(c.cell, c.text) for c in about.clues] == [
            (cell, clue.text()) for cell, clue in sorted(puzzle.clues.items())
        ]
    assert agreed > 50
