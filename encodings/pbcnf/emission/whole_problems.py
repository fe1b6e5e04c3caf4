"""Encodes whole problems as clauses, each kind of constraint by an encoder of its own."""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, Protocol

from pbcnf.constraints.constraint import Constraint, Linear, Parity
from pbcnf.constraints.normal_form import WeightedSum, plain_clause, sum_of
from pbcnf.emission.dispatch import Emission, Kind, by_rule, parity_emission, sum_emission
from pbcnf.encoders.choice import MOST_TIMES, Budget, By
from pbcnf.encoders.protocol import Encoder, ParityEncoder, WeightedEncoder, takes_groups
from pbcnf.encoders.table import (
    ENCODERS,
    PARITY_ENCODERS,
    expresses,
    find_encoder,
    find_parity_encoder,
)
from pbcnf.errors import EncodingError
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink, require_allocated

if TYPE_CHECKING:
    # Sums over groups need numpy, which some browsers do not have: imported late.
    from pbcnf.emission.groups import Group
    from pbcnf.encoders.circuits.grouped_sums import GroupedSum

AUTO: Final = "auto"


@dataclass(frozen=True, slots=True)
class Choices:
    """The encoder of each kind of constraint that needs one, by name.

    ``"auto"`` chooses each by the rule `by`, "size" or "time" (`pbcnf.encoders.choice` states
    both), as `encode` does.

    Raises ValueError for an unknown name, and for a pseudo-Boolean encoder that takes no weights.
    """

    at_most_one: str = AUTO
    cardinality: str = AUTO
    pseudo_boolean: str = AUTO
    parity: str = AUTO
    by: str = By.SIZE.value

    def __post_init__(self) -> None:
        """Check the names."""
        for name in (self.at_most_one, self.cardinality, self.pseudo_boolean):
            if name != AUTO:
                find_encoder(name)
        if self.pseudo_boolean != AUTO and not isinstance(
            find_encoder(self.pseudo_boolean), WeightedEncoder
        ):
            raise EncodingError(f"{self.pseudo_boolean} takes weights 1 only")
        self.parity_encoder()
        By.named(self.by)

    def encoder(self, kind: Kind, form: WeightedSum, budget: Budget | None = None) -> Encoder:
        """Return the encoder of a sum of this kind, within a budget if it is chosen by size."""
        if kind is Kind.AT_MOST_ONE:
            chosen = self.at_most_one
        else:
            chosen = self.cardinality if kind is Kind.CARDINALITY else self.pseudo_boolean
        rule = by_rule(By.named(self.by), budget)
        return rule(kind, form) if chosen == AUTO else find_encoder(chosen)

    def parity_encoder(self) -> ParityEncoder | None:
        """Return the encoder of parities; None if each gets one by size."""
        return None if self.parity == AUTO else find_parity_encoder(self.parity)


def suited(name: str) -> dict[str, str]:
    """Return the fields of `Choices` that the encoder `name` can fill, each with `name`.

    An encoder of at-most-one constraints fills `at_most_one`; an encoder of counts fills
    `cardinality` too, an encoder of weighted sums `pseudo_boolean` as well; an encoder of parities
    fills `parity`. Raises ValueError for an unknown name.
    """
    parity = {"parity": name} if name in PARITY_ENCODERS else {}
    if parity and name not in ENCODERS:
        return parity
    encoder = find_encoder(name)
    kinds = ["at_most_one"]
    # "Exactly 2 of 4" is a bound that no encoder of at-most-one constraints expresses.
    if expresses(encoder, 4, 2, 2):
        kinds.append("cardinality")
    if isinstance(encoder, WeightedEncoder):
        kinds.append("pseudo_boolean")
    return dict.fromkeys(kinds, name) | parity


@dataclass(slots=True)
class Tally:
    """The number of constraints of one kind, and the size and the encoders of their encodings."""

    constraints: int = 0
    size: EncodingSize = field(default_factory=lambda: EncodingSize(0, 0, 0))
    """The size of all encodings of this kind together."""
    encoders: Multiset[str] = field(default_factory=Multiset)
    """The number of constraints by encoder, without constraints that needed no encoder."""
    groups: int = 0
    """The number of groups of literals that the encodings rely on, all together."""


