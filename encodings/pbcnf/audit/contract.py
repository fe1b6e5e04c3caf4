"""The contract of an encoder: every small bound examined, and compared with what it claims."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import blake2s
from importlib.resources import files
from typing import TypeAlias, cast

from pbcnf.audit.bounds import (
    Bound,
    BoundKind,
    CountedBound,
    audit_counted,
    counted_bounds,
    every_bound,
    weighted_bounds,
)
from pbcnf.audit.examination import Audit, Finding, Property, audit_clauses, size_in_words
from pbcnf.audit.formulas import (
    TRANSFORMATIONS,
    FormulaOf,
    ParityOf,
    audit_formula,
    audit_parity,
    every_formula,
    every_parity,
)
from pbcnf.audit.grouped import GroupedBound, audit_grouped, grouped_bounds
from pbcnf.constraints.constraint import Cardinality
from pbcnf.constraints.normal_form import settle
from pbcnf.emission.encode import encode
from pbcnf.encoders.protocol import (
    Encoder,
    ParityEncoder,
    Propagation,
    WeightedEncoder,
    takes_groups,
)
from pbcnf.encoders.table import ENCODERS, PARITY_ENCODERS, find_encoder, find_parity_encoder
from pbcnf.errors import EncodingError
from pbcnf.formula import EncodingSize, Formula
from pbcnf.language.transformation import Transformation
from pbcnf.literals import Clause
from pbcnf.shown import Tabled

# Clauses on record. A wrong literal in a redundant clause breaks no property that can be computed.
# So ``recorded.json`` beside this file holds digests of the clauses of every non-trivial bound of
# at most 6 inputs: every change shows.


def on_record(name: str, bound: Bound) -> str | None:
    """Return the recorded digest of the clauses of encoder `name` for `bound`; None without one."""
    return _records().get(name, {}).get(key_of(bound)) if not bound.weighted else None


def digest(clauses: Sequence[Clause]) -> str:
    """Return eight hexadecimal digits for the clauses, in their order.

    >>> digest([[1, -2], [2]]) == digest([[1, -2], [-2]])
    False
    """
    text = "\n".join(" ".join(map(str, clause)) for clause in clauses)
    return blake2s(text.encode("ascii"), digest_size=4).hexdigest()


@cache
def _records() -> Mapping[str, Mapping[str, str]]:
    text = files("pbcnf.audit").joinpath("recorded.json").read_text("ascii")
    found: dict[str, dict[str, str]] = json.loads(text)
    return found


def key_of(bound: Bound) -> str:
    """Return the key of a bound in ``recorded.json``."""
    return f"{bound.n} {bound.lower} {bound.upper}"


EncodeFunction: TypeAlias = Callable[[int, int, int], tuple[int, Sequence[Clause]]]
"""``(n, lower, upper) -> (num_vars, clauses)`` over the inputs 1 .. n; ValueError to refuse."""

AnyEncoder: TypeAlias = str | Encoder | ParityEncoder | Transformation | EncodeFunction
"""The name of an encoder (`ENCODERS` goes before `PARITY_ENCODERS`) or of a transformation
(`TRANSFORMATIONS`); an encoder; or a function that wraps a foreign encoder."""

Examined: TypeAlias = Bound | ParityOf | FormulaOf

_PLAIN_KINDS = frozenset({*BoundKind} - {
    BoundKind.WEIGHTED, BoundKind.WEIGHTED_RANGE, BoundKind.COUNTER, BoundKind.WEIGHTED_COUNTER,
    BoundKind.GROUPED, BoundKind.GROUPED_RANGE, BoundKind.GROUPED_SOME, BoundKind.PARITY,
    BoundKind.FORMULA,
})  # fmt: skip

_PROPAGATION = {
    Propagation.NONE: frozenset[Property](),
    Propagation.DETECTS: frozenset({Property.DETECTS}),
    Propagation.ARC_CONSISTENT: frozenset({Property.DETECTS, Property.ARC_CONSISTENT}),
}


@dataclass(frozen=True, slots=True)
class Case:
    """A bound or parity with its audit and the claims of the encoder."""

    bound: Examined
    audit: Audit | None
    """None if the encoder refused the bound."""
    claims: frozenset[Property]
    """`CORRECT`, which is demanded of every encoder, and the properties that the encoder claims."""

    def breaches(self) -> list[tuple[Property, Finding]]:
        """Return the claims that do not hold, with their counter-examples."""
        if self.audit is None:
            return []
        return [(prop, why) for prop, why in self.audit.failures.items() if prop in self.claims]

    def exceeds(self, prop: Property) -> bool:
        """Whether the encoding has a property that is not claimed."""
        has = self.audit is not None and self.audit.holds(prop)
        return bool(has) and prop not in self.claims


@dataclass(frozen=True, slots=True)
class Row:
    """The cases of one kind together."""

    kind: BoundKind
    cases: tuple[Case, ...]
    """The cases that the encoder did not refuse."""
    refused: int

    def failing(self, prop: Property) -> list[tuple[Case, Finding]]:
        """Return the cases without the property; the first has the fewest inputs."""
        return [
            (case, case.audit.failures[prop])
            for case in self.cases
            if case.audit is not None and prop in case.audit.failures
        ]

    def holds(self, prop: Property) -> bool | None:
        """Whether every case has the property; None where no case was judged."""
        answers = {case.audit.holds(prop) for case in self.cases if case.audit is not None}
        return None if answers <= {None} else False not in answers


@dataclass(frozen=True, slots=True)
class Contract(Tabled):
    """Everything found about one encoder."""

    name: str
    upto: int
    cases: tuple[Case, ...]

    def rows(self) -> list[Row]:
        """Return the cases by kind, for every kind that there is."""
        rows = []
        for kind in BoundKind:
            cases = [case for case in self.cases if case.bound.kind is kind]
            kept = tuple(case for case in cases if case.audit is not None)
            if cases:
                rows.append(Row(kind, kept, len(cases) - len(kept)))
        return rows

    def breaches(self) -> list[tuple[Case, Property, Finding]]:
        """Return every claim that does not hold."""
        return [(case, prop, why) for case in self.cases for prop, why in case.breaches()]

    def stronger(self) -> dict[Property, list[Case]]:
        """Return the properties that hold without being claimed, each with its cases.

        An encoder claims propagation for all bounds of a kind at once, so propagation counts only
        if it holds in every case of the kind: cardinality constraints, counters, parities, weighted
        sums with one bound, weighted sums with two bounds. Parsimony is claimed case by case.
        """
        found: dict[Property, list[Case]] = {}
        emitted = [case for case in self.cases if case.audit is not None and case.audit.size]
        # All kinds of plain bounds share one claim of propagation; every other kind has a separate
        # claim.
        sides: dict[BoundKind | None, list[Case]] = {}
        for case in emitted:
            kind = None if case.bound.kind in _PLAIN_KINDS else case.bound.kind
            if kind in (BoundKind.GROUPED_RANGE, BoundKind.GROUPED_SOME):
                continue  # nothing can be claimed of these
            sides.setdefault(kind, []).append(case)
        for side in sides.values():
            for prop in (Property.DETECTS, Property.ARC_CONSISTENT):
                if all(case.exceeds(prop) for case in side):
                    found.setdefault(prop, []).extend(side)
        parsimonious = [case for case in emitted if case.exceeds(Property.PARSIMONIOUS)]
        return found | ({Property.PARSIMONIOUS: parsimonious} if parsimonious else {})


def audit(encoder: AnyEncoder, bound: Examined) -> Case:
    """Examine one bound, parity or formula of at most 8 inputs.

    >>> case = audit("totalizer", Bound((1, 1, 1), 1, 2))
    >>> [prop.value for prop in Property if case.audit.holds(prop)]
    ['correct', 'detects', 'arc-consistent', 'parsimonious', 'exact size', 'as recorded']
    """
    if isinstance(bound, FormulaOf):
        transformation = Transformation(encoder)
        claims = {Property.CORRECT}
        if transformation is Transformation.TSEITIN:
            claims.add(Property.PARSIMONIOUS)
        return Case(bound, audit_formula(transformation, bound), frozenset(claims))
    if isinstance(bound, ParityOf):
        parities = find_parity_encoder(cast("str | ParityEncoder", encoder))
        claims = {Property.CORRECT, Property.EXACT_SIZE, *_PROPAGATION[parities.propagation]}
        if parities.parsimonious_parity(bound.n):
            claims.add(Property.PARSIMONIOUS)
        return Case(bound, audit_parity(parities, bound), frozenset(claims))
    if callable(encoder):
        return _audit_function(encoder, bound)
    return _audit_encoder(find_encoder(cast("str | Encoder", encoder)), bound)


def cases(encoder: AnyEncoder, upto: int) -> Iterator[Case]:
    """Examine every bound of at most `upto` inputs; see `bounds_of`."""
    return (audit(encoder, bound) for bound in bounds_of(encoder, upto))


def bounds_of(encoder: AnyEncoder, upto: int) -> Sequence[Examined]:
    """Return the cases of an encoder: bounds, and weights, groups and counters where it has these.

    The cases of an encoder of parities are parities, those of a transformation are formulas. A name
    in both tables of encoders means the encoder of sums.
    """
    if isinstance(encoder, Transformation) or encoder in TRANSFORMATIONS:
        return every_formula(upto)
    named = isinstance(encoder, str) and encoder not in ENCODERS and encoder in PARITY_ENCODERS
    if named or isinstance(encoder, ParityEncoder):
        return list(every_parity(upto))
    chosen = find_encoder(encoder) if isinstance(encoder, str) else encoder
    bounds: list[Bound] = [*every_bound(upto)]
    if isinstance(chosen, WeightedEncoder):
        bounds += weighted_bounds(upto)
    if not callable(chosen) and takes_groups(chosen):
        bounds += grouped_bounds(upto)
    return [*bounds, *(() if callable(chosen) else counted_bounds(chosen, upto))]


def audit_encoder(encoder: AnyEncoder, upto: int, name: str | None = None) -> Contract:
    """Examine an encoder on every bound of at most `upto` inputs, once in a process.

    `name` is the name to show, by default the name of the encoder; a function has no name that a
    table could show. Results are cached.

    >>> contract = audit_encoder("direct", upto=4)
    >>> contract.breaches(), contract.stronger()
    ([], {})
    """
    default: str = encoder if isinstance(encoder, str) else getattr(encoder, "name", repr(encoder))
    return Contract(name or default, upto, _every_case(encoder, upto))


@lru_cache(maxsize=256)
def _every_case(encoder: AnyEncoder, upto: int) -> tuple[Case, ...]:
    return tuple(cases(encoder, upto))


def _audit_function(encode: EncodeFunction, bound: Bound) -> Case:
    claims = frozenset({Property.CORRECT})
    try:
        num_vars, clauses = encode(bound.n, bound.lower, bound.upper)
    except ValueError:
        return Case(bound, None, claims)
    found = audit_clauses(clauses, num_vars, bound.weights, bound.lower, bound.upper)
    return Case(bound, found, claims)


def _audit_encoder(encoder: Encoder, bound: Bound) -> Case:
    claims = _claims(encoder, bound)
    if isinstance(bound, CountedBound):
        return Case(bound, audit_counted(encoder, bound), claims)
    if isinstance(bound, GroupedBound):
        assert takes_groups(encoder)
        return Case(bound, audit_grouped(encoder, bound), claims)
    predicted = _predicted(encoder, bound)
    formula = Formula(num_vars=bound.n)
    try:
        _emit(encoder, bound, formula)
    except ValueError as refusal:
        return Case(bound, _audit_refusal(refusal, bound.n, formula, predicted), claims)
    clauses = list(formula.clauses())
    found = audit_clauses(
        clauses, formula.num_vars, bound.weights, bound.lower, bound.upper, predicted
    )
    if predicted is None:
        problem = "emitted, but `size` refuses the bound"
        found = found.judging(Property.EXACT_SIZE, Finding(problem))
    record = on_record(encoder.name, bound)
    if record is not None:
        changed = None if digest(clauses) == record else Finding("other clauses than on record")
        found = found.judging(Property.RECORDED, changed)
    return Case(bound, found, claims)


def _audit_refusal(
    refusal: ValueError, n: int, formula: Formula, predicted: EncodingSize | None
) -> Audit | None:
    """Return None if `size` refuses the bound too and nothing was emitted, else a failed audit."""
    if predicted is not None:
        problem = f"refused ({refusal}); predicted {size_in_words(predicted)}"
    elif (formula.num_vars, formula.num_clauses) != (n, 0):
        problem = f"refused ({refusal}) after something was emitted"
    else:
        return None
    return Audit(None, frozenset({Property.EXACT_SIZE}), {Property.EXACT_SIZE: Finding(problem)})


def _emit(encoder: Encoder, bound: Bound, formula: Formula) -> None:
    lits = range(1, bound.n + 1)
    if settle(bound.n, bound.lower, bound.upper) is not None and not bound.weighted:
        encode(Cardinality(lits, bound.lower, bound.upper), formula, encoder)
    elif not bound.weighted:
        # Not by `pbcnf.encode`, which would emit from a template: clauses before a refusal must
        # show.
        encoder.encode(lits, max(bound.lower, 0), min(bound.upper, bound.n), formula)
    elif isinstance(encoder, WeightedEncoder):
        encoder.encode_weighted(lits, bound.weights, bound.lower, bound.upper, formula)
    else:
        raise EncodingError(f"{encoder.name} has no weights")


def _predicted(encoder: Encoder, bound: Bound) -> EncodingSize | None:
    """Return the size that `encoder` predicts for `bound`; None if `size` refuses the bound."""
    try:
        if bound.weighted and isinstance(encoder, WeightedEncoder):
            return encoder.weighted_size(bound.weights, bound.lower, bound.upper)
        return None if bound.weighted else encoder.size(bound.n, bound.lower, bound.upper)
    except ValueError:
        return None


def _claims(encoder: Encoder, bound: Bound) -> frozenset[Property]:
    if isinstance(bound, GroupedBound):
        assert takes_groups(encoder)
        is_plain = bound.kind is BoundKind.GROUPED
        claimed = encoder.grouped_propagation if is_plain else Propagation.NONE
        return frozenset({Property.CORRECT}) | _PROPAGATION[claimed]
    if bound.weighted and isinstance(encoder, WeightedEncoder):
        two_sided = bound.lower > 0 and bound.upper < sum(bound.weights)
        propagation = (
            encoder.weighted_range_propagation if two_sided else encoder.weighted_propagation
        )
    else:
        propagation = encoder.propagation
    always = frozenset({Property.CORRECT, Property.EXACT_SIZE, Property.RECORDED})
    always |= _PROPAGATION[propagation]
    return always | {Property.PARSIMONIOUS} if _parsimonious(encoder, bound) else always


def _parsimonious(encoder: Encoder, bound: Bound) -> bool:
    """Whether `encoder` claims parsimony; False where the answer is a ValueError."""
    if isinstance(bound, CountedBound):
        return not bound.weighted  # counters of both directions define all that they add
    try:
        if bound.weighted and isinstance(encoder, WeightedEncoder):
            return encoder.weighted_parsimonious(bound.weights, bound.lower, bound.upper)
        return encoder.parsimonious(bound.n, bound.lower, bound.upper)
    except ValueError:
        return False
