"""Scenes of boards of any shape under any rules: plain, verdicts, odds, reasons, what clashes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from pbcnf.wording import counted
from satsweeper.answers.classification import Status, Verdict
from satsweeper.board.size import size_text
from satsweeper.puzzle.answers import PuzzleClassification, PuzzleConflict, PuzzleExplanation
from satsweeper.puzzle.clue import Clue, Region
from satsweeper.puzzle.odds.odds import PuzzleOdds
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.table import CLUES, LAYOUTS, OWN_LETTERS
from satsweeper.puzzle.sentences import conflict_sentence
from satsweeper.show.picture.arrangement import Arrangement, Label, arranged
from satsweeper.show.picture.forms import Form
from satsweeper.show.picture.legend import LIMIT, legend
from satsweeper.show.picture.scene import Ring, Scene, Tile, TileKind
from satsweeper.show.picture.strokes import Line, Point
from satsweeper.show.sentences import percent, short_percent

Marked = Mapping[int, Ring] | Iterable[int]

DYEING: Final = frozenset(["M", "N", "2X", "2X'", "2F", "2Z"])
"""The rules that ask which cells are dyed."""
_PARTED: Final = frozenset(["W", "2X"])
"""The rules under which each digit of a clue is a number of its own."""
_VERDICTS: Final = {
    Verdict.SAFE: (TileKind.SAFE, "S"),
    Verdict.MINE: (TileKind.MINE, "M"),
    Verdict.UNKNOWN: (TileKind.UNKNOWN, "?"),
}
_SYMBOLS: Final = {"S": Verdict.SAFE, "M": Verdict.MINE}

_LONGEST: Final = 12
"""The most digits of a number of layouts that is written out."""


def draw_puzzle(
    puzzle: Puzzle,
    verdicts: Mapping[int, Verdict] | None = None,
    odds: Mapping[int, Fraction] | None = None,
    marked: Marked = (),
    caption: Sequence[str] = (),
) -> Scene:
    """Return the scene of a board, with what is known of its covered cells.

    >>> puzzle = Puzzle.parse("rules: W\\ngeometry: hexagonal\\n13 ?\\n? ?\\n")
    >>> print(draw_puzzle(puzzle, {1: Verdict.MINE}).text)
    13  M
     .  .
    hexagonal 2x2, mines: unknown.
    W (wall): the lengths of the runs of mines around the cell.

    Args:
        puzzle: the board.
        verdicts: number of a cell -> its verdict, as ``PuzzleClassification.by_cell`` has them.
        odds: number of a cell -> the chance of a mine, which is drawn in place of a verdict.
        marked: numbers of cells that are a reason, or number of a cell -> why it is marked.
        caption: lines below those about the board and its rules.
    """
    drawn = _Drawing(puzzle)
    tiles = drawn.tiles(verdicts or {}, odds or {}, _rings(marked))
    return drawn.scene((("", tiles),), (*drawn.caption, *caption))


def classification_scene(result: PuzzleClassification) -> Scene:
    """The verdict of every covered cell, or what clashes."""
    puzzle = result.puzzle
    clash = result.conflict
    if clash is not None:
        rings = _cells_of(puzzle, clash, Ring.CLASH)
        return draw_puzzle(puzzle, marked=rings, caption=(conflict_sentence(puzzle, clash),))
    counts = ", ".join(f"{count} {verdict}" for verdict, count in result.counts.items())
    late = [LIMIT] if result.status is Status.UNDECIDED else []
    return draw_puzzle(puzzle, result.by_cell, caption=(f"{counts}.", *result.notes, *late))


def odds_scene(found: PuzzleOdds) -> Scene:
    """The chance of a mine in every covered cell, in percent; S and M for certain cells."""
    return draw_puzzle(found.puzzle, odds=found.by_cell, caption=_odds_lines(found))


def _odds_lines(found: PuzzleOdds) -> list[str]:
    """Return lines about the safest cells and the number of layouts."""
    lines = []
    safest = found.safest()
    if safest:
        chance = found.by_cell[found.puzzle.geometry.numbers[safest[0]]]
        names = ", ".join(map(str, safest[:6])) + (" ..." if len(safest) > 6 else "")
        head = "Safe" if not chance else "Safest guesses" if len(safest) > 1 else "Safest guess"
        lines.append(f"{head}: {names}" + (f"; a mine with {percent(chance)}." if chance else "."))
    number = str(found.solutions) if found.solutions < 10**_LONGEST else f"{found.solutions:.3e}"
    noun = "layout" if found.solutions == 1 else "layouts"
    return [*lines, f"{number} {noun}, all equally likely."]


def explanation_scene(
    explanation: PuzzleExplanation, verdicts: Mapping[int, Verdict] | None = None
) -> Scene:
    """The reason for a verdict, or two layouts that differ in the cell.

    ``verdicts``: those of all covered cells; None: that of the cell is drawn alone.
    """
    puzzle, reason = explanation.puzzle, explanation.reason
    number = puzzle.geometry.numbers[explanation.cell]
    asked = {number: Ring.ASKED}
    said = explanation.sentence
    if reason is not None:
        known = verdicts or {number: explanation.verdict}
        rings = _cells_of(puzzle, reason, Ring.BECAUSE) | asked
        return draw_puzzle(puzzle, known, marked=rings, caption=(said,))
    drawn = _Drawing(puzzle)
    boards = tuple(
        (f"{explanation.cell} is {noun}", drawn.tiles(_layout(puzzle, rows or ()), {}, asked))
        for noun, rows in (("a mine", explanation.mine_layout), ("safe", explanation.safe_layout))
    )
    return drawn.scene(boards, (*drawn.caption, said))


def _layout(puzzle: Puzzle, rows: Sequence[Any]) -> dict[int, Verdict]:
    """The mines and safe cells of a layout, among the cells that are covered."""
    symbols = [symbol for row in rows for symbol in row]
    return {
        cell: _SYMBOLS[symbols[cell]]
        for cell in puzzle.hidden("ignore")
        if symbols[cell] in _SYMBOLS
    }


def _rings(marked: Marked) -> Mapping[int, Ring]:
    return marked if isinstance(marked, Mapping) else dict.fromkeys(marked, Ring.BECAUSE)


def _cells_of(puzzle: Puzzle, found: PuzzleConflict, ring: Ring) -> dict[int, Ring]:
    return {puzzle.geometry.numbers[cell]: ring for cell in (*found.clues, *found.flags)}


class _Drawing:
    """The parts of all drawings of one board: places, notes on cells, the first lines below."""

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._plan = arranged(puzzle.geometry)
        self._notes: dict[int, list[str]] = {}
        self.caption = [size_line(puzzle), *rule_lines(puzzle)]
        self._weights()
        self._regions()
        kinds = {letters for clue in puzzle.clues.values() for letters in clue.kind.letters}
        dyeing = not DYEING.isdisjoint(kinds.union(puzzle.rules))
        # A 0 is left out where it says that there is no mine around, and nothing else is empty.
        bare = any(cell not in puzzle.clues for cell in puzzle.opened)
        self._zeros = bare or puzzle.clue_rules != ("V",)
        self._dyed = puzzle.board.dyed if dyeing or puzzle.dyed else frozenset[int]()

    def _weights(self) -> None:
        """Note weights, and how many mines a cell can hold."""
        puzzle = self._puzzle
        for cell, weight in puzzle.weights.items():
            self._notes.setdefault(cell, []).append(f"x{weight}")
        for cell, most in puzzle.capacity.items():
            self._notes.setdefault(cell, []).append(f"0-{most}")
        if puzzle.weights:
            self.caption.append("x2: a mine there counts 2.")
        if puzzle.capacity:
            self.caption.append("0-2: a cell with 0 to 2 mines.")

    def _regions(self) -> None:
        """Write the total of a straight region at its end; note a letter in the others' cells."""
        lettered = 0
        for region in self._puzzle.regions:
            end = _end(self._plan, region)
            if end is not None:
                label, stroke = end
                self._plan = self._plan.with_label(Label(label, _total(region)), stroke)
                continue
            letter = _letter(lettered)
            lettered += 1
            for cell in region.cells:
                self._notes.setdefault(cell, []).append(letter)
            name = f" ({region.name})" if region.name != letter else ""
            self.caption.append(f"{letter}{name}: {_total_in_words(region)}.")

    def tiles(
        self,
        verdicts: Mapping[int, Verdict],
        odds: Mapping[int, Fraction],
        rings: Mapping[int, Ring],
    ) -> tuple[tuple[Tile, ...], ...]:
        """The tiles of the board, row by row as people read them."""

        def tile(cell: int) -> Tile:
            chance = odds.get(cell)
            kind, glyph, letters = self._look(cell, verdicts.get(cell))
            if chance is not None:
                glyph = short_percent(chance)
                kind = _CERTAIN.get(glyph, TileKind.CHANCE)
            notes = " ".join(self._notes.get(cell, []))
            ring = rings.get(cell, Ring.NONE)
            dyed = cell in self._dyed
            zero = glyph == "0" and self._zeros
            return Tile(kind, glyph, ring, self._plan.forms[cell], dyed, letters, notes, zero)

        return tuple(tuple(map(tile, row)) for row in self._plan.rows)

    def _look(self, cell: int, verdict: Verdict | None) -> tuple[TileKind, str, str]:
        puzzle = self._puzzle
        clue = puzzle.clues.get(cell)
        if clue is not None:
            # A clue of Hexcells says by its signs under which rule it stands.
            own = puzzle.clue_rules == (OWN_LETTERS,) and puzzle.geometry.name != "hexcells"
            letters = "".join(clue.kind.letters) if own else ""
            return TileKind.SHOWN if cell in puzzle.shown else TileKind.OPENED, sign(clue), letters
        if cell in puzzle.shown:
            return TileKind.SHOWN, "*", ""
        if cell in puzzle.opened:
            return TileKind.OPENED, "", ""
        if verdict is not None:
            return *_VERDICTS[verdict], ""
        return (TileKind.FLAG, "F", "") if cell in puzzle.flags else (TileKind.COVERED, "", "")

    def scene(
        self,
        boards: tuple[tuple[str, tuple[tuple[Tile, ...], ...]], ...],
        caption: Sequence[str],
    ) -> Scene:
        """The scene of some boards."""
        signs = [
            (tile._replace(form=Form.SQUARE), meaning)
            for tile, meaning in legend(*(tiles for _, tiles in boards))
        ]
        return Scene(boards, tuple(caption), tuple(signs), arrangement=self._plan)


