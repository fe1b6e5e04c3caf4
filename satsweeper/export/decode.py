"""Answers of other solvers to an exported board or an encoded problem, translated back and judged.

A `Decoder` holds the board or the problem and the names of the formula's variables. A model becomes
values of cells or of named variables and is checked against every clue or constraint, not against
the clauses, so errors of the encoding and errors of the solver are both found. A claim that no
model exists is judged by a search of our own.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar, Final

from pbcnf.wording import counted
from satsweeper.answers.classification import Classification, Status
from satsweeper.board.codes import Cell
from satsweeper.board.errors import Error
from satsweeper.board.facts import Facts, Flags, WrongModelError, check_layout
from satsweeper.board.planes import board_of, indices, unequal
from satsweeper.board.size import size_text
from satsweeper.export.name_map import NameMap
from satsweeper.position import Position
from satsweeper.puzzle.answers import PuzzleClassification
from satsweeper.solvers.output import Claim, Output

_NAMED: Final = 5
"""Limit on the cells that a message names."""


class Judgement(StrEnum):
    """The judgement of a solver's claim."""

    RIGHT = "right"
    WRONG = "wrong"
    UNCONFIRMED = "unconfirmed"
    """The solver claims that there is no layout or model; our own search did not end in time."""
    UNKNOWN = "unknown"
    """The solver claims nothing."""


@dataclass(frozen=True)
class Decoded:
    """A solver's claim, its judgement, and the decoded model.

    Args:
        claim: the claim of the solver.
        judgement: the judgement of ``claim``.
        sentence: the judgement in words.
        layout: the right model of a board, with ``safe_board`` and ``mine_board``; else None.
        values: the right model of a problem, the value of each variable by name; else empty.
        free: cells or variables without a value in the model, on which no clue, total or
            constraint depends.
        answer: the JSON of a right model.
        wrong: the JSON of a broken clue, total or constraint, or of a wrong claim.
    """

    claim: Claim
    judgement: Judgement
    sentence: str
    layout: Classification | PuzzleClassification | None = field(default=None, repr=False)
    values: Mapping[str, int] = field(default_factory=dict, repr=False)
    free: tuple[Hashable, ...] = ()
    answer: dict[str, Any] = field(default_factory=dict, repr=False)
    wrong: dict[str, Any] = field(default_factory=dict)


class MapMismatchError(Error, ValueError):
    """The map belongs to another board or problem, or the model leaves open a needed value."""


class Decoder(ABC):
    """Translates a solver's output back to the exported board or problem, and judges its claim."""

    noun: ClassVar[str]
    """The kind of thing that was exported, as messages name it."""
    solution: ClassVar[str]
    """The word for a model of the exported thing, as messages name it."""

    @abstractmethod
    def head(self) -> dict[str, Any]:
        """Return the schema and the size, which begin the JSON."""

    @abstractmethod
    def require_map(self) -> None:
        """Raise MapMismatchError if the map belongs to another board or problem."""

    @abstractmethod
    def judge_model(self, literals: Sequence[int]) -> Decoded:
        """Judge a model, given by its ``literals`` in the numbers of the formula."""

    def decode(self, output: Output, search: Callable[[], Claim] | None = None) -> Decoded:
        """Judge a solver's ``output``.

        Args:
            output: the claim and, for a model, its literals in the numbers of the formula.
            search: called for the claim that no model exists, returns the claim of our own search;
                None leaves the solver's claim unconfirmed.

        Raises:
            MapMismatchError: the map is of another board or problem, or the model has no value for
                a variable on which a clue, the total or a constraint depends.
        """
        self.require_map()
        claim = output.claim
        if claim is Claim.SATISFIABLE:
            return self.judge_model(output.literals)
        if claim is Claim.UNKNOWN:
            return Decoded(claim, Judgement.UNKNOWN, "The solver has no answer.")
        sentence = f"The solver claims that the {self.noun} has no {self.solution}."
        if search is None:
            return Decoded(claim, Judgement.UNCONFIRMED, sentence)
        found = search()
        if found is Claim.SATISFIABLE:
            sentence = f"wrong claim: {claim}, but the {self.noun} has a {self.solution}"
            return Decoded(claim, Judgement.WRONG, sentence, wrong={"claim": str(claim)})
        if found is Claim.UNSATISFIABLE:
            return Decoded(claim, Judgement.RIGHT, f"{sentence} Our own search agrees.")
        sentence = f"{sentence} Our own search did not end in time."
        return Decoded(claim, Judgement.UNCONFIRMED, sentence)

    def as_json(self, decoded: Decoded) -> dict[str, Any]:
        """Return ``decoded`` in the schema that `head` names."""
        judged = {"claim": str(decoded.claim), "judgement": str(decoded.judgement)}
        wrong = {"wrong": decoded.wrong} if decoded.wrong else {}
        return {**self.head(), **judged, **decoded.answer, **wrong}


