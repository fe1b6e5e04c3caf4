"""The board as a widget: drawn line by line, scrolled so that the cursor is always seen."""

from dataclasses import dataclass, replace
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Offset, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from satsweeper.board.codes import Cell
from satsweeper.show.play.drawing import Look, Overlay
from satsweeper.show.play.session import BoardSession

# The part of a board that a terminal shows: the widest spacing that fits, scrolled to the cursor.

TIGHT: Final = 1
ROOMY: Final = 2
ODDS: Final = 3
"""Widths of a cell in characters: the symbol alone; a bar and the symbol; a bar and two digits.
Clues of several characters need more; hexagons an even width, as odd rows stand half a cell aside,
and neither they nor triangles are ever tight."""


_WIDE: Final = 10**6
"""A width in which every board fits."""


@dataclass(frozen=True, slots=True)
class Viewport:
    """A window of a board: ``rows`` rows from ``top``, ``columns`` columns from ``left``.

    ``pitch``: the width of a cell in characters. ``margin``: the width of the number of a row and
    of the mark of the cursor's row. ``ruler``: whether a line with the numbers of columns is above
    the board. ``shift``: how many characters odd rows stand to the right. ``x`` and ``y``: how many
    characters are blank to the left of all that, and lines above it.
    """

    pitch: int
    margin: int
    ruler: bool
    top: int
    left: int
    rows: int
    columns: int
    shift: int = 0
    x: int = 0
    y: int = 0

    @property
    def down(self) -> range:
        """The rows shown."""
        return range(self.top, self.top + self.rows)

    @property
    def across(self) -> range:
        """The columns shown."""
        return range(self.left, self.left + self.columns)

    @property
    def width(self) -> int:
        """The characters of a row of the board, with its number and the brackets at its ends."""
        return self.margin + self.shift + self.pitch * self.columns + (self.pitch > TIGHT)

    def row_at(self, y: int) -> int:
        """The row that line ``y`` of the widget has, which may not be in ``down``."""
        return self.top + y - self.y - self.ruler

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell drawn at column ``x`` and line ``y`` of the widget; None beside the board."""
        row = self.row_at(y)
        # The bar before a symbol belongs to the same cell.
        start = self.x + self.margin + self.shift * (row % 2)
        column = self.left + (x - start) // self.pitch
        beside = x < start
        return (
            None if beside or row not in self.down or column not in self.across else (row, column)
        )

    def place_of(self, cell: Cell) -> tuple[int, int]:
        """The column and the line of the widget at which the symbol of a visible cell is drawn."""
        row, column = cell
        start = self.x + self.margin + self.shift * (row % 2)
        x = start + self.pitch * (column - self.left) + (self.pitch > TIGHT)
        return x, row - self.top + self.y + self.ruler


def fit(
    board: tuple[int, int],
    screen: tuple[int, int],
    cursor: Cell,
    before: Viewport | None = None,
    odds: bool = False,
    *,
    wide: int = 1,
    form: str = "square",
    named: int = 0,
) -> Viewport:
    """The window of a board, in the middle of a screen, that holds the cursor.

    A window of the size of ``before`` is moved as little as the cursor allows. Chances always have
    two digits: where they do not fit, less of the board is seen.

    Args:
        board: rows and columns.
        screen: width and height in characters, both at least 1.
        cursor: the cell that must be seen.
        before: the window before this one.
        odds: whether chances are shown, which need more room a cell.
        wide: the characters of the longest clue.
        form: the ``form`` of the session.
        named: the characters of the longest name of a row; 0: rows have their numbers.
    """
    rows, columns = board
    width, height = screen
    margin = (named or len(str(rows - 1))) + 1
    halves = form == "hexagonal"
    pitch = max(ODDS if odds else ROOMY, wide + 1)
    pitch += halves * (pitch % 2)
    if not odds and wide == TIGHT and form == "square" and margin + pitch * columns >= width:
        pitch = TIGHT
        if margin + columns > width:
            margin = 1
    shift = halves * pitch // 2
    ruler = height > rows or 3 < height < rows
    shown = (
        min(rows, max(height - ruler, 1)),
        min(columns, max((width - margin - shift - (pitch > TIGHT)) // pitch, 1)),
    )
    kept = (0, 0)
    if before is not None and (before.rows, before.columns) == shown:
        kept = (before.top, before.left)
    top, left = (
        _start(length, count, at, start)
        for length, count, at, start in zip(board, shown, cursor, kept, strict=True)
    )
    view = Viewport(pitch, margin, ruler, top, left, *shown, shift)
    x, y = max(width - view.width, 0) // 2, (height - ruler - shown[0]) // 2
    return replace(view, x=x, y=y)


def _start(length: int, shown: int, cursor: int, start: int) -> int:
    """The beginning, near ``start``, of a range of ``shown`` numbers that contains ``cursor``.

    The range lies between 0 and ``length``.
    """
    start = min(max(start, cursor - shown + 1), cursor)
    return min(max(start, 0), length - shown)


class BoardWidget(Widget):
    """The widget that draws a session. The app calls ``show``; clicks become messages."""

    can_focus = True
    DEFAULT_CSS: ClassVar[str] = "BoardWidget { height: 1fr; width: 1fr; }"

    class Clicked(Message):
        """The message of a click on ``cell`` with ``button``: 1 left, 2 middle, 3 right."""

        def __init__(self, cell: Cell, button: int) -> None:
            super().__init__()
            self.cell = cell
            self.button = button

    class Fitted(Message):
        """The message that the board has another size on the screen."""

    def __init__(self, look: Look, session: BoardSession) -> None:
        super().__init__()
        self.look = look
        self.session = session
        self.overlay = Overlay()
        self.viewport: Viewport | None = None

    def show(self, session: BoardSession, overlay: Overlay) -> None:
        """Draw ``session`` and ``overlay`` from now on."""
        self.session, self.overlay = session, overlay
        self._fit(self.size)
        self.refresh()

    @property
    def shown(self) -> str:
        """The visible part of the board in words; empty if all is visible."""
        view = self.viewport
        if view is None:
            return ""
        rows, columns = self.session.size
        parts = [
            f"{name} {seen[0]}-{seen[-1]} of {length}"
            for name, seen, length in (("rows", view.down, rows), ("columns", view.across, columns))
            if len(seen) < length
        ]
        return ", ".join(parts)

    def render_line(self, y: int) -> Strip:
        """Line ``y`` of the widget: the numbers of the columns, a row of the board, or blanks."""
        view = self.viewport
        if view is None:
            return Strip.blank(self.size.width)
        row = view.row_at(y)
        if view.ruler and y == view.y:
            segments = self._ruler(view)
        elif row in view.down:
            segments = self._row(view, row)
        else:
            segments = []
        return Strip(segments).adjust_cell_length(self.size.width)

    def _ruler(self, view: Viewport) -> list[Segment]:
        line = [" "] * (view.x + view.margin + view.pitch * (view.columns + 1))
        for column in view.across:
            at, _ = view.place_of((0, column))
            name = str(column)
            # Every fifth column has its number, unless the number is cut off at the right end.
            if column % 5 == 0 and at + len(name) <= len(line):
                line[at : at + len(name)] = name
        at, _ = view.place_of((0, self.session.cursor[1]))
        line[at] = "v"
        return [Segment("".join(line), Style.parse("dim" if self.look.color else ""))]

    def _row(self, view: Viewport, row: int) -> list[Segment]:
        session = self.session
        name = session.row_name(row) if view.margin > 1 else ""
        name = f"{name:>{view.x + view.margin - 1}}"
        mark = ">" if row == session.cursor[0] else " "
        segments = [Segment(name + mark, Style.parse("dim" if self.look.color else ""))]
        segments.append(Segment(" " * (view.shift * (row % 2))))
        slanted = session.form == "triangular"
        behind = ""
        for column in view.across:
            place = row, column
            cell = session.drawn(self.look, place, self.overlay)
            here, marked = place == session.cursor, session.named(place) in self.overlay.marks
            style = Style.parse(cell.style)
            if here:
                style += Style(reverse=True, bold=True)
            if marked:
                style += Style(underline=True, bold=True)
            if view.pitch > TIGHT:
                # A triangle points up where row and column have an even sum.
                side = "/\\"[(row + column) % 2] if slanted else " "
                before, behind = behind or ("." if cell.chance else side), ""
                if here or marked:
                    # Of two cells side by side the cursor keeps its bracket.
                    before = "[" if here else "]" if before == "]" else "("
                    behind = "]" if here else ")"
                width = view.pitch - 1
                segments.append(Segment(before, style if before == "." else None))
                segments.append(Segment(f"{cell.symbol:<{width}}", style))
            else:
                segments.append(Segment(cell.symbol, style))
        if view.pitch > TIGHT:
            after = "/\\"[(row + view.left + view.columns) % 2] if slanted else " "
            segments.append(Segment(behind or after))
        return segments

    def _fit(self, size: Size) -> None:
        if not size:
            self.viewport = None
            return
        odds = self.overlay.chances is not None and not self.session.over
        self.viewport = self._window((size.width, size.height), odds)
        # Braille displays and screen magnifiers follow the cursor of the terminal.
        x, y = self.viewport.place_of(self.session.cursor)
        self.app.cursor_position = Offset(x, y) + self.content_region.offset

    def _window(self, screen: tuple[int, int], odds: bool) -> Viewport:
        session = self.session
        return fit(
            session.size,
            screen,
            session.cursor,
            self.viewport,
            odds,
            wide=session.wide,
            form=session.form,
            named=len(session.row_name(session.size[0] - 1)),
        )

    @property
    def whole_width(self) -> int:
        """The width at which the whole board is seen, even with odds."""
        return self._window((_WIDE, 1), odds=True).width

    def on_resize(self, event: events.Resize) -> None:
        """Fit the window again."""
        self._fit(event.size)
        self.post_message(self.Fitted())

    def on_click(self, event: events.Click) -> None:
        """Send a message with the cell that was clicked."""
        cell = self.viewport.cell_at(event.x, event.y) if self.viewport else None
        if cell is not None:
            self.post_message(self.Clicked(cell, event.button))
