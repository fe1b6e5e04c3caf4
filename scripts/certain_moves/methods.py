"""The methods whose coverage is measured, the starts, and what was claimed of them."""

from dataclasses import dataclass
from typing import Final

from satsweeper.board.codes import Cell
from satsweeper.play.first_click import FirstClick


@dataclass(frozen=True)
class Method:
    """An engine as a player; ``claim`` the share of safe cells it is said to open, in per cent."""

    name: str
    engine: str
    total: bool = False
    cap: int | None = None
    claim: tuple[int, int] | None = None


METHODS: Final = {
    method.name: method
    for method in (
        Method("single_clue", "single_clue", claim=(30, 50)),
        Method("subset", "subset", claim=(60, 70)),
        Method("subset+total", "subset", total=True, claim=(60, 70)),
        Method("enumeration15", "enumeration", cap=15),
        Method("assumption", "assumption"),
        Method("sat", "sat"),
        Method("sat+total", "sat", total=True),
    )
}
"""``+total``: told the number of mines. ``15``: leaves groups of more than 15 cells alone."""

DEFAULT: Final = tuple(name for name in METHODS if name != "subset+total")
"""The others: taking the whole board as one more set costs a second for some positions."""

STARTS: Final[tuple[tuple[FirstClick, Cell], ...]] = (
    (FirstClick.SAFE, (0, 0)),
    (FirstClick.OPENING, (3, 3)),
)

CLAIMED_BOARD: Final = "30x16/99"
"""The board the claims are about."""

LIMITS: Final = (15, 20)
"""Cells of a group: the cap of one published program, and what another says is rarely exceeded."""

RARELY: Final = 0.05
"""The share up to which something is called rare here; the claim itself gives no number."""
