"""Terms of SMT-LIB as pysmt holds them, to constraints over 0/1 variables."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from pbcnf.constraints.constraint import Cardinality, Constraint, PseudoBoolean
from pbcnf.formats.smtlib.xor import UnreadableError, is_parity, read_parity
from pbcnf.literals import Lit, Var

_LARGEST: Final = 10**4000


@dataclass(slots=True)
class _Sum:
    """A constant and the weight of each variable."""

    constant: int = 0
    terms: dict[Var, int] = field(default_factory=dict)

    def add(self, other: "_Sum", factor: int) -> None:
        self.constant += factor * other.constant
        for var, weight in other.terms.items():
            self.terms[var] = self.terms.get(var, 0) + factor * weight


class Assertions:
    """What has been declared and asserted."""

    def __init__(self) -> None:
        self._vars: dict[Any, Var] = {}
        self._bounds: dict[Var, tuple[int | None, int | None]] = {}
        """What is asserted of an integer alone."""
        self._constraints: list[Constraint] = []

    def declare(self, symbol: Any) -> None:
        """Give the next number to a variable."""
        var = self._vars[symbol] = len(self._vars) + 1
        if symbol.symbol_type().is_int_type():
            self._bounds[var] = (None, None)

    def add(self, formula: Any) -> None:
        """Take in an assertion. Raises UnreadableError for what is not read."""
        waiting = [formula]
        while waiting:
            part = waiting.pop()
            if part.is_and():
                waiting += reversed(part.args())
            elif part.is_le() or part.is_lt() or part.is_equals():
                self._compare(part)
            elif is_parity(part):
                self._constraints.append(read_parity(part, self._vars))
            else:
                clause = list(self._literals(part))
                if None not in clause:
                    self._constraints.append(Cardinality([lit for lit in clause if lit], lower=1))

    def unbounded(self) -> Iterator[Var]:
        """Yield the integers that are not asserted to be at least 0 and at most 1."""
        for var, (lower, upper) in self._bounds.items():
            if lower is None or upper is None or lower < 0 or upper > 1:
                yield var

    def constraints(self) -> tuple[Constraint, ...]:
        """All constraints, those on an integer alone at the end."""
        alone = [
            Cardinality([var], lower, upper)
            for var, (lower, upper) in self._bounds.items()
            if (lower, upper) != (0, 1)
        ]
        return (*self._constraints, *alone)

    def _literals(self, term: Any) -> Iterator[Lit | None]:
        """Yield the literals of a clause, None for what makes it true."""
        waiting = [term]
        while waiting:
            part = waiting.pop()
            if part.is_or():
                waiting += reversed(part.args())
            elif part.is_true():
                yield None
            elif not part.is_false():
                yield self._literal(part)

    def _literal(self, term: Any) -> Lit:
        sign = 1
        while term.is_not():
            term, sign = term.arg(0), -sign
        if not term.is_symbol() or not term.symbol_type().is_bool_type():
            raise UnreadableError(
                "only clauses, parities, linear (in)equalities and conjunctions of these are read"
            )
        return sign * self._vars[term]

    def _compare(self, formula: Any) -> None:
        """Take in ``left <= right``, ``<`` or ``=``, as bounds of the difference."""
        left, right = formula.args()
        difference = self._sum(right)
        difference.add(self._sum(left), -1)
        terms = {var: weight for var, weight in difference.terms.items() if weight}
        lower = -difference.constant + (1 if formula.is_lt() else 0)
        if max(map(abs, (lower, *terms.values()))) > _LARGEST:
            raise UnreadableError("an integer of more than 4000 digits")
        upper = lower if formula.is_equals() else None
        if len(terms) == 1 and terms.keys() <= self._bounds.keys():
            [(var, weight)] = terms.items()
            self._restrict(var, weight, lower)
            if upper is not None:
                self._restrict(var, -weight, -upper)
        elif all(abs(weight) == 1 for weight in terms.values()):
            negative = sum(weight < 0 for weight in terms.values())
            self._constraints.append(
                Cardinality(
                    [weight * var for var, weight in terms.items()],
                    lower + negative,
                    None if upper is None else upper + negative,
                )
            )
        else:
            self._constraints.append(PseudoBoolean(terms.keys(), terms.values(), lower, upper))

    def _restrict(self, var: Var, weight: int, bound: int) -> None:
        """Take in ``weight * variable >= bound``."""
        lower, upper = self._bounds[var]
        if weight > 0:
            least = -(-bound // weight)
            self._bounds[var] = (least if lower is None else max(lower, least)), upper
        else:
            most = bound // weight
            self._bounds[var] = lower, (most if upper is None else min(upper, most))

    def _sum(self, term: Any) -> _Sum:
        if term.is_int_constant():
            return _Sum(int(term.constant_value()))
        if term.is_symbol() and term.symbol_type().is_int_type():
            return _Sum(0, {self._vars[term]: 1})
        total = _Sum()
        if term.is_plus():
            for part in term.args():
                total.add(self._sum(part), 1)
        elif term.is_minus():
            total.add(self._sum(term.arg(0)), 1)
            total.add(self._sum(term.arg(1)), -1)
        elif term.is_times():
            total.constant = 1
            for part in term.args():
                total = self._product(total, self._sum(part))
        elif term.is_ite() and all(part.is_int_constant() for part in term.args()[1:]):
            lit = self._literal(term.arg(0))
            true, false = (int(part.constant_value()) for part in term.args()[1:])
            if lit < 0:
                true, false = false, true
            total = _Sum(false, {abs(lit): true - false})
        else:
            raise UnreadableError("a sum has numbers, variables and (ite BOOL NUMBER NUMBER) only")
        return total

    def _product(self, left: _Sum, right: _Sum) -> _Sum:
        if any(left.terms.values()) and any(right.terms.values()):
            raise UnreadableError("a product of variables is not read")
        if any(left.terms.values()):
            left, right = right, left
        product = _Sum()
        product.add(right, left.constant)
        return product
