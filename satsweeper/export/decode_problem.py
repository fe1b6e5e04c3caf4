"""What another solver says of an encoded problem, back on the problem and checked there."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final

from pbcnf.constraints.constraint import Constraint, Parity, PseudoBoolean
from pbcnf.constraints.parity_normal_form import parity_normal_form
from pbcnf.constraints.problem import Problem
from pbcnf.emission.whole_problems import encode_problem
from pbcnf.errors import EncodingError
from pbcnf.formula import Formula
from pbcnf.wording import exact
from satsweeper.export.decode import Judgement, MapMismatchError
from satsweeper.export.name_map import ProblemMap
from satsweeper.processes.deadline import Deadline
from satsweeper.solvers.output import Claim, Output
from satsweeper.solvers.protocol import SolverFailedError
from satsweeper.solvers.solve_formula import solve_formula
from satsweeper.solvers.table import STRONG

_SCHEMA: Final = "satsweeper/decode-problem/1"
_NAMED: Final = 8
"""Terms and variables that a message names at the most."""
_MOST_CLAUSES: Final = 1_000_000
"""A constraint that takes more is not encoded for our own search."""


@dataclass(frozen=True)
class DecodedProblem:
    """A claim and what the problem says of it.

    ``values``: for a right model, the value of each variable by its name; ``free`` are those that
    the model leaves open, whatever they are. ``objective`` is its value, None without an objective
    or with a variable of it left open. ``wrong``: what a wrong answer breaks, as in the JSON.
    """

    claim: Claim
    judgement: Judgement
    sentence: str
    values: dict[str, int] = field(default_factory=dict, repr=False)
    free: tuple[str, ...] = ()
    objective: int | None = None
    wrong: dict[str, Any] = field(default_factory=dict)

    def as_json(self, problem: Problem) -> dict[str, Any]:
        """Schema ``satsweeper/decode-problem/1``."""
        objective = None
        if problem.objective is not None:
            value: int | str | None = self.objective
            if value is not None and problem.objective.scale != 1:
                value = exact(self.objective or 0, problem.objective.scale)
            objective = {"value": value, "maximise": problem.objective.maximise}
        answer: dict[str, Any] = {
            "schema": _SCHEMA,
            "variables": problem.num_vars,
            "constraints": len(problem.constraints),
            "claim": str(self.claim),
            "judgement": str(self.judgement),
        }
        if self.judgement is Judgement.RIGHT and self.claim is Claim.SATISFIABLE:
            answer |= {"values": self.values, "free": list(self.free), "objective": objective}
        if self.wrong:
            answer["wrong"] = self.wrong
        return answer


def decode_problem(problem: Problem, names: ProblemMap, output: Output) -> DecodedProblem:
    """A solver's output on the problem; a model is checked against every constraint as it stands.

    A claim that there is no model is UNCONFIRMED here: see ``confirm_problem``.

    Raises:
        MapMismatchError: the map is not that of the problem, or a variable that matters has no
            value.
    """
    if len(names.names) != problem.num_vars:
        raise MapMismatchError(
            f"the map is of a problem of {_count(len(names.names), 'variable')}, and this one has"
            f" {problem.num_vars}"
        )
    claim = output.claim
    if claim is Claim.UNSATISFIABLE:
        sentence = "The solver claims that the problem has no model."
        return DecodedProblem(claim, Judgement.UNCONFIRMED, sentence)
    if claim is Claim.UNKNOWN:
        return DecodedProblem(claim, Judgement.UNKNOWN, "The solver has no answer.")
    model = {lit for lit in output.literals if abs(lit) <= problem.num_vars}
    unsettled = None
    for number, constraint in enumerate(problem.constraints, start=1):
        met = _met(constraint, model)
        if met is False:
            return _wrong(number, constraint, names, _reach(constraint, model))
        if unsettled is None and met is None:
            unsettled = number, constraint
    if unsettled is not None:
        number, constraint = unsettled
        raise MapMismatchError(
            f"the model is incomplete: no value for {_open(constraint, model, names)}, which"
            f" constraint {number} depends on: {_text(constraint, names)}"
        )
    values = {
        name: int(var in model)
        for var, name in enumerate(names.names, start=1)
        if var in model or -var in model
    }
    free = tuple(name for name in names.names if name not in values)
    for name, total in problem.integers.items():
        if all(lit in model or -lit in model for lit in total.lits):
            for lit in total.lits:
                values.pop(names.names[abs(lit) - 1], None)
            values[name] = total.value(model)
    objective = problem.objective
    value = None
    if objective is not None and all(lit in model or -lit in model for lit in objective.lits):
        value = objective.value(model)
    sentence = "".join(_parts(problem, value, len(free)))
    return DecodedProblem(claim, Judgement.RIGHT, sentence, values, free, value)


def confirm_problem(
    decoded: DecodedProblem, problem: Problem, seconds: float | None
) -> DecodedProblem:
    """A claim that there is no model, judged by our own search within the limit."""
    claim, deadline = decoded.claim, Deadline.after(seconds)
    found = Claim.UNKNOWN
    formula = Formula(problem.num_vars)
    try:
        for _ in encode_problem(problem.constraints, formula, None, _MOST_CLAUSES):
            if deadline.passed():
                break
        else:
            if not deadline.passed():
                found = solve_formula(formula, STRONG, deadline.left()).claim
    except (EncodingError, SolverFailedError):
        pass
    if found is Claim.SATISFIABLE:
        sentence = "wrong claim: UNSATISFIABLE, but the problem has a model"
        return DecodedProblem(claim, Judgement.WRONG, sentence, wrong={"claim": str(claim)})
    if found is Claim.UNSATISFIABLE:
        sentence = f"{decoded.sentence} Our own search agrees."
        return DecodedProblem(claim, Judgement.RIGHT, sentence)
    sentence = f"{decoded.sentence} Our own search did not end in time."
    return DecodedProblem(claim, Judgement.UNCONFIRMED, sentence)


def _terms(constraint: Constraint) -> Iterator[tuple[int, int]]:
    weights = constraint.weights if isinstance(constraint, PseudoBoolean) else None
    return zip(constraint.lits, weights or [1] * len(constraint.lits), strict=True)


def _met(constraint: Constraint, model: set[int]) -> bool | None:
    """Whether the constraint is met; None if that depends on what the model leaves open."""
    if isinstance(constraint, Parity):
        variables, odd = parity_normal_form(constraint)
        if any(var not in model and -var not in model for var in variables):
            return None
        return sum(var in model for var in variables) % 2 == odd
    least, most = _reach(constraint, model)
    if most < constraint.lower or least > constraint.upper:
        return False
    return True if constraint.lower <= least and most <= constraint.upper else None


def _reach(constraint: Constraint, model: set[int]) -> tuple[int, int]:
    """The least and the largest value of the sum, whatever the model leaves open."""
    fixed = 0
    # A variable may occur more than once, and has one value.
    by_variable: dict[int, int] = {}
    for lit, weight in _terms(constraint):
        if lit in model:
            fixed += weight
        elif -lit not in model:
            fixed += weight if lit < 0 else 0
            by_variable[abs(lit)] = by_variable.get(abs(lit), 0) + (weight if lit > 0 else -weight)
    least = fixed + sum(weight for weight in by_variable.values() if weight < 0)
    most = fixed + sum(weight for weight in by_variable.values() if weight > 0)
    return least, most


def _wrong(
    number: int, constraint: Constraint, names: ProblemMap, reach: tuple[int, int]
) -> DecodedProblem:
    least, most = reach
    shown = f"{least}" if least == most else f"{least} to {most}"
    text = _text(constraint, names)
    return DecodedProblem(
        Claim.SATISFIABLE,
        Judgement.WRONG,
        f"wrong model: constraint {number} is violated: {text}, and the sum is {shown}",
        wrong={"constraint": number, "text": text, "sum": [least, most]},
    )


def _open(constraint: Constraint, model: set[int], names: ProblemMap) -> str:
    found = dict.fromkeys(
        names.names[abs(lit) - 1]
        for lit in constraint.lits
        if lit not in model and -lit not in model
    )
    return _some(list(found), ", ")


def _text(constraint: Constraint, names: ProblemMap) -> str:
    """The constraint with the problem's own names, a negated literal as ``~name``."""
    if isinstance(constraint, Parity):
        signed = [f"{'~' * (lit < 0)}{names.names[abs(lit) - 1]}" for lit in constraint.lits]
        return f"{_some(signed, ' xor ') or '0'} = {int(constraint.odd)}"
    terms = [
        f"{weight:+d} {'~' * (lit < 0)}{names.names[abs(lit) - 1]}"
        for lit, weight in _terms(constraint)
    ]
    lower, upper = constraint.lower, constraint.upper
    text = _some(terms, " ") or "0"
    if lower == upper:
        return f"{text} = {lower}"
    weights = [weight for _, weight in _terms(constraint)]
    said = []
    if lower > sum(weight for weight in weights if weight < 0):
        said.append(f">= {lower}")
    if upper < sum(weight for weight in weights if weight > 0):
        said.append(f"<= {upper}")
    return f"{text} {' and '.join(said)}"


def _some(parts: list[str], between: str) -> str:
    more = len(parts) - _NAMED
    return between.join(parts[:_NAMED]) + (f"{between}and {more} more" if more > 0 else "")


def _parts(problem: Problem, value: int | None, free: int) -> Iterator[str]:
    held = len(problem.constraints)
    yield f"A model: {_count(held, 'constraint')}, {'all met' if held != 1 else 'met'}"
    objective = problem.objective
    if objective is not None:
        aim = "maximised" if objective.maximise else "minimised"
        said = "open, as the model is" if value is None else exact(value, objective.scale)
        yield f"; the objective, to be {aim}, is {said}"
    if free:
        yield f"; left open, as nothing depends on them: {_count(free, 'variable')}"
    yield "."


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' * (number != 1)}"
