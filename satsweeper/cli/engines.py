"""The ways to classify, one a line: complete or not, what each promises, and what it needs.

--compare BOARD ... classifies boards (files, corpora, or folders of .txt, .mine, .mbf, .board,
.tatham, .danamlund, .minesweepr, board .json and .ms.gz files) with every engine, each in a process
of its own, and says how many certain cells each finds, in what time, and where engines disagree;
the exit code is 1 if any do, or if one fails. A corpus holds many boards with blank lines between
them, each begun by a line "; id=... kind=...", plain or gzip. --json prints {"schema":
"satsweeper/engines/1", "engines": [{"name", "complete", "promise", "extra", "installed"}]}, with
--compare also "boards": [{"board", "mines", "engine", "kind", "status", "decided", "counts",
"notes", "seconds", "why"}] (what there is of it) and "disagreements": [...].
"""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from satsweeper.cli.exit_codes import DONE, FAILED, InputError, UsageError, usage_errors
from satsweeper.cli.files import print_json
from satsweeper.cli.options import JSON, natural, option

if TYPE_CHECKING:
    from satsweeper.engines.protocol import Engine
    from satsweeper.position import Position

EXAMPLE = """examples:
  satsweeper engines
  satsweeper engines --compare examples/expert.txt --engine sat,subset,assumption
  satsweeper engines --compare examples/lp_5x5.txt --engine sat,enumeration --mines both --json
"""

_SUFFIXES = {".txt", ".mine", ".mbf", ".board", ".tatham", ".danamlund", ".minesweepr", ".json"}
_SUFFIXES |= {".gz"}
"""Endings of files of boards in a folder."""
_NO_BOARDS = (".expected.json", ".answers.gz")
"""Endings of files in a folder of boards that hold expected answers."""


OPTIONS: Final = (
    option("--compare BOARD", "board files, or folders of them", nargs="+"),
    option("--engine NAMES", "only these engines; with commas", default=""),
    option("--timeout TIME", "for one board and one engine, whose process is ended then (10)",
           default=10.0),
    option("--mines", "the total as the boards give it (default), dropped, or one after the other",
           choices=("given", "unknown", "both"), default="given"),
    option("--limit N", "at most so many boards of each corpus, spread",
           type=natural("number of boards", 1)),
    JSON,
)  # fmt: skip


def run(arguments: argparse.Namespace) -> int:
    """List the engines, or compare them."""
    from satsweeper.engines.table import ENGINES, find_engine

    with usage_errors():
        names = list(filter(None, arguments.engine.split(","))) or list(ENGINES)
        engines = [find_engine(name) for name in names]
    if not arguments.compare and arguments.limit is not None:
        raise UsageError("--limit is for boards: --compare BOARD")
    if arguments.compare:
        return _compare(arguments, engines)
    if arguments.json:
        print_json(_as_json(engines))
    else:
        from satsweeper.show.engines import show_engines

        show_engines(engines)
    return DONE


def _as_json(engines: list["Engine"]) -> dict[str, Any]:
    from satsweeper.engines.table import installed

    keys = ("name", "complete", "promise", "extra")
    rows = [
        {key: getattr(engine, key) for key in keys} | {"installed": installed(engine)}
        for engine in engines
    ]
    return {"schema": "satsweeper/engines/1", "engines": rows}


def _compare(arguments: argparse.Namespace, engines: list["Engine"]) -> int:
    from satsweeper.answers.options import Options
    from satsweeper.engines.compare import compare, disagreements
    from satsweeper.position import Position
    from satsweeper.show.engines import show_comparison
    from satsweeper.show.progress import progress

    boards = boards_to_compare(arguments.compare, arguments.limit)
    if arguments.mines != "given":
        without = [(name, Position(board.cells)) for name, board in boards]
        known = [(name, board) for name, board in boards if board.mines is not None]
        boards = without if arguments.mines == "unknown" else known + without
    options = Options(timeout=arguments.timeout)
    with progress("engines", len(boards) * len(engines)) as reach:
        compared = compare(boards, engines, options, reach)
    problems = [line for outcomes in compared for line in disagreements(outcomes)]
    failed = [each for outcomes in compared for each in outcomes if each.kind == "failed"]
    if arguments.json:
        rows = [outcome.as_json() for outcomes in compared for outcome in outcomes]
        print_json(_as_json(engines) | {"boards": rows, "disagreements": problems})
    else:
        show_comparison(compared)
    for line in problems:
        print(f"disagreement: {line}", file=sys.stderr)
    for outcome in failed:
        print(f"{outcome.board}: {outcome.why}", file=sys.stderr)
    return FAILED if problems or failed else DONE


def boards_to_compare(paths: list[str], limit: int | None) -> list[tuple[str, "Position"]]:
    """Return the boards of files, corpora and folders, each with a name.

    Args:
        paths: names of files, corpora and folders.
        limit: most boards of each corpus, taken at equal distances; None for all.

    Raises:
        InputError: a file cannot be read, or a folder has no boards.
    """
    files: list[str] = []
    for path in paths:
        if path != "-" and Path(path).is_dir():
            inside = sorted(p for p in Path(path).iterdir() if p.suffix in _SUFFIXES)
            inside = [p for p in inside if not p.name.endswith(_NO_BOARDS)]
            files += map(str, inside)
            if not inside:
                raise InputError(f"{path}: no boards in this folder")
        else:
            files.append(path)
    return [board for file in files for board in _boards_of(file, limit)]


def _boards_of(file: str, limit: int | None) -> list[tuple[str, "Position"]]:
    from satsweeper.notation.corpus import is_corpus, read_corpus
    from satsweeper.position import Position

    if not Path(file).is_file() or not is_corpus(file):
        return [(file, Position.read(file))]
    records = read_corpus(file)
    if limit is not None and limit < len(records):
        records = [records[k * len(records) // limit] for k in range(limit)]
    name = Path(file).name.partition(".")[0]
    sources = [(each, f"{file} ({each.id})") for each in records]
    return [(f"{name}: {e.id}", Position.parse(e.text, source=source)) for e, source in sources]
