"""From a constraint to clauses: the single way in for every encoder."""

from __future__ import annotations

from pbcnf.constraints.constraint import Constraint, Stated, said
from pbcnf.emission.dispatch import AnyEncoder, emission
from pbcnf.emission.ready import ready
from pbcnf.emission.reification import half_reified, reified
from pbcnf.literals import IntLike, literal
from pbcnf.sink import ClauseSink, require_allocated


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
    (`pbcnf.constraints.weighted_normal_form`); where that is a plain cardinality constraint any
    encoder will do, and where it is a clause none is used. Of a parity the encoder gets the
    variables that do not cancel out (`pbcnf.constraints.parity_normal_form`), if there are at least
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
        stamp = ready(constraint, encoder)
        if stamp is not None:
            require_allocated(constraint.lits, sink)
            stamp(constraint.lits, sink)
            return
        emit = emission(constraint, encoder).emit
        require_allocated(constraint.lits, sink)
    emit(sink)