class CountingSink(ClauseSink, Protocol):
    """A sink that counts the clauses and literals that it has received."""

    @property
    def num_clauses(self) -> int:
        """The number of clauses."""
        ...

    @property
    def num_literals(self) -> int:
        """The number of literal occurrences."""
        ...


@dataclass(frozen=True, slots=True)
class Encoded:
    """The encoding of one constraint: its number from 1, its kind, the encoder's name or None.

    The auxiliary variables of the encoding are ``first_auxiliary .. last_auxiliary``; there are
    none if `first_auxiliary` is the larger one.
    """

    number: int
    kind: Kind
    encoder: str | None
    size: EncodingSize
    first_auxiliary: int
    last_auxiliary: int
    cut: GroupedSum | None = None
    """The sum in groups of literals that the encoding relies on, if any."""

    @property
    def groups(self) -> int:
        """The number of groups of literals that the encoding relies on."""
        return 0 if self.cut is None else self.cut.groups


def encode_problem(
    constraints: Iterable[Constraint],
    sink: CountingSink,
    choices: Choices | None = None,
    most_clauses: int | None = None,
    kept: list[Parity] | None = None,
    groups: Literal["find"] | Sequence[Group] | None = None,
) -> Iterator[Encoded]:
    """Encode the constraints one by one, and yield an `Encoded` for each.

    This is a generator: a constraint is encoded when its `Encoded` is requested, and earlier
    constraints are not kept. Encoders are chosen by size unless `choices` says otherwise;
    clauses that earlier constraints left over allow stronger encoders (`pbcnf.encoders.choice`). If
    `kept` is a list, parities of at least two literals are appended to it and not encoded.

    `groups` are groups of literals of which at most one is true, or chains, for sums to be encoded
    with (`pbcnf.emission.groups`); ``"find"`` finds them among the at-most-one constraints and the
    clauses of two literals. Then the constraints are kept. A sum has groups if its named encoder
    uses them; by size, if that is smaller than without, or propagates more at an affordable size.

    Raises ValueError, naming the constraint, for a constraint that its encoder cannot express, or
    that would have more than `most_clauses` clauses (None: no limit), before any clause of this
    constraint is added; and for a group of which those constraints do not say that it holds.
    """
    choices, budget = choices or Choices(), Budget()
    groups_of: Callable[[Sequence[Lit]], Iterable[Group]] | None = None
    if groups is not None:
        constraints = [*constraints]
        groups_of = _groups_of(constraints, groups)
    for number, constraint in enumerate(constraints, start=1):
        variables, clauses, literals = sink.num_vars, sink.num_clauses, sink.num_literals
        try:
            require_allocated(constraint.lits, sink)
            clause = plain_clause(constraint)
            if clause is not None:
                # Most constraints of many problems are clauses: they need no more than this.
                budget.account(1, 1)
                sink.add_clause(clause)
                size = EncodingSize(0, 1, sink.num_literals - literals)
                yield Encoded(number, Kind.CLAUSE, None, size, variables + 1, variables)
                continue
            found = _emission(constraint, choices, budget)
            if groups_of is not None and not isinstance(constraint, Parity):
                found = _with_groups(constraint, found, choices, groups_of, budget, most_clauses)
            if kept is not None and isinstance(constraint, Parity) and found.kind is Kind.PARITY:
                kept.append(constraint)
                found = Emission(Kind.PARITY, lambda sink: None)
            _require_moderate(constraint, found, most_clauses)
            found.emit(sink)
        except ValueError as error:
            raise EncodingError(f"constraint {number}: {error}") from None
        yield Encoded(
            number=number,
            kind=found.kind,
            encoder=None if found.encoder is None else found.encoder.name,
            size=EncodingSize(
                sink.num_vars - variables,
                sink.num_clauses - clauses,
                sink.num_literals - literals,
            ),
            first_auxiliary=variables + 1,
            last_auxiliary=sink.num_vars,
            cut=found.cut,
        )


