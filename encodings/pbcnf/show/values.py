"""Values as SVG, HTML and plain text: what notebooks ask for, and what can be written to files."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, Final

_TABLE: Final = {
    "pbcnf.constraints.constraint.Cardinality": "pbcnf.show.constraints",
    "pbcnf.constraints.constraint.PseudoBoolean": "pbcnf.show.constraints",
    "pbcnf.constraints.constraint.Parity": "pbcnf.show.constraints",
    "pbcnf.constraints.problem.Objective": "pbcnf.show.constraints",
    "pbcnf.constraints.problem.Problem": "pbcnf.show.constraints",
    "pbcnf.audit.contract.Contract": "pbcnf.show.contracts",
    "pbcnf.show.drawing.Drawing": "pbcnf.show.encodings",
    "pbcnf.encoders.circuits.template.Template": "pbcnf.show.encodings",
}
"""Class -> the module with functions `svg`, `html` and `text` that show values of the class."""


def as_svg(value: object) -> str | None:
    """Return the drawing of a `Template` or of what `draw` returns, for light and dark pages.

    None if there are more than 600 clauses. Raises TypeError for other values.
    """
    drawing: str | None = shows(value, _TABLE, "svg")(value)
    return drawing


def as_html(value: object) -> str:
    """Return constraints, objectives, problems and contracts of encoders as HTML.

    All text is escaped; long lists show their beginning and the number of items.

    Raises TypeError for other values.
    """
    return str(shows(value, _TABLE, "html")(value))


def as_text(value: object) -> str:
    """Return a drawing, constraint, objective, problem or contract as lines of ASCII.

    Names of variables are not changed.
    """
    return str(shows(value, _TABLE, "text")(value))


def shows(value: object, table: Mapping[str, str], what: str) -> Any:
    """Return the function that shows `value` as `what`: ``svg``, ``html`` or ``text``.

    `table` maps classes, as ``module.Class``, to modules. Raises TypeError if no module in `table`
    shows the type of `value` as `what`.
    """
    for each in type(value).__mro__:
        module = table.get(f"{each.__module__}.{each.__qualname__}")
        found = module and getattr(import_module(module), what, None)
        if found:
            return found
    raise TypeError(f"there is no {what} of {type(value).__name__} objects")
