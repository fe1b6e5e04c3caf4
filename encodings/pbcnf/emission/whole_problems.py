"""Whole problems: constraint after constraint to clauses, each kind by an encoder of its own."""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, Protocol

from pbcnf.constraints.constraint import Constraint, Parity
from pbcnf.constraints.normal_form import WeightedSum, sum_of
from pbcnf.emission.dispatch import Emission, Kind, by_rule, parity_emission, sum_emission
from pbcnf.encoders.choice import Budget, By
from pbcnf.encoders.protocol import Encoder, ParityEncoder, WeightedEncoder
from pbcnf.encoders.table import (
    ENCODERS,
    PARITY_ENCODERS,
    expresses,
    find_encoder,
    find_parity_encoder,
)
from pbcnf.errors import EncodingError
from pbcnf.formula import EncodingSize
from pbcnf.sink import ClauseSink, require_allocated

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


def encode_problem(
    constraints: Iterable[Constraint],
    sink: CountingSink,
    choices: Choices | None = None,
    most_clauses: int | None = None,
    kept: list[Parity] | None = None,
) -> Iterator[Encoded]:
    """Encode the constraints one by one, and yield an `Encoded` for each.

    This is a generator: a constraint is encoded when its `Encoded` is requested, and earlier
    constraints are not kept. Encoders are chosen by size unless `choices` says otherwise;
    clauses that earlier constraints left over allow stronger encoders (`pbcnf.encoders.choice`). If
    `kept` is a list, parities of at least two literals are appended to it and not encoded.

    Raises ValueError, naming the constraint, for a constraint that its encoder cannot express, or
    that would have more than `most_clauses` clauses (None: no limit), before any clause of this
    constraint is added.
    """
    choices, budget = choices or Choices(), Budget()
    for number, constraint in enumerate(constraints, start=1):
        variables, clauses, literals = sink.num_vars, sink.num_clauses, sink.num_literals
        try:
            require_allocated(constraint.lits, sink)
            found = _emission(constraint, choices, budget)
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
        )


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
        tally.encoders.update(() if encoding.encoder is None else (encoding.encoder,))
    return tallies


def _require_moderate(constraint: Constraint, found: Emission, most_clauses: int | None) -> None:
    """Raise ValueError for more than `most_clauses` clauses, and for bounds not expressible."""
    clauses = found.size().clauses
    if found.encoder is None or most_clauses is None or clauses <= most_clauses:
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
