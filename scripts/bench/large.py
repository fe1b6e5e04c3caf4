"""Large boards: in process, as a whole process, and how time grows with the cells."""

import gc
import json
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Final

from rich.table import Table

from satsweeper import Position, classify
from scripts.bench.baselines import direct_clauses, read_board, two_per_cell, variables
from scripts.bench.contenders import ours
from scripts.bench.output import table_of
from scripts.bench.programs import SATSWEEPER, run_python
from scripts.bench.records import Record

SIDES: Final = (100, 200, 300, 500)
"""Squares cut out of a board, to see time grow; the board itself comes last."""
_RUNS: Final = 2
_CLAUSES: Final = 10_000
_CELLS: Final = 20


@dataclass
class Figures:
    """A position, and the least CPU milliseconds over the repeats.

    ``parse_ms``: text to position; ``classify_ms``: position to classification; ``grid_ms``: that
    to rows of text. ``process_ms`` and ``process_kib``: the command line in a process of its own,
    its CPU time and peak resident size. ``loop_ms``: pysat-loop, measured or scaled up from
    ``loop_cells`` of its ``loop_all`` cells. ``wrong``: cells that are not as expected.
    """

    id: str
    cells: int
    parse_ms: float = 0.0
    classify_ms: float = 0.0
    grid_ms: float = 0.0
    sat_calls: int = 0
    process_ms: float | None = None
    process_kib: int | None = None
    loop_ms: float | None = None
    loop_cells: int = 0
    loop_all: int = 0
    wrong: int = 0
    note: str = ""

    @property
    def total_ms(self) -> float:
        """From text to rows of text, in process."""
        return self.parse_ms + self.classify_ms + self.grid_ms


def measure_large(record: Record, repeats: int, limit: float, loop: bool) -> Figures:
    """Everything about one position, the total unknown."""
    found = in_process(record, repeats)
    whole_process(record, found)
    if loop:
        pysat_loop_capped(record, limit, found)
    return found


def in_process(record: Record, repeats: int) -> Figures:
    """Parse, classify and write out, timed apart; the first run is not counted."""
    found = Figures(record.id, record.rows * record.columns)
    if record.unknown is not None:
        found.wrong = _differ(ours(record.text, False).verdicts, record.unknown)
    times: list[tuple[float, float, float]] = []
    for _ in range(repeats):
        gc.collect()
        gc.disable()
        try:
            stamps = [time.process_time_ns()]
            position = Position.parse(record.text, mines=None)
            stamps.append(time.process_time_ns())
            answer = classify(position)
            stamps.append(time.process_time_ns())
            answer.grid()
            stamps.append(time.process_time_ns())
        finally:
            gc.enable()
        parse, middle, grid = ((b - a) / 1e6 for a, b in pairwise(stamps))
        times.append((parse, middle, grid))
        found.sat_calls = answer.stats.sat_calls
    found.parse_ms, found.classify_ms, found.grid_ms = map(min, zip(*times, strict=True))
    return found


def whole_process(record: Record, found: Figures) -> None:
    """``python -m satsweeper classify --json FILE`` in a child, start of Python included."""
    with tempfile.TemporaryDirectory() as folder:
        board, out = Path(folder) / "board.txt", Path(folder) / "out.json"
        board.write_text(record.text, "ascii")
        words = "classify", "--json", "--mines", "unknown", board
        try:
            runs = [run_python([*SATSWEEPER, *words], out) for _ in range(_RUNS)]
        except RuntimeError as error:
            found.note = f"the command failed: {error}"
            return
        found.process_ms = min(run.cpu for run in runs) * 1e3
        found.process_kib = runs[-1].kib
        grid: list[str] = json.loads(out.read_text("utf-8"))["grid"]
        if record.unknown is not None:
            dots = str.maketrans("012345678F", "." * 10)
            found.wrong += _differ("".join(grid).translate(dots), record.unknown)


