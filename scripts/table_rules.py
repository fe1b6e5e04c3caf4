#!/usr/bin/env python3
"""The tables of docs/variants.md: each rule with an example, its encoding and its size.

Each section stands between two marker comments; what is around them is left alone. Examples are the
boards in examples/rules.

Example: scripts/table_rules.py
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from pbcnf import EncodingSize, Formula
from satsweeper.puzzle.board import Board
from satsweeper.puzzle.board_constraints import board_constraints
from satsweeper.puzzle.clause_writer import ClauseWriter
from satsweeper.puzzle.constraints.protocol import Part
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.table import GRIDS
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.kind import clue_kind
from satsweeper.puzzle.rules.table import CLUES, LAYOUTS, OWN_LETTERS, Row
from satsweeper.puzzle.session import PuzzleSession
from satsweeper.report.table import markdown_table
from scripts.frame.arguments import ended, parser_of, update

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "variants.md"
EXAMPLES = ROOT / "examples" / "rules"
COMMAND = "python scripts/table_rules.py"
SIDE = 8
"""The number of rows and columns of the board on which the sizes of rules of layouts are told."""
CLUE_SIDE = 7
"""The number of rows and columns of the board around the clue whose size is told."""
_ABOUT = {
    "square": "up to 8 cells around it",
    "torus": "8 cells around it: rows and columns go on at the opposite edge",
    "hexagonal": "6 hexagons around it; odd rows lie half a cell to the right",
    "triangular": "up to 12 triangles that share a corner; (r, c) points up where r + c is even",
    "knight": "up to 8 cells at a knight's move",
    "cross": "up to 8 cells at distance 1 and 2 in row and column",
}


def example_of(name: str) -> Path:
    """Return the file of the example of a rule, two rules or a geometry."""
    name = name.replace("'", "_prime").replace(" ", "_")
    return EXAMPLES / f"{'own_letters' if name == OWN_LETTERS else name}.txt"


def drawn(name: str) -> str:
    """Return an example as a block: the rows of the board, and beside them the verdicts."""
    puzzle = Puzzle.read(example_of(name))
    with PuzzleSession(puzzle) as session:
        found = session.classify()
    text = example_of(name).read_text("utf-8")
    lines = [line for line in text.splitlines() if not line.startswith(";")]
    header = [line for line in lines if ":" in line]
    board = [line for line in lines if ":" not in line]
    symbols = found.symbols()
    wide = max(map(len, symbols))
    answer = [
        " ".join(each.rjust(wide) for each in symbols[start : start + puzzle.columns])
        for start in range(0, len(symbols), puzzle.columns)
    ]
    width = max(map(len, board))
    pairs = [f"{row:{width}}    {to}" for row, to in zip(board, answer, strict=True)]
    return "\n".join(["```text", *header, *[line.rstrip() for line in pairs], "```"])


def layout_size(letters: str) -> EncodingSize:
    """Return the size of a rule on an empty board, without what connects."""
    puzzle = Puzzle(GRIDS["square"](SIDE, SIDE), (letters,))
    formula = Formula(num_vars=puzzle.board.num_vars)
    writer = ClauseWriter(formula, {})
    for constraint in board_constraints(puzzle):
        constraint.write(writer)
    # The selector of the rule is no part of its encoding.
    return EncodingSize(
        formula.num_vars - puzzle.board.num_vars - 1, formula.num_clauses, formula.num_literals
    )


def clue_size(letters: tuple[str, ...]) -> EncodingSize | None:
    """Return the size of the largest clue in the middle of a board, over all its values.

    None for a rule that squares cannot have.
    """
    geometry = GRIDS["square"](CLUE_SIDE, CLUE_SIDE)
    board = Board(geometry, Puzzle(geometry).board.dyed)
    middle = len(geometry) // 2
    kind = clue_kind(letters)
    try:
        site = kind.site(board, Part("clue", middle), middle)
    except RuleError:
        return None
    sizes = []
    for value in _values(letters):
        formula = Formula(num_vars=board.num_vars)
        writer = ClauseWriter(formula, {middle + 1: False})
        if kind.together is not None and kind.together.together is not None:
            clues = [(Part("clue", middle), middle, value)]
            constraints = [*kind.together.together(board, Part("rule", letters[0]), clues)]
        else:
            constraints = [*kind.constraints(site, value)]
        for constraint in constraints:
            constraint.write(writer)
        selectors = len(writer.selectors)
        sizes.append(
            EncodingSize(
                formula.num_vars - board.num_vars - selectors,
                formula.num_clauses,
                formula.num_literals,
            )
        )
    return max(sizes, key=lambda size: size.clauses)


def _values(letters: tuple[str, ...]) -> list[object]:
    kind = clue_kind(letters)
    texts = {"W": "0 1 2 3 4 5 6 7 8 11 12 13 14 15 22 23 24 33 111 112 113 122 1111",
             "2X": "00 01 02 03 04 11 12 13 14 22 23 24 33 34 44",
             "2E": "A", "2P": "1 2 4 5 8 10 20"}  # fmt: skip
    chosen = next((texts[each] for each in letters if each in texts), "0 1 2 3 4 5 6 7 8")
    return [kind.parse(text) for text in chosen.split()]


def _said(size: EncodingSize) -> str:
    return f"{size.variables} auxiliary variables, {size.clauses} clauses"


def _section(row: Row, size: EncodingSize | None) -> Iterator[str]:
    yield f"### {row.letters}: {row.name}"
    yield f"{row.summary[0].upper()}{row.summary[1:]}."
    if example_of(row.letters).exists():
        yield drawn(row.letters)
    cuts = " without the connection" if "`Connected`" in row.encoding else ""
    told = f" Size{cuts}: {_said(size)}." if size is not None and size.clauses else ""
    yield f"Encoding: {row.encoding}.{told}"


def _pairs() -> str:
    every = [*LAYOUTS, *CLUES, OWN_LETTERS]
    names = sorted(path.stem for path in EXAMPLES.glob("*_*.txt"))
    found = []
    for stem in names:
        letters = stem.replace("_", " ")
        if letters.split()[-1] in every:
            found += [f"`{letters}`:", drawn(letters)]
    return "\n\n".join([*found, "`#`:", drawn(OWN_LETTERS)])


def sections() -> dict[str, str]:
    """Return the sections of the page, by name."""
    layouts = [line for row in LAYOUTS.values() for line in _section(row, layout_size(row.letters))]
    clues = [line for row in CLUES.values() for line in _section(row, clue_size((row.letters,)))]
    around = [[f"`{name}`", about] for name, about in _ABOUT.items()]
    boards = [part for name in GRIDS if name != "square" for part in (f"`{name}`:", drawn(name))]
    return {
        "geometries": "\n\n".join([markdown_table(["geometry", "a clue counts"], around), *boards]),
        "rules of layouts": "\n\n".join(layouts),
        "rules of clues": "\n\n".join(clues),
        "two rules": _pairs(),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Write the tables, or with --check only compare; 1 if the page is stale."""
    parser = parser_of(__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if it is stale")
    arguments = parser.parse_args(argv)
    return ended(
        "table_rules.py",
        lambda: int(not update(PAGE, COMMAND, sections(), check=arguments.check)),
    )


if __name__ == "__main__":
    raise SystemExit(main())