_CERTAIN: Final = {"S": TileKind.SAFE, "M": TileKind.MINE}


def sign(clue: Clue) -> str:
    """Return a clue as it is drawn: each run, and each of two numbers, apart from the others.

    >>> [*map(sign, Puzzle.parse("rules: W\\n13 ? 0\\n").clues.values())]
    ['1 3', '0']
    """
    text = clue.text()
    letters = {*clue.kind.letters}
    if not _PARTED.isdisjoint(letters):
        return " ".join(text)
    return f"√{text}" if "2P" in letters else text


def size_line(puzzle: Puzzle) -> str:
    """Return geometry, size and total in a line."""
    geometry = puzzle.geometry
    if len(geometry.shape) == 3:
        size = f"{counted(geometry.shape[0], 'layer')} of {size_text(*geometry.shape[1:])}"
    elif geometry.shape:
        size = size_text(*geometry.shape)
    else:
        size = f"of {counted(len(geometry), 'cell')}"
    total = "unknown" if puzzle.mines is None else puzzle.mines
    end = ", goes on at the opposite edge" if geometry.wraps else ""
    return f"{geometry.name} {size}, mines: {total}{end}."


def rule_lines(puzzle: Puzzle) -> list[str]:
    """Return a line for each rule: letters, name, and what the rule says."""
    own = [letters for clue in puzzle.clues.values() for letters in clue.kind.letters]
    rules = dict.fromkeys([*puzzle.rules, *own])
    lines = []
    for letters in rules:
        row = LAYOUTS.get(letters) or CLUES.get(letters)
        if row is not None and (letters != "V" or OWN_LETTERS in puzzle.rules):
            lines.append(f"{letters} ({row.name}): {row.summary}.")
        elif row is None and letters != OWN_LETTERS:
            lines.append(f"{letters}: a rule of your own.")
    return lines


