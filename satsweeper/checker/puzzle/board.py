"""The parts of a board under rules: cells, rules, clues, flags, known cells, totals."""

import re
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from satsweeper.checker.puzzle.grid import Grid

LAYOUT_RULES: Final = (
    "Q", "C", "T", "O", "D", "S", "B", "A", "H", "U", "2H", "2C", "2S", "2G", "2F", "2B", "2T",
    "2Z",
)  # fmt: skip
"""The letters of rules of layouts."""
CLUE_RULES: Final = {
    "V": "", "M": "weight", "L": "relation", "W": "runs", "N": "difference", "X": "cells",
    "X'": "cells", "P": "runs", "E": "sight", "K": "cells", "2X": "pair", "2X'": "pair",
    "2D": "cells", "2M": "relation", "2A": "area", "2P": "distances", "2Q": "sight", "2K": "cells",
    "2I": "together", "2E": "together", "2L": "together", "HC": "runs", "HN": "runs", "HB": "cells",
}  # fmt: skip
"""The letters of rules of clues, and what each changes of the plain clue."""
OWN_LETTERS: Final = "#"
"""The rule under which each clue begins with the letters of its rule."""
_MEASURES: Final = {"runs", "difference", "sight", "pair", "area", "distances"}
_NO_NUMBERS: Final = {"W", "2X", "2X'", "2P", "HC", "HN"}
"""Rules whose clues are no number that could be one off, or be told modulo 3."""
_TEXTS: Final = {
    "W": r"(0|[1-9]{1,12})", "2X": "([0-9]{2})", "2E": "([A-I])",
    "HC": r"\{([0-9]{1,9})\}|([0-9]{1,9})", "HN": r"-([0-9]{1,9})-|([0-9]{1,9})",
}  # fmt: skip
"""Texts of clues that are no plain number; what is in brackets says all."""


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
        """The number on the clue, without braces or dashes."""
        return int(self.text.strip("{}-"))


class PuzzleRegion(NamedTuple):
    """Cells with a total of their own.

    ``arranged``: "together" if their mines follow one another in this order of the cells, "apart"
    if they do not; "" for anything.
    """

    name: str
    cells: tuple[int, ...]
    mines: int
    arranged: str


class PuzzleBoard(NamedTuple):
    """A board: cells are numbered from 0 in their order, ``mines`` None is an unknown total.

    ``rules``: all letters as they stand; ``layout_rules``: those of layouts. ``opened``: cells that
    are safe and show nothing; ``shown``: cells that are mines, some perhaps with a clue. Any other
    cell with a clue is safe.
    """

    grid: Grid
    rules: tuple[str, ...]
    clues: tuple[PuzzleClue, ...]
    flags: frozenset[int]
    mines: int | None
    opened: frozenset[int] = frozenset()
    shown: frozenset[int] = frozenset()
    regions: tuple[PuzzleRegion, ...] = ()

    @property
    def layout_rules(self) -> list[str]:
        """The letters of the rules of layouts, in their order."""
        return [each for each in self.rules if each in LAYOUT_RULES]

    def covered(self, trust_flags: bool) -> list[int]:
        """Return the cells with a verdict, ascending: flags are none of them if they are mines."""
        known = self.safe | self.shown | (self.flags if trust_flags else set())
        return [cell for cell in range(self.grid.size) if cell not in known]

    @property
    def safe(self) -> set[int]:
        """The cells that are known to hold no mine."""
        return ({clue.cell for clue in self.clues} | self.opened) - self.shown


def clue_rules(rules: Sequence[str]) -> tuple[str, ...] | None:
    """Return the rules of all clues, without ``V`` beside others; None if each has its own.

    Raises ValueError for rules that do not exist or do not combine.
    """
    for letters in rules:
        if letters not in LAYOUT_RULES and letters not in CLUE_RULES and letters != OWN_LETTERS:
            raise ValueError(f"there is no rule {letters!r}")
    if len({*rules}) < len(rules):
        raise ValueError("a rule is there twice")
    found = tuple([each for each in rules if each not in LAYOUT_RULES])
    if OWN_LETTERS in found:
        if len(found) > 1:
            raise ValueError("with # each clue has its own letters")
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
            and not ("relation" in kinds and _NO_NUMBERS.intersection(found))
            and not (
                {"cells", "weight"}.intersection(kinds)
                and measured.difference({"difference", "pair"})
            )
        )
    )  # fmt: skip
    if not fits:
        raise ValueError(f"rules {' '.join(found)} do not combine")
    return found


def clue_of(cell: int, word: str, rules: tuple[str, ...] | None) -> PuzzleClue:
    """Return the clue that ``word`` is under ``rules``; None: it begins with the letters of one.

    The text of the clue has one form: no zeros in front, runs and pairs in ascending order, braces
    and dashes of Hexcells. Raises ValueError for what is no clue.
    """
    if rules is None:
        own = max((each for each in CLUE_RULES if word.startswith(each)), key=len, default="")
        if not own:
            raise ValueError(f"{word!r}: a clue begins with the letters of its rule")
        rules, word = (own,), word.removeprefix(own)
    special = next((each for each in rules if each in _TEXTS), "")
    inside = re.fullmatch(_TEXTS.get(special, "([0-9]{1,9})"), word, re.ASCII)
    if inside is None:
        raise ValueError(f"{word!r} is no clue of rule {' '.join(rules)}")
    text = next(each for each in inside.groups() if each is not None)
    match special:
        case "W" | "2X":
            text = "".join(sorted(text))
        case "HC":
            text = f"{{{int(text)}}}"
        case "HN":
            text = f"-{int(text)}-"
        case "":
            text = str(int(text))
    return PuzzleClue(cell, rules, text)


def grid_rows(board: PuzzleBoard, cells: dict[int, str], trust_flags: bool) -> Iterator[list[str]]:
    """Yield the rows of a board as texts; one row of a board that has none.

    A clue is its text, a trusted flag ``F``, a known mine ``M``, an opened cell ``_``; ``cells``:
    the texts of all others.
    """
    shown = dict.fromkeys(board.opened, "_") | dict.fromkeys(board.shown, "M")
    own = OWN_LETTERS in board.rules
    shown |= {clue.cell: "".join(clue.letters) * own + clue.text for clue in board.clues}
    if trust_flags:
        shown |= dict.fromkeys(board.flags, "F")
    shown |= cells
    columns = board.grid.columns
    for start in range(0, board.grid.size, columns):
        yield [shown[cell] for cell in range(start, start + columns)]
