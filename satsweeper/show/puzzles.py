"""Boards of any shape in characters, legible without colour: verdicts, reasons, layouts.

Squares, hexagons and triangles are rows of cells of one width. Odd rows of hexagons are shifted by
half a cell; triangles stand between ``/`` and ``\\``, as their sides slant. Cubes are one layer
below the other. A graph is a line for each cell, unless the names of its cells are rows and
columns, as in levels of Hexcells. Marked cells are in brackets.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from rich.console import Console
from rich.text import Text

from pbcnf.wording import counted
from satsweeper.answers.classification import Status, Verdict
from satsweeper.puzzle.answers import (
    PuzzleClassification,
    PuzzleConflict,
    PuzzleExplanation,
    symbol,
)
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.table import CLUES, LAYOUTS
from satsweeper.puzzle.sentences import conflict_sentence
from satsweeper.show.palette import STYLES
from satsweeper.show.terminal import LIMIT_REACHED, console_for, print_lines, ruler

_WORDS: Final = {"S": "safe", "M": "a mine", "?": "unknown", "F": "flag", "_": "open"}
"""Symbol -> the words of a graph's line."""
_REGIONS: Final = 12
"""The most regions that a heading names."""


def heading(puzzle: Puzzle) -> list[str]:
    """Return lines with the rules, the geometry, the total and the regions.

    >>> print("\\n".join(heading(Puzzle.parse("rules: C W\\nmines: 2\\n?11"))))
    rules C (connected), W (wall); square 3x1; 2 mines
    """
    names = {**CLUES, **LAYOUTS}
    rules = [f"{each} ({names[each].name})" if each in names else each for each in puzzle.rules]
    word = "rule" if len(rules) < 2 else "rules"
    size = puzzle.geometry.size_text()
    total = "total unknown" if puzzle.mines is None else counted(puzzle.mines, "mine")
    said = f"{word} {', '.join(rules) or 'V (vanilla)'}; {puzzle.geometry.name} {size}; {total}"
    lines = [said]
    for region in puzzle.regions[:_REGIONS]:
        arranged = f", {region.arranged}" if region.arranged else ""
        where = counted(len(region.cells), "cell")
        lines.append(f"{region.name}: {counted(region.mines, 'mine')} in {where}{arranged}")
    if len(puzzle.regions) > _REGIONS:
        lines.append(f"and {counted(len(puzzle.regions) - _REGIONS, 'region')} more")
    return lines


