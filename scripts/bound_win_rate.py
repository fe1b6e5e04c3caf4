#!/usr/bin/env python3
"""An upper bound of the share of games that any player wins, however good, with an interval.

A player who is told more wins at least as often. So the games of the bound are those of a player
who is told more, until the best play can be found by looking at all layouts.

1. The first click, and all cells that are certain then, are opened. If few layouts are left, the
   chance to win is exact. Otherwise the player guesses at a cell, and only then is told the rest.
2. A *part* is a set of unknown cells; everything outside a part is told. First all cells are one
   part. Cells that are certain are opened. If the unknown cells fall into groups without a clue in
   common, now or later, each group is a part of its own. If few layouts of a part are left, the
   chance to win the part is exact. Otherwise one unknown cell of the part is told, and again.
3. What is told makes the parts independent, so the chance to win is the product over the parts.

What is told next depends only on what the player knows. So the mean over random layouts is an
unbiased estimate of a share that no player exceeds. The guess is the one with the largest mean over
layouts that agree with the position: the largest of several estimates is too large on average, so
the bound holds. See docs/win_rates.md.

Examples: scripts/bound_win_rate.py --board 9x9/10 --games 200
  scripts/bound_win_rate.py --first-click opening --games 1000 --seed 1 --update docs/win_rates.md
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf, log, sqrt
from pathlib import Path
from random import Random
from statistics import mean, stdev
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.board.size import FORM, BoardSize
from satsweeper.play.draw import FirstClick, game_layout, usual_start
from satsweeper.play.kernel.certain import EXPLODED, STUCK, WON, open_certain
from satsweeper.play.kernel.chances import find_chances
from satsweeper.play.kernel.compiled import foresee
from satsweeper.play.kernel.exact import TOO_MANY, best_exact, worths_of_places
from satsweeper.play.kernel.grid import DONE, KNOWN_MINE, KNOWN_SAFE, UNKNOWN, ints
from satsweeper.play.kernel.tree import MINE
from satsweeper.play.scratch import Scratch, lend_scratch, numbers_of
from satsweeper.report.table import padded_table
from satsweeper.show.progress import progress
from scripts.frame import arguments as frame

Codes = NDArray[np.int8]
Floats = NDArray[np.float64]
LAYOUTS: Final = 1000
"""The most layouts of a part whose chance is computed exactly."""
EFFORT: Final = 10**6
"""The most entries of the table of layouts that the search of a part may read."""
SAMPLES: Final = 128
"""The number of layouts by which the guesses in a position are compared."""
_COMPILED: Final = 3
"""The most games for which nothing is compiled beforehand."""


class Rest(NamedTuple):
    """The chance left to win once the player is told more.

    ``chance``: to win all parts. ``safe[cell]``: the chance of a cell to be free, given what is
    told; ``first[cell]``: an upper bound of the chance that the cell is free and the game is won.
    """

    chance: float
    safe: Floats
    first: Floats


@dataclass
class Relaxation:
    """Games on a board of which the player is told more and more: see the top of this script."""

    board: BoardSize
    scratch: Scratch
    layouts: int = LAYOUTS
    effort: int = EFFORT

    def opened(self, layout: Layout, start: int) -> tuple[int, Codes]:
        """Open the first cell and all that is certain: STUCK or WON, and what is known then."""
        codes = np.full(self.board.rows * self.board.columns, UNKNOWN, np.int8)
        return self._close(numbers_of(layout), codes, start), codes

    def _close(self, numbers: Codes, codes: Codes, first: int = -1) -> int:
        """Open all certain cells."""
        scratch = self.scratch
        if first >= 0 and numbers[first] == EXPLODED:
            raise ValueError("the first cell may be a mine: a promise is needed")
        state: int = open_certain(
            scratch.grid, numbers, codes, self.board.mines, first, scratch.moves, scratch.chances
        )
        if state not in (STUCK, WON):
            raise ValueError("a region is too wide")
        return state

    def exact(self, codes: Codes) -> tuple[int, int] | None:
        """The number of layouts that the best play wins, and of all; None if there are too many.

        ``scratch.moves`` are as the count of this position left them.
        """
        scratch = self.scratch
        room, work = scratch.exact(self.layouts), scratch.moves.work
        cell, won, many = best_exact(scratch.grid, codes, self.board.mines, work, room, self.effort)
        return None if cell == TOO_MANY else (won, many)

    def rest(self, layout: Layout, codes: Codes) -> Rest:
        """Tell the player more, and return what is left to win; ``codes`` is what is known."""
        numbers = numbers_of(layout)
        truth = np.where(numbers == EXPLODED, KNOWN_MINE, numbers).astype(np.int8)
        free = numbers != EXPLODED
        safe, own = free.astype(float), np.ones(len(codes))
        chance = 1.0
        waiting = [(codes.copy(), codes == UNKNOWN)]
        while waiting:
            # ``part`` are the cells of a part; all other cells of ``known`` are as in ``truth``.
            known, part = waiting.pop()
            known[~part] = truth[~part]
            if self._close(numbers, known) == WON:
                continue
            groups = list(self._groups(known))
            if len(groups) > 1:
                waiting += [(known.copy(), group) for group in groups]
                continue
            found = self.exact(known)
            if found is None:
                told = self._next_told(known, groups[0])
                known[told] = truth[told]
                waiting.append((known, groups[0]))
                continue
            won, many = found
            table = self.scratch.exact(self.layouts).layouts
            cells = table.place_cell[: int(np.count_nonzero(known == UNKNOWN))]
            safe[cells] = np.mean(table.shows[: len(cells), :many] != MINE, axis=1)
            chance *= won / many
            own[cells] = self._worths(len(cells), won, many, safe[cells]) / won
        return Rest(chance, safe, np.where(safe > 0, chance * own, 0.0))

    def _worths(self, places: int, won: int, many: int, safe: Floats) -> Floats:
        """At most how many layouts of a part are won by whoever opens each of its cells first."""
        room, worths = self.scratch.exact(self.layouts), ints(places)
        if self.effort and worths_of_places(
            room.layouts.shows, room.tree, places, many, self.effort, worths
        ):
            return np.array(worths, float)
        return np.minimum(safe * many, won)

    def _groups(self, known: Codes) -> Iterator[NDArray[np.bool_]]:
        """The groups of unknown cells: two cells of different groups never share a clue.

        A clue may come from an open cell, or from an unknown one once it is open.
        """
        rows, columns = self.board.rows, self.board.columns
        cells = known.reshape(rows, columns)
        left = _bits(cells == UNKNOWN)
        seeing = _bits(cells != KNOWN_MINE)
        while left:
            group = new = left & -left
            while new:
                new = _spread(_spread(new, columns) & seeing, columns) & left & ~group
                group |= new
            left &= ~group
            yield _cells(group, rows, columns)

    def _next_told(self, known: Codes, group: NDArray[np.bool_]) -> int:
        """The unknown cell to be told: of the line that best cuts the group in two."""
        rows, columns = self.board.rows, self.board.columns
        cells = (group & (known == UNKNOWN)).reshape(rows, columns)
        best: tuple[float, int, int] | None = None
        for axis in (0, 1):
            on = cells.sum(axis=1 - axis)
            before = np.concatenate([[0], np.cumsum(on)])
            for line in np.flatnonzero(on).tolist():
                least = min(before[line], before[-1] - before[line + 1])
                cost = float(on[line] / (least + 0.5))
                if best is None or cost < best[0]:
                    best = cost, axis, line
        assert best is not None
        _, axis, line = best
        across = np.flatnonzero(cells[line] if axis == 0 else cells[:, line]).tolist()
        at = across[len(across) // 2]
        row, column = (line, at) if axis == 0 else (at, line)
        return int(row * columns + column)

    def another(self, codes: Codes, draw: Random) -> Layout:
        """A layout that agrees with what is known, all of them equally likely."""
        scratch, mines = self.scratch, self.board.mines
        known = codes.copy()
        near, degree = scratch.grid.near, scratch.grid.degree
        touched = [
            cell
            for cell in np.flatnonzero(codes == UNKNOWN).tolist()
            if any(codes[near[cell, i]] >= 0 for i in range(degree[cell]))
        ]
        # The cells beside a clue one by one, each with its chance given those before it.
        for cell in touched:
            done = find_chances(scratch.grid, known, mines, scratch.moves.work, scratch.chances)
            assert done == DONE
            known[cell] = KNOWN_MINE if draw.random() < scratch.chances[cell] else KNOWN_SAFE
        others = np.flatnonzero(known == UNKNOWN).tolist()
        left = mines - int(np.count_nonzero(known == KNOWN_MINE))
        known[draw.sample(others, left)] = KNOWN_MINE
        geometry = Square(self.board.rows, self.board.columns)
        bits = 0
        for cell in np.flatnonzero(known == KNOWN_MINE).tolist():
            bits |= 1 << geometry.index(divmod(cell, self.board.columns))
        return Layout(geometry, bits)


def _bits(cells: NDArray[np.bool_]) -> int:
    """Cells as the bits of a number; a further column, without cells, ends each row."""
    padded = np.pad(cells, ((0, 0), (0, 1)))
    return int.from_bytes(np.packbits(padded.reshape(-1), bitorder="little").tobytes(), "little")


def _spread(bits: int, columns: int) -> int:
    """The cells and their neighbours, and cells beyond the board."""
    rows = bits | bits << 1 | bits >> 1
    return rows | rows << (columns + 1) | rows >> (columns + 1)


def _cells(bits: int, rows: int, columns: int) -> NDArray[np.bool_]:
    size = rows * (columns + 1)
    data = np.frombuffer(bits.to_bytes(-(-size // 8), "little"), np.uint8)
    found = np.unpackbits(data, count=size, bitorder="little").astype(np.bool_)
    return found.reshape(rows, columns + 1)[:, :columns].reshape(-1)


def by_best_guess(chances: Floats, rests: Sequence[Rest]) -> float:
    """An estimate of the chance to win by the best guess, which on average is no lower.

    Args:
        chances: the chance of a mine in each unknown cell, before the guess; -1 in other cells.
        rests: what is left to win, for layouts drawn independently, given what is known: two at
            least.
    """
    n = len(rests)
    total = sum(rest.chance for rest in rests)
    # The mean of ``first`` is what counts. The second term has the mean 0, as ``safe`` has the mean
    # 1 - chance and does not depend on the other layouts. It takes out most of the noise by which
    # the cells differ, so that the largest estimate of all cells is little too large.
    values = np.zeros(len(chances))
    for rest in rests:
        values += rest.first - (total - rest.chance) / (n - 1) * (rest.safe - (1 - chances))
    # Each summand is at most 1, as ``first`` is at most ``safe``; a negative estimate becomes 0,
    # which is larger.
    return max(float(values[chances >= 0].max()) / n, 0.0)


class Value(NamedTuple):
    """Two values of a game; no player wins a larger share of games than the mean of either.

    ``told``: the chance to win if the player is told more at once; ``guess``: if the player is told
    more after the best guess.
    """

    told: float
    guess: float


def value_of(
    relaxation: Relaxation, layout: Layout, start: int, draw: Random, samples: int
) -> Value:
    """The value of a game; ``samples`` layouts decide between the guesses."""
    state, codes = relaxation.opened(layout, start)
    if state == WON:
        return Value(1.0, 1.0)
    # The chances are those of the position, as the last step of opening all that is certain.
    chances = np.where(codes == UNKNOWN, relaxation.scratch.chances, -1.0)
    found = relaxation.exact(codes)
    if found is not None:
        return Value(found[0] / found[1], found[0] / found[1])
    layouts = [layout, *(relaxation.another(codes, draw) for _ in range(samples - 1))]
    rests = [relaxation.rest(each, codes) for each in layouts]
    return Value(mean(rest.chance for rest in rests), by_best_guess(chances, rests))


# The bound: means, intervals, and a table.

_Z: Final = 1.959964
_LOG: Final = log(2 / 0.05)


class Bound(NamedTuple):
    """A bound of the share of games won: an estimate, its interval of 95 %, and a safe limit.

    ``limit`` holds with 95 % whatever the distribution of the values, which are from 0 to 1: the
    empirical Bernstein bound of A. Maurer and M. Pontil, Empirical Bernstein bounds and
    sample-variance penalization, COLT 2009, theorem 4.
    """

    games: int
    rate: float
    low: float
    high: float
    limit: float


def bound_of(values: Sequence[float]) -> Bound:
    """The bound by the values of games, two at least."""
    n, rate, spread = len(values), mean(values), stdev(values)
    half = _Z * spread / sqrt(n)
    limit = rate + spread * sqrt(2 * _LOG / n) + 7 * _LOG / (3 * (n - 1))
    return Bound(n, rate, max(rate - half, 0.0), min(rate + half, 1.0), min(limit, 1.0))


SECTION: Final = "upper bounds"
_HEADS: Final = (
    "board", "first click", "start", "the player is told more", "games",
    "no player wins more than [%]", "interval", "with certainty of 95 % at most",
)  # fmt: skip


def table(found: Sequence[dict[str, Any]]) -> str:
    """Return the table of bounds."""
    rows: list[Sequence[str]] = [_HEADS]
    for each in found:
        for key, words in (("told", "at once"), ("guess", "after a guess")):
            bound = each[key]
            low, high = (f"{100 * end:.2f}" for end in bound["interval"])
            rows.append((
                each["board"], each["first_click"], "{},{}".format(*each["start"]), words,
                f"{each['games']:,}", f"{100 * bound['rate']:.2f}", f"{low} to {high}",
                f"{100 * bound['limit']:.2f}",
            ))  # fmt: skip
    return padded_table(rows)


def main(argv: Sequence[str] | None = None) -> int:
    """Compute the bounds, and print or write the table; return the exit code."""
    arguments = _arguments(argv)
    return frame.ended("bound_win_rate", lambda: _bounds(arguments))


def _bounds(arguments: argparse.Namespace) -> int:
    frame.require_section(arguments.update, SECTION)
    board = BoardSize.parse(arguments.board)
    clicks = [FirstClick(name) for name in arguments.first_click]
    for click in clicks:
        try:
            game_layout(board, usual_start(board, click), click, arguments.seed)
        except ValueError as error:
            raise ValueError(f"board {board}: {error}") from None
    found = []
    with progress("games", len(clicks) * arguments.games) as reach:
        for at, click in enumerate(clicks):
            values = []
            for value in games_of(board, click, arguments):
                values.append(value)
                reach(at * arguments.games + len(values))
            found.append(_summary(board, click, values))
    if arguments.update is not None:
        frame.update(arguments.update, command(arguments), {SECTION: table(found)})
    if arguments.json:
        head = {"schema": "satsweeper/bound-win-rate/1", "command": command(arguments)}
        print(json.dumps(head | {"bounds": found}))
    else:
        print(table(found))
    return 0


def games_of(board: BoardSize, click: FirstClick, arguments: argparse.Namespace) -> Iterator[Value]:
    """The values of games 0, 1 and so on of a seed; those that the file holds are not made again.

    Raises:
        ValueError: a line of the file is no value of a game.
    """
    start = usual_start(board, click)
    words = f"{board} {click} seed {arguments.seed} {arguments.layouts} {arguments.samples}"
    kept = _kept(arguments.keep, words)
    foresee(inf if arguments.games > _COMPILED else 0)
    with lend_scratch(board.rows, board.columns) as scratch:
        relaxation = Relaxation(board, scratch, arguments.layouts)
        for number in range(arguments.games):
            if number not in kept:
                layout = game_layout(board, start, click, arguments.seed, number)
                index = start[0] * board.columns + start[1]
                draw = Random(f"bound {words} game {number}")
                value = value_of(relaxation, layout, index, draw, arguments.samples)
                kept[number] = value
                if arguments.keep is not None:
                    with open(arguments.keep, "a", encoding="ascii") as stream:
                        stream.write(f"{words}: {number} {value.told!r} {value.guess!r}\n")
            yield kept[number]
    foresee(0)


def _kept(path: Path | None, words: str) -> dict[int, Value]:
    """The values in a file of the games that ``words`` describe, by number; {} if there is none."""
    if path is None or not path.exists():
        return {}
    kept = {}
    *lines, torn = path.read_text("ascii").split("\n")
    if torn:
        # The last line was cut off by a kill.
        path.write_text("".join(f"{line}\n" for line in lines), "ascii")
    for at, line in enumerate(lines, start=1):
        about, _, rest = line.partition(": ")
        try:
            number, told, guess = rest.split(" ")
            if about == words:
                kept[int(number)] = Value(float(told), float(guess))
        except ValueError:
            raise ValueError(f"{path}:{at}: no value of a game") from None
    return kept


def _summary(board: BoardSize, click: FirstClick, values: Sequence[Value]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "board": str(board), "first_click": str(click), "start": list(usual_start(board, click)),
        "games": len(values),
    }  # fmt: skip
    for key in Value._fields:
        bound = bound_of([getattr(value, key) for value in values])
        row[key] = {
            "rate": bound.rate, "interval": [bound.low, bound.high], "limit": bound.limit,
        }  # fmt: skip
    return row


def command(arguments: argparse.Namespace) -> str:
    """Return the command that computes these bounds again."""
    return (
        f"python scripts/bound_win_rate.py --board {arguments.board}"
        f" --first-click {','.join(arguments.first_click)} --games {arguments.games}"
        f" --seed {arguments.seed} --layouts {arguments.layouts} --samples {arguments.samples}"
    )


def _arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = frame.parser_of(__doc__)
    add = parser.add_argument
    add("--board", metavar=FORM, default="30x16/99", help="(30x16/99)")
    add("--first-click", metavar="NAMES", type=frame.names_of(["safe", "opening"]),
        default=["safe", "opening"], help="safe, opening or both, with a comma (both)")  # fmt: skip
    add("--games", type=frame.at_least(2), default=100, help="of each first click (100)")
    add("--seed", type=int, default=1, help="draws the layouts (1)")
    add("--layouts", metavar="N", type=frame.positive, default=LAYOUTS,
        help=f"play exactly on N layouts or fewer ({LAYOUTS})")  # fmt: skip
    add("--samples", metavar="N", type=frame.at_least(2), default=SAMPLES,
        help=f"compare guesses by N layouts ({SAMPLES})")  # fmt: skip
    add("--keep", metavar="FILE", type=Path, help="add the value of each game, or go on with them")
    add("--json", action="store_true", help="print one object instead of the table")
    frame.add_update(parser)
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
