"""Exact odds: against all layouts, verdicts, published figures and other programs' counts.

Some regions have far more layouts than anyone can list: they are counted, or refused with a reason.
"""

import random
from contextlib import suppress
from fractions import Fraction
from io import BytesIO
from itertools import count
from math import comb
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import satsweeper.count.board as board_module
import satsweeper.count.odds as odds_module
from satsweeper import Classification, Position, classify, odds
from satsweeper.count import budget
from satsweeper.count.budget import OddsLimitError
from satsweeper.count.odds import NoLayoutError, Odds, digits
from satsweeper.export.formula import formula_of
from tests.boards import Board, Cell, boards
from tests.commands import EXAMPLES


def expected(board: Board, density: Fraction | None = None) -> tuple[int, dict[Cell, Fraction]]:
    """The number of layouts and every covered cell's chance, one layout after the other."""
    covered = board.at(-1)
    whole, number = Fraction(0), 0
    mined = dict.fromkeys(covered, Fraction(0))
    for layout in board.layouts():
        inside = sum(cell in layout for cell in covered)
        weight = Fraction(1)
        if density is not None:
            weight = density**inside * (1 - density) ** (len(covered) - inside)
        whole += weight
        number += 1
        for cell in covered:
            mined[cell] += weight * (cell in layout)
    return number, {cell: ways / whole for cell, ways in mined.items()} if whole else {}


@settings(max_examples=200)
@given(boards(most=9))
def test_odds_are_shares_of_the_layouts_with_the_total_known_and_unknown(board):
    number, chances = expected(board)
    position = Position(board.cells, board.total)
    if not number:
        with pytest.raises(NoLayoutError):
            odds(position)
        return
    found = odds(position)
    assert (found.mine, list(found.mine)) == (chances, board.at(-1))
    assert (found.solutions, type(found.solutions)) == (number, int)
    assert all(type(p) is Fraction for p in found.mine.values())


@settings(max_examples=100)
@given(
    boards(most=9, consistent=True),
    st.fractions(0, 1, max_denominator=30).filter(lambda p: 0 < p < 1),
)
def test_a_density_weighs_the_layouts(board, density):
    found = odds(Position(board.cells), density=density)
    assert (found.solutions, found.mine) == expected(board._replace(total=None), density)
    assert found.interior in (None, density)


@settings(max_examples=60)
@given(boards(most=9, consistent=True))
def test_ignored_flags_are_covered_cells(board):
    plain = board._replace(cells=np.where(board.cells == -2, np.int8(-1), board.cells))
    found = odds(Position(board.cells, board.total), flags="ignore")
    assert (found.solutions, found.mine) == expected(plain)


def assert_certain_where_verdicts_are(found: Odds, verdicts: Classification) -> None:
    assert [cell for cell, p in found.mine.items() if p == 0] == verdicts.safe
    assert [cell for cell, p in found.mine.items() if p == 1] == verdicts.mines


def test_nothing_and_everything_is_certain_where_the_verdicts_say_so(sample):
    for record in sample:
        for position in (Position.parse(record.text), Position.parse(record.text, mines=None)):
            with suppress(OddsLimitError):
                assert_certain_where_verdicts_are(odds(position, timeout=2), classify(position))


@settings(max_examples=80)
@given(boards(most=14, consistent=True))
def test_a_chance_is_0_or_1_exactly_where_a_verdict_is_safe_or_mine(board):
    position = Position(board.cells, board.total)
    assert_certain_where_verdicts_are(odds(position), classify(position))


def test_a_board_without_clues_is_one_interior():
    found = odds(Position(np.full((9, 9), -1), 10))
    assert (found.solutions, found.interior_cells) == (comb(81, 10), 81)
    assert {found.interior, *found.mine.values()} == {Fraction(10, 81)}


def strip(length: int) -> list[list[int]]:
    """Three rows; every other cell of the middle one is a clue."""
    rng = random.Random(4)
    mines = {(r, c) for r in (0, 2) for c in range(length) if rng.random() < 0.4}
    return [
        [
            sum((a, b) in mines for a in (0, 1, 2) for b in (c - 1, c, c + 1))
            if r == 1 and c % 2 == 0
            else -1
            for c in range(length)
        ]
        for r in range(3)
    ]


