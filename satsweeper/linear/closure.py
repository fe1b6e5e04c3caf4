"""Consequences of sums of variables without search: bounds, rows modulo 2 and 3, small facts.

Three steps, in turn until nothing is new. *Bounds*: a sum as low or as high as it can be decides
its variables. *Rows*: elimination modulo 2 and modulo 3 tells which equations add up to little; of
those modulo 3, the same equations are added up in integers, too, and that sum has bounds like any
other. *Facts*: a row of up to three variables is a table of the values that they may have together;
tables of the same variables are joined, and each is restricted by the pairs of values that other
tables allow. So variables are decided, equal or opposite, and equal literals share a root from then
on. What needs a case distinction is not found.

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
# A literal is a variable, from 1, or minus a variable, its opposite. One literal is true; a
# variable is 1 if it is equal to that one.

TRUE: Final = 1 << 62
"""The literal that is true; no variable has this number."""


class ContradictionError(Error):
    """Two opposite literals would be equal: there is no solution."""


class EqualLiterals:
    """Sets of equal literals, each with a root; the root of decided literals is ``TRUE``."""

    def __init__(self) -> None:
        self._above: dict[int, int] = {}
        self._below: dict[int, list[int]] = {}

    def __len__(self) -> int:
        """Return the number of variables that have another root."""
        return len(self._above)

    def root(self, literal: int) -> int:
        """Return the root of ``literal``, perhaps the literal itself."""
        above = self._above.get(abs(literal))
        if above is None:
            return literal
        return above if literal > 0 else -above

    def equate(self, one: int, other: int) -> list[int]:
        """Make two literals equal; return the variables that got another root.

        Raises:
            ContradictionError: they are opposite.
        """
        one, other = self.root(one), self.root(other)
        if one == other:
            return []
        if one == -other:
            raise ContradictionError

        def size(root: int) -> int:
            # The smaller set moves; that of ``TRUE`` never does.
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
        """Return equations between equal literals; the opposite of v is the extra variable -v."""
        found: list[tuple[tuple[int, ...], int]] = []
        for root, variables in self._below.items():
            if root != TRUE:
                found.append(((root, -root), 1))
                found += [((v, -self._above[v]), 1) for v in variables]
        return found


_Facts = dict[tuple[int, ...], set[tuple[int, ...]]]
"""Variables, ascending -> the combinations of values that they may have."""


_IntegerSum = tuple[Mapping[int, int], int]
"""Coefficients by variable, and the value that the sum has, in integers."""
_LONG: Final = 200_000
"""Variables and multipliers, together, of the longer rows modulo 3 that are kept."""


class Closure(NamedTuple):
    """The result of `closed`.

    ``refuted``: there is no solution, and nothing else is reported. ``decided``: variables that are
    1 (True) or 0 in every solution. ``complete``: time and effort were enough.
    """

    refuted: bool
    decided: dict[int, bool]
    complete: bool


def closed(equations: Sequence[Equation], late: Callable[[], bool] = lambda: False) -> Closure:
    """Close ``equations`` under bounds, elimination and facts of few variables.

    Args:
        equations: over variables from 1.
        late: whether to stop.

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
            # What is known is substituted before each elimination, so that rows are as short as
            # they can be: decided variables go, and equal literals are equations of their own.
            decided = known.decided()
            undecided: dict[Equation, None] = {}
            for variables, number in equations:
                own = tuple(v for v in variables if v not in decided)
                if own:
                    undecided[own, number - sum(decided.get(v, False) for v in variables)] = None
            rest = [*undecided, *known.equations()]
            rows = []
            longer = list(sums)
            for modulus in MODULI:
                found = checked_rows(rest, modulus, long=_LONG if modulus == 3 else 0)
                complete &= found.complete
                rows += [row for row in found.rows if len(row.coefficients) <= SHORT]
                for row in found.rows if modulus == 3 else ():
                    # The sum behind a row holds in integers, too, with -1 for the multiplier 2.
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
    of: dict[int, list[int]] = {}
    for index, (coefficients, _) in enumerate(sums):
        for literal in coefficients:
            of.setdefault(abs(literal), []).append(index)
    waiting = dict.fromkeys(range(len(sums)))
    while waiting:
        index = next(iter(waiting))
        del waiting[index]
        coefficients, value = sums[index]
        factors: Counter[int] = Counter()
        for literal, factor in coefficients.items():
            root = known.root(literal)
            # Minus a variable x is 1 - x.
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
                # The sum only comes out with this term at its extreme, low or high.
                one = (factor > 0) is large
                for moved in known.equate(variable, TRUE if one else -TRUE):
                    waiting.update(dict.fromkeys(of.get(moved, ())))


def _fact(row: ModularRow) -> tuple[tuple[int, ...], set[tuple[int, ...]]]:
    """Return the variables of ``row`` and their combinations of values that meet it."""
    factors = row.coefficients.values()
    values = product((0, 1), repeat=len(factors))
    return tuple(row.coefficients), {
        each
        for each in values
        if (sum(f * one for f, one in zip(factors, each, strict=True)) - row.value) % row.modulus
        == 0
    }


def _joined(
    facts: Iterable[tuple[tuple[int, ...], set[tuple[int, ...]]]], known: EqualLiterals
) -> _Facts:
    """Join facts until nothing is new, and put what they decide into ``known``."""
    while True:
        before = len(known)
        tables: _Facts = {}
        for literals, allowed in facts:
            _join(tables, *_plain(literals, allowed, known))
        # Pairs carry what one table knows to every other table that has both variables.
        for names, allowed in list(tables.items()):
            for one, other in combinations(range(len(names)), 2):
                seen: set[tuple[int, ...]] = {(each[one], each[other]) for each in allowed}
                _join(tables, (names[one], names[other]), seen)
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
    """Return a fact about literals as a fact about undecided, unequal variables."""
    roots = [known.root(literal) for literal in literals]
    names = tuple(sorted({abs(root) for root in roots} - {TRUE}))
    found = set()
    for values in product((0, 1), repeat=len(names)):
        of = dict(zip(names, values, strict=True))
        of[TRUE] = 1
        if tuple(of[abs(root)] ^ (root < 0) for root in roots) in allowed:
            found.add(values)
    return names, found


def _join(tables: _Facts, names: tuple[int, ...], allowed: set[tuple[int, ...]]) -> None:
    tables[names] = tables.get(names, allowed) & allowed
    if not tables[names]:
        raise ContradictionError


def _learn(names: tuple[int, ...], allowed: set[tuple[int, ...]], known: EqualLiterals) -> None:
    """Decide variables of one value; equate pairs whose values are always equal or opposite."""
    for name, values in zip(names, zip(*allowed, strict=True), strict=True):
        if len(set(values)) == 1:
            known.equate(name, TRUE if values[0] else -TRUE)
    for one, other in combinations(range(len(names)), 2):
        differ = {each[one] ^ each[other] for each in allowed}
        if len(differ) == 1:
            known.equate(names[one], -names[other] if differ.pop() else names[other])
