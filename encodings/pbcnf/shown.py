"""Base classes of values that show themselves, in notebooks and by ``print``.

The functions that draw a value, ``as_text``, ``as_svg`` and ``as_html``, are names of the package
that the class of the value belongs to, and are looked up when the value is looked at: they are
built on the values and cannot be imported here.
"""

import sys
from typing import Any, Final

_MOST: Final = 20_000
"""Number of characters of a text that a notebook shows."""


class Shown:
    """A value with a text of some lines, for ``print`` and for notebooks that draw nothing."""

    __slots__ = ()

    def __init_subclass__(cls, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        # IPython looks no further than the first class that has a __repr__.
        cls._repr_pretty_ = Shown._repr_pretty_  # type: ignore[method-assign]

    def __str__(self) -> str:
        """Return the value as text of some lines."""
        return str(_package(self).as_text(self))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # Inside a list, one line each.
        text = repr(self) if len(printer.stack) > 1 else str(self)
        left = len(text) - _MOST
        printer.text(text if left <= 0 else f"{text[:_MOST]}\n... and {left} characters more")


class Drawn(Shown):
    """A value that notebooks show as a drawing."""

    __slots__ = ()

    def _repr_svg_(self) -> Any:
        return _package(self).as_svg(self)


class Tabled(Shown):
    """A value that notebooks show as a table, or as a line with signs."""

    __slots__ = ()

    def _repr_html_(self) -> Any:
        return _package(self).as_html(self)


def _package(value: object) -> Any:
    """Return the package that draws `value`: where its class is from, or the nearest base class."""
    names = (kind.__module__.partition(".")[0] for kind in type(value).__mro__)
    return next(found for name in names if hasattr(found := sys.modules[name], "as_text"))
