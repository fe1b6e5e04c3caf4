"""Sorters in a mixed radix."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from math import prod
from operator import mul
from typing import ClassVar, Final

from pbcnf.encoders.bounds import MirroredBounds
from pbcnf.encoders.circuits.grouped_sums import BoundedChoices, GroupedSum, one_of
from pbcnf.encoders.circuits.mixed_radix import (
    Comparison,
    Place,
    Reached,
    base_of,
    digits,
    digits_at_least,
    digits_at_most,
    merge,
    remainder,
    size_of_place,
    smallest,
    sort,
)
from pbcnf.encoders.circuits.unary import (
    Counts,
    NetworkAdder,
    TotalizerAdder,
    UnaryAdder,
    count_unary,
    put_off,
)
from pbcnf.encoders.counter import Direction
from pbcnf.encoders.protocol import Propagation
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit
from pbcnf.sink import ClauseSink, NormalisingSink


@dataclass(frozen=True, slots=True)
class MixedRadixSorter(MirroredBounds):
    """Adds in a mixed radix: a sorter per place, whose every r-th output is a carry.

    Idea: the weights are written in a base in which their digits have a small sum
    (`pbcnf.encoders.circuits.mixed_radix`). At each place the inputs are sorted, each as often as
    its digit says, together with the carries from below; with radix r the outputs r, 2r, ... are
    the carries to the next place, and what is left is the digit of the sum. The digits are compared
    with those of the bounds from the highest on. Two bounds share the sorters, whose comparators
    are equivalences. For one bound a constant is added to the sum and to the bound, the tare, so
    that one output of the last sorter says that it is exceeded, and comparators need one direction
    alone; where no place holds two inputs or a carry, the digits are compared as for two. At least
    is at most of the negated inputs then, and a bound that no single input may be missing from is a
    clause. Inputs of one digit are sorted first and then counted several times each;
    these sequences and the carries are merged, the shortest first.

    Auxiliary variables, all equivalent to their meaning, or with the tare implied by it: the values
    of the sorting and merging networks ("the high, or the low, of the two values compared is
    true"), and "the digit of this place is at least d" for the digits d of the bounds and the next
    ones; where the count is the digit, its output says that already.

    Size: the sum over the places (`weighted_size`): O(s log^2 s) for s inputs and carries, O(s)
    clauses for the digits, and per bound one clause at most for every place, over that place and
    the higher ones. Weights 1 are one sorting network.

    Propagation: one bound is detected. It is arc-consistent if every weight is 1, also for two
    bounds. For two bounds of different weights nothing is claimed; a total assignment of the
    inputs is always decided. Parsimonious with two bounds, and where digits are compared.

    Groups: a group is one digit of each place (`encode_groups`), "the true literal has at least j
    here" for each j; these are sorted already and only merged, by the smaller of a network and a
    totalizer. One bound is detected, given the groups. Bofill et al. (Artificial Intelligence
    2022) have an n-level modulo totalizer over groups, after that of Zha, Koshimura, Fujita
    (Constraints 2019), with a carry at each node of a tree; here there is one carry a place, so
    that counts only rise as inputs become true, which is why conflicts are found.

    Reference: Een, Soerensson: Translating pseudo-Boolean constraints into SAT, JSAT 2006 (sorters
    and their bases). Codish, Fekete, Fuhs, Schneider-Kamp: Optimal base encodings for
    pseudo-Boolean constraints, TACAS 2011; the search here is bounded, not optimal.

    >>> from pbcnf import Formula, dimacs
    >>> f = Formula(num_vars=3)
    >>> MixedRadixSorter().encode_weighted([1, 2, 3], [1, 3, 3], 0, 4, f)
    >>> print(dimacs(f), end="")
    p cnf 4 2
    -2 -3 4 0
    -4 0
    """

    name: ClassVar[str] = "mixed_radix_sorter"
    propagation: ClassVar[Propagation] = Propagation.ARC_CONSISTENT
    weighted_propagation: ClassVar[Propagation] = Propagation.DETECTS
    weighted_range_propagation: ClassVar[Propagation] = Propagation.NONE
    grouped_propagation: ClassVar[Propagation] = Propagation.DETECTS
    by_weight: ClassVar[bool] = False

    def grouped_steps(self, of: GroupedSum) -> int:
        """Return about how many clauses `encode_groups` emits at the most."""
        bits = of.bits()
        return min(of.inputs() // 4, bits * bits.bit_length() ** 2)

    def encode_groups(self, of: GroupedSum, sink: ClauseSink) -> None:
        """Emit the clauses of a sum over groups, which other clauses must enforce."""
        # A literal can be an input of a place and a carry into it.
        normalising = NormalisingSink(sink)
        for bound in of.one_sided():
            choices = bound.choices(normalising)
            if choices is not None:
                _encode_choices(choices, normalising)

    def weighted_parsimonious(self, weights: Sequence[int], lower: int, upper: int) -> bool:
        """Whether models extend uniquely, see the class."""
        total = sum(weights)
        if (lower > 0 and upper < total) or self.weighted_size(weights, lower, upper).variables < 2:
            return True
        # Comparators of both directions make the auxiliaries equivalent to their meaning.
        plan = plan_of(weights, 0, upper if lower == 0 else total - lower)
        return all(place.directions is Direction.BOTH for place in plan.places)

    def sum_sizes(self, weights: Sequence[int], lower: int, upper: int) -> Iterator[EncodingSize]:
        """Yield the sizes of the places, and of the clauses over their digits."""
        plan = plan_of(weights, lower, upper)
        yield EncodingSize(0, len(plan.comparison), sum(map(len, plan.comparison)))
        yield from map(size_of_place, plan.places)

    def encode_sum(
        self, lits: Sequence[Lit], weights: Sequence[int], lower: int, upper: int, sink: ClauseSink
    ) -> None:
        """Emit the places, from the lowest, and the clauses over their digits."""
        plan = plan_of(weights, lower, upper)
        inputs = sum(number for place in plan.places for _, number in place.groups)
        sink = put_off(plan.places[0].adder, inputs, sink)
        reached: dict[Reached, Lit] = {}
        rest, carry = list(weights), list[Lit]()
        for index, place in enumerate(plan.places):
            # An input enters this place as often as its digit says; inputs of one digit are sorted
            # once and their outputs repeated.
            held = [number % place.radix for number in rest]
            rest = [number // place.radix for number in rest]
            groups: dict[int, list[Lit]] = {times: [] for times, _ in place.groups}
            for lit, digit in zip(lits, held, strict=True):
                if digit:
                    groups[digit].append(lit)
            outputs = sort(place, [*groups.values()], carry, sink)
            carry = [outputs[count] for count in place.carries]
            for least in place.asked:
                reached[index, least] = remainder(place, least, outputs, sink)
        for clause in plan.comparison:
            sink.add_clause([reached[term] if holds else -reached[term] for term, holds in clause])


@dataclass(frozen=True, slots=True)
class SorterPlan:
    """The places, and the clauses over their digits."""

    comparison: Comparison
    places: tuple[Place, ...]


def plan_of(weights: Sequence[int], lower: int, upper: int) -> SorterPlan:
    """Return the plan for two bounds, or for an upper bound alone if ``lower == 0``."""
    base = base_of(weights)
    if lower == 0 and not _nothing_to_sort(weights, base):
        return _watched(weights, upper, base)
    bare = _places(weights, base, (0,) * (len(base) + 1))
    largest = [min(place.length, place.radix - 1) for place in bare]
    comparison = digits_at_most(digits(upper, base), largest)
    if lower > 0:
        comparison += digits_at_least(digits(lower, base), largest)
    # Each place must provide the digits that `comparison` mentions.
    asked: list[set[int]] = [set() for _ in bare]
    for clause in comparison:
        for (index, least), _ in clause:
            asked[index].add(least)
    for place, numbers in zip(bare, asked, strict=True):
        place.asked = tuple(sorted(numbers))
    return SorterPlan(comparison, tuple(bare))


def _nothing_to_sort(weights: Sequence[int], base: tuple[int, ...]) -> bool:
    """Return whether no place holds two inputs; there are no carries then."""
    if len(weights) > len(base) + 1:
        return False
    places = zip(*(digits(weight, base) for weight in weights), strict=True)
    return all(sum(map(bool, place)) <= 1 for place in places)


def _watched(weights: Sequence[int], bound: int, base: tuple[int, ...]) -> SorterPlan:
    """Return the plan with a tare: the bound is exceeded iff the last count reaches one number."""
    reached, tare = _tare(bound, base)
    places = _places(weights, base, tare)
    for place in places:
        # Of one input and nothing else the carry would be the input itself.
        place.is_copied = place.is_alone and place.groups[0][1] == 1
    places[-1].is_copied = False
    _ask_for(reached, places)
    return SorterPlan([[((len(base), reached), False)]], tuple(places))


def _tare(bound: int, base: tuple[int, ...]) -> tuple[int, list[int]]:
    """Return the count of the last place that exceeds the bound, and the digits of the tare.

    With the tare, bound + 1 is a multiple of the last place's worth: exceeding the bound is then
    "at least this count" in the last place, one literal and no comparison of digits.
    """
    last = prod(base)
    reached = bound // last + 1
    return reached, digits(reached * last - bound - 1, base)


def _ask_for(reached: int, places: Sequence[Place]) -> None:
    """Give places no counts but those that "at least `reached`" in the last one needs."""
    for place in places:
        place.directions = Direction.AT_MOST
    places[-1].asked = (reached,)
    # From the last place down, the counts of a place decide the carries needed from the place
    # below.
    for above, place in pairwise(reversed(places)):
        place.most = above.counts[-1] if above.counts else 0


def _places(weights: Sequence[int], base: tuple[int, ...], tare: Sequence[int]) -> list[Place]:
    rest, carry = list(weights), 0
    places: list[Place] = []
    # The digit of the last place is unbounded: its radix exceeds every count.
    for radix, constant in zip((*base, sum(weights) + 1), tare, strict=True):
        held = [number % radix for number in rest]
        rest = [number // radix for number in rest]
        inputs: dict[int, int] = {}
        for digit in filter(None, held):
            inputs[digit] = inputs.get(digit, 0) + 1
        groups = tuple(sorted(inputs.items()))
        is_copied = False
        if not carry and [*inputs.values()] == [1]:
            number = weights[held.index(groups[0][0])]
            is_copied = sum(map(bool, digits(number, base))) > 1
        places.append(Place(radix, groups, carry, is_copied, tare=constant))
        carry = (places[-1].length + constant) // radix
    return places


@dataclass(frozen=True, slots=True)
class _Digits:
    """The inputs of one place of a sum over choices, as sorted sequences."""

    alone: dict[int, list[Lit]]
    """Digit -> the inputs of that digit, to be sorted; each counts as often as the digit says."""
    chains: list[list[Lit]]
    """Chains, each literal as often as its digit says: it implies what comes before."""
    choices: list[list[tuple[Lit, ...]]]
    """For each choice and each j from 1 on, the literals whose digit is at least j."""

    @staticmethod
    def of(bound: BoundedChoices, worth: int, radix: int | None) -> _Digits:
        """Return the digits of a place that is worth `worth`; without a radix it is the last."""

        def digit(weight: int) -> int:
            return weight // worth if radix is None else weight // worth % radix

        alone = defaultdict[int, list[Lit]](list)
        for chain in bound.chains:
            if len(chain) == 1 and digit(chain[0][1]):
                alone[digit(chain[0][1])].append(chain[0][0])
        chains = [
            [lit for lit, weight in chain for _ in range(digit(weight))]
            for chain in bound.chains
            if len(chain) > 1
        ]
        choices = [
            [
                tuple(lit for lit, weight in weights.items() if digit(weight) >= least)
                for least in range(1, max(map(digit, weights.values())) + 1)
            ]
            for weights in bound.weights
        ]
        return _Digits(
            dict(sorted(alone.items())), [*filter(None, chains)], [*filter(None, choices)]
        )

    @property
    def lengths(self) -> list[int]:
        """The lengths of the sequences: inputs alone, chains, choices."""
        alone = [digit * len(lits) for digit, lits in self.alone.items()]
        return [*alone, *map(len, self.chains), *map(len, self.choices)]


@dataclass(frozen=True, slots=True)
class ChoicePlan:
    """The places of an upper bound of a sum over choices, and what enters each."""

    places: list[Place]
    entering: list[_Digits]
    reached: int
    """The count of the last place that exceeds the bound."""

    @staticmethod
    def of(bound: BoundedChoices) -> ChoicePlan:
        """Return the plan, in the base with the fewest inputs of all places."""
        base = min(
            _bases_for(bound), key=lambda base: sum(sum(of.lengths) for of in _cut(bound, base))
        )
        entering, (reached, tare) = _cut(bound, base), _tare(bound.upper, base)
        places, carry = list[Place](), 0
        for radix, constant, of in zip((*base, bound.total + 1), tare, entering, strict=True):
            groups = tuple((1, length) for length in of.lengths)
            places.append(Place(radix, groups, carry, is_copied=False, tare=constant))
            carry = (places[-1].length + constant) // radix
        _ask_for(reached, places)
        return ChoicePlan(places, entering, reached)


ADDERS_OF_CHOICES: Final[Sequence[UnaryAdder]] = (
    NetworkAdder(Direction.AT_MOST, distinct=False),
    TotalizerAdder(),
)
"""The adders of a sum over choices: of each count and each sum the smaller one is taken."""


def _encode_choices(bound: BoundedChoices, sink: ClauseSink) -> None:
    """Emit an upper bound: the digits of a choice are sorted as they are, and only merged."""
    plan = ChoicePlan.of(bound)
    carried, own = list[Lit](), dict[tuple[Lit, ...], Lit]()
    for place, of in zip(plan.places, plan.entering, strict=True):
        if not place.counts:
            carried = []
            continue
        most = place.counts[-1]
        sequences = list[Sequence[Lit]]()
        for digit, lits in of.alone.items():
            asked = counts_of(len(lits), digit, most)
            found = count_unary(smallest_of_count(len(lits), asked), lits, asked, sink).lits
            sequences.append([lit for lit in found for _ in range(digit)])
        sequences += of.chains
        for choice in of.choices:
            for some in choice[:most]:
                if some not in own:
                    own[some] = one_of(some, sink)
            sequences.append([own[some] for some in choice[:most]])
        outputs = merge(place, ADDERS_OF_CHOICES, sequences, carried, sink)
        carried = [outputs[count] for count in place.carries]
    sink.add_clause([-outputs[plan.reached]])


def counts_of(number: int, digit: int, most: int) -> Counts:
    """Return the counts of `number` inputs, each worth `digit`, that matter up to a sum `most`."""
    return tuple(range(1, min(number, -(-most // digit)) + 1))


def smallest_of_count(number: int, asked: Counts) -> UnaryAdder:
    """Return the adder that counts `number` inputs of a sum over choices."""
    return smallest(ADDERS_OF_CHOICES, lambda adder: adder.size_of_count(number, asked))


def _bases_for(bound: BoundedChoices) -> list[tuple[int, ...]]:
    """Return bases in which the digits may be small: of all weights, and of the largest ones."""
    alone = [weight for chain in bound.chains for _, weight in chain]
    return [
        base_of([*alone, *(weight for each in bound.weights for weight in each.values())]),
        base_of([*alone, *(max(each.values()) for each in bound.weights)]),
        (2,) * (max([*alone, *(max(each.values()) for each in bound.weights)]).bit_length() - 1),
    ]


def _cut(bound: BoundedChoices, base: tuple[int, ...]) -> list[_Digits]:
    worths = [*accumulate(base, initial=1, func=mul)]
    return [
        _Digits.of(bound, worth, radix) for worth, radix in zip(worths, (*base, None), strict=True)
    ]
