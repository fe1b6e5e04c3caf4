"""Random small boards of any shape under any rules, and the truth about each by all layouts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from random import Random
from typing import Final, Literal, NamedTuple

import numpy as np

from scripts.fuzzing.plain_layouts import TESTS as LAYOUTS
from scripts.fuzzing.plain_readings import CLUES, PAIRS, TOGETHER, Readings, every_layout
from scripts.fuzzing.plain_shapes import GRIDS, Shape, cubes, network

Part = tuple[str, str | int]
"""A kind ("rule", "clue", "flag", "region", "total") and letters, a cell or a name."""

MOST_LAYOUTS: Final = 1 << 16
"""The most layouts of a board; with more cells some are open from the start."""


class Subject(NamedTuple):
    """A subject of a run: a geometry, rules of layouts, and a rule of clues, or ``#``."""

    geometry: str
    layouts: tuple[str, ...]
    clues: str

    def __str__(self) -> str:
        return f"{self.geometry}: {' '.join((*self.layouts, self.clues))}"


@dataclass(frozen=True)
class RuleBoard:
    """A board; ``clues``: cell -> letters and text. ``regions``: name, cells, mines, arrangement.

    ``dyed`` None: the cells of a grid whose coordinates have an odd sum.
    """

    shape: Shape
    layouts: tuple[str, ...]
    own: bool
    clues: Mapping[int, tuple[str, str]]
    opened: frozenset[int] = frozenset()
    shown: frozenset[int] = frozenset()
    flags: frozenset[int] = frozenset()
    mines: int | None = None
    regions: tuple[tuple[str, tuple[int, ...], int, str], ...] = ()
    dyed: frozenset[int] | None = None
    weights: Mapping[int, int] = field(default_factory=dict)
    capacity: Mapping[int, int] = field(default_factory=dict)
    reading: Literal["trust", "ignore"] = "trust"
    rule: str = "V"
    """The letters of the rule of clues; with ``own`` each clue has its own."""

    @cached_property
    def readings(self) -> Readings:
        """The readings over the layouts that have no mine in open cells, if all are too many."""
        n = len(self.shape.cells)
        most = [self.capacity.get(cell, 1) for cell in range(n)]
        if np.prod([float(each + 1) for each in most]) > MOST_LAYOUTS:
            seen = {*self.clues, *self.opened}
            most = [0 if cell in seen else each for cell, each in enumerate(most)]
        return _readings(self.shape, tuple(most), self.mask, tuple(sorted(self.weights.items())))

    @property
    def mask(self) -> frozenset[int]:
        """The dyed cells."""
        return chequered(self.shape) if self.dyed is None else self.dyed

    @property
    def covered(self) -> list[int]:
        """The cells that get a verdict."""
        seen = {*self.clues, *self.opened, *self.shown}
        if self.reading == "trust":
            seen |= self.flags
        return [cell for cell in range(len(self.shape.cells)) if cell not in seen]

    @property
    def parts(self) -> list[Part]:
        """The parts that a reason may name."""
        found: list[Part] = [("rule", letters) for letters in self.layouts]
        found += [("clue", cell) for cell in self.clues]
        used = {letters for letters, _ in self.clues.values()} | {self.rule}
        found += [("rule", letters) for letters in TOGETHER if letters in used]
        if self.reading == "trust":
            found += [("flag", cell) for cell in self.flags]
        found += [("region", name) for name, *_ in self.regions]
        return found + [("total", "")] * (self.mines is not None)

    @cached_property
    def base(self) -> int:
        """The table of layouts without mines in open cells and with mines in shown ones."""
        found = self.readings.everything
        for cell in {*self.clues, *self.opened}:
            found &= ~self.readings.mine(cell)
        for cell in self.shown:
            found &= self.readings.mine(cell)
        return found

    def meeting(self, parts: Iterable[Part]) -> int:
        """Return the table of the layouts that meet ``parts``, and what open cells say."""
        found, readings = self.base, self.readings
        named = {*parts}
        together: dict[str, dict[int, str]] = {}
        for letters in TOGETHER:
            if ("rule", letters) in named:
                together[letters] = {}
        for kind, key in named:
            if kind == "clue":
                letters, text = self.clues[int(key)]
                if letters in TOGETHER:
                    together.setdefault(letters, {})[int(key)] = text
                else:
                    found &= readings.clue(letters, int(key), text)
            elif kind == "rule" and key in LAYOUTS:
                found &= readings.layout(str(key), LAYOUTS[str(key)])
            elif kind == "flag":
                found &= readings.mine(int(key))
            elif kind == "total":
                assert self.mines is not None
                found &= readings.total(self.mines)
            elif kind == "region":
                _, cells, mines, arranged = next(each for each in self.regions if each[0] == key)
                found &= readings.region(cells, mines, arranged)
        for letters, clues in together.items():
            found &= readings.together(letters, clues, ("rule", letters) in named)
        return found

    @cached_property
    def truth(self) -> int:
        """The table of the board's layouts."""
        return self.meeting(self.parts)

    @cached_property
    def verdicts(self) -> dict[int, str]:
        """The verdict of each covered cell; meaningless without a layout."""
        found = {}
        for cell in self.covered:
            mine = self.readings.mine(cell)
            if not self.truth & mine:
                found[cell] = "safe"
            else:
                found[cell] = "unknown" if self.truth & ~mine else "mine"
        return found

    def fault(self, parts: Sequence[Part], against: int) -> str | None:
        """Return the fault of a reason: ``parts`` must exclude ``against``, and all be needed."""
        known = {*self.parts}
        for each in parts:
            if each not in known:
                return f"names {each}, which the board has not"
        if len({*parts}) < len(parts):
            return "names a part twice"
        if self.meeting(parts) & against:
            return "has a layout"
        for each in parts:
            if not self.meeting([part for part in parts if part != each]) & against:
                return f"needs no {each}"
        return None

    def __str__(self) -> str:
        names = self.shape.cells
        clues = {names[cell]: f"{letters} {text}" for cell, (letters, text) in self.clues.items()}
        says = [f"{self.shape.name} {self.shape.size or len(names)}"]
        says += [f"rules {self.layouts} clues {clues}"]
        for name in ("opened", "shown", "flags"):
            cells = getattr(self, name)
            says += [f"{name} {[names[cell] for cell in sorted(cells)]}"] * bool(cells)
        says += [f"mines {self.mines}"]
        for name in ("regions", "weights", "capacity"):
            says += [f"{name} {getattr(self, name)}"] * bool(getattr(self, name))
        says += [f"dyed {sorted(self.mask)}"] * (self.dyed is not None)
        says += [f"near {self.shape.near}"] * (self.shape.name == "graph")
        return "; ".join([*says, f"flags {self.reading}"])


