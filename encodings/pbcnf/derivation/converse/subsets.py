"""The bounds from one clause for every set of k + 1 inputs: at most k, or at least, or both.

Let R(T, m) say for a set T of t inputs behind the first m: while all of T are true, at most k - t
of the first m are,

    ~x1 + ... + ~xm + (m - k + t) * (sum of ~x over T) >= m - k + t.

For m = k - t + 1 that is a clause. For t = k it is the sum of m clauses. Otherwise input m is false
or true: m - k + t - 1 times R(T, m - 1), and R(T with m, m - 1), divided by m - k + t. The bound is
R of the empty set and all inputs. So each clause is used once, and there are fewer steps than
clauses.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pbcnf.derivation.converse.clauses_left import ClausesLeft
from pbcnf.derivation.derivation_state import BoundIds, DerivationState, UnderivableError
from pbcnf.literals import Lit, negate


def derive(left: ClausesLeft, state: DerivationState) -> BoundIds:
    """Derive both bounds from the clauses on all sets of inputs."""
    of = left.of
    found = {
        frozenset(clause): number for clause, number in zip(of.clauses, left.numbers, strict=True)
    }
    n = len(of.lits)
    lower = upper = None
    if of.at_most is not None:
        upper = at_most(of.lits, of.upper, found, state)
    if of.at_least is not None:
        lower = at_most(negate(of.lits), n - of.lower, found, state)
    return BoundIds(lower, upper)


def at_most(
    lits: Sequence[Lit], k: int, clauses: Mapping[frozenset[Lit], int], state: DerivationState
) -> int:
    """Derive that at most k of n > k literals are true from a clause for each k + 1 of them."""

    def clause(true: tuple[Lit, ...], *some: Lit) -> int:
        key = frozenset(-lit for lit in (*true, *some))
        if key not in clauses:
            raise UnderivableError(f"there is no clause {sorted(key, key=abs)}")
        return clauses[key]

    def parts(true: tuple[Lit, ...], m: int) -> list[tuple[int, int]]:
        """Return the summands of R, so that the last sum is no separate step."""
        if len(true) == k:
            return [(clause(true, lit), 1) for lit in lits[:m]]
        start = k - len(true) + 1
        number = clause(true, *lits[:start])
        for place in range(start, m):
            divisor = place + 1 - start + 1
            more = parts((*true, lits[place]), place)
            number = state.add([(number, divisor - 1), *more], divisor=divisor)
        return [(number, 1)]

    found = parts((), len(lits))
    return found[0][0] if len(found) == 1 else state.add(found)
