"""Strategies: where to guess. One file each, one table; a strategy is a function of a view."""
