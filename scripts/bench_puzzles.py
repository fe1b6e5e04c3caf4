#!/usr/bin/env python3
"""Benchmark of boards under rules: sessions, or exact odds, on random boards of every rule.

A layout that meets the rule is drawn by a solver with random phases; a third to a half of its safe
cells show clues, and the total is known. Three things are timed apart, in CPU time: the opening of
a session, the classification in it, and the reasons of all certain cells. Every verdict is compared
with the layout that the board was made from. ``--odds`` and ``--certify`` time others in their
place: exact odds, of which those that are refused are counted and a chance that contradicts the
layout is wrong; or certificates, how long they take to make and to check, and how large they are.

Exit codes: 0 no verdict contradicts its layout; 1 one does; 2 wrong usage; 130 interrupted, after
printing what there is.

Examples: python scripts/bench_puzzles.py --boards 20
  python scripts/bench_puzzles.py --rules C,S,2C --size 12 --boards 50 --json out.json
  python scripts/bench_puzzles.py --odds --timeout 30 --rules 2L,2Q,2A
  python scripts/bench_puzzles.py --rules C,O,S,2C --size 12 --clues 20 --certify
"""

import argparse
import gc
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from typing import Final, TypeVar

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from rich.console import Console

from satsweeper.certificate.puzzle.certify import certify_puzzle
from satsweeper.checker.puzzle.check import check_puzzle
from satsweeper.count.budget import OddsLimitError
from satsweeper.puzzle.clue import Clue
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.table import GRIDS, grid
from satsweeper.puzzle.odds.odds import PuzzleOdds, odds_of_puzzle
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.kind import clue_kind
from satsweeper.puzzle.rules.table import CLUES, LAYOUTS
from satsweeper.puzzle.session import PuzzleSession
from satsweeper.show.progress import progress
from satsweeper.solvers.protocol import Satisfied
from scripts.bench.output import console_of, say, show_machine, table_of, write_json
from scripts.frame.arguments import ended, names_of, parser_of, positive

DENSITY: Final = (0.15, 0.35)
"""The least and the largest share of mines that phases prefer."""
SHARE: Final = (1 / 3, 1 / 2)
"""The least and the largest share of safe cells that show clues."""
RULES: Final = (*LAYOUTS, *CLUES)

T = TypeVar("T")


@dataclass
class Timed:
    """CPU milliseconds of the boards of a rule, board by board.

    ``reasons``: of all certain cells of a board, ``cells`` their number. ``calls``: of the solver
    for the classification. ``wrong``: number of verdicts that contradict the layout. ``odds``: the
    times of exact odds, which are measured instead of the others.
    """

    rule: str
    opening: list[float] = field(default_factory=list)
    classify: list[float] = field(default_factory=list)
    reasons: list[float] = field(default_factory=list)
    cells: list[int] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    clauses: list[int] = field(default_factory=list)
    wrong: int = 0
    odds: list[float] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    """The messages of refusals of exact odds, whose times are not among ``odds``."""
    certify: list[float] = field(default_factory=list)
    check: list[float] = field(default_factory=list)
    bytes: list[int] = field(default_factory=list)
    cuts: list[int] = field(default_factory=list)

    @property
    def whole(self) -> list[float]:
        """The times up to the verdicts."""
        return [a + b for a, b in zip(self.opening, self.classify, strict=True)]


