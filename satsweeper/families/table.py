"""Families of instances, and the table of them: a size and a seed name an instance of each.

The row of a family has a function that makes its instances, their answer, and the argument for it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, Final, Literal

from pbcnf.constraints.problem import Problem
from satsweeper.board.codes import Cell
from satsweeper.families.chessboard import (
    checkerboard,
    chessboard_with_private_cells,
    mutilated_chessboard,
    parity_lattice,
)
from satsweeper.families.lattice import (
    around_hole,
    drawn_zeros,
    hall,
    hall_with_slack,
    ones,
    planted,
    planted_on_torus,
    safehole,
    tiles,
    torus_of_ones,
)
from satsweeper.families.models import (
    at_most,
    dominating_queens,
    fewest_mines,
    langford,
    most_dominoes,
    peaceable_queens,
    soft_clues,
    squares_left,
)
from satsweeper.families.pigeonhole import pigeonhole
from satsweeper.families.random_problems import (
    knapsacks,
    latin_square,
    market_split,
    optimised,
    tomography,
    weighted_cover,
)
from satsweeper.families.regular import regular
from satsweeper.position import Position

MOD_2: Final = "elimination modulo 2"
MOD_3: Final = "elimination modulo 3"
LP: Final = "linear programming"


@dataclass(frozen=True, slots=True)
class Family:
    """A family of instances, with an answer that holds for every size and seed.

    ``make``: function from size and seed to a board or a problem, whichever ``of`` names; unless
    ``seeded``, the seed is ignored. ``size``: the thing that the size counts; ``sizes``: the valid
    sizes; ``small``: a few sizes that any solver decides, smallest first. ``satisfiable``: the
    answer, and ``why`` the argument for it, for every size and seed.

    ``decided_by``: methods that always suffice to refute the instances, or to prove the certain
    cells or the optimum; empty if only search does. ``grows``: size and difficulty of the
    instances. ``certain``: function from size and seed to cells whose verdict the argument gives,
    and whether they are mines; an instance may have more certain cells.

    ``goal``: to decide the instances, to optimise their objective, or an objective of ``soft``
    constraints. ``optimum``: function from size and seed to the optimum, None if nobody knows it.
    """

    name: str
    make: Callable[[int, int], Position | Problem]
    of: Literal["board", "problem"]
    size: str
    sizes: range
    small: tuple[int, ...]
    satisfiable: bool
    why: str
    grows: str
    decided_by: tuple[str, ...] = ()
    seeded: bool = False
    certain: Callable[[int, int], Mapping[Cell, bool]] = lambda size, seed: {}
    goal: Literal["decide", "optimise", "soft"] = "decide"
    optimum: Callable[[int, int], int | None] = lambda size, seed: None

    def instance(self, size: int, seed: int = 0) -> Position | Problem:
        """Return the board or problem of this ``size`` and ``seed``.

        Raises:
            ValueError: ``size`` is not in ``sizes``.
        """
        if size not in self.sizes:
            raise ValueError(f"{self.name}: size {size}: {self.size}: {self.sizes_in_words}")
        return self.make(size, seed)

    @property
    def status(self) -> str:
        """The answer: consistent or inconsistent for boards, satisfiable or not for problems."""
        if self.of == "board":
            return "consistent" if self.satisfiable else "inconsistent"
        return "satisfiable" if self.satisfiable else "unsatisfiable"

    @property
    def sizes_in_words(self) -> str:
        """The valid sizes in words, as in ``3 to 9`` and ``2, 6, 10 ... 22``."""
        first, step, last = self.sizes[0], self.sizes.step, self.sizes[-1]
        if step == 1:
            return f"{first} to {last}"
        return f"{first}, {first + step}, {first + 2 * step} ... {last}"

    def as_json(self) -> dict[str, Any]:
        """Return the entry of the list of families."""
        return {
            "name": self.name,
            "of": self.of,
            "status": self.status,
            "satisfiable": self.satisfiable,
            "goal": self.goal,
            "why": self.why,
            "decided_by": list(self.decided_by),
            "grows": self.grows,
            "size": {
                "counts": self.size,
                "least": self.sizes[0],
                "most": self.sizes[-1],
                "step": self.sizes.step,
                "small": list(self.small),
            },
            "seeded": self.seeded,
        }


_COLOURS: Final = "a mine adds as much to black clues as to white ones, and their sums differ"
_LATTICE: Final = "board of 2n - 1 rows and columns without a given mine"
_HARD: Final = "resolution needs exponentially many steps"
_SEEMS_HARD: Final = "solvers that do not count need about 10 times as long for n + 2"


def _drawn(name: str, size: int, seed: int) -> Random:
    return Random(f"{name} {size} {seed}")


_FAMILIES: Final = (
    # Boards with given mines.
    Family(
        "mutilated_chessboard", lambda size, seed: mutilated_chessboard(size), "board",
        "squares a side", range(3, 501), (3, 4, 5, 6), False,
        "a domino covers a black and a white square, and two more are of one colour",
        f"board of 2n + 1 rows and columns; {_HARD}", (LP, MOD_3),
    ),
    Family(
        "chessboard_with_private_cells", lambda size, seed: chessboard_with_private_cells(size),
        "board", "squares a side", range(2, 501, 2), (2, 4, 6), True,
        "dominoes cover a chessboard of even side",
        "board of 2n + 1 rows and columns; to prove the two cells is to refute mutilated ones",
        (LP, MOD_3), certain=lambda size, seed: {(0, 0): False, (2 * size, 2 * size): False},
    ),
    Family(
        "parity_lattice", lambda size, seed: parity_lattice(size), "board", "vertices a side",
        range(2, 151), (2, 3, 4), False,
        "one vertex asks for an odd number, and every link is counted twice",
        f"board of 6n + 3 rows and columns; {_HARD}", (MOD_2,),
    ),
    Family(
        "parity_lattice_with_open_end", lambda size, seed: parity_lattice(size, open_end=True),
        "board", "vertices a side", range(2, 151), (2, 3, 4), True,
        "the open end is a path from the charge to nowhere",
        "board of 6n + 3 rows and columns; to prove the open end is to refute parity_lattice",
        (MOD_2,), certain=lambda size, seed: {(6 * size - 2, 3): True},
    ),
    Family(
        "checkerboard", lambda size, seed: checkerboard(size, seed=seed), "board", "cells a side",
        range(2, 1001), (2, 4, 8, 12), True, "the layout that was drawn",
        "board of n rows and columns, a single region; easy for search, too large for counting",
        seeded=True,
    ),
    # Lattices: no mine is given.
    Family(
        "ones", lambda size, seed: ones(size), "board", "clues a side", range(2, 501),
        (2, 3, 4, 5, 6), False, _COLOURS, f"{_LATTICE}; {_SEEMS_HARD}", (LP, MOD_3),
    ),
    Family(
        "ones_drawn", lambda size, seed: ones(size, drawn_zeros(size, seed)), "board",
        "clues a side", range(3, 501), (3, 4, 5, 6), False, _COLOURS,
        f"{_LATTICE}, the two 0s anywhere on black squares; {_SEEMS_HARD}", (LP, MOD_3),
        seeded=True,
    ),
    Family(
        "planted", lambda size, seed: planted(size, seed=seed), "board", "clues a side",
        range(2, 501), (2, 3, 5, 8), True, "the layout that was drawn",
        f"{_LATTICE}; easy for search", seeded=True,
    ),
    Family(
        "bump", lambda size, seed: planted(size, seed=seed, bump=True), "board", "clues a side",
        range(2, 501), (2, 3, 4, 5), False, f"planted with one clue larger by 1: {_COLOURS}",
        f"{_LATTICE}; hard for search from about n = 20 on, unevenly", (LP, MOD_2, MOD_3),
        seeded=True,
    ),
    Family(
        "safehole", safehole, "board", "clues a side", range(4, 501), (4, 5, 6), True,
        "dominoes cover the squares between the 0s and the hole; black clues less white ones count"
        " the mines around the hole: none",
        f"{_LATTICE}; to prove the eight cells, {_SEEMS_HARD}", (LP,), seeded=True,
        certain=lambda size, seed: dict.fromkeys(around_hole(size, seed), False),
    ),
    Family(
        "hall", hall, "board", "clues a side", range(4, 501), (4, 5, 6), False,
        "safehole with a white clue 2: -1 mines around the hole", f"{_LATTICE}; {_SEEMS_HARD}",
        (LP,), seeded=True,
    ),
    # Boards with a total.
    Family(
        "tiles", lambda size, seed: tiles(size, seed), "board", "tiles a side", range(2, 201),
        (2, 3, 4, 5), True, "the layout that was drawn",
        "board of 3n rows and columns with a total, n^2 clues; easy for search", seeded=True,
    ),
    Family(
        "tiles_of_wrong_total", lambda size, seed: tiles(size, seed, more=1), "board",
        "tiles a side", range(2, 201), (2,), False,
        "every covered cell is counted by one clue, and the total is larger by 1 than all clues",
        "board of 3n rows and columns with a total, n^2 clues; difficulty by the encoding of the"
        " total", (LP, MOD_2, MOD_3), seeded=True,
    ),
    # Counting problems without a board.
    Family(
        "torus", lambda size, seed: torus_of_ones(size), "problem", "clues a side",
        range(3, 300, 2), (3, 5), False,
        "the clues add up to an odd number, and a mine adds 2 or 4",
        "3n^2 variables, n^2 constraints of 8; solvers without parity need about 40 times as long"
        " for n + 2", (MOD_2,),
    ),
    Family(
        "torus_planted", lambda size, seed: planted_on_torus(size, seed=seed), "problem",
        "clues a side", range(2, 301), (2, 3, 4, 5), True, "the layout that was drawn",
        "3n^2 variables, n^2 constraints of 8; easy for search", seeded=True,
    ),
    Family(
        "torus_bump", lambda size, seed: planted_on_torus(size, seed=seed, bump=True), "problem",
        "clues a side", range(2, 301), (2, 3, 4), False,
        "torus_planted with one clue larger by 1: the clues add up to an odd number, and a mine"
        " adds 2 or 4", "3n^2 variables, n^2 constraints of 8", (MOD_2,), seeded=True,
    ),
    Family(
        "hall_with_slack", lambda size, seed: hall_with_slack(size), "problem", "squares a side",
        range(3, 501), (3, 4, 5, 6), False,
        "more white squares, with a mine each, than black squares that allow one",
        "3n^2 - 4n + 1 variables, n^2 constraints of up to 8; solvers that do not count need over"
        " 10 times as long for n + 2", (LP,),
    ),
    Family(
        "pigeonhole", lambda size, seed: pigeonhole(size + 1, size), "problem",
        "holes, for one pigeon more", range(1, 501), (1, 2, 3, 5), False,
        "one pigeon is left over", f"n^2 + n variables, 2n + 1 constraints; {_HARD}", (LP,),
    ),
    Family(
        "pigeonhole_of_three", lambda size, seed: pigeonhole(3 * size + 1, size, 3), "problem",
        "holes for three, and one pigeon more than they hold", range(1, 301), (1, 2, 3), False,
        "one pigeon is left over", f"3n^2 + n variables, 4n + 1 constraints; {_HARD}", (LP,),
    ),
    Family(
        "regular",
        lambda size, seed: regular(size // 2, n=size, k=size // 2, degree=size // 4, seed=seed),
        "problem", "literals of a constraint", range(4, 401, 4), (4, 8, 16, 24), True,
        "the solution that the constraints were drawn round",
        "2n variables, n/2 constraints of n; hard for search from about n = 32 on", seeded=True,
    ),
    Family(
        "regular_of_odd_sum",
        lambda size, seed: regular(5, n=size, k=size // 2, degree=2, seed=seed), "problem",
        "literals of a constraint", range(2, 2001, 4), (2, 6, 10), False,
        "five odd numbers add up to an odd one, and every variable is counted twice",
        "5n/2 variables, 5 constraints of n; clauses grow by the encoding", (MOD_2,), seeded=True,
    ),
    Family(
        "at_most_k", lambda size, seed: at_most(size, seed), "problem",
        "literals of a constraint", range(4, 401, 4), (4, 8, 12), False,
        "the constraints add up to at most n/2 true variables, and one more is asked for",
        "2n variables, n/2 constraints, at most n/4 of n, and a total", (LP,), seeded=True,
    ),
    Family(
        "langford", lambda size, seed: langford(size), "problem", "numbers, each twice",
        range(4, 201, 4), (4, 8, 12), True, "Davies has a solution for every n divisible by 4",
        "3n(n - 1)/2 variables, 3n constraints, exactly one of up to 2n",
    ),
    Family(
        "langford_of_odd_sum", lambda size, seed: langford(size), "problem",
        "numbers, each twice", range(5, 202, 4), (5, 9), False,
        "pairs of an odd number take two odd places or none, and there is an odd number of them",
        "3n(n - 1)/2 variables, 3n constraints, exactly one of up to 2n", (MOD_2,),
    ),
    Family(
        "latin_square",
        lambda size, seed: latin_square(size, 21 * size * size // 50, _drawn("latin", size, seed)),
        "problem", "cells a side", range(4, 61), (4, 6, 9), True,
        "the square that was emptied in places",
        "n^3 variables, 3n^2 constraints, exactly one of n; 42 % of the cells are empty",
        seeded=True,
    ),
    Family(
        "tomography", lambda size, seed: tomography(size, 0.4, _drawn("tomography", size, seed)),
        "problem", "pixels a side", range(3, 101), (3, 5, 7), True,
        "the picture that was drawn", "n^2 variables, 4n constraints, exactly k of n",
        seeded=True,
    ),
    Family(
        "market_split",
        lambda size, seed: market_split(size, 3, 99, _drawn("market split", size, seed)),
        "problem", "variables", range(4, 61), (4, 8, 12), True,
        "the solution that the totals were taken from",
        "3 equations of n weights up to 99; hard for search from about n = 24 on", seeded=True,
    ),
    # Problems with an objective.
    Family(
        "at_most_k_most", lambda size, seed: at_most(size, seed, most=True), "problem",
        "literals of a constraint", range(4, 401, 4), (4, 8, 12), True,
        "the constraints add up to at most n/2 true variables, as many as were drawn",
        "2n variables, n/2 constraints, at most n/4 of n", (LP,), True,
        goal="optimise", optimum=lambda size, seed: size // 2,
    ),
    Family(
        "most_dominoes", lambda size, seed: most_dominoes(size), "problem", "squares a side",
        range(3, 301), (3, 4, 5), True,
        "a domino covers a black square, and every black one can be covered",
        "2n^2 - 2n - 4 variables, at most one of up to 4", (LP,),
        goal="optimise", optimum=lambda size, seed: squares_left(size),
    ),
    Family(
        "fewest_mines", fewest_mines, "problem", "clues a side", range(2, 201), (2, 3, 4, 5), True,
        "there is a drawn layout; the fewest mines of any are not known",
        "planted, with the number of mines to be minimised", seeded=True, goal="optimise",
    ),
    Family(
        "dominating_queens", lambda size, seed: dominating_queens(size), "problem",
        "squares a side", range(1, 61), (1, 2, 3, 4, 5), True,
        "a queen on every square; the fewest are not known by an argument",
        "n^2 variables and clauses of up to 4n - 3", goal="optimise",
    ),
    Family(
        "peaceable_queens", lambda size, seed: peaceable_queens(size), "problem",
        "squares a side", range(1, 41), (1, 2, 3, 4), True,
        "no queen at all; the largest armies are not known by an argument",
        "2n^2 variables, clauses of two, and one equation", goal="optimise",
    ),
    Family(
        "knapsacks",
        lambda size, seed: optimised(
            knapsacks(size, 5, 100, _drawn("knapsacks", size, seed)), maximise=True
        ),
        "problem", "items", range(4, 501), (4, 8, 12), True,
        "half of the items fit; the most valuable ones are not known by an argument",
        "n variables, 5 knapsacks of weights up to 100", seeded=True, goal="optimise",
    ),
    Family(
        "lightest_cover",
        lambda size, seed: optimised(
            weighted_cover(size, 6, 0.5, _drawn("cover", size, seed)), maximise=False
        ),
        "problem", "vertices", range(6, 1001), (6, 12, 30), True,
        "all vertices are a cover; the lightest one is not known by an argument",
        "a random graph of degree 6, vertices of weights up to 20", seeded=True, goal="optimise",
    ),
    Family(
        "soft_clues", soft_clues, "problem", "clues a side", range(2, 201), (2, 3, 4), True,
        "bump has no layout, and the drawn one breaks a single clue",
        "bump with soft clues, n^2 of them", seeded=True,
        goal="soft", optimum=lambda size, seed: 1,
    ),
)  # fmt: skip

FAMILIES: Final = {family.name: family for family in _FAMILIES}
"""Name of a family -> family."""
