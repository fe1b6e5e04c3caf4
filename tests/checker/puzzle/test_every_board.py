"""Certificates of graphs, cubes, masks, regions, weights, cells with several mines, and Hexcells.

The oracles are the plain readings of `scripts.fuzzing` and of levels, over all layouts of a board.
"""

import json
import random
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings

from satsweeper.certificate.puzzle.certify import certify_puzzle
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.puzzle.clue_rows import statement_of
from satsweeper.checker.puzzle.grid import Grid
from satsweeper.checker.puzzle.predicates import broken_by
from satsweeper.checker.puzzle.reading import read_puzzle_board
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.graph import graph
from satsweeper.puzzle.json_board import json_text
from satsweeper.puzzle.puzzle import Puzzle
from scripts.fuzzing.rule_boards import RuleBoard, draw, subjects
from scripts.fuzzing.rule_checks import puzzle_of
from tests.checker.mutated import mutated
from tests.checker.puzzle.test_readings import extends, hangs_together
from tests.puzzle import plain_hexcells
from tests.puzzle.boards import puzzles
from tests.puzzle.test_hexcells import level_text, random_level

SUBJECTS = [each for each in subjects(["geometries"]) if each.geometry in ("graph", "cubes")]
LETTERS = {"safe": "S", "mine": "M", "unknown": "?"}
SCHEMA = "satsweeper/board/2"


def drawn(index: int, rng: random.Random) -> RuleBoard:
    """A random graph or cubes, with negative weights where no remainder or liar is told of them."""
    board = draw(SUBJECTS[index % len(SUBJECTS)], rng)
    told = {word for letters, _ in board.clues.values() for word in letters.split()}
    if rng.random() < 0.4 and not told & {"L", "2M"}:
        cells = [cell for cell in range(len(board.shape.cells)) if rng.random() < 0.4]
        board = replace(board, weights={cell: rng.choice((-3, -1, 0, 2, 5)) for cell in cells})
    arranged = [(*each[:3], rng.choice(("", "together", "apart"))) for each in board.regions]
    return replace(board, regions=tuple(arranged))


def true_verdicts(board: RuleBoard) -> str | None:
    if not board.truth:
        return None
    return "".join(LETTERS[each] for each in board.verdicts.values())


def require_certificate(forgery, puzzle: Puzzle, flags: Any, expected: str | None) -> None:
    made = forgery(certify_puzzle(puzzle, flags=flags))
    checked = made.check(board=json_text(puzzle), flags=flags)
    assert made.about["verdicts"] == expected
    assert checked.status == ("inconsistent" if expected is None else "consistent")
    if expected is not None:
        assert (checked.proved, checked.witnessed) == (
            len(expected) - expected.count("?"), expected.count("?"),
        )  # fmt: skip


def certified_at_random(forgery, boards: int, seed: int) -> None:
    for index in range(boards):
        board = drawn(index, random.Random(f"{seed} {index}"))
        require_certificate(forgery, puzzle_of(board), board.reading, true_verdicts(board))


def test_certificates_of_graphs_and_cubes_say_what_all_layouts_say(forgery) -> None:
    certified_at_random(forgery, 80, 1)


@pytest.mark.slow
def test_many_certificates_of_graphs_and_cubes_say_what_all_layouts_say(forgery) -> None:
    certified_at_random(forgery, 1500, 2)


@pytest.mark.parametrize("seed", range(40, 52))
def test_certificates_of_levels_say_what_all_layouts_say(forgery, seed: int) -> None:
    pairs = random_level(seed, 13)
    puzzle = Puzzle.parse(level_text(pairs))
    safe, mines = plain_hexcells.verdicts(pairs)
    names = [puzzle.geometry.cells[cell] for cell in puzzle.hidden()]
    expected = "".join("S" if n in safe else "M" if n in mines else "?" for n in names)
    require_certificate(forgery, puzzle, "trust", expected)
    # Both readings have the layouts of the level, and of layouts with as many mines no others.
    about = read_puzzle_board(json_text(puzzle))
    inequalities = [*statement_of(about, True).rows.values()]
    right = {
        frozenset(puzzle.geometry.numbers[place] for place in layout)
        for layout in plain_hexcells.layouts(pairs)
    }
    rng = random.Random(seed)
    others = [frozenset(rng.sample(range(len(puzzle.geometry)), about.mines)) for _ in range(30)]
    for layout in [*sorted(right, key=sorted)[:30], *others]:
        true = {cell + 1 if cell in layout else -(cell + 1) for cell in range(about.grid.size)}
        assert (broken_by(about, Counter(layout), True) is None) == (layout in right)
        assert extends(inequalities, true) == (layout in right)