def drawn(
    geometry: str, size: int, letters: str, rng: Random, shown: int | None = None
) -> tuple[Puzzle, frozenset[int]]:
    """Return a random board under a rule, and the cells of the mines that it was made from.

    ``shown``: the number of clues, if there are as many safe cells; None: a share of the safe ones.
    """
    cells = grid(geometry, size, size)
    rules = (letters,) if letters in LAYOUTS else ()
    share = rng.uniform(*DENSITY)
    with PuzzleSession(Puzzle(cells, rules)) as session:
        phases = [v if rng.random() < share else -v for v in range(1, len(cells) + 1)]
        if rules:
            # The solver keeps the first phases it is given, so a second question with half of
            # them assumed is not needed: rules leave enough choice.
            session._solver.prefer(phases)
            answer = session._solver.solve([*session.selectors.values()])
            assert isinstance(answer, Satisfied)
            phases = [*answer.model[: len(cells)], *phases[len(answer.model) :]]
        mines = frozenset(lit - 1 for lit in phases if lit > 0)
    safe = [cell for cell in range(len(cells)) if cell not in mines]
    many = round(len(safe) * rng.uniform(*SHARE)) if shown is None else min(shown, len(safe))
    opened = sorted(rng.sample(safe, many))
    liars: list[int] = []
    if letters == "2L":
        # One safe cell of each row and column has a wrong number, whether it shows it or not: a
        # layout without such a choice of cells does not meet the rule, and another is drawn.
        picks = (rng.sample(range(size), size) for _ in range(10_000))
        cells_of = ([row * size + column for row, column in enumerate(pick)] for pick in picks)
        liars = next((chosen for chosen in cells_of if mines.isdisjoint(chosen)), [])
        if not liars:
            return drawn(geometry, size, letters, rng, shown)
    kind = clue_kind((letters,) if letters in CLUES else ("V",))
    board = Puzzle(cells, (letters,), mines=len(mines))
    clues = {}
    around = {c: sum(near in mines for near in cells.neighbours[c]) for c in opened}
    for cell in opened:
        site = kind.site(board.board, ("clue", cell), cell)  # type: ignore[arg-type]
        values = kind.shown(site, lambda each: int(each in mines))
        if letters == "2I":
            away = (cells.rings or ())[cell][0]
            values = [around[cell] - (away is not None and away in mines)]
        elif letters == "2L":
            values = [around[cell] + (cell in liars)]
        if values:
            clues[cell] = Clue(kind, rng.choice(values))
    return Puzzle(cells, (letters,), clues=clues, mines=len(mines)), mines


