"""SMT-LIB 2 through pysmt: a problem as a script, in integers or as clauses, and back.

Reference: Barrett, Fontaine, Tinelli: The SMT-LIB Standard, version 2.6. This is the only importer
of pysmt, which is an extra.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import lcm
from typing import IO, Any, Final, Literal, TypeGuard

from pbcnf.constraints.constraint import Constraint, Parity
from pbcnf.constraints.normal_form import parity_normal_form
from pbcnf.constraints.problem import Problem
from pbcnf.emission.whole_problems import Choices, encode_problem
from pbcnf.errors import Error
from pbcnf.formats.error import FormatError
from pbcnf.formats.names import comment_lines, legal_names
from pbcnf.formats.problem_file import text_blocks
from pbcnf.formats.rows import rows
from pbcnf.formats.smtlib.bounds import (
    IntegerBounds,
    UnboundedError,
    conjuncts,
    integers_in,
    is_integer,
)
from pbcnf.formats.smtlib.commands import Asserted, Commands, Goal, Place, Query
from pbcnf.formats.smtlib.implied_bounds import propagate
from pbcnf.formats.smtlib.term_reader import Script
from pbcnf.formats.smtlib.terms import Expressions, UnreadableError, compact, unused
from pbcnf.formula import Formula
from pbcnf.language.builder import Builder
from pbcnf.language.expressions import FALSE, Operand, Proposition, Sum, Terms
from pbcnf.wording import install_hint

# The query of a script, with the bounds of its integers, as a pseudo-Boolean problem.


def problem_of(query: Query, source: str) -> Problem:
    """Return `query` as a problem; `source` names the file in errors.

    Raises FormatError with line and column.
    """
    bounds, builder = IntegerBounds(), Builder()
    asserted = [
        Asserted(part, each.place)
        for each in query.asserted
        for part in conjuncts(each.term)
        # A bound on the value of a function is kept: equal arguments share the value.
        if not bounds.take(part) or any(i.is_function_application() for i in integers_in(part))
    ]
    propagate([each.term for each in asserted], bounds)
    # The Ints in assertions and goals, each with the place of its first occurrence.
    done: set[Any] = set()
    everything: list[Asserted | Goal] = [*asserted, *query.goals]
    places = {i: each.place for each in everything for i in integers_in(each.term, done)}
    if bounds.impossible():
        # There is no model, whatever else is asserted and whatever values the integers have.
        builder.add(FALSE)
        asserted = []
        for integer in filter(is_integer, {**query.declared, **places}):
            bounds.set(integer, (0, 0))
    for symbol in query.declared:
        if is_integer(symbol) and symbol not in places:
            lower, upper = bounds.interval(symbol)
            if lower is None or upper is None:
                # No assertion or goal has this integer, apart from bounds: fix any allowed value.
                value = lower if lower is not None else upper or 0
                bounds.restrict(symbol, (value, value))
    try:
        symbols = symbols_of({**query.declared, **places}, query.names, bounds, builder)
    except UnboundedError as error:
        place = query.declared.get(error.symbol) or places[error.symbol]
        raise FormatError(source, *place, str(error)) from None
    expressions = Expressions(symbols, bounds, builder)
    for term, place in asserted:
        with _placed(source, place):
            # `Commands` has checked that asserted terms are Boolean, so this is a proposition.
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
            # No value is left: the problem has no model, and the symbol any domain.
            builder.add(FALSE)
            lower, upper = upper, lower
            bounds.set(symbol, (lower, upper))
        if least is not None and most is not None and ((least >= 0 and most <= 1) or least > most):
            found[symbol] = variable = builder.boolean(name)
            builder.add(*((variable,) if least > 0 else ()), *((~variable,) if most < 1 else ()))
        else:
            found[symbol] = builder.integer(name, lower, upper)
    return found


@contextmanager
def _placed(source: str, place: Place) -> Iterator[None]:
    """Turn an UnreadableError of the block into a FormatError at `place` of `source`."""
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

    Soft assertions of one group are one goal: the total weight of the violated assertions. Several
    goals are lexicographic, as in Z3: each goal is multiplied by more than the later goals can add
    up to.
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
            # `factor` is 1 + the largest difference that all later goals can make together.
            whole = whole.plus(totals[key].times(signs[key] * factor), 1)
            factor *= sizes[key] + 1
        builder.minimise(whole)
    return scale


Logic = Literal["QF_LIA", "QF_UF"]

LOGICS: Final[tuple[Logic, ...]] = ("QF_LIA", "QF_UF")


class PysmtMissingError(Error, ImportError):
    """pysmt is not installed; the message says how to get it."""


def write_smtlib(
    problem: Problem,
    stream: IO[bytes],
    comments: Iterable[str] = (),
    logic: Logic = "QF_LIA",
    choices: Choices | None = None,
) -> None:
    """Write a problem as a script that ends with ``(check-sat)``.

    In ``QF_LIA`` a variable is an integer from 0 to 1, and a constraint an inequality or an
    equality of sums. In ``QF_UF``, used without functions, constraints are clauses made by the
    encoders of `choices`; auxiliary variables are called aux_<number>, and models correspond after
    projection on the other variables. In both logics a parity of two variables or more is an
    ``xor`` of xors, in ``QF_LIA`` of ``(= x 1)``; parities come last and need no auxiliary
    variables. An objective, which SMT-LIB cannot hold, is left out, and a comment says so. Names
    are made legal.

    Raises:
        PysmtMissingError: pysmt is not installed.
        ValueError: before anything is written: an encoder cannot express a constraint, a comment is
            not ASCII, another logic.
    """
    _pysmt()
    from pysmt.environment import Environment
    from pysmt.smtlib.printers import SmtPrinter
    from pysmt.smtlib.script import SmtLibCommand

    if logic not in LOGICS:
        raise ValueError(f"a script is written in {' or '.join(LOGICS)}, not in {logic}")
    head = list(comment_lines(comments, ";"))
    if problem.objective is not None:
        head.append("; the objective is left out")
    names = legal_names(problem)
    manager = Environment().formula_manager
    if logic == "QF_LIA":
        symbols, assertions, kept = _sums(problem, manager)
    else:
        symbols, assertions, kept = _clauses(problem, manager, choices or Choices())
    stream.write("".join(f"{line}\n" for line in head).encode("ascii"))
    text = io.TextIOWrapper(stream, "ascii", newline="\n")
    try:
        printer = SmtPrinter(text)

        def write(name: str, *arguments: Any) -> None:
            SmtLibCommand(name, list(arguments)).serialize(printer=printer)
            text.write("\n")

        write("set-logic", logic)
        for symbol in symbols:
            write("declare-fun", symbol)
        for assertion in assertions:
            write("assert", assertion)
        for parity in kept:
            text.write(f"(assert {xor_term(parity, names, logic)})\n")
        write("check-sat")
    finally:
        # Detached, `text` leaves the stream open for the caller.
        text.detach()


def read_smtlib(stream: IO[bytes], source: str) -> Problem:
    """Read a script, compressed or not; `source` names it in errors.

    The reader takes Bools, and Ints between bounds that are asserted or implied; functions of both,
    defined or not; the operators of Core and Ints, Z3's operators for sums of Bools, soft
    assertions and objectives. The last check-sat is the problem. Bools, and integers of 0 and 1,
    are numbered in order of declaration; then come the literals of other integers, named ``x>=3``
    and so on, and auxiliary variables. Everything else in SMT-LIB is refused. `docs/formats.md` has
    the list.

    Raises:
        FormatError: with line and column, for unsupported input.
        PysmtMissingError: pysmt is not installed.
        OSError: the file cannot be read.
    """
    environment = fresh_environment()
    text = b"".join(text_blocks(stream, source)).decode("latin-1")
    return problem_of(Commands(Script(text, source), environment).run(), source)


def fresh_environment() -> Any:
    """A pysmt environment with its own symbols and solvers.

    Raises:
        PysmtMissingError: pysmt is not installed.
    """
    _pysmt()
    from pysmt.environment import Environment

    return Environment()


def environment_in_use() -> tuple[Any, Any]:
    """The manager of formulas of the environment that `pysmt.shortcuts` uses, and pysmt's types.

    Raises:
        PysmtMissingError: pysmt is not installed.
    """
    _pysmt()
    from pysmt import typing
    from pysmt.environment import get_env

    return get_env().formula_manager, typing


def satisfiable(solver: Any, assumptions: list[Any]) -> bool | None:
    """Whether the assertions of a pysmt solver have a model; None if the solver gave up."""
    from pysmt.exceptions import SolverReturnedUnknownResultError

    try:
        return bool(solver.solve(assumptions))
    except SolverReturnedUnknownResultError:
        return None


def _pysmt() -> None:
    """Raise an error that says what to install, if pysmt is missing."""
    try:
        import pysmt  # noqa: F401  # only whether it is there
    except ModuleNotFoundError:
        hint = install_hint("satsweeper[smt]")
        raise PysmtMissingError(f"SMT-LIB needs pysmt, which is not installed: {hint}") from None


def _sums(problem: Problem, manager: Any) -> tuple[list[Any], Iterator[Any], list[Parity]]:
    from pysmt.typing import INT

    symbols = [manager.Symbol(name, INT) for name in legal_names(problem)]
    kept = [each for each in problem.constraints if is_long(each)]
    others = tuple(each for each in problem.constraints if not is_long(each))

    def assertions() -> Iterator[Any]:
        for symbol in symbols:
            yield manager.And(
                manager.LE(manager.Int(0), symbol), manager.LE(symbol, manager.Int(1))
            )
        for row in rows(Problem(problem.num_vars, others)):
            pairs = [(symbols[var - 1], weight) for var, weight in row.terms.items()]
            terms = [x if w == 1 else manager.Times(manager.Int(w), x) for x, w in pairs]
            total = manager.Plus(terms) if terms else manager.Int(0)
            sides = []
            if row.equality:
                sides.append(manager.Equals(total, manager.Int(row.lower)))
            elif row.lower is not None:
                sides.append(manager.LE(manager.Int(row.lower), total))
            if row.upper is not None and not row.equality:
                sides.append(manager.LE(total, manager.Int(row.upper)))
            # The conjunction of one side is that side.
            yield manager.And(sides)

    return symbols, assertions(), kept


def _clauses(
    problem: Problem, manager: Any, choices: Choices
) -> tuple[list[Any], Iterator[Any], list[Parity]]:
    formula, kept = Formula(problem.num_vars), list[Parity]()
    for _ in encode_problem(problem.constraints, formula, choices, kept=kept):
        pass
    auxiliaries = range(problem.num_vars + 1, formula.num_vars + 1)
    names = {var: f"aux_{var}" for var in auxiliaries} | dict(problem.names)
    symbols = [manager.Symbol(name) for name in legal_names(Problem(formula.num_vars, (), names))]

    def assertions() -> Iterator[Any]:
        for clause in formula.clauses():
            yield manager.Or(
                [symbols[lit - 1] if lit > 0 else manager.Not(symbols[-lit - 1]) for lit in clause]
            )

    return symbols, assertions(), kept


def is_long(constraint: Constraint) -> TypeGuard[Parity]:
    """Whether `constraint` is a parity of at least two variables that do not cancel out."""
    return isinstance(constraint, Parity) and len(parity_normal_form(constraint)[0]) > 1


def xor_term(parity: Parity, names: Sequence[str], logic: str) -> str:
    """Return a term that is true if and only if the parity holds, variable i being ``names[i-1]``.

    The term is a balanced tree, so that recursive readers need logarithmic depth only.

    >>> xor_term(Parity([1, 2, -3], True), ["a", "b", "c"], "QF_UF")
    '(not (xor a (xor b c)))'
    """
    variables, odd = parity_normal_form(parity)
    parts = [names[var - 1] for var in variables]
    if logic == "QF_LIA":
        parts = [f"(= {part} 1)" for part in parts]
    while len(parts) > 1:
        first = parts[: len(parts) % 2]
        pairs = zip(parts[len(first) :: 2], parts[len(first) + 1 :: 2], strict=True)
        parts = [*first, *(f"(xor {left} {right})" for left, right in pairs)]
    return parts[0] if odd else f"(not {parts[0]})"
