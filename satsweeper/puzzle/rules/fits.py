"""Rules and geometries that go together."""

from __future__ import annotations

from satsweeper.puzzle.board import Board, chequered
from satsweeper.puzzle.constraints.protocol import Part
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.puzzle.rules.kind import clue_kind
from satsweeper.puzzle.rules.table import OWN_LETTERS, layout_rule, parted


def fits(letters: str, geometry: Geometry) -> str | None:
    """Return why boards of a geometry cannot have a rule, in one line; None if they can.

    The rule is tried out: its constraints are made for an empty board, or for a clue in the first
    cell. ``letters``: of a rule of layouts or of clues, or MODULE:NAME.

    Raises RuleError for an unknown rule.

    >>> from satsweeper.puzzle.geometry.table import grid
    >>> fits("T", grid("hexagonal", 3, 3))
    "rule T needs squares, which the geometry 'hexagonal' does not have"
    >>> fits("C", grid("hexagonal", 3, 3))
    """
    layouts, clues = parted((letters,))
    board = Board(geometry, chequered(geometry))
    try:
        if layouts:
            for _ in layout_rule(letters)(board, Part("rule", letters)):
                pass
        elif clues != (OWN_LETTERS,) and len(geometry):
            _try_clue(letters, board)
    except RuleError as error:
        return f"rule {letters} {error}"
    return None


def _try_clue(letters: str, board: Board) -> None:
    """Make the constraints of a clue in the first cell. Raises RuleError."""
    kind = clue_kind((letters,))
    part = Part("clue", 0)
    if kind.together is not None and kind.together.together is not None:
        for _ in kind.together.together(board, Part("rule", letters), [(part, 0, 0)]):
            pass
        return
    for _ in kind.measure.constraints(kind.site(board, part, 0), ()):
        pass
