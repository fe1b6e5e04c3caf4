#!/usr/bin/env python3
"""The tables of docs/variants.md: each rule with an example, its encoding and its size.

Each section stands between two marker comments; what is around them is left alone. Examples are the
boards in examples/rules.

Example: scripts/table_rules.py
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from satsweeper.board.errors import LimitError
from satsweeper.certificate.puzzle.certify import certify_puzzle
from satsweeper.checker.puzzle.check import check_puzzle
from satsweeper.export.puzzle import PuzzleProblem
from satsweeper.puzzle.board_constraints import board_constraints
from satsweeper.puzzle.errors import RuleError
from satsweeper.puzzle.geometry.geometry import Geometry
from satsweeper.puzzle.geometry.graph import graph
from satsweeper.puzzle.geometry.hexcells import hexcells
from satsweeper.puzzle.geometry.space import cubes
from satsweeper.puzzle.geometry.table import GRIDS
from satsweeper.puzzle.odds.odds import odds_of_puzzle
from satsweeper.puzzle.play.generate import generate_puzzle
from satsweeper.puzzle.puzzle import Puzzle
from satsweeper.puzzle.rules.table import CLUES, LAYOUTS, OWN_LETTERS, Row
from satsweeper.puzzle.session import PuzzleSession, classify_puzzle
from satsweeper.report.table import markdown_table
from satsweeper.show import as_svg
from scripts.frame.arguments import parser_of, write_tables
from scripts.table_rule_clauses import Size, clue_size, layout_size, values

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "variants.md"
EXAMPLES = ROOT / "examples" / "rules"
COMMAND = "python scripts/table_rules.py"
SIDE = 8
"""The number of rows and columns of the board on which sizes are told."""
_ABOUT = {
    "square": "up to 8 cells around it",
    "torus": "8 cells around it: rows and columns go on at the opposite edge",
    "hexagonal": "6 hexagons around it; odd rows lie half a cell to the right",
    "triangular": "up to 12 triangles that share a corner; (r, c) points up where r + c is even",
    "knight": "up to 8 cells at a knight's move",
    "cross": "up to 8 cells at distance 1 and 2 in row and column",
}


_JSON = {
    "cubes": "cubes.json",
    "graph, regions": "graph.json",
    "hexcells, HB, lines": "../flower.hexcells",
    "weights of mines": "weights.json",
    "several mines in a cell": "capacity.json",
    "dyed cells of its own": "mask.json",
}
"""A part of boards that text cannot hold -> an example, as a path from ``EXAMPLES``."""


def example_of(name: str) -> Path:
    """Return the file of the example of a rule, two rules, a geometry or another part of boards."""
    if name in _JSON:
        return EXAMPLES / _JSON[name]
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


def layout_clauses(letters: str) -> str:
    """Return the size of a rule of layouts on an empty board, in words."""
    return _said(layout_size(letters, SIDE))


def clue_clauses(letters: str) -> str:
    """Return the size of the largest clue under a rule of clues, in words."""
    return _said(max((clue_size(letters, SIDE, value) for value in values(letters, SIDE)),
                     key=lambda size: size.clauses))  # fmt: skip


def _said(size: Size) -> str:
    return f"{size.variables:,} auxiliary variables, {size.clauses:,} clauses"


def _section(row: Row, size: str) -> Iterator[str]:
    yield f"### {row.letters}: {row.name}"
    yield f"{row.summary[0].upper()}{row.summary[1:]}."
    if example_of(row.letters).exists():
        yield drawn(row.letters)
    yield f"Encoding: {row.encoding}. Size: {size}."


def _pairs() -> str:
    every = [*LAYOUTS, *CLUES, OWN_LETTERS]
    names = sorted(path.stem for path in EXAMPLES.glob("*_*.txt"))
    found = []
    for stem in names:
        letters = stem.replace("_", " ")
        if letters.split()[-1] in every:
            found += [f"`{letters}`:", drawn(letters)]
    return "\n\n".join([*found, "`#`:", drawn(OWN_LETTERS)])


def features(name: str) -> list[str]:
    """Return for each feature "yes", or why the example of a rule or geometry lacks it."""
    puzzle = Puzzle.read(example_of(name))
    empty = replace(puzzle, clues={}, opened=frozenset(), shown=frozenset(), regions=())

    def certified() -> None:
        with TemporaryDirectory() as folder:
            certify_puzzle(puzzle).write(Path(folder) / "proof")
            check_puzzle(Path(folder) / "proof", external=False)

    tried: list[Callable[[], object]] = [
        lambda: classify_puzzle(puzzle),
        lambda: odds_of_puzzle(puzzle),
        lambda: PuzzleProblem.of(puzzle),
        certified,
        lambda: generate_puzzle(empty, style="puzzle", timeout=60),
        lambda: as_svg(puzzle),
    ]
    return [_outcome(each) for each in tried]


def _outcome(action: Callable[[], object]) -> str:
    try:
        action()
    except (ValueError, LimitError) as error:
        return str(error)
    return "yes"


def features_table() -> str:
    """Return the table of rules and geometries, and of what works with each of their examples."""
    head = ["rule or geometry", "verdicts, reasons", "exact odds", "files for solvers",
            "certificate", "boards without guessing", "pictures, page"]  # fmt: skip
    every = [*LAYOUTS, *CLUES, OWN_LETTERS, *GRIDS, *_JSON]
    rows = [[f"`{name}`", *features(name)] for name in every if example_of(name).exists()]
    return markdown_table(head, rows)


def fits(letters: str, geometry: Geometry) -> bool:
    """Whether boards of a geometry can have a rule; of clues, with one in the first cell."""
    puzzle = Puzzle(geometry, (letters,))
    if letters in CLUES:
        puzzle = puzzle.with_clue(0, () if letters == "W" else 0)
    try:
        board_constraints(puzzle)
    except RuleError:
        return False
    return True


def fitting_table() -> str:
    """Return the table of rules and geometries that go together."""
    shapes = {name: GRIDS[name](4, 4) for name in GRIDS}
    shapes |= {"cubes": cubes(3, 3, 3), "graph": graph({0: [1, 2], 1: [0, 2], 2: [0, 1]})}
    shapes["hexcells"] = hexcells([(0, 1), (1, 0), (1, 2), (2, 1)])
    rows = []
    for letters in (*LAYOUTS, *CLUES):
        marks = ["yes" if fits(letters, shape) else "-" for shape in shapes.values()]
        rows.append([f"`{letters}`", *marks])
    return markdown_table(["rule", *shapes], rows)


def sections() -> dict[str, str]:
    """Return the sections of the page, by name."""
    layouts = [
        line for row in LAYOUTS.values() for line in _section(row, layout_clauses(row.letters))
    ]
    clues = [line for row in CLUES.values() for line in _section(row, clue_clauses(row.letters))]
    around = [[f"`{name}`", about] for name, about in _ABOUT.items()]
    boards = [part for name in GRIDS if name != "square" for part in (f"`{name}`:", drawn(name))]
    return {
        "geometries": "\n\n".join([markdown_table(["geometry", "a clue counts"], around), *boards]),
        "rules of layouts": "\n\n".join(layouts),
        "rules of clues": "\n\n".join(clues),
        "two rules": _pairs(),
        "features": features_table(),
        "rules and geometries": fitting_table(),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Write the tables, or with --check only compare; 1 if the page is stale."""
    return write_tables(parser_of(__doc__), PAGE, COMMAND, lambda _: sections(), argv)


if __name__ == "__main__":
    raise SystemExit(main())
