"""Second check of sums of clues, by code that shares nothing with the cutting-planes checker.

A constraint here is ``sum of c * x >= b`` over variables from 0 to 1, with integers c of any sign.
The steps known here are those that proofs by sums need, each sound by elementary algebra:

* ``pol``: constraints and literals (``x >= 0``, ``1 - x >= 0``) added and multiplied; ``n d`` makes
  every c a multiple of n by adding literals, divides by n, and rounds b / n up, since the left side
  is an integer; ``s`` saturates: a c that alone is more than enough for b is reduced to just
  enough; ``xv w`` weakens: the term of variable v is replaced by its largest value;
* ``rup CLAUSE : ~ id``: with the literals of the clause false, constraint id cannot hold.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from satsweeper.checker.errors import wrong_at

_LITERAL: Final = re.compile(r"(~?)x([1-9][0-9]{0,9})")
_INTEGER: Final = re.compile(r"[+-]?[0-9]{1,4000}")
_CLAUSE: Final = re.compile(r"rup ((?:1 ~?x[0-9]+ )+)>= 1 : ~ ([0-9]+) ;")
_UNSATISFIABLE: Final = re.compile(r"conclusion UNSAT : ([0-9]+) ;")
_REST: Final = ("output NONE ;", "conclusion NONE ;", "end pseudo-Boolean proof ;")


class SumInequality(NamedTuple):
    """The inequality ``sum of c * x >= bound``; ``left``: variable -> c."""

    left: dict[int, int]
    bound: int

    def most(self, without: Mapping[int, int]) -> int:
        """Return the largest value of the left side; ``without``: variable -> fixed value."""
        return sum(c * without[v] if v in without else max(c, 0) for v, c in self.left.items())


class Numbered(Protocol):
    """Constraints by their number from 1; LookupError for a number without constraint."""

    def __getitem__(self, number: int, /) -> SumInequality: ...


class _NumberedSums:
    """The constraints of a problem, each parsed when it is accessed, and those ``derived``."""

    def __init__(self, lines: Sequence[str]) -> None:
        self.lines = lines
        self.derived: list[SumInequality] = []
        # An equality counts as two constraints. If all lines are equalities, constraint k is on
        # line (k - 1) // 2, and needs no index.
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
                found.update(lit for row in given(line.split()[:-1]) for lit in _forced(row))
            elif most == str(summands):
                # All weights are 1: a sum that equals its number of summands makes all variables
                # true, a sum of 0 makes all false.
                ones.update(left.split()[1::2])
            elif most == "0":
                zeros.update(left.split()[1::2])
        found.update(lit for row in self.derived for lit in _forced(row))
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
        problem: the counts of the board as OPB, in the canonical form of certificates.
        proof: a text in VeriPB's format.
        name: the name of the proof's file, for errors.

    Raises:
        WrongCertificateError: a step is not known here, or not sound.
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
                row = constraint_of(clause[2], known)
                known.derived.append(_propagated(clause[1].split()[1::2], row))
            elif (end := _UNSATISFIABLE.fullmatch(line)) is not None:
                last = constraint_of(end[1], known)
                refuted = last.most({}) < last.bound
            else:
                raise ValueError("no step of sums")
        except ValueError as error:
            raise wrong_at(name, number, f"added up again: {error}") from None
    clauses = {found for row in known.derived if (found := clause_of(row)) is not None}
    return SumsProved(refuted, known.forced(), clauses)


def given(words: Sequence[str]) -> Iterator[SumInequality]:
    """Yield the inequality that ``words`` state in OPB, or both of an equality, ``>=`` first."""
    if len(words) % 2 or words[-2:-1] not in ([">="], ["<="], ["="]):
        raise ValueError("a constraint is weights and literals in turn, then >=, <= or =, a number")
    *summands, relation, number = words
    left: dict[int, int] = {}
    bound = integer_of(number)
    for weight, word in zip(summands[::2], summands[1::2], strict=True):
        found = literal_of(word)
        v, c = int(found[2]), integer_of(weight)
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
        if len(stack) < (2 if word == "+" else word == "s" or operation in ("*", "d", "w")):
            raise ValueError(f"'{operation if word not in ('+', 's') else word}' has too little")
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
            v = int(literal_of(word)[2])
            stack.append(SumInequality(left, bound - max(left.pop(v, 0), 0)))
        elif word[:1] in ("x", "~"):
            found = literal_of(word)
            # The literal is at least 0: x >= 0, or -x >= -1 for its negation.
            negated = bool(found[1])
            stack.append(SumInequality({int(found[2]): -1 if negated else 1}, -negated))
        else:
            left, bound = constraint_of(word, known)
            stack.append(SumInequality(dict(left), bound))
    if len(stack) != 1:
        raise ValueError(f"the operations leave {len(stack)} constraints, not one")
    return stack[0]


def integer_of(word: str) -> int:
    """Return ``word`` as an integer. Raises ValueError if it is none."""
    if not _INTEGER.fullmatch(word):
        raise ValueError(f"'{word[:40]}' is no integer of at most 4000 digits")
    return int(word)


def constraint_of(word: str, known: Numbered) -> SumInequality:
    """Return the constraint with the number ``word``. Raises ValueError if there is none."""
    try:
        return known[_natural(word)]
    except LookupError:
        raise ValueError(f"there is no constraint {word[:40]}") from None


def literal_of(word: str) -> re.Match[str]:
    """Return sign and number of a literal. Raises ValueError if ``word`` is none."""
    found = _LITERAL.fullmatch(word)
    if found is None:
        raise ValueError(f"'{word[:40]}' is no literal: x1, x2, ... or ~x1, ...")
    return found


def _natural(word: str) -> int:
    number = integer_of(word)
    if number < 1:
        raise ValueError(f"{word[:40]} where a number above 0 should be")
    return number


def negated(row: SumInequality) -> SumInequality:
    """Return the negation: the left side is at most ``bound - 1``."""
    return SumInequality({v: -c for v, c in row.left.items()}, 1 - row.bound)


def _times(row: SumInequality, factor: int) -> SumInequality:
    return SumInequality({v: c * factor for v, c in row.left.items() if factor}, row.bound * factor)


def _added(first: SumInequality, second: SumInequality) -> SumInequality:
    """Return the sum; the larger operand is changed in place, as only the stack held it."""
    large, small = (first, second) if len(first.left) >= len(second.left) else (second, first)
    for variable, c in small.left.items():
        total = large.left.get(variable, 0) + c
        if total:
            large.left[variable] = total
        else:
            del large.left[variable]
    return SumInequality(large.left, first.bound + second.bound)


def _divided(row: SumInequality, divisor: int) -> SumInequality:
    left, bound = {}, row.bound
    for v, c in row.left.items():
        more = -abs(c) % divisor
        # Adding ``more`` times x >= 0, or 1 - x >= 0 if c is negative, makes c a multiple.
        left[v] = (c + more if c > 0 else c - more) // divisor
        bound -= more if c < 0 else 0
    # The divided left side is an integer, so the bound may be rounded up.
    return SumInequality(left, -(-bound // divisor))


def _saturated(row: SumInequality) -> SumInequality:
    # Over literals with weights above 0 the degree is ``need``; larger weights become ``need``.
    least = sum(c for c in row.left.values() if c < 0)
    need = row.bound - least
    if need <= 0:
        return SumInequality({}, 0)
    left = {v: max(min(c, need), -need) for v, c in row.left.items()}
    return SumInequality(left, need + sum(c for c in left.values() if c < 0))


def _propagated(words: Sequence[str], row: SumInequality) -> SumInequality:
    """Return the clause of the literals ``words``, which ``row`` alone must imply."""
    literals = [_LITERAL.fullmatch(word) for word in words]
    false = {int(found[2]): int(bool(found[1])) for found in literals if found is not None}
    # With all literals false the largest left side must be below the bound: then ``row`` is broken.
    if len(false) < len(words) or row.most(false) >= row.bound:
        raise ValueError("the clause does not follow from that constraint")
    left = {variable: -1 if value else 1 for variable, value in false.items()}
    return SumInequality(left, 1 - sum(false.values()))


def _forced(row: SumInequality) -> Iterator[int]:
    # Making a literal false lowers the largest left side by its weight: more than the slack is
    # impossible, so the literal is true.
    slack = row.most({}) - row.bound
    if slack >= 0:
        yield from (v if c > 0 else -v for v, c in row.left.items() if abs(c) > slack)


def clause_of(row: SumInequality) -> frozenset[int] | None:
    """Return the inequality ``row`` as a clause; None if ``row`` is no clause."""
    # With 1 - x for each negated literal, "at least one literal is true" has bound 1 - negative.
    negative = sum(c < 0 for c in row.left.values())
    if row.bound == 1 - negative and all(abs(c) == 1 for c in row.left.values()):
        return frozenset(v if c > 0 else -v for v, c in row.left.items())
    return None
