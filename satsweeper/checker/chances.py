"""The odds of a board, from circuits that were checked: in integers, by the checker alone."""

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import gcd
from typing import NamedTuple

from satsweeper.checker.board import BOARD, Board
from satsweeper.checker.boxes import Split
from satsweeper.checker.circuit_text import Circuit
from satsweeper.checker.evaluation import Evaluated, evaluate
from satsweeper.checker.mixture import mix
from satsweeper.checker.wrong import WrongCertificateError

Ratio = tuple[int, int]


class Chances(NamedTuple):
    """``layouts``: of the whole board; ``mine``: the chance of a mine in each cell with a variable,
    as ``written``, in their order; ``interior``: that of cells beside no clue, None without any."""

    layouts: str
    mine: list[str]
    interior: str | None


def chances_of(
    board: Board, split: Split, circuits: Sequence[Circuit], density: Fraction | None
) -> Chances:
    """The odds of a board whose circuits were checked.

    Args:
        board: and its total, if that is known.
        split: the board, sorted.
        circuits: one a region.
        density: the chance of a mine in each cell; None: all layouts are equally likely.

    Raises:
        WrongCertificateError: no layout has this total, or numbers would be too long.
    """
    mine = {v: written(int(mined), 1) for v, mined in split.known.items()}
    if board.total is None:
        layouts, inside = _without_total(split, circuits, density, mine)
    else:
        held = sum(split.known.values())
        layouts, inside = _with_total(split, circuits, board.total.mines - held, mine)
    interior = written(*inside) if split.interior else None
    mine |= dict.fromkeys(split.interior, interior or "")
    return Chances(written(layouts, 1), [mine[v] for v in sorted(mine)], interior)


def _without_total(
    split: Split, circuits: Sequence[Circuit], density: Fraction | None, mine: dict[int, str]
) -> tuple[int, Ratio]:
    """The number of layouts, and the chance of interior cells; adds those of the regions."""
    inside, weights = (1, 2), (1, 1)
    if density is not None:
        inside = density.as_integer_ratio()
        weights = inside[0], inside[1] - inside[0]
    layouts = 1 << len(split.interior)
    for circuit in circuits:
        found = evaluate(circuit, weights)
        _spread(circuit, found, [1], found.whole[0], mine)
        plain = found if density is None else evaluate(circuit, (1, 1))
        layouts *= plain.whole[0]
    return layouts, inside


def _with_total(
    split: Split, circuits: Sequence[Circuit], mines: int, mine: dict[int, str]
) -> tuple[int, Ratio]:
    found = [evaluate(circuit, None) for circuit in circuits]
    left = mines - sum([each.least for each in found])
    # A region that always holds as many mines sees nothing of the others.
    loose = [each.whole for each in found if len(each.whole) > 1]
    mixed = mix(loose, left, len(split.interior))
    if mixed is None:
        raise WrongCertificateError(BOARD, "no layout has this total: there are no odds")
    layouts = mixed.layouts
    rests = iter(mixed.rests)
    for circuit, each in zip(circuits, found, strict=True):
        if len(each.whole) > 1:
            _spread(circuit, each, next(rests), mixed.whole, mine)
        else:
            layouts *= each.whole[0]
            _spread(circuit, each, [1], each.whole[0], mine)
    return layouts, (mixed.inside, mixed.whole * len(split.interior))


def _spread(
    circuit: Circuit, found: Evaluated, rest: Sequence[int], whole: int, mine: dict[int, str]
) -> None:
    for leaf, mined in zip(circuit.leaves, found.mined, strict=True):
        ways = sum([a * b for a, b in zip(mined, rest, strict=True)])
        mine |= dict.fromkeys(leaf.cells, written(ways, whole))


def written(numerator: int, denominator: int) -> str:
    """A fraction in lowest terms, of any size.

    >>> written(6, 4), written(0, 4)
    ('3/2', '0')
    """
    shared = gcd(numerator, denominator)
    # Python's own digits end at 4,300.
    above, below = (str(Decimal(number // shared)) for number in (numerator, denominator))
    return above if below == "1" else f"{above}/{below}"
