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
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, NamedTuple

from satsweeper.checker.errors import wrong_at
from satsweeper.checker.sums_recheck import SumInequality, clause_of, given, polished

_COMMENT: Final = re.compile(r"%.*|\n\*.*")
_RELATION: Final = re.compile(r">=|<=|=")
_WITNESS: Final = re.compile(r"x([1-9][0-9]{0,9}) -> ([01])")
_REST: Final = ("output NONE", "conclusion NONE", "end pseudo-Boolean proof")


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
    try:
        rows = [*_rows_of(problem)]
    except (ValueError, LookupError) as error:
        raise wrong_at(name, None, f"followed again: the problem: {error}") from None
    return follow(GivenRows(rows, inputs, inputs), proof, name, variables)


def _rows_of(problem: str) -> Iterator[SumInequality]:
    # Each statement ends with a semicolon; an equality is two rows, an objective is none.
    for part in _COMMENT.sub("", "\n" + problem).split(";")[:-1]:
        words = _RELATION.sub(r" \g<0> ", part).split()
        if words[:1] != ["min:"]:
            yield from given(words)


def follow(problem: GivenRows, proof: str, name: str, variables: int) -> FollowedAgain:
    """Return the clauses and links left by ``proof``, and whether ``problem`` follows from them.

    Args:
        problem: the rows that the proof starts from.
        proof: a text in VeriPB's format, version 3.0.
        name: the name of the proof's file, for errors.
        variables: the last variable of the clauses, by its number in the proof.

    Raises:
        WrongCertificateError: a step follows none of the rules, or is not sound.
    """
    known = _DerivationState(problem, variables)
    lines = proof.split("\n")
    if lines[0].strip() != "pseudo-Boolean proof version 3.0":
        raise wrong_at(name, 1, "followed again: no proof of version 3.0")
    ended = ""
    for number, line in enumerate(lines[1:], start=2):
        *steps, behind = _COMMENT.sub("", line).split(";")
        if behind.strip():
            raise wrong_at(name, number, "followed again: a step has no semicolon in its line")
        for step in steps:
            rule, _, rest = step.strip().partition(" ")
            try:
                if ended == _REST[-1]:
                    raise ValueError("nothing may follow the end")
                if step.strip() in _REST:
                    ended = step.strip()
                elif rule != "f":
                    known.take(rule, rest)
                elif rest.strip() != str(len(problem.rows)):
                    raise ValueError(f"the problem's rows are {len(problem.rows)}")
            except (ValueError, LookupError, TypeError) as error:
                raise wrong_at(name, number, f"followed again: {error}") from None
    if ended != _REST[-1]:
        raise wrong_at(name, len(lines), "followed again: the end is missing")
    return known.result(name, len(lines))


class _DerivationState:
    """The constraints alive by number, and the numbers of the constraints with each variable."""

    def __init__(self, problem: GivenRows, variables: int) -> None:
        self.alive: dict[int, SumInequality] = {}
        self.problem, self.variables = problem, variables
        self.turned: FollowedAgain | None = None
        """Clauses and links left when the problem was deleted; None before."""
        self.last = 0
        self._about: dict[int, set[int]] = defaultdict(set)
        for row in problem.rows:
            self._add(row)
        self._in_clauses: set[int] = set()

    def result(self, name: str, line: int) -> FollowedAgain:
        """Return the result of the proof, which ends at ``line`` of the file ``name``."""
        if self.turned is None:
            # Where nothing had to be derived again, every model satisfies all of it.
            return self._left(equivalent=not self.problem.rows and not self.problem.links)
        wanted = [*self.problem.rows, *self.turned.links]
        if [*islice(reversed(self.alive.values()), len(wanted))] != wanted[::-1]:
            raise wrong_at(name, line, "followed again: deleted rows are not derived again")
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
            self._add(polished(rest.split(), self.alive))
            return
        if rule == "del":
            # Rows of the problem stay alive, so that the clauses left encode the whole problem; or
            # none does, and the clauses must imply them all.
            kind, *words = rest.split() or [""]
            if kind != "id":
                raise ValueError("only constraints by their numbers are deleted")
            numbers = [int(word) for word in words]
            whole = self._is_whole(numbers)
            if whole:
                self.turned = self._left(equivalent=True)
            for number in numbers:
                if number <= len(self.problem.rows) and not whole:
                    raise ValueError(f"constraint {number} is the problem's")
                for v in self.alive.pop(number).left:
                    self._about[v].discard(number)
            if whole:
                self._in_clauses = {v for row in self.alive.values() for v in row.left}
            return
        constraint, colon, why = rest.partition(":")
        (new,) = given(_RELATION.sub(r" \g<0> ", constraint).split())
        if rule == "red" and colon:
            self._define(new, why)
        elif rule == "rup" and colon:
            hints = why.split()
            if hints[:1] != ["~"]:
                raise ValueError("the negation is not among the hints")
            _refute(new, [self.alive[int(word)] for word in hints[1:]])
        else:
            raise ValueError(f"no step of a derivation: {rule[:40]}")
        self._add(new)

    def _is_whole(self, numbers: list[int]) -> bool:
        """Whether ``numbers`` are all rows of the problem and then all links, by number."""
        rows, links = len(self.problem.rows), self.problem.links
        if self.turned is not None or len(numbers) != rows + links or not numbers:
            return False
        last = [*islice(reversed(self.alive), links)][::-1]
        return numbers == [*range(1, rows + 1), *last]

    def _add(self, new: SumInequality) -> None:
        self.last += 1
        self.alive[self.last] = new
        for v in new.left:
            self._about[v].add(self.last)

    def _define(self, new: SumInequality, witness: str) -> None:
        """Accept ``new`` as the first or second half of the definition of an auxiliary variable."""
        found = _WITNESS.fullmatch(witness.strip())
        if found is None:
            raise ValueError("a witness is one variable and its value")
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
        for number in self._about[v]:
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
    # The left side of ``new`` is at most bound - 1: of a clause that makes all literals false. Each
    # round fixes the variables that a single hint forces under the values fixed so far.
    negation = SumInequality({v: -c for v, c in new.left.items()}, 1 - new.bound)
    fixed: dict[int, int] = {}
    found = True
    while found:
        found = False
        for hint in (negation, *hints):
            slack = hint.most(fixed) - hint.bound
            if slack < 0:
                return
            # With the other value of a variable the largest left side would fall by its weight,
            # below the bound: so the variable has this value.
            weights = hint.left.items()
            forced = {v: int(c > 0) for v, c in weights if abs(c) > slack and v not in fixed}
            found = found or bool(forced)
            fixed |= forced
    raise ValueError("the constraint does not follow from these")
