"""The canonical rows of statements: inequalities over 0/1 variables, computed from the file alone.

The variables are the Booleans; for each integer with values v1 < ... < vk the *order literals* o2
.. ok, of which oj says "at least vj"; then a new variable for each ``define``, which is true
exactly if a form reaches a number. So each solution of the statements is one solution of the rows,
and no other assignment of Booleans and order literals extends to one.
"""

from collections.abc import Iterable
from itertools import combinations, pairwise
from typing import Any, Final, NamedTuple

from satsweeper.checker.statements.reading import (
    MOST_DIGITS,
    TOO_LARGE,
    Integer,
    Statements,
)
from satsweeper.checker.sums_recheck import SumInequality

MOST_VARIABLES: Final = 1_000_000
MOST_TERMS: Final = 20_000_000
"""Limit on the terms of all rows, and on the terms of all forms that are added up."""


class CanonicalForm(NamedTuple):
    """``constant`` + sum of coefficient * variable; ``terms``: variable -> coefficient, not 0."""

    constant: int
    terms: dict[int, int]

    @property
    def least(self) -> int:
        """The constant and all negative coefficients."""
        return self.constant + sum(a for a in self.terms.values() if a < 0)

    @property
    def largest(self) -> int:
        """The constant and all positive coefficients."""
        return self.constant + sum(a for a in self.terms.values() if a > 0)


