"""Second check of derivations of clauses, by code that shares nothing with the first checker.

A constraint is ``sum of c * x >= b``, as in `sums_recheck`, which has the rule ``pol``. The other
rules, a step a line, are

* ``red``: one half of the definition of a variable v that no constraint but the other half
  contains. Both halves are about one sum S: "v, or S < t" and "not v, or S >= t". Whatever S is,
  one of the two values of v satisfies both halves.
* ``rup C : ~ ids``: propagation on the negation of C and the constraints ``ids`` ends in a
  conflict.
* ``del id``: a constraint that is not of the problem is deleted, or all that are of the problem.
  Then the clauses are left alone, and the rest of the proof must derive the problem from them: the
  last constraints are those of the problem. Whoever satisfies the clauses satisfies the problem
  then, since ``red`` has defined nothing but variables that are in no clause.

A problem of statements (`satsweeper.checker.statements`) has variables of its own as well, which no
clause may contain, and links: the last constraints derived say what its integers are in terms of
the variables of the clauses. They are deleted, and derived again, together with the problem.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from itertools import islice
from typing import Final, NamedTuple

from satsweeper.checker.errors import UnknownRuleError, WrongCertificateError, wrong_at
from satsweeper.checker.sums_recheck import (
    SumInequality,
    clause_of,
    constraint_of,
    given,
    integer_of,
    negated,
    polished,
)

_COMMENT: Final = re.compile(r"%.*|\n\*.*")
_RELATION: Final = re.compile(r">=|<=|=")
_WITNESS: Final = re.compile(r"x([1-9][0-9]{0,9}) -> ([01])")
_PROOF: Final = "pseudo-Boolean proof version"
_END: Final = ("output", "conclusion", "end")


class _UnknownRuleError(ValueError):
    """Raised for a step by a rule that is not known here."""


class GivenRows(NamedTuple):
    """The rows of a problem over the variables 1 .. ``variables``.

    ``inputs``: 1 .. ``inputs`` are variables of the clauses as well, those above of the rows alone.
    ``links``: the number of constraints after the clauses that say what integers are.
    """

    rows: list[SumInequality]
    variables: int
    inputs: int
    links: int = 0


class FollowedAgain(NamedTuple):
    """The clauses left in order, None for an inequality that is no clause.

    ``equivalent``: whether the problem was deleted and derived from them again. ``links``: the
    constraints left after the clauses.
    """

    clauses: list[frozenset[int] | None]
    equivalent: bool
    links: Sequence[SumInequality] = ()


def recheck_derivation(
    problem: str, proof: str, inputs: int, name: str, variables: int = 0
) -> FollowedAgain:
    """Return the clauses left by ``proof``, and whether the problem follows from them.

    Args:
        problem: a text in OPB.
        proof: a text in VeriPB's format, version 3.0.
        inputs: the problem's last variable; the variables above are auxiliary.
        name: the name of the proof's file, for errors.
        variables: the last variable of the clauses; what is defined to derive the problem again is
            above.

    Raises:
        WrongCertificateError: a step follows none of the rules, or is not sound.
    """
    rows, _ = rows_of(problem, name)
    return FollowedProof(GivenRows(rows, inputs, inputs), name, variables).result(proof)


def rows_of(problem: str, name: str) -> tuple[list[SumInequality], SumInequality | None]:
    """Return the rows of a text in OPB, and its objective: it, less its constant, is at least 0."""
    rows: list[SumInequality] = []
    objective = None
    try:
        # Each statement ends with a semicolon; an equality is two rows.
        for part in _COMMENT.sub("", "\n" + problem).split(";")[:-1]:
            words = _RELATION.sub(r" \g<0> ", part).split()
            if words[:1] == ["min:"] and objective is None and not rows:
                (objective,) = given([*words[1:], ">=", "0"])
            else:
                rows += given(words)
    except ValueError as error:
        raise wrong_at(name, None, f"followed again: the problem: {error}") from None
    return rows, objective


class FollowedProof:
    """A proof as far as it is followed: the constraints that are alive, by number.

    Args:
        problem: the rows that the proof starts from.
        name: the name of the proof's file, for errors.
        variables: the last variable of the clauses, by its number in the proof.

    `take` raises ValueError for what no rule allows.
    """

    def __init__(self, problem: GivenRows, name: str, variables: int = 0) -> None:
        self.name = name
        self.alive: dict[int, SumInequality] = {}
        self.problem, self.variables = problem, variables
        self.turned: FollowedAgain | None = None
        """Clauses and links left when the problem was deleted; None before."""
        self.last = 0
        self.about: dict[int, set[int]] = defaultdict(set)
        """The numbers of the constraints with each variable."""
        for row in problem.rows:
            self.add(row)
        self._in_clauses: set[int] = set()

    def follow(self, proof: str) -> int:
        """Follow all steps of a text in VeriPB's format; return the number of its last line.

        Raises WrongCertificateError for the first step that follows none of the rules.
        """
        lines = proof.split("\n")
        if lines[0].strip() != f"{_PROOF} 3.0":
            kind = UnknownRuleError if lines[0].startswith(_PROOF) else WrongCertificateError
            raise kind(self.name, "line 1: followed again: no proof of version 3.0")
        ended = 0
        for number, line in enumerate(lines[1:], start=2):
            *steps, behind = _COMMENT.sub("", line).split(";")
            if behind.strip():
                why = "followed again: a step has no semicolon in its line"
                raise wrong_at(self.name, number, why)
            for step in steps:
                rule, _, rest = step.strip().partition(" ")
                try:
                    if rule in _END:
                        ended += 1
                        if _END.index(rule) != ended - 1:
                            raise ValueError("a proof ends with output, conclusion and end")
                        self.end(rule, " ".join(rest.split()))
                    elif ended:
                        raise ValueError("nothing may follow the end")
                    elif rule != "f":
                        self.take(rule, rest)
                    elif rest.strip() != str(len(self.problem.rows)):
                        raise ValueError(f"the problem's rows are {len(self.problem.rows)}")
                except _UnknownRuleError as error:
                    fault = f"line {number}: followed again: {error}"
                    raise UnknownRuleError(self.name, fault) from None
                except ValueError as error:
                    raise wrong_at(self.name, number, f"followed again: {error}") from None
        if ended != len(_END):
            raise wrong_at(self.name, len(lines), "followed again: the end is missing")
        return len(lines)

    def end(self, rule: str, rest: str) -> None:
        """Check a part of the end, the step ``rule`` with its arguments ``rest``."""
        if rest != ("pseudo-Boolean proof" if rule == "end" else "NONE"):
            raise ValueError(f"'{rule} {rest[:40]}': this proof is one of clauses")

    def result(self, proof: str) -> FollowedAgain:
        """Return the clauses and links left by ``proof``, and whether they imply the problem.

        Raises WrongCertificateError: a step follows none of the rules, or is not sound.
        """
        line = self.follow(proof)
        if self.turned is None:
            # Where nothing had to be derived again, every model satisfies all of it.
            return self._left(equivalent=not self.problem.rows and not self.problem.links)
        wanted = [*self.problem.rows, *self.turned.links]
        if [*islice(reversed(self.alive.values()), len(wanted))] != wanted[::-1]:
            raise wrong_at(self.name, line, "followed again: deleted rows are not derived again")
        return self.turned

    def _left(self, *, equivalent: bool) -> FollowedAgain:
        """Return the derived constraints alive. Deleted ones are no claim."""
        rows = [row for number, row in self.alive.items() if number > len(self.problem.rows)]
        links = max(0, len(rows) - self.problem.links)
        return FollowedAgain([clause_of(row) for row in rows[:links]], equivalent, rows[links:])

    def _introducible(self, v: int) -> bool:
        """Whether ``v`` is a variable that a step ``red`` may give a value."""
        # First the problem's variables are given, and those of the clauses are found for them.
        # After the turn those of the clauses are given, whether a clause contains them or not, and
        # the problem's own are found.
        if self.turned is None:
            return v > self.problem.variables
        known = v <= self.problem.inputs or self.problem.variables < v <= self.variables
        return not known and v not in self._in_clauses

    def take(self, rule: str, rest: str) -> None:
        """Check the step ``rule`` with its arguments ``rest``, and add its constraint."""
        if rule == "pol":
            self.add(polished(rest.split(), self.alive))
            return
        if rule not in ("del", "red", "rup"):
            raise _UnknownRuleError(f"no step of a derivation: {rule[:40]}")
        if rule == "del":
            kind, *words = rest.split() or [""]
            if kind != "id":
                raise _UnknownRuleError("only constraints by their numbers are deleted")
            self.delete([integer_of(word) for word in words])
            return
        constraint, colon, why = rest.partition(":")
        new = self.constraint(constraint)
        if not colon:
            raise ValueError("':' and a witness or hints are missing behind the constraint")
        if rule == "red":
            self._define(new, why)
        else:
            hints = why.split()
            if hints[:1] != ["~"]:
                raise ValueError("the negation is not among the hints")
            _refute(new, [constraint_of(word, self.alive) for word in hints[1:]])
        self.add(new)

    def constraint(self, text: str) -> SumInequality:
        """Return a constraint of a step. Raises ValueError unless it has ``>=``."""
        words = text.replace(">=", " >= ").split()
        if words[-2:-1] != [">="]:
            raise ValueError("a constraint of a proof ends with >= and a number")
        (new,) = given(words)
        return new

    def delete(self, numbers: Sequence[int]) -> None:
        """Delete derived constraints, or all rows of the problem with its links."""
        # Rows of the problem stay alive, so that the clauses left encode the whole problem; or
        # none does, and the clauses must imply them all.
        whole = self._is_whole(numbers)
        if whole:
            self.turned = self._left(equivalent=True)
        for number in numbers:
            if number <= len(self.problem.rows) and not whole:
                raise ValueError(f"constraint {number} is the problem's")
            for v in constraint_of(str(number), self.alive).left:
                self.about[v].discard(number)
            del self.alive[number]
        if whole:
            self._in_clauses = {v for row in self.alive.values() for v in row.left}

    def _is_whole(self, numbers: Sequence[int]) -> bool:
        """Whether ``numbers`` are all rows of the problem and then all links, by number."""
        rows, links = len(self.problem.rows), self.problem.links
        if self.turned is not None or len(numbers) != rows + links or not numbers:
            return False
        last = [*islice(reversed(self.alive), links)][::-1]
        return [*numbers] == [*range(1, rows + 1), *last]

    def add(self, new: SumInequality) -> None:
        """Add a constraint, with the next number."""
        self.last += 1
        self.alive[self.last] = new
        for v in new.left:
            self.about[v].add(self.last)

    def _define(self, new: SumInequality, witness: str) -> None:
        """Accept ``new`` as the first or second half of the definition of an auxiliary variable."""
        found = _WITNESS.fullmatch(witness.strip())
        if found is None:
            raise _UnknownRuleError("a witness is one variable and its value")
        v, value = int(found[1]), int(found[2])
        if not self._introducible(v):
            owner = "the problem" if self.turned is None else "the clauses"
            raise ValueError(f"x{v} is a variable of {owner}")
        # With v = ``value`` alone ``new`` must hold, for all values of the other variables.
        c, others = _apart(new, v)
        if sum(min(k, 0) for k in others.values()) + c * value < new.bound:
            raise ValueError("the witness does not satisfy the constraint")
        # Other constraints with v may only be the other half, about the negated sum: for each value
        # of the sum, one of the two values of v must satisfy both halves.
        for number in self.about[v]:
            old = self.alive[number]
            old_c, old_others = _apart(old, v)
            if old_others != {u: -k for u, k in others.items()}:
                raise ValueError(f"x{v} is in a constraint that is not its other half")
            # Only v = 1 - value can falsify ``new``, and does so for sums up to ``largest``. Then v
            # must be ``value`` and satisfy ``old`` as well; the largest sum is the worst case.
            largest = new.bound - c * (1 - value) - 1
            if -largest + old_c * value < old.bound:
                raise ValueError(f"some sum leaves no value for x{v}")


def _apart(row: SumInequality, v: int) -> tuple[int, dict[int, int]]:
    """Return the coefficient of ``v`` in ``row``, and the coefficients of all other variables."""
    others = dict(row.left)
    return others.pop(v, 0), others


def _refute(new: SumInequality, hints: Sequence[SumInequality]) -> None:
    """Raise ValueError unless propagation on ``hints`` refutes the negation of ``new``."""
    if not conflict([negated(new), *hints]):
        raise ValueError("the constraint does not follow from these constraints")


def conflict(rows: Sequence[SumInequality]) -> bool:
    """Whether propagation on ``rows`` ends in a conflict."""
    # Each round fixes the variables that a single row forces under the values fixed so far.
    fixed: dict[int, int] = {}
    found = True
    while found:
        found = False
        for row in rows:
            slack = row.most(fixed) - row.bound
            if slack < 0:
                return True
            # With the other value of a variable the largest left side would fall by its weight,
            # below the bound: so the variable has this value.
            weights = row.left.items()
            forced = {v: int(c > 0) for v, c in weights if abs(c) > slack and v not in fixed}
            found = found or bool(forced)
            fixed |= forced
    return False
