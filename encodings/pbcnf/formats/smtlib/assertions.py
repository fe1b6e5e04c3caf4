"""The query of a script, with the bounds of its integers, as a pseudo-Boolean problem."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import lcm
from typing import Any

from pbcnf.constraints.problem import Problem
from pbcnf.formats.error import FormatError
from pbcnf.formats.smtlib.bounds import IntegerBounds, UnboundedError, conjuncts, is_integer
from pbcnf.formats.smtlib.commands import Asserted, Goal, Place, Query
from pbcnf.formats.smtlib.implied import integers_in, propagate
from pbcnf.formats.smtlib.terms import Expressions, UnreadableError, compact, unused
from pbcnf.language.builder import Builder
from pbcnf.language.expressions import FALSE, Operand, Proposition, Sum
from pbcnf.language.terms import Terms


def problem_of(query: Query, source: str) -> Problem:
    """Return `query` as a problem; `source` names the file in errors.

    Raises FormatError with line and column.
    """
    bounds, builder = IntegerBounds(), Builder()
    asserted = [
        Asserted(part, each.place)
        for each in query.asserted
        for part in conjuncts(each.term)
        if not bounds.take(part) or _of_function(part)
    ]
    propagate([each.term for each in asserted], bounds)
    places = _integers(query, asserted)
    _free(query.declared, places, bounds)
    try:
        symbols = symbols_of({**query.declared, **places}, query.names, bounds, builder)
    except UnboundedError as error:
        place = query.declared.get(error.symbol) or places[error.symbol]
        raise FormatError(source, *place, str(error)) from None
    expressions = Expressions(symbols, bounds, builder)
    for term, place in asserted:
        with _placed(source, place):
            builder.add(expressions.of(term))  # type: ignore[arg-type]
    scale = _aim(query.goals, expressions, bounds, builder, source)
    problem = builder.problem()
    if problem.objective is not None and scale > 1:
        problem = replace(problem, objective=replace(problem.objective, scale=scale))
    return problem


def symbols_of(
    integers: Iterable[Any], names: dict[Any, str], bounds: IntegerBounds, builder: Builder
) -> dict[Any, Operand]:
    """Return the operand of each symbol, in order; an integer of 0 and 1 becomes a Boolean.

    Raises UnboundedError for an integer without bounds.
    """
    found: dict[Any, Operand] = {}
    for symbol in integers:
        name = names.get(symbol) or compact(symbol)
        name = unused(name, builder)
        if not is_integer(symbol):
            found[symbol] = builder.boolean(name)
            continue
        lower, upper = bounds.of(symbol, name)
        least, most = bounds.stated(symbol)
        if lower > upper:
            builder.add(FALSE)
            lower, upper = upper, lower
            bounds.set(symbol, (lower, upper))
        if least is not None and most is not None and ((least >= 0 and most <= 1) or least > most):
            found[symbol] = variable = builder.boolean(name)
            builder.add(*((variable,) if least > 0 else ()), *((~variable,) if most < 1 else ()))
        else:
            found[symbol] = builder.integer(name, lower, upper)
    return found


def _integers(query: Query, asserted: Sequence[Asserted]) -> dict[Any, Place]:
    """Return the Ints that are asserted something or aimed at, each with the first place."""
    done: set[Any] = set()
    everything: list[Asserted | Goal] = [*asserted, *query.goals]
    return {integer: each.place for each in everything for integer in integers_in(each.term, done)}


def _of_function(bound: Any) -> bool:
    """Whether `bound` is about a value of a function, which equal arguments share."""
    return any(each.is_function_application() for each in integers_in(bound))


def _free(declared: Iterable[Any], occur: Container[Any], bounds: IntegerBounds) -> None:
    """Choose values for integers without two bounds that nothing else is said about."""
    for symbol in declared:
        if is_integer(symbol) and symbol not in occur:
            lower, upper = bounds.interval(symbol)
            if lower is None or upper is None:
                value = lower if lower is not None else 0 if upper is None else upper
                bounds.restrict(symbol, (value, value))


@contextmanager
def _placed(source: str, place: Place) -> Iterator[None]:
    """Give errors of what is done within the place of its cause."""
    try:
        yield
    except UnreadableError as error:
        raise FormatError(source, *place, str(error)) from None


def _aim(
    goals: Sequence[Goal],
    expressions: Expressions,
    bounds: IntegerBounds,
    builder: Builder,
    source: str,
) -> int:
    """Set the objective; return the factor by which it is scaled to have integer weights.

    Soft assertions of one group are one goal: the weight of the violated ones. Several goals are
    lexicographic, as in Z3: each is multiplied by more than the later goals can add up to.
    """
    totals: dict[str, Sum] = {}
    sizes: dict[str, int] = {}
    signs: dict[str, int] = {}
    groups: dict[str, list[Goal]] = {}
    for number, goal in enumerate(goals):
        soft = goal.command == "assert-soft"
        groups.setdefault(f"soft {goal.group}" if soft else f"{number}", []).append(goal)
    scale = lcm(*(goal.weight.denominator for goal in goals)) if len(groups) == 1 else 1
    for key, group in groups.items():
        times = lcm(*(goal.weight.denominator for goal in group))
        totals[key], sizes[key], signs[key] = Sum(Terms([])), 0, 1
        for goal in group:
            with _placed(source, goal.place):
                term = expressions.of(goal.term)
            if isinstance(term, Proposition) and goal.command == "assert-soft":
                weight = int(goal.weight * times)
                totals[key] = totals[key].plus(~term, weight)
                sizes[key] += weight
            else:
                totals[key] = Sum.of(term)
                least, most = bounds.interval(goal.term)
                if least is None or most is None:
                    raise FormatError(source, *goal.place, "the objective has no known bounds")
                sizes[key] = most - least
                signs[key] = -1 if goal.command == "maximize" else 1
    if len(groups) == 1:
        [(total, sign)] = [(totals[key], signs[key]) for key in groups]
        (builder.maximise if sign < 0 else builder.minimise)(total)
    elif groups:
        whole, factor = Sum(Terms([])), 1
        for key in reversed(groups):
            whole = whole.plus(totals[key].times(signs[key] * factor), 1)
            factor *= sizes[key] + 1
        builder.minimise(whole)
    return scale
