"""Formulas of pysmt to the language and back: Booleans, and integers with bounds.

pysmt itself is imported by `pbcnf.formats.smtlib.script` alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any

from pbcnf.errors import EncodingError
from pbcnf.formats.error import excerpt
from pbcnf.formats.smtlib.bounds import IntegerBounds, conjuncts, integers_in
from pbcnf.formats.smtlib.implied_bounds import propagate
from pbcnf.formats.smtlib.script import environment_in_use, symbols_of
from pbcnf.formats.smtlib.terms import Expressions, compact, shown
from pbcnf.language.builder import Builder
from pbcnf.language.evaluation import inside_out
from pbcnf.language.expressions import (
    Comparison,
    Compound,
    Connective,
    Constant,
    IntegerProduct,
    Literal,
    Maximum,
    Not,
    Operand,
    Proposition,
    Sum,
)
from pbcnf.language.integers import IntegerVariable
from pbcnf.literals import integer


def from_pysmt(
    formula: Any, builder: Builder, bounds: Mapping[str, tuple[int, int]] | None = None
) -> Proposition:
    """Return a formula of pysmt as a proposition over the variables of a builder, by their names.

    Booleans and integers are read, with the operators that the format ``smt2`` reads. Variables
    unknown to the builder are created. An integer gets its bounds from `bounds`, or else from the
    formula under the assumption that the formula holds: then add the result unnegated. A quotient
    becomes an integer of the builder, and a value of a function becomes a variable, each with
    statements that define it.

    Raises EncodingError for an integer without bounds, and for any other operator of pysmt.

    >>> from pysmt.shortcuts import And, Implies, Int, LE, Plus, Symbol
    >>> from pysmt.typing import INT
    >>> a, n = Symbol("a"), Symbol("n", INT)
    >>> b = Builder()
    >>> b.add(from_pysmt(And(Implies(a, LE(Plus(n, Int(2)), Int(3))), LE(Int(0), n), n < 9), b))
    >>> b.statements, b["n"].domain
    ((((~a | (n <= 1)) & (- n <= 0) & (n <= 8)),), Domain(ranges=((0, 8),)))
    """
    if not hasattr(formula, "get_free_variables"):
        raise EncodingError(f"a formula of pysmt is read, not {excerpt(repr(formula))}")
    stated = IntegerBounds()
    rest = [part for part in conjuncts(formula) if not stated.take(part)]
    propagate(rest, stated, tighter=0)
    symbols = _symbols(formula, builder, bounds or {}, stated)
    found = Expressions(symbols, stated, builder).of(formula)
    if not isinstance(found, Proposition):
        raise EncodingError(f"a formula of pysmt is read, and {shown(formula)} is a number")
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


def _symbols(
    formula: Any, builder: Builder, given: Mapping[str, tuple[int, int]], bounds: IntegerBounds
) -> dict[Any, Operand]:
    """Return the operand of each symbol: the builder's variable of equal name, or a new variable.

    The bounds of an integer variable become the bounds of its symbol.
    """
    found: dict[Any, Operand] = {}
    for symbol in sorted(formula.get_free_variables(), key=lambda each: str(each.symbol_name())):
        name = symbol.symbol_name()
        kind = symbol.symbol_type()
        if kind.is_bool_type():
            found[symbol] = builder.boolean(name)
        elif name in builder:
            found[symbol] = builder[name]
        elif kind.is_int_type():
            lower, upper = given.get(name) or sorted(bounds.of(symbol, name))
            found[symbol] = builder.integer(name, lower, upper)
        elif not kind.is_function_type():
            raise EncodingError(f"{excerpt(name)} is not read: only Booleans and integers are")
        match found.get(symbol):
            case IntegerVariable(domain=domain):
                bounds.set(symbol, (domain.lower, domain.upper))
            case _:
                bounds.set(symbol, (0, 1))
    for term in sorted(set(integers_in(formula)) - found.keys(), key=compact):
        found |= symbols_of([term], {}, bounds, builder)
    return found


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
            parts = [known[part] for part in each.parts]
            match each.connective:
                case Connective.AND:
                    return manager.And(parts)
                case Connective.OR:
                    return manager.Or(parts)
                case Connective.ITE:
                    return manager.Ite(*parts)
                case Connective.XOR:
                    return reduce(lambda a, b: manager.Not(manager.Iff(a, b)), parts)
        case IntegerProduct():
            return manager.Times(known[each.left], known[each.right])
        case Maximum():
            sums = [known[part] for part in each.parts]
            return reduce(lambda a, b: manager.Ite(manager.LE(a, b), b, a), sums)
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


def _terms(terms: Any, known: Mapping[Operand, Any], manager: Any) -> Iterator[Any]:
    one, zero = manager.Int(1), manager.Int(0)
    for operand, weight in terms:
        counted = known[operand]
        if isinstance(operand, Proposition):
            counted = manager.Ite(counted, one, zero)
        yield manager.Times(manager.Int(integer(weight, "a weight")), counted)
