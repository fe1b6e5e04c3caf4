"""Second check of sums of clues, by code that shares nothing with the cutting-planes checker.

A constraint here is ``sum of c * x >= b`` over variables from 0 to 1, with integers c of any sign.
Of the steps, only those are known that such proofs need, each sound by a line of school algebra:

* ``pol``: constraints and literals (``x >= 0``, ``1 - x >= 0``) added and multiplied; ``n d`` makes
  every c a multiple of n by such literals, then b / n is rounded up, since the left side is an
  integer; ``s`` makes a c that is alone enough for b what is just enough; ``xv w`` takes a variable
  out at its best value;
* ``rup CLAUSE : ~ id``: with the literals of the clause false, constraint id cannot hold.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from satsweeper.checker.errors import wrong_at

_LITERAL: Final = re.compile(r"(~?)x([1-9][0-9]{0,9})")
_CLAUSE: Final = re.compile(r"rup ((?:1 ~?x[0-9]+ )+)>= 1 : ~ ([0-9]+) ;")
_UNSATISFIABLE: Final = re.compile(r"conclusion UNSAT : ([0-9]+) ;")
_REST: Final = ("output NONE ;", "conclusion NONE ;", "end pseudo-Boolean proof ;")


class SumInequality(NamedTuple):
    """The inequality ``sum of c * x >= bound``; ``left``: variable -> c."""

    left: dict[int, int]
    bound: int

    def most(self, without: Mapping[int, int]) -> int:
        """Return the largest left side; ``without``: variables with fixed values."""
        return sum(c * without[v] if v in without else max(c, 0) for v, c in self.left.items())


class Numbered(Protocol):
    """Constraints by their number from 1; LookupError for a number without constraint."""

    def __getitem__(self, number: int, /) -> SumInequality: ...


class _NumberedSums:
    """The constraints of a problem, each read when it is asked for, and those ``derived``."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.derived: list[SumInequality] = []
        # Where all are equalities, as of a large board, the line of a constraint is known.
        both = [">" not in line and "<" not in line for line in lines]
        self._places = None
        if not all(both):
            self._places = [(at, half) for at, two in enumerate(both) for half in range(1 + two)]
        self.given = len(lines) + sum(both)

    def __getitem__(self, number: int) -> SumInequality:
        """The constraint with this number, from 1 on; raises IndexError."""
        if number > self.given:
            return self.derived[number - self.given - 1]
        if number < 1:
            raise IndexError(f"there is no constraint {number}")
        at, half = divmod(number - 1, 2) if self._places is None else self._places[number - 1]
        return [*given(self.lines[at].split()[:-1])][half]

    def forced(self) -> set[int]:
        """Return the literals that single constraints force."""
        found: set[int] = set()
        ones: set[str] = set()
        zeros: set[str] = set()
        for line in self.lines:
            left, _, number = line.partition("= ")
            summands, most = left.count("+1 x"), number[:-2]
            if left.count("x") > summands or left[-1:] in "<>":
                found.update(lit for one in given(line.split()[:-1]) for lit in _forced(one))
            elif most == str(summands):
                # All weights are 1: the sum is as large as it can be, or as small.
                ones.update(left.split()[1::2])
            elif most == "0":
                zeros.update(left.split()[1::2])
        found.update(lit for one in self.derived for lit in _forced(one))
        found.update(int(word[1:]) for word in ones)
        return found.union(-int(word[1:]) for word in zeros)


class SumsProved(NamedTuple):
    """Derived clauses and forced literals; ``refuted``: whether a contradiction was derived."""

    refuted: bool
    literals: set[int]
    clauses: set[frozenset[int]]


def add_up(problem: str, proof: str, name: str) -> SumsProved:
    """Check the steps of ``proof``, and return what they prove.

    Args:
        problem: what the board says, as OPB in the one form of certificates.
        proof: in VeriPB's format.
        name: of its file.

    Raises:
        WrongCertificateError: a step that is not known here, or not sound.
    """
    known = _NumberedSums(problem.splitlines()[1:])
    refuted = False
    for number, line in enumerate(proof.splitlines(), start=1):
        if number == 1 or line == f"f {known.given} ;" or line in _REST:
            continue
        try:
            if line.startswith("pol "):
                known.derived.append(polished(line.split()[1:-1], known))
            elif (clause := _CLAUSE.fullmatch(line)) is not None:
                known.derived.append(_propagated(clause[1].split()[1::2], known[int(clause[2])]))
            elif (end := _UNSATISFIABLE.fullmatch(line)) is not None:
                one = known[int(end[1])]
                refuted = one.most({}) < one.bound
            else:
                raise ValueError("no step of sums")
        except (ValueError, LookupError, TypeError) as error:
            raise wrong_at(name, number, f"added up again: {error}") from None
    clauses = {found for one in known.derived if (found := clause_of(one)) is not None}
    return SumsProved(refuted, known.forced(), clauses)