def layouts_of(
    board: RuleBoard, rng: random.Random, most: int
) -> Sequence[tuple[Counter[int], bool]]:
    """Layouts of the cells, half of them the board's if there are any, and whether they are."""
    every = board.readings.layouts
    good = [number for number in range(len(every)) if board.truth >> number & 1]
    numbers = [*rng.sample(good, min(most, len(good))), *rng.choices(range(len(every)), k=most)]
    return [
        (Counter({cell: int(n) for cell, n in enumerate(every[number]) if n}),
         bool(board.truth >> number & 1))
        for number in numbers
    ]  # fmt: skip


def test_both_readings_of_the_checker_have_exactly_the_layouts_of_the_oracle() -> None:
    for index in range(60):
        rng = random.Random(f"readings {index}")
        board = drawn(index, rng)
        about = read_puzzle_board(json_text(puzzle_of(board)))
        trusted = board.reading == "trust"
        statement = statement_of(about, trusted)
        for layout, expected in layouts_of(board, rng, 6):
            assert (broken_by(about, layout, trusted) is None) == expected, (str(board), layout)
            true = {
                variable if place < layout[cell] else -variable
                for cell, variables in enumerate(about.grid.variables)
                for place, variable in enumerate(variables)
            }
            found = extends([*statement.rows.values()], true) and all(
                hangs_together(
                    about.grid,
                    {c for c in range(about.grid.size) if (c in layout) == (each.sign > 0)},
                    each.near,
                    each.anchors,
                )
                for each in statement.connections
            )
            assert found == expected, (str(board), layout)


def parts_of(grid: Grid) -> list[list[set[int]]]:
    return [[{*near} for near in found] for found in (grid.around, grid.touching, grid.beside)]


@settings(max_examples=60, deadline=None)
@given(puzzles())
def test_the_checker_reads_every_part_of_a_board_as_it_was_written(puzzle: Puzzle) -> None:
    about = read_puzzle_board(json_text(puzzle))
    grid, geometry = about.grid, puzzle.geometry
    cells = range(len(geometry))
    assert [*grid.names] == [*geometry.cells]
    assert parts_of(grid) == [
        [{*near} for near in found]
        for found in (geometry.neighbours, geometry.touching, geometry.beside)
    ]
    assert {cell for cell in cells if grid.dyed(cell)} == puzzle.board.dyed
    assert grid.variables == [*puzzle.board.variables]
    assert grid.weights == {cell: w for cell, w in puzzle.weights.items() if w != 1}
    assert (about.flags, about.opened, about.shown, about.mines) == (
        puzzle.flags, puzzle.opened, puzzle.shown, puzzle.mines,
    )  # fmt: skip
    assert [tuple(each) for each in about.regions] == sorted(map(tuple, puzzle.regions))
    assert [(clue.cell, clue.letters, clue.text) for clue in about.clues] == [
        (cell, tuple(r for r in clue.kind.letters if r != "V") or ("V",), clue.text())
        for cell, clue in sorted(puzzle.clues.items())
    ]


