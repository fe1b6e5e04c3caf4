"""Consequences of sums of variables without search: bounds, rows modulo 2 and 3, small facts.

Three steps alternate until none derives anything new. *Bounds*: a sum that equals its lower or
upper bound decides its variables. *Rows*: elimination modulo 2 and modulo 3 finds combinations of
equations with few variables; the combinations modulo 3 are also added up in integers, and bounds
are applied to the integer sums. *Facts*: a row of up to three variables is a table of the values
that these variables can have together; tables of the same variables are intersected, and each table
is restricted by the pairs of values that other tables allow. So variables are found to be decided,
equal or opposite, and equal literals get a common root. Consequences that need a case distinction
are not found.

Reference for bounds on sums of clues: Massaioli: Solving Minesweeper with matrices.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, product
from typing import Final, NamedTuple

from satsweeper.board.errors import Error
from satsweeper.linear.elimination import MODULI, SHORT, checked_rows
from satsweeper.linear.equations import Equation, ModularRow, added

# Equal literals: variables that are decided, equal to other variables, or opposite to them.
#
# A literal is a variable, from 1, or its negation, minus the variable. The constant literal `TRUE`
# is true; a variable equal to `TRUE` is 1, and a variable equal to minus `TRUE` is 0.

TRUE: Final = 1 << 62
"""The literal that is true in every solution; no variable has this number."""


class ContradictionError(Error):
    """Two opposite literals would be equal: there is no solution."""


class EqualLiterals:
    """Sets of equal literals, each with a root; the root of decided literals is ``TRUE``.

    Invariant: no root is a key of ``_above``, so that a root is found in one step.
    """

    def __init__(self) -> None:
        self._above: dict[int, int] = {}
        """The root, as a literal, of each variable that is not a root."""
        self._below: dict[int, list[int]] = {}
        """For each root variable the other variables of its set."""

    def __len__(self) -> int:
        """Return the number of variables that are not roots."""
        return len(self._above)

    def root(self, literal: int) -> int:
        """Return the root of ``literal``; a literal without equals is its own root."""
        above = self._above.get(abs(literal))
        if above is None:
            return literal
        return above if literal > 0 else -above

    def equate(self, one: int, other: int) -> list[int]:
        """Make the literals ``one`` and ``other`` equal; return the variables with a new root.

        Raises:
            ContradictionError: the literals are opposite.
        """
        one, other = self.root(one), self.root(other)
        if one == other:
            return []
        if one == -other:
            raise ContradictionError

        def size(root: int) -> int:
            # The smaller set gets the root of the larger; the set of ``TRUE`` keeps its root.
            return TRUE if abs(root) == TRUE else len(self._below.get(abs(root), ()))

        least, most = sorted((one, other), key=size)
        if least < 0:
            least, most = -least, -most
        moved = [least, *self._below.pop(least, ())]
        for variable in moved:
            self._above[variable] = most if self.root(variable) > 0 else -most
        self._below.setdefault(abs(most), []).extend(moved)
        return moved

    def decided(self) -> dict[int, bool]:
        """Return the variables that are 1 (True) or 0."""
        return {v: self._above[v] > 0 for v in self._below.get(TRUE, ())}

    def equations(self) -> list[tuple[tuple[int, ...], int]]:
        """Return equations between equal literals; the negation of v is the extra variable -v."""
        found: list[tuple[tuple[int, ...], int]] = []
        for root, variables in self._below.items():
            if root != TRUE:
                found.append(((root, -root), 1))
                found += [((v, -self._above[v]), 1) for v in variables]
        return found


_Facts = dict[tuple[int, ...], set[tuple[int, ...]]]
"""Variables, ascending -> the combinations of values that these variables can have."""


_IntegerSum = tuple[Mapping[int, int], int]
"""Coefficients by variable, and the value of the sum, in integers."""
_LONG: Final = 200_000
"""The limit on variables and multipliers, together, of longer rows modulo 3 that are kept."""


class Closure(NamedTuple):
    """The result of `closed`.

    ``refuted``: whether the equations were proved to have no solution; then ``decided`` is empty.
    ``decided``: variables that are 1 (True) or 0 in every solution. ``complete``: whether the
    closure was reached, within the limits on time and effort.
    """

    refuted: bool
    decided: dict[int, bool]
    complete: bool


def closed(equations: Sequence[Equation], late: Callable[[], bool] = lambda: False) -> Closure:
    """Close ``equations`` under bounds, elimination and facts of few variables.

    Args:
        equations: equations over variables from 1.
        late: returns whether the time is over; asked before each elimination.

    Raises:
        DefectError: a row of elimination does not follow.

    >>> sorted(closed([((1, 2), 1), ((2, 3, 4), 2), ((1, 3), 1)]).decided.items())
    [(1, False), (2, True), (3, True), (4, False)]
    """
    known = EqualLiterals()
    facts: _Facts = {}
    sums: list[_IntegerSum] = [(dict.fromkeys(which, 1), number) for which, number in equations]
    try:
        _bound(sums, known)
        while not late():
            before, complete = len(known), True
            # Known values are substituted before each elimination, so that rows get as short as
            # possible: decided variables are removed, and equal literals become equations.
            decided = known.decided()
            undecided: dict[Equation, None] = {}
            for variables, number in equations:
                rest_of = tuple(v for v in variables if v not in decided)
                if rest_of:
                    mines = sum(decided.get(v, False) for v in variables)
                    undecided[rest_of, number - mines] = None
            rest = [*undecided, *known.equations()]
            rows = []
            longer = list(sums)
            for modulus in MODULI:
                found = checked_rows(rest, modulus, long=_LONG if modulus == 3 else 0)
                complete &= found.complete
                rows += [row for row in found.rows if len(row.coefficients) <= SHORT]
                for row in found.rows if modulus == 3 else ():
                    # Every integer combination of the equations holds in integers: the multipliers
                    # of the row may be used with -1 for 2, which is congruent modulo 3.
                    signed = {i: m - 3 * (m > 1) for i, m in row.multipliers.items()}
                    longer.append(added(rest, signed))
            facts = _joined([*facts.items(), *map(_fact, rows)], known)
            _bound(longer, known)
            if len(known) == before:
                return Closure(False, known.decided(), complete)
    except ContradictionError:
        return Closure(True, {}, True)
    return Closure(False, known.decided(), False)


def _bound(sums: Sequence[_IntegerSum], known: EqualLiterals) -> None:
    """Decide variables by the bounds of each sum, until no sum decides any more."""
    sums_of: dict[int, list[int]] = {}
    for index, (coefficients, _) in enumerate(sums):
        for literal in coefficients:
            sums_of.setdefault(abs(literal), []).append(index)
    # Invariant: every sum with a variable decided since its last visit is in ``waiting``.
    waiting = dict.fromkeys(range(len(sums)))
    while waiting:
        index = next(iter(waiting))
        del waiting[index]
        coefficients, value = sums[index]
        factors: Counter[int] = Counter()
        for literal, factor in coefficients.items():
            root = known.root(literal)
            # The negation of a variable x is 1 - x: the 1 moves to the other side.
            value -= factor * (root < 0)
            factors[abs(root)] += factor if root > 0 else -factor
        value -= factors.pop(TRUE, 0)
        low = sum(factor for factor in factors.values() if factor < 0)
        high = sum(factor for factor in factors.values() if factor > 0)
        if not low <= value <= high:
            raise ContradictionError
        for variable, factor in factors.items():
            small, large = low + abs(factor) > value, high - abs(factor) < value
            if small and large:
                raise ContradictionError
            if small or large:
                # ``small``: with the term at its maximum the least sum exceeds ``value``, so the
                # term is at its minimum. ``large``: likewise, the term is at its maximum.
                is_one = (factor > 0) is large
                for moved in known.equate(variable, TRUE if is_one else -TRUE):
                    waiting.update(dict.fromkeys(sums_of.get(moved, ())))


def _fact(row: ModularRow) -> tuple[tuple[int, ...], set[tuple[int, ...]]]:
    """Return the variables of ``row``, and the combinations of values that satisfy ``row``."""
    factors = row.coefficients.values()
    values = product((0, 1), repeat=len(factors))
    return tuple(row.coefficients), {
        each
        for each in values
        if (sum(f * x for f, x in zip(factors, each, strict=True)) - row.value) % row.modulus == 0
    }


def _joined(
    facts: Iterable[tuple[tuple[int, ...], set[tuple[int, ...]]]], known: EqualLiterals
) -> _Facts:
    """Return the joined ``facts``; decided and equal literals are added to ``known``."""
    while True:
        before = len(known)
        tables: _Facts = {}
        for literals, allowed in facts:
            _join(tables, *_plain(literals, allowed, known))
        # Each table is projected to its pairs of variables; through the pairs it restricts every
        # other table that has both variables.
        for names, allowed in list(tables.items()):
            for i, j in combinations(range(len(names)), 2):
                seen: set[tuple[int, ...]] = {(each[i], each[j]) for each in allowed}
                _join(tables, (names[i], names[j]), seen)
        for names, allowed in list(tables.items()):
            for pair in combinations(range(len(names)), 2):
                others = tables[names[pair[0]], names[pair[1]]]
                allowed &= {each for each in allowed if (each[pair[0]], each[pair[1]]) in others}
            _learn(names, allowed, known)
        if len(known) == before:
            return tables
        facts = list(tables.items())


def _plain(
    literals: Sequence[int], allowed: set[tuple[int, ...]], known: EqualLiterals
) -> tuple[tuple[int, ...], set[tuple[int, ...]]]:
    """Return a fact over ``literals`` as the equivalent fact over undecided root variables."""
    roots = [known.root(literal) for literal in literals]
    names = tuple(sorted({abs(root) for root in roots} - {TRUE}))
    found = set()
    for values in product((0, 1), repeat=len(names)):
        value_of = dict(zip(names, values, strict=True))
        value_of[TRUE] = 1
        if tuple(value_of[abs(root)] ^ (root < 0) for root in roots) in allowed:
            found.add(values)
    return names, found


def _join(tables: _Facts, names: tuple[int, ...], allowed: set[tuple[int, ...]]) -> None:
    """Restrict the table of ``names`` to ``allowed``; an empty table is a contradiction."""
    tables[names] = tables.get(names, allowed) & allowed
    if not tables[names]:
        raise ContradictionError


def _learn(names: tuple[int, ...], allowed: set[tuple[int, ...]], known: EqualLiterals) -> None:
    """Decide variables of one value; equate pairs whose values are always equal or opposite."""
    for name, values in zip(names, zip(*allowed, strict=True), strict=True):
        if len(set(values)) == 1:
            known.equate(name, TRUE if values[0] else -TRUE)
    for i, j in combinations(range(len(names)), 2):
        differ = {each[i] ^ each[j] for each in allowed}
        if len(differ) == 1:
            known.equate(names[i], -names[j] if differ.pop() else names[j])
