"""The table of rules: letters, what they say, and where they are."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final

from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.table import GRIDS, IN_JSON
from satsweeper.puzzle.rules.rule import ClueRule, LayoutRule


@dataclass(frozen=True)
class Row:
    """A rule: letters, name, meaning, encoding, and its place ``module:name`` below here."""

    letters: str
    name: str
    summary: str
    encoding: str
    place: str


def _rows(*rows: tuple[str, str, str, str, str]) -> dict[str, Row]:
    return {row[0]: Row(*row) for row in rows}


LAYOUTS: Final = _rows(
    ("Q", "quad", "every square of 2x2 cells has a mine",
     "a clause of four for each square", "pairs:mine_in_every_square"),
    ("C", "connected", "the mines are one set, connected by touching",
     "`Connected`: cuts in a session, levels in files and proofs", "connection:connected"),
    ("T", "triplet", "no three mines in line, one beside the other",
     "a clause of three for each three cells in line", "pairs:no_three_in_line"),
    ("O", "outside", "safe cells are connected by edges, and mines with the outside",
     "`Connected` twice; for mines the outside is one more node, beside each cell of the border",
     "connection:outside"),
    ("D", "dual", "each mine has exactly one mine beside it",
     "for each cell, where it is a mine, one at least and no two of the cells beside"
     " it: seven clauses at most", "degrees:dominoes"),
    ("S", "snake", "the mines are one path, connected by edges",
     "`Connected`, no mine with three beside it, no circle of three or four mines, and a"
     " variable for each cell that is an end, with one mine beside it at most: one or two are, so"
     " it is a path and no circle",
     "connection:snake"),
    ("B", "balance", "all rows have equally many mines, and so have all columns",
     "for each two rows, and columns, that follow one another: the difference of their mines is 0",
     "balance:balance"),
    ("A", "anti-knight", "no two mines a knight's move apart",
     "a clause of two for each pair", "pairs:no_knights_move"),
    ("H", "horizontal", "no two mines side by side in a row",
     "a clause of two for each pair", "pairs:no_horizontal_pair"),
    ("U", "unary", "no two mines share an edge",
     "a clause of two for each pair", "pairs:no_edge_pair"),
    ("2H", "horizontal", "each mine has a mine to its left or right",
     "a clause of three for each cell", "pairs:horizontal_neighbour"),
    ("2C", "connected", "groups of mines are rectangles, and all mines connected by touching",
     "four clauses for each square of 2x2 (not exactly three mines), and `Connected`",
     "connection:rectangles"),
    ("2S", "segment", "the mines of each row are one run",
     "for each row: exactly one cell has a mine and none to its left", "balance:one_run"),
    ("2G", "group", "each group of mines has four cells",
     "for each cell: no mine, or one of the sets of four around it, whose other"
     " neighbours have none", "groups:fours"),
    ("2F", "flowers", "each mine in a dyed cell has exactly one mine beside it",
     "as `D`, for dyed cells", "degrees:dyed_dominoes"),
    ("2B", "bridge", "bridges of mines run from left to right, a row up or down at each step",
     "for each two columns that follow one another: the first r + 1 rows of one hold"
     " at least the mines of the first r of the other", "balance:bridges"),
    ("2T", "trio", "no three cells alike in a row or column, one beside the other",
     "two clauses of three for each three cells", "pairs:no_three_equal"),
    ("2Z", "zero-sum", "each row has as many mines in dyed as in other cells",
     "for each row: mines in dyed cells less mines in other cells are 0", "balance:halves"),
)  # fmt: skip
"""Rules of whole layouts, by their letters."""

CLUES: Final = _rows(
    ("V", "vanilla", "mines around the cell",
     "exactly k of the cells", "mine_sum:RULE"),
    ("M", "multiple", "mines around the cell, those in dyed cells counted twice",
     "a weighted sum", "weights:RULE"),
    ("L", "liar", "one more or one less than the mines around the cell",
     "a sum that is one of two numbers, as a table", "relations:LIAR"),
    ("W", "wall", "the lengths of the runs of mines around the cell",
     "a table of the circle, at most 41 clauses", "runs:WALL"),
    ("N", "negation", "the difference of mines in dyed and in other cells around it",
     "a sum with weights 1 and -1 that is one of two numbers, as a table", "negation:RULE"),
    ("X", "cross", "mines at distance 1 and 2 in row and column",
     "exactly k of the cells", "distant:CROSS_RULE"),
    ("X'", "mini cross", "mines in the four cells that share an edge",
     "exactly k of the cells", "distant:SMALL_CROSS"),
    ("P", "partition", "the number of runs of mines around the cell",
     "a table of the circle, at most 41 clauses", "runs:PARTITION"),
    ("E", "eyesight", "cells seen in row and column up to a mine, itself included",
     "the sum over all i of \"the first i cells of a ray are safe\"", "sight:EYESIGHT"),
    ("K", "knight", "mines at a knight's move",
     "exactly k of the cells", "distant:KNIGHT_RULE"),
    ("2X", "cross", "mines in dyed and in other cells around it, in any order",
     "a table of the circle, at most 62 clauses", "pair:BOTH"),
    ("2X'", "cross", "mines in dyed, or in other, cells around it",
     "a table of the circle", "pair:EITHER"),
    ("2D", "deviation", "mines in the cell above and around that one",
     "exactly k of the cells", "distant:ABOVE"),
    ("2M", "modulo", "mines around the cell modulo 3",
     "a sum that is one of three numbers, as a table", "relations:MODULO"),
    ("2A", "area", "mines in the groups that share an edge with the cell",
     "levels: the mines reached from the cell within t steps; exactly k of them at"
     " the last, and none beyond", "areas:RULE"),
    ("2P", "product", "the distances to the two nearest mines, multiplied and squared",
     "a case for each pair of distances with that product, of which one holds", "nearest:RULE"),
    ("2Q", "directions", "in how many of the eight directions there is a mine",
     "the number of rays without a mine, each a conjunction", "sight:DIRECTIONS"),
    ("2K", "kinsho", "mines in six cells: around it but for the two below aslant",
     "exactly k of the cells", "distant:SIX"),
    ("2I", "incomplete", "mines around the cell but for one direction, the same everywhere",
     "a variable for each direction, which implies the sums of all clues without it",
     "hidden:DIRECTION"),
    ("2E", "encrypted", "a letter for the number of mines around the cell",
     "a variable for each letter and number, which implies the sums of the letter's clues",
     "hidden:ENCRYPTED"),
    ("2L", "liar", "mines around the cell; one number of each row and column is one off",
     "a variable \"this number is wrong\" for each safe cell, exactly one in each row and column",
     "hidden:ONE_LIAR"),
    ("HC", "consecutive", "mines around the cell, in one run; {3} in Hexcells",
     "a table of the circle", "runs:TOGETHER"),
    ("HN", "not consecutive", "mines around the cell, in several runs; -3- in Hexcells",
     "a table of the circle", "runs:APART"),
    ("HB", "blue", "mines up to two steps away, on a mine in Hexcells",
     "exactly k of 18 cells", "distant:TWO_STEPS"),
)  # fmt: skip
"""Rules of clues, by their letters."""

OWN_LETTERS: Final = "#"
"""The rule under which each clue carries the letters of its rule."""


def layout_rule(letters: str) -> LayoutRule:
    """Return a rule of layouts by its letters, or one of your own by ``MODULE:NAME``."""
    if letters in LAYOUTS:
        rule: LayoutRule = _at(f"satsweeper.puzzle.rules.layout.{LAYOUTS[letters].place}")
        return rule
    found = _own(letters)
    if isinstance(found, ClueRule) or not callable(found):
        raise RuleError(f"{letters} is no rule of layouts: a function of a board and a part")
    own: LayoutRule = found
    return own


def clue_rule(letters: str) -> ClueRule:
    """Return a rule of clues by its letters, or one of your own by ``MODULE:NAME``."""
    if letters in CLUES:
        rule: ClueRule = _at(f"satsweeper.puzzle.rules.clues.{CLUES[letters].place}")
        return rule
    found = _own(letters)
    if not isinstance(found, ClueRule):
        raise RuleError(f"{letters} is no rule of clues: a ClueRule")
    return found


def parted(letters: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the rules of layouts and the rules of clues among ``letters``, each in their order.

    Raises RuleError for an unknown rule, and for one named twice.
    """
    if len({*letters}) < len(letters):
        twice = next(each for each in letters if letters.count(each) > 1)
        raise RuleError(f"rule {twice} is there twice")
    layouts, clues = [], []
    for each in letters:
        if each in LAYOUTS:
            layouts.append(each)
        elif each in CLUES or each == OWN_LETTERS:
            clues.append(each)
        else:
            (clues if isinstance(_own(each), ClueRule) else layouts).append(each)
    return tuple(layouts), tuple(clues)


