"""Levels of Hexcells: read, written, and solved step by step, each step with its reason."""

import json
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from itertools import product
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper.answers.classification import Status, Verdict
from satsweeper.notation.error import BoardError
from satsweeper.puzzle.answers import PuzzleConflict
from satsweeper.puzzle.clue import read_clue
from satsweeper.puzzle.constraints.protocol import Part
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.grids import square
from satsweeper.puzzle.geometry.hexcells import hexcells
from satsweeper.puzzle.hexcells import Level, read_level
from satsweeper.puzzle.json_board import json_text
from satsweeper.puzzle.odds.odds import odds
from satsweeper.puzzle.play.moves import only, play_certain
from satsweeper.puzzle.puzzle import Puzzle, parse_board_or_puzzle
from satsweeper.puzzle.session import PuzzleSession
from tests.commands import EXAMPLES
from tests.puzzle import plain_hexcells as plain

Place = plain.Place
LEVELS = sorted((Path(__file__).parents[1] / "data" / "hexcells").glob("*.hexcells"))
EMPTY = [".." * 33] * 33


def level_text(pairs: dict[Place, str], *head: str) -> str:
    """The lines of a level with ``pairs`` at their places."""
    rows = ["".join(pairs.get((row, column), "..") for column in range(33)) for row in range(33)]
    return "\n".join(["Hexcells level v1", *(*head, "", "", "", "")[:4], *rows]) + "\n"


FLOWER = {
    (4, 6): "|+", (6, 4): r"\+", (6, 8): "/.",
    (6, 6): "x.", (7, 5): "o.", (7, 7): "x+", (8, 6): "On", (9, 5): "oc", (9, 7): "o+",
    (10, 6): "X+", (12, 6): "O.",
}  # fmt: skip
"""A black -3- at (8, 6) with the six around it, another cell below, and three lines."""


def test_what_is_shown_of_a_level_is_worked_out_from_its_solution():
    level = read_level(level_text(FLOWER, "Title", "Author", "one", "two"))
    assert (level.title, level.author, level.texts) == ("Title", "Author", ("one", "two"))
    puzzle = Puzzle(**level.fields())
    names = puzzle.geometry.cells
    assert names == ((6, 6), (7, 5), (7, 7), (8, 6), (9, 5), (9, 7), (10, 6), (12, 6))
    assert [names[cell] for cell in sorted(level.solution)] == [(6, 6), (7, 7), (10, 6)]
    shown = {names[cell]: (clue.kind.letters, clue.text()) for cell, clue in puzzle.clues.items()}
    assert shown == {(8, 6): (("HN",), "-3-"), (10, 6): (("HB",), "2")}
    assert [names[cell] for cell in puzzle.opened] == [(12, 6)]
    assert [names[cell] for cell in puzzle.shown] == [(10, 6)]
    assert [names[cell] for cell in puzzle.hidden()] == [(6, 6), (7, 5), (7, 7), (9, 5), (9, 7)]
    assert puzzle.mines == 3
    lines = [
        (name, [names[cell] for cell in cells], mines) for name, cells, mines, _ in puzzle.regions
    ]
    assert lines == [
        ("the column below (4, 6)", [(6, 6), (8, 6), (10, 6), (12, 6)], 2),
        ("the line down right of (6, 4)", [(7, 5), (8, 6), (9, 7)], 0),
    ]
    # A mine that is shown is one, with a number or without; the cell with a clue beside it is not.
    assert puzzle.known == {4: False, 7: True, 8: False}
    after = Puzzle(**level.fields(also=[0, 4, 5]))
    later = {names[cell]: clue.text() for cell, clue in after.clues.items()}
    assert later == {(8, 6): "-3-", (10, 6): "2", (9, 5): "{1}", (9, 7): "2"}
    assert [names[cell] for cell in sorted(after.shown)] == [(6, 6), (10, 6)]


def test_hexagons_have_six_neighbours_in_a_circle_with_holes():
    geometry = hexcells(place for place in FLOWER if FLOWER[place][0] in "oOxX")
    around = [geometry.numbers[each] for each in
              [(6, 6), (7, 7), (9, 7), (10, 6), (9, 5), (7, 5)]]  # fmt: skip
    assert geometry.ring(geometry.numbers[8, 6]) == tuple(around)
    assert geometry.ring(geometry.numbers[12, 6]) == (geometry.numbers[10, 6], *[None] * 5)
    assert len(geometry) == 8