def test_a_long_strip_is_counted_exactly_and_its_totals_sum_up_to_the_whole():
    cells = strip(60)
    whole = odds(Position(cells))
    assert whole.solutions > 10**18
    by_total = []
    for total in range(30, 110):
        with suppress(NoLayoutError):
            by_total.append(odds(Position(cells, total)))
    assert sum(each.solutions for each in by_total) == whole.solutions
    for cell in ((0, 0), (0, 30), (2, 59)):
        mined = sum(each.mine[cell] * each.solutions for each in by_total)
        assert mined == whole.mine[cell] * whole.solutions
    for each in by_total:
        assert sum(each.mine.values()) == each.position.mines


def test_a_region_that_is_too_wide_is_refused_by_name():
    for _ in range(2):
        with pytest.raises(OddsLimitError, match=r"region of 37 cells at \(0, 0\).*open at once"):
            odds(Position(strip(60)), max_width=1)
        # Nor is it remembered from a call that allowed more.
        odds(Position(strip(60)))
    with pytest.raises(OddsLimitError, match="time limit"):
        odds(Position(strip(60)), timeout=0)


def test_a_density_excludes_a_known_total():
    with pytest.raises(ValueError, match="excludes a known total"):
        odds(Position([[-1, 1]], 1), density=Fraction(1, 5))
    with pytest.raises(ValueError, match="above 0 and below 1"):
        odds(Position([[-1, 1]]), density=Fraction(1))


def test_numbers_of_any_size_are_written():
    found = odds(Position(np.full((150, 150), -1)))
    told = found.as_json()["solutions"]
    assert (told, len(told)) == (digits(2**22500), 6774)
    assert [digits(0), digits(10**9000 + 7)] == ["0", "1" + "0" * 8999 + "7"]


def test_a_limit_is_kept_while_rules_are_applied_and_binomials_multiplied(monkeypatch):
    """On a board of a million cells each takes seconds."""
    monkeypatch.setattr("satsweeper.count.counts._SHORT", -1)
    monkeypatch.setattr("satsweeper.count.counts._LARGE", -1)
    position = Position.parse("3 8 4\n1???????\n???1????\n????????")
    looks = count()
    monkeypatch.setattr("satsweeper.processes.deadline.monotonic", lambda: float(next(looks)))
    reached: list[str] = []
    monkeypatch.setattr("satsweeper.count.board.SMALL", 0)
    for at in ("boxes_of", "count_region", "combine", "Odds"):
        module = odds_module if at == "Odds" else board_module
        known = getattr(module, at)

        def told(*arguments: Any, at: str = at, known: Any = known) -> Any:
            reached.append(at)
            return known(*arguments)

        monkeypatch.setattr(module, at, told)
    ends = []
    for seconds in count():
        reached.clear()
        try:
            odds(position, timeout=seconds)
        except OddsLimitError:
            ends.append(reached[-1] if reached else "")
        else:
            break
    assert (ends[0], ends[-1]) == ("", "combine")
    assert ends.count("combine") > 2


def checkerboard(side: int, seed: int) -> Position:
    """Every other cell of a random layout, 30 % mines, is opened where it is safe."""
    rng = random.Random(seed)
    mines = {(r, c) for r in range(side) for c in range(side) if rng.random() < 0.3}
    cells = np.full((side, side), -1, np.int8)
    for r, c in np.ndindex(side, side):
        if (r + c) % 2 == 0 and (r, c) not in mines:
            near = [(a, b) for a in range(r - 1, r + 2) for b in range(c - 1, c + 2)]
            cells[r, c] = sum(cell in mines for cell in near)
    return Position(cells, len(mines))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_checkerboard_of_50_by_50_is_counted_exactly(seed):
    known = checkerboard(50, seed)
    free = Position(known.cells)
    found, weighed = odds(free), odds(known)
    assert 10**45 < found.solutions < 10**60
    assert 10**40 < weighed.solutions < found.solutions
    assert sum(weighed.mine.values()) == known.mines
    verdicts = classify(free)
    assert_certain_where_verdicts_are(found, verdicts)
    for cell in verdicts.safe + verdicts.mines:
        assert weighed.mine[cell] == found.mine[cell]


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_one_more_clue_keeps_the_share_of_layouts_that_the_odds_promise(seed):
    position = Position(checkerboard(30, seed).cells)
    found = odds(position)
    cell = next(cell for cell, p in found.mine.items() if 0 < p < 1)
    opened = 0
    for clue in range(9):
        with suppress(NoLayoutError):
            opened += odds(position.with_clue(cell, clue)).solutions
    assert Fraction(opened, found.solutions) == 1 - found.mine[cell]


