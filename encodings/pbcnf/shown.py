"""Base classes of values that show themselves, in notebooks and by ``print``.

A value is drawn by the functions ``as_text``, ``as_svg`` and ``as_html`` of the package to which
the class of the value belongs. They are looked up when the value is shown: their modules import the
classes of the values, so that importing these functions here would be circular.
"""

import sys
from typing import Any, Final

_MOST: Final = 20_000
"""The largest number of characters of a text that a notebook shows."""


class Shown:
    """A value with a text of some lines, for ``print`` and for notebooks that draw nothing."""

    __slots__ = ()

    def __init_subclass__(cls, **rest: Any) -> None:
        super().__init_subclass__(**rest)
        # IPython looks for `_repr_pretty_` no further than the first class with a `__repr__` of its
        # own.
        cls._repr_pretty_ = Shown._repr_pretty_  # type: ignore[method-assign]

    def __str__(self) -> str:
        """Return the value as text of some lines."""
        return str(_package(self).as_text(self))

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        # A value inside a list or another container is shown by its repr, on one line.
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
