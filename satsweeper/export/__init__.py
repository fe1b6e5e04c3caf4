"""A position or a problem as files for other solvers, and their answers back on the board."""
