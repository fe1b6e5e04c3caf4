"""Second check of the proof of an answer, by code that shares nothing with the first checker.

Beyond the rules of `derivation_recheck` there are a step and conclusions:

* ``soli LITERALS : value``: values of all variables of the problem, which meet its rows. From here
  on only better solutions matter: "the objective is at most value - 1" is added, and whatever is
  derived holds of these. So a solution of the problem either is one of them, or has an objective of
  the least value that was shown, or more.
* ``conclusion UNSAT : id``: constraint id cannot hold, and no solution was shown.
* ``conclusion SAT : LITERALS``: a solution.
* ``conclusion BOUNDS low : id high : LITERALS``: a solution whose objective is at most high; and
  constraint id cannot hold together with "the objective is at most low - 1", while low is at most
  the least value that was shown: so no solution has less than low.

Rows stay alive here. A step ``rup`` may do without hints, which are all that is alive then, and may
derive what is no clause: its negation takes part as any other constraint.
"""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from satsweeper.checker.derivation_recheck import FollowedProof, GivenRows, conflict, rows_of
from satsweeper.checker.sums_recheck import (
    SumInequality,
    constraint_of,
    integer_of,
    literal_of,
    negated,
)

_DECLARED: Final = re.compile(r"#variable=\s*([0-9]{1,9})(?![0-9])")
_FORMS: Final = "NONE, UNSAT : id, SAT : literals, BOUNDS low : id high : literals"


class AnswerFollowedAgain(NamedTuple):
    """The conclusion of a proof, UNSAT, SAT, BOUNDS or NONE; and the bounds, 0 without any."""

    conclusion: str
    lower: int = 0
    upper: int = 0


def recheck_answer(problem: str, proof: str, name: str) -> AnswerFollowedAgain:
    """Return the conclusion of ``proof``.

    Args:
        problem: a text in OPB, with an objective or without.
        proof: a text in VeriPB's format, version 3.0.
        name: the name of the proof's file, for errors.

    Raises:
        WrongCertificateError: a step follows none of the rules, or is not sound.
    """
    known = _FollowedAnswer(problem, name)
    known.follow(proof)
    return known.concluded


class _FollowedAnswer(FollowedProof):
    """A proof of an answer as far as it is followed."""

    def __init__(self, problem: str, name: str) -> None:
        comments = "\n".join(line for line in problem.split("\n") if line[:1] == "*")
        declared = [int(each) for each in _DECLARED.findall(comments)]
        rows, self.objective = rows_of(problem, name)
        every = [*rows] if self.objective is None else [*rows, self.objective]
        # None of these may be defined by a step, and a solution gives each of them its value.
        inputs = max([0, *declared, *(v for row in every for v in row.left)])
        super().__init__(GivenRows(rows, inputs, inputs), name)
        self.best: int | None = None
        self.concluded = AnswerFollowedAgain("NONE")

    def take(self, rule: str, rest: str) -> None:
        """Check the step ``rule`` with its arguments ``rest``, and add its constraint."""
        if rule == "soli":
            literals, _, told = rest.partition(":")
            value = self.value(literals.split())
            if told.split() not in ([], [str(value)]):
                raise ValueError(f"the objective of this solution is {value}")
            self.best = min(value, value if self.best is None else self.best)
            self.add(self.at_most(value - 1))
        elif rule == "rup":
            constraint, colon, why = rest.partition(":")
            new = self.constraint(constraint)
            hints = why.split() if colon else ["~", *map(str, self.alive)]
            rows = [
                negated(new) if hint == "~" else constraint_of(self.absolute(hint), self.alive)
                for hint in hints
            ]
            if not conflict(rows):
                raise ValueError("the constraint does not follow from these constraints")
            self.add(new)
        elif rule == "pol":
            super().take(rule, " ".join(map(self.absolute, rest.split())))
        else:
            super().take(rule, rest)

    def delete(self, numbers: Sequence[int]) -> None:
        """Delete derived constraints."""
        for number in numbers:
            if number <= len(self.problem.rows):
                raise ValueError(f"constraint {number} is the problem's")
        super().delete(numbers)

    def end(self, rule: str, rest: str) -> None:
        """Check a part of the end."""
        if rule != "conclusion":
            super().end(rule, rest)
            return
        match rest.replace(":", " : ").split():
            case ["NONE"]:
                return
            case ["UNSAT", ":", which]:
                row = constraint_of(self.absolute(which), self.alive)
                if row.most({}) >= row.bound:
                    raise ValueError(f"constraint {which} can be satisfied")
                if self.best is not None:
                    raise ValueError("there is a solution")
                self.concluded = AnswerFollowedAgain("UNSAT")
            case ["SAT", ":", *literals]:
                self.value(literals)
                self.concluded = AnswerFollowedAgain("SAT")
            case ["BOUNDS", low, ":", which, high, ":", *literals]:
                self._bounds(integer_of(low), which, integer_of(high), literals)
            case _:
                raise ValueError(f"a conclusion is one of {_FORMS}")

    def _bounds(self, low: int, which: str, high: int, literals: Sequence[str]) -> None:
        row = constraint_of(self.absolute(which), self.alive)
        below = self.at_most(low - 1)
        value = self.value(literals)
        if value > high:
            raise ValueError(f"the objective of this solution is {value}, not at most {high}")
        if self.best is not None and low > self.best:
            raise ValueError(f"a solution has {self.best}: {low} is no lower bound")
        # A combination of the constraint and of "below low" that nothing reaches: the sum of both,
        # or the constraint alone.
        both = {v: row.left.get(v, 0) + below.left.get(v, 0) for v in {*row.left, *below.left}}
        summed = SumInequality(both, row.bound + below.bound)
        if all(each.most({}) >= each.bound for each in (row, summed)):
            raise ValueError(f"constraint {which} does not say: the objective is at least {low}")
        self.concluded = AnswerFollowedAgain("BOUNDS", low, high)

    def at_most(self, value: int) -> SumInequality:
        """Return "the objective is at most ``value``". Raises ValueError without an objective."""
        if self.objective is None:
            raise ValueError("bounds and 'soli' need an objective, and the problem has none")
        return negated(SumInequality(self.objective.left, self.objective.bound + value + 1))

    def value(self, literals: Sequence[str]) -> int:
        """Return the objective of a solution, 0 without one. Raises ValueError if it is none."""
        values = {}
        for word in literals:
            found = literal_of(word)
            values[int(found[2])] = int(not found[1])
        if len(values) != len(literals) or values.keys() != {*range(1, self.problem.inputs + 1)}:
            raise ValueError(
                f"a solution gives x1 to x{self.problem.inputs} their values, each once"
            )
        for number in range(1, len(self.problem.rows) + 1):
            row = self.alive[number]
            if row.most(values) < row.bound:
                raise ValueError(f"this is no solution: constraint {number} does not hold")
        return 0 if self.objective is None else self.objective.most(values) - self.objective.bound

    def absolute(self, word: str) -> str:
        """Return the number of a constraint, -1 being the last one that was added."""
        is_relative = word[:1] == "-" and word[1:].isdigit()
        return str(self.last + 1 + int(word)) if is_relative else word