def test_a_strip_of_threes_has_a_layout_for_each_choice_in_each_column():
    """A row of clues between two rows of covered cells: one mine in each column."""
    cells = np.full((3, 60), -1, np.int8)
    cells[1] = 3
    cells[1, [0, -1]] = 2
    position = Position(cells, 60)
    found = odds(position)
    assert found.solutions == odds(Position(cells)).solutions == 2**60
    assert set(found.mine.values()) == {Fraction(1, 2)}
    assert not classify(position).safe + classify(position).mines


def test_what_would_take_too_long_is_refused_by_name_and_by_what_it_would_cost(monkeypatch):
    position = checkerboard(30, 0)
    name = r"the region of 369 cells at \(0, \d+\)"
    with pytest.raises(OddsLimitError, match=name + r" is too wide: \d+ clues .* up to 2\^\d+ p"):
        odds(position, max_width=8)
    for limit, message in [
        ("MAX_TRIED", r"takes too long: width \d+, pairs of states: [\d,]+ \(limit 1,000\)"),
        ("MAX_PAIRS", r"takes too much memory: width \d+, pairs of states: [\d,]+ \(limit 1,000\)"),
        ("MAX_PRODUCTS", r"takes too long: width \d+, \d+ pairs of states, bits to multiply"),
        ("MAX_STORED", r"takes too much memory: width \d+, bytes: [\d,]+ \(limit 1,000\)"),
    ]:
        with monkeypatch.context() as patch:
            patch.setattr(budget, limit, 1000)
            with pytest.raises(OddsLimitError, match=f"{name} {message}"):
                odds(position)
    monkeypatch.setattr(budget, "MAX_MIXED", 10)
    with pytest.raises(OddsLimitError, match=r"the total over \d+ regions takes too long: bits of"):
        odds(position)


@pytest.mark.parametrize("total", [None, *range(2, 11)])
def test_the_total_weighs_the_six_cells_that_no_clue_decides(total):
    """Golovatskaia's 5 x 5: seven cells are forced; the six others hold what the total leaves."""
    position = Position.read(EXAMPLES / "lp_5x5.txt", mines=total)
    if total in (2, 10):
        with pytest.raises(NoLayoutError):
            odds(position)
        return
    found = odds(position)
    forced = {cell: p for cell, p in found.mine.items() if found.interior != p or p in (0, 1)}
    open_cells = set(found.mine) - set(forced)
    if total in (3, 9):
        assert (found.solutions, open_cells) == (1, set())
        assert sum(found.mine.values()) == total
    else:
        assert len(open_cells) == found.interior_cells == 6
        assert sorted(forced.values()) == [0] * 4 + [1] * 3
        share = Fraction(1, 2) if total is None else Fraction(total - 3, 6)
        assert {found.mine[cell] for cell in open_cells} == {share}


half = Fraction(1, 2)


@pytest.mark.parametrize(
    ("position", "solutions", "mine"),
    [
        # The cluster of danamlund: four layouts and a safe last cell.
        (Position.parse("01?\n12?\n???"), 4,
         {(0, 2): half, (1, 2): half, (2, 0): half, (2, 1): half, (2, 2): 0}),
        # GGAMES.MOBI: a mine at A forces another, one is left: A and C are safe, B is the mine.
        (Position.parse("1 5 1\n?1?1?"), 1, {(0, 0): 0, (0, 2): 1, (0, 4): 0}),
        # The issue of problem-reductions.
        (Position.read(EXAMPLES / "ilp_3x3.txt", mines=None), 2,
         {(0, 1): 1, (0, 2): 0, (1, 2): half, (2, 2): half}),
    ],
)  # fmt: skip
def test_published_positions_have_these_odds(position, solutions, mine):
    found = odds(position)
    assert (found.solutions, found.mine) == (solutions, mine)


def test_the_wire_of_kaye_carries_one_of_two_values():
    wire = "?000000000000?\n?111111111111?\n??1??1??1??1??\n?111111111111?\n?000000000000?"
    for total in (None, 5):
        assert odds(Position.parse(wire, mines=total)).solutions == 2


