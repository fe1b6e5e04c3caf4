"""Encodes one constraint, plain or reified, or many of one shape at once, as clauses.

A literal may imply a constraint, or be true exactly if the constraint holds (reification). An
encoder with a counter (`pbcnf.encoders.counter.Counter`) counts unconditionally, and only its
bounds depend on the literal: unit propagation then also finds the literal false once the constraint
is violated. For any other encoder each clause gets the negated literal as a guard: the clauses bind
only if the literal is true, and the auxiliary variables are free if it is false. Full reification
of a parity is itself a parity, with one literal more.

`satsweeper.solvers.sink` adds clues to live solvers: direct encodings from `subset_clauses`, all
others from the templates that `encode_many` uses.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from pbcnf.constraints.constraint import (
    Cardinality,
    Constraint,
    ConvertsToConstraint,
    Linear,
    Parity,
    PseudoBoolean,
    as_constraint,
)
from pbcnf.constraints.normal_form import normal_form, settle
from pbcnf.emission.dispatch import AnyEncoder, Emit, Kind, emission, template
from pbcnf.encoders.choice import By
from pbcnf.encoders.circuits.template import Template, cached_if_asked_before, template_unless_large
from pbcnf.encoders.counter import Counter, Direction, UnaryCount
from pbcnf.encoders.protocol import Encoder, ParityEncoder
from pbcnf.encoders.table import find_encoder
from pbcnf.formula import Formula
from pbcnf.literals import Block, IntLike, Lit, has_numpy, literal, literal_array
from pbcnf.sink import ClauseSink, GuardedSink, NormalisingSink, require_allocated

if TYPE_CHECKING:
    import numpy.typing as npt


def half_reified(constraint: Constraint, encoder: AnyEncoder | By | None, lit: Lit) -> Emit:
    """Return a function that emits: `lit` implies `constraint`."""
    counted = counted_bounds(constraint, encoder)
    if counted is None:
        emit = emission(constraint, encoder).emit
        return lambda sink: emit(GuardedSink(NormalisingSink(sink), -lit))

    def count(sink: ClauseSink) -> None:
        for bound in counted.bounds(counted.count(counted.directions, sink)):
            sink.add_clause([-lit, bound])

    return count


def reified(constraint: Constraint, encoder: AnyEncoder | By | None, lit: Lit) -> Emit:
    """Return a function that emits: `lit` is true exactly if `constraint` holds.

    Without a counter a true `lit` implies the constraint, and a false `lit` implies one of its
    violations: the sum is too small, or too large. A fresh variable selects each violation.
    """
    if isinstance(constraint, Parity):
        # With a true `lit` the others have the parity of the constraint, with a false `lit` the
        # opposite.
        return emission(Parity((*constraint.lits, lit), not constraint.odd), encoder).emit
    counted = counted_bounds(constraint, encoder)
    if counted is None:
        return _reified_by_violations(constraint, encoder, lit)

    def count(sink: ClauseSink) -> None:
        # `lit` is equivalent to the conjunction of the bounds' literals.
        bounds = counted.bounds(counted.count(Direction.BOTH, sink))
        for bound in bounds:
            sink.add_clause([-lit, bound])
        sink.add_clause([lit, *(-bound for bound in bounds)])

    return count


@dataclass(frozen=True, slots=True)
class CountedBounds:
    """Non-trivial bounds of an encoder that has a counter."""

    counter: Counter
    lits: list[Lit]
    lower: int
    upper: int

    @property
    def directions(self) -> Direction:
        """The direction, or both, in which these bounds need the counter."""
        if self.upper == len(self.lits):
            return Direction.AT_LEAST
        return Direction.BOTH if self.lower > 0 else Direction.AT_MOST

    def count(self, directions: Direction, sink: ClauseSink) -> UnaryCount:
        """Emit the counter."""
        # A single bound is both ends of the range of bounds that the counter must serve.
        upto = self.upper if self.upper < len(self.lits) else self.lower
        downto = self.lower or self.upper
        return self.counter.count(self.lits, upto, sink, directions, downto)

    def bounds(self, count: UnaryCount) -> list[Lit]:
        """Return literals whose conjunction states that the bounds are met."""
        found = count.at_least(self.lower) if self.lower > 0 else []
        return found + (count.at_most(self.upper) if self.upper < len(self.lits) else [])


def counted_bounds(constraint: Constraint, encoder: AnyEncoder | By | None) -> CountedBounds | None:
    """Return the bounds to take from a counter; None where reification guards clauses instead."""
    if not isinstance(constraint, Cardinality):
        return None
    # By default a constraint that needs no encoder gets None, which is no `Counter`.
    chosen: Encoder | ParityEncoder | None
    if encoder is None or isinstance(encoder, By):
        chosen = emission(constraint, encoder).encoder
    else:
        chosen = find_encoder(encoder)
    lits, lower, upper = normal_form(constraint)
    if not isinstance(chosen, Counter) or settle(len(lits), lower, upper) is not None:
        return None
    return CountedBounds(chosen, lits, lower, upper)


def _reified_by_violations(constraint: Linear, encoder: AnyEncoder | By | None, lit: Lit) -> Emit:
    low, high = constraint.lower - 1, constraint.upper + 1
    with_bounds: Callable[[int | None, int | None], Linear]
    if isinstance(constraint, Cardinality):
        with_bounds = partial(Cardinality, constraint.lits)
    else:
        with_bounds = partial(PseudoBoolean, constraint.lits, constraint.weights)
    # Of "sum <= lower - 1" and "sum >= upper + 1", those that the sum can reach.
    too_few, too_many = with_bounds(None, low), with_bounds(high, None)
    violations = [too_few] * (too_few.lower <= low) + [too_many] * (high <= too_many.upper)
    for violation in violations:
        # Errors that encoding the violation would raise are raised here, before the first clause.
        found = emission(violation, encoder)
        if found.kind is not Kind.PSEUDO_BOOLEAN:
            found.size()
    holds = half_reified(constraint, encoder, lit)

    def emit(sink: ClauseSink) -> None:
        holds(sink)
        selectors = [sink.new_var() for _ in violations]
        # A false `lit` needs a violation. A selector implies its violation, and excludes `lit` so
        # that unit propagation does not have to find the clash of both.
        sink.add_clause([lit, *selectors])
        for selector, violation in zip(selectors, violations, strict=True):
            sink.add_clause([-selector, -lit])
            half_reified(violation, encoder, selector)(sink)

    return emit


Reify = Callable[[Constraint, AnyEncoder | By | None, Lit], Emit]
"""`half_reified` or `reified`."""

_MOST_INPUTS: Final = 64
"""The largest number of inputs of a sum that `encode` looks up in the cache."""


def encode(
    constraint: Constraint | ConvertsToConstraint,
    sink: ClauseSink,
    encoder: AnyEncoder | None = None,
    *,
    when: IntLike | None = None,
    iff: IntLike | None = None,
    by: str = By.SIZE.value,
) -> None:
    """Add clauses to `sink` that hold exactly when `constraint` does.

    `Formula.write` makes a file of a formula. A comparison of the language over literals,
    ``2 * x + y <= 2``, is a constraint as well. `encoder` is a name from `ENCODERS`, for a `Parity`
    from `PARITY_ENCODERS`, or an encoder; by default the encoder is chosen by the rule `by`, "size"
    or "time" (`pbcnf.encoders.choice` states both, `choose` returns the choice and the reason).
    Trivial bounds give the same clauses with every encoder: nothing for a constraint that always
    holds, the empty clause for a constraint that never does, units if every literal is decided.
    Opposite literals are removed first. Repeated literals count with multiplicity; the emitted
    clauses repeat no literal. A weighted sum is brought into its normal form first
    (`pbcnf.constraints.normal_form`); where the normal form is a plain cardinality constraint any
    encoder will do, and where it is a clause none is used. Of a parity the encoder gets the
    variables that do not cancel out, if there are at least two.

    `when` is a literal that implies the constraint (half reification); `iff` is a literal that is
    true exactly if the constraint holds (full reification). The head of this module says how. The
    literal may be among the literals of the constraint.

    Raises TypeError for a value that is no constraint, ValueError for an unknown name or rule, for
    bounds or weights that the encoder cannot express (with `iff` also bounds of a violation), for
    an encoder of sums and a parity or the other way round, where `direct` would need too many
    clauses, for a variable that has not been allocated, and for both `when` and `iff`. If an error
    is raised, nothing has been added.

    >>> from pbcnf import Cardinality, Formula, PseudoBoolean
    >>> f = Formula(num_vars=4)
    >>> encode(Cardinality([1, 2, -3], upper=1), f)
    >>> list(f.clauses())
    [[-1, -2], [-1, 3], [-2, 3]]
    >>> encode(PseudoBoolean([1, 2, 3], [2, 2, 5], lower=2), f, when=4)
    >>> list(f.clauses())[3:]
    [[-4, 1, 2, 3]]
    """
    constraint = as_constraint(constraint)
    chosen: AnyEncoder | By | None = encoder
    if by != By.SIZE.value:
        rule = By.named(by)
        chosen = rule if encoder is None else encoder
    # All checks come before the first clause: an error leaves `sink` unchanged.
    if when is not None and iff is not None:
        raise ValueError("a constraint is reified by `when` or by `iff`, not by both")
    reify, lit = None, 0
    if when is not None:
        reify, lit = half_reified, literal(when)
    elif iff is not None:
        reify, lit = reified, literal(iff)
    made = template_if_met_before(constraint, chosen, reify, lit)
    if made is None:
        emit = _emit_of(constraint, chosen, reify, lit)
    lits = constraint.lits if reify is None else (*constraint.lits, lit)
    require_allocated(lits, sink)
    if made is None:
        emit(sink)
    else:
        made.emit(lits, sink)


def _emit_of(
    constraint: Constraint, encoder: AnyEncoder | By | None, reify: Reify | None, lit: Lit
) -> Emit:
    if reify is None:
        return emission(constraint, encoder).emit
    return reify(constraint, encoder, lit)


def template_if_met_before(
    constraint: Constraint,
    encoder: AnyEncoder | By | None,
    reify: Reify | None = None,
    lit: Lit = 0,
) -> Template | None:
    """Return the template that emits `constraint` over its literals, if its shape was met before.

    With `reify` the last input of the template is the literal `lit`. None for anything but a sum of
    few distinct variables, and where `encoder`, the bounds and the weights are met for the first
    time: only a shape that comes again is worth a template.
    """
    weights: int | tuple[int, ...]
    if isinstance(constraint, Cardinality):
        weights = len(constraint.lits)
    elif isinstance(constraint, PseudoBoolean):
        weights = constraint.weights
    else:
        return None
    n = len(constraint.lits)
    if n > _MOST_INPUTS:
        return None
    variables = {*map(abs, constraint.lits)}
    if len(variables) < n or abs(lit) in variables:
        return None
    lower, upper = constraint.lower, constraint.upper
    return cached_if_asked_before(_template_of_sum, encoder, weights, lower, upper, reify)


def _template_of_sum(
    encoder: AnyEncoder | By | None,
    weights: int | tuple[int, ...],
    lower: int,
    upper: int,
    reify: Reify | None,
) -> Template | None:
    """Return the template of a sum; `weights` is the number of inputs where all weights are 1."""
    n = weights if isinstance(weights, int) else len(weights)
    every = n if reify is None else n + 1
    inputs, formula = range(1, n + 1), Formula(num_vars=every)
    constraint: Constraint = Cardinality(inputs, lower, upper)
    if not isinstance(weights, int):
        constraint = PseudoBoolean(inputs, weights, lower, upper)
    try:
        _emit_of(constraint, encoder, reify, every)(formula)
    except ValueError:  # raised again, with a better message, for the constraint itself
        return None
    return template_unless_large(formula, every)


def encode_many(
    inputs: npt.ArrayLike,
    lower: int,
    upper: int,
    sink: ClauseSink,
    encoder: str | Encoder | None = None,
) -> None:
    """Encode ``lower <= sum of row <= upper`` for every row of `inputs`, an int array (m, n).

    `encoder` is as for `encode`: chosen by size unless it is given.

    The clauses are those of m calls of `encode`, in another order and with other auxiliary
    variables: first come all rows of distinct variables, as one block per clause width, then the
    rows with repeated or opposite literals, one by one.

    Raises TypeError or ValueError for a value that is no literal, an array that is not
    two-dimensional, an unknown encoder, or a bound that the encoder cannot express.

    >>> from pbcnf import Formula
    >>> f = Formula(num_vars=4)
    >>> encode_many([[1, 2], [3, -4]], 1, 1, f)
    >>> list(f.clauses())
    [[-1, -2], [1, 2], [-3, 4], [3, -4]]
    """
    # Some browsers have no numpy: there `inputs` are rows of plain literals.
    if not has_numpy():
        for row in inputs:  # type: ignore[union-attr]
            encode(Cardinality(row, lower, upper), sink, encoder)  # type: ignore[arg-type]
        return
    import numpy as np

    rows = literal_array(inputs, dimensions=2)
    if rows.size:
        require_allocated([int(np.min(rows)), int(np.max(rows))], sink)
    n = rows.shape[1]
    made = template(_encoder(n, lower, upper, encoder), n, lower, upper)
    # Among sorted variables a repeated variable is next to itself.
    ordered = np.sort(np.abs(rows), axis=1)
    repeating = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    _emit_rows(made, rows[~repeating] if repeating.any() else rows, sink)
    for row in rows[repeating].tolist():
        encode(Cardinality(row, lower, upper), sink, encoder)


def _encoder(n: int, lower: int, upper: int, encoder: str | Encoder | None) -> str | Encoder:
    if encoder is not None:
        return encoder
    # A constraint that needs no encoder has the same clauses with every encoder.
    by_size = emission(Cardinality(range(1, n + 1), lower, upper), None).encoder
    return "direct" if by_size is None else find_encoder(by_size)


def _emit_rows(made: Template, rows: Block, sink: ClauseSink) -> None:
    import numpy as np

    count, variables = len(rows), made.inputs + made.auxiliaries
    first = sink.new_vars(count * made.auxiliaries)
    # Column v holds the literal for variable v of the template, column -v its negation.
    lookups = np.zeros((count, 2 * variables + 1), dtype=np.int32)
    lookups[:, 1 : made.inputs + 1] = rows
    lookups[:, made.inputs + 1 : variables + 1] = np.arange(
        first, first + count * made.auxiliaries
    ).reshape(count, made.auxiliaries)
    lookups[:, variables + 1 :] = -lookups[:, variables:0:-1]
    made.emit_rows(lookups, sink)
