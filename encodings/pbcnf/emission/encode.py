"""From one constraint to clauses, or from many of one shape at once.

A live solver that takes many clues is fed from the same templates: `satsweeper.solvers.sink`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pbcnf.constraints.constraint import Cardinality, Constraint, PseudoBoolean, Stated, said
from pbcnf.emission.dispatch import AnyEncoder, emission, template
from pbcnf.emission.reification import half_reified, reified
from pbcnf.encoders.circuits.template import (
    Template,
    cached_if_asked_before,
    template_unless_large,
)
from pbcnf.encoders.protocol import Encoder
from pbcnf.encoders.table import find_encoder
from pbcnf.formula import Formula
from pbcnf.literals import Block, IntLike, has_numpy, literal, literal_array
from pbcnf.sink import ClauseSink, require_allocated

if TYPE_CHECKING:
    import numpy.typing as npt

_MOST_INPUTS: Final = 64
"""Inputs of the largest sums that `encode` looks up in the cache."""


def encode(
    constraint: Constraint | Stated,
    sink: ClauseSink,
    encoder: AnyEncoder | None = None,
    *,
    when: IntLike | None = None,
    iff: IntLike | None = None,
) -> None:
    """Add clauses to `sink` that hold exactly when `constraint` does.

    What comes of it is in `sink`: `Formula.write` makes a file of a formula.
    A comparison of the language over literals, ``2 * x + y <= 2``, is a constraint as well.
    `encoder` is a name from `ENCODERS`, for a `Parity` from `PARITY_ENCODERS`, or an encoder; by
    default it is chosen by size, by the rule that `pbcnf.encoders.choice` states (`choose` says
    which it is, and why). Whatever it is, trivial bounds give the same clauses: nothing for a
    constraint that always holds, the empty clause for one that never does, units if every literal
    is decided. Opposite literals are removed first. Repeated literals count with multiplicity; the
    emitted clauses repeat no literal. A weighted sum is brought into its normal form first
    (`pbcnf.constraints.normal_form`); where that is a plain cardinality constraint any
    encoder will do, and where it is a clause none is used. Of a parity the encoder gets the
    variables that do not cancel out (`pbcnf.constraints.normal_form`), if there are at least
    two.

    `when`, a literal, then implies the constraint (half reification); `iff` is true exactly if the
    constraint holds (full reification): see `pbcnf.emission.reification`. The literal may be among
    those of the constraint.

    Raises TypeError unless `constraint` is one, ValueError for an unknown name, for bounds or
    weights that the encoder cannot express (for `iff`: those of the opposite, too), an encoder of
    sums for a parity or the other way round, where `direct` would need too many clauses, for a
    variable that has not been allocated, and for both `when` and `iff`; nothing has been added
    then.

    >>> from pbcnf import Cardinality, Formula, PseudoBoolean
    >>> f = Formula(num_vars=4)
    >>> encode(Cardinality([1, 2, -3], upper=1), f)
    >>> list(f.clauses())
    [[-1, -2], [-1, 3], [-2, 3]]
    >>> encode(PseudoBoolean([1, 2, 3], [2, 2, 5], lower=2), f, when=4)
    >>> list(f.clauses())[3:]
    [[-4, 1, 2, 3]]
    """
    constraint = said(constraint)
    if when is not None and iff is not None:
        raise ValueError("a constraint is reified by `when` or by `iff`, not by both")
    if when is not None:
        lit = literal(when)
        emit = half_reified(constraint, encoder, lit)
        require_allocated((*constraint.lits, lit), sink)
    elif iff is not None:
        lit = literal(iff)
        emit = reified(constraint, encoder, lit)
        require_allocated((*constraint.lits, lit), sink)
    else:
        made = template_if_met_before(constraint, encoder)
        if made is not None:
            require_allocated(constraint.lits, sink)
            made.emit(constraint.lits, sink)
            return
        emit = emission(constraint, encoder).emit
        require_allocated(constraint.lits, sink)
    emit(sink)


def template_if_met_before(constraint: Constraint, encoder: AnyEncoder | None) -> Template | None:
    """Return the template that emits `constraint` over its literals, if its shape was met before.

    None for anything but a sum of few distinct variables, and where `encoder`, the bounds and the
    weights are met for the first time: only a shape that comes again is worth a template.
    """
    weights: int | tuple[int, ...]
    if isinstance(constraint, Cardinality):
        weights = len(constraint.lits)
    elif isinstance(constraint, PseudoBoolean):
        weights = constraint.weights
    else:
        return None
    n = len(constraint.lits)
    if n > _MOST_INPUTS or len({*map(abs, constraint.lits)}) < n:
        return None
    lower, upper = constraint.lower, constraint.upper
    return cached_if_asked_before(_template_of_sum, encoder, weights, lower, upper)


def _template_of_sum(
    encoder: AnyEncoder | None, weights: int | tuple[int, ...], lower: int, upper: int
) -> Template | None:
    """Return the template of a sum; `weights` is the number of inputs where all weights are 1."""
    n = weights if isinstance(weights, int) else len(weights)
    inputs, formula = range(1, n + 1), Formula(num_vars=n)
    alike: Constraint = Cardinality(inputs, lower, upper)
    if not isinstance(weights, int):
        alike = PseudoBoolean(inputs, weights, lower, upper)
    try:
        emission(alike, encoder).emit(formula)
    except ValueError:  # raised again, with a better message, for the constraint itself
        return None
    return template_unless_large(formula, n)


def encode_many(
    inputs: npt.ArrayLike,
    lower: int,
    upper: int,
    sink: ClauseSink,
    encoder: str | Encoder | None = None,
) -> None:
    """Encode ``lower <= sum of row <= upper`` for every row of `inputs`, an int array (m, n).

    `encoder` is as for `encode`: chosen by size unless it is given.

    The same clauses as m calls of `encode`, in another order and with other auxiliaries: all rows
    of distinct variables go to the sink as one block per clause width; then the rows with
    repeated or opposite literals, one by one.

    Raises TypeError or ValueError for a value that is no literal, an array that is not
    two-dimensional, an unknown encoder, or a bound it cannot express.

    >>> from pbcnf import Formula
    >>> f = Formula(num_vars=4)
    >>> encode_many([[1, 2], [3, -4]], 1, 1, f)
    >>> list(f.clauses())
    [[-1, -2], [1, 2], [-3, 4], [3, -4]]
    """
    if not has_numpy():  # in a browser, for one
        for row in inputs:  # type: ignore[union-attr]
            encode(Cardinality(row, lower, upper), sink, encoder)  # type: ignore[arg-type]
        return
    import numpy as np

    rows = literal_array(inputs, dimensions=2)
    if rows.size:
        require_allocated([int(np.min(rows)), int(np.max(rows))], sink)
    n = rows.shape[1]
    made = template(_encoder(n, lower, upper, encoder), n, lower, upper)
    ordered = np.sort(np.abs(rows), axis=1)
    repeating = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    _emit_rows(made, rows[~repeating] if repeating.any() else rows, sink)
    for row in rows[repeating].tolist():
        encode(Cardinality(row, lower, upper), sink, encoder)


def _encoder(n: int, lower: int, upper: int, encoder: str | Encoder | None) -> str | Encoder:
    if encoder is not None:
        return encoder
    # Any encoder has the clauses of what needs none.
    by_size = emission(Cardinality(range(1, n + 1), lower, upper), None).encoder
    return "direct" if by_size is None else find_encoder(by_size)


def _emit_rows(made: Template, rows: Block, sink: ClauseSink) -> None:
    import numpy as np

    count, variables = len(rows), made.inputs + made.auxiliaries
    first = sink.new_vars(count * made.auxiliaries)
    # Column v holds what the template's variable v stands for, column -v its negation.
    lookups = np.zeros((count, 2 * variables + 1), dtype=np.int32)
    lookups[:, 1 : made.inputs + 1] = rows
    lookups[:, made.inputs + 1 : variables + 1] = np.arange(
        first, first + count * made.auxiliaries
    ).reshape(count, made.auxiliaries)
    lookups[:, variables + 1 :] = -lookups[:, variables:0:-1]
    made.emit_rows(lookups, sink)
