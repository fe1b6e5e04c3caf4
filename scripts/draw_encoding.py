"""Draw the structure of one encoding: its inputs, auxiliary variables and clauses.

A clause of two literals is a line between its variables; any other clause is a small square with a
line to each of them. At a variable a hollow circle stands for a negative literal and an arrow head
for a positive one: if every variable at a circle is true, one at an arrow is. A variable stands in
the column given by the longest chain of clauses from an input to it.

SVG needs nothing else to be looked at; DOT text is for graphviz. The same arguments always give the
same drawing. Exit code 2 for bad input.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from pbcnf.formats.writing import replacing
from pbcnf.show.drawing import dot, draw
from pbcnf.show.svg import svg
from scripts.frame.arguments import parser_of

MOST_INPUTS: Final = 200
MOST_CLAUSES: Final = 4000
FORMATS: Final = {"svg": svg, "dot": dot, "gv": dot}
EXAMPLE = """examples:
  python scripts/draw_encoding.py totalizer --n 6 --upper 2 -o totalizer.svg
  python scripts/draw_encoding.py direct --n 5 --lower 1 --upper 2 | dot -Tpng > direct.png
  python scripts/draw_encoding.py adder --weights 3,2,1 --upper 4 -o adder.svg
without -o the DOT text is printed"""


def main(argv: Sequence[str] | None = None) -> int:
    """Draw the encoding and return the exit code."""
    parser = parser_of(__doc__, prog="draw_encoding", epilog=EXAMPLE)
    add = parser.add_argument
    add("encoder", metavar="ENCODER", help="a name from pbcnf.ENCODERS")
    add("--n", type=int, metavar="N", help="the number of inputs")
    add("--weights", type=_numbers, metavar="W,W", help="of the inputs, 1 each by default")
    add("--lower", type=int, metavar="L", help="the sum is at least L")
    add("--upper", type=int, metavar="U", help="the sum is at most U")
    add("-o", "--output", metavar="FILE", help="FILE.svg, FILE.dot or FILE.gv")
    arguments = parser.parse_args(argv)
    path = arguments.output
    kind = "dot" if path is None else path.rpartition(".")[2]
    if kind not in FORMATS:
        parser.error(f"{path}: a name that ends in .svg, .dot or .gv is needed")
    n: int | None = arguments.n
    if arguments.weights is None and n is None:
        parser.error("--n or --weights is needed")
    weights: list[int] = arguments.weights or [1] * (n or 0)
    if arguments.weights is not None and n not in (None, len(weights)):
        parser.error(f"--n {n} and {len(weights)} weights")
    if not 1 <= len(weights) <= MOST_INPUTS:
        parser.error(f"{len(weights)} inputs: 1 to {MOST_INPUTS} can be drawn")
    lower = 0 if arguments.lower is None else arguments.lower
    upper = sum(weights) if arguments.upper is None else arguments.upper
    if arguments.lower is None and arguments.upper is None:
        parser.error("--lower or --upper is needed")
    try:
        drawn = draw(arguments.encoder, weights, lower, upper)
    except ValueError as error:
        parser.error(str(error))
    if len(drawn.clauses) > MOST_CLAUSES:
        parser.error(f"{len(drawn.clauses)} clauses: {MOST_CLAUSES} at most can be drawn")
    text = FORMATS[kind](drawn)
    if path is None:
        sys.stdout.write(text)
        return 0
    try:
        with replacing(path) as stream:
            stream.write(text.encode())
    except OSError as error:
        parser.error(f"{path}: {error.strerror}")
    return 0


def _numbers(text: str) -> list[int]:
    numbers = [int(part) for part in text.split(",")]
    if min(numbers) < 1:
        raise argparse.ArgumentTypeError("weights are 1 at least")
    return numbers


if __name__ == "__main__":
    sys.exit(main())