BOARDS: dict[str, dict[str, Any]] = {
    "graph": {
        "geometry": "graph", "rules": ["C"], "mines": 4, "opened": ["g"],
        "neighbours": {"a": ["b", "c"], "b": ["a", "c"], "c": ["a", "b", "d"], "d": ["c", "e"],
                       "e": ["d", "f", "g"], "f": ["e", "g"], "g": ["e", "f"]},
        "clues": [{"cell": "b", "clue": 1}],
        "regions": [{"name": "right", "cells": ["e", "f", "g"], "mines": 2}],
    },
    "weights": {
        "geometry": "graph", "neighbours": [[1, [2, 3]], [2, [1]], [3, [1, 4]], [4, [3]]],
        "mines": 2, "clues": [{"cell": 1, "clue": 1}],
        "weights": [{"cell": 2, "weight": 2}, {"cell": 3, "weight": -1}],
    },
    "several": {
        "geometry": "cubes", "layers": 2, "rows": 1, "columns": 2, "mines": 3,
        "capacity": [{"cell": [0, 0, 1], "mines": 2}], "clues": [{"cell": [0, 0, 0], "clue": 3}],
        "flags": [[1, 0, 0]],
    },
    "mask": {
        "geometry": "hexagonal", "rows": 2, "columns": 3, "rules": ["M"], "mines": 2,
        "dyed": [[0, 1], [1, 1]],
        "clues": [{"cell": [0, 0], "clue": 3}, {"cell": [0, 2], "clue": 2}],
    },
    "arranged": {
        "geometry": "hexcells", "rules": ["#"], "mines": 3, "shown": [[6, 1]],
        "cells": [[0, 1], [2, 1], [4, 1], [6, 1], [1, 2], [3, 2], [5, 2]],
        "clues": [{"cell": [2, 1], "clue": "HN2"}, {"cell": [5, 2], "clue": "{2}", "rule": ["HC"]},
                  {"cell": [6, 1], "clue": 1, "rule": ["HB"]}],
        "regions": [{"name": "column", "cells": [[0, 1], [2, 1], [4, 1], [6, 1]], "mines": 2,
                     "arranged": "together"}],
    },
}  # fmt: skip
CHANGES: list[tuple[str, tuple[Any, ...], Any]] = [
    ("graph", ("neighbours", "b"), ["a", "c", "d"]), ("graph", ("neighbours", "b"), ["a"]),
    ("graph", ("neighbours", "f"), ["e"]), ("graph", ("rules",), []),
    ("graph", ("rules",), ["U"]), ("graph", ("mines",), 3), ("graph", ("mines",), None),
    ("graph", ("opened",), []), ("graph", ("opened",), ["f"]), ("graph", ("shown",), ["a"]),
    ("graph", ("flags",), ["c"]), ("graph", ("clues", 0, "clue"), 2),
    ("graph", ("clues", 0, "cell"), "a"), ("graph", ("clues", 0, "rule"), ["2A"]),
    ("graph", ("clues",), []), ("graph", ("regions", 0, "mines"), 1),
    ("graph", ("regions", 0, "cells"), ["f", "g"]), ("graph", ("regions", 0, "arranged"), "apart"),
    ("graph", ("regions",), []), ("graph", ("weights",), [{"cell": "c", "weight": 2}]),
    ("graph", ("capacity",), [{"cell": "d", "mines": 2}]), ("graph", ("dyed",), ["c"]),
    ("weights", ("weights", 0, "weight"), 1), ("weights", ("weights", 1, "weight"), 1),
    ("weights", ("weights",), []), ("weights", ("neighbours", 0, 1), [2]),
    ("several", ("capacity", 0, "mines"), 3), ("several", ("capacity",), []),
    ("several", ("capacity", 0, "cell"), [1, 0, 1]), ("several", ("layers",), 1),
    ("several", ("rows",), 2), ("several", ("flags",), []), ("several", ("geometry",), "square"),
    ("mask", ("dyed",), [[0, 1]]), ("mask", ("dyed",), []), ("mask", ("dyed",), [[1, 0], [1, 1]]),
    ("mask", ("geometry",), "square"), ("mask", ("geometry",), "triangular"),
    ("arranged", ("clues", 0, "clue"), "HC2"), ("arranged", ("clues", 0, "clue"), "V2"),
    ("arranged", ("clues", 1, "rule"), ["V"]), ("arranged", ("clues", 2, "rule"), ["V"]),
    ("arranged", ("clues", 1, "clue"), "{1}"), ("arranged", ("clues", 2, "clue"), 2),
    ("arranged", ("regions", 0, "arranged"), ""), ("arranged", ("regions", 0, "arranged"), "apart"),
    ("arranged", ("regions", 0, "mines"), 3),
    ("arranged", ("regions", 0, "cells"), [[0, 1], [4, 1], [2, 1], [6, 1]]),
    ("arranged", ("cells", 0), [8, 1]), ("arranged", ("cells", 5), [7, 2]),
    ("arranged", ("shown",), [[4, 1], [6, 1]]),
]  # fmt: skip


def changed(board: dict[str, Any], path: Sequence[Any], value: Any) -> dict[str, Any]:
    found = deepcopy(board)
    at: Any = found
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    return found


def text_of(board: dict[str, Any]) -> str:
    return json.dumps({"schema": SCHEMA, **board})


