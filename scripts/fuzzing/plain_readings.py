"""Rules read plainly off many layouts at once, without our packages.

Layouts are the rows of an array of mines, one column a cell. A reading is a truth table as one
integer: bit i tells whether layout i meets a condition, so that ``&`` joins conditions.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from itertools import combinations, permutations, product
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt

from scripts.fuzzing.plain_shapes import Shape

Column: TypeAlias = Any
"""An array with a value for each layout."""


def every_layout(capacity: Sequence[int]) -> npt.NDArray[np.uint8]:
    """Return all layouts, one a row; ``capacity``: the most mines of each cell."""
    found = np.zeros((1, 0), np.uint8)
    for most in capacity:
        count = len(found)
        found = np.hstack(
            (
                np.tile(found, (most + 1, 1)),
                np.repeat(np.arange(most + 1, dtype=np.uint8), count)[:, None],
            )
        )
    return found


def table(column: Column) -> int:
    """Return truth values as the bits of an integer."""
    return int.from_bytes(np.packbits(column, bitorder="little").tobytes(), "little")


class Readings:
    """Truth tables and values of rules over some layouts of a shape.

    Args:
        shape: the cells and who is near whom.
        layouts: the number of mines in each cell, a layout a row.
        dyed: the dyed cells.
        weights: the weight of a mine, by cell; 1 for other cells.
    """

    def __init__(
        self,
        shape: Shape,
        layouts: npt.NDArray[np.uint8],
        dyed: frozenset[int],
        weights: Mapping[int, int],
    ) -> None:
        self.shape = shape
        self.layouts = layouts
        self.dyed = dyed
        self.everything = (1 << len(layouts)) - 1
        self._weights = weights
        self._mine = layouts > 0
        self._kept: dict[Any, Any] = {}
        n = len(shape.cells)
        # Layouts as sets of cells: bit c of a number is cell c.
        self._sets = self._mine.astype(np.int64) @ (1 << np.arange(n, dtype=np.int64))

    def mine(self, cell: int) -> int:
        """Return the table of "there is a mine"."""
        return self._table(("mine", cell), lambda: self._mine[:, cell])

    def total(self, mines: int) -> int:
        """Return the table of a number of mines."""
        return self.sum_of(range(len(self.shape.cells)), mines)

    def sum_of(self, cells: Iterable[int], mines: int) -> int:
        """Return the table of a number of mines in ``cells``."""
        cells = tuple(cells)
        sums = self._column(("sum", cells), lambda: self._plain(cells))
        return self._table(("sum", cells, mines), lambda: sums == mines)

    def region(self, cells: Sequence[int], mines: int, arranged: str) -> int:
        """Return the table of a region: its mines, which may be consecutive, or not all so."""
        found = self.sum_of(cells, mines)
        if not arranged:
            return found
        runs = np.zeros(len(self.layouts), int)
        before = np.zeros(len(self.layouts), bool)
        for cell in cells:
            runs += self._mine[:, cell] & ~before
            before = self._mine[:, cell]
        return found & table(runs <= 1 if arranged == "together" else runs != 1)

    def layout(self, letters: str, test: Callable[["Readings"], Column]) -> int:
        """Return the table of a rule of layouts, which ``test`` reads."""
        return self._table(("rule", letters), lambda: test(self))

    def clue(self, letters: str, cell: int, text: str) -> int:
        """Return the table of "the cell may show ``text``" under rules of clues."""
        number = _number(letters, text)
        return self._table(
            ("clue", letters, cell, number),
            lambda: np.any([each == number for each in self._shown(letters, cell)], axis=0),
        )

    def texts(self, letters: str, cell: int, number: int) -> list[str]:
        """Return the texts that ``cell`` may show in the layout ``number`` under rules of clues."""
        shown = sorted({int(each[number]) for each in self._shown(letters, cell)})
        texts = [_text(letters, each) for each in shown if each >= 0]
        return [text for text in texts if text.isdigit()]

    # Clues that depend on one another.

    def together(self, letters: str, clues: Mapping[int, str], with_rule: bool) -> int:
        """Return the table of 2I, 2E or 2L for ``clues``; with the rule itself or without."""
        if letters == "2L":
            return self._one_liar(clues, with_rule)
        if not with_rule:
            return self.everything
        if letters == "2I":
            found = 0
            for direction in range(8):
                each = self.everything
                for cell, text in clues.items():
                    each &= self._without(cell, direction, int(text))
                found |= each
            return found
        found = self.everything
        for cell in clues:
            found &= self._table(("few", cell), lambda c=cell: self._around(c) <= 8)  # type: ignore[misc]
        for one, other in combinations(clues, 2):
            equal = self._table(
                ("equal", one, other),
                lambda a=one, b=other: self._around(a) == self._around(b),  # type: ignore[misc]
            )
            found &= equal if clues[one] == clues[other] else self.everything & ~equal
        return found

    def _one_liar(self, clues: Mapping[int, str], with_rule: bool) -> int:
        rows, columns = self.shape.size

        def off(cell: int, far: int) -> int:
            wanted = int(clues[cell])
            return self._table(
                ("off", cell, wanted, far), lambda: np.abs(self._around(cell) - wanted) == far
            )

        if not with_rule:
            found = self.everything
            for cell in clues:
                found &= off(cell, 0) | off(cell, 1)
            return found
        if rows != columns:
            return 0
        found = 0
        for order in permutations(range(columns)):
            wrong = {row * columns + column for row, column in enumerate(order)}
            each = self.everything
            for cell in wrong:
                each &= ~self.mine(cell)
            for cell in clues:
                each &= off(cell, int(cell in wrong))
            found |= each
        return found

    def _without(self, cell: int, direction: int, shown: int) -> int:
        def column() -> Column:
            circle = self.shape.circle
            assert circle is not None
            ring = [c for place, c in enumerate(circle[cell]) if place != direction]
            return self._plain([c for c in ring if c is not None]) == shown

        return self._table(("without", cell, direction, shown), column)

    def _around(self, cell: int) -> Column:
        return self._column(("around", cell), lambda: self._plain(self.shape.near[cell]))

    # Numbers of clues.

    def _shown(self, letters: str, cell: int) -> list[Column]:
        """Return the numbers that a cell may show in each layout, -1 for none.

        Lists of numbers, as under W and 2X, are digits to the base 16 of one number.
        """
        found: list[Column] = self._column(
            ("shown", letters, cell), lambda: self._numbers(letters.split(), cell)
        )
        return found

    def _numbers(self, words: Sequence[str], cell: int) -> list[Column]:
        counted = self.counted(words, cell)
        weights = {c: self._weights.get(c, 1) for c in counted}
        if "M" in words:
            weights = {c: w * (2 if c in self.dyed else 1) for c, w in weights.items()}
        odd = self._weighted({c: w for c, w in weights.items() if c in self.dyed})
        even = self._weighted({c: w for c, w in weights.items() if c not in self.dyed})
        if "2X'" in words:
            return [odd, even]
        if "2X" in words:
            # Numbers above 9 have no digit: 15 is none of those that are shown, either.
            pair = np.minimum(np.sort((odd, even), axis=0), 15)
            return [16 * pair[0] + pair[1]]
        measures: dict[str, Callable[[int], Column]] = {
            "W": lambda cell: self._of_circle(cell, _joined),
            "P": lambda cell: self._of_circle(cell, len),
            "E": self._seen,
            "2A": self._area,
            "2P": self._product,
            "2Q": self._directions,
            "N": lambda _: abs(odd - even),
        }
        measured = [word for word in words if word in measures]
        found = measures[measured[0]](cell) if measured else odd + even
        if "2M" in words:
            found = found % 3
        return [found - 1, found + 1] if "L" in words else [found]

    def counted(self, words: Sequence[str], cell: int) -> Sequence[int]:
        """Return the cells that a clue counts under rules, each once."""
        shape = self.shape
        tests: dict[str, Callable[[int, int], bool]] = {
            "X": lambda i, j: 0 in (i, j) and abs(i + j) in (1, 2),
            "X'": lambda i, j: abs(i) + abs(j) == 1,
            "K": lambda i, j: abs(i * j) == 2,
            "2D": lambda i, j: abs(i + 1) <= 1 and abs(j) <= 1,
            "2K": lambda i, j: abs(i) + abs(j) == 1 or (i == -1 and abs(j) == 1),
        }
        named = [word for word in words if word in tests]
        if not named:
            return shape.near[cell]
        rows, columns = shape.size
        r, c = divmod(cell, columns)
        found = set()
        for i, j in product(range(-2, 3), repeat=2):
            if tests[named[0]](i, j):
                down, right = r + i, c + j
                if shape.wraps:
                    down, right = down % rows, right % columns
                if 0 <= down < rows and 0 <= right < columns:
                    found.add(down * columns + right)
        return sorted(found - {cell})

    def _of_circle(self, cell: int, of: Callable[[list[int]], int]) -> Column:
        """Return a number that depends on the lengths of the runs of mines around a cell."""
        assert self.shape.circle is not None
        circle = self.shape.circle[cell]
        places = [place for place, near in enumerate(circle) if near is not None]
        bits = self._mine[:, [near for near in circle if near is not None]] @ (
            1 << np.array(places, np.int64)
        )
        every = [of(runs(each, len(circle))) for each in range(1 << len(circle))]
        return np.array(every)[bits]

    def _rays(self, cell: int, directions: int) -> list[list[int]]:
        rows, columns = self.shape.size
        r, c = divmod(cell, columns)
        found = []
        for i, j in product((-1, 0, 1), repeat=2):
            if (i, j) == (0, 0) or (directions == 4 and i * j):
                continue
            ray, down, right = list[int](), r + i, c + j
            while True:
                if self.shape.wraps:
                    down, right = down % rows, right % columns
                if not (0 <= down < rows and 0 <= right < columns) or (down, right) == (r, c):
                    break
                ray.append(down * columns + right)
                down, right = down + i, right + j
            found.append(ray)
        return found

    def _seen(self, cell: int) -> Column:
        found = np.ones(len(self.layouts), int)
        for ray in self._rays(cell, 4):
            clear = np.ones(len(self.layouts), bool)
            for each in ray:
                clear = clear & ~self._mine[:, each]
                found += clear
        return found

    def _directions(self, cell: int) -> Column:
        found = np.zeros(len(self.layouts), int)
        for ray in self._rays(cell, 8):
            found += self._mine[:, ray].any(axis=1)
        return found

    def _product(self, cell: int) -> Column:
        rows, columns = self.shape.size
        r, c = divmod(cell, columns)
        far = []
        for other in range(rows * columns):
            i, j = abs(other // columns - r), abs(other % columns - c)
            if self.shape.wraps:
                i, j = min(i, rows - i), min(j, columns - j)
            far.append(i * i + j * j)
        nowhere = 10**4
        distances = np.where(self._mine, np.array(far), nowhere)
        distances[:, cell] = nowhere
        if distances.shape[1] < 2:
            return np.full(len(self.layouts), -1)
        two = np.sort(distances, axis=1)[:, :2]
        return np.where(two[:, 1] == nowhere, -1, two[:, 0] * two[:, 1])

    def _area(self, cell: int) -> Column:
        found = np.zeros(len(self.layouts), np.int64)
        for near in self.shape.beside[cell]:
            found |= self.group(near)
        return np.bitwise_count(found).astype(int)

    def group(self, cell: int) -> npt.NDArray[np.int64]:
        """Return the set of mines that hang together with the mine in ``cell`` by edges."""
        kept: npt.NDArray[np.int64] = self._column(
            ("group", cell),
            lambda: self.flood(self._sets & (1 << cell), self._sets, self.shape.beside),
        )
        return kept

    @staticmethod
    def flood(
        start: npt.NDArray[np.int64], within: npt.NDArray[np.int64], near: Sequence[Sequence[int]]
    ) -> npt.NDArray[np.int64]:
        """Return the sets reached from ``start`` by steps to neighbours ``within`` a set."""
        masks = [sum(1 << other for other in each) for each in near]
        found = start
        while True:
            grown = found.copy()
            for cell, mask in enumerate(masks):
                grown |= np.where(found >> cell & 1, mask, 0)
            grown &= within
            if (grown == found).all():
                return found
            found = grown

    def connected(self, sets: npt.NDArray[np.int64], near: Sequence[Sequence[int]]) -> Column:
        """Return whether each set is connected; the empty one is."""
        return self.flood(sets & -sets, sets, near) == sets

    @property
    def sets(self) -> npt.NDArray[np.int64]:
        """The sets of mines."""
        return self._sets

    @property
    def free(self) -> npt.NDArray[np.int64]:
        """The sets of safe cells."""
        return ~self._sets & ((1 << len(self.shape.cells)) - 1)

    @cached_property
    def degrees(self) -> npt.NDArray[np.int64]:
        """The number of mines beside each cell, a column a cell."""
        columns = [self._mine[:, list(near)].sum(axis=1) for near in self.shape.beside]
        return np.stack(columns, axis=1)

    @property
    def mines(self) -> npt.NDArray[np.bool_]:
        """Whether each cell is a mine, a column a cell."""
        return self._mine

    def _plain(self, cells: Iterable[int]) -> Column:
        return self._weighted(dict.fromkeys(cells, 1))

    def _weighted(self, weights: Mapping[int, int]) -> Column:
        found = np.zeros(len(self.layouts), int)
        for cell, weight in weights.items():
            found += weight * self.layouts[:, cell].astype(int)
        return found

    def _table(self, key: Any, column: Callable[[], Column]) -> int:
        if ("table", key) not in self._kept:
            self._kept["table", key] = table(column())
        found: int = self._kept["table", key]
        return found

    def _column(self, key: Any, column: Callable[[], Any]) -> Any:
        if key not in self._kept:
            self._kept[key] = column()
        return self._kept[key]


def _joined(digits: Sequence[int]) -> int:
    """Return ascending numbers as digits to the base 16."""
    return int("".join(f"{digit:x}" for digit in digits) or "0", 16)


def _number(letters: str, text: str) -> int:
    """Return the number that a text is; the digits of lists are in any order."""
    if {"W", "2X"} & {*letters.split()}:
        return _joined(sorted(map(int, text)))
    return int(text)


def _text(letters: str, number: int) -> str:
    """Return the text that shows a number; there is none if it has letters."""
    words = letters.split()
    return f"{number:02x}" if "2X" in words else f"{number:x}" if "W" in words else str(number)


@cache
def runs(bits: int, length: int) -> list[int]:
    """Return the lengths of the runs of ones in a circle of ``length`` bits, ascending."""
    word = "".join("x" if bits >> i & 1 else " " for i in range(length))
    if " " not in word:
        return [length]
    start = word.index(" ")
    return sorted(map(len, (word[start:] + word[:start]).split()))


CLUES: Final = (
    "V", "M", "L", "W", "N", "X", "P", "E", "X'", "K", "2X", "2X'", "2D", "2M", "2A", "2P", "2Q",
    "2K", "2I", "2E", "2L",
)  # fmt: skip
"""Letters of rules of clues."""
PAIRS: Final = (
    "M X", "N X", "M N", "L M", "L X", "L P", "2M M", "2X X", "2M 2K", "K M", "L V", "E L", "2A 2M",
    "2X' X'", "2D N", "2M N", "2M P", "2K L", "2X K", "2M X'",
)  # fmt: skip
"""Rules of clues two by two."""
TOGETHER: Final = ("2I", "2E", "2L")
"""Rules of clues that depend on one another."""
