"""The encoder of a constraint for which none is named: by kind and predicted size, or by time.

By size, the default:

* At most one, exactly one, and the same of the negated literals: `pairwise` up to six literals,
  `product` beyond.
* Other bounds of plain literals: `direct` up to eight literals; beyond, the first that is
  affordable of `totalizer`, which is arc-consistent, `k_modulo_totalizer` and `parallel_counter`,
  in the order of their measured times on larger counts (docs/encodings.md: networks, though
  arc-consistent, are slower than `totalizer`); `adder` beyond 20,000 literals.
* Weighted sums: of the encoders that are arc-consistent for each bound the affordable one with
  the fewest variables and clauses; if there is none, of those that detect every conflict; else
  `adder`.
* Parities: `direct` up to four literals, `cut_4` beyond: pieces of four literals have the fewest
  variables and clauses (see `pbcnf.encoders.parity`).

An encoding is affordable if it has at most `MOST_TIMES` times the clauses of the smallest of our
encodings, which is nearly always that of `adder`, the weakest in propagation. In a whole problem a
constraint may also take the clauses that earlier constraints left over, up to `MOST_TIMES_OF_ONE`
times the clauses of its smallest encoding. The whole problem never has more than `MOST_TIMES` times
the clauses of its smallest encoding. Sizes are exact and found before anything is encoded. Where
finding a size would itself take long, as for a diagram with very many sums, the encoder is taken to
be too large: a choice takes some seconds at the most.

By time a decision tree for each kind of sum, learned from measured times
(`pbcnf.encoders.by_time`), names the encoder; the rule by size decides where this encoder would
have more than `MOST_TIMES_OF_ONE` times the clauses of the smallest, and for parities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum
from functools import cache, lru_cache
from itertools import accumulate
from typing import Any, Final, NamedTuple

from pbcnf.encoders.protocol import Encoder, ParityEncoder, Propagation
from pbcnf.encoders.table import find_encoder, find_parity_encoder
from pbcnf.errors import EncodingError
from pbcnf.formula import EncodingSize
from pbcnf.wording import counted, unknown_name

MOST_TIMES: Final = 3
"""The factor over the fewest clauses up to which stronger propagation is worth its clauses."""

MOST_TIMES_OF_ONE: Final = 32
"""The factor for a constraint of a problem whose earlier constraints left clauses over."""

_SHORT_PARITY: Final = 4
"""The largest number of literals of a parity for `direct`."""
_PAIRWISE: Final = 6
"""The largest number of literals of at-most-one for `pairwise`."""
_DIRECT: Final = 8
"""The largest number of literals of other bounds for `direct`."""
_FORESEEN: Final = 20_000
"""The largest number of literals for which the sizes of counters are computed."""
_STEPS: Final = 30_000
"""The most steps, in units of each encoder, that computing the size of a weighted sum may take."""


_CACHED: Final = 1_000
"""The largest number of literals of a weighted sum whose options are cached."""


class By(Enum):
    """The rules by which an encoder is chosen."""

    SIZE = "size"
    TIME = "time"

    @staticmethod
    def named(name: str) -> By:
        """Return the rule of that name. Raises ValueError, with the known names, for another."""
        known = [rule.value for rule in By]
        if name not in known:
            raise EncodingError(unknown_name("rule to choose by", name, known))
        return By(name)


class Chosen(NamedTuple):
    """An encoder of sums and, in words, the reason for choosing it."""

    encoder: Encoder
    reason: str


class ChosenParity(NamedTuple):
    """An encoder of parities and, in words, the reason for choosing it."""

    encoder: ParityEncoder
    reason: str


class Budget:
    """The clauses that earlier constraints of a problem have left over for later constraints."""

    __slots__ = ("left",)

    def __init__(self, left: int = 0) -> None:
        """Start with `left` clauses."""
        self.left = left

    def account(self, fewest: int, clauses: int) -> None:
        """Account for a constraint of `clauses` clauses for which `fewest` were possible."""
        self.left += MOST_TIMES * fewest - clauses


@lru_cache(maxsize=1024)
def parity_encoder_for(n: int) -> ChosenParity:
    """Return the encoder of a parity of n literals, of which there are at least two.

    >>> parity_encoder_for(4).encoder.name, parity_encoder_for(5).encoder.name
    ('direct', 'cut_4')
    """
    name, which = "cut_4", f"more than {_SHORT_PARITY} literals: the smallest pieces"
    if n <= _SHORT_PARITY:
        name, which = "direct", f"up to {_SHORT_PARITY} literals: no auxiliary variables"
    return ChosenParity(find_parity_encoder(name), f"a parity of {which}")


def encoder_for(
    weights: Sequence[int],
    lower: int,
    upper: int,
    budget: Budget | None = None,
    by: By = By.SIZE,
) -> Chosen:
    """Return the encoder of bounds that are neither trivial nor a clause; weights are >= 1.

    `budget`, if given, holds the clauses left over in the whole problem. The constraint is
    accounted there if its encoder is chosen by size, unless it follows from kind and length alone.

    >>> encoder_for((1,) * 9, 0, 4).encoder.name, encoder_for((2, 3, 4), 0, 6).encoder.name
    ('totalizer', 'decision_diagram')
    """
    n = len(weights)
    if by is By.TIME:
        fastest = (_fastest if n <= _CACHED else _fastest.__wrapped__)(tuple(weights), lower, upper)
        if fastest is not None:
            return fastest
    if max(weights) > 1:
        find = _weighted if n <= _CACHED else _weighted.__wrapped__
        # Without a budget nothing is left over, and nothing larger is affordable.
        most_times = MOST_TIMES if budget is None else MOST_TIMES_OF_ONE
        return _picked(find(tuple(weights), lower, upper, most_times), budget)
    if is_at_most_one(n, lower, upper):
        if n <= _PAIRWISE:
            few = f"at most one of up to {_PAIRWISE} literals: a clause per pair"
            return _simple("pairwise", few)
        return _simple("product", f"at most one of more than {_PAIRWISE} literals")
    if n <= _DIRECT:
        return _simple("direct", f"up to {_DIRECT} literals: no auxiliary variables")
    return _picked(_counted(n, lower, upper), budget)


def is_at_most_one(n: int, lower: int, upper: int) -> bool:
    """Whether bounds, neither trivial nor a clause, mean "at most one" or "all but one"."""
    return (upper == 1 and lower <= 1) or (lower == n - 1 and upper >= n - 1)


@lru_cache(maxsize=1024)
def _fastest(weights: tuple[int, ...], lower: int, upper: int) -> Chosen | None:
    """Return the encoder that the trees of measured times name; None if it is too large."""
    # Imported late: most choices are by size, and need no trees.
    from pbcnf.encoders.by_time import leaf_of

    n = len(weights)
    if n > _FORESEEN:
        return None
    if max(weights) > 1:
        leaf = leaf_of("pseudo-Boolean", weights, lower, upper)
        steps = _Steps.of(weights, lower, upper)
        found: Any = find_encoder(leaf.encoder)
        adder: Any = find_encoder("adder")
        work = {name: of for encoders in _PROPAGATING.values() for name, of in encoders}
        # An encoder whose size would take too long to compute counts as too large.
        quick = leaf.encoder not in work or work[leaf.encoder](steps) <= _STEPS
        sizes = [found.weighted_size(weights, lower, upper)] if quick else []
        fewest = adder.weighted_size(weights, lower, upper).clauses
    else:
        one = is_at_most_one(n, lower, upper)
        leaf = leaf_of("at most one" if one else "cardinality", weights, lower, upper)
        usual = ("pairwise", "product") if one else ("direct", "adder", *_COUNTERS)
        sizes = [find_encoder(leaf.encoder).size(n, lower, upper)]
        fewest = min(find_encoder(name).size(n, lower, upper).clauses for name in usual)
    if not sizes or sizes[0].clauses > MOST_TIMES_OF_ONE * fewest:
        return None
    problems = counted(leaf.problems, "measured problem")
    reason = f"least mean time on {problems}" + (f" with {leaf.path}" if leaf.path else "")
    return Chosen(find_encoder(leaf.encoder), reason)


@cache
def _simple(name: str, reason: str) -> Chosen:
    return Chosen(find_encoder(name), reason)


class _Option(NamedTuple):
    encoder: Encoder
    size: EncodingSize
    reason: str


class _Options(NamedTuple):
    """The encoders for a sum, the best ones first, and the fewest clauses of them all."""

    fewest: int
    options: tuple[_Option, ...]


def _picked(found: _Options, budget: Budget | None) -> Chosen:
    """Return the first option that is affordable; the last one always is."""
    left = 0 if budget is None else budget.left
    most = min(MOST_TIMES * found.fewest + left, MOST_TIMES_OF_ONE * found.fewest)
    # The options are in order of preference: each that is too large gives way to the next.
    option, *weaker = found.options
    beyond = ""
    for next_option in weaker:
        if option.size.clauses <= most:
            break
        if not beyond:
            clauses = counted(option.size.clauses, "clause", ",")
            would = f"{option.encoder.name} would need {clauses}"
            beyond = f"; {would}, the smallest {found.fewest:,}"
        option = next_option
    if budget is not None:
        budget.account(found.fewest, option.size.clauses)
    return Chosen(option.encoder, option.reason + beyond)


@lru_cache(maxsize=1024)
def _counted(n: int, lower: int, upper: int) -> _Options:
    """Return the options for bounds on the number of true literals."""
    adder = find_encoder("adder")
    smallest = adder.size(n, lower, upper)
    if n > _FORESEEN:
        reason = f"more than {_FORESEEN:,} literals: the smallest"
        return _Options(smallest.clauses, (_Option(adder, smallest, reason),))
    reason = f"more than {_DIRECT} literals"
    options = [
        _Option(each, each.size(n, lower, upper), reason) for each in map(find_encoder, _COUNTERS)
    ]
    fewest = min(smallest.clauses, *(option.size.clauses for option in options))
    return _Options(fewest, tuple(options))


@lru_cache(maxsize=256)
def _weighted(weights: tuple[int, ...], lower: int, upper: int, most_times: int) -> _Options:
    """Return the options for a weighted sum: by strength of propagation, then by size.

    Left out are encoders that are never taken: those of more than `most_times` the clauses of the
    adder, and those behind an option that has no more clauses.
    """
    steps = _Steps.of(weights, lower, upper)
    adder: Any = find_encoder("adder")
    smallest: EncodingSize = adder.weighted_size(weights, lower, upper)
    options: list[_Option] = []
    for strength, encoders in _PROPAGATING.items():
        fewest = min([most_times * smallest.clauses + 1, *(o.size.clauses for o in options)])
        sizes: list[tuple[EncodingSize, Encoder]] = []
        for name, of in encoders:
            # Encoders whose size would take too long to compute are no options.
            if of(steps) > _STEPS:
                continue
            encoder: Any = find_encoder(name)
            size = EncodingSize(0, 0, 0)
            for part in encoder.weighted_sizes(weights, lower, upper):
                size += part
                if size.clauses >= fewest or any(_is_behind(size, than) for than, _ in sizes):
                    break
            else:
                sizes.append((size, encoder))
        for size, encoder in sorted(sizes, key=lambda pair: pair[0].variables + pair[0].clauses):
            what = f"the smallest that is affordable and {strength.value}"
            variables = counted(size.variables, "variable", ",")
            clauses = counted(size.clauses, "clause", ",")
            options.append(_Option(encoder, size, f"{what}: {variables}, {clauses}"))
    reason = "the smallest: whatever propagates more is too large"
    options.append(_Option(adder, smallest, reason))
    return _Options(min(option.size.clauses for option in options), tuple(options))


def _is_behind(size: EncodingSize, than: EncodingSize) -> bool:
    """Whether an encoding of at least this `size` comes after another, with no fewer clauses."""
    more = size.variables + size.clauses >= than.variables + than.clauses
    return more and size.clauses >= than.clauses


class _Steps(NamedTuple):
    """Upper limits of the work for finding the size of a sum, by method."""

    sums: int
    """The attainable sums of the first i inputs, added up over all i."""
    pairs: int
    """The pairs of sums that a balanced tree adds, without those at the root."""
    bits: int
    """The number of 1 bits in all weights."""
    different: int
    """The different weights."""

    @staticmethod
    def of(weights: Sequence[int], lower: int, upper: int) -> _Steps:
        """Return the limits for `weights`, taken by decreasing weight as encoders do."""
        ordered = sorted(weights, reverse=True)
        # A lower bound alone is an upper bound of the negated inputs.
        bound = upper if upper < sum(ordered) else sum(ordered) - lower
        half = len(ordered) // 2
        return _Steps(
            sum(_sums(i, total, bound) for i, total in enumerate(accumulate(ordered), start=1)),
            _pairs(ordered[:half], bound) + _pairs(ordered[half:], bound),
            sum(map(int.bit_count, ordered)),
            len(set(ordered)),
        )


def _sums(inputs: int, total: int, bound: int) -> int:
    """Return an upper limit of the number of sums up to `bound`, from inputs and total."""
    return min(1 << min(inputs, 64), total + 1, bound + 1)


def _pairs(ordered: Sequence[int], bound: int) -> int:
    if len(ordered) < 2:
        return 0
    half = len(ordered) // 2
    left, right = ordered[:half], ordered[half:]
    met = _sums(len(left), sum(left), bound) * _sums(len(right), sum(right), bound)
    return met + _pairs(left, bound) + _pairs(right, bound)


_COUNTERS: Final = ("totalizer", "k_modulo_totalizer", "parallel_counter")

_PROPAGATING: Final[dict[Propagation, tuple[tuple[str, Callable[[_Steps], int]], ...]]] = {
    Propagation.ARC_CONSISTENT: (
        ("decision_diagram", lambda steps: steps.sums),
        ("sequential_weight_counter", lambda steps: steps.sums),
        ("generalized_totalizer", lambda steps: steps.pairs // 8),
        ("local_polynomial_watchdog", lambda steps: steps.bits * steps.different),
        ("binary_merge_gac", lambda steps: steps.bits * steps.different),
    ),
    Propagation.DETECTS: (
        ("global_polynomial_watchdog", lambda steps: steps.bits),
        ("binary_merge", lambda steps: steps.bits),
        ("mixed_radix_sorter", lambda steps: steps.bits),
    ),
}
"""The encoders of weighted sums by what they find of each bound, and the steps of their sizes."""
