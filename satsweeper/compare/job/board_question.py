"""A board's questions: its layouts, and its total alone.

Variables are the cells of the frontier (covered, next to a clue), row by row. With a total and I
interior cells one more variable stands for an interior cell: as all of them are alike, the frontier
and it hold between M - (I - 1) and M of the M mines. Where that always holds, the total says
nothing and is left out. No rule and no table decides anything before: it is the encodings that are
compared. Flags are mines.
"""

from collections.abc import Collection
from random import Random

from pbcnf.constraints.constraint import Cardinality
from pbcnf.wording import counted
from satsweeper.board.codes import COVERED, FLAG
from satsweeper.board.facts import Window, WrongModelError
from satsweeper.clues import constraints_of
from satsweeper.compare.job.question import Question
from satsweeper.position import Position


def layout_question(position: Position) -> Question:
    """Every clue, and the total if it is known."""
    board = constraints_of(position)
    clues = [said for said in board.sums() if said.clue is not None]
    near = sorted({v for said in clues for v in said.variables})
    number = dict(zip(near, range(1, len(near) + 1), strict=True))
    cells = board.cell_list()
    frontier = [cells[v - 1] for v in near]
    interior = [cell for v, cell in enumerate(cells, start=1) if v not in number]
    mines, n = board.total, len(near)
    constraints = tuple(
        Cardinality([number[v] for v in said.variables], said.mines, said.mines) for said in clues
    )
    total, others = None, max(len(interior) - 1, 0)
    if mines is not None and not (interior and mines - others <= 0 and mines > n):
        n += bool(interior)
        total = Cardinality(range(1, n + 1), mines - others, mines)
    alone = n > len(near)
    index = position.geometry.index
    places = [index(cell) for cell in frontier]
    geometry, _, shown, values, _, trusted, _, _ = position.view()
    window = Window(geometry, 0, geometry.size, shown, values, trusted)

    def check(model: list[int]) -> None:
        held = [place for place, lit in zip(places, model, strict=False) if lit > 0]
        window.check(held)
        if mines is None:
            return
        here = int(alone and len(model) >= n and model[n - 1] > 0)
        if not 0 <= mines - len(held) - here <= others:
            inner = counted(len(interior), "cell")
            raise WrongModelError(
                f"a model has {counted(len(held), 'mine')} in the frontier and {here} in a cell of"
                f" the interior: with {inner} there, the total is not {mines}"
            )

    def grid(literals: Collection[int]) -> str:
        codes = [[_CODES[code] for code in row] for row in position.cells.tolist()]
        for v, cell in enumerate(frontier, start=1):
            _mark(codes, cell, v, literals)
        for cell in interior:
            _mark(codes, cell, n, literals if alone else ())
        return "\n".join("".join(row) for row in codes)

    return Question(n, constraints, total, check=check, grid=grid)


def total_question(position: Position, seed: str) -> Question:
    """The total over all covered cells, and nothing else: exactly M of n.

    A third of the cells, drawn from ``seed``, is assumed: mines in proportion, the others safe, so
    that there is a model wherever the total fits the board.

    Raises:
        ValueError: the total is not known.
    """
    board = constraints_of(position)
    mines, n = board.total, len(board.cells)
    if mines is None:
        raise ValueError("the total is not known: there is no constraint to ask about")
    third = Random(f"cells of the total {seed}").sample(range(1, n + 1), n // 3)
    share = min(max(round(mines * len(third) / n), 0), len(third)) if n else 0
    assumed = [v if place < share else -v for place, v in enumerate(third)]

    def check(model: list[int]) -> None:
        held = sum(lit > 0 for lit in model[:n])
        if held != mines:
            raise WrongModelError(
                f"a model has {counted(held, 'mine')} in {counted(n, 'cell')}, not {mines}"
            )
        if any((model[abs(lit) - 1] > 0) != (lit > 0) for lit in assumed if abs(lit) <= len(model)):
            raise WrongModelError("a model does not hold the assumptions")

    total = Cardinality(range(1, n + 1), mines, mines)
    return Question(n, total=total, assumptions=tuple(assumed), check=check)


_CODES = {**{clue: str(clue) for clue in range(9)}, COVERED: "?", FLAG: "F"}


def _mark(
    codes: list[list[str]], cell: tuple[int, ...], variable: int, literals: Collection[int]
) -> None:
    if variable in literals:
        codes[cell[0]][cell[1]] = "M"
    elif -variable in literals:
        codes[cell[0]][cell[1]] = "S"