def _letter(number: int) -> str:
    """Return a, b, ..., z, a1, b1 and so on."""
    return chr(ord("a") + number % 26) + (str(number // 26) if number > 25 else "")


def _total(region: Region) -> str:
    ends = {"together": "{}", "apart": "--"}.get(region.arranged, "")
    return f"{ends[:1]}{region.mines}{ends[1:]}"


def _total_in_words(region: Region) -> str:
    how = {"together": ", one beside the other", "apart": ", not all one beside the other"}
    cells = counted(len(region.cells), "cell")
    return f"{counted(region.mines, 'mine')} in {cells}{how.get(region.arranged, '')}"


def _end(plan: Arrangement, region: Region) -> tuple[Point, Line] | None:
    """A free place before or after the cells of a straight region, and a stroke towards them.

    None for any other region, and where no place is free.
    """
    places = [plan.places[cell] for cell in region.cells]
    if len(places) < 2 or Form.DISC in plan.forms:
        return None
    (ax, ay), (bx, by) = places[0], places[-1]
    length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    across, down = (bx - ax) / length, (by - ay) / length
    if any(abs((x - ax) * down - (y - ay) * across) > 0.01 for x, y in places):
        return None
    for (x, y), way in (((ax, ay), -1), ((bx, by), 1)):
        at, near, far = (
            (x + way * apart * across, y + way * apart * down) for apart in (1.05, 0.6, 0.75)
        )
        if plan.is_free(at):
            return at, (near, far)
    return None
