"""All layouts of every region by backtracking; the total by combining their numbers.

Promise: complete on accepted boards, with or without the total. The time grows exponentially with
the size of the largest region, so the engine estimates the work and refuses a board in advance; a
search that takes longer than estimated is stopped, with a note in the answer. With a ``cap``,
regions of more cells are skipped: then the engine is sound but incomplete.

The total is exact: a region may hold a number of mines only if the other regions together with the
cells that no clue touches can hold the rest.

The engine deliberately shares no code with the session: regions, interchangeable cells and sets of
numbers are computed independently, so that the two can check each other.
"""

from collections.abc import Callable, Sequence
from itertools import accumulate
from math import prod
from random import Random
from typing import Final, NamedTuple

from pbcnf.wording import counted
from satsweeper.answers.classification import Classification
from satsweeper.answers.options import Options
from satsweeper.engines.parts.position_sums import CellSum, PositionSums, split, undecided
from satsweeper.engines.parts.query_loop import OUT_OF_TIME
from satsweeper.engines.protocol import EngineRefusedError
from satsweeper.engines.single_clue import Propagation
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline

MOST_STEPS: Final = 3_000_000
"""The most steps of the search of a board: some ten seconds."""
MOST_CELLS: Final = 2_000
"""The number of cells of the largest region that is searched."""
_FEW_STEPS: Final = 20_000
"""A search with at most this upper limit of steps is started without an estimate."""
_PROBES: Final = 60
"""The number of random descents of an estimate."""


def classify(position: Position, options: Options) -> Classification:
    """Single-clue rules, then every region by itself, then the total over all of them."""
    deadline, left = Deadline.after(options.timeout), MOST_STEPS

    def over() -> bool:
        """Count a step; return whether the steps or the time are used up."""
        nonlocal left
        left -= 1
        if left % 1024 == 0 and deadline.passed():
            left = 0
        return left <= 0

    sums = PositionSums(position, options)
    state = Propagation(sums.clues)
    if not state.close():
        return sums.inconsistent()
    decided = dict(state.decided)
    if options.tell is not None:
        options.tell(sums.answer(decided, complete=False, notes=(OUT_OF_TIME,)))
    regions = split(undecided(sums.clues, decided))
    cap = options.cap
    searched = _regions([part for part in regions if cap is None or _size(part) <= cap])
    partly = len(searched) < len(regions)
    notes: list[str] = []
    if partly:
        notes.append(
            f"regions of more than {counted(cap or 0, 'cell')} "
            f"left alone: {len(regions) - len(searched)}"
        )
    known = []
    for region in searched:
        if region.search(over):
            if not region.can:
                return sums.inconsistent(*notes)
            known.append(region)
        else:
            partly = True
    if len(known) < len(searched):
        notes.append(f"regions given up, out of steps or time: {len(searched) - len(known)}")
    # The interior and all regions that were not searched: any number of mines may lie there.
    elsewhere = len(sums.cells) - len(decided) - sum(region.size for region in known)
    allowed = _allowed(sums, decided, known, elsewhere)
    if allowed is None:
        return sums.inconsistent(*notes)
    for region, numbers in zip(known, allowed[:-1], strict=True):
        # The values that cells have in some layout with an allowed number of mines.
        can = 0
        for number, bits in region.can.items():
            if numbers >> number & 1:
                can |= bits
        for g, group in enumerate(region.groups):
            kinds = can >> 2 * g & 3
            if kinds != 3:
                decided |= dict.fromkeys(group.cells, kinds == 2)
    if elsewhere and allowed[-1] in (1, 1 << elsewhere):
        # All cells elsewhere are safe, or all are mines, including those of skipped regions.
        inside = {cell for region in known for cell in region.cells}
        others = [v for v in sums.variables if v not in inside and v not in decided]
        decided |= dict.fromkeys(others, allowed[-1] != 1)
    return sums.answer(decided, not partly, notes)


def _size(sums: Sequence[CellSum]) -> int:
    return len({cell for cells, _ in sums for cell in cells})


def _regions(parts: Sequence[Sequence[CellSum]]) -> list["RegionSearch"]:
    """Return the regions; raise EngineRefusedError if the search of one would take too long."""
    regions = []
    for part in parts:
        if _size(part) > MOST_CELLS:
            raise _refused(f"more than {MOST_STEPS:.0e}", _size(part))
        region = RegionSearch(part)
        if prod(len(group.cells) + 1 for group in region.groups) > _FEW_STEPS:
            steps = region.estimate()
            if steps > MOST_STEPS:
                raise _refused(f"some {steps:.0e}", region.size)
        regions.append(region)
    return regions


def _refused(steps: str, cells: int) -> EngineRefusedError:
    return EngineRefusedError(
        f"enumeration would take {steps} steps "
        f"for a region of {counted(cells, 'cell')}, and takes "
        f"{MOST_STEPS:.0e} at the most; with a cap it leaves such regions alone"
    )


