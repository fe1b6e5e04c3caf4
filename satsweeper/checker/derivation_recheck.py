"""Second check of derivations of clauses, by code that shares nothing with the first checker.

A constraint is ``sum of c * x >= b``, as in `sums_recheck`, which has the rule ``pol``. Besides:

* ``red``: a variable that is new, or that only the other half of its definition is about. Both
  halves are about one sum S: "v, or S < t" and "not v, or S >= t". Whatever S is, one of the two
  values of v satisfies both.
* ``rup C : ~ ids``: with the literals of C false, these constraints force each other until one
  cannot hold.
* ``del id``.

A step is on one line.
"""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from satsweeper.checker.errors import wrong_at
from satsweeper.checker.sums_recheck import SumInequality, clause_of, given, polished

_COMMENT: Final = re.compile(r"%.*|\n\*.*")
_RELATION: Final = re.compile(r">=|<=|=")
_WITNESS: Final = re.compile(r"x([1-9][0-9]{0,9}) -> ([01])")
_REST: Final = ("output NONE", "conclusion NONE", "end pseudo-Boolean proof")


def recheck_derivation(
    problem: str, proof: str, inputs: int, name: str
) -> list[frozenset[int] | None]:
    """Return the clauses left by ``proof`` in order; None for an inequality that is no clause.

    Args:
        problem: OPB; proof: in VeriPB's format, version 3.0; inputs: the problem's last variable.
        name: of the proof's file.

    Raises:
        WrongCertificateError: a step that is not known here, or not sound.
    """
    try:
        known = _DerivationState(problem, inputs)
    except (ValueError, LookupError) as error:
        raise wrong_at(name, None, f"followed again: the problem: {error}") from None
    lines = proof.split("\n")
    if lines[0].strip() != "pseudo-Boolean proof version 3.0":
        raise wrong_at(name, 1, "followed again: no proof of version 3.0")
    ended = ""
    for number, line in enumerate(lines[1:], start=2):
        for step in _COMMENT.sub("", line).split(";")[:-1]:
            rule, _, rest = step.strip().partition(" ")
            try:
                if ended == _REST[-1]:
                    raise ValueError("nothing may follow the end")
                if step.strip() in _REST:
                    ended = step.strip()
                elif rule != "f":
                    known.take(rule, rest)
                elif rest.strip() != str(known.rows):
                    raise ValueError(f"the problem's rows are {known.rows}")
            except (ValueError, LookupError, TypeError) as error:
                raise wrong_at(name, number, f"followed again: {error}") from None
    if ended != _REST[-1]:
        raise wrong_at(name, len(lines), "followed again: the end is missing")
    # Deleted constraints are no claim: what is alive at the end, less the problem's own rows.
    return [clause_of(one) for number, one in known.alive.items() if number > known.rows]


class _DerivationState:
    """The constraints so far by number, and an index of the constraints of each variable."""

    def __init__(self, problem: str, inputs: int) -> None:
        self.alive: dict[int, SumInequality] = {}
        self.inputs = inputs
        self.last = 0
        self._about: dict[int, set[int]] = defaultdict(set)
        # Each statement ends with a semicolon; an equality is two rows, an objective is none.
        for part in _COMMENT.sub("", "\n" + problem).split(";")[:-1]:
            words = _RELATION.sub(r" \g<0> ", part).split()
            if words[:1] != ["min:"]:
                for one in given(words):
                    self._add(one)
        self.rows = self.last

    def take(self, rule: str, rest: str) -> None:
        """Check the step ``rule`` with its arguments ``rest``, and add its constraint."""
        if rule == "pol":
            self._add(polished(rest.split(), self.alive))
            return
        if rule == "del":
            # Rows of the problem stay, so that what is left is about the whole problem.
            kind, *numbers = rest.split() or [""]
            if kind != "id":
                raise ValueError("only constraints by their numbers are deleted")
            for number in map(int, numbers):
                if number <= self.rows:
                    raise ValueError(f"constraint {number} is the problem's")
                for v in self.alive.pop(number).left:
                    self._about[v].discard(number)
            return
        constraint, colon, why = rest.partition(":")
        (one,) = given(_RELATION.sub(r" \g<0> ", constraint).split())
        if rule == "red" and colon:
            self._define(one, why)
        elif rule == "rup" and colon:
            hints = why.split()
            if hints[:1] != ["~"]:
                raise ValueError("the negation is not among the hints")
            _refute(one, [self.alive[int(word)] for word in hints[1:]])
        else:
            raise ValueError(f"no step of a derivation: {rule[:40]}")
        self._add(one)

    def _add(self, one: SumInequality) -> None:
        self.last += 1
        self.alive[self.last] = one
        for v in one.left:
            self._about[v].add(self.last)

    def _define(self, new: SumInequality, witness: str) -> None:
        """Accept ``new`` as the first or second half of the definition of an auxiliary variable."""
        found = _WITNESS.fullmatch(witness.strip())
        if found is None:
            raise ValueError("a witness is one variable and its value")
        v, value = int(found[1]), int(found[2])
        if v <= self.inputs:
            raise ValueError(f"x{v} is a variable of the problem")
        # The witness alone satisfies ``new``, whatever the other variables are.
        c, others = _apart(new, v)
        if sum(min(k, 0) for k in others.values()) + c * value < new.bound:
            raise ValueError("the witness does not satisfy the constraint")
        # Other constraints with v may only be the other half, about the negated sum: for each value
        # of the sum, one of the two values of v must satisfy both halves.
        for number in self._about[v]:
            old = self.alive[number]
            own, same = _apart(old, v)
            if same != {u: -k for u, k in others.items()}:
                raise ValueError(f"x{v} is in a constraint that is not its other half")
            # If the new one does not hold, its sum is too small for the value that v has then.
            missing = new.bound - c * (1 - value) - 1
            if -missing + own * value < old.bound:
                raise ValueError(f"some sum leaves no value for x{v}")


def _apart(one: SumInequality, v: int) -> tuple[int, dict[int, int]]:
    others = dict(one.left)
    return others.pop(v, 0), others


def _refute(clause: SumInequality, hints: Sequence[SumInequality]) -> None:
    """Raise ValueError unless propagation on the hints refutes the negation of a clause."""
    if clause_of(clause) is None:
        raise ValueError("what is propagated for is no clause")
    # All literals of the clause are false; each round fixes what single hints force then.
    fixed: dict[int, int] = {v: int(c < 0) for v, c in clause.left.items()}
    found = True
    while found:
        found = False
        for one in hints:
            slack = one.most(fixed) - one.bound
            if slack < 0:
                return
            # With the other value of a variable the largest left side would fall by its weight,
            # below the bound: so the variable has this value.
            weights = one.left.items()
            forced = {v: int(c > 0) for v, c in weights if abs(c) > slack and v not in fixed}
            found = found or bool(forced)
            fixed |= forced
    raise ValueError("the clause does not follow from these constraints")
