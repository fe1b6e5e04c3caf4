"""The answer to a problem, in the output formats of the competitions.

References: Roussel, Manquinho, Input/output format and solver requirements for the competitions of
pseudo-Boolean solvers (2012); rules of the MaxSAT Evaluation 2022; output of the SAT Competition
2024.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from pbcnf.constraints.problem import Objective
from pbcnf.literals import Lit
from pbcnf.wording import exact
from satsweeper.solvers.solve_formula import value_lines, wrapped

if TYPE_CHECKING:
    from satsweeper.optimisation.search import SolveOutcome

_SIMPLE: Final = re.compile(r"[A-Za-z~!@$%^&*_+<>.?/][A-Za-z0-9~!@$%^&*_+<>.?/-]*")
CLAUSES: Final = ("cnf", "knf", "cnf+")
"""Input formats whose solutions are printed as literals."""
SYMBOLS: Final = ("smt2", "statements")
"""Input formats whose names are printed as symbols of SMT-LIB, as they may hold blanks."""

Integers = Mapping[str, Objective]
"""Name of an integer -> the sum of weighted literals whose value is the integer."""


def solution_lines(
    outcome: "SolveOutcome",
    format: str,
    names: Sequence[str],
    integers: Integers = MappingProxyType({}),
) -> Iterator[str]:
    """Yield the status line and the value lines of a solution.

    ``format`` is the format of the problem. Values of WCNF are digits, 1 for true, in one line;
    values of CNF and its extensions are literals and a 0; for all other formats, values are names,
    with a ``-`` before the names of false variables. ``integers`` become equations NAME=VALUE, and
    the variables that encode them are left out. ``names[v - 1]`` is the name of variable v.
    """
    yield f"s {outcome.status}"
    if outcome.model is None:
        return
    own = outcome.model[: len(names)]
    if format == "wcnf":
        yield "v " + "".join("1" if lit > 0 else "0" for lit in own)
    elif format in CLAUSES:
        yield from value_lines(own)
    else:
        values = _values(outcome.model, names, integers)
        yield from wrapped(
            f"{shown}={value}" if name in integers else shown if value else f"-{shown}"
            for name, value in values.items()
            for shown in (symbol(name) if format in SYMBOLS else name,)
        )


def symbol(name: str) -> str:
    """The symbol ``name`` of SMT-LIB, between bars where it is not a simple symbol.

    >>> symbol("a.b"), symbol("-a"), symbol("a=1"), symbol("|a_b|")
    ('a.b', '|-a|', '|a=1|', '|a_b|')
    """
    return name if _SIMPLE.fullmatch(name) or name.startswith("|") else f"|{name}|"


def solution_json(
    outcome: "SolveOutcome",
    names: Sequence[str],
    integers: Integers = MappingProxyType({}),
    scale: int = 1,
) -> dict[str, Any]:
    """The object of schema ``satsweeper/solve/1``.

    The objective was multiplied by ``scale`` to make it integral. If ``scale`` is not 1, ``value``
    and ``bound`` are exact decimal numbers or fractions, as texts.
    """
    values = None
    if outcome.model is not None:
        values = _values(outcome.model, names, integers)
    return {
        "schema": "satsweeper/solve/1",
        "status": str(outcome.status),
        "value": _number(outcome.value, scale),
        "bound": _number(outcome.bound, scale),
        "reason": outcome.reason or None,
        "questions": outcome.questions,
        "conflicts": outcome.conflicts,
        "values": values,
    }


def _number(value: int | None, scale: int) -> int | str | None:
    return value if value is None or scale == 1 else exact(value, scale)


def _values(model: Sequence[Lit], names: Sequence[str], integers: Integers) -> dict[str, int]:
    """Name -> value: 0 or 1 of a variable; of an integer instead of its variables, its value."""
    behind = {abs(lit) for each in integers.values() for lit in each.lits}
    own = zip(model[: len(names)], names, strict=True)
    values = {name: int(lit > 0) for lit, name in own if abs(lit) not in behind}
    true = frozenset(model)
    return values | {name: each.value(true) for name, each in integers.items()}