def _allowed(
    sums: PositionSums,
    decided: dict[int, bool],
    regions: Sequence["RegionSearch"],
    elsewhere: int,
) -> list[int] | None:
    """Return the numbers of mines, as bits, that each region may hold under the total.

    The last entry is of the ``elsewhere`` cells outside ``regions``, which may hold any number.
    None if the total cannot be met.
    """
    numbers = [sum(1 << k for k in region.can) for region in regions]
    numbers.append((1 << elsewhere + 1) - 1)
    if sums.total is None:
        return numbers
    rest = sums.total - sum(decided.values())
    if rest < 0:
        return None
    # before[i]: the sums of the first i sets; after: those of the sets behind the i-th.
    before = list(accumulate(numbers, lambda sums, each: _sums(sums, each, rest), initial=1))
    if not before[-1] >> rest & 1:
        return None
    allowed = []
    after = 1
    for i in reversed(range(len(numbers))):
        others = _sums(before[i], after, rest)
        # Read backwards, bit k says whether the others can hold rest - k.
        allowed.append(numbers[i] & int(f"{others:0{rest + 1}b}"[::-1], 2))
        after = _sums(after, numbers[i], rest)
    return allowed[::-1]


def _sums(first: int, second: int, most: int) -> int:
    """Return all sums, up to ``most``, of a number from ``first`` and a number from ``second``."""
    if first.bit_count() < second.bit_count():
        first, second = second, first
    found = 0
    for k in range(second.bit_length()):
        if second >> k & 1:
            found |= first << k
    return found & ((1 << most + 1) - 1)


class CellGroup(NamedTuple):
    """A group of interchangeable cells, and the indices of the sums that count these cells."""

    cells: list[int]
    sums: tuple[int, ...]


class RegionSearch:
    """Layouts of one region by backtracking: the possible values of cells, by number of mines.

    A step chooses how many mines a group of interchangeable cells holds, and is pruned when a sum
    has too many or too few left. After :meth:`search`, ``can`` maps every number of mines of a
    layout to two bits a group: bit ``2 * b`` if a cell of group ``b`` can be safe, bit
    ``2 * b + 1`` if one can be a mine.
    """

    def __init__(self, sums: Sequence[CellSum]) -> None:
        of_cell: dict[int, list[int]] = {}
        for i, (cells, _) in enumerate(sums):
            for cell in cells:
                of_cell.setdefault(cell, []).append(i)
        groups: dict[tuple[int, ...], list[int]] = {}
        for cell in sorted(of_cell):
            groups.setdefault(tuple(of_cell[cell]), []).append(cell)
        self.size = len(of_cell)
        self.cells = sorted(of_cell)
        # Each group in the order shares as many sums as possible with the groups before, so that
        # sums are complete early and wrong choices are pruned early.
        self.groups: list[CellGroup] = []
        begun: set[int] = set()
        waiting = [CellGroup(cells, sums) for sums, cells in groups.items()]
        while waiting:
            best = max(waiting, key=lambda group: sum(1 if i in begun else -1 for i in group.sums))
            waiting.remove(best)
            self.groups.append(best)
            begun.update(best.sums)
        self.can: dict[int, int] = {}
        self._need = [need for _, need in sums]
        self._left = [len(cells) for cells, _ in sums]

    def estimate(self, seed: int = 0) -> float:
        """Return the steps that the search may take, by random descents (Knuth's estimate)."""
        random = Random(seed)
        total = 0.0
        for _ in range(_PROBES):
            width = 1.0
            chosen: list[int] = []
            for b in range(len(self.groups)):
                choices = self._choices(b)
                # Knuth: the product of the numbers of choices along a random descent estimates the
                # width of the tree at each depth without bias; the sum over all depths is its size.
                width *= len(choices)
                total += width / _PROBES
                if not choices:
                    break
                chosen.append(random.choice(choices))
                self._place(b, chosen[-1], 1)
            for b in reversed(range(len(chosen))):
                self._place(b, chosen[b], -1)
        return total

    def search(self, stop: Callable[[], bool]) -> bool:
        """Find all layouts, up to exchanges within groups; False if ``stop()`` ended the search."""
        last = len(self.groups)
        options = [iter(self._choices(0))]
        placed: list[int] = []
        while options:
            depth = len(options) - 1
            # Invariant: ``placed`` are the choices applied, one for each depth so far. The last
            # choice at this depth is undone before the next choice.
            if len(placed) > depth:
                self._place(depth, placed.pop(), -1)
            k = next(options[-1], -1)
            if k < 0:
                options.pop()
                continue
            self._place(depth, k, 1)
            placed.append(k)
            if depth + 1 < last:
                if stop():
                    return False
                options.append(iter(self._choices(depth + 1)))
            else:
                # A layout, up to exchanges: of a group with k mines a cell can be safe if k is less
                # than its size, and a mine if k is not 0.
                seen = 0
                for b, k in enumerate(placed):
                    seen |= ((k < len(self.groups[b].cells)) | (k > 0) << 1) << 2 * b
                number = sum(placed)
                self.can[number] = self.can.get(number, 0) | seen
        return True

    def _choices(self, b: int) -> range:
        """Return the numbers of mines that group ``b`` may hold.

        At most the least need of its sums, and at least what the later cells of a sum cannot hold.
        """
        group = self.groups[b]
        size = len(group.cells)
        low = max([0, *(self._need[i] - self._left[i] + size for i in group.sums)])
        high = min([size, *(self._need[i] for i in group.sums)])
        return range(low, high + 1)

    def _place(self, b: int, k: int, sign: int) -> None:
        group = self.groups[b]
        for i in group.sums:
            self._need[i] -= sign * k
            self._left[i] -= sign * len(group.cells)
