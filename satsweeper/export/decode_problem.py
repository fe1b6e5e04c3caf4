"""Judgement of answers to an encoded problem, or to a problem as it stands, by its own names.

With the map of ``encode`` a solver's literals are numbers of the formula. Without a map the output
names the problem's own variables, as the output of ``solve`` does, and that of solvers of the
pseudo-Boolean competitions and the MaxSAT Evaluations for OPB, WBO and WCNF.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from pbcnf.constraints.constraint import Cardinality, Constraint, Parity, PseudoBoolean
from pbcnf.constraints.normal_form import parity_normal_form
from pbcnf.constraints.problem import Objective, Problem
from pbcnf.emission.whole_problems import encode_problem
from pbcnf.errors import EncodingError
from pbcnf.formats.error import FormatError, excerpt
from pbcnf.formula import Formula
from pbcnf.wording import counted, exact
from satsweeper.export.decode import Decoded, Decoder, Judgement, MapMismatchError
from satsweeper.export.name_map import ProblemMap
from satsweeper.optimisation import Settings, Status, solve
from satsweeper.processes.deadline import Deadline
from satsweeper.solvers.output import Claim
from satsweeper.solvers.protocol import SolverFailedError
from satsweeper.solvers.solve_formula import solve_formula
from satsweeper.solvers.table import STRONG

_NAMED: Final = 8
"""Limit on the terms and variables that a message names."""
_MOST_CLAUSES: Final = 1_000_000
"""Limit on the clauses of one constraint that our own search encodes."""
_WORD: Final = re.compile(rb"-?\|[^|]*\|(?:=\S*)?|\S+")
"""A literal or a value in a ``v`` line; a name between bars (SMT-LIB) may hold spaces."""
_NUMBER: Final = re.compile(rb"-?[0-9]{1,4000}")
"""The value of an integer; Python refuses to read numbers of more than 4,300 digits."""


class ProblemDecoder(Decoder):
    """Judges answers in the numbers of an encoded problem, whose variables ``names`` lists."""

    noun = "problem"
    solution = "model"

    def __init__(self, problem: Problem, names: ProblemMap) -> None:
        self._problem, self._names = problem, names

    def head(self) -> dict[str, Any]:
        """Return the schema ``satsweeper/decode-problem/1`` and the size of the problem."""
        problem = self._problem
        size = {"variables": problem.num_vars, "constraints": len(problem.constraints)}
        return {"schema": "satsweeper/decode-problem/1", **size}

    def require_map(self) -> None:
        """Raise MapMismatchError if the map names another number of variables."""
        found, wanted = len(self._names.names), self._problem.num_vars
        if found != wanted:
            raise MapMismatchError(
                f"the map is of a problem of {counted(found, 'variable')},"
                f" and this one has {wanted}"
            )

    def judge_model(self, literals: Sequence[int]) -> Decoded:
        """Check a model against every constraint of the problem, not against the clauses."""
        problem, names = self._problem, self._names
        # Variables above `num_vars` are auxiliary: the constraints do not mention them.
        model = {lit for lit in literals if abs(lit) <= problem.num_vars}
        # One violated constraint makes the model wrong whatever the open variables are. So the
        # first constraint that depends on open variables is reported only after the loop.
        unsettled = None
        for number, constraint in enumerate(problem.constraints, start=1):
            met = _met(constraint, model)
            if met is False:
                return _violated(number, constraint, names, _reach(constraint, model))
            if unsettled is None and met is None:
                unsettled = number, constraint
        if unsettled is not None:
            number, constraint = unsettled
            left = (abs(lit) for lit in constraint.lits if lit not in model and -lit not in model)
            missing = _some(list(dict.fromkeys(names.names[var - 1] for var in left)), ", ")
            raise MapMismatchError(
                f"the model is incomplete: no value for {missing}, which constraint {number}"
                f" depends on: {_text(constraint, names)}"
            )
        values = {
            name: int(var in model)
            for var, name in enumerate(names.names, start=1)
            if var in model or -var in model
        }
        free = tuple(name for name in names.names if name not in values)
        # An integer is shown instead of the variables of its sum if all of them have a value.
        for name, total in problem.integers.items():
            if all(lit in model or -lit in model for lit in total.lits):
                for lit in total.lits:
                    values.pop(names.names[abs(lit) - 1], None)
                values[name] = total.value(model)
        sentence = f"A model: {counted(len(problem.constraints), 'constraint')}, "
        sentence += "met" if len(problem.constraints) == 1 else "all met"
        answer: dict[str, Any] = {"values": values, "free": list(free), "objective": None}
        objective = problem.objective
        if objective is not None:
            value, shown = None, "open, as the model is"
            if all(lit in model or -lit in model for lit in objective.lits):
                value = objective.value(model)
                shown = exact(value, objective.scale)
            written = value if value is None or objective.scale == 1 else shown
            answer["objective"] = {"value": written, "maximise": objective.maximise}
            aim = "maximised" if objective.maximise else "minimised"
            sentence += f"; the objective, to be {aim}, is {shown}"
        if free:
            left_open = counted(len(free), "variable")
            sentence += f"; left open, as nothing depends on them: {left_open}"
        return Decoded(
            *(Claim.SATISFIABLE, Judgement.RIGHT, f"{sentence}."),
            values=values,
            free=free,
            answer=answer,
        )


def search_problem(problem: Problem, seconds: Callable[[], float | None]) -> Claim:
    """Decide ``problem`` by a search of our own, within the time that ``seconds`` returns.

    The objective is ignored. The claim is UNKNOWN if the time is over, if a constraint needs more
    than `_MOST_CLAUSES` clauses, or if the solver failed.
    """
    deadline = Deadline.after(seconds())
    formula = Formula(problem.num_vars)
    try:
        for _ in encode_problem(problem.constraints, formula, None, _MOST_CLAUSES):
            if deadline.passed():
                return Claim.UNKNOWN
        if not deadline.passed():
            return solve_formula(formula, STRONG, deadline.left()).claim
    except (EncodingError, SolverFailedError):
        pass
    return Claim.UNKNOWN


@dataclass(frozen=True)
class Vocabulary:
    """Names of a problem's variables and integers in the output of solvers."""

    names: Sequence[str] = field(repr=False)
    """Names of the problem's own variables in ``v`` lines, variable i at place i - 1."""
    called: Sequence[str] = field(repr=False)
    """Names of all variables in messages, variable i at place i - 1."""
    integers: Mapping[str, Objective]
    """Name of an integer in ``v`` lines -> the sum that is its value."""
    digits: bool
    """Whether a line of digits, one a variable, is a model."""


