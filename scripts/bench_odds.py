"""Benchmark of odds with the total known: ours against ms_toollib's probabilities, in one run.

Reads ``CLASS.ms.gz`` from a directory. ms_toollib first answers every position once in a forked
child (time limit, crashes). Both sides then give every covered cell's chance, and nothing is
remembered from one position to the next: fractions here, doubles there
(``cal_probability_onboard``, and ``cal_probability_csp`` beneath it, which gives the frontier and
the interior only). Each side starts from lists of cells, and once more from `text` in memory, which
for ms_toollib a few lines of Python split. CPU time, the least of the repeats, position by
position, in a new order each turn, each right after an untimed run. Every chance is compared.

Exit codes: 0 all chances agree; 1 a difference (printed), or bad input; 2 wrong usage; 130
interrupted.
"""

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from rich.table import Table

from satsweeper import Position, odds
from satsweeper.count.budget import OddsLimitError
from scripts.bench.contenders import find_contenders, ms_toollib_odds
from scripts.bench.measure import try_out
from scripts.bench.output import console_of, say, show_machine, table_of, write_json
from scripts.bench.timed import Record, Timed, add_corpus, drawn_classes, ratios_of, times_of
from scripts.frame.arguments import ended, parser_of, positive

CLOSE: Final = 1e-6
"""Largest difference between two chances that count as equal."""
Board = tuple[Record, Any, int]
"""A position of the corpus, its cells and its total."""
OURS: Final = {"cells": "onboard", "text": "onboard from text"}
"""Ways of timing our odds, each with the name of the side of ms_toollib to compare with."""


@dataclass
class ComparedOdds(Timed):
    """A position: why a side has no times, and the largest difference between chances."""

    kind: str
    failure: dict[str, str] = field(default_factory=dict)
    difference: float | None = None


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    parser = parser_of(__doc__)
    add = parser.add_argument
    add_corpus(parser, ("exp", "b8"), 5)
    add("--time-limit", type=positive, default=20, metavar="S", help="a position (%(default)s)")
    add("--json", type=Path, metavar="FILE", help="write every figure to a file")
    arguments = parser.parse_args(argv)
    return ended("bench_odds", lambda: _bench(arguments), (ImportError, ValueError, OSError))


def _bench(arguments: argparse.Namespace) -> int:
    boards: dict[str, list[Board]] = {}
    for name, records in drawn_classes(arguments).items():
        boards[name] = []
        for record in records:
            position = Position.parse(record.text, source=f"{name}.ms.gz: {record.id}")
            if position.mines is None:
                where = f"{name}.ms.gz: {record.id}"
                raise ValueError(f"{where} has no total: odds are compared with the total known")
            boards[name].append((record, position.cells.tolist(), position.mines))
    import ms_toollib  # noqa: F401  # only whether it is there

    console = console_of()
    manifest = show_machine(console)
    found: dict[str, list[ComparedOdds]] = {}
    interrupted = wrong = False
    try:
        for name, given in boards.items():
            found[name] = _measure(given, arguments)
            console.print(_table(name, found[name]))
    except KeyboardInterrupt:
        interrupted = True
    for row in [row for rows in found.values() for row in rows]:
        for side, reason in row.failure.items():
            say(console, f"{row.id}: {side}: {reason}")
        if row.difference is not None and row.difference > CLOSE:
            wrong = True
            say(console, f"WRONG: {row.id}: chances differ by {row.difference:g}")
    listed = {
        name: {"ratios": ratios(rows), "positions": [vars(r) for r in rows]}
        for name, rows in found.items()
    }
    write_json(arguments.json, "bench-odds/1", manifest, classes=listed)
    if interrupted:
        raise KeyboardInterrupt
    return 1 if wrong else 0


def _measure(boards: Sequence[Board], arguments: argparse.Namespace) -> list[ComparedOdds]:
    import ms_toollib

    [contender], _ = find_contenders(["ms_toollib-probability"], [], [])
    records = [record for record, _, _ in boards]
    trial = try_out(contender, records, True, arguments.time_limit, lambda: None)
    rows = [ComparedOdds(record.id, record.kind) for record in records]
    sides: list[dict[str, Callable[[], Any]]] = []
    for row, (record, cells, mines) in zip(rows, boards, strict=True):
        listed = [[10 if cell < 0 else cell for cell in line] for line in cells]
        theirs: dict[str, Callable[[], Any]] = {
            side: partial(getattr(ms_toollib, f"cal_probability_{side}"), listed, float(mines))
            for side in ("onboard", "csp")
        }
        theirs["onboard from text"] = partial(ms_toollib_odds, record.text)
        failure = trial.results[record.id].failure
        if failure is not None:
            row.failure["ms_toollib"] = failure
            theirs = {}
        sides.append(theirs | {"cells": partial(_of_cells, cells, mines)})
        sides[-1]["text"] = partial(_of_text, record.text)
        try:
            ours = odds(Position(cells, mines), timeout=arguments.time_limit).mine
        except OddsLimitError as error:
            row.failure["satsweeper"] = str(error)
            continue
        if theirs:
            chances = theirs["onboard"]()[0]
            differences = (abs(float(p) - chances[r][c]) for (r, c), p in ours.items())
            row.difference = max(differences, default=0.0)

    rng = random.Random(arguments.seed)
    able = [at for at, row in enumerate(rows) if "satsweeper" not in row.failure]
    for _ in range(arguments.repeat):
        rng.shuffle(able)
        for at in able:
            for side in rng.sample(list(sides[at]), len(sides[at])):
                sides[at][side]()
                rows[at].take(side, sides[at][side])
    return rows


def _of_cells(cells: list[list[int]], mines: int) -> Any:
    return odds(Position(cells, mines)).mine


def _of_text(text: str) -> Any:
    return odds(Position.parse(text)).mine


def ratios(rows: list[ComparedOdds]) -> dict[str, dict[str, float]]:
    """Return the ratios of our times to the times of ms_toollib, for each way in `OURS`.

    Only positions with times of both sides count.
    """
    both = [row.ms for row in rows if row.ms.keys() >= {*OURS, *OURS.values()}]
    return {
        side: ratios_of([ms[side] for ms in both], [ms[base] for ms in both])
        for side, base in OURS.items()
        if both
    }


def _table(name: str, rows: list[ComparedOdds]) -> Table:
    worst = max((row.difference for row in rows if row.difference is not None), default=0.0)
    about = f"{name}, {len(rows)} positions; chances differ by {worst:.1e} at the most"
    heads = ("side", "positions", "median ms", "p99 ms", "max ms", "median ratio", "p99 ratio")
    found = ratios(rows)
    lines = []
    for side in (*OURS, *OURS.values(), "csp"):
        times = [row.ms[side] for row in rows if side in row.ms]
        if not times:
            continue
        shares = [f"{ratio:.2f}" for ratio in found.get(side, {}).values()] or [""] * 3
        owner = "satsweeper" if side in OURS else "ms_toollib"
        ms = [f"{t:.3f}" for t in times_of(times)]
        lines.append([f"{owner} {side}", str(len(times)), *ms, *shares])
    return table_of(about, (*heads, "typical ratio"), lines)


if __name__ == "__main__":
    sys.exit(main())
