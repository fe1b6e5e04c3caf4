"""The session, with sums of clues modulo 2 and 3 and a linear program where search fails.

Promise: complete, with the total or without, and what ``classify`` runs unless told otherwise. What
is hard for resolution and for counting at once stays exponential.
"""

from satsweeper.engines.sat import classify

__all__ = ["classify"]