def own_rules(letters: Sequence[str]) -> list[str]:
    """Return the rules of a user's own among ``letters``: those called ``MODULE:NAME``."""
    return [each for each in letters if ":" in each]


def refuse_own(letters: Sequence[str], allowed: Collection[str] | None) -> None:
    """Raise RuleError for a rule ``MODULE:NAME`` that is not among ``allowed``; None: all are.

    Such a rule is code, which is imported and called: a file from a stranger may not name it.
    """
    for each in own_rules(letters):
        if allowed is not None and each not in allowed:
            what = "is code, which no file may ask for: --rules may (own_rules=True in Python)"
            raise RuleError(f"rule {each} {what}")


def _at(place: str) -> Any:
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def _own(letters: str) -> object:
    if ":" not in letters:
        from pbcnf.wording import unknown_name

        if letters in (*GRIDS, *IN_JSON):
            how = f'"geometry": "{letters}" in JSON'
            if letters in GRIDS:
                how = f"'geometry: {letters}' before the rows, or --geometry {letters}"
            raise RuleError(f"{letters!r} is a geometry, not a rule: {how}")
        known = [*LAYOUTS, *CLUES, OWN_LETTERS]
        longest = sorted(map(re.escape, known), key=len, reverse=True)
        single = re.findall("|".join(longest), letters)
        if len({*single}) == len(single) > 1 and "".join(single) == letters.replace(",", ""):
            apart = " ".join(single)
            raise RuleError(f"unknown rule {letters!r}: rules stand apart by blanks, as {apart!r}")
        raise RuleError(unknown_name("rule", letters, known, ", or MODULE:NAME"))
    from satsweeper.peers.user_encoder import load_named, one_line

    try:
        return load_named(letters)
    except (Exception, SystemExit) as error:
        why = str(error) if isinstance(error, ImportError | AttributeError) else one_line(error)
        raise RuleError(f"rule {letters}: {' '.join(why.split())}") from None
