"""All layouts of a small board of squares, read by the plain rules: counts and random boards."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache, cached_property
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from tests.puzzle import plain_rules
from tests.puzzle.plain_rules import Cell

Clues = dict[Cell, str]
Truths = NDArray[np.bool_]
"""For each layout, by number, whether something is true."""


class LayoutTable:
    """The layouts of a board of ``rows`` x ``columns`` under ``rules``; bit i of a number: cell i.

    ``rules``: letters of layout rules, and of one or two rules of clues.
    """

    def __init__(self, rows: int, columns: int, rules: str) -> None:
        self.rows, self.columns, self.rules = rows, columns, rules
        self.cells = plain_rules.cells(rows, columns)
        self.size = len(self.cells)
        self.numbers = np.arange(1 << self.size)
        letters = rules.split()
        self.laws = [plain_rules.LAYOUTS[each] for each in letters if each in plain_rules.LAYOUTS]
        clues = [each for each in letters if each not in plain_rules.LAYOUTS]
        known = {frozenset(pair.split()): pair for pair in plain_rules.PAIRS}
        self.kind = known.get(frozenset(clues), " ".join(clues) or "V")

    @cached_property
    def layouts(self) -> list[plain_rules.Mines]:
        return list(plain_rules.layouts(self.rows, self.columns))

    @cached_property
    def lawful(self) -> Truths:
        """Whether a layout obeys the rules of layouts."""
        found = [
            all(law(each, self.rows, self.columns) for law in self.laws) for each in self.layouts
        ]
        return np.array(found)

    @cached_property
    def mines(self) -> NDArray[np.int64]:
        """The number of mines of each layout."""
        return np.array([number.bit_count() for number in range(1 << self.size)])

    def mine(self, cell: Cell) -> Truths:
        """Whether there is a mine in ``cell``."""
        return np.asarray(self.numbers >> self.cells.index(cell) & 1 == 1)

    @cache  # noqa: B019 - a table lives as long as the tests
    def shown(self, cell: Cell) -> dict[str, Truths]:
        """For each text whether ``cell`` may show it."""
        found: dict[str, Truths] = {}
        if self.kind == "V":
            return {str(count): self.counts(cell) == count for count in range(9)}
        for number, mines in enumerate(self.layouts):
            for text in plain_rules.shown(self.kind, cell, mines, self.rows, self.columns):
                found.setdefault(text, np.zeros(1 << self.size, bool))[number] = True
        return found

    @cache  # noqa: B019 - a table lives as long as the tests
    def counts(self, cell: Cell, spared: int = 8) -> NDArray[np.int64]:
        """The mines around ``cell``, without the direction number ``spared`` of the eight."""
        ring = plain_rules.steps(cell, plain_rules.AROUND)
        near = [each for place, each in enumerate(ring) if each in self.cells and place != spared]
        return np.array(sum([self.mine(each).astype(int) for each in near], 0 * self.numbers))

    def together(self, clues: Clues) -> Truths:
        """Whether clues that depend on one another are right."""
        ok = np.zeros(1 << self.size, bool)
        if self.kind == "2I":
            for spared in range(8):
                ok |= np.all([self.counts(c, spared) == int(t) for c, t in clues.items()], 0)
            return ok
        if self.kind == "2E":
            ok |= True
            for one, text in clues.items():
                for other, second in clues.items():
                    ok &= (self.counts(one) == self.counts(other)) == (text == second)
            return ok
        for wrong in self._wrong():
            fits = ~np.any([self.mine(cell) for cell in wrong], 0)
            for cell, text in clues.items():
                fits &= abs(self.counts(cell) - int(text)) == (cell in wrong)
            ok |= fits
        return ok

    def _wrong(self) -> Iterator[set[Cell]]:
        """The sets of cells with one in each row and column."""
        if self.rows == self.columns:
            for chosen in permutations(range(self.columns)):
                yield set(enumerate(chosen))

    def accepted(self, clues: Clues, flags: set[Cell], opened: set[Cell], total: int | None) -> Truths:  # fmt: skip # noqa: E501
        """Whether a layout is one of a board."""
        ok = self.lawful.copy()
        if total is not None:
            ok &= self.mines == total
        for cell in (*clues, *opened):
            ok &= ~self.mine(cell)
        for cell in flags:
            ok &= self.mine(cell)
        if self.kind in ("2I", "2E", "2L"):
            return ok & self.together(clues)
        for cell, text in clues.items():
            ok &= self.shown(cell).get(text, np.zeros(1 << self.size, bool))
        return ok

    def random_clues(self, rng: random.Random, share: float) -> tuple[int, Clues]:
        """A lawful layout, and clues on some of its safe cells, as a rule: they may be wrong."""
        number = int(rng.choice(np.flatnonzero(self.lawful)))
        safe = [cell for place, cell in enumerate(self.cells) if not number >> place & 1]
        chosen = [cell for cell in safe if rng.random() < share]
        spared = rng.randrange(8)
        # F is a flag and H a covered cell; few cells have so many mines around them.
        letters = [*rng.sample("ABCDEGI", 7), "A", "B"]
        liars = [wrong for wrong in self._wrong() if wrong <= {*safe}] or [set()]
        wrong = rng.choice(liars)
        clues = {}
        for cell in chosen:
            count = int(self.counts(cell)[number])
            match self.kind:
                case "2I":
                    clues[cell] = str(int(self.counts(cell, spared)[number]))
                case "2E":
                    clues[cell] = letters[count]
                case "2L":
                    off = rng.choice((-1, 1)) if cell in wrong else 0
                    clues[cell] = str(count + off if count + off >= 0 else 1)
                case _:
                    texts = [text for text, ok in self.shown(cell).items() if ok[number]]
                    if texts:
                        clues[cell] = rng.choice(sorted(texts))
        if clues and rng.random() < 0.1 and self.kind != "2E":
            cell = rng.choice(sorted(clues))
            values = sorted({*clues.values()} if self.kind == "2I" else self.shown_texts(cell))
            clues[cell] = rng.choice(values)
        return number, clues

    def shown_texts(self, cell: Cell) -> set[str]:
        return {str(n) for n in range(9)} if self.kind == "2L" else {*self.shown(cell)}


def board_text(rules: str, rows: int, columns: int, clues: Clues, flags: set[Cell], total: int | None) -> str:  # fmt: skip # noqa: E501
    """The text of a board, without opened cells."""
    cells = [
        [clues.get((r, c), "!" if (r, c) in flags else "?") for c in range(columns)]
        for r in range(rows)
    ]
    head = f"rules: {rules}\nmines: {'?' if total is None else total}\n"
    return head + "".join(" ".join(row) + "\n" for row in cells)


def weighed(ok: Truths, mines: NDArray[np.int64], density: Fraction, size: int) -> Fraction:
    """The sum over the accepted layouts of their chance; ``size``: the covered cells."""
    held = np.bincount(mines[ok], minlength=size + 1).tolist()
    return sum(
        (n * density**k * (1 - density) ** (size - k) for k, n in enumerate(held)), Fraction(0)
    )