def given(words: Sequence[str]) -> Iterator[SumInequality]:
    """Yield the inequalities of ``words``; an equality is two, the lower bound first."""
    *summands, relation, number = words
    if relation not in (">=", "<=", "="):
        raise ValueError(f"{relation[:40]} where >=, <= or = should be")
    left: dict[int, int] = {}
    bound = int(number)
    for weight, word in zip(summands[::2], summands[1::2], strict=True):
        found = _LITERAL.fullmatch(word)
        if found is None:
            raise ValueError(f"{word[:40]} is no literal")
        v, c = int(found[2]), int(weight)
        if found[1]:
            # c * (1 - x): the constant goes to the right side.
            bound, c = bound - c, -c
        left[v] = left.get(v, 0) + c
    whole = SumInequality({v: c for v, c in left.items() if c}, bound)
    if relation != "<=":
        yield whole
    if relation != ">=":
        yield _times(whole, -1)


def polished(words: Sequence[str], known: Numbered) -> SumInequality:
    """Return the result of the operations ``words``; ``known``: constraints by number."""
    stack: list[SumInequality] = []
    for word, operation in zip(words, [*words[1:], ""], strict=True):
        if word == "+":
            other = stack.pop()
            stack.append(_added(stack.pop(), other))
        elif word == "s":
            stack.append(_saturated(stack.pop()))
        elif word in ("*", "d", "w"):
            continue
        elif operation == "*":
            stack.append(_times(stack.pop(), _natural(word)))
        elif operation == "d":
            stack.append(_divided(stack.pop(), _natural(word)))
        elif operation == "w":
            # x <= 1, so c * x is at most max(c, 0): without the term, the bound falls by that much.
            left, bound = stack.pop()
            stack.append(SumInequality(left, bound - max(left.pop(int(word[1:]), 0), 0)))
        elif (found := _LITERAL.fullmatch(word)) is not None:
            # The literal is at least 0: x >= 0, or -x >= -1 for its negation.
            negated = bool(found[1])
            stack.append(SumInequality({int(found[2]): -1 if negated else 1}, -negated))
        else:
            left, bound = known[_natural(word)]
            stack.append(SumInequality(dict(left), bound))
    (whole,) = stack
    return whole


def _natural(word: str) -> int:
    number = int(word)
    if number < 1:
        raise ValueError(f"{word[:40]} where a number above 0 should be")
    return number


def _times(one: SumInequality, factor: int) -> SumInequality:
    return SumInequality({v: c * factor for v, c in one.left.items() if factor}, one.bound * factor)


def _added(one: SumInequality, other: SumInequality) -> SumInequality:
    """Return the sum; the larger operand is changed in place, as nobody else holds it."""
    large, small = (one, other) if len(one.left) >= len(other.left) else (other, one)
    for variable, c in small.left.items():
        total = large.left.get(variable, 0) + c
        if total:
            large.left[variable] = total
        else:
            del large.left[variable]
    return SumInequality(large.left, one.bound + other.bound)


def _divided(one: SumInequality, divisor: int) -> SumInequality:
    left, bound = {}, one.bound
    for v, c in one.left.items():
        more = -abs(c) % divisor
        # That many times x >= 0 makes c a multiple, or 1 - x >= 0 if c is negative.
        left[v] = (c + more if c > 0 else c - more) // divisor
        bound -= more if c < 0 else 0
    return SumInequality(left, -(-bound // divisor))


def _saturated(one: SumInequality) -> SumInequality:
    # Over literals with weights above 0 the degree is ``need``; larger weights become ``need``.
    least = sum(c for c in one.left.values() if c < 0)
    need = one.bound - least
    if need <= 0:
        return SumInequality({}, 0)
    left = {v: max(min(c, need), -need) for v, c in one.left.items()}
    return SumInequality(left, need + sum(c for c in left.values() if c < 0))


def _propagated(words: Sequence[str], one: SumInequality) -> SumInequality:
    literals = [_LITERAL.fullmatch(word) for word in words]
    false = {int(found[2]): int(bool(found[1])) for found in literals if found is not None}
    if len(false) < len(words) or one.most(false) >= one.bound:
        raise ValueError("the clause does not follow from that constraint")
    left = {variable: -1 if value else 1 for variable, value in false.items()}
    return SumInequality(left, 1 - sum(false.values()))


def _forced(one: SumInequality) -> Iterator[int]:
    # Making a literal false lowers the largest left side by its weight: more than the slack is
    # impossible, so the literal is true.
    slack = one.most({}) - one.bound
    if slack >= 0:
        yield from (v if c > 0 else -v for v, c in one.left.items() if abs(c) > slack)


def clause_of(one: SumInequality) -> frozenset[int] | None:
    """Return the inequality ``one`` as a clause, None if it is no clause."""
    negative = sum(c < 0 for c in one.left.values())
    if one.bound == 1 - negative and all(abs(c) == 1 for c in one.left.values()):
        return frozenset(v if c > 0 else -v for v, c in one.left.items())
    return None