@pytest.mark.parametrize("name", BOARDS)
def test_each_kind_of_board_is_proved_whatever_the_order_of_its_parts(forgery, name: str) -> None:
    puzzle = Puzzle.parse(text_of(BOARDS[name]))
    made = forgery(certify_puzzle(puzzle))
    assert "board.json" in made.files
    backwards = text_of(dict(reversed(BOARDS[name].items())))
    assert made.check(board=backwards).proved >= 1
    cell = puzzle.as_json()["clues"][0]["cell"]
    weights = [*BOARDS[name].get("weights", []), {"cell": cell, "weight": 1}]
    assert made.check(board=text_of({**BOARDS[name], "weights": weights})).proved


@pytest.mark.parametrize(("name", "path", "value"), CHANGES)
def test_each_field_binds_the_verdicts_to_the_board(forgery, name: str, path, value) -> None:
    board = BOARDS[name]
    made = forgery(certify_puzzle(Puzzle.parse(text_of(board))))
    other = text_of(changed(board, path, value))
    # A certificate is not one of the changed board; with that board in it, not of the given one.
    assert made.refused(board=other)
    made.files["board.json"] = other.encode()
    assert made.refused(board=text_of(board))
    # Without a board to compare with, its verdicts are at most those that the changed board has.
    try:
        made.check()
    except WrongCertificateError:
        return
    assert forgery(certify_puzzle(Puzzle.parse(other))).about["verdicts"] == made.about["verdicts"]


def test_changes_at_random_prove_nothing_that_is_false(forgery) -> None:
    rng = random.Random(8)
    verified = done = 0
    for index in range(0, 160, 8):
        board = drawn(index, rng)
        right = true_verdicts(board)
        whole = forgery(certify_puzzle(puzzle_of(board), flags=board.reading))
        files, about = dict(whole.files), dict(whole.about)
        for _ in range(12):
            whole.files, whole.about = dict(files), dict(about)
            name = rng.choice(["proof.opb", "proof.pbp", "layouts.json", ""])
            if name == "layouts.json" and name in files:
                text = whole.text(name)
                place = rng.choice([k for k, mark in enumerate(text) if mark in "*.0123"])
                whole.files[name] = (
                    text[:place] + rng.choice("*.012") + text[place + 1 :]
                ).encode()
            elif name in files:
                whole.put_lines(name, mutated(whole.lines(name), rng))
            elif right:
                place = rng.randrange(len(right))
                verdicts = right[:place] + rng.choice("SM?") + right[place + 1 :]
                whole.about["verdicts"] = verdicts
            done += 1
            try:
                checked = whole.check()
            except WrongCertificateError:
                continue
            verified += 1
            assert whole.about["verdicts"] == right
            assert (checked.status == "consistent") == (right is not None)
    assert 0 < verified < done


