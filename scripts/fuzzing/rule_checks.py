"""Verdicts, conflicts, reasons, openings and odds of boards under rules, held to brute force."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from random import Random
from typing import Any, Final
from unittest.mock import patch

from satsweeper.count.odds import NoLayoutError
from satsweeper.puzzle.answers import PuzzleConflict
from satsweeper.puzzle.clue import Clue, Region
from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.puzzle.geometry.graph import graph
from satsweeper.puzzle.geometry.space import cubes
from satsweeper.puzzle.geometry.table import grid
from satsweeper.puzzle.odds import components
from satsweeper.puzzle.odds.diagram import expand
from satsweeper.puzzle.odds.odds import PuzzleOdds, odds_of_puzzle
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.kind import clue_kind
from satsweeper.puzzle.session import PuzzleSession
from satsweeper.solvers.table import SOLVERS
from scripts.fuzzing.plain_readings import TOGETHER
from scripts.fuzzing.positions import whole_encoders
from scripts.fuzzing.rule_boards import Part, RuleBoard, Subject, draw
from scripts.fuzzing.truth import WrongAnswerError, attempt, same


def puzzle_of(board: RuleBoard) -> Puzzle:
    """Return a board as the package has it."""
    shape = board.shape
    geometry: Geometry
    if shape.name == "graph":
        near = {cell: [shape.cells[n] for n in shape.near[i]] for i, cell in enumerate(shape.cells)}
        geometry = graph(near)
    elif shape.name == "cubes":
        layers, rows, columns = shape.size
        geometry = cubes(layers, rows, columns)
    else:
        geometry = grid(shape.name, shape.size[0], shape.size[1])
    clue_rules = ("#",) if board.own else tuple(board.rule.split())
    clues = {}
    for cell, (letters, text) in board.clues.items():
        kind = clue_kind(tuple(letters.split()))
        clues[cell] = Clue(kind, kind.parse(text))
    return Puzzle(
        geometry,
        (*board.layouts, *([] if clue_rules == ("V",) else clue_rules)),
        clues=clues,
        flags=board.flags,
        opened=board.opened,
        shown=board.shown,
        mines=board.mines,
        regions=tuple(Region(*each) for each in board.regions),
        dyed=board.dyed,
        weights=board.weights,
        capacity=board.capacity,
    )


def examined(board: RuleBoard, rng: Random) -> int:
    """Hold all answers about a board to the truth; return the number of reasons.

    Raises WrongAnswerError.
    """
    puzzle = attempt("Puzzle(...)", lambda: puzzle_of(board))
    options: dict[str, Any] = {"flags": board.reading}
    if rng.random() < 0.1:
        options["encoding"] = rng.choice(whole_encoders())
        options["total_encoding"] = rng.choice(whole_encoders())
        options["solver"] = rng.choice([*SOLVERS])
    call = f"PuzzleSession(puzzle, {options})"
    session = attempt(call, lambda: PuzzleSession(puzzle, **options))
    with session:
        reasons = _classified(board, session, rng)
        if board.covered and rng.random() < 0.25:
            _opened(board, session, rng)
    if rng.random() < 0.4:
        _weighed(board, puzzle, rng)
    return reasons


def _weighed(board: RuleBoard, puzzle: Puzzle, rng: Random) -> None:
    """Hold the exact odds to the counts of all layouts, half of them counted by products."""
    table = board.truth
    density = None
    if board.mines is None and not board.capacity and rng.random() < 0.4:
        density = Fraction(rng.randint(1, 6), 7)
    thorough = rng.random() < 0.5
    # A reading that never ends within its steps leaves the counting to proofs and products.
    quick = patch.object(components, "expand", (lambda *_: []) if thorough else expand)
    call = f"odds(flags={board.reading!r}, density={density}), thorough={thorough}"

    def odds() -> PuzzleOdds | None:
        try:
            with quick:
                return odds_of_puzzle(puzzle, flags=board.reading, density=density)
        except NoLayoutError:
            return None

    found = attempt(call, odds)
    same(f"layouts of {call}", table.bit_count(), 0 if found is None else found.solutions)
    if found is None:
        return
    weights = {table: Fraction(1)}
    if density is not None:
        weights = {
            board.readings.total(k): density**k * (1 - density) ** (len(board.shape.cells) - k)
            for k in range(len(board.shape.cells) + 1)
        }

    def weight(layouts: int) -> Fraction:
        return sum([(layouts & t).bit_count() * w for t, w in weights.items()], Fraction(0))

    whole = weight(table)
    chances = {c: weight(table & board.readings.mine(c)) / whole for c in board.covered}
    same(f"chances of {call}", chances, found.by_cell)


def _classified(board: RuleBoard, session: PuzzleSession, rng: Random) -> int:
    found = attempt("classify()", session.classify)
    same("status", "consistent" if board.truth else "inconsistent", str(found.status))
    if not board.truth:
        assert found.conflict is not None
        _sound("conflict", board, found.conflict, board.readings.everything)
        return 1
    verdicts = {cell: str(each) for cell, each in found.by_cell.items()}
    same("verdicts", board.verdicts, verdicts)
    certain = [cell for cell, verdict in verdicts.items() if verdict != "unknown"]
    unknown = [cell for cell, verdict in verdicts.items() if verdict == "unknown"]
    asked = certain if rng.random() < 0.1 else rng.sample(certain, min(1, len(certain)))
    for cell in asked:
        explained = attempt(
            f"explain({cell})",
            lambda c=cell: session.explain(board.shape.cells[c]),  # type: ignore[misc]
        )
        same(f"verdict of explain({cell})", verdicts[cell], str(explained.verdict))
        mine = board.readings.mine(cell)
        against = mine if verdicts[cell] == "safe" else board.readings.everything & ~mine
        _sound(f"reason of explain({cell})", board, explained.reason, against)
    if unknown and rng.random() < 0.2:
        cell = rng.choice(unknown)
        explained = attempt(f"explain({cell})", lambda: session.explain(board.shape.cells[cell]))
        same(f"verdict of explain({cell})", "unknown", str(explained.verdict))
        for rows, mine in ((explained.mine_layout, True), (explained.safe_layout, False)):
            _is_layout(board, rows, cell, mine)
    return len(asked)


def _is_layout(board: RuleBoard, rows: Any, cell: int, mine: bool) -> None:
    # A cell with several mines is an M all the same, so only the set of mines is compared.
    symbols = [symbol for row in rows for symbol in row]
    same("size of a layout", len(board.shape.cells), len(symbols))
    table = board.truth
    for each in board.covered:
        here = board.readings.mine(each)
        same("symbol of a covered cell", True, symbols[each] in ("M", "S"))
        table &= here if symbols[each] == "M" else ~here
    same(f"cell {cell} in its layout", "M" if mine else "S", symbols[cell])
    same(f"whether the layout {rows} exists", True, table > 0)


def _sound(call: str, board: RuleBoard, found: PuzzleConflict | None, against: int) -> None:
    if found is None:
        raise WrongAnswerError(call, "parts of the board", None)
    numbers = {name: number for number, name in enumerate(board.shape.cells)}
    parts: list[Part] = [("rule", letters) for letters in found.rules]
    parts += [("clue", numbers[cell]) for cell in found.clues]
    parts += [("flag", numbers[cell]) for cell in found.flags]
    parts += [("region", name) for name in found.regions]
    parts += [("total", "")] * found.total
    fault = board.fault(parts, against)
    if fault is not None or not found.irreducible:
        raise WrongAnswerError(call, "an irreducible set that is enough", f"{parts}, which {fault}")


def _opened(board: RuleBoard, session: PuzzleSession, rng: Random) -> None:
    """Open one or two cells, with clues right or wrong, and classify again."""
    for _ in range(rng.randint(1, 2)):
        covered = [cell for cell in board.covered if cell not in board.flags]
        if not covered:
            return
        cell = rng.choice(covered)
        letters = board.rule if not board.own else rng.choice(("V", "L", "2M", "2A"))
        if letters in TOGETHER:
            text = {"2E": "ABC", "2I": "012", "2L": "0123"}[letters][rng.randrange(3)]
        else:
            layouts = board.truth & ~board.readings.mine(cell) or board.base
            number = (layouts & -layouts).bit_length() - 1
            if rng.random() < 0.5:
                number = layouts.bit_length() - 1
            texts = board.readings.texts(letters, cell, number)
            if not texts:
                return
            text = rng.choice(texts)
        words = tuple(letters.split()) if board.own else ()
        attempt(
            f"reveal({cell}, {text!r})",
            lambda c=board.shape.cells[cell], t=text, w=words: session.reveal(c, t, w),  # type: ignore[misc]
        )
        board = replace(board, clues={**board.clues, cell: (letters, text)})
        _classified(board, session, rng)


@dataclass(frozen=True)
class RuleFailure:
    """A wrong answer about a board of a subject, and the smallest board found that shows it."""

    subject: str
    seed: int
    index: int
    board: str
    call: str
    expected: str
    got: str

    def line(self) -> str:
        """Return the failure as a line."""
        return (
            f"{self.subject} seed {self.seed} board {self.index}: {self.call} expected"
            f" {self.expected} got {self.got}; smallest: {self.board}"
        )


@dataclass
class RuleTally:
    """Counts of boards, inconsistent ones and reasons of a subject, and what was wrong."""

    subject: Subject
    boards: int = 0
    inconsistent: int = 0
    certain: int = 0
    reasons: int = 0
    failures: tuple[RuleFailure, ...] = ()


_MOST_FAILURES: Final = 3


def examine(subject: Subject, boards: int, seed: int, start: int = 0) -> RuleTally:
    """Examine random boards of a subject; stop after a few failures."""
    tally = RuleTally(subject)
    for index in range(start, start + boards):
        name = f"{seed}/{subject}/{index}"
        board = draw(subject, Random(name))
        tally.boards += 1
        tally.inconsistent += not board.truth
        tally.certain += board.truth > 0 and any(v != "unknown" for v in board.verdicts.values())
        wrong = _wrong(board, name)
        if isinstance(wrong, WrongAnswerError):
            board, wrong = _smallest(board, wrong, name)
            failure = RuleFailure(
                str(subject), seed, index, str(board), wrong.call, wrong.expected, wrong.got
            )
            tally.failures = (*tally.failures, failure)
            if len(tally.failures) >= _MOST_FAILURES:
                break
        else:
            tally.reasons += wrong
    return tally


def _wrong(board: RuleBoard, name: str) -> WrongAnswerError | int:
    try:
        return examined(board, Random(f"{name}/asked"))
    except WrongAnswerError as wrong:
        return wrong


def _smallest(
    board: RuleBoard, wrong: WrongAnswerError, name: str
) -> tuple[RuleBoard, WrongAnswerError]:
    shrinking = True
    while shrinking:
        shrinking = False
        for smaller in _smaller(board):
            again = _wrong(smaller, name)
            if isinstance(again, WrongAnswerError):
                board, wrong, shrinking = smaller, again, True
                break
    return board, wrong


def _smaller(board: RuleBoard) -> Iterator[RuleBoard]:
    for cell in board.clues:
        clues = {each: clue for each, clue in board.clues.items() if each != cell}
        yield replace(board, clues=clues, opened=board.opened | {cell})
    fields: tuple[tuple[str, Callable[[], Any]], ...] = (
        ("flags", frozenset), ("shown", frozenset), ("regions", tuple), ("layouts", tuple),
        ("weights", dict), ("capacity", dict),
    )  # fmt: skip
    for name, empty in fields:
        if getattr(board, name):
            yield replace(board, **{name: empty()})
    if board.mines is not None:
        yield replace(board, mines=None)
