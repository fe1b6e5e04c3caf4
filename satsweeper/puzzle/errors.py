"""Errors about rules and geometries."""

from satsweeper.board.errors import Error


class RuleError(Error, ValueError):
    """A rule that does not exist, does not fit the board or another rule, or a wrong clue."""