def draw_puzzle(
    puzzle: Puzzle,
    symbols: Sequence[str],
    marks: Collection[int] = (),
    *,
    width: int | None = None,
    styled: bool = True,
) -> Text:
    """Return a board in characters, its rows and columns numbered.

    Args:
        puzzle: the board.
        symbols: the text of each cell, by number.
        marks: numbers of cells to stand out, in brackets.
        width: characters a line; a wider board is drawn in stretches of columns, one below the
            other. None for any width.
        styled: whether the board has colours.

    >>> puzzle = Puzzle.parse("geometry: triangular\\n1 ? ?\\n? ? 2")
    >>> print(draw_puzzle(puzzle, "1?S??2", [2]))
        0 1 2
    0  /1\\?[S]
    1  \\?/?\\2/
    """
    text = Text(no_wrap=True, overflow="ignore")
    shape = puzzle.geometry.shape
    if not shape and (places := _places(puzzle)):
        drawn = _plane(places, symbols, marks, styled)
        if width is None or max(map(len, drawn.plain.splitlines())) <= width:
            return drawn
    if not shape:
        for cell, (name, found) in enumerate(zip(puzzle.geometry.cells, symbols, strict=True)):
            head = f"[{name}]" if cell in marks else f"{name}"
            text.append(f"{head}: ")
            text.append(_WORDS.get(found, found), STYLES.get(found) if styled else None)
            text.append("\n")
        text.rstrip()
        return text
    rows, columns = shape[-2:]
    margin = len(str(rows - 1)) + 2
    wide = max(map(len, symbols))
    # Half a cell is a whole number of characters.
    wide += puzzle.geometry.name == "hexagonal" and wide % 2 == 0
    fit = columns if width is None else max((width - margin - wide) // (wide + 1), 1)
    for start in range(0, columns, fit):
        across = range(start, min(start + fit, columns))
        for first in range(0, len(symbols), rows * columns):
            if len(shape) > 2:
                text.append(f"layer {first // (rows * columns)}\n")
            for line in _numbers(across, margin, wide):
                text.append(f"{line}\n", "dim")
            for row in range(rows):
                text.append(f"{row:>{margin - 2}}  ", "dim")
                cells = [first + row * columns + column for column in across]
                _append_row(text, puzzle, symbols, cells, marks, wide, row, styled)
                text.append("\n")
    text.rstrip()
    return text


def _places(puzzle: Puzzle) -> list[tuple[int, int]]:
    """Return the row and column of each cell if all names are such and few places are left free."""
    names = puzzle.geometry.cells
    places = [
        (each[0], each[1])
        for each in names
        if isinstance(each, tuple) and len(each) == 2 and all(isinstance(n, int) for n in each)
    ]
    if not names or len(places) < len(names):
        return []
    rows, columns = zip(*places, strict=True)
    span = (max(rows) - min(rows) + 1) * (max(columns) - min(columns) + 1)
    return places if span <= 10 * len(places) + 100 else []


def _plane(
    places: Sequence[tuple[int, int]],
    symbols: Sequence[str],
    marks: Collection[int],
    styled: bool,
) -> Text:
    """Return a graph whose cells have rows and columns, each cell at its place."""
    rows: dict[int, list[tuple[int, int]]] = {}
    for cell, (row, column) in enumerate(places):
        rows.setdefault(row, []).append((column, cell))
    first, last = min(c for _, c in places), max(c for _, c in places)
    wide = max(map(len, symbols))
    # Cells side by side are at least `gap` columns apart, which has to have room for one.
    gap = min(
        [b - a for row in rows.values() for (a, _), (b, _) in pairwise(sorted(row))], default=1
    )
    step = -(-(wide + 1) // gap)
    margin = max(len(str(row)) for row in rows) + 2
    text = Text(no_wrap=True, overflow="ignore")
    for line in ruler(range(first, last + 1), margin + wide, step):
        text.append(f"{line}\n", "dim")
    for row in range(min(rows), max(rows) + 1):
        text.append(f"{row:>{margin - 2}}  ", "dim")
        begun = len(text)
        line_of = [" "] * (step * (last - first) + wide + 2)
        styles = []
        for column, cell in sorted(rows.get(row, [])):
            start = step * (column - first)
            found = symbols[cell].rjust(wide)
            line_of[start + 1 : start + 1 + wide] = found
            if cell in marks:
                # Two marked neighbours share the bar between them.
                line_of[start] = "|" if line_of[start] == "]" else "["
                line_of[start + 1 + wide] = "]"
            style = "bold reverse" if cell in marks else STYLES.get(symbols[cell])
            end = begun + start + 1 + wide
            styles.append((style, end - len(symbols[cell]), end))
        text.append("".join(line_of).rstrip())
        for style, start, end in styles if styled else ():
            if style:
                text.stylize(style, start, end)
        text.append("\n")
    text.rstrip()
    return text


def _numbers(across: range, margin: int, wide: int) -> list[str]:
    """Return the numbers of columns, over the last characters of cells; narrow ones downwards."""
    if wide < len(str(across[-1])):
        return ruler(across, margin + wide, wide + 1)
    return [" " * margin + "".join(f" {column:>{wide}}" for column in across)]


def _append_row(
    text: Text,
    puzzle: Puzzle,
    symbols: Sequence[str],
    cells: Sequence[int],
    marks: Collection[int],
    wide: int,
    row: int,
    styled: bool,
) -> None:
    name = puzzle.geometry.name
    bars = [" "] * (len(cells) + 1)
    if name == "triangular":
        # Cell (r, c) points up where r + c is even; the side to its left then leans to the right.
        leans = row + cells[0] % puzzle.columns
        bars = ["/\\"[(leans + at) % 2] for at in range(len(bars))]
    for at, cell in enumerate(cells):
        if cell in marks:
            # Two marked neighbours share the bar between them.
            bars[at] = "|" if bars[at] == "]" else "["
            bars[at + 1] = "]"
    if name == "hexagonal" and row % 2:
        text.append(" " * ((wide + 1) // 2))
    for bar, cell in zip(bars, cells, strict=False):
        found = symbols[cell]
        text.append(bar)
        text.append(" " * (wide - len(found)))
        style = ("bold reverse" if cell in marks else STYLES.get(found)) if styled else None
        text.append(found, style)
    text.append(bars[-1].rstrip())


def legend(symbols: Collection[str], *, layout: bool = False) -> str:
    """Return the meaning of the symbols that are there."""
    words = {"S": "safe", "M": "mine", "?": "unknown", "F": "flag", "_": "open, no clue"}
    if layout:
        words |= {"S": "no mine"}
    there = [f"{each} {meaning}" for each, meaning in words.items() if each in symbols]
    if any(each not in words for each in symbols):
        there.append("anything else a clue")
    return "   ".join(there)


def classification_lines(
    result: PuzzleClassification, *, width: int | None = None, styled: bool = True
) -> Iterator[Text | str]:
    """Yield a board with its verdicts, or with the parts that clash, and what it cost."""
    puzzle, clash = result.puzzle, result.conflict
    yield from heading(puzzle)
    symbols = result.symbols()
    yield draw_puzzle(puzzle, symbols, _marks(puzzle, clash), width=width, styled=styled)
    if result.status is Status.INCONSISTENT:
        yield "[ ] clashes   ? covered   anything else as given"
        yield conflict_sentence(puzzle, clash) if clash else "No layout exists."
    else:
        if puzzle.geometry.shape or _places(puzzle):
            yield legend({*symbols})
        yield ", ".join(f"{count} {verdict}" for verdict, count in result.counts.items())
    if result.status is Status.UNDECIDED:
        yield LIMIT_REACHED
    made_by = [f"engine {result.engine}"]
    made_by += [f"solver {result.solver}"] if result.solver else []
    made_by += [f"encoding {result.encoding}"] if result.encoding else []
    yield ", ".join([*made_by, f"{result.stats.seconds:.3f} s"])


def explanation_lines(
    explanation: PuzzleExplanation, *, width: int | None = None, styled: bool = True
) -> Iterator[Text | str]:
    """Yield the reason for a verdict, its cells in brackets, or two layouts that differ there."""
    puzzle, reason = explanation.puzzle, explanation.reason
    number = puzzle.geometry.numbers[explanation.cell]
    yield from heading(puzzle)
    if reason is None:
        layouts = {"a mine": explanation.mine_layout, "safe": explanation.safe_layout}
        for verdict, layout in layouts.items():
            symbols = [each for row in layout or () for each in row]
            yield f"a layout in which {explanation.cell} is {verdict}:"
            yield draw_puzzle(puzzle, symbols, {number}, width=width, styled=styled)
        yield explanation.sentence
        return
    symbols = [symbol(puzzle, cell) for cell in range(len(puzzle.geometry))]
    symbols[number] = "M" if explanation.verdict is Verdict.MINE else "S"
    marks = {number} | _marks(puzzle, reason)
    yield draw_puzzle(puzzle, symbols, marks, width=width, styled=styled)
    yield "[ ] the cell, and what forces it"
    yield explanation.sentence
    needed = [counted(count, noun) for count, noun in reason.parts if count]
    total = "the total was needed" if reason.total else "the total was not needed"
    fewer = "" if reason.irreducible else "; fewer of these may be enough"
    yield f"{', '.join(needed) or 'nothing else'}; {total}{fewer}."


def _marks(puzzle: Puzzle, found: PuzzleConflict | None) -> set[int]:
    named: tuple[Hashable, ...] = (*found.clues, *found.flags) if found else ()
    return {puzzle.geometry.numbers[cell] for cell in named}


def show_puzzle(
    value: PuzzleClassification | PuzzleExplanation, console: Console | None = None
) -> None:
    """Print verdicts, a conflict, or a reason; a board wider than the terminal in stretches."""
    console = console or console_for()
    styled = console.is_terminal
    width = console.width if styled else None
    if isinstance(value, PuzzleClassification):
        print_lines(console, *classification_lines(value, width=width, styled=styled))
    else:
        print_lines(console, *explanation_lines(value, width=width, styled=styled))


def puzzle_text(value: Puzzle | PuzzleClassification | PuzzleExplanation) -> str:
    """Return a board, its verdicts or a reason in characters without colours, at any width."""
    if isinstance(value, PuzzleClassification):
        lines = [*classification_lines(value, styled=False)]
    elif isinstance(value, PuzzleExplanation):
        lines = [*explanation_lines(value, styled=False)]
    else:
        symbols = [symbol(value, cell) for cell in range(len(value.geometry))]
        lines = [*heading(value), draw_puzzle(value, symbols, styled=False)]
        if value.geometry.shape or _places(value):
            lines.append(legend({*symbols}))
    return "\n".join(map(str, lines))


def show_puzzle_layout(layout: PuzzleClassification, sentence: str) -> None:
    """Print a layout of a board, ``M`` and ``S`` in covered cells, and a sentence below."""
    console = console_for()
    styled = console.is_terminal
    puzzle, symbols = layout.puzzle, layout.symbols()
    board = draw_puzzle(puzzle, symbols, width=console.width if styled else None, styled=styled)
    meaning = [legend({*symbols}, layout=True)] if puzzle.geometry.shape else []
    print_lines(console, *heading(puzzle), board, *meaning, sentence)