@lru_cache(maxsize=16)
def _readings(
    shape: Shape,
    most: tuple[int, ...],
    dyed: frozenset[int],
    weights: tuple[tuple[int, int], ...],
) -> Readings:
    return Readings(shape, every_layout(most), dyed, dict(weights))


def chequered(shape: Shape) -> frozenset[int]:
    """Return the cells whose coordinates have an odd sum; none of a graph."""
    found = enumerate(shape.cells)
    return frozenset(i for i, cell in found if isinstance(cell, tuple) and sum(cell) % 2)


def draw(subject: Subject, rng: Random, size: tuple[int, int] | None = None) -> RuleBoard:
    """Return a random board of a subject; ``size``: rows and columns of a grid."""
    board = _empty(subject, rng, size)
    readings = board.readings
    table = board.base
    for letters in subject.layouts:
        table &= readings.layout(letters, LAYOUTS[letters])
    if not table or rng.random() < 0.08:
        table = board.base
    places = np.flatnonzero(_bits(table, len(readings.layouts)))
    number = int(rng.choice(places))
    layout = readings.layouts[number]
    safe = [cell for cell in range(len(layout)) if not layout[cell] and cell not in board.opened]
    share = rng.choice((0.0, 0.2, 0.35, 0.5, 0.8)) if not board.opened else 0.0
    opened = sorted({*board.opened, *[cell for cell in safe if rng.random() < share]})
    numbered = [cell for cell in opened if rng.random() < 0.85]
    clues = _clues(subject, board, number, numbered, rng)
    if clues and rng.random() < 0.2:
        for cell in rng.sample(sorted(clues), min(len(clues), rng.choice((1, 1, 2)))):
            other = int(rng.choice(np.flatnonzero(_bits(board.base, len(readings.layouts)))))
            clues |= _clues(subject, board, other, [cell], rng)
    covered = [cell for cell in range(len(layout)) if cell not in opened]
    mines = [cell for cell in covered if layout[cell]]
    drawn = rng.random()
    among = [] if drawn < 0.7 else mines if drawn < 0.92 else covered
    flags = frozenset(rng.sample(among, min(rng.randint(1, 3), len(among))))
    left = [cell for cell in mines if cell not in flags]
    shown = frozenset(rng.sample(left, 1)) if left and rng.random() < 0.06 else frozenset()
    total = int(layout.sum())
    drawn = rng.random()
    if drawn < 0.12:
        total = min(max(total + rng.choice((-2, -1, 1, 2)), 0), sum(board_capacity(board)))
    return replace(
        board,
        clues=clues,
        opened=frozenset(opened) - {*clues},
        flags=flags,
        shown=shown,
        mines=None if drawn > 0.55 else total,
        regions=_regions(board, number, rng),
        reading="ignore" if rng.random() < (0.4 if flags else 0.05) else "trust",
    )


