"""Answers in a terminal, legible without colour: every kind of cell has a character of its own.

Output that does not go to a terminal is never cut off, and has colours only on request.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Final, Literal, TextIO

from satsweeper.answers.classification import Classification, Stats, Status
from satsweeper.board.codes import Cell
from satsweeper.processes.standard_output import answer_stream, stdout_is_terminal
from satsweeper.show.letters import STYLES, WORDS

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

# rich is imported late: it takes longer to load than an expert board to classify.

Color = Literal["auto", "always", "never"]

_STYLED: Final = re.compile("|".join(f"{re.escape(symbol)}+" for symbol in STYLES))

_LEGEND: Final = WORDS | {"0-8": "clue"}
_LAYOUT_LEGEND: Final = {"S": "no mine", "M": "mine", "?": "left open", "F": "flag", "0-8": "clue"}
_CLASH_LEGEND: Final = {"?": "covered", "F": "flag", "0-8": "clue", "[ ]": "clashes"}

LIMIT_REACHED: Final = (
    "A limit was reached before every cell was settled. The verdicts shown are certain if the "
    "board has a layout at all; a ? may still turn out safe or a mine."
)
"""The remark below a board whose status is undecided."""


class PlainText:
    """A text without styles, with the operations of a text of rich that boards are drawn by."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0

    @property
    def plain(self) -> str:
        """The text as it is printed."""
        return "".join(self._parts)

    def __len__(self) -> int:
        return self._length

    def __str__(self) -> str:
        return self.plain

    def append(self, text: str, style: str | None = None) -> None:
        """Append ``text``; ``style`` is ignored."""
        del style
        self._parts.append(text)
        self._length += len(text)

    def stylize(self, style: str, start: int, end: int) -> None:
        """Do nothing."""

    def rstrip(self) -> None:
        """Remove blanks and line ends at the end."""
        self._parts = [self.plain.rstrip()]
        self._length = len(self._parts[0])


class PlainConsole:
    """Standard output that is no terminal and has no colours: all that lines need of a console."""

    is_terminal = False
    color_system = None
    width, height = 80, 25

    def __init__(self, file: TextIO) -> None:
        self.file = file


def output_for(color: Color = "auto") -> Console | PlainConsole:
    """Return `console_for` the colours, or a plain console for which rich is not needed."""
    wished = color == "always" or "FORCE_COLOR" in os.environ or "TTY_COMPATIBLE" in os.environ
    return console_for(color) if wished or stdout_is_terminal() else PlainConsole(answer_stream())


def console_for(color: Color = "auto") -> Console:
    """A console for standard output, with colours always, never, or on a terminal.

    ``auto`` obeys ``NO_COLOR`` and ``FORCE_COLOR``. A file with forced colours is still no
    terminal, so that its lines are not cut off.
    """
    from rich.console import Console

    if os.environ.get("COLUMNS") == "0":
        # Some terminals set 0 for an unknown width; rich would print nothing in width 0.
        del os.environ["COLUMNS"]
    file = answer_stream()
    if color == "never":
        return Console(file=file, color_system=None)
    screen = stdout_is_terminal()
    if color == "always":
        return Console(file=file, color_system="256", no_color=False, force_terminal=screen)
    if os.environ.get("FORCE_COLOR") and not screen:
        return Console(file=file, color_system="256", force_terminal=False)
    return Console(file=file)


def show_classification(
    result: Classification, console: Console | PlainConsole | None = None
) -> None:
    """Print the board with its verdicts, or with the clues that clash, and the time spent.

    A board wider than the terminal is cut off, and a line gives the rows and columns shown.
    """
    console = console or console_for()
    clash = result.conflict
    marks = {*clash.clues, *clash.flags} if clash else set()
    print_lines(console, draw_for(console, result.grid(), marks))
    if result.status is Status.INCONSISTENT:
        from satsweeper.show.sentences import clash_sentence

        print_lines(console, _legend(console, _CLASH_LEGEND), clash_sentence(result))
    else:
        counts = (f"{count} {verdict}" for verdict, count in result.counts.items())
        print_lines(console, _legend(console, _LEGEND), ", ".join(counts))
    if result.status is Status.UNDECIDED:
        print_lines(console, LIMIT_REACHED)
    made_by = [f"engine {result.engine}"]
    made_by += [f"solver {result.solver}"] if result.solver else []
    made_by += [f"encoding {result.encoding}"] if result.encoding else []
    print_lines(console, ", ".join([*made_by, f"{result.stats.seconds:.3f} s"]))