class CanonicalRows:
    """The rows of ``statements`` and what they are about.

    Raises ValueError, with the limit, if they would be too large.
    """

    def __init__(self, statements: Statements) -> None:
        self.rows: list[SumInequality] = []
        self.variables = 0
        """The last variable."""
        self.integers: list[CanonicalForm] = []
        """The form of each integer: v1 + sum over j of (vj - v(j-1)) * oj."""
        self._row_terms = self._form_terms = 0
        self._literals: dict[int, int] = {}
        """The literal of each proposition, by the index of its node."""
        self._forms: dict[int, CanonicalForm] = {}
        """The form of each node, by its index; a proposition has the form of a literal."""
        self._reserve(statements.booleans)
        for integer in statements.integers:
            self._add_integer(integer)
        for form in self.integers:
            for low, high in pairwise(form.terms):
                self._row([(1, low), (1, -high)], 1)
        needed = {*statements.statements}
        for index in reversed(range(len(statements.nodes))):
            if index in needed:
                needed |= statements.uses[index]
        for index, node in enumerate(statements.nodes):
            if index in needed:
                found = self._value(node)
                if isinstance(found, int):
                    self._literals[index] = found
                self._forms[index] = _of_literal(found) if isinstance(found, int) else found
        for index in statements.statements:
            self._row([(1, self._literals[index])], 1)

    # Variables, rows, and forms.

    def _reserve(self, count: int) -> int:
        """Take the next ``count`` variables, and return the last one."""
        self.variables += count
        if self.variables > MOST_VARIABLES:
            raise ValueError(f"more than {MOST_VARIABLES} canonical variables")
        return self.variables

    def _row(self, terms: Iterable[tuple[int, int]], bound: int) -> None:
        """Add the row: the sum of weight * literal is at least ``bound``."""
        left = {}
        for weight, lit in terms:
            # weight * ~x is weight - weight * x.
            left[abs(lit)] = weight if lit > 0 else -weight
            bound -= 0 if lit > 0 else weight
        self.rows.append(SumInequality(left, bound))
        self._row_terms += len(left)
        if self._row_terms > MOST_TERMS:
            raise ValueError(f"more than {MOST_TERMS} terms of canonical rows")

    def _sum(self, parts: Iterable[tuple[int, CanonicalForm]], constant: int = 0) -> CanonicalForm:
        """Return ``constant`` + sum of weight * form."""
        terms: dict[int, int] = {}
        for weight, form in parts:
            constant += weight * form.constant
            for v, a in form.terms.items():
                terms[v] = terms.get(v, 0) + weight * a
            self._form_terms += len(form.terms)
            if self._form_terms > MOST_TERMS:
                raise ValueError(f"more than {MOST_TERMS} terms of forms")
        if any(abs(number) >= TOO_LARGE for number in (constant, *terms.values())):
            raise ValueError(f"a number of more than {MOST_DIGITS} digits")
        return CanonicalForm(constant, {v: a for v, a in terms.items() if a})

    def _add_integer(self, integer: Integer) -> None:
        values = sum(high - low + 1 for low, high in integer.domain)
        first = self.variables + 1
        self._reserve(values - 1)
        ascending = [v for low, high in integer.domain for v in range(low, high + 1)]
        gaps = [high - low for low, high in pairwise(ascending)]
        self.integers.append(CanonicalForm(ascending[0], dict(enumerate(gaps, start=first))))

    def _define(self, form: CanonicalForm, least: int) -> int:
        """Return a new variable that is true exactly if ``form >= least``."""
        z = self._reserve(1)
        terms = [(abs(a), v if a > 0 else -v) for v, a in form.terms.items()]
        need, most = least - form.least, sum(weight for weight, _ in terms)
        if need <= 0:
            self._row([(1, z)], 1)
        elif need > most:
            self._row([(1, -z)], 1)
        else:
            # With z the literals weigh at least ``need``; without, at most need - 1, so that the
            # others weigh at least most - need + 1.
            self._row([(need, -z), *terms], need)
            rest = most - need + 1
            self._row([(rest, z), *((weight, -lit) for weight, lit in terms)], rest)
        return z

    def _constant(self, true: bool) -> int:
        return self._define(CanonicalForm(0, {}), 0 if true else 1)

    def _at_least(self, number: int, lits: Iterable[int]) -> int:
        """Return a new variable that is true exactly if ``number`` of the literals are."""
        return self._define(self._sum((1, _of_literal(lit)) for lit in lits), number)

    def _at_most(self, form: CanonicalForm, bound: int) -> int:
        return self._define(self._sum([(-1, form)]), -bound)

    def _equal(self, form: CanonicalForm, number: int) -> int:
        a, b = self._define(form, number), self._at_most(form, number)
        return self._at_least(2, [a, b])

    def _pair(self, x: int, y: int) -> int:
        """Return a variable that is true exactly if the variables x and y are."""
        return x if x == y else self._at_least(2, [x, y])

    # Nodes.

    def _value(self, node: dict[str, Any]) -> int | CanonicalForm:
        """Return the literal of a proposition, and the form of a number."""
        lits, forms = self._literals, self._forms
        match node:
            case {"literal": lit}:
                return int(lit)
            case {"constant": bool(true)}:
                return self._constant(true)
            case {"not": part}:
                return -lits[part]
            case {"and": parts}:
                return self._at_least(len(parts), [lits[part] for part in parts])
            case {"or": parts}:
                return self._at_least(1, [lits[part] for part in parts])
            case {"xor": parts}:
                return self._parity([lits[part] for part in parts])
            case {"ite": [condition, yes, no]}:
                a = self._at_least(2, [lits[condition], lits[yes]])
                b = self._at_least(2, [-lits[condition], lits[no]])
                return self._at_least(1, [a, b])
            case {"compare": terms, "lower": lower, "upper": upper}:
                return self._between(self._weighted(terms), lower, upper)
            case {"all_different": parts}:
                return self._all_different([forms[part] for part in parts])
            case {"table": parts, "rows": rows}:
                return self._table([forms[part] for part in parts], rows)
            case {"lexicographic": [first, second]}:
                return self._in_order([forms[at] for at in first], [forms[at] for at in second])
            case {"integer": int(index)}:
                return self.integers[index]
            case {"sum": terms, "constant": constant}:
                return self._weighted(terms, constant)
            case {"product": [first, second]}:
                return self._product(forms[first], forms[second])
            case {"maximum": parts}:
                return self._maximum([forms[part] for part in parts])
            case {"element": part, "entries": entries}:
                return self._element(forms[part], [(key, forms[at]) for key, at in entries])
        raise AssertionError("the reader lets no other node pass")

    def _weighted(self, terms: Iterable[tuple[int, int]], constant: int = 0) -> CanonicalForm:
        return self._sum([(weight, self._forms[at]) for weight, at in terms], constant)

    def _parity(self, lits: list[int]) -> int:
        if not lits:
            return self._constant(False)
        s = lits[0]
        for p in lits[1:]:
            q = self._at_least(2, [s, p])
            both = [(1, _of_literal(s)), (1, _of_literal(p)), (-2, _of_literal(q))]
            s = self._define(self._sum(both), 1)
        return s

    def _between(self, form: CanonicalForm, lower: int | None, upper: int | None) -> int:
        if lower is None and upper is None:
            return self._constant(True)
        sides = [] if lower is None else [self._define(form, lower)]
        sides += [] if upper is None else [self._at_most(form, upper)]
        return sides[0] if len(sides) == 1 else self._at_least(2, sides)

    def _all_different(self, forms: list[CanonicalForm]) -> int:
        pairs = []
        for one, other in combinations(forms, 2):
            g = self._define(self._sum([(1, one), (-1, other)]), 1)
            l = self._define(self._sum([(-1, one), (1, other)]), 1)  # noqa: E741
            pairs.append(self._at_least(1, [g, l]))
        return self._at_least(len(pairs), pairs)

    def _table(self, forms: list[CanonicalForm], rows: list[list[int]]) -> int:
        equal: dict[tuple[int, int], int] = {}
        found = []
        for row in rows:
            for column, number in enumerate(row):
                if (column, number) not in equal:
                    equal[column, number] = self._equal(forms[column], number)
            found.append(self._at_least(len(forms), [equal[each] for each in enumerate(row)]))
        return self._at_least(1, found)

    def _in_order(self, first: list[CanonicalForm], second: list[CanonicalForm]) -> int:
        f = self._constant(len(first) <= len(second))
        for one, other in reversed([*zip(first, second, strict=False)]):
            difference = self._sum([(1, other), (-1, one)])
            le, lt = self._define(difference, 0), self._define(difference, 1)
            f = self._at_least(2, [le, self._at_least(1, [lt, f])])
        return f

    def _product(self, first: CanonicalForm, second: CanonicalForm) -> CanonicalForm:
        if self.variables + len(first.terms) * len(second.terms) > MOST_VARIABLES:
            raise ValueError(f"more than {MOST_VARIABLES} canonical variables")
        parts = [
            (first.constant, CanonicalForm(0, second.terms)),
            (second.constant, CanonicalForm(0, first.terms)),
        ]
        for x, a in sorted(first.terms.items()):
            for y, b in sorted(second.terms.items()):
                parts.append((a * b, _of_literal(self._pair(x, y))))
        return self._sum(parts, first.constant * second.constant)

    def _maximum(self, forms: list[CanonicalForm]) -> CanonicalForm:
        low = max(form.least for form in forms)
        high = max(form.largest for form in forms)
        if high - low > MOST_VARIABLES:
            raise ValueError(f"a maximum of more than {MOST_VARIABLES} values")
        parts = []
        for u in range(low + 1, high + 1):
            t = self._at_least(1, [self._define(form, u) for form in forms])
            parts.append((1, _of_literal(t)))
        return self._sum(parts, low)

    def _element(
        self, place: CanonicalForm, entries: list[tuple[int, CanonicalForm]]
    ) -> CanonicalForm:
        parts = []
        for key, form in entries:
            e = self._equal(place, key)
            parts.append((form.constant, _of_literal(e)))
            for x, weight in sorted(form.terms.items()):
                parts.append((weight, _of_literal(self._pair(e, x))))
        return self._sum(parts)


def _of_literal(lit: int) -> CanonicalForm:
    return CanonicalForm(0, {lit: 1}) if lit > 0 else CanonicalForm(1, {-lit: -1})
