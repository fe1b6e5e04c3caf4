"""SMT-LIB 2 through pysmt: a problem as a script, in integers or as clauses, and back.

Reference: Barrett, Fontaine, Tinelli: The SMT-LIB Standard, version 2.6. This is the only importer
of pysmt, which is an extra.
"""

import io
from collections.abc import Iterable, Iterator, Sequence
from typing import IO, Any, Final, Literal, TypeGuard

from pbcnf.constraints.constraint import Constraint, Parity
from pbcnf.constraints.parity_normal_form import parity_normal_form
from pbcnf.constraints.problem import Problem
from pbcnf.emission.whole_problems import Choices, encode_problem
from pbcnf.errors import Error
from pbcnf.formats.names import comment_lines, legal_names
from pbcnf.formats.reading import text_blocks
from pbcnf.formats.rows import MatrixRow, rows
from pbcnf.formats.smtlib.assertions import problem_of
from pbcnf.formats.smtlib.commands import Commands
from pbcnf.formats.smtlib.tokens import Script
from pbcnf.formula import Formula
from pbcnf.wording import install_hint

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
        # The stream is the caller's, who goes on with it.
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
        FormatError: with line and column, for whatever is not read.
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
            yield _inequality(row, symbols, manager)

    return symbols, assertions(), kept


def _inequality(row: MatrixRow, symbols: list[Any], manager: Any) -> Any:
    terms = [
        symbols[var - 1] if weight == 1 else manager.Times(manager.Int(weight), symbols[var - 1])
        for var, weight in row.terms.items()
    ]
    total = manager.Plus(terms) if terms else manager.Int(0)
    if row.equality:
        return manager.Equals(total, manager.Int(row.lower))
    sides = []
    if row.lower is not None:
        sides.append(manager.LE(manager.Int(row.lower), total))
    if row.upper is not None:
        sides.append(manager.LE(total, manager.Int(row.upper)))
    return manager.And(sides)


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