def timed(found: list[float], work: Callable[[], T]) -> T:
    """Return the value of ``work`` and append the CPU milliseconds it took."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time_ns()
        value = work()
        found.append((time.process_time_ns() - start) / 1e6)
    finally:
        gc.enable()
    return value


def measure(puzzle: Puzzle, mines: frozenset[int], found: Timed, reasons: bool) -> None:
    """Add the times of a board."""
    session = timed(found.opening, lambda: PuzzleSession(puzzle))
    with session:
        answer = timed(found.classify, session.classify)
        found.calls.append(answer.stats.sat_calls)
        found.clauses.append(answer.stats.clauses)
        certain = [(cell, str(v)) for cell, v in answer.by_cell.items() if str(v) != "unknown"]
        found.wrong += sum((verdict == "mine") != (cell in mines) for cell, verdict in certain)
        found.cells.append(len(certain))
        if reasons:
            names = puzzle.geometry.cells
            timed(found.reasons, lambda: [session.explain(names[cell]) for cell, _ in certain])


def measure_odds(
    puzzle: Puzzle, mines: frozenset[int], found: Timed, timeout: float | None
) -> None:
    """Add the time of the exact odds of a board, or what their refusal said."""
    answers: list[PuzzleOdds] = []
    try:
        timed(found.odds, lambda: answers.append(odds_of_puzzle(puzzle, timeout=timeout)))
    except OddsLimitError as refusal:
        found.refused.append(str(refusal))
    for answer in answers:
        against = [cell for cell, chance in answer.by_cell.items() if chance == (cell not in mines)]
        found.wrong += len(against)


def measure_certificate(
    puzzle: Puzzle, mines: frozenset[int], found: Timed, console: Console
) -> bool:
    """Add the times and the size of a board's certificate; whether its rules have certificates.

    Raises WrongCertificateError for one that is refused.
    """
    try:
        made = timed(found.certify, lambda: certify_puzzle(puzzle))
    except RuleError as error:
        say(console, str(error))
        return False
    with TemporaryDirectory() as folder:
        made.write(Path(folder) / "made")
        checked = timed(
            found.check, lambda: check_puzzle(Path(folder) / "made", board=puzzle.text())
        )
    found.bytes.append(sum(map(len, made.files.values())))
    found.cuts.append(checked.cuts)
    covered = zip(puzzle.hidden("trust"), made.about["verdicts"], strict=True)
    certain = [(cell, verdict) for cell, verdict in covered if verdict != "?"]
    found.wrong += sum((verdict == "M") != (cell in mines) for cell, verdict in certain)
    found.cells.append(len(certain))
    return True


CERTIFIED: Final = (
    "rule", "certify", "worst", "check", "worst", "bytes", "most", "cuts", "most", "cells",
)  # fmt: skip


def certified_row(found: Timed) -> list[str]:
    """Return the row of a rule with certificates: medians, each beside the largest."""
    both = [
        f"{value:,.0f}"
        for each in (found.certify, found.check, found.bytes, found.cuts)
        for value in (median(each), max(each))
    ]
    return [found.rule, *both, f"{median(found.cells):,.0f}"]


HEADS: Final = (
    "rule", "open", "classify", "both", "worst", "calls", "clauses", "cells", "reasons", "worst",
)  # fmt: skip


def row(found: Timed) -> list[str]:
    """Return the row of a rule: medians and the largest times."""
    whole = found.whole
    mid = [median(each) for each in (found.opening, found.classify, whole)]
    times = [f"{each:.1f}" for each in (*mid, max(whole))]
    sizes = [f"{median(each):,.0f}" for each in (found.calls, found.clauses, found.cells)]
    late = [f"{median(found.reasons):.1f}", f"{max(found.reasons):.1f}"] if found.reasons else []
    return [found.rule, *times, *sizes, *(late or ["-", "-"])]


ODDS_HEADS: Final = ("rule", "median", "worst", "refused")


def odds_row(found: Timed) -> list[str]:
    """Return the row of a rule: the median and the largest time, and how many were refused."""
    times = [f"{each:.0f}" for each in (median(found.odds), max(found.odds))] if found.odds else []
    return [found.rule, *(times or ["-", "-"]), str(len(found.refused))]


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    parser = parser_of(__doc__)
    add = parser.add_argument
    add("--rules", type=names_of(RULES), default=[*RULES], metavar="A,B", help="default: all")
    add("--geometry", choices=[*GRIDS], default="square", help="of all boards (%(default)s)")
    add("--size", type=positive, default=8, metavar="N", help="rows and columns (%(default)s)")
    add("--boards", type=positive, default=20, metavar="N", help="for each rule (%(default)s)")
    add("--seed", type=int, default=0, metavar="N", help="of all boards (%(default)s)")
    add("--clues", type=positive, metavar="N", help="of a board (default: a share of its cells)")
    add("--no-reasons", action="store_true", help="no reasons of certain cells")
    add("--odds", action="store_true", help="exact odds instead of sessions")
    add("--timeout", type=float, metavar="SECONDS", help="for the odds of a board")
    add("--certify", action="store_true", help="time certificates, in place of sessions")
    add("--json", type=Path, metavar="FILE", help="write every figure to a file")
    arguments = parser.parse_args(argv)
    return ended("bench_puzzles", lambda: _bench(arguments))


def _bench(arguments: argparse.Namespace) -> int:
    console = console_of()
    manifest = show_machine(console)
    all_found: list[Timed] = []
    interrupted = False
    steps = len(arguments.rules) * arguments.boards
    try:
        with progress("boards", steps) as reach:
            for letters in arguments.rules:
                found = Timed(letters)
                for index in range(arguments.boards):
                    rng = Random(f"{arguments.seed}/{letters}/{index}")
                    size, clues = arguments.size, arguments.clues
                    puzzle, mines = drawn(arguments.geometry, size, letters, rng, clues)
                    if arguments.odds:
                        measure_odds(puzzle, mines, found, arguments.timeout)
                    elif not arguments.certify:
                        measure(puzzle, mines, found, not arguments.no_reasons)
                    elif not measure_certificate(puzzle, mines, found, console):
                        break
                    if not index:
                        all_found.append(found)
                    reach((len(all_found) - 1) * arguments.boards + index + 1)
    except KeyboardInterrupt:
        interrupted = True
    size = arguments.size
    title = f"{arguments.boards} boards of {size}x{size} for each rule, CPU milliseconds"
    if all_found:
        heads, row_of = (ODDS_HEADS, odds_row) if arguments.odds else (HEADS, row)
        if arguments.certify:
            heads, row_of = CERTIFIED, certified_row
        console.print(table_of(title, heads, map(row_of, all_found)))
    wrong = sum(each.wrong for each in all_found)
    if wrong:
        say(console, f"{wrong} verdicts contradict the layouts")
    options = {name: value for name, value in vars(arguments).items() if name != "json"}
    about = manifest | {"options": options, "interrupted": interrupted}
    rules = [asdict(each) for each in all_found]
    write_json(arguments.json, "bench-puzzles/1", about, rules=rules)
    if interrupted:
        raise KeyboardInterrupt
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
