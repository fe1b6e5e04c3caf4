"""What a game's proof has said of its board so far; sets of cells are bit boards, cell by row."""

from __future__ import annotations

from satsweeper.checker.game.layouts import Layouts


class GameBoard:
    """Opened cells, given mines, verdicts proved, and the layouts shown.

    ``refuted`` are the cores of at most one assumption.
    """

    def __init__(self, rows: int, columns: int, total: int | None) -> None:
        self.rows, self.columns, self.total = rows, columns, total
        self.size = rows * columns
        self.opened = self.given = self.safe = self.mines = self.zeros = 0
        self.clues: dict[int, int] = {}
        self.refuted: set[tuple[int, ...]] = set()
        self.layouts = Layouts(total)
        self.inconsistent = False
        self.near = 0
        """Cells next to an opened one."""
        self._guesses = 0
        self._batch: list[int] = []
        """Cells opened since anything was proved, neither proved to be safe nor next to a 0."""
        self._around: dict[int, int] = {}

    @property
    def covered(self) -> int:
        """The cells that get a verdict."""
        return (1 << self.size) - 1 & ~(self.opened | self.given)

    @property
    def verdicts(self) -> tuple[int, int]:
        """The covered cells that are proved to be safe, and to be mines."""
        return self.safe & self.covered, self.mines & self.covered

    def around(self, cell: int) -> int:
        """The neighbours of a cell."""
        found = self._around.get(cell)
        if found is None:
            row, column = divmod(cell, self.columns)
            found = 0
            for r in range(max(row - 1, 0), min(row + 2, self.rows)):
                for c in range(max(column - 1, 0), min(column + 2, self.columns)):
                    found |= 1 << r * self.columns + c
            found = self._around[cell] = found & ~(1 << cell)
        return found

    def open(self, cell: int, clue: int) -> None:
        """A cell is open and shows a clue."""
        bit, around = 1 << cell, self.around(cell)
        self.opened |= bit
        self.clues[cell] = clue
        self.near |= around
        self.layouts.open(bit, around, clue)
        if not self.safe & bit:
            self._batch.append(cell)
        if clue == 0:
            self.zeros |= bit
        self.safe &= ~bit
        self.mines &= ~bit

    def put(self, cell: int) -> None:
        """A cell is taken for a mine."""
        self._count_guesses()
        self.given |= 1 << cell
        self.safe &= ~self.given
        self.mines &= ~self.given
        self.layouts.put(1 << cell)

    def prove(self, cell: int, mine: bool) -> None:
        """A verdict."""
        self._count_guesses()
        if mine:
            self.mines |= 1 << cell
        else:
            self.safe |= 1 << cell

    def alike(self, one: int, other: int) -> bool:
        """Whether both cells are covered, and no clue counts them."""
        pair = 1 << one | 1 << other
        return not pair & (self.near | self.opened | self.given)

    def clue_list(self) -> list[tuple[int, int, int]]:
        """For each clue its cell, its neighbours, its number."""
        return [(1 << cell, self.around(cell), clue) for cell, clue in self.clues.items()]

    def counted_guesses(self) -> int:
        """Opened cells for which nothing before spoke."""
        self._count_guesses()
        return self._guesses

    def text(self, *, verdicts: bool) -> tuple[str, ...]:
        """The board as rows, covered cells as ``?`` or with their verdicts."""
        cells = []
        for cell in range(self.size):
            bit = 1 << cell
            if bit & self.opened:
                cells.append(str(self.clues[cell]))
            elif bit & self.given:
                cells.append("F")
            elif verdicts and bit & (self.safe | self.mines):
                cells.append("S" if bit & self.safe else "M")
            else:
                cells.append("?")
        text = "".join(cells)
        return tuple(text[at : at + self.columns] for at in range(0, self.size, self.columns))

    def _count_guesses(self) -> None:
        """The fewest clicks that open a batch: one for each area of zeros, and the rest."""
        waiting, self._batch = self._batch, []
        if not waiting:
            return
        new = sum(1 << cell for cell in waiting)
        # Zeros that were known to be safe, or were open before, speak for their neighbours.
        done = self.opened & ~new
        queue = _cells(self.zeros & done)
        order = iter(sorted(waiting, key=lambda cell: not self.zeros >> cell & 1))
        while True:
            while queue:
                fresh = self.around(queue.pop()) & new & ~done
                done |= fresh
                queue += _cells(fresh & self.zeros)
            guess = next((cell for cell in order if not done >> cell & 1), None)
            if guess is None:
                return
            self._guesses += 1
            done |= 1 << guess
            if self.zeros >> guess & 1:
                queue.append(guess)


def _cells(board: int) -> list[int]:
    found = []
    while board:
        low = board & -board
        found.append(low.bit_length() - 1)
        board ^= low
    return found
