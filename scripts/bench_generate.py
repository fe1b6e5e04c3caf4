"""Benchmark of boards without guessing: milliseconds for each, the proof included, board by board.

CPU time of ``satsweeper.play.generate`` in this process, once all is compiled. Exit code 0.
"""

import argparse
import json
import sys
import time
from pathlib import Path
from statistics import median

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from satsweeper.play import generate

BOARDS = "9x9/10,16x16/40,30x16/99,30x16/130,30x16/170,50x50/500"


def main() -> None:
    """Generate and print a line for each size."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--boards", default=BOARDS, help=f"sizes, with commas ({BOARDS})")
    parser.add_argument("--count", type=int, default=100, help="boards of each size (100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    generate("5x5/4", no_guess=True)
    rows = [measured(size, arguments.count, arguments.seed) for size in arguments.boards.split(",")]
    if arguments.json:
        print(json.dumps({"schema": "satsweeper/bench-generate/1", "boards": rows}))
        return
    for row in rows:
        print(
            f"{row['board']:>11}  median {row['median_ms']:8.2f} ms  most {row['most_ms']:8.2f} ms"
            f"  moves {row['moves']:6.1f}  with the total {row['with_total']:5.1%}"
        )


def measured(size: str, count: int, seed: int) -> dict[str, str | float]:
    """Return times of `count` boards in milliseconds, moves a board, and the use of the total.

    `with_total` is the share of boards in whose proof a move needs the total.
    """
    times, moves, total = [], 0, 0
    for number in range(count):
        start = time.process_time()
        board = generate(size, no_guess=True, seed=seed, number=number)
        times.append(1e3 * (time.process_time() - start))
        moves += len(board.moves or ())
        total += any(move.total for move in board.moves or ())
    found = {"median_ms": median(times), "most_ms": max(times)}
    return {"board": size, **found, "moves": moves / count, "with_total": total / count}


if __name__ == "__main__":
    main()
