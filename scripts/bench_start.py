#!/usr/bin/env python3
"""What a start costs: the command on a small board, Python on a large one, a bare interpreter.

CPU milliseconds of whole processes, user and system, the least of several runs in turn.

Example: scripts/bench_start.py --repeat 15
"""

import argparse
import os
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
BOARD = str(ROOT / "examples" / "ilp_3x3.txt")
EXPERT = str(ROOT / "examples" / "expert.txt")
MAIN = ["-m", "satsweeper"]
FROM_PYTHON = f"from satsweeper import Position, classify; classify(Position.read({EXPERT!r}))"
COMMANDS = {
    "bare interpreter": ["-c", "pass"],
    "interpreter and PySAT": ["-c", "import pysat.solvers"],
    "satsweeper --help": [*MAIN, "--help"],
    "satsweeper classify --json": [*MAIN, "classify", "--json", BOARD],
    "satsweeper classify": [*MAIN, "classify", BOARD],
    "classify(expert board)": ["-c", FROM_PYTHON],
}


def cpu(arguments: list[str]) -> float:
    """CPU milliseconds of one child; raises CalledProcessError if it fails."""
    path = os.pathsep.join([str(ROOT / "encodings"), str(ROOT)])
    env = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        [sys.executable, "-P", *arguments],
        env=env | {"PYTHONPATH": path},
        stdout=subprocess.DEVNULL,
        check=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e3 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--repeat", type=int, default=10, help="runs of each (%(default)s)")
    repeat = max(parser.parse_args().repeat, 1)
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    for _ in range(repeat):
        for name, arguments in COMMANDS.items():
            times[name].append(cpu(arguments))
    least = {name: min(found) for name, found in times.items()}
    for name, milliseconds in least.items():
        ratio = milliseconds / least["interpreter and PySAT"]
        print(f"{name:28} {milliseconds:7.1f} ms  {ratio:5.2f}x")


if __name__ == "__main__":
    main()