def show_layout(rows: Sequence[str], sentence: str) -> None:
    """Print a layout of a board, as ``show_classification`` prints boards, and a sentence below."""
    console = console_for()
    print_lines(console, draw_for(console, rows), _legend(console, _LAYOUT_LEGEND), sentence)


def show_stats(stats: Stats, console: Console | PlainConsole | None = None) -> None:
    """Print the statistics of a classification, a line each."""
    console = console or console_for()
    costs = stats.as_dict()
    width = max(map(len, costs))
    for name, value in costs.items():
        text = f"{value:.6f}" if isinstance(value, float) else f"{value}"
        if isinstance(value, tuple):
            text = "; ".join(map(str, value)) or "none"
        print_lines(console, f"{name.replace('_', ' '):{width}}  {text}")


def draw_for(
    console: Console | PlainConsole, rows: Sequence[str], marks: Collection[Cell] = ()
) -> Text | PlainText:
    """A board for ``console``: within its width and with colours if ``console`` is a terminal."""
    terminal = console.is_terminal
    width = console.width if terminal else None
    plain = is_plain(console)
    return draw(rows, marks, width=width, height=console.height, styled=terminal, plain=plain)


def is_plain(console: Console | PlainConsole) -> bool:
    """Whether the console shows text without colours, and cuts nothing off."""
    return not (console.is_terminal or console.color_system)