def pysat_loop_capped(record: Record, limit: float, found: Figures) -> None:
    """pysat-loop for ``limit`` seconds of CPU; what is left is scaled up by the cells done."""
    from pysat.solvers import Solver

    start = time.process_time()
    board = read_board(record.text)
    x = variables(board, False)
    found.loop_all = len(x)
    with Solver(name="cadical153") as solver:
        clauses = direct_clauses(board, x)
        while block := list(islice(clauses, _CLAUSES)):
            solver.append_formula(block)
            if time.process_time() - start > limit:
                return
        solver.solve()
        ready = time.process_time()
        cells = iter(x.items())
        while some := list(islice(cells, _CELLS)):
            verdict = two_per_cell(solver, [v for _, v in some])
            found.loop_cells += len(some)
            if record.unknown is not None:
                for cell, v in some:
                    r, c = board.place(cell)
                    found.wrong += record.unknown[r * board.columns + c] != verdict[v]
            if time.process_time() - start > limit:
                break
        spent = time.process_time() - ready
    scale = found.loop_all / found.loop_cells if found.loop_cells else 1.0
    found.loop_ms = (ready - start + spent * scale) * 1e3


def cut(record: Record, side: int) -> Record:
    """The top left square of a board, its outer ring covered so that every clue stays true."""
    _, *lines = [line for line in record.text.splitlines() if not line.startswith(";")]
    ring = "#" * side
    inner = ["#" + line[1 : side - 1] + "#" for line in lines[1 : side - 1]]
    text = "\n".join([f"{side} {side} ?", ring, *inner, ring, ""])
    return Record(f"{record.id} cut to {side}", record.kind, text, side, side)


def growth(record: Record, repeats: int, tick: Callable[[], None]) -> list[Figures]:
    """Squares of growing size cut from one position, and the position."""
    sides = [side for side in SIDES if side < min(record.rows, record.columns)]
    found = []
    for part in [*(cut(record, side) for side in sides), record]:
        found.append(in_process(part, repeats))
        tick()
    return found


def large_table(rows: Sequence[Figures]) -> Table:
    """In process, as a process, and the loop."""
    lines = []
    for row in rows:
        estimated = row.loop_cells < row.loop_all
        loop = "over" if row.loop_all else "-"
        if row.loop_ms is not None:
            loop = f"{'about ' if estimated else ''}{row.loop_ms:,.0f}"
        line = [row.id, *(f"{ms:,.1f}" for ms in (row.parse_ms, row.classify_ms, row.grid_ms))]
        line += [
            str(row.sat_calls),
            "-" if row.process_ms is None else f"{row.process_ms:,.0f}",
            "-" if row.process_kib is None else f"{row.process_kib / 1024:,.0f}",
            loop,
            "-" if row.loop_ms is None else f"{row.total_ms / row.loop_ms:.2g}x",
            str(row.wrong),
        ]
        lines.append(line)
    heads = ("position", "parse", "classify", "grid", "calls", "process", "peak MiB", "pysat-loop")
    title = "large boards, total unknown, CPU ms"
    return table_of(title, (*heads, "ratio", "wrong"), lines)


def growth_table(rows: Sequence[Figures]) -> Table:
    """Time by cells."""
    lines = []
    for row in rows:
        each = row.classify_ms * 1e6 / row.cells
        figures = (f"{row.cells:,}", f"{row.classify_ms:,.2f}", f"{each:,.0f}", str(row.sat_calls))
        lines.append([row.id, *figures])
    heads = ("position", "cells", "ms", "ns a cell", "calls")
    return table_of("growth with the cells, classify only", heads, lines)


def raw_large(rows: Sequence[Figures]) -> list[dict[str, Any]]:
    """The figures as plain values."""
    return [asdict(row) for row in rows]


def _differ(given: str, expected: str) -> int:
    return sum(a != b for a, b in zip(given, expected, strict=True)) if given != expected else 0
