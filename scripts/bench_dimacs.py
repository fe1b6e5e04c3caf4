"""Benchmark of DIMACS files: ours against PySAT's, in one run.

Two parts: `read`, a file of random clauses to a formula in memory; `write`, a board in mid-game to
its CNF file, constraints, encoding and writing included. PySAT's side of `write` is CardEnc.equals
(its default encoding, seqcounter; ours is direct) for every clue and CNF.to_file. It is measured on
clues drawn at random and scaled up, but for finding the clues; its memory is that of this part.
Each run is a child of its own: CPU time, and its peak memory as a process.

Exit codes: 0 done; 1 the two sides do not read the same clauses (printed), or bad input; 2 wrong
usage; 130 interrupted.
"""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Final

# From any folder, installed or not: the packages of this checkout.
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "encodings"))

import numpy as np
from numpy.typing import NDArray

from pbcnf import Formula, write_dimacs
from pbcnf.formats.read.dimacs import read_dimacs
from satsweeper import Position
from satsweeper.clues import constraints_of
from satsweeper.export.formula import formula_of
from satsweeper.processes.forked import Forked
from satsweeper.processes.limits import Ended, Limits
from satsweeper.processes.memory import peak_memory
from scripts.bench import machine
from scripts.bench.output import write_json
from scripts.frame.arguments import ended, names_of, parser_of, positive

PARTS: Final = ("read", "write")
QUICK: Final = {"clauses": 20_000, "side": 60, "sample": 300, "repeat": 1}
_WIDTH: Final = 3
_MINES: Final = 0.2
_OPENED: Final = 0.3
_SEED: Final = 0

Work = Callable[[], tuple[dict[str, int], float]]
"""Returns what was counted, and CPU seconds that are added after scaling."""


