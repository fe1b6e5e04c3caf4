"""Play by certain moves alone: one session, which every opened cell is revealed to."""

from itertools import product

from satsweeper import Position, Session

LAYOUT = ["....*", ".....", "*....", "...*.", "....."]
SIZE = len(LAYOUT)


def clue(row: int, column: int) -> int:
    """How many mines lie around a cell."""
    near = product((row - 1, row, row + 1), (column - 1, column, column + 1))
    return sum(LAYOUT[r][c] == "*" for r, c in near if 0 <= r < SIZE and 0 <= c < SIZE)


covered = Position.parse("\n".join(["?" * SIZE] * SIZE), mines="".join(LAYOUT).count("*"))
with Session(covered) as session:
    opened = [(0, 0)]
    while opened:
        for cell in opened:
            session.reveal(cell, clue(*cell))
        result = session.classify()
        opened = result.safe
        print(f"safe: {len(opened)}, mines: {len(result.mines)}, unknown: {len(result.unknown)}")
    print(*result.grid(), sep="\n")