def numbered(
    lines: Iterable[bytes], source: str, words: Vocabulary, fixed: list[Constraint]
) -> Iterator[bytes]:
    """Yield ``lines`` with names and digits replaced by ``v x3 -x4``.

    For the value of an integer, as in ``n=5``, an equation is appended to ``fixed``. Raises
    FormatError, which names ``source``, for a word that is no variable of the problem.
    """
    numbers = {name.encode(): var for var, name in enumerate(words.names, start=1)}
    integers = {name.encode(): each for name, each in words.integers.items()}
    for place, line in enumerate(lines, start=1):
        if line.split(None, 1)[:1] != [b"v"]:
            yield line
            continue
        if words.digits and re.fullmatch(rb"v\s+[01]{%d}\s*" % len(words.names), line):
            digits = enumerate(line.split()[1], start=1)
            yield b"v " + b" ".join(_word(var, digit == ord("1")) for var, digit in digits)
            continue
        found = []
        for match in _WORD.finditer(line, line.index(b"v") + 1):
            word = match[0]
            name, _, value = word.rpartition(b"=")
            if name in integers and _NUMBER.fullmatch(value):
                integer = integers[name]
                left = int(value) - integer.constant
                fixed.append(PseudoBoolean(integer.lits, integer.weights, left, left))
            elif word in numbers:
                found.append(_word(numbers[word], True))
            elif word[:1] == b"-" and word[1:] in numbers:
                found.append(_word(numbers[word[1:]], False))
            else:
                message = f"'{excerpt(word)}': no variable of the problem"
                raise FormatError(source, place, match.start() + 1, message)
        yield b"v " + b" ".join(found)


def _word(var: int, true: bool) -> bytes:
    """Return the literal of variable ``var`` as OPB writes it: ``x3``, or ``-x3`` if not true."""
    return b"%sx%d" % (b"" if true else b"-", var)