def test_the_first_column_of_board_4_is_weighed_by_the_interior():
    """ms_toollib's fourth test board: 4/53 where an unweighted share of layouts says 1/3."""
    rows = ["1???????", "1???????", "2???????", *["????????"] * 5]
    found = odds(Position.parse("\n".join(rows), mines=10))
    assert [found.mine[r, 1] for r in range(3)] == [Fraction(4, 53), Fraction(49, 53), 0]
    assert float(found.interior or 0) == 0.14150943396226415


def lattice(clue_rows: int, more: int, mines: int | None) -> Position:
    """Every other cell of every other row is a clue, as on ms_toollib's board for speed."""
    clues = ["2" + "?3" * 9 + "?1", *["3" + "?4" * 9 + "?1"] * (clue_rows - 1)]
    blank = "?" * 21
    rows = [row for clue in clues for row in (clue, blank)]
    return Position.parse("\n".join([*rows, *[blank] * more]), mines=mines)


def test_one_region_of_62_cells_has_the_odds_that_ms_toollib_gives():
    found = odds(lattice(2, 6, 75))
    published = {
        (1, 20): 0.071438566783525, (3, 19): 0.22767003533700023, (1, 1): 0.7602459933118861,
        (0, 13): 0.5462807701483761, (3, 20): 0.06319615739151148,
    }  # fmt: skip
    assert {cell: float(found.mine[cell]) for cell in published} == pytest.approx(published, 1e-12)
    assert float(found.interior or 0) == pytest.approx(0.3550755215818981, 1e-12)
    assert sum(found.mine.values()) == 75


def test_one_region_of_124_cells_is_counted_exactly():
    free = odds(lattice(4, 1, None))
    assert len(free.mine) - free.interior_cells == 124
    for found in (odds(lattice(4, 1, total)) for total in (80, 81)):
        assert sum(found.mine.values()) == found.position.mines
        assert 0 < found.solutions < free.solutions


MIDDLE = ("exp-sparse-002", "exp-stuck-066", "int-sparse-014", "d30-sparse-014")


def named(sample: list[Any], names: tuple[str, ...]) -> list[Any]:
    found = [record for record in sample if record.name in names]
    assert len(found) == len(names)
    return found


def ganak(text: str, literals: tuple[int, ...] = ()) -> int:
    """The models of a pmc file, projected on the variables it shows, that hold some literals."""
    pyganak = pytest.importorskip("pyganak")
    # An object counts once.
    counter = pyganak.Counter()
    clauses = [[literal] for literal in literals]
    shown: set[int] = set()
    for line in text.splitlines():
        words = line.split()
        if line.startswith("p cnf"):
            counter.new_vars(int(words[2]))
        elif line.startswith("c p show"):
            shown = {int(word) for word in words[3:-1]}
        elif words[0] not in "cp":
            clauses.append([int(word) for word in words[:-1]])
    counter.add_clauses(clauses)
    # Of hundreds of variables in no clause it loses count (2.8.0): each doubles the number.
    bound = shown & {abs(literal) for clause in clauses for literal in clause}
    counter.set_sampling_set(sorted(bound))
    return int(counter.count()) << len(shown) - len(bound)


@pytest.mark.parametrize("encoding", ["direct", "totalizer"])
def test_a_counter_of_models_counts_the_same_layouts_without_the_total(sample, encoding):
    """With the total a generic counter has no chance; without it regions are independent."""
    pytest.importorskip("pyganak")
    for record in named(sample, MIDDLE if encoding == "direct" else MIDDLE[:2]):
        position = Position.parse(record.text, mines=None)
        export = formula_of(position, encoding=encoding)
        stream = BytesIO()
        export.write(stream, "pmc")
        text = stream.getvalue().decode()
        found = odds(position)
        assert ganak(text) == found.solutions
        cells = [tuple(cell) for cell in export.board.cells.tolist()]
        for cell in cells[:: len(cells) // 2]:
            variable = cells.index(cell) + 1
            mined = found.mine[cell] * found.solutions
            assert ganak(text, (variable,)) == mined


def test_ms_toollib_gives_the_same_chances_in_doubles(sample):
    toollib = pytest.importorskip("ms_toollib")
    expert = [record for record in sample if record.name.startswith(("exp-", "b8-"))]
    assert len(expert) == 24
    for record in expert:
        position = Position.parse(record.text)
        codes = np.where(position.cells < 0, 10, position.cells).tolist()
        theirs, _ = toollib.cal_probability_onboard(codes, float(position.mines or 0))
        for (row, column), chance in odds(position).mine.items():
            assert float(chance) == pytest.approx(theirs[row][column], abs=1e-9)
