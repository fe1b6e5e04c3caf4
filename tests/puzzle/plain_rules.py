"""Rules read plainly off a layout on squares: an oracle that shares no code with the product.

A layout is a frozenset of cells ``(row, column)``; a board has ``rows`` x ``columns`` cells.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise, product

Cell = tuple[int, int]
Mines = frozenset[Cell]

AROUND = [(-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1)]
BESIDE = [(-1, 0), (0, 1), (1, 0), (0, -1)]


def cells(rows: int, columns: int) -> list[Cell]:
    return list(product(range(rows), range(columns)))


def steps(cell: Cell, offsets: Iterable[tuple[int, int]]) -> list[Cell]:
    return [(cell[0] + down, cell[1] + right) for down, right in offsets]


def groups(found: Iterable[Cell], offsets: Iterable[tuple[int, int]]) -> list[set[Cell]]:
    left, parts = set(found), []
    offsets = list(offsets)
    while left:
        part = {left.pop()}
        edge = list(part)
        while edge:
            for near in steps(edge.pop(), offsets):
                if near in left:
                    left.discard(near)
                    part.add(near)
                    edge.append(near)
        parts.append(part)
    return parts


def degree(cell: Cell, mines: Mines) -> int:
    return sum(near in mines for near in steps(cell, BESIDE))


def lines(rows: int, columns: int) -> tuple[list[list[Cell]], list[list[Cell]]]:
    across = [[(row, column) for column in range(columns)] for row in range(rows)]
    return across, [[(row, column) for row in range(rows)] for column in range(columns)]


def segments(line: list[Cell], mines: Mines) -> int:
    values = [False] + [cell in mines for cell in line]
    return sum(not before and now for before, now in pairwise(values))


def quad(mines: Mines, rows: int, columns: int) -> bool:
    return all(
        any((row + i, column + j) in mines for i in (0, 1) for j in (0, 1))
        for row in range(rows - 1)
        for column in range(columns - 1)
    )


def connected(mines: Mines, rows: int, columns: int) -> bool:
    return len(groups(mines, AROUND)) <= 1


def no_triple(mines: Mines, rows: int, columns: int) -> bool:
    return not any(
        {(r, c), (r + i, c + j), (r + 2 * i, c + 2 * j)} <= mines
        for r, c in mines
        for i, j in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


def outside(mines: Mines, rows: int, columns: int) -> bool:
    free = set(cells(rows, columns)) - mines
    return len(groups(free, BESIDE)) <= 1 and all(
        any(r in (0, rows - 1) or c in (0, columns - 1) for r, c in group)
        for group in groups(mines, BESIDE)
    )


def dominoes(mines: Mines, rows: int, columns: int) -> bool:
    return all(degree(cell, mines) == 1 for cell in mines)


def snake(mines: Mines, rows: int, columns: int) -> bool:
    if len(mines) == 1:
        return True
    found = Counter(degree(cell, mines) for cell in mines)
    return len(groups(mines, BESIDE)) == 1 and set(found) <= {1, 2} and found[1] == 2


def balance(mines: Mines, rows: int, columns: int) -> bool:
    return all(
        len({sum(cell in mines for cell in line) for line in kind}) == 1
        for kind in lines(rows, columns)
    )


def no_knight(mines: Mines, rows: int, columns: int) -> bool:
    return not any((r + i, c + j) in mines for r, c in mines
                   for i, j in ((1, 2), (2, 1), (-1, 2), (-2, 1)))  # fmt: skip


def no_horizontal(mines: Mines, rows: int, columns: int) -> bool:
    return not any((r, c + 1) in mines for r, c in mines)


def no_edge(mines: Mines, rows: int, columns: int) -> bool:
    return not any(degree(cell, mines) for cell in mines)


def horizontal(mines: Mines, rows: int, columns: int) -> bool:
    return all((r, c - 1) in mines or (r, c + 1) in mines for r, c in mines)


def rectangles(mines: Mines, rows: int, columns: int) -> bool:
    def rectangle(group: set[Cell]) -> bool:
        height = {r for r, _ in group}
        width = {c for _, c in group}
        return len(group) == (max(height) - min(height) + 1) * (max(width) - min(width) + 1)

    return connected(mines, rows, columns) and all(map(rectangle, groups(mines, BESIDE)))


def one_run(mines: Mines, rows: int, columns: int) -> bool:
    return all(segments(line, mines) == 1 for line in lines(rows, columns)[0])


def fours(mines: Mines, rows: int, columns: int) -> bool:
    return all(len(group) == 4 for group in groups(mines, BESIDE))


def dyed_dominoes(mines: Mines, rows: int, columns: int) -> bool:
    return all(degree(cell, mines) == 1 for cell in mines if sum(cell) % 2)


def bridges(mines: Mines, rows: int, columns: int) -> bool:
    found = [sorted(r for r, c in mines if c == column) for column in range(columns)]
    return all(
        len(one) == len(other) and all(abs(a - b) <= 1 for a, b in zip(one, other, strict=True))
        for one, other in pairwise(found)
    )


def trio(mines: Mines, rows: int, columns: int) -> bool:
    return not any(
        len({cell in mines for cell in line[start : start + 3]}) == 1
        for kind in lines(rows, columns)
        for line in kind
        for start in range(len(line) - 2)
    )


def zero_sum(mines: Mines, rows: int, columns: int) -> bool:
    return all(
        sum((cell in mines) * (1 if sum(cell) % 2 else -1) for cell in line) == 0
        for line in lines(rows, columns)[0]
    )


LAYOUTS: dict[str, Callable[[Mines, int, int], bool]] = {
    "Q": quad, "C": connected, "T": no_triple, "O": outside, "D": dominoes, "S": snake,
    "B": balance, "A": no_knight, "H": no_horizontal, "U": no_edge, "2H": horizontal,
    "2C": rectangles, "2S": one_run, "2G": fours, "2F": dyed_dominoes, "2B": bridges, "2T": trio,
    "2Z": zero_sum,
}  # fmt: skip


def counted(cell: Cell, mines: Mines, offsets: Iterable[tuple[int, int]]) -> int:
    return sum(near in mines for near in steps(cell, offsets))


def dyed(found: Iterable[Cell], mines: Mines) -> tuple[int, int]:
    found = [cell for cell in found if cell in mines]
    odd = sum(sum(cell) % 2 for cell in found)
    return odd, len(found) - odd


def ring_runs(cell: Cell, mines: Mines) -> list[int]:
    word = "".join("x" if near in mines else " " for near in steps(cell, AROUND))
    if word == "x" * 8:
        return [8]
    start = word.index(" ")
    return sorted(map(len, (word[start:] + word[:start]).split()))


CROSS = [(i * k, j * k) for i, j in BESIDE for k in (1, 2)]
KNIGHT = [(i, j) for i in (-2, -1, 1, 2) for j in (-2, -1, 1, 2) if abs(i) != abs(j)]


def sight(cell: Cell, mines: Mines, rows: int, columns: int) -> int:
    seen = 1
    for i, j in BESIDE:
        r, c = cell[0] + i, cell[1] + j
        while 0 <= r < rows and 0 <= c < columns and (r, c) not in mines:
            seen, r, c = seen + 1, r + i, c + j
    return seen


def directions(cell: Cell, mines: Mines) -> int:
    return sum(
        any((cell[0] + i * k, cell[1] + j * k) in mines for k in range(1, 40)) for i, j in AROUND
    )


def nearest(cell: Cell, mines: Mines) -> int | None:
    far = sorted((r - cell[0]) ** 2 + (c - cell[1]) ** 2 for r, c in mines)
    return far[0] * far[1] if len(far) > 1 else None


def area(cell: Cell, mines: Mines) -> int:
    beside = set(steps(cell, BESIDE))
    return sum(len(group) for group in groups(mines, BESIDE) if group & beside)


def shown(letters: str, cell: Cell, mines: Mines, rows: int, columns: int) -> set[str]:
    """The texts that a safe ``cell`` may show under a rule of clues, or under two."""
    plain = counted(cell, mines, AROUND)
    ring = steps(cell, AROUND)
    odd, even = dyed(ring, mines)
    cross_odd, cross_even = dyed(steps(cell, CROSS), mines)

    def one_off(number: int, most: int = 8) -> set[str]:
        return {str(n) for n in (number - 1, number + 1) if 0 <= n <= most}

    match letters:
        case "V":
            return {str(plain)}
        case "M":
            return {str(2 * odd + even)}
        case "L":
            return one_off(plain)
        case "W":
            return {"".join(map(str, ring_runs(cell, mines))) or "0"}
        case "P":
            return {str(len(ring_runs(cell, mines)))}
        case "N":
            return {str(abs(odd - even))}
        case "X":
            return {str(counted(cell, mines, CROSS))}
        case "X'":
            return {str(counted(cell, mines, BESIDE))}
        case "E":
            return {str(sight(cell, mines, rows, columns))}
        case "K":
            return {str(counted(cell, mines, KNIGHT))}
        case "2X":
            return {f"{min(odd, even)}{max(odd, even)}"}
        case "2X'":
            return {str(odd), str(even)}
        case "2D":
            above = (cell[0] - 1, cell[1])
            return {str(counted(above, mines, [*AROUND, (0, 0)]))}
        case "2M":
            return {str(plain % 3)}
        case "2A":
            return {str(area(cell, mines))}
        case "2P":
            found = nearest(cell, mines)
            return set() if found is None else {str(found)}
        case "2Q":
            return {str(directions(cell, mines))}
        case "2K":
            six = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1)]
            return {str(counted(cell, mines, six))}
        case "M X":
            return {str(2 * cross_odd + cross_even)}
        case "N X":
            return {str(abs(cross_odd - cross_even))}
        case "M N":
            return {str(abs(2 * odd - even))}
        case "L M":
            return one_off(2 * odd + even, 99)
        case "L X":
            return one_off(cross_odd + cross_even)
        case "L P":
            return one_off(len(ring_runs(cell, mines)), 4)
        case "2M M":
            return {str((2 * odd + even) % 3)}
        case "2X X":
            return {f"{min(cross_odd, cross_even)}{max(cross_odd, cross_even)}"}
        case "2M 2K":
            six = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1)]
            return {str(counted(cell, mines, six) % 3)}
        case "K M":
            far_odd, far_even = dyed(steps(cell, KNIGHT), mines)
            return {str(2 * far_odd + far_even)}
    raise KeyError(letters)


SINGLE = ["V", "M", "L", "W", "P", "N", "X", "X'", "E", "K", "2X", "2X'", "2D", "2M", "2A", "2P",
          "2Q", "2K"]  # fmt: skip
PAIRS = ["M X", "N X", "M N", "L M", "L X", "L P", "2M M", "2X X", "2M 2K", "K M"]


def layouts(rows: int, columns: int) -> Iterator[Mines]:
    every = cells(rows, columns)
    for number in range(1 << len(every)):
        yield frozenset(cell for place, cell in enumerate(every) if number >> place & 1)
