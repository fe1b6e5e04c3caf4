"""Classify a board: the verdict of every covered cell, and the reason for each that is certain."""

from pathlib import Path

from satsweeper import Position, classify, explain

position = Position.read(Path(__file__).with_name("danamlund_8x8.txt"))
result = classify(position)
print(*result.grid(), sep="\n")
for cell in [*result.safe, *result.mines]:
    print(explain(position, cell).sentence)
