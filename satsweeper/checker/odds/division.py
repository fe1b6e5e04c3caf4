"""Second check of a divided board: known cells and regions must state exactly what its clues state.

Nothing is divided here. Each known cell must follow from one clue and earlier known cells; each
clue must be a clue of one region, over whole boxes; and no region may have further clues.
"""

from collections.abc import Iterable, Iterator, Mapping

from satsweeper.checker.board import BOARD, CellCount, CheckedBoard
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.odds.boxes import Split


def confirm_division(board: CheckedBoard, split: Split) -> None:
    """Confirm that known cells and regions of ``split`` state exactly the clues of ``board``.

    Raises:
        WrongCertificateError: a clue is missing, changed or added, or a cell is in two places.
    """
    counts = board.counts
    of: dict[int, list[CellCount]] = {}
    for count in counts:
        for v in count.variables & split.known.keys():
            of.setdefault(v, []).append(count)
    # Each known cell must follow from one clue and the cells before it: of the clue's other cells
    # all must be mines, or none.
    known: dict[int, bool] = {}
    for v, mine in split.known.items():
        _require(
            any(need == (len(rest) if mine else 0) for rest, need in _open(of.get(v, ()), known))
        )
        known[v] = mine
    place = {
        v: (number, at)
        for number, region in enumerate(split.regions)
        for at, box in enumerate(region.boxes)
        for v in box
    }
    # Each covered cell is in exactly one place: known, in one box of one region, or interior.
    cells = [*known, *place, *split.interior]
    boxes = [box for region in split.regions for box in region.boxes]
    once = len(place) == sum(map(len, boxes)) and len(set(cells)) == len(cells)
    _require(once and sorted(cells) == list(range(1, len(board.cells) + 1)))
    stated = {
        (number, frozenset([at for at, held in enumerate(region.clues) if clue in held]), need)
        for number, region in enumerate(split.regions)
        for clue, need in enumerate(region.needs)
    }
    found = set()
    for rest, need in _open(counts, known):
        if not rest:
            _require(need == 0)
            continue
        # No interior cell may be beside a clue, and the undecided cells of a clue must be whole
        # boxes of one region.
        _require(all(v in place for v in rest))
        at = {place[v] for v in rest}
        number = min(at)[0]
        whole = sum([len(split.regions[region].boxes[box]) for region, box in at])
        _require(whole == len(rest) and max(at)[0] == number)
        found.add((number, frozenset([box for _, box in at]), need))
    # Equal sets, not a subset: no clue is left out, and the regions claim none that the board
    # lacks.
    _require(found == stated)


def _open(
    counts: Iterable[CellCount], known: Mapping[int, bool]
) -> Iterator[tuple[list[int], int]]:
    """Yield, for each count, its cells that are not in ``known``, and the mines among them."""
    for count in counts:
        rest = [v for v in count.variables if v not in known]
        yield rest, count.mines - sum([known.get(v, False) for v in count.variables])


def _require(holds: bool) -> None:
    if not holds:
        raise WrongCertificateError(BOARD, "looked at again, its clues are divided otherwise")
