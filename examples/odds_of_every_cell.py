"""The odds of every cell, exactly: without a total, and with one."""

from satsweeper import Position, odds

BOARD = """
01??
12??
????
"""

for mines in (None, 4):
    found = odds(Position.parse(BOARD, mines=mines))
    print(f"total {mines}: {found.solutions} layouts")
    for cell, chance in found.mine.items():
        print(f"  {cell}: {chance}")
    print("  safest:", *found.safest())