class SolutionDecoder(ProblemDecoder):
    """Judges answers in which variables have the problem's own names.

    Variables without a name in the output, for example slacks, get the values of least cost, by a
    search within the time that ``seconds`` returns.

    Args:
        problem: the problem of the answers.
        words: names of the variables and integers of ``problem``.
        fixed: values of integers as equations, from `numbered`.
        seconds: returns the seconds left for the search; None for no limit.
    """

    def __init__(
        self,
        problem: Problem,
        words: Vocabulary,
        fixed: Sequence[Constraint],
        seconds: Callable[[], float | None],
    ) -> None:
        super().__init__(problem, ProblemMap(tuple(words.called), problem.num_vars))
        self._words, self._fixed, self._seconds = words, fixed, seconds

    def judge_model(self, literals: Sequence[int]) -> Decoded:
        """Check a model after completing it.

        Raises MapMismatchError if the model has no value for a named variable of a constraint, or
        if no values of the other variables are found in time.
        """
        problem, words = self._problem, self._words
        num_named = len(words.names)
        # The variables of the sums that are the values of integers.
        behind = {abs(lit) for each in words.integers.values() for lit in each.lits}
        if num_named == problem.num_vars and not behind:
            return super().judge_model(literals)
        equated = {abs(lit) for each in self._fixed for lit in each.lits}
        given = {*map(abs, literals), *equated}
        used = {abs(lit) for each in problem.constraints for lit in each.lits}
        missing = sorted(var for var in used if var <= num_named and var not in given)
        if missing:
            raise MapMismatchError(
                f"the model is incomplete: no value for {words.called[missing[0] - 1]}"
            )
        # The given values become constraints, and our own search completes them at least cost.
        units = tuple(Cardinality([lit], lower=1) for lit in literals)
        settled = replace(problem, constraints=(*problem.constraints, *units, *self._fixed))
        outcome = solve(settled, Settings(), seconds=self._seconds())
        if outcome.model is None:
            if outcome.status is Status.UNKNOWN:
                raise MapMismatchError("the values of the other variables were not found in time")
            return self._contradicted(literals)
        decoded = super().judge_model(outcome.model)
        true = set(outcome.model)
        values = {
            name: value
            for var, (name, value) in enumerate(decoded.values.items(), start=1)
            if var <= num_named and var not in behind
        }
        values |= {name: each.value(true) for name, each in words.integers.items()}
        return replace(decoded, values=values, answer=decoded.answer | {"values": values})

    def _contradicted(self, literals: Sequence[int]) -> Decoded:
        """Judge ``literals`` that no values of the other variables complete to a model.

        The judgement names a constraint that ``literals`` alone violate, if there is one.
        """
        try:
            decoded = super().judge_model(literals)
        except MapMismatchError:
            decoded = None
        if decoded is not None and decoded.judgement is Judgement.WRONG:
            return decoded
        sentence = "wrong model: its values contradict the constraints"
        wrong = {"claim": str(Claim.SATISFIABLE)}
        return Decoded(Claim.SATISFIABLE, Judgement.WRONG, sentence, wrong=wrong)


def _terms(constraint: Constraint) -> Iterator[tuple[int, int]]:
    """Yield the literals of ``constraint`` with their weights, which are 1 without weights."""
    weights = constraint.weights if isinstance(constraint, PseudoBoolean) else None
    return zip(constraint.lits, weights or [1] * len(constraint.lits), strict=True)


def _met(constraint: Constraint, model: set[int]) -> bool | None:
    """Whether ``constraint`` is met; None if the answer depends on variables without a value."""
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
    """Return the least and the largest value of the sum over all values of the open variables.

    A variable is open if ``model`` holds neither of its literals.
    """
    fixed = 0
    # A variable may occur in several terms, so the weights of each variable are added up first. A
    # literal -v of weight w is w - w * v: w is added to `fixed`, and -w to the weight of v.
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


def _violated(
    number: int, constraint: Constraint, names: ProblemMap, reach: tuple[int, int]
) -> Decoded:
    least, most = reach
    shown = f"{least}" if least == most else f"{least} to {most}"
    text = _text(constraint, names)
    return Decoded(
        Claim.SATISFIABLE,
        Judgement.WRONG,
        f"wrong model: constraint {number} is violated: {text}, and the sum is {shown}",
        wrong={"constraint": number, "text": text, "sum": [least, most]},
    )


def _text(constraint: Constraint, names: ProblemMap) -> str:
    """Return ``constraint`` with the problem's own names, a negated literal as ``~name``."""
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
    bounds = []
    if lower > sum(weight for weight in weights if weight < 0):
        bounds.append(f">= {lower}")
    if upper < sum(weight for weight in weights if weight > 0):
        bounds.append(f"<= {upper}")
    return f"{text} {' and '.join(bounds)}"


def _some(parts: list[str], between: str) -> str:
    """Return the first `_NAMED` of ``parts`` joined by ``between``, and the number of the rest."""
    more = len(parts) - _NAMED
    return between.join(parts[:_NAMED]) + (f"{between}and {more} more" if more > 0 else "")
