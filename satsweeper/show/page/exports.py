"""A board of the page as a file for solvers, with the map from variables to cells."""

from io import BytesIO
from typing import Any, Final

from satsweeper.export.formula import BoardProblem, formula_of
from satsweeper.show.page.boards import position_of

FORMATS: Final = ("cnf", "icnf", "opb")
"""The formats that the page writes; the command line writes more."""


def export(asked: dict[str, Any]) -> dict[str, Any]:
    """The ``board`` in a ``format``, one of ``FORMATS``, as ``export`` writes it.

    The total of CNF is encoded by the adder, which needs no numpy.
    The answer has the ``text`` of the file, and in ``map`` what ``export --map`` writes.
    """
    position, flags = position_of(asked["board"]), asked.get("flags", "trust")
    format, stream = asked["format"], BytesIO()
    if format not in FORMATS:
        raise ValueError(f"the page writes no {format}: {', '.join(FORMATS)}")
    exported = (
        BoardProblem.of(position, flags)
        if format == "opb"
        else formula_of(position, flags=flags, total_encoding="adder")
    )
    exported.write(stream, format)
    return {"text": stream.getvalue().decode("ascii"), "map": exported.as_json()}
