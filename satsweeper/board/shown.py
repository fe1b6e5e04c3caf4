"""Values that show themselves in notebooks: what draws them stands above, and the face knows it.

A value lies on a low floor, its drawing on the top one. So it asks when it is looked at, and it
asks the face of its package, which may name everything below itself.
"""

import sys
from typing import Any, Final

_MOST: Final = 20_000
"""Characters that a notebook shows of a text."""


class Shown:
    """A value with a text of some lines, for ``print`` and for notebooks that draw nothing."""

    __slots__ = ()

    def __init_subclass__(cls, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        # IPython looks no further than the first class that has a __repr__.
        cls._repr_pretty_ = Shown._repr_pretty_  # type: ignore[method-assign]

    def __str__(self) -> str:
        """What there is to read of it."""
        return str(_face().as_text(self))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # Inside a list, one line each.
        text = repr(self) if len(printer.stack) > 1 else str(self)
        left = len(text) - _MOST
        printer.text(text if left <= 0 else f"{text[:_MOST]}\n... and {left} characters more")


class Drawn(Shown):
    """A value that notebooks show as a drawing."""

    __slots__ = ()

    def _repr_svg_(self) -> Any:
        return _face().as_svg(self)


class Tabled(Shown):
    """A value that notebooks show as a table, or as a line with signs."""

    __slots__ = ()

    def _repr_html_(self) -> Any:
        return _face().as_html(self)


def _face() -> Any:
    return sys.modules[__name__.partition(".")[0]]
