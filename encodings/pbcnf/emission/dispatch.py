"""Brings a constraint into normal form, and settles it or hands it to an encoder.

`template` returns the cached clauses of small bounds; `choose` returns the encoder that is chosen
by size or by time, and the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, NamedTuple

from pbcnf.constraints.constraint import (
    Cardinality,
    Constraint,
    ConvertsToConstraint,
    Parity,
    PseudoBoolean,
    as_constraint,
)
from pbcnf.constraints.normal_form import (
    WeightedSum,
    normal_form,
    parity_normal_form,
    settle,
    settled_clauses,
    sum_of,
    weighted_normal_form,
)
from pbcnf.encoders.choice import Budget, By, encoder_for, is_at_most_one, parity_encoder_for
from pbcnf.encoders.circuits.template import (
    Template,
    cached,
    cached_if_asked_before,
    lookup_of,
    template_unless_large,
)
from pbcnf.encoders.protocol import Encoder, ParityEncoder, WeightedEncoder, takes_weights
from pbcnf.encoders.table import ENCODERS, find_encoder, find_parity_encoder
from pbcnf.errors import EncodingError
from pbcnf.formula import EncodingSize, Formula
from pbcnf.literals import Clause, Lit, Var, has_numpy
from pbcnf.sink import ClauseSink, NormalisingSink
from pbcnf.wording import counted

if TYPE_CHECKING:
    # Sums over groups need numpy, which some browsers do not have.
    from pbcnf.encoders.circuits.grouped_sums import GroupedSum


def template(encoder: str | Encoder, n: int, lower: int, upper: int) -> Template:
    """Return the template of ``lower <= sum <= upper`` for n distinct inputs, from the cache.

    Trivial bounds have templates too. Raises ValueError for a negative n, an unknown name or a
    bound that the encoder cannot express.

    >>> template("direct", 3, 1, 1).clauses
    ((-1, -2), (-1, -3), (-2, -3), (1, 2, 3))
    """
    chosen = find_encoder(encoder) if isinstance(encoder, str) else encoder
    return cached(_template, chosen, n, lower, upper)


def _template(encoder: Encoder, n: int, lower: int, upper: int) -> Template:
    formula = Formula(num_vars=n)
    inputs = range(1, n + 1)
    settled = settle(n, lower, upper)
    if settled is None:
        encoder.encode(inputs, max(lower, 0), min(upper, n), formula)
    else:
        for clause in settled_clauses(settled, inputs):
            formula.add_clause(clause)
    return Template(n, formula.num_vars - n, formula=formula)


def instantiate(template: Template, lits: Sequence[Lit], first_aux: Var) -> list[tuple[Lit, ...]]:
    """Return the clauses of `template` over `lits`, its auxiliaries numbered from `first_aux`.

    For hot loops: the literals must be plain ints and valid, they are not checked again. Repeated
    and opposite literals give right clauses, but may leave repeated literals and tautologies in
    them. Raises ValueError for a wrong number of literals.

    >>> instantiate(template("direct", 2, 1, 1), [5, -7], first_aux=8)
    [(-5, 7), (5, -7)]
    """
    if len(lits) != template.inputs:
        expected = counted(template.inputs, "input")
        raise ValueError(f"the template has {expected}, not {len(lits)}")
    lookup = lookup_of([*lits, *range(first_aux, first_aux + template.auxiliaries)])
    return [clause(lookup) for clause in template.getters]


_MOST_STAMPED: Final = 12
"""The largest number of literals for which clauses come from a cached template, which is faster."""

Emit = Callable[[ClauseSink], None]


class Kind(Enum):
    """Kinds of constraints in normal form."""

    TRIVIAL = "trivial"
    """A constraint that always or never holds, or decides its literals one by one."""

    CLAUSE = "clause"
    AT_MOST_ONE = "at most one"
    """At most or exactly one literal is true, or false."""

    CARDINALITY = "cardinality"
    PSEUDO_BOOLEAN = "pseudo-Boolean"
    PARITY = "parity"
    """A parity of at least two literals."""


AnyEncoder = str | Encoder | ParityEncoder
"""A name or an encoder: of sums for sums, of parities for parities."""


class Emission(NamedTuple):
    """The call that emits the clauses of a constraint, with its encoder and exact size.

    `size` returns the exact size of the clauses that the encoder adds, and emits nothing. For
    bounds that the encoder cannot express both raise ValueError, `emit` before the first clause.
    """

    kind: Kind
    emit: Emit
    encoder: Encoder | ParityEncoder | None = None
    inputs: int = 0
    """The number of literals that the encoder gets."""
    size: Callable[[], EncodingSize] = lambda: EncodingSize(0, 0, 0)
    cut: GroupedSum | None = None
    """The sum in groups that the encoding relies on (`pbcnf.emission.groups`), if any."""


def emission(
    constraint: Constraint, encoder: AnyEncoder | By | None, budget: Budget | None = None
) -> Emission:
    """Return the emission of `constraint` by `encoder`, or by an encoder chosen by a rule.

    The rule is `encoder` if that is a `By`, and by size if it is None.

    Raises TypeError or ValueError as `pbcnf.encode` does, here or before the first clause.
    """
    rule = By.SIZE if encoder is None else encoder
    if isinstance(constraint, Parity):
        given = None if isinstance(rule, By) else find_parity_encoder(rule)
        return parity_emission(constraint, given)
    if not isinstance(constraint, Cardinality | PseudoBoolean):
        kind = type(constraint).__name__
        raise TypeError(f"no encoder takes a {kind}, only a Cardinality, PseudoBoolean or Parity")
    if isinstance(rule, By):
        return sum_emission(sum_of(constraint), by_rule(rule, budget), budget)
    chosen = find_encoder(rule)
    if isinstance(constraint, Cardinality):
        return _cardinality(constraint, chosen)
    return sum_emission(weighted_normal_form(constraint), lambda kind, form: chosen)


def by_rule(by: By, budget: Budget | None) -> Callable[[Kind, WeightedSum], Encoder]:
    """Return a function that chooses encoders of sums by a rule of `pbcnf.encoders.choice`.

    Without numpy, as in a browser, it is the adder for every sum: most other encoders need numpy.
    """
    if not has_numpy():
        return lambda kind, form: find_encoder("adder")
    return lambda kind, form: encoder_for(form.weights, form.lower, form.upper, budget, by).encoder


def sum_emission(
    form: WeightedSum | None,
    choose: Callable[[Kind, WeightedSum], Encoder],
    budget: Budget | None = None,
) -> Emission:
    """Return the emission of a sum in normal form by the encoder of `choose`.

    `form` is None for a sum that never holds. A sum that is a single clause is accounted in
    `budget` here; otherwise `choose` does so.

    Raises ValueError if the encoder takes no weights and the sum has weights other than 1.
    """
    if form is None:
        return Emission(Kind.TRIVIAL, _clauses([[]]))
    units = [[lit] for lit in form.units]
    if not form.lits:
        return Emission(Kind.TRIVIAL, _clauses(units))
    clause = form.clause()
    if clause is not None:
        if budget is not None:
            budget.account(1, 1)
        return Emission(Kind.CLAUSE, _clauses([clause, *units]))
    kind = Kind.PSEUDO_BOOLEAN
    if max(form.weights) == 1:
        kind = _kind(len(form.lits), form.lower, form.upper)
    encoder = choose(kind, form)
    if kind is Kind.PSEUDO_BOOLEAN:
        found = _weighted(form, encoder)
    else:
        found = _unweighted(kind, encoder, form.lits, form.lower, form.upper)
    if not units:
        return found

    # Forced literals are not in the sum that the encoder gets: their units follow its clauses.
    def emit(sink: ClauseSink) -> None:
        found.emit(sink)
        _clauses(units)(sink)

    return found._replace(emit=emit)


def parity_emission(constraint: Parity, encoder: ParityEncoder | None) -> Emission:
    """Return the emission of a parity by `encoder`, or by an encoder chosen by size."""
    variables, odd = parity_normal_form(constraint)
    n = len(variables)
    if n < 2:
        # One variable is a unit clause; without variables an odd parity is the empty clause.
        unit = [var if odd else -var for var in variables]
        return Emission(Kind.TRIVIAL, _clauses([unit] if odd or variables else []))
    chosen = parity_encoder_for(n).encoder if encoder is None else encoder
    return Emission(
        Kind.PARITY,
        lambda sink: chosen.encode_parity(variables, odd, sink),
        chosen,
        n,
        lambda: chosen.parity_size(n),
    )


def _cardinality(constraint: Cardinality, encoder: Encoder) -> Emission:
    lits, lower, upper = normal_form(constraint)
    n = len(lits)
    settled = settle(n, lower, upper)
    if settled is not None:
        return Emission(Kind.TRIVIAL, _clauses(settled_clauses(settled, lits)))
    kind = _kind(n, lower, upper)
    if len(set(lits)) == n:
        return _unweighted(kind, encoder, lits, lower, upper)
    # Literals are repeated. An encoder of weights gets each literal once, weighted by its
    # multiplicity; for others the sink removes repeated literals and tautologies from the clauses.
    if takes_weights(encoder):
        form = weighted_normal_form(PseudoBoolean(lits, [1] * n, lower, upper))
        return sum_emission(form, lambda kind, form: encoder)
    return Emission(
        kind,
        lambda sink: encoder.encode(lits, lower, upper, NormalisingSink(sink)),
        encoder,
        n,
        lambda: encoder.size(n, lower, upper),
    )


def _unweighted(
    kind: Kind, encoder: Encoder, lits: Sequence[Lit], lower: int, upper: int
) -> Emission:
    """Return the emission of non-trivial bounds of literals of distinct variables."""
    n = len(lits)

    def emit(sink: ClauseSink) -> None:
        if n > _MOST_STAMPED:
            encoder.encode(lits, lower, upper, sink)
        else:
            template(encoder, n, lower, upper).emit(lits, sink)

    return Emission(kind, emit, encoder, n, lambda: encoder.size(n, lower, upper))


def _weighted(form: WeightedSum, encoder: Encoder) -> Emission:
    lits, weights, lower, upper = form.lits, form.weights, form.lower, form.upper
    if not takes_weights(encoder):
        raise EncodingError(
            f"{encoder.name} takes weights 1 only, and this sum has weights up to {max(weights)}"
        )

    def emit(sink: ClauseSink) -> None:
        # The clauses of an encoder that is not of the table may depend on more than the shape.
        few = len(lits) <= _MOST_STAMPED and ENCODERS.get(encoder.name) is encoder
        shape = encoder, weights, lower, upper
        stamp = cached_if_asked_before(_weighted_template, *shape) if few else None
        if stamp is None:
            encoder.encode_weighted(lits, weights, lower, upper, sink)
        else:
            stamp.emit(lits, sink)

    return Emission(
        Kind.PSEUDO_BOOLEAN,
        emit,
        encoder,
        len(lits),
        lambda: encoder.weighted_size(weights, lower, upper),
    )


def _weighted_template(
    encoder: WeightedEncoder, weights: tuple[int, ...], lower: int, upper: int
) -> Template | None:
    n = len(weights)
    formula = Formula(num_vars=n)
    encoder.encode_weighted(range(1, n + 1), weights, lower, upper, formula)
    return template_unless_large(formula, n)


def _kind(n: int, lower: int, upper: int) -> Kind:
    """Return the kind of a sum of n literals that is neither trivial nor a clause."""
    return Kind.AT_MOST_ONE if is_at_most_one(n, lower, upper) else Kind.CARDINALITY


def _clauses(clauses: Sequence[Clause]) -> Emit:
    def emit(sink: ClauseSink) -> None:
        for clause in clauses:
            sink.add_clause(clause)

    return emit


@dataclass(frozen=True, slots=True)
class Choice:
    """The encoder that `encode` takes for a constraint by default, with its size and the reason."""

    kind: Kind
    """The kind of the constraint in normal form."""
    encoder: str | None
    """The name of the encoder; None where none is needed."""
    size: EncodingSize
    """The exact size of what the encoder adds; units and clauses without an encoder count 0."""
    reason: str


def choose(
    constraint: Constraint | ConvertsToConstraint,
    budget: Budget | None = None,
    by: str = By.SIZE.value,
) -> Choice:
    """Return the encoder that `encode`, `encode_problem` and `satsweeper encode` choose, and why.

    `by` is the rule: "size", or "time" for decision trees learned from measured times
    (`pbcnf.encoders.choice` states both). `budget` holds the clauses left over by earlier
    constraints of the problem, so its constraints must be chosen for in order. Raises TypeError for
    a value that is no constraint, ValueError for an unknown rule.

    >>> from pbcnf import Cardinality
    >>> choice = choose(Cardinality(range(1, 101), upper=50))
    >>> choice.encoder, choice.size.clauses
    ('k_modulo_totalizer', 1437)
    >>> choice.reason
    'more than 8 literals; totalizer would need 3,072 clauses, the smallest 665'
    """
    constraint, rule = as_constraint(constraint), By.named(by)
    # `emission` accounts for the constraint in `budget`; the reason depends on the budget before.
    before = Budget(0 if budget is None else budget.left)
    found = emission(constraint, rule, budget)
    name = None if found.encoder is None else found.encoder.name
    if name is None:
        reason = "no encoder is needed"
    elif isinstance(constraint, Parity):
        reason = parity_encoder_for(found.inputs).reason
    else:
        form = sum_of(constraint)
        assert form is not None, "a sum that never holds needs no encoder"
        reason = encoder_for(form.weights, form.lower, form.upper, before, rule).reason
    return Choice(found.kind, name, found.size(), reason)
