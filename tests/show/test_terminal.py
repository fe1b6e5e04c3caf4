"""What a terminal shows can be read without colour, and a line says what was cut off."""

import io
import re

import pytest
from rich.console import Console

from satsweeper.answers.classification import Classification, Conflict, Stats, Status
from satsweeper.board.planes import board_of
from satsweeper.position import Position
from satsweeper.show.terminal import draw, show_classification, show_stats

ESCAPE = re.compile(r"\x1b\[[0-9;]*m")


def result_of(
    text: str,
    status: Status,
    safe: list[tuple[int, int]] | None = None,
    mines: list[tuple[int, int]] | None = None,
    conflict: Conflict | None = None,
) -> Classification:
    position = Position.parse(text)
    grid = position.geometry

    def board(cells: list[tuple[int, int]] | None) -> int:
        return board_of([grid.index(cell) for cell in cells or []], grid.size)

    return Classification(
        status=status,
        geometry=grid,
        codes=position.padded,
        mines_total=position.mines,
        covered=position.planes.covered,
        safe_board=board(safe),
        mine_board=board(mines),
        stats=Stats(sat_calls=4, seconds=0.0125),
        solver="minisat22",
        encoding="direct",
        conflict=conflict,
    )


def shown(result: Classification, console: Console | None = None) -> str:
    console = console or Console(file=io.StringIO())
    show_classification(result, console)
    file = console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


def terminal(width: int, height: int = 25) -> Console:
    return Console(
        file=io.StringIO(),
        width=width,
        height=height,
        force_terminal=True,
        color_system="standard",
        legacy_windows=False,
        _environ={},
    )


CONSISTENT = result_of("1???\nF210", Status.CONSISTENT, safe=[(0, 1)], mines=[(0, 2)])


def test_verdicts_flags_and_clues_are_characters_of_their_own():
    assert shown(CONSISTENT) == (
        "    0 1 2 3\n"
        "0   1 S M ?\n"
        "1   F 2 1 0\n"
        "S safe   M mine   ? unknown   F flag   0-8 clue\n"
        "1 safe, 1 mine, 1 unknown\n"
        "engine portfolio, solver minisat22, encoding direct, 0.013 s\n"
    )


def test_colour_adds_nothing_to_the_characters():
    coloured = shown(CONSISTENT, terminal(80))
    assert coloured != ESCAPE.sub("", coloured) == shown(CONSISTENT)


def test_no_colour_is_used_where_none_is_wanted(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    console = Console(file=io.StringIO(), width=80, force_terminal=True, color_system="standard")
    codes = set(re.findall(r"\x1b\[([0-9;]*)m", shown(CONSISTENT, console)))
    assert not any(30 <= int(code) <= 107 for each in codes for code in each.split(";") if code)


@pytest.mark.parametrize(
    ("text", "conflict", "board", "sentence"),
    [
        (
            "1?3\n???",
            Conflict(((0, 0), (0, 2)), (), False),
            "    0 1 2\n0  [1]?[3]\n1   ? ? ?\n",
            "No layout exists: the clues at (0, 0), (0, 2) cannot all be met at once.",
        ),
        (
            "1 3 1\n0F?",
            Conflict(((0, 0),), ((0, 1),), False),
            "    0 1 2\n0  [0|F]?\n",
            "No layout exists: the clue at (0, 0) and the flag at (0, 1) cannot all be met at "
            "once; the total plays no part.",
        ),
        (
            "1 3 3\n1??",
            Conflict(((0, 0),), (), True),
            "    0 1 2\n0  [1]? ?\n",
            "No layout exists: the clue at (0, 0) and the total of 3 mines cannot all be met at "
            "once.",
        ),
        (
            "1??",
            Conflict(((0, 0),), (), False),
            "    0 1 2\n0  [1]? ?\n",
            "No layout exists: the clue at (0, 0) cannot be met.",
        ),
    ],
)
def test_what_clashes_is_bracketed_and_named(text, conflict, board, sentence):
    assert shown(result_of(text, Status.INCONSISTENT, conflict=conflict)) == (
        f"{board}? covered   F flag   0-8 clue   [ ] clashes\n{sentence}\n"
        "engine portfolio, solver minisat22, encoding direct, 0.013 s\n"
    )


def test_a_long_conflict_names_some_cells_and_marks_all():
    cells = tuple((0, column) for column in range(0, 40, 2))
    clash = Conflict(cells, (), False)
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
    lines = draw(["?" * 112]).plain.splitlines()
    tens, units = lines[:2]
    for column in range(112):
        at = 4 + 2 * column
        assert units[at] == str(column % 10)
        if column and column % 10 == 0:
            assert tens[: at + 1].split()[-1] == str(column // 10)
    assert lines[2] == "0   " + " ".join("?" * 112)


@pytest.mark.parametrize("width", [20, 33, 60, 80])
def test_a_wide_board_fits_the_terminal_and_says_what_is_missing(width):
    rows = ["0123456789" * 10] * 11
    lines = draw(rows, width=width).plain.splitlines()
    assert max(map(len, lines[:-1])) == width
    assert lines[-1] == f"columns 0-{width - 6} of 0-99 shown"
    assert [line[5:] for line in lines[2:-1]] == [rows[0][: width - 5]] * 11


def test_a_board_gives_up_its_gaps_before_its_cells():
    rows = ["01?" * 10]
    assert draw(rows, width=64).plain.splitlines()[-1] == "0   " + " ".join(rows[0])
    assert draw(rows, width=63).plain.splitlines()[-1] == "0   " + rows[0]


def test_a_cut_board_shows_the_part_that_is_marked():
    marks = {(20, 150), (20, 151), (22, 153)}
    drawn = draw(["?" * 200] * 30, marks, width=40, height=20).plain
    assert "[?|?]? ?" in drawn
    assert drawn.count("?]") == 2
    assert "not shown" not in drawn
    assert re.search(r"^rows 16-27 of 0-29 shown$", drawn, re.M)
    assert re.search(r"^columns \d+-\d+ of 0-199 shown$", drawn, re.M)
    assert max(map(len, drawn.splitlines())) <= 40


def test_marks_that_do_not_fit_are_counted():
    drawn = draw(["?" * 99], {(0, 0), (0, 50), (0, 98)}, width=40).plain
    assert drawn.endswith("of 0-98 shown; marked cells not shown: 2")


def test_nothing_is_cut_off_in_a_file_and_nothing_wraps_in_a_terminal():
    result = result_of("?" * 300, Status.CONSISTENT)
    assert "0   " + " ".join("?" * 300) + "\n" in shown(result)
    lines = ESCAPE.sub("", shown(result, terminal(60))).splitlines()
    assert max(map(len, lines)) <= 60
    assert "columns 0-55 of 0-299 shown" in lines


def test_stats_are_a_line_a_number():
    console = Console(file=io.StringIO())
    show_stats(Stats(sat_calls=1234, total_asked=True, seconds=0.5), console)
    file = console.file
    assert isinstance(file, io.StringIO)
    lines = dict(re.split(r"  +", line) for line in file.getvalue().splitlines())
    assert lines["sat calls"] == "1234"
    assert lines["total asked"] == "True"
    assert lines["seconds"] == "0.500000"
    assert len(lines) == len(vars(Stats()))
