"""The tables of sizes on the pages of encoders: made and counted, as far as that is quick."""

from collections.abc import Iterator
from typing import Any, Final

from pbcnf import Cardinality, EncodingError, EncodingSize, Formula, Parity, PseudoBoolean, encode
from pbcnf.constraints.constraint import Constraint
from pbcnf.encoders.parities import ParityEncoder
from pbcnf.encoders.weighted import takes_weights
from satsweeper.report.markdown import markdown_table

MOST_CLAUSES: Final = 20_000
"""Larger encodings are predicted, not made."""
BOUNDS: Final = {
    "at most 1 of 8": (8, 0, 1),
    "at most 2 of 8": (8, 0, 2),
    "exactly 4 of 8": (8, 4, 4),
    "3 to 5 of 8": (8, 3, 5),
    "at most 1 of 100": (100, 0, 1),
    "at most 10 of 100": (100, 0, 10),
    "at least 10 of 100": (100, 10, 100),
    "exactly 50 of 100": (100, 50, 50),
}
"""What is counted -> inputs and bounds."""
WEIGHTS: Final = {
    "weights 1 to 10: at most 20": (tuple(range(1, 11)), 0, 20),
    "weights 1 to 10: from 20 to 30": (tuple(range(1, 11)), 20, 30),
    "20 weights up to 50: at most 255": (tuple(7 * i % 50 + 1 for i in range(20)), 0, 255),
}
"""What is summed -> weights and bounds."""
PARITIES: Final = (4, 8, 20, 100)
_HEADS: Final = ("", "auxiliary variables", "clauses", "literals")
_PREDICTED = "\n\\* Predicted: it is too large to be made for this page.\n"


def table(encoder: Any) -> str:
    """Auxiliary variables, clauses and literals of everything above that the encoder expresses."""
    rows = []
    for title, constraint in _constraints(encoder):
        try:
            size, star = measured(encoder, constraint)
        except EncodingError:
            continue
        numbers = [_number(n) for n in (size.variables, size.clauses, size.literals)]
        rows.append([f"{title}{star}", *numbers])
    text = markdown_table(_HEADS, rows, range(1, 4)) + "\n"
    return text + _PREDICTED if "\\*" in text else text


def _constraints(encoder: Any) -> Iterator[tuple[str, Constraint]]:
    if isinstance(encoder, ParityEncoder):
        for n in PARITIES:
            yield f"parity of {n}", Parity(range(1, n + 1), odd=True)
        return
    for title, (n, lower, upper) in BOUNDS.items():
        yield title, Cardinality(range(1, n + 1), lower, upper)
    if takes_weights(encoder):
        for title, (weights, lower, upper) in WEIGHTS.items():
            yield title, PseudoBoolean(range(1, len(weights) + 1), weights, lower, upper)


def measured(encoder: Any, constraint: Constraint) -> tuple[EncodingSize, str]:
    """What the constraint adds, and a star if that is predicted.

    Raises EncodingError for what the encoder does not express.
    """
    n = len(constraint.lits)
    if isinstance(constraint, Cardinality):
        size = encoder.size(n, constraint.lower, constraint.upper)
        if size.clauses > MOST_CLAUSES:
            return size, " \\*"
    formula = Formula(num_vars=n)
    encode(constraint, formula, encoder)
    return EncodingSize(formula.num_vars - n, formula.num_clauses, formula.num_literals), ""


def _number(value: int) -> str:
    return f"{value:,}" if value < 10**9 else f"{value:.1e}".replace("e+", "e")