def _groups_of(
    constraints: Iterable[Constraint], groups: Literal["find"] | Sequence[Group]
) -> Callable[[Sequence[Lit]], Iterable[Group]]:
    """Return the function from the literals of a sum to the groups that it may use."""
    from pbcnf.emission.groups import Conflicts

    known = Conflicts(constraints)
    if isinstance(groups, str):
        return known.groups
    for group in groups:
        known.require(group)
    return lambda lits: groups


def _with_groups(
    constraint: Linear,
    plain: Emission,
    choices: Choices,
    groups_of: Callable[[Sequence[Lit]], Iterable[Group]],
    budget: Budget,
    most_clauses: int | None,
) -> Emission:
    """Return the emission with groups where one is to be had, else `plain`."""
    from pbcnf.emission.groups import encoders_with_groups, grouped_emission

    form, encoder = sum_of(constraint), plain.encoder
    named = {Kind.CARDINALITY: choices.cardinality, Kind.PSEUDO_BOOLEAN: choices.pseudo_boolean}
    name = named.get(plain.kind)
    if name is None or form is None or encoder is None:
        return plain
    assert not isinstance(encoder, ParityEncoder)
    groups = groups_of(form.lits)
    if name != AUTO:
        tried = [encoder] if takes_groups(encoder) else []
        found = grouped_emission(form, groups, plain, tried, encoder, most_clauses=most_clauses)
        return found or plain
    # As without groups, what propagates more may have some times the clauses of the smallest.
    smallest = find_encoder("adder")
    assert isinstance(smallest, WeightedEncoder)
    limit = MOST_TIMES * smallest.weighted_size(form.weights, form.lower, form.upper).clauses
    found = grouped_emission(form, groups, plain, encoders_with_groups(), limit=limit)
    if found is None:
        return plain
    budget.left -= found.size().clauses - plain.size().clauses
    return found


def _emission(constraint: Constraint, choices: Choices, budget: Budget | None = None) -> Emission:
    if isinstance(constraint, Parity):
        return parity_emission(constraint, choices.parity_encoder())
    return sum_emission(
        sum_of(constraint), lambda kind, form: choices.encoder(kind, form, budget), budget
    )


def tallied(encoded: Iterable[Encoded]) -> dict[Kind, Tally]:
    """Return the sums over all constraints of each kind, every kind in the order of `Kind`."""
    tallies = {kind: Tally() for kind in Kind}
    for encoding in encoded:
        tally = tallies[encoding.kind]
        tally.constraints += 1
        tally.size += encoding.size
        tally.groups += encoding.groups
        tally.encoders.update(() if encoding.encoder is None else (encoding.encoder,))
    return tallies


def _require_moderate(constraint: Constraint, found: Emission, most_clauses: int | None) -> None:
    """Raise ValueError for more than `most_clauses` clauses."""
    if found.encoder is None:
        return
    # Without a limit the size is not needed; of bounds not expressible the encoder says so itself.
    if most_clauses is None or (clauses := found.size().clauses) <= most_clauses:
        return
    raise EncodingError(
        f"{found.encoder.name} would need {_rounded(clauses)} clauses for {found.inputs:,}"
        f" literals, more than {most_clauses:,}; {_what_fits(constraint, found, most_clauses)}"
    )


def _what_fits(constraint: Constraint, found: Emission, most_clauses: int) -> str:
    """Return a hint: an encoder within `most_clauses`, else the smallest of those tried.

    Tried are the encoder chosen by size, `adder`, which is nearly always the smallest, and the
    encoder of `found`.
    """
    smallest = Choices(cardinality="adder", pseudo_boolean="adder")
    tried = [*(_emission(constraint, choices) for choices in (Choices(), smallest)), found]
    sizes = {each.encoder.name: each.size().clauses for each in tried if each.encoder is not None}
    for name, clauses in sizes.items():
        if clauses <= most_clauses:
            return f"{name} would need {_rounded(clauses)}"
    name = min(sizes, key=lambda name: sizes[name])
    return f"even {name} would need {_rounded(sizes[name])}"


def _rounded(clauses: int) -> str:
    if clauses < 10**15:
        return f"{clauses:,}"
    return f"more than 10^{int(clauses.bit_length() * 0.30103) - 1}"
