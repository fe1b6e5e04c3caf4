"""Boards drawn at random from a layout, so that they have one; and what all their layouts say."""

import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import compress

from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.puzzle.board import CLUE_RULES, PuzzleClue
from satsweeper.checker.puzzle.clue_rows import statement_of
from satsweeper.checker.puzzle.grid import Grid
from satsweeper.checker.puzzle.predicates import LAYOUTS, broken_by, clue_holds, runs
from satsweeper.checker.puzzle.reading import read_puzzle_board

PAIRS = ["M X", "N X", "M N", "L M", "L X", "L P", "2M M", "2X X", "2M 2K", "K M", "L E", "L 2A",
         "2M E", "L 2Q", "L N", "2X' K"]  # fmt: skip
"""Two rules of clues together."""
CLUES = [*CLUE_RULES, *PAIRS, "#"]


def sets_of(cells: int) -> Iterator[set[int]]:
    for number in range(1 << cells):
        yield {cell for cell in range(cells) if number >> cell & 1}


def possible_texts(grid: Grid, letters: tuple[str, ...], cell: int, mines: set[int]) -> list[str]:
    """All texts that a clue may show in a layout, by trying."""
    texts = [str(number) for number in range(40)]
    if "W" in letters:
        ring = [near in mines for near in grid.rings[cell]]
        texts = ["".join(map(str, runs(ring))) or "0"]
    elif "2X" in letters:
        texts = [f"{a}{b}" for a in range(10) for b in range(a, 10)]
    elif "2P" in letters:
        far = sorted(grid.distance(cell, mine) for mine in mines)
        texts = [str(far[0] * far[1])] if len(far) > 1 else []
    layout = Counter(mines)
    return [text for text in texts if clue_holds(grid, PuzzleClue(cell, letters, text), layout)]


def drawn(
    rules: Sequence[str], geometry: str, rows: int, columns: int, rng: random.Random
) -> str | None:
    """The text of a board under ``rules`` with some clues; None if no layout was found."""
    grid = Grid(geometry, rows, columns)
    layout_rules = [each for each in rules if each in LAYOUTS]
    letters = tuple(each for each in rules if each not in LAYOUTS and each != "V") or ("V",)
    for _ in range(4000):
        density = rng.choice((0.2, 0.35, 0.5))
        mines = {cell for cell in range(grid.size) if rng.random() < density}
        if all(LAYOUTS[each](grid, mines) for each in layout_rules):
            break
    else:
        return None
    cells = ["?"] * grid.size
    secret = rng.sample("ABCDEGI", 7)
    for cell in range(grid.size):
        own = (rng.choice([*"VMLWNXPE"]),) if letters == ("#",) else letters
        if cell in mines or rng.random() < 0.6:
            continue
        count = sum(near in mines for near in grid.around[cell])
        if own == ("2I",):
            found = [str(sum(near in mines for k, near in enumerate(grid.rings[cell]) if k != 2))]
        elif own == ("2E",):
            found = [secret[count]] if count < 7 else []
        elif own == ("2L",):
            found = [str(count)]
        else:
            found = possible_texts(grid, own, cell, mines)
        if found:
            cells[cell] = ("".join(own) if letters == ("#",) else "") + rng.choice(found)
    if mines and rng.random() < 0.3:
        cells[rng.choice(sorted(mines))] = "F"
    total = len(mines) if rng.random() < 0.7 else "?"
    lines = [f"rules: {' '.join(rules)}", f"geometry: {geometry}", f"mines: {total}"]
    lines += [" ".join(cells[start : start + columns]) for start in range(0, grid.size, columns)]
    return "".join(f"{line}\n" for line in lines)


def true_verdicts(text: str, flags: str = "trust") -> str | None:
    """The verdicts of a board by brute force over all layouts; None if there is none."""
    board = read_puzzle_board(text)
    trusted = flags == "trust"
    covered = board.covered(trusted)
    both = [set[bool]() for _ in covered]
    found = False
    for chosen in sets_of(len(covered)):
        mines = set(compress(covered, [k in chosen for k in range(len(covered))]))
        mines |= board.flags if trusted else set()
        if broken_by(board, Counter(mines), trusted) is None:
            found = True
            for cell, seen in zip(covered, both, strict=True):
                seen.add(cell in mines)
    marks = {frozenset({True}): "M", frozenset({False}): "S", frozenset({True, False}): "?"}
    if not found:
        return None
    return "".join(marks[frozenset(seen)] for seen in both)


def fits(rules: Sequence[str], geometry: str) -> bool:
    """Whether a geometry has what the rules need, as the checker says."""
    if "#" in rules:
        return geometry in ("square", "torus")
    clue = "A" if "2E" in rules else "11" if "2X" in rules else "1"
    rows = f"? ? ?\n? {clue} ?\n? ? ?\n"
    try:
        text = f"rules: {' '.join(rules)}\ngeometry: {geometry}\n{rows}"
        statement_of(read_puzzle_board(text), True)
    except WrongCertificateError:
        return False
    return True