def draw(
    rows: Sequence[str],
    marks: Collection[Cell] = (),
    *,
    width: int | None = None,
    height: int | None = None,
    styled: bool = True,
    plain: bool = False,
) -> Text | PlainText:
    """A board with numbered rows and columns, and brackets around the marked cells.

    Args:
        rows: a character a cell, as ``Classification.grid`` gives them.
        marks: cells to stand out.
        width: characters a line; a wider board is cut off, near the marks if there are any.
        height: lines of the terminal; rows are cut off only if ``width`` is given, there are
            marks, and the board is higher.
        styled: whether the cells have colours.
        plain: whether nothing at all has a style, so that rich is not needed.

    >>> print(draw(["1?3", "???"], {(0, 0), (0, 2)}))
        0 1 2
    0  [1]?[3]
    1   ? ? ?
    """
    margin = len(str(len(rows) - 1)) + 3
    columns = len(rows[0])
    spaced = width is None or bool(marks) or margin + 2 * columns <= width
    pitch = 2 if spaced else 1
    fit = columns if width is None else max((width - margin) // pitch, 1)
    across = window(columns, fit, [column for _, column in marks])
    down = range(len(rows))
    if width is not None and height is not None and marks:
        down = window(len(rows), max(height - 8, 3), [row for row, _ in marks])
    marked: dict[int, set[int]] = {}
    for row, column in marks:
        marked.setdefault(row, set()).add(column)
    text = empty_text(plain, wrapped=False)
    for line in ruler(across, margin, pitch):
        text.append(line + "\n", "dim")
    for row in down:
        text.append(f"{row:>{margin - 3}} ", "dim")
        line = rows[row][across.start : across.stop]
        if row in marked:
            _append_marked(text, line, {c - across.start for c in marked[row]}, styled)
        else:
            _append_row(text, line, spaced, styled)
        text.append("\n")
    text.rstrip()
    for name, shown, whole in (("rows", down, len(rows)), ("columns", across, columns)):
        if len(shown) < whole:
            text.append(f"\n{name} {shown[0]}-{shown[-1]} of 0-{whole - 1} shown")
            hidden = len({mark for mark in marks if mark[name == "columns"] not in shown})
            text.append(f"; marked cells not shown: {hidden}" if hidden else "")
    return text


def empty_text(plain: bool, wrapped: bool = True) -> Text | PlainText:
    """Return an empty text, with styles or ``plain``, whose lines a terminal wraps or not."""
    if plain:
        return PlainText()
    from rich.text import Text

    return Text() if wrapped else Text(no_wrap=True, overflow="ignore")


def _append_row(text: Text | PlainText, row: str, spaced: bool, styled: bool) -> None:
    start = len(text) + 2
    text.append("  " + (" ".join(row) if spaced else row))
    pitch = 2 if spaced else 1
    for run in _STYLED.finditer(row) if styled else ():
        style = STYLES[run.group()[0]]
        text.stylize(style, start + pitch * run.start(), start + pitch * run.end())


def _append_marked(text: Text | PlainText, row: str, marks: Collection[int], styled: bool) -> None:
    start = len(text) + 2
    bars = [" "] * (len(row) + 1)
    for c in sorted(c for c in marks if 0 <= c < len(row)):
        # Two marked neighbours share the bar between them.
        bars[c] = "|" if bars[c] == "]" else "["
        bars[c + 1] = "]"
    line = "".join([bar + symbol for bar, symbol in zip(bars, row, strict=False)])
    text.append(f" {line}{bars[-1].strip()}")
    if styled:
        for c, symbol in enumerate(row):
            style = "bold reverse" if c in marks else STYLES.get(symbol)
            if style:
                text.stylize(style, start + 2 * c, start + 2 * c + 1)


def ruler(across: range, margin: int, pitch: int) -> list[str]:
    """The column numbers in lines, read downwards: tens and more where they change, then units.

    ``margin``: the place of the first column in a line. ``pitch``: characters from one column to
    the next.
    """
    tens = [" "] * (margin + pitch * len(across))
    units = list(tens)
    for place, column in enumerate(across):
        at = margin + pitch * place
        units[at] = str(column % 10)
        crowded = place == 0 and 0 < -column % 10 < 3
        if column >= 10 and (column % 10 == 0 or place == 0) and not crowded:
            digits = str(column // 10)
            tens[at - len(digits) + 1 : at + 1] = digits
    lines = ["".join(tens).rstrip(), "".join(units).rstrip()]
    return [line for line in lines if line]


def window(length: int, fit: int, marked: Collection[int]) -> range:
    """A range of ``fit`` numbers below ``length``, with the numbers ``marked`` in the middle.

    Without marked numbers the range begins with 0; if the marked numbers do not fit, with the first
    of them. If ``fit`` is ``length`` or more, the range has all numbers.
    """
    if fit >= length:
        return range(length)
    first, last = (min(marked), max(marked)) if marked else (0, 0)
    spare = max(fit - (last - first + 1), 0)
    start = min(max(first - spare // 2, 0), length - fit)
    return range(start, start + fit)


def _legend(console: Console | PlainConsole, meanings: Mapping[str, str]) -> Text | PlainText:
    text = empty_text(is_plain(console))
    for symbol, meaning in meanings.items():
        text.append("   " if len(text) else "")
        text.append(symbol, STYLES.get(symbol))
        text.append(f" {meaning}")
    return text


def print_lines(console: Console | PlainConsole, *lines: Text | PlainText | str) -> None:
    """Print texts and boards; output that does not go to a terminal is never wrapped."""
    for line in lines:
        if isinstance(console, PlainConsole) or is_plain(console):
            # Without colours the text is written directly: for a board of a million cells rich
            # would take seconds.
            console.file.write(f"{line if isinstance(line, str) else line.plain}\n")
            continue
        from rich.text import Text

        text = Text(line) if isinstance(line, str) else line
        if isinstance(text, PlainText):
            text = Text(text.plain, no_wrap=True, overflow="ignore")
        # Prose may wrap; a board that was drawn to fit must not.
        console.print(text, soft_wrap=bool(text.no_wrap) or not console.is_terminal)
