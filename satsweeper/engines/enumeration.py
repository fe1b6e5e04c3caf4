"""All layouts of every region by backtracking with pruning, the total by combining their numbers.

Promise: complete where it answers, with the total or without. Its time grows exponentially with
the size of the largest region, so it refuses a board by an estimate before it begins; a search that
turns out longer than estimated is given up, and the answer says so. With a ``cap``, regions with
more cells are left alone, as programs often do: then it is sound but incomplete.

The total is exact: a region may hold a number of mines only if the other regions together with the
cells that no clue touches can hold the rest.

It shares no code with the session, on purpose: regions, cells under the same clues and sets of
numbers are found anew here, so that each of the two can be held against the other.
"""

from collections.abc import Sequence
from math import prod
from typing import Final

from pbcnf.wording import counted
from satsweeper.answers.options import Options
from satsweeper.engines.parts.backtracking import Region, split
from satsweeper.engines.parts.cell_sums import CellSums, Sum, undecided
from satsweeper.engines.parts.questions import OUT_OF_TIME
from satsweeper.engines.parts.single_clue_rules import Propagation
from satsweeper.engines.protocol import EngineAnswer, EngineRefusedError
from satsweeper.position import Position
from satsweeper.processes.deadline import Deadline

MOST_STEPS: Final = 3_000_000
"""Steps that the search of a board may take: some ten seconds."""
MOST_CELLS: Final = 2_000
"""Cells of the largest region that is looked at."""
_FEW_STEPS: Final = 20_000
"""So many need no estimate."""


class _Steps:
    """Counts steps, and says when to stop."""

    def __init__(self, timeout: float | None) -> None:
        self._left = MOST_STEPS
        self._deadline = Deadline.after(timeout)

    def over(self) -> bool:
        """Whether this step was one too many."""
        self._left -= 1
        if self._left % 1024 == 0 and self._deadline.passed():
            self._left = 0
        return self._left <= 0


def classify(position: Position, options: Options) -> EngineAnswer:
    """Single-clue rules, then every region by itself, then the total over all of them."""
    steps = _Steps(options.timeout)
    board = CellSums.of(position, options.flags)
    state = Propagation(board.sums)
    if not state.close():
        return board.inconsistent()
    decided = dict(state.decided)
    if options.tell is not None:
        options.tell(board.answer(decided, complete=False, notes=(OUT_OF_TIME,)))
    regions = split(undecided(board.sums, decided))
    cap = options.cap
    chosen = [part for part in regions if cap is None or _size(part) <= cap]
    searched = _regions(chosen)
    partly = len(searched) < len(regions)
    notes: list[str] = []
    if partly:
        notes.append(
            f"regions of more than {counted(cap or 0, 'cell')} "
            f"left alone: {len(regions) - len(searched)}"
        )
    known = []
    for region in searched:
        if region.search(steps.over):
            if not region.can:
                return board.inconsistent(*notes)
            known.append(region)
        else:
            partly = True
    if len(known) < len(searched):
        notes.append(f"regions given up, out of steps or time: {len(searched) - len(known)}")
    beyond = len(board.cells) - len(decided) - sum(region.size for region in known)
    allowed = _allowed(board, decided, known, beyond)
    if allowed is None:
        return board.inconsistent(*notes)
    for region, numbers in zip(known, allowed[:-1], strict=True):
        can = 0
        for number, bits in region.can.items():
            if numbers >> number & 1:
                can |= bits
        for b, box in enumerate(region.boxes):
            kind = can >> 2 * b & 3
            if kind != 3:
                decided |= dict.fromkeys(box.cells, kind == 2)
    if beyond and allowed[-1] in (1, 1 << beyond):
        # Holds for regions left alone as well: it is all the cells that were not searched.
        inside = {cell for region in known for cell in region.cells}
        others = [c for c in range(len(board.cells)) if c not in inside and c not in decided]
        decided |= dict.fromkeys(others, allowed[-1] != 1)
    return board.answer(decided, not partly, notes)


def _size(sums: Sequence[Sum]) -> int:
    return len({cell for cells, _ in sums for cell in cells})


def _regions(parts: Sequence[Sequence[Sum]]) -> list[Region]:
    """The regions, unless the search of one would take too long."""
    regions = []
    for part in parts:
        if _size(part) > MOST_CELLS:
            raise _refused(f"more than {MOST_STEPS:.0e}", _size(part))
        region = Region(part)
        if prod(len(box.cells) + 1 for box in region.boxes) > _FEW_STEPS:
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
    board: CellSums, decided: dict[int, bool], regions: Sequence[Region], beyond: int
) -> list[int] | None:
    """The numbers of mines, as bits, that each region may hold, last the ``beyond`` cells.

    None if the total cannot be met. Cells beyond the regions may hold any number.
    """
    numbers = [sum(1 << k for k in region.can) for region in regions]
    numbers.append((1 << beyond + 1) - 1)
    if board.total is None:
        return numbers
    rest = board.total - sum(decided.values())
    if rest < 0:
        return None
    # before[i]: what the first i can hold together; after: what those behind can.
    before = [1]
    for each in numbers:
        before.append(_sums(before[-1], each, rest))
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
    """Every sum of a number of the first and one of the second, up to ``most``, as bits."""
    if first.bit_count() < second.bit_count():
        first, second = second, first
    found = 0
    for k in _bits(second):
        found |= first << k
    return found & ((1 << most + 1) - 1)


def _bits(numbers: int) -> list[int]:
    return [k for k in range(numbers.bit_length()) if numbers >> k & 1]
