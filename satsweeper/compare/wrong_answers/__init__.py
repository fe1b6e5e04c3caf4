"""A wrong answer of a sweep, shrunk to a small board or problem that shows it."""
