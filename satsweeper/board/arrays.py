"""numpy, imported when it is first used: a small board is classified without it.

Importing numpy takes several times as long as classifying a beginner's board. Modules on that way
write ``from satsweeper.board.arrays import np`` and, for type checkers, ``import numpy as np``.
"""

from typing import Any


class _Numpy:
    """Stands for the module numpy."""

    def __getattr__(self, name: str) -> Any:
        import numpy

        value = getattr(numpy, name)
        setattr(self, name, value)
        return value


np = _Numpy()
