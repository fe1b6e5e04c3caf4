"""Answers of other solvers to an exported board of any shape, under any rules."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

from pbcnf.wording import counted
from satsweeper.answers.classification import Stats, Status, Verdict
from satsweeper.export.decode import Decoded, Decoder, Judgement, MapMismatchError
from satsweeper.export.name_map import PuzzleMap
from satsweeper.export.puzzle import json_name
from satsweeper.puzzle.answers import PuzzleClassification
from satsweeper.puzzle.board_constraints import board_constraints
from satsweeper.puzzle.constraints.protocol import Part
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.sentences import part_text
from satsweeper.solvers.output import Claim


class PuzzleDecoder(Decoder):
    """Judges answers on a board by its rules and clues, not by the clauses.

    ``names`` is the map that ``export --map`` wrote; ``puzzle`` has the total of the map.
    """

    noun = "board"
    solution = "layout"

    def __init__(self, puzzle: Puzzle, names: PuzzleMap) -> None:
        self._puzzle, self._names = puzzle, names
        self._numbers: dict[Hashable, int] = {}
        for number, cell in enumerate(puzzle.geometry.cells):
            name = json_name(cell)
            self._numbers[tuple(name) if isinstance(name, list) else name] = number

    def head(self) -> dict[str, Any]:
        """Return the schema ``satsweeper/decode/1``, the size, and the rules of the board."""
        names = self._names
        size = {"rows": names.rows, "columns": names.columns, "mines": names.mines}
        rules = {"rules": list(names.rules), "geometry": names.geometry}
        return {"schema": "satsweeper/decode/1", **size, **rules}

    def require_map(self) -> None:
        """Raise MapMismatchError if the map is of another board."""
        self.flags_mode()

    def flags_mode(self) -> str:
        """Return whether the formula was made with flags trusted or ignored.

        Raises MapMismatchError if shape, rules, flags or covered cells of map and board disagree.
        """
        puzzle, names = self._puzzle, self._names
        for what, found, wanted in (
            ("geometry", names.geometry, puzzle.geometry.name),
            ("size", f"{names.columns}x{names.rows}", f"{puzzle.columns}x{puzzle.rows}"),
            ("rules", " ".join(names.rules), " ".join(puzzle.rules)),
        ):
            if found != wanted:
                raise MapMismatchError(
                    f"the map is of a board with {what} {found or 'V'},"
                    f" and this one has {wanted or 'V'}"
                )
        cells = puzzle.geometry.cells
        flagged = {self._number(name) for name in names.flags}
        if flagged and flagged != puzzle.flags:
            raise MapMismatchError("the map trusts other flags than those of the board")
        flags = "trust" if flagged or not puzzle.flags else "ignore"
        covered = {*puzzle.hidden(flags)}
        for name, mines in names.cells.values():
            number = self._number(name)
            if number not in covered:
                what = f"{cells[number]}, which is not covered"
                raise MapMismatchError(f"the map has a variable for {what}")
            if mines not in range(1, len(puzzle.board.variables[number]) + 1):
                what = f"{mines!r} mines at {cells[number]}, which holds fewer"
                raise MapMismatchError(f"the map has a variable for {what}")
        return flags

    def judge_model(self, literals: Sequence[int]) -> Decoded:
        """Check the cells of a model against every rule, clue and total.

        Values of auxiliary variables do not matter.
        """
        puzzle, flags = self._puzzle, self.flags_mode()
        board = puzzle.board
        value = dict(puzzle.known)
        if flags == "trust":
            value |= {board.mine(cell): True for cell in puzzle.flags}
        for lit in literals:
            if abs(lit) in self._names.cells:
                name, mines = self._names.cells[abs(lit)]
                value[board.variables[self._number(name)][mines - 1]] = lit > 0
        constraints = board_constraints(puzzle, flags)
        self._require_complete(value, {v for each in constraints for v in each.scope})
        true = frozenset(variable for variable, mine in value.items() if mine)
        # An open variable has no influence: every constraint has all values that it depends on.
        for constraint in constraints:
            if not constraint.holds(true):
                return self._broken(constraint.parts[0], true)
        verdicts = {
            cell: Verdict.UNKNOWN
            if board.mine(cell) not in value
            else Verdict.MINE
            if value[board.mine(cell)]
            else Verdict.SAFE
            for cell in puzzle.hidden(flags)
        }
        layout = PuzzleClassification(puzzle, Status.CONSISTENT, verdicts, Stats(), flags)
        free = tuple(layout.unknown)
        trusted = len(puzzle.flags) if flags == "trust" else 0
        parts = [counted(len(true) - trusted, "mine")]
        parts += [counted(trusted, "flag")] if trusted else []
        total = ", as the total says" if puzzle.mines is not None else ""
        met = "every rule and clue is met"
        open_cells = counted(len(free), "cell")
        more = f"; left open, as nothing depends on them: {open_cells}" if free else ""
        return Decoded(
            Claim.SATISFIABLE,
            Judgement.RIGHT,
            f"A layout: {' and '.join(parts)}{total}; {met}{more}.",
            layout,
            free=free,
            answer={"grid": layout.grid(), "free": [json_name(cell) for cell in free]},
        )

    def _number(self, name: Hashable) -> int:
        """Return the number of a cell. Raises MapMismatchError for a name that is no cell."""
        if name not in self._numbers:
            raise MapMismatchError(f"the map names {name}, which is no cell of the board")
        return self._numbers[name]

    def _require_complete(self, value: dict[int, bool], needed: set[int]) -> None:
        """Raise MapMismatchError if a ``needed`` variable has no value."""
        cells = self._puzzle.geometry.cells
        missing = [
            cells[cell]
            for cell, variables in enumerate(self._puzzle.board.variables)
            if any(variable in needed and variable not in value for variable in variables)
        ]
        if missing:
            shown = ", ".join(map(str, missing[:5]))
            more = f" and {len(missing) - 5} more" if len(missing) > 5 else ""
            raise MapMismatchError(
                f"the model is incomplete: no value for {shown}{more}; only cells on which no rule,"
                " clue and total depends may be left open"
            )

    def _broken(self, part: Part, true: frozenset[int]) -> Decoded:
        """Return the judgement of a layout that breaks ``part``, of which it is the first."""
        puzzle = self._puzzle
        cells, board = puzzle.geometry.cells, puzzle.board

        def mines(cell: int) -> int:
            return sum([variable in true for variable in board.variables[cell]])

        text = part_text(puzzle, part)
        wrong: dict[str, Any]
        if part.kind == "clue" and isinstance(part.key, int):
            clue = puzzle.clues[part.key]
            site = clue.kind.site(board, part, part.key)
            values = " or ".join([clue.kind.text(v) for v in clue.kind.shown(site, mines)])
            sentence = f"wrong model: {text} would be {values or 'no value'}"
            wrong = {"clue": json_name(cells[part.key]), "shown": clue.text(), "counted": values}
        elif part.kind == "total":
            sentence = f"wrong model: {counted(len(true), 'mine')}, and the total is {puzzle.mines}"
            wrong = {"total": puzzle.mines, "counted": len(true)}
        else:
            sentence = f"wrong model: it breaks {text}"
            wrong = {part.kind: part.key}
        return Decoded(Claim.SATISFIABLE, Judgement.WRONG, sentence, wrong=wrong)