def test_a_sentence_says_that_the_mines_of_a_line_are_consecutive_or_not():
    places = {(2, 2): "|c", (4, 2): "o.", (6, 2): "X.", (8, 2): "x.", (10, 2): "o."}
    apart = {(2, 2): "|n", (4, 2): "x.", (6, 2): "o.", (8, 2): "X.", (10, 2): "o."}
    for pairs, cell, word in ((places, (10, 2), "together"), (apart, (6, 2), "apart")):
        puzzle = Puzzle.parse(level_text(pairs))
        with PuzzleSession(puzzle) as session:
            why = session.explain(cell)
        assert why.verdict is Verdict.SAFE
        assert f"the total of the column below (2, 2) (mines {word})" in why.sentence


def test_the_solution_does_not_leak_into_the_puzzle():
    """All layouts that agree with what a level shows make the same puzzle."""
    level = plain.pairs(level_text(FLOWER))
    same = []
    for layout in plain.layouts(level):
        other = {
            place: (("x" if place in layout else "o") + ".") if pair[0] in "ox" else pair
            for place, pair in level.items()
        }
        same.append(Puzzle(**read_level(level_text(other)).fields()))
    assert len(same) > 1
    assert {*map(json_text, same)} == {json_text(Puzzle.parse(level_text(FLOWER)))}


MALFORMED = {
    "line_missing": (level_text(FLOWER).replace(".." * 33 + "\n", "", 1), "b:1:1: a level of 37"),
    "line_too_much": (level_text(FLOWER) + ".." * 33 + "\n", "b:1:1: a level of 39 lines: title"),
    "short_line": (level_text(FLOWER).replace(".." * 33, ".." * 32, 1), "b:6:1: line of 64 charac"),
    "unknown_cell": (level_text({(3, 2): "y."}), "b:9:5: 'y.': the first is one of . o O x X"),
    "unknown_second": (level_text({(3, 2): "o3"}), "b:9:5: 'o3': the second is one of . + c n"),
    "number_without_cell": (level_text({(3, 2): ".+"}), "b:9:5: '.+': a place without a cell has"),
    "blue_with_letter": (level_text({(3, 2): "xc"}), "b:9:5: 'xc': a blue cell has a number, +,"),
    "dump_of_a_position": (level_text({(3, 2): "??"}), "b:9:5: '??': a position without its sol"),
    "no_cells": (level_text({(3, 2): "|."}), "b: a level without cells"),
    "line_without_cells": (level_text({(3, 2): "O.", (4, 9): "|+"}), "b:10:19: a line '|' without"),
    "overlap": (level_text({(3, 2): "O.", (4, 2): "O."}), "b: the hexagon (4, 2) overlaps the one"),
    "one_mine_not_consecutive": (level_text({(3, 2): "on", (5, 2): "x."}),
                                 "b:9:5: 'n': the blue cells are consecutive"),
    "two_apart_called_consecutive": (level_text({(5, 2): "oc", (3, 2): "x.", (7, 2): "X."}),
                                     "b:11:5: 'c': the blue cells are not consecutive"),
    "hole_breaks": (level_text({(5, 2): "oc", (3, 2): "x.", (6, 3): "x."}),
                    "b:11:5: 'c': the blue cells are not consecutive"),
    "line_not_consecutive": (level_text({(1, 2): "|c", (3, 2): "x.", (5, 2): "o.", (7, 2): "X."}),
                             "b:7:5: 'c': the blue cells are not consecutive"),
    "line_consecutive": (level_text({(1, 2): "|n", (3, 2): "x.", (7, 2): "X.", (9, 2): "O."}),
                         "b:7:5: 'n': the blue cells are consecutive"),
}  # fmt: skip


@pytest.mark.parametrize("defect", MALFORMED)
def test_a_malformed_level_is_refused_in_a_line_with_its_place(defect):
    text, message = MALFORMED[defect]
    with pytest.raises(BoardError, match=re.escape(message)):
        Puzzle.parse(text, source="b")
    indented = "".join(f"\t{line}\n" for line in text.splitlines())
    with pytest.raises(BoardError) as error:
        parse_board_or_puzzle(indented, "b")
    place = (error.value.line, error.value.column)
    expected = re.match(r"b:(\d+):(\d+)", message)
    if expected and expected[0] != "b:1:1":
        assert place == (int(expected[1]), int(expected[2]) + 1)