def decode(position: Position, names: NameMap, output: Output) -> Decoded:
    """Judge a solver's ``output`` on the board; a model is checked against clues and map's total.

    A claim that there is no layout is judged UNCONFIRMED, without a search. Raises MapMismatchError
    as `Decoder.decode` does.
    """
    return BoardDecoder(position, names).decode(output)


class BoardDecoder(Decoder):
    """Judges answers on a board; ``names`` is the map that ``export --map`` wrote."""

    noun = "board"
    solution = "layout"

    def __init__(self, position: Position, names: NameMap) -> None:
        self._position, self._names = position, names

    def head(self) -> dict[str, Any]:
        """Return the schema ``satsweeper/decode/1`` and the size of the board."""
        names = self._names
        size = {"rows": names.rows, "columns": names.columns, "mines": names.mines}
        return {"schema": "satsweeper/decode/1", **size}

    def require_map(self) -> None:
        """Raise MapMismatchError if the map is of another board."""
        self.flags_mode()

    def flags_mode(self) -> Flags:
        """Return whether the formula was made with flags trusted or ignored.

        Raises MapMismatchError if size, flags or covered cells of map and board disagree.
        """
        position, names = self._position, self._names
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
        for cell in sorted(set(names.cells.values()) - covered):
            raise MapMismatchError(f"the map has a variable for {cell}, which is not covered")
        return "trust" if names.flags or not flagged else "ignore"

    def judge_model(self, literals: Sequence[int]) -> Decoded:
        """Check the cells of a model against every clue of the board and the map's total.

        Values of auxiliary variables do not matter.
        """
        names = self._names
        # The total of the map is checked, not that of the board's file, which may state no total.
        view = self._position.view(self.flags_mode())._replace(total=names.mines)
        geometry, facts, trusted = view.geometry, view.facts(), view.trusted

        def board(cells: Iterable[Cell]) -> int:
            return board_of([geometry.index(cell) for cell in cells], geometry.size)

        mines = board(names.cells[lit] for lit in literals if lit in names.cells)
        safe = board(names.cells[-lit] for lit in literals if -lit in names.cells)
        free = view.covered & ~(mines | safe)
        # Past this call neither a clue nor the total counts a free cell, so the other cells alone
        # decide whether clues and total are met.
        _require_complete(facts, names, free)
        placed = indices(mines, geometry.size)
        try:
            check_layout(facts, placed, names.mines)
        except WrongModelError:
            return _broken_clue(facts, names.mines, mines | trusted)
        layout = Classification.of(view, Status.CONSISTENT, safe, mines)
        left = tuple(geometry.cell(index) for index in indices(free, geometry.size))
        flags = f" and {counted(trusted.bit_count(), 'flag')}" if trusted else ""
        total = ", as the total says" if names.mines is not None else ""
        more = f"; left open, as nothing counts them: {counted(len(left), 'cell')}" if left else ""
        return Decoded(
            Claim.SATISFIABLE,
            Judgement.RIGHT,
            f"A layout: {counted(len(placed), 'mine')}{flags}{total}; every clue is met{more}.",
            layout,
            free=left,
            answer={"grid": layout.grid(), "free": [list(cell) for cell in left]},
        )


def _require_complete(facts: Facts, names: NameMap, free: int) -> None:
    """Raise MapMismatchError if a clue or the total counts one of the ``free`` cells.

    ``free`` has a bit for each covered cell without a value.
    """
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


def _broken_clue(facts: Facts, total: int | None, layout: int) -> Decoded:
    """Return the judgement of a wrong ``layout``: its first broken clue, row by row, or ``total``.

    ``layout`` has a bit for each mine, flags included.
    """
    geometry = facts.geometry
    # Bit k of all counts is one bit board, plane k: the counts around all cells are compared with
    # all clues plane by plane.
    broken = unequal(geometry.count(layout), facts.values) & facts.clues
    if broken:
        # The lowest bit is the first cell, row by row; bit k of its clue is in plane k.
        index = (broken & -broken).bit_length() - 1
        shown = sum((plane >> index & 1) << k for k, plane in enumerate(facts.values))
        near = sum(layout >> each & 1 for each in geometry.neighbours(index))
        cell = geometry.cell(index)
        sentence = f"wrong model: the {shown} at {cell} has {counted(near, 'mine')} around it"
        wrong = {"clue": list(cell), "shown": shown, "counted": near}
    else:
        mines = layout.bit_count()
        sentence = f"wrong model: {counted(mines, 'mine')}, and the total is {total}"
        wrong = {"total": total, "counted": mines}
    return Decoded(Claim.SATISFIABLE, Judgement.WRONG, sentence, wrong=wrong)
