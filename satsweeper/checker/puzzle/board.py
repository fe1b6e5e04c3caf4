"""Boards of grids under rules, read from their text: cells, rules, clues, flags, total.

Lines ``rules:``, ``geometry:``, ``mines:`` and ``columns:`` may stand before the rows, once each; a
row is its cells with blanks between them, or one word with a character for each cell, unless
``columns: 1`` says that it is one. ``?`` (also ``.``, ``-``, ``#``, ``H``) is covered, ``F`` (also
``!``, ``*``) a flag, anything else a clue.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from satsweeper.checker.errors import WrongCertificateError, wrong_at
from satsweeper.checker.puzzle.grid import GEOMETRIES, Grid

LAYOUT_RULES: Final = (
    "Q", "C", "T", "O", "D", "S", "B", "A", "H", "U", "2H", "2C", "2S", "2G", "2F", "2B", "2T",
    "2Z",
)  # fmt: skip
"""The letters of rules of layouts."""
CLUE_RULES: Final = {
    "V": "", "M": "weight", "L": "relation", "W": "runs", "N": "difference", "X": "cells",
    "X'": "cells", "P": "runs", "E": "sight", "K": "cells", "2X": "pair", "2X'": "pair",
    "2D": "cells", "2M": "relation", "2A": "area", "2P": "distances", "2Q": "sight", "2K": "cells",
    "2I": "together", "2E": "together", "2L": "together",
}  # fmt: skip
"""The letters of rules of clues, and what each changes of the plain clue."""
OWN_LETTERS: Final = "#"
"""The rule under which each clue begins with the letters of its rule."""
_MEASURES: Final = {"runs", "difference", "sight", "pair", "area", "distances"}
_HEADER: Final = re.compile(
    r"[ \t]*(rules|geometry|mines|columns)[ \t]*:[ \t]*(.*?)[ \t]*", re.IGNORECASE
)
_COVERED: Final = "?.-#H"
_FLAGS: Final = "F!*"
_MOST_CELLS: Final = 10_000


class PuzzleClue(NamedTuple):
    """A clue: its cell, its rules without ``V`` beside others, and the text that the cell shows."""

    cell: int
    letters: tuple[str, ...]
    text: str

    def has(self, *letters: str) -> bool:
        """Whether the clue is under one of these rules."""
        return not {*letters}.isdisjoint(self.letters)

    def rule_of(self, *kinds: str) -> str:
        """Return the rule that changes one of these things; empty if none does."""
        return next((each for each in self.letters if CLUE_RULES[each] in kinds), "")

    @property
    def number(self) -> int:
        """The number on the clue."""
        return int(self.text)


class PuzzleBoard(NamedTuple):
    """A board: cells are numbered from 0 in reading order, ``mines`` None is an unknown total.

    ``rules``: all letters as they stand; ``layout_rules``: those of layouts.
    """

    grid: Grid
    rules: tuple[str, ...]
    clues: tuple[PuzzleClue, ...]
    flags: frozenset[int]
    mines: int | None

    @property
    def layout_rules(self) -> list[str]:
        """The letters of the rules of layouts, in their order."""
        return [each for each in self.rules if each in LAYOUT_RULES]

    def covered(self, trust_flags: bool) -> list[int]:
        """Return the cells with a verdict, ascending: flags are none of them if they are mines."""
        shown = {clue.cell for clue in self.clues} | (self.flags if trust_flags else set())
        return [cell for cell in range(self.grid.size) if cell not in shown]


def read_puzzle_board(text: str, name: str = "board.txt") -> PuzzleBoard:
    """Return the board in ``text``, the content of the file ``name``.

    Raises:
        WrongCertificateError: it is no board, or has rules that do not exist or do not combine.
    """
    header: dict[str, str] = {}
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate(text.replace("\r\n", "\n").split("\n"), start=1):
        if not line.strip() or line.startswith((";", "# ")):
            continue
        found = None if rows else _HEADER.fullmatch(line)
        if found is not None:
            key = found[1].lower()
            if key in header:
                raise wrong_at(name, number, f"a second line {key!r}")
            header[key] = found[2]
            continue
        words = line.split()
        alone = len(words) == 1 and header.get("columns") != "1"
        rows.append((number, [*words[0]] if alone else words))
    if not rows or len(rows) * len(rows[0][1]) > _MOST_CELLS:
        raise WrongCertificateError(name, f"no board of 1 to {_MOST_CELLS} cells")
    width = len(rows[0][1])
    if header.get("columns", str(width)) != str(width):
        raise WrongCertificateError(name, f"the line 'columns' says otherwise than {width} cells")
    geometry, rules = header.get("geometry", "square"), tuple(header.get("rules", "").split())
    if geometry not in GEOMETRIES:
        raise WrongCertificateError(name, f"there is no geometry {geometry!r}")
    if geometry == "torus" and min(width, len(rows)) < 3:
        raise WrongCertificateError(name, "a torus has 3 rows and 3 columns at least")
    grid = Grid(geometry, len(rows), width)
    of_clues = _clue_rules(rules, name)
    clues, flags = [], set()
    for row, (number, words) in enumerate(rows):
        if len(words) != width:
            raise wrong_at(name, number, f"not {width} cells")
        for column, word in enumerate(words):
            cell = row * width + column
            # Under 2E the letters F and H are clues.
            is_letter = of_clues == ("2E",) and "A" <= word <= "I"
            if word in _FLAGS and not is_letter:
                flags.add(cell)
            elif word not in _COVERED or is_letter:
                clues.append(_clue(cell, word, of_clues, name, number))
    mines = _total(header.get("mines", "?"), name, grid.size)
    return PuzzleBoard(grid, rules, tuple(clues), frozenset(flags), mines)


def _clue_rules(rules: tuple[str, ...], name: str) -> tuple[str, ...] | None:
    """Return the rules of all clues; None if each has its own."""
    for letters in rules:
        if letters not in LAYOUT_RULES and letters not in CLUE_RULES and letters != OWN_LETTERS:
            raise WrongCertificateError(name, f"there is no rule {letters!r}")
    if len({*rules}) < len(rules):
        raise WrongCertificateError(name, "a rule is there twice")
    found = tuple([each for each in rules if each not in LAYOUT_RULES])
    if OWN_LETTERS in found:
        if len(found) > 1:
            raise WrongCertificateError(name, "with # each clue has its own letters")
        return None
    found = tuple([each for each in found if each != "V"]) or ("V",)
    # Rules combine if they change different things, and if what one of them changes matters to what
    # the other measures.
    kinds = [CLUE_RULES[each] for each in found]
    measured = _MEASURES.intersection(kinds)
    fits = (
        len(kinds) == 1
        or (
            len({*kinds}) == len(kinds)
            and len(measured) < 2
            and "together" not in kinds
            and not ("relation" in kinds and {"W", "2X", "2X'", "2P"}.intersection(found))
            and not (
                {"cells", "weight"}.intersection(kinds)
                and measured.difference({"difference", "pair"})
            )
        )
    )  # fmt: skip
    if not fits:
        raise WrongCertificateError(name, f"rules {' '.join(found)} do not combine")
    return found


def _clue(cell: int, word: str, rules: tuple[str, ...] | None, name: str, line: int) -> PuzzleClue:
    if rules is None:
        own = max((each for each in CLUE_RULES if word.startswith(each)), key=len, default="")
        if not own:
            raise wrong_at(name, line, f"{word!r}: a clue begins with the letters of its rule")
        rules, word = (own,), word.removeprefix(own)
    pattern = r"[0-9]{1,9}"
    if "W" in rules:
        pattern = r"0|[1-9]{1,12}"
    elif "2X" in rules:
        pattern = r"[0-9]{2}"
    elif "2E" in rules:
        pattern = r"[A-I]"
    if not re.fullmatch(pattern, word, re.ASCII):
        raise wrong_at(name, line, f"{word!r} is no clue of rule {' '.join(rules)}")
    return PuzzleClue(cell, rules, word)


def _total(word: str, name: str, cells: int) -> int | None:
    if word in ("?", "unknown"):
        return None
    if re.fullmatch(r"[0-9]{1,9}", word, re.ASCII) and int(word) <= cells:
        return int(word)
    raise WrongCertificateError(name, f"{word!r} is no number of mines, 0 to {cells}")


def grid_rows(board: PuzzleBoard, cells: dict[int, str], trust_flags: bool) -> Iterator[list[str]]:
    """Yield the rows of a board: texts of clues, ``F`` for trusted flags, ``cells`` for others."""
    shown = {clue.cell: _shown(board, clue) for clue in board.clues}
    if trust_flags:
        shown |= dict.fromkeys(board.flags, "F")
    shown |= cells
    columns = board.grid.columns
    for start in range(0, board.grid.size, columns):
        yield [shown[cell] for cell in range(start, start + columns)]


def _shown(board: PuzzleBoard, clue: PuzzleClue) -> str:
    return "".join(clue.letters) + clue.text if OWN_LETTERS in board.rules else clue.text