FORMS = {
    "carriage_returns": lambda text: text.replace("\n", "\r\n"),
    "tabs_before": lambda text: "\t" + text.replace("\n", "\n\t"),
    "byte_order_mark": lambda text: "\ufeff" + text,
    "code_fence": lambda text: f"```\n{text}```\n",
    "blank_lines": lambda text: f"\n\n{text}\n\n",
    "comment": lambda text: f"; found on the web\n{text}",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_level_is_read_in_every_form_in_which_it_is_pasted(form):
    text = level_text(FLOWER, "Title", "", "one")
    assert read_level(FORMS[form](text)) == read_level(text)
    assert read_level(FORMS[form](text).encode()) == read_level(text)
    assert parse_board_or_puzzle(FORMS[form](text)) == Puzzle(**read_level(text).fields())


def random_level(seed: int, most: int) -> dict[Place, str]:
    """A level of up to ``most`` cells, numbered at random as its layout allows."""
    rng = Random(seed)
    places = {(16, 16)}
    while len(places) < most - seed % 4:
        (row, column), (down, right) = rng.choice(sorted(places)), rng.choice(plain.AROUND)
        places.add((row + down, column + right))
    level = {place: rng.choice("oxo") + "." for place in places}
    heads = {
        (row - k * down, column - k * right): symbol
        for (row, column), (symbol, (down, right)) in product(places, plain.STEPS.items())
        for k in (1, 3)
    }
    chosen = [each for each in sorted(heads) if each not in places and min(each) >= 0]
    chosen = [(row, c) for row, c in rng.sample(chosen, min(4, len(chosen)))]
    level |= {each: heads[each] + "+" for each in chosen}
    mines = plain.blue(level)
    for place, pair in sorted(level.items()):
        shown = plain.shown_at(level, place, mines)
        values = [each in mines for each in shown.cells]
        letters = ["+", "."]
        if pair[0] not in "xX" and values:
            letters.append("c" if plain.runs(values, pair[0] in "oO") < 2 else "n")
        first = pair[0].upper() if rng.random() < 0.3 else pair[0]
        level[place] = first + rng.choice(letters if pair[0] in "ox" else letters[::2] or ["+"])
    return level


@pytest.mark.parametrize("seed", range(12))
def test_random_levels_are_read_as_the_plain_reader_reads_them_and_written_again(seed):
    pairs = random_level(seed, 30)
    text = level_text(pairs)
    level = read_level(text)
    puzzle = Puzzle(**level.fields())
    names = puzzle.geometry.cells
    assert level.text() == text
    assert {names[cell] for cell in level.solution} == plain.blue(pairs)
    found = {names[cell]: clue.value for cell, clue in puzzle.clues.items()}
    lines = [([names[cell] for cell in cells], mines) for _, cells, mines, _ in puzzle.regions]
    for each in plain.visible(pairs):
        if each.what in plain.STEPS:
            lines.remove(([*each.cells], each.number))
        else:
            assert found.pop(each.place) == each.number
    assert (found, lines) == ({}, [])
    # A puzzle and its solution make the level again, but for lines without a number.
    hidden = {puzzle.geometry.numbers[place]: pair[1] for place, pair in pairs.items()
              if pair[0] in "ox"}  # fmt: skip
    again = Level.of(puzzle, level.solution, hidden, title="Again")
    assert {place: "".join(pair) for place, pair in again.pairs.items()} == {
        place: pair for place, pair in pairs.items() if pair[0] not in plain.STEPS or pair[1] != "."
    }
    assert read_level(again.text()) == again
    assert Puzzle.parse(again.text()) == puzzle
    assert Puzzle.parse(json_text(puzzle)) == puzzle


@pytest.mark.parametrize("seed", range(20, 40))
def test_verdicts_on_random_levels_are_those_of_all_layouts(seed):
    pairs = random_level(seed, 15)
    puzzle = Puzzle.parse(level_text(pairs))
    with PuzzleSession(puzzle) as session:
        found = session.classify()
    assert found.status is Status.CONSISTENT
    assert ({*found.safe}, {*found.mines}) == plain.verdicts(pairs)


def contains(cell: Place, mines: frozenset[Place]) -> bool:
    return cell in mines


@pytest.mark.parametrize("letters", ["HC", "HN"])
def test_a_full_circle_of_six_has_as_many_arrangements_as_are_known(letters):
    """{2} to {4}: 6 each; -2-, -3-, -4-: 9, 14, 9."""
    geometry = hexcells([(2, 1), *[(2 + down, 1 + right) for down, right in plain.AROUND]])
    centre = geometry.numbers[2, 1]
    board = Puzzle(geometry).board
    kind = read_clue("3", (letters,)).kind
    site = kind.site(board, Part("clue", centre), centre)
    found: Counter[int] = Counter()
    for chosen in product((0, 1), repeat=6):
        mines = dict(zip(geometry.neighbours[centre], chosen, strict=True))
        values = kind.shown(site, Counter(mines).__getitem__)
        layout = frozenset(cell + 1 for cell, mine in mines.items() if mine)
        for value in range(7):
            holds = all(each.holds(layout) for each in kind.constraints(site, value))
            assert holds is (value in values)
        found.update(values)
    known = {"HC": {0: 1, 1: 6, 2: 6, 3: 6, 4: 6, 5: 6, 6: 1}, "HN": {2: 9, 3: 14, 4: 9}}
    assert found == known[letters]


@settings(max_examples=150, deadline=None)
@given(
    st.integers(0, 10**6), st.sampled_from([".", "o", "X", "c", "n", "+", "|", "/", "?", "\n", "é"])
)
def test_a_level_with_one_strange_character_is_a_level_or_refused_in_a_line(place, character):
    text = LEVELS[0].read_text()
    place %= len(text)
    changed = text[:place] + character + text[place + 1 :]
    try:
        level = read_level(changed, "b")
    except BoardError as error:
        message = str(error)
    else:
        assert read_level(level.text()) == level
        assert Level.of(Puzzle(**level.fields()), level.solution).solution == level.solution
        return
    assert message.startswith("b:")
    assert "\n" not in message


def bits(pairs: dict[Place, str]) -> tuple[list[frozenset[Place]], dict[object, int]]:
    """All layouts of the hidden cells, and for each clue, line and total which of them meet it."""
    everything = [*plain.layouts(pairs, seen=[], total=False)]
    total = len(plain.blue(pairs))
    every = frozenset(plain.cells(pairs))

    def table(test: Callable[[frozenset[Place]], bool]) -> int:
        return int("".join("01"[test(mines)] for mines in reversed(everything)), 2)

    tables: dict[object, int] = {
        each.place: table(partial(plain.meets, each)) for each in plain.visible(pairs, every)
    }
    tables["total"] = table(lambda mines: len(mines) == total)
    for cell in plain.cells(pairs):
        tables["mine", cell] = table(partial(contains, cell))
    return everything, tables


def by_one_clue(
    pairs: dict[Place, str], also: frozenset[Place], tables: dict[object, int], known: int
) -> set[Place]:
    """The hidden cells that follow from one clue or line alone."""
    hidden = [e for e in plain.cells(pairs) if pairs[e][0] in "ox" and e not in also]
    left = [known & tables[each.place] for each in plain.visible(pairs, also)]
    return {e for e in hidden if any(few & tables["mine", e] in (0, few) for few in left)}


@pytest.mark.parametrize(
    "path",
    [pytest.param(path, marks=[pytest.mark.slow] * path.stem.endswith("16")) for path in LEVELS],
    ids=lambda path: path.stem,
)
def test_a_hard_level_is_solved_step_by_step_with_a_reason_for_each_step(path):
    """Each step is checked against all layouts: the reason alone forces the cell.

    Cells that follow from one clue alone are taken first; then, twice at least, there are none.
    """
    text = path.read_text()
    pairs = plain.pairs(text)
    level = read_level(text, path.name)
    everything, tables = bits(pairs)
    numbers = level.geometry.numbers
    also: frozenset[Place] = frozenset()
    known = (1 << len(everything)) - 1
    hard = 0
    while True:
        puzzle = Puzzle(**level.fields(also=[numbers[place] for place in also]))
        if not puzzle.hidden():
            break
        with PuzzleSession(puzzle) as session:
            found = session.classify()
            left = known & tables["total"]
            for each in plain.visible(pairs, also):
                left &= tables[each.place]
            hidden = [e for e in plain.cells(pairs) if pairs[e][0] in "ox" and e not in also]
            assert {*found.safe} == {e for e in hidden if not left & tables["mine", e]}
            assert {*found.mines} == {e for e in hidden if left & tables["mine", e] == left}
            easy = by_one_clue(pairs, also, tables, known)
            assert easy <= {*found.safe, *found.mines}
            steps = sorted(easy) or [e for e in hidden if e not in found.unknown]
            assert steps
            hard += not easy
            for cell in steps:
                why = session.explain(cell)
                assert why.verdict is (Verdict.MINE if cell in found.mines else Verdict.SAFE)
                assert why.reason is not None
                places = {region: re.findall(r"\d+", region) for region in why.reason.regions}
                parts: list[object] = [*why.reason.clues, *["total"] * why.reason.total]
                parts += [(int(row), int(column)) for row, column in places.values()]
                left = known
                for part in parts:
                    left &= tables[part]
                assert left & tables["mine", cell] == (left if cell in found.mines else 0)
                for region in why.reason.regions:
                    assert region in why.sentence
        also = also.union(steps)
        for place in steps:
            if place in plain.blue(pairs):
                known &= tables["mine", place]
            else:
                known &= ~tables["mine", place]
    assert hard >= 2
    assert {numbers[place] for place in plain.blue(pairs)} == level.solution


POSTED = sorted(LEVELS[0].parent.glob("posted_*.json"))
"""Positions read off the example pictures 3, 8 and 14 of HexSolver: `Mikescher/HexSolver`."""


def posted(path: Path) -> tuple[dict[object, plain.Shown], set[Place], frozenset[Place]]:
    """Return the numbers shown in a posted position, its hidden cells and its shown mines."""
    board = json.loads(path.read_text())
    cells, marked = {*map(tuple, board["cells"])}, frozenset(map(tuple, board["shown"]))
    letter = {"HC": "c", "together": "c", "HN": "n", "apart": "n"}
    found: dict[object, plain.Shown] = {}
    for clue in board["clues"]:
        (row, column), (rule,) = clue["cell"], clue["rule"]
        near = [(row + down, column + right) for down, right in plain.AROUND]
        far = {(a + down, b + right) for a, b in near for down, right in plain.AROUND} | {*near}
        seen = sorted((far - {(row, column)}) & cells) if rule == "HB" else near
        kept = tuple([each if each in cells else None for each in seen])
        what, number = "blue" if rule == "HB" else "black", int(clue["clue"].strip("{}-"))
        found[row, column] = plain.Shown((row, column), what, kept, number, letter.get(rule, "+"))
    for line in board["regions"]:
        arranged = letter.get(line.get("arranged", ""), "+")
        kept = tuple(map(tuple, line["cells"]))
        found[line["name"]] = plain.Shown((0, 0), "line", kept, line["mines"], arranged)
    open_cells = {*map(tuple, board["opened"]), *(tuple(each["cell"]) for each in board["clues"])}
    hidden = cells - open_cells - marked
    everywhere = tuple(sorted(hidden | marked))
    found["total"] = plain.Shown((0, 0), "line", everywhere, board["mines"], "+")
    return found, hidden, marked


@pytest.mark.parametrize("path", POSTED, ids=lambda path: path.stem)
def test_a_posted_position_has_certain_cells_each_forced_by_its_reason_alone(path):
    found, hidden, marked = posted(path)

    def possible(parts: list[plain.Shown], cell: Place, mine: bool) -> bool:
        """Whether ``parts`` can be met together while the cell is a mine, or is none."""
        met = [*hidden.intersection([cell, *(each for part in parts for each in part.cells)])]
        for values in product((False, True), repeat=len(met)):
            mines = marked.union([each for each, here in zip(met, values, strict=True) if here])
            if (cell in mines) == mine and all(plain.meets(part, mines) for part in parts):
                return True
        return False

    with PuzzleSession(Puzzle.read(path)) as session:
        answer = session.classify()
        certain = {*answer.safe, *answer.mines}
        assert answer.status is Status.CONSISTENT
        assert certain | {*answer.unknown} == hidden
        assert answer.safe
        assert answer.mines
        if len(hidden) < 12:
            both = (True, False)
            everything = [*found.values()]
            assert certain == {
                e for e in hidden if not all(possible(everything, e, mine) for mine in both)
            }
        for cell in certain:
            reason = session.explain(cell).reason
            parts = [found[each] for each in (*reason.clues, *reason.regions)]
            parts += [found["total"]] * reason.total
            assert not possible(parts, cell, cell in answer.safe)
            for part in parts:
                assert possible([e for e in parts if e is not part], cell, cell in answer.safe)


@pytest.mark.parametrize("path", LEVELS[:3], ids=lambda path: path.stem)
def test_odds_of_a_level_are_those_of_all_layouts(path):
    layouts = [*plain.layouts(plain.pairs(path.read_text()))]
    found = odds(Puzzle.read(path))
    assert found.solutions == len(layouts)
    for cell, chance in found.mine.items():
        assert chance == Fraction(sum(cell in mines for mines in layouts), len(layouts))


def test_certain_moves_open_safe_cells_also_where_a_reason_does_without_a_clue_on_a_mine():
    level = read_level((EXAMPLES / "flower.hexcells").read_text())
    numbers = Puzzle(**level.fields(also=range(len(level.geometry)))).clues
    safe = {cell: clue for cell, clue in numbers.items() if cell not in level.solution}
    puzzle = Puzzle(**level.fields())
    play = play_certain(puzzle, safe, reasons=True)
    assert len(play.moves) > 2
    assert level.solution.isdisjoint([cell for move in play.moves for cell in move.cells])
    nothing = PuzzleConflict((), (), False)
    assert only(puzzle, nothing).known == puzzle.known


def holdable() -> tuple[Puzzle, frozenset[int]]:
    level = read_level(level_text(FLOWER))
    return Puzzle(**level.fields()), level.solution


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"flags": frozenset({0})}, "a level cannot hold flags: JSON can"),
        ({"weights": {0: 2}, "capacity": {1: 2}}, "cannot hold weights, capacities"),
        ({"rules": ("C", "#")}, "cannot hold rules"),
        ({"mines": None}, "a level tells the total, 3: the puzzle None"),
        ({"mines": 4}, "a level tells the total, 3: the puzzle 4"),
        ({"clues": {3: read_clue("3", ("HC",)), 6: read_clue("2", ("HB",))}},
         "'c': the blue cells are not consecutive"),
        ({"clues": {3: read_clue("2", ("V",)), 6: read_clue("2", ("HB",))}}, "it has 3 at (8, 6)"),
        ({"clues": {3: read_clue("2", ("X",)), 6: read_clue("2", ("HB",))}},
         "cannot hold what cell (8, 6) shows"),
        ({"clues": {}, "shown": frozenset({7}), "opened": frozenset()}, "open cells differ"),
    ],
)  # fmt: skip
def test_what_a_level_cannot_hold_is_named(change, what):
    puzzle, solution = holdable()
    with pytest.raises(RuleError, match=re.escape(what)):
        Level.of(replace(puzzle, **change), solution)


def test_a_region_that_is_no_line_and_another_geometry_are_refused():
    puzzle, solution = holdable()
    region = puzzle.regions[0]
    for wrong, what in (
        (region._replace(name="row 1"), "cannot hold the region row 1: no line of cells"),
        (region._replace(cells=(0, 1)), "another solution than the puzzle's, by the column below"),
        (region._replace(mines=1), "another solution than the puzzle's, by the column below"),
        (region._replace(name="the column below (6, 6)"), "(6, 6) is taken"),
    ):
        with pytest.raises(RuleError, match=re.escape(what)):
            Level.of(replace(puzzle, regions=(wrong,)), solution)
    with pytest.raises(RuleError, match="a level has hexagons"):
        Level.of(Puzzle(square(2, 2)), [])
    with pytest.raises(RuleError, match="a line of printable characters each"):
        Level.of(puzzle, solution, title="two\nlines")
    far = Level.of(Puzzle(hexcells([(40, 0)]), ("#",), mines=0), [])
    with pytest.raises(RuleError, match=re.escape("no place (40, 0)")):
        far.text()
