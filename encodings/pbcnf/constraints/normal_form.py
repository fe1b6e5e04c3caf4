"""Normal forms of counts, weighted sums and parities, and the bounds that need no encoder.

A normal form has the same models as its constraint and does not depend on an encoder. Encoders get
normal forms, so that no encoder handles a trivial bound or a forced input, and no weighted encoder
a repeated literal. `linear_form` writes parities as equations with slack variables, for formats
that have sums alone.
"""

from __future__ import annotations

from collections import Counter as Multiset
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from math import gcd
from operator import mul

from pbcnf.constraints.constraint import Cardinality, Constraint, Linear, Parity, PseudoBoolean
from pbcnf.constraints.problem import Problem
from pbcnf.formula import EncodingSize
from pbcnf.literals import Lit, Var


class Settled(Enum):
    """The meanings of trivial pairs of bounds of n inputs."""

    TRUE = "always holds"
    FALSE = "never holds"
    ALL_FALSE = "every input is false"
    ALL_TRUE = "every input is true"


def settle(n: int, lower: int, upper: int) -> Settled | None:
    """Return the meaning of trivial bounds of n inputs, None for all other bounds.

    >>> settle(3, -1, 5), settle(3, 2, 1), settle(3, 0, 0), settle(3, 1, 2)
    (<Settled.TRUE: 'always holds'>, <Settled.FALSE: 'never holds'>, \
<Settled.ALL_FALSE: 'every input is false'>, None)
    """
    if lower > upper or upper < 0 or lower > n:
        return Settled.FALSE
    if lower <= 0 and upper >= n:
        return Settled.TRUE
    if upper == 0:
        return Settled.ALL_FALSE
    return Settled.ALL_TRUE if lower == n else None


def settled_clauses(settled: Settled, lits: Sequence[Lit]) -> list[list[Lit]]:
    """Return the clauses of a trivial constraint over `lits`."""
    match settled:
        case Settled.TRUE:
            return []
        case Settled.FALSE:
            return [[]]
        case Settled.ALL_FALSE:
            return [[-lit] for lit in dict.fromkeys(lits)]
        case Settled.ALL_TRUE:
            return [[lit] for lit in dict.fromkeys(lits)]


def normal_form(constraint: Cardinality) -> tuple[list[Lit], int, int]:
    """Return the literals without opposite pairs, then `lower`, at least 0, and `upper`, at most n.

    Every pair of x and -x contributes exactly 1 to the sum: the pair is removed, and both bounds
    fall by 1. Repeated literals stay. The bounds of a constraint that never holds stay
    unsatisfiable. n is the number of literals returned.

    >>> normal_form(Cardinality([1, -1, 2, 3], lower=2, upper=9))
    ([2, 3], 1, 2)
    """
    if len({*map(abs, constraint.lits)}) == len(constraint.lits):
        n = len(constraint.lits)
        return list(constraint.lits), max(constraint.lower, 0), min(constraint.upper, n)
    # Of a literal and its negation only the surplus of the more frequent one stays.
    number = Multiset(constraint.lits)
    surplus = {lit: count - number[-lit] for lit, count in number.items()}
    lits: list[Lit] = []
    for lit in constraint.lits:
        if surplus[lit] > 0:
            surplus[lit] -= 1
            lits.append(lit)
    pairs = (len(constraint.lits) - len(lits)) // 2
    return lits, max(constraint.lower - pairs, 0), min(constraint.upper - pairs, len(lits))


def size_of(
    n: int, lower: int, upper: int, nontrivial: Callable[[int, int, int], EncodingSize]
) -> EncodingSize:
    """Return the size for any bounds of n inputs; `nontrivial` computes non-trivial sizes.

    `nontrivial` is called with n and the bounds clamped to 0 .. n.
    """
    match settle(n, lower, upper):
        case None:
            return nontrivial(n, max(lower, 0), min(upper, n))
        case Settled.TRUE:
            return EncodingSize(0, 0, 0)
        case Settled.FALSE:
            return EncodingSize(0, 1, 0)
        case _:
            return EncodingSize(0, n, n)


def at_most_of_negations(lits: Sequence[Lit], lower: int) -> tuple[list[Lit], int]:
    """Return the at-most form of ``sum of lits >= lower``: the negated literals and their bound.

    At least `lower` of n literals are true if and only if at most ``n - lower`` are false.
    """
    return [-lit for lit in lits], len(lits) - lower