@dataclass
class Side:
    """A contender: CPU seconds of each run, counts, and peak of the process, all scaled."""

    part: str
    name: str
    scale: float = 1.0
    seconds: list[float] = field(default_factory=list)
    counted: dict[str, int] = field(default_factory=dict)
    peak_mib: float = 0.0

    @property
    def typical(self) -> float:
        """The median of the runs."""
        return median(self.seconds)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the benchmark and return the exit code."""
    arguments = _arguments(argv)
    return ended("bench_dimacs", lambda: _bench(arguments), (ImportError, OSError))


def _bench(arguments: argparse.Namespace) -> int:
    import pysat.card
    import pysat.formula  # noqa: F401  # only whether it is there

    manifest = machine.describe()
    print("\n".join(machine.lines(manifest)))
    with tempfile.TemporaryDirectory() as folder:
        sides = [side for part in arguments.parts for side in _PLANS[part](arguments, Path(folder))]
    ratios = _show(sides)
    wrong = [
        f"{ours.counted} here, {theirs.counted} there"
        for ours, theirs in zip(sides[::2], sides[1::2], strict=True)
        if ours.part == "read" and ours.counted != theirs.counted
    ]
    for line in wrong:
        print(f"WRONG: {line}")
    if arguments.json is not None:
        about = {"schema": "satsweeper/bench-dimacs/1", "manifest": manifest}
        found = {"times_faster": ratios, "results": [asdict(side) for side in sides]}
        write_json(arguments.json, about | found)
    return 1 if wrong else 0


def _read(arguments: argparse.Namespace, folder: Path) -> list[Side]:
    path = str(folder / "random.cnf")
    _in_child(lambda: _random_file(path, arguments.clauses))
    sides = [Side("read", "pbcnf read_dimacs"), Side("read", "pysat CNF(from_file)")]
    works: list[Work] = [lambda: _read_ours(path), lambda: _read_pysat(path)]
    return _measure(sides, works, arguments.repeat)


def _write(arguments: argparse.Namespace, folder: Path) -> list[Side]:
    cells = _board(arguments.side)
    clues = int(sum(len(group.inputs) for group in constraints_of(Position(cells)).groups))
    drawn = min(arguments.sample, clues)
    sides = [
        Side("write", "satsweeper formula_of + write_cnf"),
        Side("write", f"pysat CardEnc + to_file, {drawn:,} of {clues:,} clues", clues / drawn),
    ]
    works: list[Work] = [
        lambda: _write_ours(cells, folder / "ours.cnf"),
        lambda: _write_pysat(cells, folder / "pysat.cnf", drawn),
    ]
    return _measure(sides, works, arguments.repeat)


_PLANS: Final = {"read": _read, "write": _write}


def _random_file(path: str, clauses: int) -> tuple[dict[str, int], float]:
    """Clauses of 3 literals over a quarter as many variables."""
    draw = np.random.default_rng(_SEED)
    formula = Formula(max(_WIDTH, clauses // 4))
    lits = draw.integers(1, formula.num_vars + 1, (clauses, _WIDTH))
    formula.add_block(lits * draw.choice([-1, 1], lits.shape))
    with open(path, "wb") as stream:
        write_dimacs(formula, stream)
    return {}, 0.0


def _read_ours(path: str) -> tuple[dict[str, int], float]:
    with open(path, "rb") as stream:
        formula = read_dimacs(stream, path).formula
    return {"clauses": formula.num_clauses, "literals": formula.num_literals}, 0.0


def _read_pysat(path: str) -> tuple[dict[str, int], float]:
    from pysat.formula import CNF

    clauses = CNF(from_file=path).clauses
    return {"clauses": len(clauses), "literals": sum(map(len, clauses))}, 0.0


def _board(side: int) -> NDArray[np.int8]:
    """A random board: 20 % mines, 30 % of the cells opened; the total is not told."""
    draw = np.random.default_rng(_SEED)
    mine = draw.random((side, side)) < _MINES
    opened = ~mine & (draw.random((side, side)) < _OPENED / (1 - _MINES))
    padded = np.pad(mine.astype(np.int8), 1)
    around = [padded[r : r + side, c : c + side] for r in range(3) for c in range(3)]
    clues: NDArray[np.int8] = np.sum(around, axis=0, dtype=np.int8)
    return np.where(opened, clues, np.int8(-1))


def _write_ours(cells: NDArray[np.int8], path: Path) -> tuple[dict[str, int], float]:
    export = formula_of(Position(cells))
    with open(path, "wb") as stream:
        export.write_cnf(stream)
    return _file(path, export.formula.num_clauses), 0.0


def _write_pysat(cells: NDArray[np.int8], path: Path, sample: int) -> tuple[dict[str, int], float]:
    from pysat.card import CardEnc
    from pysat.formula import CNF

    start = time.process_time()
    board = constraints_of(Position(cells))
    found = time.process_time() - start
    clues = [(row, group.mines) for group in board.groups for row in group.inputs.tolist()]
    draw = np.random.default_rng(_SEED)
    chosen = [clues[i] for i in draw.choice(len(clues), sample, replace=False)]
    del clues
    start = time.process_time()
    formula, top = CNF(), len(board.cells)
    for lits, mines in chosen:
        encoded = CardEnc.equals(lits=lits, bound=mines, top_id=top)
        top = max(top, encoded.nv)
        formula.extend(encoded.clauses)
    formula.to_file(str(path))
    spent = time.process_time() - start
    # What is not scaled: finding the clues; what is not counted: drawing some of them.
    return _file(path, len(formula.clauses)) | {"scaled_ns": int(spent * 1e9)}, found


def _file(path: Path, clauses: int) -> dict[str, int]:
    return {"clauses": clauses, "bytes": path.stat().st_size}


def _measure(sides: list[Side], works: Sequence[Work], repeat: int) -> list[Side]:
    for _ in range(repeat):
        for side, work in zip(sides, works, strict=True):
            counted, fixed, seconds, peak = _in_child(work)
            if "scaled_ns" in counted:
                seconds = counted.pop("scaled_ns") / 1e9
            side.seconds.append(fixed + seconds * side.scale)
            side.counted = {name: round(n * side.scale) for name, n in counted.items()}
            side.peak_mib = max(side.peak_mib, peak / 2**20)
    return sides


def _in_child(work: Work) -> tuple[dict[str, int], float, float, int]:
    """Return counts, figures, CPU seconds, and the peak of the process in bytes."""

    def timed(_: None) -> tuple[dict[str, int], float, float, int]:
        start = time.process_time()
        counted, fixed = work()
        return counted, fixed, time.process_time() - start, peak_memory()

    with Forked(timed, Limits()) as child:
        found: tuple[dict[str, int], float, float, int] | Ended = child.ask(None)
    if isinstance(found, Ended):
        raise ChildProcessError(f"a run ended: {found}")
    return found


def _show(sides: Sequence[Side]) -> dict[str, float]:
    """Print a table; how many times faster ours is, by part."""
    ratios: dict[str, float] = {}
    row = "{:6} {:52} {:>9} {:>12} {:>10} {:>7}"
    print(row.format("part", "", "CPU s", "clauses", "peak MiB", "ratio"))
    for ours, theirs in zip(sides[::2], sides[1::2], strict=True):
        ratios[ours.part] = theirs.typical / ours.typical
        for side, ratio in ((ours, ""), (theirs, f"{ratios[ours.part]:.1f}")):
            clauses, seconds = f"{side.counted['clauses']:,}", f"{side.typical:.3f}"
            print(row.format(side.part, side.name, seconds, clauses, f"{side.peak_mib:.0f}", ratio))
    print("CPU s: median of the runs, scaled where part of the clues was measured.")
    return ratios


def _arguments(argv: Sequence[str] | None) -> Any:
    parser = parser_of(__doc__)
    add = parser.add_argument
    add("--parts", type=names_of(PARTS), metavar="A,B", default=PARTS, help=f"of {','.join(PARTS)}")
    add("--clauses", type=positive, default=1_000_000, metavar="N", help="of `read` (%(default)s)")
    add("--side", type=positive, default=1000, metavar="N", help="rows and columns (%(default)s)")
    add("--sample", type=positive, default=20_000, metavar="N", help="for PySAT (%(default)s)")
    add("--repeat", type=positive, default=5, metavar="N", help="runs of each (%(default)s)")
    add("--quick", action="store_true", help="small numbers throughout")
    add("--json", type=Path, metavar="FILE", help="write every figure to a file")
    arguments = parser.parse_args(argv)
    if arguments.quick:
        vars(arguments).update(QUICK)
    return arguments


if __name__ == "__main__":
    sys.exit(main())
