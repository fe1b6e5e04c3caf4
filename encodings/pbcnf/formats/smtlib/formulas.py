"""Formulas of pysmt to the language and back: Booleans, and integers with bounds.

pysmt itself is behind one door, `pbcnf.formats.smtlib.script`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbcnf.errors import EncodingError
from pbcnf.formats.smtlib.script import environment_in_use
from pbcnf.language.builder import Builder
from pbcnf.language.connectives import all_of, any_of, iff, ite, total
from pbcnf.language.evaluation import inside_out
from pbcnf.language.expressions import (
    Comparison,
    Compound,
    Connective,
    Constant,
    Literal,
    Not,
    Operand,
    Product,
    Proposition,
    Sum,
    proposition,
)
from pbcnf.language.integers import IntegerVariable
from pbcnf.literals import integer

_Bounds = tuple[int | None, int | None]


def from_pysmt(
    formula: Any, builder: Builder, bounds: Mapping[str, tuple[int, int]] | None = None
) -> Proposition:
    """Return a formula of pysmt as a proposition over the variables of a builder, by their names.

    Read are Booleans and integers; ``And Or Not Implies Iff Ite``, ``Plus Minus Times``,
    ``LE LT GE GT Equals``. Variables that the builder has no name for are made. The bounds of an
    integer are those in `bounds`, else those that the conjunction on top of the formula gives it.

    Raises EncodingError for an integer without bounds, and for all else of pysmt.

    >>> from pysmt.shortcuts import And, Implies, Int, LE, Plus, Symbol
    >>> from pysmt.typing import INT
    >>> a, n = Symbol("a"), Symbol("n", INT)
    >>> b = Builder()
    >>> b.add(from_pysmt(And(Implies(a, LE(Plus(n, Int(2)), Int(3))), LE(Int(0), n), n < 9), b))
    >>> b.statements, b["n"].domain
    ((((~a | (n <= 1)) & (- n <= 0) & (n <= 8)),), Domain(ranges=((0, 8),)))
    """
    given = {**_bounds(formula), **(bounds or {})}
    known: dict[Any, Operand | int] = {}
    for node in _inside_out(formula):
        parts = [known[part] for part in node.args()]
        known[node] = _symbol(node, builder, given) if node.is_symbol() else _operator(node, parts)
    found = known[formula]
    if not isinstance(found, Proposition):
        raise EncodingError(f"a formula of pysmt is read, and {_shown(formula)} is a number")
    return found


def to_pysmt(builder: Builder) -> Any:
    """Return all statements of a builder as one formula of pysmt, with the domains of its integers.

    A proposition in a sum is ``Ite(proposition, 1, 0)``. The formula belongs to the environment of
    pysmt that is in use; the objective is left out.

    Raises PysmtMissingError if pysmt is not installed.
    """
    manager, types = environment_in_use()
    known: dict[Operand, Any] = {}
    for each in inside_out([*builder.statements, *builder.integer_variables()]):
        known[each] = _term(each, known, manager, types)
    domains = [
        manager.Or(
            manager.And(
                manager.LE(manager.Int(first), known[variable]),
                manager.LE(known[variable], manager.Int(last)),
            )
            for first, last in variable.domain.ranges
        )
        for variable in builder.integer_variables()
    ]
    return manager.And([*domains, *(known[statement] for statement in builder.statements)])


def _operator(node: Any, parts: list[Any]) -> Any:
    if node.is_bool_constant():
        return proposition(bool(node.constant_value()))
    if node.is_int_constant():
        return int(node.constant_value())
    if node.is_and():
        return all_of(parts)
    if node.is_or():
        return any_of(parts)
    if node.is_not():
        return ~proposition(parts[0])
    if node.is_implies():
        return proposition(parts[0]) >> parts[1]
    if node.is_iff():
        return iff(*parts)
    if node.is_ite():
        return ite(*parts)
    if node.is_plus():
        return total(parts)
    if node.is_minus():
        return total([parts[0]]) - parts[1]
    if node.is_times():
        product: Operand = total(parts[:1])
        for part in parts[1:]:
            product = product * part
        return product
    if node.is_le():
        return total(parts[:1]) <= parts[1]
    if node.is_lt():
        return total(parts[:1]) < parts[1]
    if node.is_equals():
        return total(parts[:1]) == parts[1]
    raise EncodingError(f"{_shown(node)} is not read: only Booleans and sums of integers are")


def _symbol(node: Any, builder: Builder, bounds: Mapping[str, _Bounds]) -> Operand:
    name = node.symbol_name()
    if node.symbol_type().is_bool_type():
        return builder.boolean(name)
    if not node.symbol_type().is_int_type():
        raise EncodingError(f"{name} is not read: only Booleans and integers are")
    if name in builder:
        return builder[name]
    lower, upper = bounds.get(name, (None, None))
    if lower is None or upper is None:
        raise EncodingError(f"the integer {name} has no two bounds: give them in `bounds`")
    return builder.integer(name, lower, upper)


def _bounds(formula: Any) -> dict[str, _Bounds]:
    """Return what the conjunction on top says of integers alone."""
    found: dict[str, _Bounds] = {}
    waiting = [formula]
    while waiting:
        part = waiting.pop()
        if part.is_and():
            waiting += part.args()
        elif part.is_le() or part.is_lt() or part.is_equals():
            left, right = part.args()
            strict = 1 if part.is_lt() else 0
            if left.is_symbol() and right.is_int_constant():
                name, value = left.symbol_name(), int(right.constant_value())
                least = value if part.is_equals() else None
                found[name] = _tighter(found.get(name), least, value - strict)
            elif right.is_symbol() and left.is_int_constant():
                name, value = right.symbol_name(), int(left.constant_value())
                most = value if part.is_equals() else None
                found[name] = _tighter(found.get(name), value + strict, most)
    return found


def _tighter(found: _Bounds | None, lower: int | None, upper: int | None) -> _Bounds:
    lowers = [each for each in ((found or (None, None))[0], lower) if each is not None]
    uppers = [each for each in ((found or (None, None))[1], upper) if each is not None]
    return max(lowers, default=None), min(uppers, default=None)


def _term(each: Operand, known: Mapping[Operand, Any], manager: Any, types: Any) -> Any:
    match each:
        case Constant():
            return manager.Bool(each.value)
        case Literal():
            name = f"x{abs(each.lit)}" if each.name is None else str(each.name)
            symbol = manager.Symbol(name, types.BOOL)
            return symbol if each.lit > 0 else manager.Not(symbol)
        case IntegerVariable():
            return manager.Symbol(str(each.name), types.INT)
        case Not():
            return manager.Not(known[each.part])
        case Compound():
            return _connected(each.connective, [known[part] for part in each.parts], manager)
        case Product():
            return manager.Times(known[each.left], known[each.right])
        case Sum():
            return manager.Plus(manager.Int(each.constant), *_terms(each.terms, known, manager))
        case Comparison():
            summed = manager.Plus(manager.Int(0), *_terms(each.terms, known, manager))
            sides = [manager.TRUE()]
            if each.lower is not None:
                sides.append(manager.LE(manager.Int(each.lower), summed))
            if each.upper is not None:
                sides.append(manager.LE(summed, manager.Int(each.upper)))
            return manager.And(sides)
    raise TypeError(f"{type(each).__name__} is no expression of this language")


def _connected(connective: Connective, parts: list[Any], manager: Any) -> Any:
    match connective:
        case Connective.AND:
            return manager.And(parts)
        case Connective.OR:
            return manager.Or(parts)
        case Connective.ITE:
            return manager.Ite(*parts)
        case Connective.XOR:
            found = parts[0]
            for part in parts[1:]:
                found = manager.Not(manager.Iff(found, part))
            return found


def _terms(terms: Any, known: Mapping[Operand, Any], manager: Any) -> Iterator[Any]:
    one, zero = manager.Int(1), manager.Int(0)
    for operand, weight in terms:
        counted = known[operand]
        if isinstance(operand, Proposition):
            counted = manager.Ite(counted, one, zero)
        yield manager.Times(manager.Int(integer(weight, "a weight")), counted)


def _inside_out(formula: Any) -> Iterator[Any]:
    done = set()
    waiting = [(formula, False)]
    while waiting:
        node, ready = waiting.pop()
        if node in done:
            continue
        if ready:
            done.add(node)
            yield node
        else:
            waiting.append((node, True))
            waiting += [(part, False) for part in reversed(node.args())]


def _shown(node: Any) -> str:
    text = node.serialize(threshold=4)
    return f"{text[:60]}..." if len(text) > 60 else str(text)