@dataclass(frozen=True, slots=True)
class WeightedSum:
    """Forced literals (`units`), and ``lower <= sum of weight * literal <= upper`` over `lits`.

    The literals of `lits` are distinct variables, their `weights` are >= 1 with greatest common
    divisor 1, and ``0 <= lower <= upper <= sum of weights``. The bounds force no literal of `lits`.
    A sum that always holds has no literals left; a sum that never holds has no WeightedSum: the
    functions that compute normal forms return None.
    """

    units: tuple[Lit, ...]
    lits: tuple[Lit, ...]
    weights: tuple[int, ...]
    lower: int
    upper: int

    def clause(self) -> list[Lit] | None:
        """Return the clause that is equivalent to the sum, None if there is no such clause."""
        total, least = sum(self.weights), min(self.weights, default=0)
        # A lower bound that any true literal meets, or an upper bound that any false literal meets.
        if self.lits and self.upper == total and 0 < self.lower <= least:
            return list(self.lits)
        if self.lits and self.lower == 0 and total - least <= self.upper < total:
            return [-lit for lit in self.lits]
        return None


def weighted_normal_form(constraint: PseudoBoolean) -> WeightedSum | None:
    """Return the normal form, or None for a constraint that never holds.

    Repeated and opposite literals are put together (a weight may become 0 and its literal leave),
    negative weights are moved to the negated literal, inputs that the bounds decide become units,
    common divisors are divided out, and with one bound no weight exceeds what that bound can use.

    >>> weighted_normal_form(PseudoBoolean([1, 2, -2, 3], [-4, 3, 1, 4], lower=3))
    WeightedSum(units=(), lits=(-1, 2, 3), weights=(2, 1, 2), lower=3, upper=5)
    """
    weights, constant = _by_literal(zip(constraint.lits, constraint.weights, strict=True))
    lower, upper = constraint.lower - constant, constraint.upper - constant
    units: list[Lit] = []
    # Each round keeps the models, and removes literals, divides the weights or lowers a weight:
    # the loop ends.
    while True:
        total = sum(weights.values())
        lower, upper = max(lower, 0), min(upper, total)
        if lower > upper:
            return None
        if (lower, upper) == (0, total):
            return WeightedSum(tuple(units), (), (), 0, 0)
        # A literal too heavy for the upper bound is false; a literal without which the lower bound
        # is out of reach is true.
        false = [lit for lit, weight in weights.items() if weight > upper]
        true = [lit for lit, weight in weights.items() if total - weight < lower]
        if false or true:
            raised = sum(weights.pop(lit) for lit in true)
            for lit in set(false) - set(true):
                del weights[lit]
            if set(false) & set(true):
                return None
            units += [-lit for lit in false] + true
            lower, upper = lower - raised, upper - raised
        elif (common := gcd(*weights.values())) > 1:
            weights = {lit: weight // common for lit, weight in weights.items()}
            lower, upper = -(-lower // common), upper // common
        elif (usable := _usable(lower, upper, total)) < max(weights.values()):
            # Saturation: a weight above a lower bound may be lowered to it. An upper bound alone is
            # the lower bound total - upper of the negated literals, which `upper` must preserve.
            weights = {lit: min(weight, usable) for lit, weight in weights.items()}
            upper = sum(weights.values()) - (usable if lower == 0 else 0)
        else:
            return WeightedSum(tuple(units), tuple(weights), tuple(weights.values()), lower, upper)


def sum_of(constraint: Linear) -> WeightedSum | None:
    """Return the normal form of any bounds on a sum, or None for one that never holds.

    A Cardinality over distinct variables that is not trivial keeps its literals as they are.

    >>> from pbcnf import Cardinality
    >>> sum_of(Cardinality([1, -2, 3], upper=2))
    WeightedSum(units=(), lits=(1, -2, 3), weights=(1, 1, 1), lower=0, upper=2)
    """
    count = _as_count(constraint)
    if count is None:
        assert isinstance(constraint, PseudoBoolean)
        return weighted_normal_form(constraint)
    lits, lower, upper = count
    n = len(lits)
    lower, upper = max(lower, 0), min(upper, n)
    nontrivial = 0 <= lower <= upper and lower < n and upper > 0 and (lower, upper) != (0, n)
    if nontrivial and len({*map(abs, lits)}) == n:
        return WeightedSum((), lits, (1,) * n, lower, upper)
    return weighted_normal_form(PseudoBoolean(lits, (1,) * n, lower, upper))


def plain_clause(constraint: Constraint) -> Sequence[Lit] | None:
    """Return the literals of a constraint that is a clause of two or more distinct variables.

    None for others, and for clauses that are written otherwise.

    >>> plain_clause(PseudoBoolean([1, 2], [1, -1], lower=0))
    (1, -2)
    """
    count = None if isinstance(constraint, Parity) else _as_count(constraint)
    if count is None:
        return None
    lits, lower, upper = count
    n = len(lits)
    if n < 2 or len({*map(abs, lits)}) < n:
        return None
    if lower == 1 and upper >= n:
        return lits
    return [-lit for lit in lits] if lower <= 0 and upper == n - 1 else None


def _as_count(constraint: Linear) -> tuple[tuple[Lit, ...], int, int] | None:
    """Return literals and both bounds on the number of true ones; None for other weights than 1."""
    lits, lower, upper = constraint.lits, constraint.lower, constraint.upper
    if isinstance(constraint, PseudoBoolean):
        if not {*constraint.weights} <= {1, -1}:
            return None
        # A literal of weight -1 is its negation of weight 1, and -1.
        if below := constraint.weights.count(-1):
            lits = tuple(map(mul, lits, constraint.weights))
            lower, upper = lower + below, upper + below
    return lits, lower, upper


def _usable(lower: int, upper: int, total: int) -> int:
    """Return the largest weight that matters to a single bound; with two bounds, `total`."""
    if upper == total:
        return lower
    return total - upper if lower == 0 else total


def _by_literal(terms: Iterable[tuple[Lit, int]]) -> tuple[dict[Lit, int], int]:
    """Return positive weights by literal, one literal for each variable, and the constant term."""
    by_variable: dict[int, int] = {}
    constant = 0
    for lit, weight in terms:
        if lit < 0:  # weight * (not x) is weight - weight * x
            constant += weight
            weight = -weight
        by_variable[abs(lit)] = by_variable.get(abs(lit), 0) + weight
    weights = {}
    for var, weight in by_variable.items():
        if weight > 0:
            weights[var] = weight
        elif weight < 0:
            constant += weight
            weights[-var] = -weight
    return weights, constant


def parity_normal_form(constraint: Parity) -> tuple[list[Var], bool]:
    """Return the variables that do not cancel out, in order of first occurrence, and their parity.

    Two equal literals cancel out. A negated literal is its variable plus 1 modulo 2, so each
    negation flips the parity (True if odd). Without variables an even parity always holds, an odd
    parity never.

    >>> parity_normal_form(Parity([4, -2, 3, 3, 1, -1], odd=True))
    ([4, 2], True)
    """
    odd, kept = constraint.odd, dict[Var, bool]()
    for lit in constraint.lits:
        odd ^= lit < 0
        kept[abs(lit)] = not kept.get(abs(lit), False)
    return [var for var, is_kept in kept.items() if is_kept], odd


def slack_bits(n: int, odd: bool) -> int:
    """Return the number of slack variables of `parity_equation` for n variables.

    The largest slack is half of the largest odd (or even) number up to n, rounded down.

    >>> [slack_bits(n, odd=False) for n in range(9)]
    [0, 0, 1, 1, 2, 2, 2, 2, 3]
    """
    return (max(0, n - odd) // 2).bit_length()


def parity_equation(variables: Sequence[Var], odd: bool, first_slack: Var) -> PseudoBoolean:
    """Return ``sum of variables - 2*s0 - 4*s1 - 8*s2 ... = odd``, 0 or 1 on the right.

    `variables` are distinct. The slack variables s0, s1, ... are the `slack_bits` variables from
    `first_slack` on: the binary digits of half the sum, rounded down. Binary digits are unique, so
    every model of the parity extends to exactly one model of the equation.

    >>> parity_equation([1, 2, 3, 4], odd=False, first_slack=9)
    PseudoBoolean(lits=(1, 2, 3, 4, 9, 10), weights=(1, 1, 1, 1, -2, -4), lower=0, upper=0)
    """
    n = len(variables)
    bits = range(slack_bits(n, odd))
    lits = [*variables, *(first_slack + bit for bit in bits)]
    weights = [1] * n + [-2 << bit for bit in bits]
    return PseudoBoolean(lits, weights, int(odd), int(odd))


def linear_form(problem: Problem) -> Problem:
    """Return the problem with an equation for every parity; without parities, the problem itself.

    ``x1 + x2 + x3 + x4`` is even if and only if ``x1 + x2 + x3 + x4 - 2*s0 - 4*s1 = 0`` for some s0
    and s1 (see `parity_equation`). The slack variables follow those of the problem and are called
    ``parity_<number of the constraint>_slack_<0, 1, ...>``; every model of the problem extends to
    exactly one model of the returned problem.

    >>> found = linear_form(Problem(2, (Parity([1, 2], odd=False),)))
    >>> found.num_vars, found.constraints[0].weights, found.names
    (3, (1, 1, -2), {3: 'parity_1_slack_0'})
    """
    if not any(isinstance(constraint, Parity) for constraint in problem.constraints):
        return problem
    # `last` is the last variable so far: slack variables are numbered from there.
    last, names = problem.num_vars, dict(problem.names)
    found: list[Constraint] = []
    for number, constraint in enumerate(problem.constraints, start=1):
        if isinstance(constraint, Parity):
            variables, odd = parity_normal_form(constraint)
            found.append(parity_equation(variables, odd, last + 1))
            for bit in range(slack_bits(len(variables), odd)):
                last += 1
                names[last] = f"parity_{number}_slack_{bit}"
        else:
            found.append(constraint)
    return Problem(last, tuple(found), names, problem.objective)


def sums(problem: Problem) -> tuple[Linear, ...]:
    """Return the constraints of the linear form of a problem."""
    return tuple(
        constraint
        for constraint in linear_form(problem).constraints
        if not isinstance(constraint, Parity)
    )
