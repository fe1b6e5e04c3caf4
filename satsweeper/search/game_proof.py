"""The proof of a game, written during the game; ``satsweeper.checker.game.steps`` reads the proof.

A separate proving solver receives each clue when its cell is opened, and solves a question for
every verdict of the session, whichever rule found the verdict: the opposite of a certain verdict is
refuted, and layouts show an unknown cell as a mine and as safe. The total is added only where an
answer needs the total, as a count over the cells that are undecided at that time. Counts are
totalizers with a name for every node: the proof states for each node which cells its variables
count.

Reference: Bailleux, Boufkhad: Efficient CNF Encoding of Boolean Cardinality Constraints, CP 2003.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import combinations, product
from typing import IO, Final, NamedTuple

from satsweeper.answers.classification import Classification, Status
from satsweeper.board.errors import LimitError
from satsweeper.board.facts import View
from satsweeper.board.geometry import Square
from satsweeper.board.planes import indices
from satsweeper.solvers.pysat import ProvingSolver

CONFLICTS: Final = 200_000
"""The largest number of conflicts of one question to the solver."""

Clauses = list[list[int]]


class GameLayouts:
    """The layouts shown so far, each as the set of its mines and the set of its free cells.

    A free cell is next to no clue: it may be a mine or safe, as long as the whole layout has
    ``total`` mines (any number if None). Cells are named by their variables.
    """

    def __init__(self, total: int | None) -> None:
        self._total = total
        self._kept: list[tuple[set[int], set[int]]] = []

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, mines: set[int], free: set[int]) -> None:
        """Keep a layout with ``mines`` and ``free`` cells if it can meet the total.

        The layout has to meet all clues; the caller has a model that says so.
        """
        if self._fits(mines, free):
            self._kept.append((mines, free))

    def open(self, variable: int, around: Collection[int], clue: int) -> None:
        """Drop the layouts that the opened cell ``variable`` and its ``clue`` contradict.

        ``around``: the variables of all its neighbours.
        """
        kept = []
        for mines, free in self._kept:
            # A neighbour of the clue may not stay free: its value decides whether the clue is met.
            fits = variable not in mines and free.isdisjoint(around)
            if fits and sum(v in mines for v in around) == clue:
                free = free - {variable}
                if self._fits(mines, free):
                    kept.append((mines, free))
        self._kept = kept

    def shows(self, variable: int, mine: bool) -> bool:
        """Whether a layout has the cell of ``variable`` as a mine, or as safe if not ``mine``."""
        for mines, free in self._kept:
            if variable in free:
                # ``left`` mines lie in the free cells, in any places: a free cell can be a mine if
                # at least one mine is left, and safe if fewer mines are left than free cells.
                left = None if self._total is None else self._total - len(mines)
                if left is None or (left > 0 if mine else left < len(free)):
                    return True
            elif (variable in mines) is mine:
                return True
        return False

    def _fits(self, mines: set[int], free: set[int]) -> bool:
        return self._total is None or 0 <= self._total - len(mines) <= len(free)


class TotalizerNode(NamedTuple):
    """A node whose variables ``first``, ... mean "at least 1, 2, ..., ``most`` of ``size`` cells".

    ``parts``: the first variables of the two children; empty for a leaf, which is one cell.
    """

    first: int
    most: int
    size: int
    parts: tuple[int, ...] = ()

    def between(self, low: int, high: int) -> Clauses:
        """Return unit clauses for "``low`` to ``high`` of the cells are mines".

        The empty clause if no number of mines of ``size`` cells is in the range.
        """
        if low > self.size or high < 0:
            return [[]]
        at_least = [[self.first + k - 1] for k in range(1, min(low, self.most) + 1)]
        return at_least + [[-(self.first + k - 1)] for k in range(high + 1, self.most + 1)]


class GameProof:
    """Writes the proof to a path, or to a binary stream that stays open; flushed per position.

    Raises:
        ValueError: the geometry of ``view`` is not `Square`: the proof format has no other.
    """

    def __init__(self, view: View, file: str | os.PathLike[str] | IO[bytes]) -> None:
        if not isinstance(view.geometry, Square):
            raise ValueError("a proof is of a game on squares")
        self._geometry = view.geometry
        self._files = ExitStack()
        if isinstance(file, str | os.PathLike):
            file = self._files.enter_context(open(file, "wb"))  # noqa: SIM115
        self._stream = stream = file
        self._solver = ProvingSolver()
        self._notes: list[bytes] = []
        """Comment lines of the inputs that the solver has not written yet, one for each input.

        The comment of a clause goes in front of the clause's ``i`` line; only the first clause of a
        statement has a comment that is not empty.
        """
        self._waiting: list[tuple[int, int]] = []
        """Opened cells, by board index, and their clues that are not in the solver yet."""
        self._proved: set[int] = set()
        """Literals of the cells whose verdict is proved in the file."""
        self._next = view.geometry.rows * view.geometry.columns + 1
        self._totals: set[tuple[frozenset[int], int, int]] = set()
        """Totals that the solver holds: cells, and the least and the most mines among them."""
        self._see(view)
        self._layouts = GameLayouts(view.total)
        total = "?" if view.total is None else view.total
        head = f"p lidrup\nc satsweeper game 1 {view.geometry.rows} {view.geometry.columns} {total}"
        stream.write(f"{head}\n".encode())
        size = view.geometry.size
        given = indices(view.trusted, size)
        if given:
            text = "".join(f"c mine {self._name(cell)}\n" for cell in given) + "c by open\n"
            self._input([[self._variable(cell)] for cell in given], text)
        for cell in indices(view.clues, size):
            self.open(cell, view.value(cell))
        stream.flush()

    def open(self, cell: int, clue: int) -> None:
        """Note that the cell of board index ``cell`` was opened and shows ``clue``."""
        self._waiting.append((cell, clue))

    def classify(self, view: View, answer: Classification) -> None:
        """Write the cells opened since the last call, and prove the verdicts in ``answer``.

        Raises:
            LimitError: a question takes too many conflicts. The lines written are a valid proof.
        """
        self._see(view)
        try:
            self._take()
            if answer.status is Status.INCONSISTENT:
                # First without the total; the total is added only if the clues have a layout.
                if self._ask([]):
                    self._total(self._undecided())
                    if self._ask([]):
                        raise AssertionError("an inconsistent position has a layout")
                self._write("c inconsistent\n")
            else:
                self._certain(answer)
                if answer.status is Status.CONSISTENT:
                    self._unknown()
        finally:
            self._stream.flush()

    def close(self) -> None:
        """Free the solver; close the file if it was opened here."""
        self._solver.close()
        self._files.close()

    def _take(self) -> None:
        """Add newly opened cells and their clues to the solver, and solve for a layout."""
        view, new = self._view, self._waiting
        if not (new or self._notes):
            return
        self._waiting = []
        text = "".join(f"c open {self._name(cell)} {clue}\n" for cell, clue in new) + "c by open\n"
        self._input([[-self._variable(cell)] for cell, _ in new], text)
        for cell, clue in new:
            covered = [self._variable(neighbour) for neighbour in view.hidden(cell)]
            # All prime implicates of "exactly clue of n cells are mines": among any clue + 1 cells
            # one is safe, among any n - clue + 1 cells one is a mine. With n < clue the latter sets
            # are empty, which gives the empty clause.
            clauses = [[-v for v in some] for some in combinations(covered, clue + 1)]
            most = max(len(covered) - clue + 1, 0)
            clauses += [list(some) for some in combinations(covered, most)]
            self._input(clauses, f"c by {self._name(cell)}\n")
            around = [self._variable(near) for near in view.geometry.neighbours(cell)]
            self._layouts.open(self._variable(cell), around, clue)
        self._ask([])

    def _certain(self, answer: Classification) -> None:
        geometry = self._geometry
        safe, mines = indices(answer.safe_board, geometry.size), answer.mine_board
        verdicts = [(cell, False) for cell in safe]
        verdicts += [(cell, True) for cell in indices(mines, geometry.size)]
        first: dict[bool, int] = {}
        later = []
        for cell, mine in verdicts:
            if self._literal(cell, mine) in self._proved:
                continue
            if self._variable(cell) not in self._near:
                # Interior cells are interchangeable: the first is proved after the verdicts that
                # the clues force, and each of the others follows from the first by symmetry.
                later.append((cell, mine))
            elif not self._ask([-self._literal(cell, mine)]):
                self._prove(cell, mine)
            else:
                # The clues alone do not force this verdict: it needs the total, which is counted
                # over fewer cells once all verdicts of the clues are proved.
                later.append((cell, mine))
        for cell, mine in later:
            like = first.get(mine) if self._variable(cell) not in self._near else None
            if like is not None:
                self._prove(cell, mine, like)
                # The checker derives this literal by symmetry. The solver cannot, so the literal
                # enters the solver's proof as an input.
                self._input([[self._literal(cell, mine)]], "c by proved\n")
                continue
            opposite = [-self._literal(cell, mine)]
            if self._ask(opposite):
                self._total({*self._undecided(), self._variable(cell)})
                if self._ask(opposite):
                    raise AssertionError("a certain verdict has a layout against it")
            self._prove(cell, mine)
            if self._variable(cell) not in self._near:
                first[mine] = cell

    def _unknown(self) -> None:
        """Find layouts that show every covered cell without a verdict as a mine and as safe."""
        mines = self._covered & self._proved
        safe = self._covered & {-lit for lit in self._proved}
        cells = sorted(self._covered - mines - safe)
        for wanted in (True, False):
            lacking = [v for v in cells if not self._layouts.shows(v, wanted)]
            while lacking:
                # Preferred phases, so that one model shows many lacking cells: cells of ``lacking``
                # as ``wanted``; all others, which layouts show as ``wanted``, the opposite way.
                left = set(lacking)
                near = [v for v in cells if v in self._near]
                self._solver.prefer([v if (v in left) is wanted else -v for v in near])
                first = lacking[0]
                question = [first if wanted else -first]
                if not (self._ask(question) and self._layouts.shows(first, wanted)):
                    # The model meets the clues and not the total, so it is no layout of the
                    # position: the total is added, and the question solved again.
                    self._total({*self._undecided(), first})
                    if not (self._ask(question) and self._layouts.shows(first, wanted)):
                        raise AssertionError("an unknown cell has no layout of one kind")
                lacking = [v for v in lacking[1:] if not self._layouts.shows(v, wanted)]
        # The checker wants a layout of the position: one that is still kept, or a new model.
        if not (self._layouts or (self._ask([]) and self._layouts)):
            self._total(self._undecided())
            if not (self._ask([]) and self._layouts):
                raise AssertionError("a consistent position has no layout")
        self._write(f"c classified {len(safe)} {len(mines)} {len(cells)}\n")

    def _total(self, variables: Iterable[int]) -> None:
        """Add clauses for the number of mines that the total leaves to the cells ``variables``.

        The other covered cells are proved mines, proved safe, or ``free``. The free cells hold from
        none up to all of the mines that the proved mines leave, so ``variables`` hold ``low`` to
        ``high`` mines.
        """
        view = self._view
        if view.total is None:
            raise AssertionError("a verdict needs a total that nobody knows")
        cells = frozenset(variables) or frozenset([1])
        mines = self._proved & self._covered | self._given
        # Only mines outside the counted cells are subtracted, and each free cell lowers the least
        # number by one.
        free = self._covered - mines - {-lit for lit in self._proved} - cells
        high = view.total - len(mines - cells)
        low = high - len(free)
        if (cells, low, high) in self._totals:
            return
        self._totals.add((cells, low, high))
        ordered = sorted(cells)
        top = TotalizerNode(ordered[0], 1, 1)
        # "At most high" needs the output "at least high + 1"; larger outputs are not needed.
        most = max(1, min(len(cells), high + 1))
        for top, clauses in totalizer_nodes(ordered, most, self._next):
            text = f"c count {top.first} {top.most} {' '.join(map(str, top.parts))}\n"
            text += f"c by count {top.first}\n"
            self._input(clauses, text)
            self._next = top.first + top.most
        self._input(top.between(low, high), f"c by total {top.first}\n")

    def _undecided(self) -> set[int]:
        """The variables of the cells next to a clue that have no verdict."""
        return self._near - {abs(lit) for lit in self._proved}

    def _prove(self, cell: int, mine: bool, like: int | None = None) -> None:
        self._proved.add(self._literal(cell, mine))
        by = "" if like is None else f" {self._name(like)}"
        self._write(f"c proved {self._name(cell)} {'mine' if mine else 'safe'}{by}\n")

    def _ask(self, assumptions: list[int]) -> bool:
        """Whether there is a model; its layout is kept if it fits the total."""
        model = self._solver.solve(assumptions, CONFLICTS)
        # The solver's lines are copied; each input line goes after the comment that explains it.
        lines = []
        notes = iter(self._notes)
        for line in self._solver.written().splitlines(keepends=True):
            if line.startswith(b"i "):
                lines.append(next(notes))
            # After UNKNOWN the solver writes an ``e`` line, which LIDRUP does not have.
            if not line.startswith(b"e "):
                lines.append(line)
        self._notes = list(notes)
        self._stream.write(b"".join(lines))
        if model is None:
            raise LimitError(f"a question of the proof takes more than {CONFLICTS} conflicts")
        if not isinstance(model, list):
            return False
        # Cells that no clue counts stay free in the layout: the model's value is arbitrary there.
        mines = {lit for lit in model if lit in self._near}
        safe = {-lit for lit in model if -lit in self._near}
        self._layouts.add(mines | self._given, self._covered - mines - safe)
        return True

    def _see(self, view: View) -> None:
        """Set the position, and its covered, trusted and frontier cells as variables."""
        size = view.geometry.size
        self._view = view
        self._covered = {self._variable(cell) for cell in indices(view.covered, size)}
        self._given = {self._variable(cell) for cell in indices(view.trusted, size)}
        near = view.geometry.spread(view.clues) & view.covered
        self._near = {self._variable(cell) for cell in indices(near, size)}

    def _input(self, clauses: Clauses, note: str) -> None:
        """Add ``clauses`` to the solver; ``note`` is the comment in front of the first clause."""
        self._notes += [note.encode() if not at else b"" for at in range(len(clauses))]
        for clause in clauses:
            self._solver.add_clause(clause)

    def _write(self, text: str) -> None:
        self._stream.write(text.encode())

    def _literal(self, cell: int, mine: bool) -> int:
        return self._variable(cell) if mine else -self._variable(cell)

    def _variable(self, index: int) -> int:
        row, column = self._geometry.cell(index)
        return row * self._geometry.columns + column + 1

    def _name(self, index: int) -> str:
        row, column = self._geometry.cell(index)
        return f"{row} {column}"


def totalizer_nodes(
    cells: Sequence[int], most: int, first: int
) -> Iterator[tuple[TotalizerNode, Clauses]]:
    """Yield the nodes of a totalizer from the leaves up, with their clauses; none for one cell.

    Args:
        cells: variables, at least one.
        most: the largest number k for which a node gets an output "at least k cells are true".
        first: the first unused variable.
    """
    level = [TotalizerNode(cell, 1, 1) for cell in cells]
    while len(level) > 1:
        above = level[: len(level) % 2]
        for a, b in zip(level[len(above) :: 2], level[len(above) + 1 :: 2], strict=True):
            size = a.size + b.size
            node = TotalizerNode(first, min(size, most), size, (a.first, b.first))
            first += node.most
            clauses = []
            for i, j in product(range(a.most + 1), range(b.most + 1)):
                both = [part.first + k - 1 for part, k in ((a, i), (b, j)) if k]
                if both:
                    # At least i true cells in one child and j in the other: at least i + j here.
                    clauses.append([*(-v for v in both), node.first + min(i + j, node.most) - 1])
                # Fewer than i + 1 true cells in one child and fewer than j + 1 in the other: fewer
                # than i + j + 1 here. A child with more cells than outputs has no output for
                # "at least most + 1", so that no clause is possible at its end.
                ends = (i == a.most < a.size) or (j == b.most < b.size)
                if i + j < node.most and not ends:
                    more = [p.first + k for p, k in ((a, i), (b, j)) if k < p.size]
                    clauses.append([*more, -(node.first + i + j)])
            yield node, clauses
            above.append(node)
        level = above
