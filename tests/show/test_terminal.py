"""What a terminal shows: legible without colour, a line for what was cut off, and progress."""

import io
import re
import threading
from collections import Counter
from contextlib import redirect_stderr, redirect_stdout
from fractions import Fraction
from random import Random

import pytest
from rich.console import Console

from satsweeper import Position, odds
from satsweeper.answers.classification import Classification, Conflict, Stats, Status
from satsweeper.board.planes import board_of
from satsweeper.report.table import Table
from satsweeper.show import progress as module
from satsweeper.show.answers import MAPPED, percent, show_odds
from satsweeper.show.palette import STYLES
from satsweeper.show.progress import make_room, progress
from satsweeper.show.table import show_table
from satsweeper.show.terminal import draw, show_classification, show_stats


def plain(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def result_of(text, status, safe=(), mines=(), conflict=None) -> Classification:
    position = Position.parse(text)
    grid = position.geometry
    sure = [board_of([grid.index(cell) for cell in cells], grid.size) for cells in (safe, mines)]
    return Classification(
        status, grid, position.padded, position.mines, position.planes.covered, sure[0], sure[1],
        Stats(sat_calls=4, seconds=0.0125), solver="minisat22", encoding="direct",
        conflict=conflict,
    )  # fmt: skip


def shown(result: Classification, **options) -> str:
    out = io.StringIO()
    show_classification(result, Console(file=out, **options))
    return out.getvalue()


TERMINAL = {"force_terminal": True, "color_system": "standard", "legacy_windows": False}
CONSISTENT = result_of("1???\nF210", Status.CONSISTENT, safe=[(0, 1)], mines=[(0, 2)])


def test_verdicts_flags_and_clues_are_characters_of_their_own_to_which_colour_adds_nothing():
    assert shown(CONSISTENT) == (
        "    0 1 2 3\n"
        "0   1 S M ?\n"
        "1   F 2 1 0\n"
        "S safe   M mine   ? unknown   F flag   0-8 clue\n"
        "1 safe, 1 mine, 1 unknown\n"
        "engine portfolio, solver minisat22, encoding direct, 0.013 s\n"
    )
    coloured = shown(CONSISTENT, width=80, _environ={}, **TERMINAL)
    assert coloured != plain(coloured) == shown(CONSISTENT)


@pytest.mark.parametrize("options", [{}, {"width": 64}, {"marks": {(0, 1)}}], ids=str)
def test_each_sign_has_its_colour_where_it_stands_and_none_unless_colours_are_wanted(options):
    drawn = draw(["1SM?F0" * 10], **options)
    # The number of the row is dim as well.
    expected = Counter(dict.fromkeys(STYLES.items(), 10)) + Counter([("0", "dim")])
    if "marks" in options:
        expected += Counter([("S", "bold reverse")])
        expected -= Counter([("S", STYLES["S"])])
    found = Counter((drawn.plain[at.start : at.end].strip(), at.style) for at in drawn.spans)
    assert {entry: found[entry] for entry in expected} == expected
    assert {span.style for span in draw(["1SM?F0"], styled=False, **options).spans} == {"dim"}


def test_no_colour_is_used_where_none_is_wanted(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    text = shown(CONSISTENT, width=80, force_terminal=True, color_system="standard")
    codes = set(re.findall(r"\x1b\[([0-9;]*)m", text))
    assert not any(30 <= int(code) <= 107 for each in codes for code in each.split(";") if code)


@pytest.mark.parametrize(
    ("text", "conflict", "board", "sentence"),
    [
        ("1?3\n???", Conflict(((0, 0), (0, 2)), (), False),
         "    0 1 2\n0  [1]?[3]\n1   ? ? ?\n",
         "clues at (0, 0), (0, 2) cannot all be met at once."),
        ("1 3 1\n0F?", Conflict(((0, 0),), ((0, 1),), False), "    0 1 2\n0  [0|F]?\n",
         "clue at (0, 0) and the flag at (0, 1) cannot all be met at once; the total plays no "
         "part."),
        ("1 3 3\n1??", Conflict(((0, 0),), (), True), "    0 1 2\n0  [1]? ?\n",
         "clue at (0, 0) and the total of 3 mines cannot all be met at once."),
        ("1??", Conflict(((0, 0),), (), False), "    0 1 2\n0  [1]? ?\n",
         "clue at (0, 0) cannot be met."),
    ],
)  # fmt: skip
def test_what_clashes_is_bracketed_and_named(text, conflict, board, sentence):
    assert shown(result_of(text, Status.INCONSISTENT, conflict=conflict)) == (
        f"{board}? covered   F flag   0-8 clue   [ ] clashes\nNo layout exists: the {sentence}\n"
        "engine portfolio, solver minisat22, encoding direct, 0.013 s\n"
    )


def test_a_long_conflict_names_some_cells_and_marks_all():
    clash = Conflict(tuple((0, column) for column in range(0, 40, 2)), (), False)
    text = shown(result_of("1?" * 20, Status.INCONSISTENT, conflict=clash))
    assert "(0, 20), (0, 22) and 8 more cannot" in text
    assert text.count("[1]") == 20


def test_an_undecided_board_says_how_far_its_verdicts_can_be_trusted():
    text = shown(result_of("1??", Status.UNDECIDED, safe=[(0, 2)]))
    assert "0   1 ? S\n" in text
    assert "1 safe, 0 mine, 1 unknown" in text
    assert "limit was reached" in text
    assert "certain if the board has a layout at all" in text


def test_columns_are_numbered_downwards():
    tens, units, row = draw(["?" * 112]).plain.splitlines()
    for column in range(112):
        at = 4 + 2 * column
        assert units[at] == str(column % 10)
        if column and column % 10 == 0:
            number = str(column // 10)
            assert tens[at - len(number) : at + 1] == f" {number}"
    assert row == "0   " + " ".join("?" * 112)
    for first in range(10, 120):
        # In a part, the tens of the first column stand there unless those of the next are near.
        tens, units = draw(["?" * 200], {(0, first + 8)}, width=40).plain.splitlines()[:2]
        assert units[4] == str(first % 10)
        assert (tens[:5].strip() == str(first // 10)) is (first % 10 < 8)


@pytest.mark.parametrize("width", [20, 33, 60, 80])
def test_a_wide_board_fits_the_terminal_and_says_what_is_missing(width):
    rows = ["0123456789" * 10] * 11
    lines = draw(rows, width=width).plain.splitlines()
    assert max(map(len, lines[:-1])) == width
    assert lines[-1] == f"columns 0-{width - 6} of 0-99 shown"
    assert [line[5:] for line in lines[2:-1]] == [rows[0][: width - 5]] * 11


def test_a_board_gives_up_its_gaps_before_its_cells():
    row = "01?" * 10
    assert draw([row], width=64).plain.splitlines()[-1] == "0   " + " ".join(row)
    assert draw([row], width=63).plain.splitlines()[-1] == "0   " + row


def test_a_cut_board_shows_the_part_that_is_marked_and_marks_that_do_not_fit_are_counted():
    marks = {(20, 150), (20, 151), (22, 153)}
    drawn = draw(["?" * 200] * 30, marks, width=40, height=20).plain
    assert "[?|?]? ?" in drawn
    assert drawn.count("?]") == 2
    assert "not shown" not in drawn
    assert re.search(r"^rows 16-27 of 0-29 shown$", drawn, re.M)
    assert re.search(r"^columns \d+-\d+ of 0-199 shown$", drawn, re.M)
    assert max(map(len, drawn.splitlines())) <= 40
    drawn = draw(["?" * 99], {(0, 0), (0, 50), (0, 98)}, width=40).plain
    assert drawn.endswith("of 0-98 shown; marked cells not shown: 2")


def test_nothing_is_cut_off_in_a_file_and_nothing_wraps_in_a_terminal():
    result = result_of("?" * 300, Status.CONSISTENT)
    assert "0   " + " ".join("?" * 300) + "\n" in shown(result)
    lines = plain(shown(result, width=60, height=25, _environ={}, **TERMINAL)).splitlines()
    assert max(map(len, lines)) <= 60
    assert "columns 0-55 of 0-299 shown" in lines


def test_stats_are_a_line_a_number():
    out = io.StringIO()
    show_stats(Stats(sat_calls=1234, total_asked=True, seconds=0.5), Console(file=out))
    lines = dict(re.split(r"  +", line) for line in out.getvalue().splitlines())
    some = {"sat calls": "1234", "total asked": "True", "seconds": "0.500000"}
    assert lines | some == lines
    assert len(lines) == len(vars(Stats()))


# Odds: never a certainty that is none


def map_of(position: Position, width: int = 200, density: Fraction | None = None) -> str:
    out = io.StringIO()
    show_odds(odds(position, density=density), Console(file=out, width=width, force_terminal=True))
    return plain(out.getvalue())


MAP = "07 chance of a mine in percent"


def test_a_heat_map_tells_clues_from_chances_and_only_what_is_certain_is_called_so():
    lines = map_of(Position.parse("01?\n13?\n??F\n")).splitlines()
    rows = ["    0  1  2", "0   0  1 50", "1   1  3 50", "2  50 50  F"]
    assert [line.rstrip() for line in lines[:4]] == rows
    assert MAP in lines[4]
    tiny = Fraction(1, 10**9)
    assert [percent(chance) for chance in (tiny, 1 - tiny)] == ["01", "99"]
    assert [percent(Fraction(0)), percent(Fraction(1))] == ["S", "M"]


def test_safe_cells_or_else_the_safest_guesses_are_listed_if_there_are_any():
    assert "Safe: (2, 2)." in map_of(Position.parse("01?\n12?\n???\n"))
    guesses = map_of(Position.parse("?1?\n", mines=1))
    assert "Safest guesses: (0, 0), (0, 2); a mine with 1/2 = 50%." in guesses
    assert "2 layouts, all equally likely." in guesses
    text = map_of(Position.parse("??\n", mines=2))
    assert "Every covered cell is a mine." in text
    assert "guess" not in text


def test_the_interior_has_a_line_and_a_number_too_long_to_read_is_shortened():
    text = map_of(Position.parse("?1???\n", mines=2))
    assert "Interior, 2 cells that no clue touches: a mine with 1/2" in text
    assert "weighted by a density of 1/5" in map_of(Position.parse("?1???\n"), 80, Fraction(1, 5))
    assert "1.606... x 10^60 layouts" in map_of(Position.parse("?" * 200 + "\n"))


def test_a_wide_board_is_printed_in_stretches():
    text = map_of(Position.parse("?" * 60 + "\n", mines=9), width=40)
    assert all(len(line) <= 40 for line in text.splitlines())
    assert text.splitlines()[0].split()[0] == "0"
    assert len(re.findall(r"\b15\b", text)) >= 60


def laid(opened: float, *, total: bool = False) -> Position:
    """A board of more cells than a map has; a share of those without a mine is ``opened``."""
    rows, columns = MAPPED // 100 + 1, 100
    draw = Random(1)
    mines = {(r, c) for r in range(rows) for c in range(columns) if draw.random() < 0.15}

    def shown_as(row: int, column: int) -> str:
        if (row, column) in mines or draw.random() >= opened:
            return "?"
        near = ((row + r, column + c) for r in (-1, 0, 1) for c in (-1, 0, 1))
        return str(sum(cell in mines for cell in near))

    lines = ["".join(shown_as(row, column) for column in range(columns)) for row in range(rows)]
    return Position.parse("\n".join(lines) + "\n", mines=len(mines) if total else None)


def test_of_a_board_that_nobody_reads_the_cells_at_each_chance_are_counted():
    position = laid(opened=0.75)
    counts = Counter(odds(position).mine.values())
    assert 2 < len(counts) <= 12
    lines = map_of(position).splitlines()
    assert lines[0] == (
        f"100x101: {sum(counts.values())} covered cells with {len(counts)} chances;"
        " --all draws the map and lists every cell."
    )
    certain = {Fraction(0): "safe", Fraction(1): "a mine"}
    for line, chance in zip(lines[1 : 1 + len(counts)], sorted(counts), strict=True):
        number, _, words = line.strip().partition("  ")
        assert int(number) == counts[chance]
        assert words.startswith(certain.get(chance, f"a mine with {chance} = "))
    assert lines[1 + len(counts)].startswith("Safe: ")


def test_many_chances_are_counted_by_tenths():
    position = laid(opened=0.02, total=True)
    chances = list(odds(position).mine.values())
    assert len(set(chances)) > 12
    lines = map_of(position, 300).splitlines()
    tenths = Counter(
        ("safe" if chance == 0 else "a mine" if chance == 1 else "")
        or f"a mine with {int(10 * chance)}0 to {int(10 * chance) + 1}0%".replace(" 00 ", " 0 ")
        for chance in chances
    )
    table = [line.strip().partition("  ") for line in lines[1 : 1 + len(tenths)]]
    assert {words: int(number) for number, _, words in table} == tenths
    between = [float(chance) for chance in chances if chance not in (0, 1)]
    least, most = (
        f"{100 * each:.4f}".rstrip("0").rstrip(".") for each in (min(between), max(between))
    )
    words = f"at least {least}% and at most {most}%"
    assert lines[1 + len(tenths)] == f"A cell that is not certain is a mine with {words}."


def test_a_map_is_drawn_of_the_largest_board_that_is_read_and_of_any_if_all_is_asked():
    assert MAP in map_of(Position.parse("\n".join(["?" * 100] * (MAPPED // 100)) + "\n"))
    more = laid(opened=0.9)
    assert MAP not in map_of(more)
    out = io.StringIO()
    show_odds(odds(more), Console(file=out, width=400), every=True)
    assert MAP in out.getvalue()
    listed = [line for line in out.getvalue().splitlines() if line.startswith("(")]
    assert len(listed) == len(more.covered_cells())


# Tables: every word is whole, however narrow the terminal is


TABLE = Table(
    "Contenders by PAR-2",
    ("contender", "tied", "solved", "PAR-2 [s]", "95 % interval", "memory [MiB]"),
    (
        ("direct/minisat22", "-", "12 of 12", "0.0007487", "0.000306 to 0.00119", "37.6"),
        ("totalizer/cadical195", "a", "11 of 12", "0.001058", "0.000284 to 0.00218", ""),
    ),
    frozenset({2, 3, 5}),
    (5,),
)


def lines_of_table(width: int, *, terminal: bool = True) -> list[str]:
    out = io.StringIO()
    show_table(Console(file=out, width=width, force_terminal=terminal, color_system=None), TABLE)
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_no_word_is_broken_and_no_line_is_wider_than_the_terminal():
    texts = [*TABLE.heads[1:5], *(cell for row in TABLE.rows for cell in row[:5])]
    needed = {word for text in texts for word in text.split()}
    for width in range(22, 120):
        lines = lines_of_table(width)
        assert max(map(len, lines)) <= width
        assert needed <= {word.rstrip(":") for line in lines for word in line.split()}


def test_a_narrow_terminal_has_a_list_for_each_row_with_every_column():
    rows = []
    for name, *cells in TABLE.rows:
        named = zip(TABLE.heads[1:], cells, strict=True)
        rows += ["", name, *(f"  {head}: {cell}" for head, cell in named if cell)]
    assert lines_of_table(40) == [TABLE.caption, *rows, ""]


def test_spare_columns_go_before_lines_are_broken_and_only_in_a_terminal():
    full = next(line for line in lines_of_table(200) if "contender" in line)
    assert "memory [MiB]" in full
    lines = lines_of_table(len(full) - 1)
    assert "memory" not in next(line for line in lines if "contender" in line)
    assert any("0.000306 to 0.00119" in line for line in lines)
    assert any("memory [MiB]" in line for line in lines_of_table(20, terminal=False))


# A line of progress: on a terminal, after a while, and gone before anything else is printed


class Terminal(io.StringIO):
    """Keeps what is drawn, and tells when the first of it comes."""

    def __init__(self) -> None:
        super().__init__()
        self.drawn = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        if text.strip():
            self.drawn.set()
        return super().write(text)


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(module, "_SILENT", 0.0)
    return Terminal()


@pytest.mark.parametrize("total", [None, 100])
def test_what_takes_long_says_what_it_is(terminal, total):
    with redirect_stderr(terminal), progress("counting", total) as reach:
        reach(1)
        assert terminal.drawn.wait(60)
    assert "counting" in terminal.getvalue()
    # Erased, and the cursor shown again.
    assert "\x1b[2K" in terminal.getvalue()
    assert terminal.getvalue().rfind("\x1b[?25h") > terminal.getvalue().rfind("\x1b[?25l")


def test_what_is_printed_meanwhile_goes_to_standard_output(terminal):
    out = io.StringIO()
    with redirect_stderr(terminal), redirect_stdout(out), progress(lambda: "best 3"):
        assert terminal.drawn.wait(60)
        make_room()
        print("o 3")
    assert out.getvalue() == "o 3\n"
    assert "o 3" not in terminal.getvalue()
    assert "best 3" in terminal.getvalue()


def test_where_there_is_no_terminal_a_line_now_and_then_says_how_far_it_is(terminal, monkeypatch):
    monkeypatch.setattr(terminal, "isatty", lambda: False)
    monkeypatch.setattr(module, "_LINES", (0.001, 0.001))
    with redirect_stderr(terminal), progress("counting", 4) as reach:
        reach(1)
        assert terminal.drawn.wait(60)
    lines = terminal.getvalue().splitlines(keepends=True)
    assert all(re.fullmatch(r"counting, (0|25)% after \d:\d\d:\d\d\n", line) for line in lines)


def test_what_is_done_soon_says_nothing(terminal, monkeypatch):
    with redirect_stderr(io.StringIO()) as seen, progress("counting", 3) as reach:
        reach(1)
    monkeypatch.setattr(module, "_SILENT", 1000.0)
    with redirect_stderr(terminal), progress("counting", 3) as reach:
        reach(1)
    assert terminal.getvalue() == seen.getvalue() == ""


def test_a_line_ends_with_what_it_is_about_even_if_that_fails(terminal):
    def fail() -> None:
        with progress("counting"):
            assert terminal.drawn.wait(60)
            raise KeyError

    with redirect_stderr(terminal), pytest.raises(KeyError):
        fail()
    assert terminal.getvalue().endswith("\x1b[2K")
