"""Strategies, which choose the cell of a guess: functions from a view of a position to a cell."""