SHAPES: dict[str, tuple[dict[str, Any], str | None]] = {
    "one cell": ({"geometry": "graph", "neighbours": {"a": []}}, "?"),
    "no edges, connected": (
        {"geometry": "graph", "neighbours": {"a": [], "b": [], "c": []}, "rules": ["C"],
         "shown": ["b"]}, "SS"),
    "no edges, several mines connected": (
        {"geometry": "graph", "neighbours": {"a": [], "b": []}, "rules": ["C"], "mines": 2}, None),
    "no edges, an area": (
        {"geometry": "graph", "neighbours": {"a": [], "b": []}, "rules": ["2A"],
         "clues": [{"cell": "a", "clue": 1}]}, None),
    "an area in one of two parts": (
        {"geometry": "graph", "rules": ["2A"], "clues": [{"cell": "a", "clue": 2}],
         "neighbours": {"a": ["b"], "b": ["c"], "c": [], "d": ["e"], "e": ["f"], "f": []}},
        "MM???"),
    "no mines": ({"geometry": "cubes", "layers": 1, "rows": 1, "columns": 3, "mines": 0}, "SSS"),
    "a path without mines": (
        {"geometry": "graph", "neighbours": {"a": ["b"], "b": []}, "rules": ["S"], "mines": 0},
        None),
    "nothing covered": (
        {"geometry": "graph", "neighbours": {"a": ["b"], "b": []}, "opened": ["a"], "shown": ["b"]},
        ""),
    "a region without cells": (
        {"geometry": "graph", "neighbours": {"a": []},
         "regions": [{"name": "", "cells": [], "mines": 0, "arranged": "apart"}]}, "?"),
    "a region with more mines than cells": (
        {"geometry": "graph", "neighbours": {"a": []},
         "regions": [{"name": "r", "cells": [], "mines": 1}]}, None),
    "a region of no mines": (
        {"geometry": "square", "rows": 1, "columns": 3,
         "regions": [{"name": "r", "cells": [[0, 2], [0, 0]], "mines": 0}]}, "S?S"),
    "mines of one cell are one run": (
        {"geometry": "square", "rows": 1, "columns": 3, "capacity": [{"cell": [0, 0], "mines": 2}],
         "regions": [{"name": "r", "cells": [[0, 0], [0, 1], [0, 2]], "mines": 3,
                      "arranged": "together"}]}, "MM?"),
    "mines of a cell and another are two runs": (
        {"geometry": "square", "rows": 1, "columns": 3, "capacity": [{"cell": [0, 0], "mines": 2}],
         "regions": [{"name": "r", "cells": [[0, 0], [0, 1], [0, 2]], "mines": 3,
                      "arranged": "apart"}]}, "MSM"),
    "weights of nothing": (
        {"geometry": "graph", "neighbours": {"a": ["b", "c"], "b": [], "c": []},
         "weights": [{"cell": "b", "weight": 0}], "clues": [{"cell": "a", "clue": 1}]}, "?M"),
    "one of two sums, the other below nought": (
        {"geometry": "graph", "neighbours": {"a": ["b", "c"], "b": [], "c": []}, "rules": ["2X'"],
         "dyed": ["b"], "weights": [{"cell": "c", "weight": -1}], "shown": ["c"],
         "clues": [{"cell": "a", "clue": 1}]}, "M"),
    "a difference beyond the sum": (
        {"geometry": "graph", "neighbours": {"a": ["b", "c"], "b": [], "c": []},
         "rules": ["L", "N"], "dyed": ["b"], "clues": [{"cell": "a", "clue": 51}],
         "weights": [{"cell": "b", "weight": 20}, {"cell": "c", "weight": -30}]}, "MM"),
    "names of all kinds": (
        {"geometry": "graph", "mines": 1, "neighbours": [
            ["é '", [["x", [1]]]], [1, []], [["x", [1]], ["é '"]], ["1", []]],
         "clues": [{"cell": "é '", "clue": 1}]}, "SMS"),
    "one group with V and without": (
        {"geometry": "square", "rows": 1, "columns": 5, "mines": 2, "rules": ["#"],
         "clues": [{"cell": [0, 1], "clue": "1", "rule": ["2I"]},
                   {"cell": [0, 3], "clue": "1", "rule": ["V", "2I"]}]}, "???"),
}  # fmt: skip


@pytest.mark.parametrize("flags", ["trust", "ignore"])
@pytest.mark.parametrize("name", SHAPES)
def test_boards_at_the_edge_of_what_there_is(forgery, name: str, flags: str) -> None:
    board, expected = SHAPES[name]
    require_certificate(forgery, Puzzle.parse(text_of(board)), flags, expected)


def star(rays: int, **parts: Any) -> Puzzle:
    names = [f"ray {at}" for at in range(rays)]
    near = {"centre": names, **{name: ["centre"] for name in names}}
    return Puzzle.parse(text_of({"geometry": "graph", "neighbours": near, **parts}))


@pytest.mark.parametrize(
    ("puzzle", "why"),
    [
        (Puzzle(graph({})), "JSON cannot hold the geometry: neighbours: 0 cells"),
        (Puzzle(graph({1.5: []})), r"JSON cannot hold the cell 1\.5"),
        (Puzzle(graph({0: []}), ("satsweeper.puzzle.rules.layout.pairs:no_edge_pair",)),
         "a rule of your own has no certificate"),
        (star(17, rules=["2X"], clues=[{"cell": "centre", "clue": "01"}]),
         "17 cells or mines one by one has no certificate: 16 at most"),
        (star(4, rules=["2M"], clues=[{"cell": "centre", "clue": 0}],
              weights=[{"cell": "ray 0", "weight": 40_000}]),
         "a sum that may have 13335 values apart has no certificate: 10000 at most"),
    ],
)  # fmt: skip
def test_what_has_no_certificate_is_said_in_one_line(puzzle: Puzzle, why: str) -> None:
    with pytest.raises(RuleError, match=why) as caught:
        certify_puzzle(puzzle)
    assert "\n" not in str(caught.value)
