"""Constraints in normal form that need encoding: neither trivial nor a clause.

So every encoder gets the same questions, and none is measured on what needs no encoding.
"""

from collections.abc import Iterable
from typing import Final

from pbcnf.constraints.constraint import Linear
from pbcnf.constraints.weighted_normal_form import sum_of
from pbcnf.encoders.protocol import Encoder
from pbcnf.encoders.weighted import WeightedEncoder
from pbcnf.formula import EncodingSize
from pbcnf.wording import counted
from satsweeper.peers.user_encoder import faults_told

MOST_CLAUSES: Final = 20_000_000
"""A constraint that would have more clauses is refused before any job begins."""

Shape = tuple[tuple[int, ...], int, int]
"""Weights, lower and upper bound of a sum."""


def shapes_of(constraints: Iterable[Linear]) -> set[Shape]:
    """Return the shapes of sums that encoders must encode for ``constraints``."""
    found = set()
    for constraint in constraints:
        form = sum_of(constraint)
        if form is not None and form.lits and form.clause() is None:
            found.add((form.weights, form.lower, form.upper))
    return found


def require_expressible(shapes: Iterable[Shape], encoder: Encoder | None, name: str) -> None:
    """Check that an encoder, or native constraints (None), can express all ``shapes``.

    Raises:
        ValueError: it cannot express one, or needs more than twenty million clauses for one.
        EncoderFaultError: it is somebody's own, and fails.
    """
    for weights, lower, upper in sorted(shapes):
        what = f"{lower} <= sum of {counted(len(weights), 'literal')} <= {upper}"
        if max(weights) > 1:
            what = f"a sum with weights up to {max(weights)}"
        try:
            with faults_told(name, lower, upper, len(weights)):
                clauses = _size(encoder, weights, lower, upper).clauses
        except ValueError as error:
            raise ValueError(f"encoder {name!r} cannot express {what}: {error}") from None
        if clauses > MOST_CLAUSES:
            raise ValueError(
                f"encoder {name!r} needs {clauses:,} clauses for {what}: the limit is"
                f" {MOST_CLAUSES:,}"
            )


def _size(
    encoder: Encoder | None, weights: tuple[int, ...], lower: int, upper: int
) -> EncodingSize:
    if max(weights) == 1:
        if encoder is None:
            return EncodingSize(0, 0, 0)
        return encoder.size(len(weights), lower, upper)
    if isinstance(encoder, WeightedEncoder):
        return encoder.weighted_size(weights, lower, upper)
    raise ValueError("it takes weights 1 only")
