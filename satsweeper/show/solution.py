"""What came of a problem, as the competitions want it printed.

References: Roussel, Manquinho, Input/output format and solver requirements for the competitions of
pseudo-Boolean solvers (2012); rules of the MaxSAT Evaluation 2022; output of the SAT Competition
2024.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from satsweeper.optimisation.outcome import Outcome
from satsweeper.solvers.solve_formula import value_lines, wrapped

_CLAUSES: Final = ("cnf", "knf", "cnf+")


def solution_lines(outcome: Outcome, format: str, names: Sequence[str]) -> Iterator[str]:
    """The claim, and the values of the variables that have these names.

    Of WCNF they are digits, 1 for true, in one line; of CNF and its extensions literals and a 0; of
    everything else names, a ``-`` before what is false.
    """
    yield f"s {outcome.status}"
    if outcome.model is None:
        return
    own = outcome.model[: len(names)]
    if format == "wcnf":
        yield "v " + "".join("1" if lit > 0 else "0" for lit in own)
    elif format in _CLAUSES:
        yield from value_lines(own)
    else:
        pairs = zip(own, names, strict=True)
        yield from wrapped(name if lit > 0 else f"-{name}" for lit, name in pairs)


def solution_json(outcome: Outcome, names: Sequence[str]) -> dict[str, Any]:
    """Schema ``satsweeper/solve/1``."""
    values = None
    if outcome.model is not None:
        own = outcome.model[: len(names)]
        values = {name: int(lit > 0) for lit, name in zip(own, names, strict=True)}
    return {
        "schema": "satsweeper/solve/1",
        "status": str(outcome.status),
        "value": outcome.value,
        "bound": outcome.bound,
        "reason": outcome.reason or None,
        "questions": outcome.questions,
        "conflicts": outcome.conflicts,
        "values": values,
    }
