"""Draw boards of any shape under any rules with their answers: one SVG for each file.

A drawing has the verdict of every covered cell, or what clashes, and the rules in words below. It
fits light and dark pages. BOARD is a file in any format, or a folder: all files in there. Equal
boards give equal drawings. Exit code 1 for a file that is no board.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from satsweeper.board.errors import Error
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.session import PuzzleSession
from satsweeper.show import as_svg
from scripts.frame.arguments import parser_of

EXAMPLE = """examples:
  python scripts/draw_boards.py examples/wikipedia_corner.txt -o drawings
  python scripts/draw_boards.py examples/rules -o docs/pictures/rules"""


def main(argv: Sequence[str] | None = None) -> int:
    """Draw the boards, print the names of the drawings, and return the exit code."""
    parser = parser_of(__doc__, prog="draw_boards", epilog=EXAMPLE)
    parser.add_argument("boards", metavar="BOARD", nargs="+", type=Path)
    parser.add_argument("-o", "--output", metavar="DIR", type=Path, required=True)
    arguments = parser.parse_args(argv)
    try:
        for path in files_of(arguments.boards):
            drawing = drawn(path)
            arguments.output.mkdir(parents=True, exist_ok=True)
            target = arguments.output / f"{path.stem}.svg"
            target.write_text(drawing, "utf-8")
            print(target)
    except (Error, OSError) as error:
        print(f"draw_boards: {error}", file=sys.stderr)
        return 1
    return 0


def files_of(paths: Sequence[Path]) -> Iterator[Path]:
    """Yield the files; of a folder its files in the order of their names."""
    for path in paths:
        yield from sorted(path.iterdir()) if path.is_dir() else [path]


def drawn(path: Path) -> str:
    """Return the drawing of the board in a file, with its answer. Raises Error for no board."""
    with PuzzleSession(Puzzle.read(path)) as session:
        drawing = as_svg(session.classify())
    if drawing is None:
        raise Error(f"{path}: too many cells for a drawing")
    return drawing


if __name__ == "__main__":
    sys.exit(main())
