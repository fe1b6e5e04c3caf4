"""Strategies, which say where to guess: functions from a view of a position to a cell."""
