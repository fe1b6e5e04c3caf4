"""Answers of public functions: clauses; verdicts, odds, reasons of boards."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from scripts.answers.encodings import Record, outcome, record_encodings


def record_functions(record: Record, inputs: Path, more: bool) -> None:
    """Record what the public functions of the packages return."""
    record_encodings(record, more)
    _language(record)
    _boards(record, inputs, more)


def _language(record: Record) -> None:
    from pbcnf import Builder, all_different, element, iff, ite, maximum, minimum, xor

    def problem(encoding: Any) -> Any:
        b = Builder()
        x, y, z = b.booleans("xyz")
        i, j, k = (b.integer(name, 1, 6, encoding=encoding) for name in "ijk")
        b.add(x | y & ~z, xor([x, y, z]), iff(x, i + j <= 7), all_different([i, j, k]))
        b.add(ite(x, i < j, j < k), maximum([i, j]) >= 3, minimum([j, k]) <= 4)
        b.add(element([3, 1, 4, 1, 5, 9], i) >= 1, 2 * x + 3 * y + z <= 4)
        b.minimise(2 * i - j + 3 * k)
        return b

    def clauses(encoding: str, transformation: str) -> str:
        return str(list(problem(encoding).formula(transformation).clauses()))

    for encoding in ("direct", "order", "binary"):
        for transformation in ("plaisted_greenbaum", "tseitin"):
            name = f"language: {encoding}, {transformation}"
            record.call(name, clauses, encoding, transformation)
        record.call(f"language: {encoding}, problem", lambda e: str(problem(e).problem()), encoding)


def drawn_boards(number: int, seed: int) -> Iterator[tuple[str, str]]:
    """Yield names and texts of `number` boards: layouts drawn at random, partly opened."""
    draw = Random(seed)
    for board in range(number):
        rows, columns = draw.randint(1, 12), draw.randint(2, 14)
        mines = {
            (row, column)
            for row, column in product(range(rows), range(columns))
            if draw.random() < (0.12, 0.2, 0.3)[board % 3]
        }
        share = draw.choice((0.25, 0.5, 0.8))

        wrong = 0.03 if board % 7 == 6 else 0.0
        grid = [
            "".join(_cell(draw, mines, (row, column), share, wrong) for column in range(columns))
            for row in range(rows)
        ]
        total = str(len(mines)) if board % 2 else "?"
        yield f"board {seed}.{board}", "\n".join([f"{rows} {columns} {total}", *grid]) + "\n"


def _cell(
    draw: Random, mines: set[tuple[int, int]], at: tuple[int, int], share: float, wrong: float
) -> str:
    """Return the character of one cell: opened with chance `share`, its clue `wrong` at times."""
    if at in mines:
        return "F" if draw.random() < 0.1 else "?"
    row, column = at
    near = sum((row + r, column + c) in mines for r in (-1, 0, 1) for c in (-1, 0, 1))
    near += draw.random() < wrong
    return str(min(8, near)) if draw.random() < share else "?"


def _boards(record: Record, inputs: Path, more: bool) -> None:
    from satsweeper import Position, odds

    files = sorted((inputs / "tests/data/positions").glob("*.txt"))
    files += sorted((inputs / "examples").glob("*.txt"))
    boards = [(path.name, path.read_text("utf-8")) for path in files]
    corpus = (inputs / "tests/data/corpus/sample.txt").read_text("utf-8").split("\n\n")
    boards += [(f"corpus {number}", text) for number, text in enumerate(corpus) if text.strip()]
    boards += drawn_boards(1000 if more else 120, 3)
    for name, text in boards:
        try:
            position = Position.parse(text)
        except Exception as error:
            record.add(f"parse: {name}", f"{type(error).__name__}: {error}")
            continue
        size = len(position.covered_cells())
        record.call(f"classify: {name}", _classified, position, size)
        record.call(f"odds: {name}", _json, partial(odds, position, max_width=25))
        record.call(f"explain: {name}", _explained, position)
        record.call(f"session: {name}", _session, position)


def _classified(position: Any, size: int) -> str:
    from satsweeper import classify

    ways: list[dict[str, Any]] = [{}, {"flags": "ignore"}, {"engine": "single_clue"}]
    if size <= 70:
        ways += [{"encoding": "totalizer", "total_encoding": "adder"}, {"engine": "sat"}]
        ways += [{"engine": "subset"}, {"engine": "elimination"}]
    if size <= 20:
        ways += [{"plain": True}, {"engine": "enumeration"}, {"engine": "assumption"}]
    if size <= 12:
        ways += [{"engine": "brute_force"}]
    return "\n".join(f"{way}: {outcome(_json, partial(classify, position, **way))}" for way in ways)


def _json(answer: Callable[[], Any]) -> str:
    return json.dumps(answer().as_json())


def _explained(position: Any) -> str:
    from satsweeper import explain

    cells = position.covered_cells()
    chosen = cells[:: max(1, len(cells) // 4)]
    return "\n".join(
        f"{cell}: {outcome(_json, partial(explain, position, cell))}" for cell in chosen
    )


def _session(position: Any) -> str:
    """Open safe cells of a layout that fits, one after the other, and classify after each."""
    from satsweeper import Session

    steps = []
    with Session(position) as session:
        for _ in range(4):
            found = session.classify()
            steps.append(json.dumps([found.grid(), str(found.status)]))
            if not found.safe:
                break
            session.reveal(found.safe[0], 1)
    return "\n".join(steps)
