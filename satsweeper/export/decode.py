"""What another solver says of an exported board, back on the board and checked there."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

from satsweeper.answers.classification import Classification, Status
from satsweeper.board.codes import Cell
from satsweeper.board.errors import Error
from satsweeper.board.facts import Facts, WrongModelError, check_layout
from satsweeper.board.planes import board_of, indices, unequal
from satsweeper.board.size import size_text
from satsweeper.board.view import Flags
from satsweeper.export.name_map import NameMap
from satsweeper.position import Position
from satsweeper.solvers.output import Claim, Output

_SCHEMA: Final = "satsweeper/decode/1"
_NAMED: Final = 5
"""Cells that a message names at the most."""


class Judgement(StrEnum):
    """What the board says of a claim."""

    RIGHT = "right"
    WRONG = "wrong"
    UNCONFIRMED = "unconfirmed"
    """The solver claims that there is no layout; our own search did not end in time."""
    UNKNOWN = "unknown"
    """The solver claims nothing."""


@dataclass(frozen=True)
class Decoded:
    """A claim and what the board says of it.

    ``layout``: for a right model, the board with ``safe_board`` and ``mine_board``, in which the
    ``free`` cells are neither: no clue and no total counts them, and the model says nothing of
    them. ``wrong``: what a wrong answer breaks, as in the JSON; ``sentence``: all that in words.
    """

    claim: Claim
    judgement: Judgement
    sentence: str
    layout: Classification | None = field(default=None, repr=False)
    free: tuple[Cell, ...] = ()
    wrong: dict[str, Any] = field(default_factory=dict)

    def as_json(self, names: NameMap) -> dict[str, Any]:
        """Schema ``satsweeper/decode/1``."""
        answer: dict[str, Any] = {
            "schema": _SCHEMA,
            "rows": names.rows,
            "columns": names.columns,
            "mines": names.mines,
            "claim": str(self.claim),
            "judgement": str(self.judgement),
        }
        if self.layout is not None:
            answer["grid"] = self.layout.grid()
            answer["free"] = [list(cell) for cell in self.free]
        if self.wrong:
            answer["wrong"] = self.wrong
        return answer


class MapMismatchError(Error, ValueError):
    """The map is another board's, or the model leaves open what matters."""


def flags_mode(position: Position, names: NameMap) -> Flags:
    """Whether the formula was made with flags trusted or ignored, once map and board agree.

    Raises MapMismatchError where the map is not that of the board.
    """
    if (position.rows, position.columns) != (names.rows, names.columns):
        raise MapMismatchError(
            f"the map is of a board of {size_text(names.rows, names.columns)}, and this one has"
            f" {size_text(position.rows, position.columns)}"
        )
    flagged, covered = set(position.flag_cells()), set(position.covered_cells())
    if names.flags != flagged and names.flags:
        raise MapMismatchError("the map trusts other flags than those of the board")
    if not names.flags:
        covered |= flagged
    named = set(names.cells.values())
    for cell in sorted(named - covered):
        raise MapMismatchError(f"the map has a variable for {cell}, which is not covered")
    return "trust" if names.flags or not flagged else "ignore"


def decode(position: Position, names: NameMap, output: Output) -> Decoded:
    """A solver's output on the board; a model is checked against the clues and the map's total.

    A claim that there is no layout is UNCONFIRMED here: see ``confirm``.

    Raises:
        MapMismatchError: the map is not that of the board, or a cell that matters has no value.
    """
    flags = flags_mode(position, names)
    if output.claim is Claim.UNSATISFIABLE:
        return Decoded(
            output.claim, Judgement.UNCONFIRMED, "The solver claims that the board has no layout."
        )
    if output.claim is Claim.UNKNOWN:
        return Decoded(output.claim, Judgement.UNKNOWN, "The solver has no answer.")
    # The map's total counts: the board's file need not state one.
    view = position.view(flags)._replace(total=names.mines)
    geometry, facts, trusted = view.geometry, view.facts(), view.trusted

    def board(cells: Iterable[Cell]) -> int:
        return board_of([geometry.index(cell) for cell in cells], geometry.size)

    mines = board(names.cells[lit] for lit in output.literals if lit in names.cells)
    safe = board(names.cells[-lit] for lit in output.literals if -lit in names.cells)
    free = view.covered & ~(mines | safe)
    _refuse_if_it_matters(facts, names, free)
    placed = indices(mines, geometry.size)
    try:
        check_layout(facts, placed, names.mines)
    except WrongModelError:
        return _wrong(facts, names.mines, mines | trusted)
    layout = Classification.of(view, Status.CONSISTENT, safe, mines)
    left = tuple(geometry.cell(index) for index in indices(free, geometry.size))
    parts = [f"A layout: {_count(len(placed), 'mine')}"]
    parts += [f" and {_count(trusted.bit_count(), 'flag')}"] if trusted else []
    parts += [", as the total says" if names.mines is not None else ""]
    parts += ["; every clue is met"]
    parts += [f"; left open, as nothing counts them: {_count(len(left), 'cell')}"] if left else []
    return Decoded(output.claim, Judgement.RIGHT, f"{''.join(parts)}.", layout, left)


def confirm(decoded: Decoded, status: Status) -> Decoded:
    """A claim that there is no layout, judged by the status that our own search found."""
    claim = decoded.claim
    if status is Status.CONSISTENT:
        sentence = "wrong claim: UNSATISFIABLE, but the board has a layout"
        return Decoded(claim, Judgement.WRONG, sentence, wrong={"claim": str(claim)})
    if status is Status.INCONSISTENT:
        sentence = f"{decoded.sentence} Our own search agrees."
        return Decoded(claim, Judgement.RIGHT, sentence)
    sentence = f"{decoded.sentence} Our own search did not end in time."
    return Decoded(claim, Judgement.UNCONFIRMED, sentence)


def _refuse_if_it_matters(facts: Facts, names: NameMap, free: int) -> None:
    matters = free
    if names.mines is None:
        matters &= facts.geometry.spread(facts.clues)
    cells = [facts.geometry.cell(index) for index in indices(matters, facts.geometry.size)]
    if cells:
        shown = ", ".join(map(str, cells[:_NAMED]))
        more = f" and {len(cells) - _NAMED} more" if len(cells) > _NAMED else ""
        raise MapMismatchError(
            f"the model is incomplete: no value for {shown}{more}; only cells that no clue and no"
            " total counts may be left open"
        )


def _wrong(facts: Facts, total: int | None, layout: int) -> Decoded:
    geometry = facts.geometry
    broken = unequal(geometry.count(layout), facts.values) & facts.clues
    if broken:
        index = (broken & -broken).bit_length() - 1
        shown = sum((plane >> index & 1) << k for k, plane in enumerate(facts.values))
        counted = sum(layout >> near & 1 for near in geometry.neighbours(index))
        cell = geometry.cell(index)
        sentence = f"wrong model: the {shown} at {cell} has {_count(counted, 'mine')} around it"
        wrong = {"clue": list(cell), "shown": shown, "counted": counted}
    else:
        sentence = f"wrong model: {_count(layout.bit_count(), 'mine')}, and the total is {total}"
        wrong = {"total": total, "counted": layout.bit_count()}
    return Decoded(Claim.SATISFIABLE, Judgement.WRONG, sentence, wrong=wrong)


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
