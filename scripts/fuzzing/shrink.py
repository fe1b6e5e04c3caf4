"""A smaller board on which the same check fails: lines cut off, conditions left out."""

from collections.abc import Callable, Iterator
from typing import Final

from scripts.fuzzing.positions import Case
from scripts.fuzzing.truth import MOST_CELLS
from scripts.fuzzing.wrong import WrongAnswerError

_TRIES: Final = 400


def smallest(
    case: Case, wrong: WrongAnswerError, again: Callable[[Case], WrongAnswerError | None]
) -> tuple[Case, WrongAnswerError]:
    """The last of a row of ever smaller boards that ``again`` finds wrong, and what was wrong."""
    tries = 0
    found = True
    while found:
        found = False
        for smaller in _smaller(case):
            tries += 1
            if tries > _TRIES:
                return case, wrong
            still = again(smaller)
            if still is not None:
                case, wrong, found = smaller, still, True
                break
    return case, wrong


def _smaller(case: Case) -> Iterator[Case]:
    rows = case.rows
    half, middle = len(rows) // 2, len(rows[0]) // 2
    if half > 1:
        yield _with(case, rows[half:])
        yield _with(case, rows[:half])
    if middle > 1:
        yield _with(case, tuple(row[middle:] for row in rows))
        yield _with(case, tuple(row[:middle] for row in rows))
    if len(rows) > 1:
        yield _with(case, rows[1:])
        yield _with(case, rows[:-1])
    if len(rows[0]) > 1:
        yield _with(case, tuple(row[1:] for row in rows))
        yield _with(case, tuple(row[:-1] for row in rows))
    if case.mines is not None:
        yield Case(rows, None, case.flags)
    if case.flags == "ignore":
        yield Case(rows, case.mines, "trust")
    hidden = sum(row.count("?") + row.count("F") for row in rows)
    for r, row in enumerate(rows):
        for c, symbol in enumerate(row):
            if symbol == "F":
                yield _with(case, _put(rows, r, c, "?"))
            elif symbol not in "?0":
                yield _with(case, _put(rows, r, c, "0"))
                if hidden < MOST_CELLS:
                    yield _with(case, _put(rows, r, c, str(int(symbol) - 1)))
    for r, row in enumerate(rows):
        for c, symbol in enumerate(row):
            if symbol == "?":
                yield _with(case, _put(rows, r, c, "0"))


def _with(case: Case, rows: tuple[str, ...]) -> Case:
    mines = case.mines
    if mines is not None:
        mines = min(mines, len(rows) * len(rows[0]))
    return Case(rows, mines, case.flags)


def _put(rows: tuple[str, ...], r: int, c: int, symbol: str) -> tuple[str, ...]:
    return (*rows[:r], rows[r][:c] + symbol + rows[r][c + 1 :], *rows[r + 1 :])
