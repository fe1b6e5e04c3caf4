"""Answers of public functions: clauses by encoder and shape; verdicts, odds, reasons of boards."""

import json
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from typing import Any, Final

from scripts.answers.record import Record, outcome

_LARGE: Final = (
    (12, 3, 12),
    (12, 0, 5),
    (14, 6, 7),
    (33, 0, 2),
    (40, 20, 20),
    (64, 0, 31),
    (80, 60, 80),
)
"""Shapes of large cardinality constraints: inputs, lower and upper bound."""

_WEIGHTS: Final = (
    (1, 1, 2),
    (3, 2, 1),
    (5, 5, 5, 2),
    (2, 3, 5, 7, 11),
    (1, 2, 4, 8, 16, 32),
    (4, 4, 6, 6, 9, 9, 1),
)


def record_functions(record: Record, inputs: Path, more: bool) -> None:
    """Record what the public functions of the packages return."""
    _cardinality(record, more)
    _weighted(record, more)
    _parities(record)
    _counters(record)
    _language(record)
    _boards(record, inputs, more)


def _clauses(num_vars: int, fill: Callable[[Any], object]) -> str:
    """Return the clauses that ``fill`` adds to a formula of `num_vars` inputs, in one line."""
    from pbcnf import Formula

    def emitted() -> str:
        formula = Formula(num_vars)
        fill(formula)
        return f"{formula.num_vars} {list(formula.clauses())}"

    return outcome(emitted)


def _cardinality(record: Record, more: bool) -> None:
    from pbcnf import ENCODERS, Cardinality, choose, encode, encode_many

    def constraint(n: int, low: int, high: int) -> Cardinality:
        return Cardinality(range(1, n + 1), low, high)

    special: dict[str, Callable[..., object]] = {
        "repeated": partial(encode, Cardinality([1, -2, 3, 3, -4, 4], 1, 3)),
        "implied": partial(encode, Cardinality([1, 2, 3, 4, 5], 2, 3), when=-8),
        "reified": partial(encode, Cardinality([1, 2, 3, 4, 5], upper=2), iff=7),
        "many": partial(encode_many, [[1, 2, 3, 4], [5, -6, 7, 8], [1, 1, 2, 3]], 1, 2),
    }
    for name in (*ENCODERS, None):
        for n in range(1, 9 if more else 8):
            record.lines(
                f"encode: {name}, {n} inputs",
                (
                    f"{low} {high}: "
                    + _clauses(n, partial(encode, constraint(n, low, high), encoder=name))
                    for low in range(n + 1)
                    for high in range(low, n + 1)
                ),
            )
        for n, low, high in _LARGE:
            fill = partial(encode, constraint(n, low, high), encoder=name)
            record.call(f"encode: {name}, {low} to {high} of {n}", _clauses, n, fill)
        for what, emit in special.items():
            record.call(f"encode: {name}, {what}", _clauses, 8, partial(emit, encoder=name))
    record.lines(
        "encode: choices",
        (
            f"{n} {high}: {choose(constraint(n, 0, high))}"
            for n in (2, 5, 6, 7, 8, 9, 20, 50, 100, 1000)
            for high in sorted({1, 2, n // 3, n // 2, n - 1})
        ),
    )


def _weighted(record: Record, more: bool) -> None:
    from pbcnf import ENCODERS, PseudoBoolean, choose, encode

    draw = Random(5)
    shapes = [list(weights) for weights in _WEIGHTS]
    shapes += [[draw.randint(1, 20) for _ in range(n)] for n in (4, 6, 9, 12, 16)]
    shapes += [[draw.randint(1, 1000) for _ in range(n)] for n in range(3, 30 if more else 9)]

    def constraint(weights: list[int], low: int, high: int) -> PseudoBoolean:
        return PseudoBoolean(range(1, len(weights) + 1), weights, low, high)

    for name, weights in product((*ENCODERS, None), shapes):
        most, n = sum(weights), len(weights)
        bounds = [(0, most // 2), (most // 3, most), (most // 3, most // 2), (most // 2, most // 2)]
        record.lines(
            f"encode: {name}, weights {' '.join(map(str, weights))}",
            (
                _clauses(
                    n + 1, partial(encode, constraint(weights, *bound), encoder=name, when=when)
                )
                for bound in bounds
                for when in (None, n + 1)
            ),
        )
    record.lines(
        "encode: choices of weighted sums",
        (str(choose(constraint(weights, 0, sum(weights) // 2))) for weights in shapes),
    )


def _parities(record: Record) -> None:
    from pbcnf import PARITY_ENCODERS, Parity, encode

    for name in (*PARITY_ENCODERS, None):
        record.lines(
            f"encode: parity, {name}",
            (
                _clauses(n, partial(encode, Parity(range(1, n + 1), odd), encoder=name))
                for n in range(1, 12)
                for odd in (False, True)
            ),
        )


def _counters(record: Record) -> None:
    from pbcnf import ENCODERS

    encoders: dict[str, Any] = dict(ENCODERS)

    def count(encoder: Any, formula: Any) -> None:
        counter = encoder.count([1, 2, -3], 3, formula)
        counter.add_inputs([4, 5])
        counter.merge(encoder.count([6, 7], 3, formula))
        formula.add_clause([*counter.at_most(1), *counter.at_least(2)])

    def weigh(encoder: Any, formula: Any) -> None:
        counter = encoder.count_weighted([1, 2, -3], [3, 5, 2], formula)
        formula.add_clause(counter.at_most(6))
        counter.add_inputs([4, 5], [7, 1])
        counter.merge(encoder.count_weighted([6, 7], [2, 2], formula))
        formula.add_clause([*counter.at_most(9), *counter.at_least(4)])

    for name, encoder in encoders.items():
        for what, fill in (("counter", count), ("weighted counter", weigh)):
            record.call(f"{what}: {name}", _clauses, 8, partial(fill, encoder))


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
    from satsweeper import Position

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
        record.call(f"odds: {name}", _odds, position)
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


def _odds(position: Any) -> str:
    from satsweeper import odds

    return json.dumps(odds(position, max_width=25).as_json())


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
