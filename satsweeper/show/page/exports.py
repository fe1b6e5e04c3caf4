"""A board of the page as a file for solvers, with the map from variables to cells."""

from io import BytesIO
from typing import Any

from pbcnf.formats.problems import write_problem
from pbcnf.formats.table import FORMATS
from satsweeper.clues import constraints_of
from satsweeper.export.formats import problem_of, write_clauses
from satsweeper.export.formula import formula_of, name_map, provenance
from satsweeper.show.page.boards import position_of


def export(asked: dict[str, Any]) -> dict[str, Any]:
    """The ``board`` in a ``format`` (``cnf``, ``opb`` ...), as ``export`` writes it.

    The answer has the ``text`` of the file, and in ``map`` what ``export --map`` writes.
    """
    position, flags = position_of(asked["board"]), asked.get("flags", "trust")
    format, stream = asked["format"], BytesIO()
    if FORMATS[format].holds == "clauses":
        formula = formula_of(position, flags=flags)
        write_clauses(formula, stream, format)
        return {"text": stream.getvalue().decode("ascii"), "map": formula.as_json()}
    board = constraints_of(position, flags)
    write_problem(problem_of(board), stream, format, comments=provenance(position, board))
    return {"text": stream.getvalue().decode("ascii"), "map": name_map(position, board)}
