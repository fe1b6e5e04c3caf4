"""A family of instances: how to make them, their answer, and the argument for the answer."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from pbcnf.constraints.problem import Problem
from satsweeper.board.codes import Cell
from satsweeper.position import Position

MOD_2: Final = "elimination modulo 2"
MOD_3: Final = "elimination modulo 3"
LP: Final = "linear programming"


def _nothing(size: int, seed: int) -> dict[Cell, bool]:
    return {}


@dataclass(frozen=True, slots=True)
class Family:
    """A family of instances, with an answer that holds for every size and seed.

    ``make``: from a size and a seed to a board or a problem, as ``of`` says; unless ``seeded``, the
    seed is ignored. ``size``: what the size counts; ``sizes``: the valid sizes; ``small``: some
    that any solver decides, smallest first. ``satisfiable``, and ``why``, holds for every size
    and seed.

    ``decided_by``: what always suffices to refute the instances, or to prove the certain cells;
    empty if only search does. ``grows``: how large they are, and what solvers make of them.
    ``certain``: cells whose verdict the argument gives, and whether they are mines; there may be
    more such cells.
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
    certain: Callable[[int, int], Mapping[Cell, bool]] = _nothing

    def instance(self, size: int, seed: int = 0) -> Position | Problem:
        """Return the board or problem of this ``size`` and ``seed``.

        Raises:
            ValueError: there is none of this size.
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