def board_capacity(board: RuleBoard) -> list[int]:
    """Return the most mines of each cell."""
    return [board.capacity.get(cell, 1) for cell in range(len(board.shape.cells))]


def _bits(table: int, length: int) -> "np.ndarray[tuple[int], np.dtype[np.uint8]]":
    packed = np.frombuffer(table.to_bytes((length + 7) // 8, "little"), np.uint8)
    return np.unpackbits(packed, bitorder="little")[:length]


def _empty(subject: Subject, rng: Random, size: tuple[int, int] | None) -> RuleBoard:
    name = subject.geometry
    weights: dict[int, int] = {}
    capacity: dict[int, int] = {}
    if name == "graph":
        shape = network(rng, rng.randint(1, 12), rng.random() < 0.3)
    elif name == "cubes":
        shape = cubes(*rng.choice(((2, 2, 2), (2, 2, 3), (3, 2, 2), (1, 3, 4), (2, 3, 2))))
    else:
        sizes = [(3, 3), (3, 4), (4, 3), (4, 4), (4, 4), (4, 5), (5, 4), (5, 5)]
        rows, columns = rng.choice(sizes)
        if subject.clues == "2L" and rng.random() < 0.9:
            rows = columns = rng.choice((3, 4, 4, 5))
        elif name != "torus" and rng.random() < 0.1:
            rows, columns = rng.choice(((1, 1), (1, 5), (6, 1), (2, 2), (2, 6), (1, 9), (7, 2)))
        elif name == "torus" and rng.random() < 0.1:
            rows, columns = rng.choice(((3, 5), (5, 3)))
        shape = GRIDS[name](*(size or (rows, columns)))
    n = len(shape.cells)
    dyed = None
    if rng.random() < (0.5 if name == "graph" else 0.08):
        dyed = frozenset(cell for cell in range(n) if rng.random() < 0.4)
    if name == "graph" and rng.random() < 0.4:
        # Under V a sum may be below zero, which no text shows.
        least = -1 if subject.clues == "V" else 0
        weights = {cell: rng.randint(least, 3) for cell in range(n) if rng.random() < 0.4}
    if name == "graph" and rng.random() < 0.4:
        capacity = {cell: rng.randint(1, 3) for cell in range(min(n, 9)) if rng.random() < 0.3}
        shape = shape if n <= 9 else network(rng, 9)
        weights = {cell: weight for cell, weight in weights.items() if cell < 9}
        dyed = dyed if dyed is None else frozenset(cell for cell in dyed if cell < 9)
        n = len(shape.cells)
    opened = frozenset[int]()
    if n > 16:
        opened = frozenset(rng.sample(range(n), n - rng.randint(8, 12)))
    return RuleBoard(
        shape, subject.layouts, subject.clues == "#", {}, opened, dyed=dyed, weights=weights,
        capacity=capacity, rule="V" if subject.clues == "#" else subject.clues,
    )  # fmt: skip


def own_letters(shape: Shape) -> list[str]:
    """Return the rules of clues that a shape allows beside one another."""
    plain = ["V", "L", "2M", "2A", "M", "N", "2X", "2X'"]
    if shape.circle is not None:
        plain += ["W", "P"]
    if shape.squares:
        plain += ["X", "X'", "E", "K", "2D", "2K", "2P", "2Q"]
    return plain


def _clues(
    subject: Subject, board: RuleBoard, number: int, cells: Sequence[int], rng: Random
) -> dict[int, tuple[str, str]]:
    if subject.clues in TOGETHER:
        return _depending(subject.clues, board, number, cells, rng)
    found = {}
    for cell in cells:
        letters = rng.choice(own_letters(board.shape)) if board.own else subject.clues
        texts = board.readings.texts(letters, cell, number)
        if texts:
            found[cell] = letters, rng.choice(texts)
    if board.own and rng.random() < 0.15:
        letters = rng.choice(TOGETHER)
        if letters == "2E" or (board.shape.squares and board.shape.circle):
            some = [cell for cell in found if rng.random() < 0.6]
            found |= _depending(letters, board, number, some, rng)
    return found


def _depending(
    letters: str, board: RuleBoard, number: int, cells: Sequence[int], rng: Random
) -> dict[int, tuple[str, str]]:
    layout = board.readings.layouts[number]
    shape = board.shape
    around = {cell: int(sum(layout[near] for near in shape.near[cell])) for cell in cells}
    if letters == "2E":
        names = rng.sample("ABCDEFGHI", 9)
        return {cell: (letters, names[count]) for cell, count in around.items() if count < 9}
    if letters == "2I":
        assert shape.circle is not None
        missing = rng.randrange(8)
        shown = {}
        for cell, count in around.items():
            away = shape.circle[cell][missing]
            shown[cell] = letters, str(count - (0 if away is None else int(layout[away])))
        return shown
    columns = shape.size[1]
    order = list(range(columns))
    # A choice of wrong cells, one in each row and column, if possible without a mine.
    for _ in range(30):
        rng.shuffle(order)
        wrong = {row * columns + column for row, column in enumerate(order[: shape.size[0]])}
        if not any(layout[cell] for cell in wrong if cell < len(layout)):
            break
    found = {}
    for cell, count in around.items():
        off = rng.choice((-1, 1)) if cell in wrong else 0
        found[cell] = letters, str(max(count + off, 1 if off and not count else 0))
    return found


def _regions(
    board: RuleBoard, number: int, rng: Random
) -> tuple[tuple[str, tuple[int, ...], int, str], ...]:
    if rng.random() > (0.4 if board.shape.name == "graph" else 0.06):
        return ()
    layout = board.readings.layouts[number]
    found = []
    for name in ("one", "two")[: rng.randint(1, 2)]:
        cells = rng.sample(range(len(layout)), rng.randint(1, min(6, len(layout))))
        mines = int(layout[cells].sum())
        if rng.random() < 0.2:
            mines = max(mines + rng.choice((-1, 1)), 0)
        arranged = rng.choice(("", "together", "apart"))
        if any(board.capacity.get(cell, 1) > 1 for cell in cells):
            arranged = ""
        found.append((name, tuple(cells), mines, arranged))
    return tuple(found)


def subjects(groups: Iterable[str]) -> list[Subject]:
    """Return the subjects of groups: ``singles``, ``pairs``, ``geometries``."""
    found: list[Subject] = []
    for group in groups:
        if group == "singles":
            found += [Subject("square", (letters,), "V") for letters in LAYOUTS]
            found += [Subject("square", (), letters) for letters in CLUES]
            found.append(Subject("square", (), "#"))
        elif group == "pairs":
            rng = Random("pairs of rules")
            two = [(a, b) for a in LAYOUTS for b in LAYOUTS if a < b]
            found += [Subject("square", each, "V") for each in rng.sample(two, 16)]
            mixed = [(a, b) for a in LAYOUTS for b in CLUES if b != "V"]
            found += [Subject("square", (a,), b) for a, b in rng.sample(mixed, 22)]
            found += [Subject("square", (), letters) for letters in PAIRS]
            found += [Subject("square", (letters,), "#") for letters in ("C", "Q", "2G")]
        else:
            counting = ["V", "M", "L", "N", "2M", "2X", "2X'", "2A", "2E", "L M", "M N", "2M M"]
            ringed = ["W", "P", "L P"]
            hung = ["C", "O", "D", "S", "U", "2F", "2G"]
            for name in ("hexagonal", "triangular"):
                found += [Subject(name, (), letters) for letters in (*counting, *ringed, "#")]
                found += [Subject(name, (letters,), "V") for letters in (*hung, "H", "2H", "2S")]
            for name in ("torus", "knight", "cross"):
                found += [Subject(name, (), letters) for letters in (*CLUES, "#")
                          if name == "torus" or letters not in ("W", "P", "2I")]  # fmt: skip
                found += [Subject(name, (letters,), "V") for letters in LAYOUTS
                          if name != "torus" or letters not in ("2S", "2B", "O")]  # fmt: skip
            found += [Subject("cubes", (), letters) for letters in (*counting, "#")]
            found += [Subject("graph", (), letters) for letters in (*counting, "#")]
            for name in ("cubes", "graph"):
                found += [Subject(name, (letters,), "V") for letters in hung if letters != "O"]
    return found
