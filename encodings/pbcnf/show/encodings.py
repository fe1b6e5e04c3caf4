"""Encodings as drawings: templates, and what `pbcnf.show.drawing` makes."""

from typing import Final

from pbcnf.encoders.circuits.template import Template
from pbcnf.show.drawing import Drawing
from pbcnf.show.svg import svg as document

_MOST: Final = 600
"""The largest number of clauses that a drawing shows: more cannot be distinguished."""


def svg(value: Drawing | Template) -> str | None:
    """Return the drawing; None beyond 600 clauses."""
    drawing = _drawing(value)
    return document(drawing) if len(drawing.clauses) <= _MOST else None


def text(value: Drawing | Template) -> str:
    """Return title and sizes of an encoding."""
    drawing = _drawing(value)
    title = drawing.title.translate({ord("≤"): "<=", ord("…"): "...", ord("·"): "*"})
    late = f"more than {_MOST} clauses: not drawn"
    return "\n".join([title, drawing.sizes, *[late] * (len(drawing.clauses) > _MOST)])


def _drawing(value: Drawing | Template) -> Drawing:
    if isinstance(value, Drawing):
        return value
    inputs, whole = value.inputs, value.inputs + value.auxiliaries
    return Drawing("A template", (1,) * inputs, whole, value.clauses)
