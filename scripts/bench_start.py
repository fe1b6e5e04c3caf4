#!/usr/bin/env python3
"""Cost of a start: the command on a small board, Python on a large board, a bare interpreter.

CPU milliseconds of whole processes, user and system, the least of several runs in turn. With
--first-use the commands are of play, and find no machine code from earlier runs.

Examples:
  scripts/bench_start.py --repeat 15
  scripts/bench_start.py --first-use --repeat 3
"""

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from scripts.bench.timed import run_python
from scripts.frame.arguments import parser_of, positive

ROOT = Path(__file__).resolve().parents[1]
BOARD = str(ROOT / "examples" / "ilp_3x3.txt")
EXPERT = str(ROOT / "examples" / "expert.txt")
MAIN = ["-m", "satsweeper"]
FROM_PYTHON = f"from satsweeper import Position, classify; classify(Position.read({EXPERT!r}))"
SOLVE = "import sys; sys.argv.insert(1, 'solve'); from satsweeper.cli.start import main; main()"
"""A command whose exit code is an answer, which is ignored."""
COMMANDS = {
    "bare interpreter": ["-c", "pass"],
    "interpreter and PySAT": ["-c", "import pysat.solvers"],
    "satsweeper --help": [*MAIN, "--help"],
    "satsweeper classify --json": [*MAIN, "classify", "--json", BOARD],
    "satsweeper classify": [*MAIN, "classify", BOARD],
    "satsweeper solve, clauses": ["-c", SOLVE, str(ROOT / "examples" / "cover.wcnf")],
    "satsweeper solve, weights": ["-c", SOLVE, str(ROOT / "examples" / "packing.opb")],
    "classify(expert board)": ["-c", FROM_PYTHON],
}
_STRATEGIES = "random", "score_003", "safest", "progress", "second_safety", "exact"
FIRST_USES = [
    "generate 9x9/10 --no-guess",
    *(f"generate 30x16/99 --no-guess --seed {seed}" for seed in (1, 2, 3)),
    "advise examples/expert.txt", "advise examples/covered_4x4.txt --mines 4",
    "advise examples/covered_4x4.txt --mines 4 --first-click opening",
    *(f"simulate --games 20 --strategy {name}" for name in _STRATEGIES),
    "simulate --games 20 --boards 5x5/4 --strategy exact", "simulate",
]  # fmt: skip
"""Commands of play, which may compile functions."""


def cpu(arguments: list[str], cache: str | None = None) -> float:
    """Return the CPU milliseconds of one child process; raise RuntimeError if the child fails.

    Args:
        arguments: arguments of Python.
        cache: the folder in which compiled functions are kept; None for the user's folder.
    """
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    env["PYTHONPATH"] = os.pathsep.join([str(ROOT / "encodings"), str(ROOT)])
    env |= {} if cache is None else {"XDG_CACHE_HOME": cache}
    return 1e3 * run_python(["-P", *arguments], environment=env, quiet=cache is not None).cpu


def first_use(command: str) -> float:
    """Return the CPU milliseconds of ``command`` with an empty cache."""
    words = [str(ROOT / word) if word.startswith("examples/") else word for word in command.split()]
    with TemporaryDirectory() as cache:
        return cpu([*MAIN, *words], cache)


def main() -> None:
    """Measure and print."""
    parser = parser_of(__doc__)
    add = parser.add_argument
    add("--repeat", type=positive, default=10, help="runs of each (%(default)s)")
    add("--first-use", action="store_true", help="commands that may compile, from empty caches")
    arguments = parser.parse_args()
    if arguments.first_use:
        for words in FIRST_USES:
            least = min(first_use(words) for _ in range(arguments.repeat))
            print(f"{words:64} {least / 1e3:6.2f} s", flush=True)
        return
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(arguments.repeat):
        for name, command in COMMANDS.items():
            times[name].append(cpu(command))
    best = {name: min(found) for name, found in times.items()}
    for name, milliseconds in best.items():
        ratio = milliseconds / best["interpreter and PySAT"]
        print(f"{name:28} {milliseconds:7.1f} ms  {ratio:5.2f}x")


if __name__ == "__main__":
    main()
