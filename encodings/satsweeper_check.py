#!/usr/bin/env python3
"""Check certificates and proofs: one file to read, which imports Python's standard library alone.

It was written from the descriptions of the formats and shares no line with what writes them, nor
with the larger checker, ``satsweeper check``. Copy it anywhere and run it with any Python from 3.11
on: ``python -I -S satsweeper_check.py PATH ...``. What it says "verified" of is this:

CERTIFICATE, a folder with verdicts of a plain board (``satsweeper certify``)
    Each cell said to be safe, or a mine, is so in every layout of the board, and each cell said to
    be unknown is a mine in one layout and safe in another. Or: the board has no layout.
CERTIFICATE, a folder with odds (``satsweeper odds --certify``)
    The board has so many layouts, and in each cell a mine with this chance.
PROBLEM FORMULA PROOF, an encoding (``satsweeper encode --proof``)
    Every solution of the problem extends to a model of the clauses ("no solution lost"); or, where
    the proof goes on to derive the rows from the clauses, the models of the clauses are, on the
    variables of the problem, exactly its solutions ("equivalent").
PROBLEM PROOF, a pseudo-Boolean problem and the proof of an answer (``satsweeper solve --proof``)
    It has no solution; or this one; or its objective lies between these bounds.

How to read it, top down: `Row`, inequalities and what is done to them; `Proof`, the rules of
VeriPB's proofs, version 3.0, each with the reason why it may; then a part for each kind above, on
what its proof must be about. Who believes these need not believe encoders, solvers or writers of
proofs. Left to `satsweeper check` are boards under rules, proofs of games, and the other files of a
certificate (clauses, DRAT, LRAT, sums, single cells), which prove the same verdicts again.

Exit codes: 0 verified; 1 refused, with one line, FILE:LINE: FAULT; 2 wrong usage; 20 verified, and
the board has no layout, or the problem no solution. ``--json`` prints one object.
"""

import argparse
import gc
import hashlib
import json
import os
import re
import stat
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from functools import cache
from math import comb, gcd, prod
from typing import Any, Final, NamedTuple

MOST_BYTES: Final = 1 << 31  # of a file
MOST_IN_A_LINE: Final = 1 << 26
MOST_DIGITS: Final = 4000  # of a number in a file
MOST_BITS: Final = 1 << 16  # of a number that a step makes, else a short proof asks for any memory
MOST_TERMS: Final = 40_000_000  # of the inequalities of a proof that are there at a time
MOST_PAIRS: Final = 1 << 24  # of nodes that are tried for the circuit of a region


class NotProvedError(Exception):
    """A claim is not proved: the fault, with the name of a file and perhaps a line."""

    def __init__(self, fault: str, file: str = "", line: int = 0) -> None:
        place = f"{file}:{line}: " if line else f"{file}: " if file else ""
        text = (place + fault)[:400]
        super().__init__("".join(c if c.isprintable() else ascii(c)[1:-1] for c in text))
        self.fault, self.file = fault, file

    def at(self, file: str, line: int = 0) -> "NotProvedError":
        """Return the error with a place, unless it has one."""
        return self if self.file else NotProvedError(self.fault, file, line)


def number(word: str) -> int:
    """Return a word of digits, with a sign or none, as an integer."""
    digits = word[1:] if word[:1] in ("+", "-") else word
    if len(word) > MOST_DIGITS or not digits.isdigit():
        raise NotProvedError(f"'{word[:40]}' is no integer of at most {MOST_DIGITS} digits")
    return int(word)


def read(path: str, name: str, *, links: bool) -> bytes:
    """Return the bytes of a regular file, which messages call ``name``.

    ``links``: whether the path may be a link; in a stranger's folder it must not lead elsewhere.
    """
    extra = getattr(os, "O_NONBLOCK", 0) | (0 if links else getattr(os, "O_NOFOLLOW", 0))
    try:
        with open(path, "rb", opener=lambda p, flags: os.open(p, flags | extra)) as file:
            about = os.fstat(file.fileno())
            if not stat.S_ISREG(about.st_mode) or about.st_size > MOST_BYTES:
                raise NotProvedError(f"no regular file of at most {MOST_BYTES} bytes", name)
            return file.read(about.st_size)
    except (ValueError, OSError) as error:
        raise NotProvedError(getattr(error, "strerror", None) or str(error), name) from None


def lines_of(raw: bytes, name: str) -> list[str]:
    """Return the lines of ASCII text, whose only space is blanks, tabs and ends of lines."""
    odd = re.search(rb"[^\t\n\r -~]|\r(?!\n)", raw)
    if odd:
        line = raw.count(b"\n", 0, odd.start()) + 1
        raise NotProvedError(f"byte 0x{raw[odd.start()]:02x} is no text", name, line)
    lines = raw.decode("ascii").split("\n")
    if len(max(lines, key=len)) > MOST_IN_A_LINE:
        raise NotProvedError(f"a line of more than {MOST_IN_A_LINE} bytes", name)
    return lines


def statements(lines: Iterable[str], name: str, start: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the words before each semicolon, and where they begin; the first line is ``start``."""
    begun: list[str] = []
    first = 0
    for at, line in enumerate(lines, start):
        *ended, behind = line.split(";")
        for part in ended:
            yield first or at, begun + part.split()
            begun, first = [], 0
        begun += behind.split()
        first = first or (at if begun else 0)
    if begun:
        raise NotProvedError("the last statement has no ';' (JSON: satsweeper check)", name, first)


def objects(raw: bytes, name: str) -> dict[str, Any]:
    """Return a JSON object: ASCII, no name twice, no number but integers."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a name is there twice")
        return dict(pairs)

    hooks: Any = {"object_pairs_hook": once, "parse_float": int, "parse_constant": int}
    try:
        value = json.loads(raw.decode("ascii"), **hooks)  # int refuses what is no integer
    except (RecursionError, ValueError) as error:
        raise NotProvedError(f"no JSON: {error}", name, getattr(error, "lineno", 0)) from None
    if not isinstance(value, dict):
        raise NotProvedError("no JSON object", name)
    return value


# ----------------------------------------------------------------------------------- inequalities


class Row:
    """An inequality: the sum of coefficients times variables, each 0 or 1, is at least ``bound``.

    ``~x`` is 1 - x: a negative coefficient, and a constant in the bound. No coefficient is 0.
    """

    __slots__ = ("bound", "terms")

    def __init__(self, terms: dict[int, int], bound: int) -> None:
        self.terms, self.bound = terms, bound

    def degree(self) -> int:
        """Return the right side of the inequality over literals with positive weights."""
        return self.bound - sum([c for c in self.terms.values() if c < 0])

    def impossible(self) -> bool:
        """Whether even the largest sum stays below the bound."""
        return sum([c for c in self.terms.values() if c > 0]) < self.bound

    def opposite(self) -> "Row":
        """Return the negation: the sum is at most ``bound - 1``."""
        return Row({v: -c for v, c in self.terms.items()}, 1 - self.bound)

    def add(self, other: "Row") -> None:
        """Become the sum of both; opposite literals cancel by themselves."""
        terms = self.terms
        for v, c in other.terms.items():
            c += terms.get(v, 0)
            if c:
                terms[v] = c
            else:
                del terms[v]
        self.bound += other.bound

    def plus(self, other: "Row") -> "Row":
        """Return the sum of both."""
        total = Row(dict(self.terms), self.bound)
        total.add(other)
        return total

    def divided(self, by: int) -> "Row":
        """Return weights and degree divided by a positive number, all rounded up.

        The left side is no smaller then, and an integer: it reaches the degree rounded up as well.
        """
        terms = {v: -(-c // by) if c > 0 else c // by for v, c in self.terms.items()}
        return Row(terms, -(-self.degree() // by) + sum([c for c in terms.values() if c < 0]))

    def saturated(self) -> "Row":
        """Return no weight above the degree: one such literal suffices either way."""
        most = self.degree()
        if most <= 0:
            return Row({}, 0)
        terms = {v: max(-most, min(c, most)) for v, c in self.terms.items()}
        return Row(terms, most + sum([c for c in terms.values() if c < 0]))

    def given(self, v: int, value: int) -> "Row":
        """Return the inequality with ``value`` put in for the variable ``v``."""
        terms = dict(self.terms)
        return Row(terms, self.bound - terms.pop(v, 0) * value)

    def as_clause(self) -> frozenset[int] | None:
        """Return the literals, -v for ``~xv``, of which one must be true; None if it is none."""
        degree = self.degree()
        if degree > 0 and all(c >= degree or -c >= degree for c in self.terms.values()):
            return frozenset([v if c > 0 else -v for v, c in self.terms.items()])
        return None

    def key(self) -> tuple[frozenset[tuple[int, int]], int]:
        """Return a key that is equal for equal inequalities."""
        return frozenset(self.terms.items()), self.bound


@cache
def literal(word: str) -> int:
    """Return ``x7`` as 7 and ``~x7`` as -7."""
    if not re.fullmatch("~?x[1-9][0-9]{0,9}", word):
        raise NotProvedError(f"'{word[:40]}' is no literal: x1, x2, ... or ~x1, ...")
    return -int(word[2:]) if word[0] == "~" else int(word[1:])


def weighted(words: Sequence[str]) -> tuple[dict[int, int], int]:
    """Return ``weight literal weight literal ...`` as coefficients and a constant."""
    if len(words) % 2:
        raise NotProvedError(f"'{words[-1][:40]}' is half a term: a weight and a literal are one")
    terms: dict[int, int] = {}
    constant = 0
    for word, name in zip(words[::2], words[1::2], strict=True):
        c, v = number(word), literal(name)
        if v < 0:
            constant += c
            v, c = -v, -c
        terms[v] = terms.get(v, 0) + c
    return {v: c for v, c in terms.items() if c}, constant


class Problem(NamedTuple):
    """An OPB file: its rows (an equality is two), the largest variable, and what is minimised."""

    rows: list[Row]
    variables: int
    objective: tuple[dict[int, int], int] | None


def read_problem(raw: bytes, name: str) -> Problem:
    """Read OPB: rows of ``+2 x1 -3 ~x2 >= 1 ;``, also ``<=`` and ``=``; in front, ``min:`` or not.

    A line ``* #variable= N``, a comment, declares N variables of the problem, used or not, so that
    no step of a proof may define one of them.
    """
    lines = lines_of(raw, name)
    rows: list[Row] = []
    objective = None
    declared = re.findall(rb"(?m)^\*.*#variable=[ \t]*([0-9]{1,10})(?![0-9])", raw)
    largest = max([0, *map(int, declared)])
    text = ("" if line[:1] == "*" else re.sub("[<>]?=", r" \g<0> ", line) for line in lines)
    for at, words in statements(text, name, 1):
        try:
            largest = max([largest, *[abs(literal(word)) for word in words if "x" in word]])
            if words[:1] == ["min:"] and not rows and objective is None:
                objective = weighted(words[1:])
                continue
            if words[-2:-1] not in ([">="], ["<="], ["="]):
                raise NotProvedError("a row ends with '>=', '<=' or '=', a number and ';'")
            terms, constant = weighted(words[:-2])
            bound = number(words[-1]) - constant
            if words[-2] != "<=":
                rows.append(Row(terms, bound))
            if words[-2] != ">=":
                rows.append(Row({v: -c for v, c in terms.items()}, -bound))
        except NotProvedError as error:
            raise error.at(name, at) from None
    return Problem(rows, largest, objective)


# ----------------------------------------------------------------------------------------- proofs


def forced(row: Row, value: dict[int, int]) -> list[int] | None:
    """Assign what the row forces given ``value``; return the variables, None if it cannot hold."""
    # The slack is how far the largest sum is above the bound: what is worth more cannot be lost.
    slack, undecided = -row.bound, []
    for v, c in row.terms.items():
        known = value.get(v)
        if known is None:
            undecided.append(v)
            if c > 0:
                slack += c
        elif known:
            slack += c
    if slack < 0:
        return None
    found = [v for v in undecided if not -slack <= row.terms[v] <= slack]
    value.update({v: int(row.terms[v] > 0) for v in found})
    return found


def clash(rows: Sequence[Row]) -> bool:
    """Whether unit propagation finds that the rows have no solution. What it assigns is implied."""
    value: dict[int, int] = {}
    holders: defaultdict[int, list[Row]] = defaultdict(list)
    pending = list(rows)
    while pending:
        new: list[int] = []
        for row in pending:
            found = forced(row, value)
            if found is None:
                return True
            new += found
        # A row can force more only after one of its variables was decided.
        if new and not holders:
            for row in rows:
                for v in row.terms:
                    holders[v].append(row)
        pending = [row for v in new for row in holders[v]]
    return False


class Proof:
    """A proof followed step by step.

    Invariant: every solution of the problem (better than the best one shown by ``soli``, if one
    was shown) extends to variables beyond the problem's so that all inequalities that are there,
    ``live``, hold. So if one of them is impossible, there is no such solution.

    ``clauses``: of the formula, if the problem is encoded, over ``variables``; then all rows may be
    deleted once the clauses are derived, and the rest of the proof stands on the clauses alone.
    """

    clauses: list[list[int]] | None = None
    variables = 0

    def __init__(self, problem: Problem, name: str) -> None:
        self.problem, self.name = problem, name
        self.live = dict(enumerate(problem.rows, start=1))
        self.rows = self.last = len(problem.rows)
        self.size = sum([len(row.terms) for row in problem.rows])
        self.given = problem.variables  # these have a meaning: no step may define them
        # Variable beyond those of the problem -> the live inequalities that mention it.
        self.mentions: defaultdict[int, set[int]] = defaultdict(set)
        self.gone, self.turned = 0, False  # rows that are deleted; whether that was all of them
        self.best: int | None = None  # the least value of a solution that was shown
        self.answer, self.lower, self.upper = "", 0, 0  # what is concluded, and the bounds
        self.ended = 0  # parts of the end that were read

    def follow(self, raw: bytes) -> None:
        """Follow all steps; what does not follow, or is missing at the end, is refused."""
        head, *lines = lines_of(raw, self.name)
        if head.split() != ["pseudo-Boolean", "proof", "version", "3.0"]:
            fault = "the first line is not 'pseudo-Boolean proof version 3.0'"
            raise NotProvedError(fault, self.name, 1)
        text = (line.partition("%")[0].replace(":", " : ") for line in lines)
        at = 1
        for at, words in statements(text, self.name, 2):
            try:
                self.step(words)
            except NotProvedError as error:
                raise error.at(self.name, at) from None
        if self.ended != 3:
            raise NotProvedError("'end pseudo-Boolean proof ;' is missing", self.name, at)

    def step(self, words: list[str]) -> None:
        """Follow one statement."""
        if self.ended and words[:1] not in (["conclusion"], ["end"]):
            raise NotProvedError("behind 'output', only 'conclusion' and 'end' may follow")
        if words[:1] != ["del"] and self.gone and not self.turned:
            self.turn()
        match words:
            case ["rup", *_]:
                self.by_propagation(words)
            case ["pol", *rest]:
                self.add(self.sum(rest))
            case ["red", *_]:
                self.definition(words)
            case ["del", "id", *rest]:
                self.forget(rest)
            case ["soli", *rest] if self.problem.objective is not None and self.clauses is None:
                self.improvement(rest)
            case ["f", rows] if rows == str(self.rows):  # an equality counted twice
                pass
            case ["output", "NONE"]:
                self.ended = 1
            case ["conclusion", *rest] if self.ended == 1:
                self.conclude(rest)
                self.ended = 2
            case ["end", "pseudo-Boolean", "proof"] if self.ended == 2:
                self.ended = 3
            case _:
                raise NotProvedError(f"no step of such a proof: '{' '.join(words)[:60]}'")

    def add(self, row: Row) -> None:
        """Number an inequality that may be there from now on."""
        self.last += 1
        self.live[self.last] = row
        self.size += len(row.terms)
        if self.size > MOST_TERMS:
            raise NotProvedError(f"more than {MOST_TERMS} terms at a time")
        for v in row.terms:
            if v > self.problem.variables:
                self.mentions[v].add(self.last)

    def find(self, word: str) -> int:
        """Return a number of a live inequality; -1 is the last one that was made."""
        at = number(word)
        at = at if at > 0 else self.last + 1 + at
        if at not in self.live:
            raise NotProvedError(f"there is no inequality {word[:40]}")
        return at

    def constraint(self, words: list[str]) -> tuple[Row, list[str] | None]:
        """Read ``rule weight literal ... >= bound : rest``; return also the rest, None without."""
        if ">=" not in words[:-1]:
            raise NotProvedError("an inequality needs '>=' and a number")
        at = words.index(">=")
        terms, constant = weighted(words[1:at])
        rest = words[at + 2 :]
        if rest[:1] not in ([], [":"]):
            raise NotProvedError(f"'{rest[0][:40]}' where ':' or the end should be")
        return Row(terms, number(words[at + 1]) - constant), rest[1:] if rest else None

    def by_propagation(self, words: list[str]) -> None:
        """``rup C : ids``: its negation, ``~``, and these clash; without ``:`` all that is live."""
        row, hints = self.constraint(words)
        if hints is None:
            known = [row.opposite(), *self.live.values()]
        else:
            known = [row.opposite() if h == "~" else self.live[self.find(h)] for h in hints]
        if not clash(known):
            raise NotProvedError("propagation does not refute the negation of the inequality")
        self.add(row)

    def sum(self, words: list[str]) -> Row:
        """``pol``: sums and quotients in reverse Polish notation, of which each step is sound.

        ``a b +`` adds, ``a 3 *`` multiplies, ``a 3 d`` divides, ``a s`` saturates, ``a x1 w`` takes
        a variable away as if its literal were true; a literal is the axiom that it is at least 0.
        What is on the stack is a word, or an inequality that was made here and may be changed.
        """
        stack: list[str | Row] = []
        for word in words:
            if word not in ("+", "*", "d", "s", "w"):
                stack.append(word)
                continue
            if len(stack) < (1 if word == "s" else 2):
                raise NotProvedError(f"'{word}' has too little to work on")
            right = "" if word == "s" else stack.pop()
            left = stack.pop()
            row = self.operand(left)
            if word == "+":
                other = self.operand(right)
                if isinstance(right, Row):
                    row, other = other, row
                elif isinstance(left, str):
                    row = Row(dict(row.terms), row.bound)
                row.add(other)
            elif word == "s":
                row = row.saturated()
            elif not isinstance(right, str):
                raise NotProvedError(f"'{word}' is not behind a number or a variable")
            elif word == "w":
                v = literal(right)
                row = row.given(v, int(row.terms.get(v, 0) > 0))
            elif number(right) < (word == "d"):
                raise NotProvedError(f"'{word}' needs a positive number")
            elif word == "d":
                row = row.divided(int(right))
            else:
                by = int(right)
                row = Row({v: by * c for v, c in row.terms.items() if by}, by * row.bound)
                self.limit(row)
            stack.append(row)
        if len(stack) != 1:
            raise NotProvedError(f"the operations leave {len(stack)} inequalities, not one")
        return self.limit(self.operand(stack[0]))

    def operand(self, item: str | Row) -> Row:
        """Return the inequality that a word on the stack names."""
        if isinstance(item, Row):
            return item
        if item.lstrip("+-").isdigit():
            return self.live[self.find(item)]
        v = literal(item)
        return Row({v: 1}, 0) if v > 0 else Row({-v: -1}, -1)

    def limit(self, row: Row) -> Row:
        """Return ``row``, unless a number in the row is too large."""
        if max([abs(row.bound), *map(abs, row.terms.values())]).bit_length() > MOST_BITS:
            raise NotProvedError(f"a number of more than {MOST_BITS} bits")
        return row

    def definition(self, words: list[str]) -> None:
        """``red C : y -> 1``: C is added, since y can be chosen so that it holds.

        y is beyond the variables that have a meaning. Where what is live holds, but C does not,
        y becomes 1: then C must hold, and what is live and mentions y must hold still. Each of
        these follows, in one addition, from the negation of C or from what it was before.
        """
        row, rest = self.constraint(words)
        if rest is None or len(rest) != 3 or rest[1] != "->" or rest[2] not in ("0", "1"):
            raise NotProvedError("a definition is 'red C : y -> 0' or 'red C : y -> 1'")
        y, value = literal(rest[0]), int(rest[2])
        if y <= self.given:
            raise NotProvedError(f"{rest[0]} has a meaning already and cannot be defined")
        broken = row.opposite()
        for old in [row, *[self.live[at] for at in self.mentions.get(y, ())]]:
            wrong = old.given(y, value).opposite()
            known = [broken] if old is row else [broken, old]
            if not wrong.impossible() and not any(wrong.plus(k).impossible() for k in known):
                raise NotProvedError(f"with {rest[0]} = {value} an inequality need not hold")
        self.add(row)

    def forget(self, words: list[str]) -> None:
        """``del id ...``: inequalities are there no more, which no solution minds."""
        for word in words:
            at = self.find(word)
            if at <= self.rows:
                if self.clauses is None:
                    raise NotProvedError(f"row {at} of the problem cannot be deleted")
                self.gone += 1
            row = self.live.pop(at)
            self.size -= len(row.terms)
            for v in row.terms:
                if v > self.problem.variables:
                    self.mentions[v].discard(at)

    def turn(self) -> None:
        """Begin the second half of the proof of an encoding: all rows are gone, the clauses stay.

        From here on all variables of the formula have a meaning, and only others are defined. So
        what is derived of its variables holds in every model of the clauses.
        """
        if self.gone < self.rows:
            raise NotProvedError(f"{self.gone} of {self.rows} rows are deleted: all or none")
        self.compare()
        self.turned, self.given = True, self.variables

    def compare(self) -> None:
        """Refuse if what is derived and live is not the clauses, all of them, in their order."""
        left = [row.as_clause() for at, row in self.live.items() if at > self.rows]
        due = [frozenset(clause) for clause in self.clauses or ()]
        if left != due:
            alike = [a == b for a, b in zip(left, due, strict=False)]
            fault = f"clause {[*alike, False].index(False) + 1}: not what is left of the proof"
            raise NotProvedError(fault, self.name)

    def improvement(self, words: list[str]) -> None:
        """``soli x1 ~x2 ... : value``: a solution; from now on, only better ones are looked for."""
        told = words[-1:] if words[-2:-1] == [":"] else []
        value = self.value_of(words[: len(words) - 2 * len(told)])
        if told not in ([], [str(value)]):
            raise NotProvedError(f"the value of this solution is {value}")
        self.best = value if self.best is None else min(self.best, value)
        self.add(self.at_least(value).opposite())

    def at_least(self, value: int) -> Row:
        """Return the inequality that the objective is at least ``value``."""
        terms, constant = self.problem.objective or ({}, 0)
        return Row(dict(terms), value - constant)

    def value_of(self, words: Sequence[str]) -> int:
        """Return the value of the objective of an assignment, which must be a solution."""
        value: dict[int, int] = {}
        for word in words:
            v = literal(word)
            if value.setdefault(abs(v), int(v > 0)) != (v > 0):
                raise NotProvedError(f"{word} and its negation in one assignment")
        if not len(value) == max(value, default=0) == self.problem.variables:
            raise NotProvedError("a solution gives the variables of the problem their values, all")
        for at, row in enumerate(self.problem.rows, start=1):
            if sum([c * value[v] for v, c in row.terms.items()]) < row.bound:
                raise NotProvedError(f"no solution: row {at} of the problem does not hold")
        terms, constant = self.problem.objective or ({}, 0)
        return sum([c * value[v] for v, c in terms.items()]) + constant

    def conclude(self, words: list[str]) -> None:
        """Check what the proof says in the end: ``NONE``, or an answer.

        ``UNSAT : id``; ``SAT : solution``; ``BOUNDS low : id high : solution``. What is live holds
        of solutions better than the best one, if one was shown; others have at least its value. So
        the lower bound, which the inequality must imply, must not be above that.
        """
        match words:
            case ["NONE"]:
                pass
            case ["UNSAT", ":", which]:
                if not self.live[self.find(which)].impossible() or self.best is not None:
                    raise NotProvedError(f"{which} can be satisfied, or a solution was shown")
                self.answer = "UNSATISFIABLE"
            case ["SAT", ":", *solution]:
                self.value_of(solution)
                self.answer = "SATISFIABLE"
            case ["BOUNDS", low, ":", which, high, ":", *solution] if self.problem.objective:
                row, self.lower, self.upper = self.live[self.find(which)], number(low), number(high)
                value = self.value_of(solution)
                best = value if self.best is None else min(self.best, value)
                if self.lower > best or value > self.upper:
                    raise NotProvedError(f"solutions of {best} and {value} are outside the bounds")
                below = self.at_least(self.lower).opposite()
                if not row.impossible() and not row.plus(below).impossible():
                    raise NotProvedError(f"{which} does not say: the objective is {low} or more")
                self.answer = "OPTIMUM FOUND" if self.lower == self.upper else "BOUNDS"
            case _:
                raise NotProvedError(f"no conclusion of such a problem: '{' '.join(words)[:60]}'")


def read_clauses(raw: bytes, name: str) -> tuple[int, list[list[int]]]:
    """Return the number of variables and the clauses of a DIMACS file."""
    clauses: list[list[int]] = [[]]
    head: list[int] = []
    for at, line in enumerate(lines_of(raw, name), start=1):
        words = [] if line[:1] == "c" else line.split()
        try:
            if words[:2] == ["p", "cnf"] and not head:
                head, words = [number(word) for word in words[2:]], []
            for lit in map(number, words):
                if not head or abs(lit) > head[0]:
                    raise NotProvedError(f"literal {lit} is beyond the variables of the header")
                if lit:
                    clauses[-1].append(lit)
                else:
                    clauses.append([])
        except NotProvedError as error:
            raise error.at(name, at) from None
    if len(head) != 2 or clauses.pop() or len(clauses) != head[1]:
        raise NotProvedError("not as many clauses, each with its 0, as 'p cnf' says", name)
    return head[0], clauses


def check_files(paths: Sequence[str]) -> dict[str, Any]:
    """Check PROBLEM, FORMULA and PROOF, whose objective does not matter, or PROBLEM and PROOF."""
    names = [os.path.basename(path) for path in paths]
    raw = [read(path, name, links=True) for path, name in zip(paths, names, strict=True)]
    problem = read_problem(raw[0], names[0])
    variables, clauses = read_clauses(raw[1], names[1]) if len(paths) > 2 else (0, None)
    if clauses is not None and variables < problem.variables:
        raise NotProvedError(f"the problem has {problem.variables} variables", names[1], 1)
    proof = Proof(problem, names[-1])
    proof.clauses, proof.variables = clauses, variables
    proof.follow(raw[-1])
    found: dict[str, Any] = {"rows": proof.rows, "inputs": problem.variables}
    found["steps"] = proof.last - proof.rows
    found["sha256"] = [hashlib.sha256(data).hexdigest() for data in raw]
    if clauses is None:
        if not proof.answer:
            raise NotProvedError("the proof concludes nothing", names[-1])
        if proof.answer in ("OPTIMUM FOUND", "BOUNDS"):
            found |= {"lower": proof.lower, "upper": proof.upper}
        return {"kind": "answer", "says": proof.answer, **found}
    if not proof.turned:
        proof.compare()
    # Every model of the clauses meets what is derived from them, so it meets these rows.
    last = list(proof.live.values())[-proof.rows :] if proof.turned else problem.rows
    if [row.key() for row in last] != [row.key() for row in problem.rows]:
        raise NotProvedError("what is derived last is not the rows of the problem", names[-1])
    # A problem without rows takes every assignment for a solution, so no model is false.
    says = "equivalent" if proof.turned or not proof.rows else "no solution lost"
    sizes = {"variables": variables, "clauses": len(clauses)}
    return {"kind": "encoding", "says": says, **sizes, **found}


# ---------------------------------------------------------------------------- boards and verdicts

MANIFEST, DIGITS = "manifest.json", "012345678"
ENTRIES: Final = "schema satsweeper rows columns mines flags files "
KEYS: Final = {
    "satsweeper/certificate/1": ENTRIES + "status grid solver encoding total_encoding cells",
    "satsweeper/odds-certificate/1": ENTRIES + "density",
}
Count = tuple[tuple[int, ...], int]  # a clue, or the total: variables, and the mines among them


class Board:
    """A plain board, of which the covered cells, row by row, are the variables 1, 2, ...

    Its lines are ``ROWS COLUMNS MINES`` (``?``: not known), then the rows: ``0`` to ``8`` a clue,
    ``?`` a covered cell, ``F`` a flag: a mine without a variable, or covered if flags are not to be
    trusted; then nothing, as the last row has its end.

    ``text`` is the rows as one, covered cells as ``?``; ``cells`` the places of the variables in
    it; ``clues`` what the clues say, each of the variables around it, less the flags there.
    """

    def __init__(self, lines: list[str], name: str, *, trust: bool) -> None:
        head = re.fullmatch(r"([0-9]{1,9}) ([0-9]{1,9}) ([0-9]{1,9}|\?)", lines[0])
        if head is None:
            raise NotProvedError("not 'ROWS COLUMNS MINES'", name, 1)
        self.height, self.width = int(head[1]), int(head[2])
        self.mines = None if head[3] == "?" else int(head[3])
        self.rows = lines[1:-1]
        if not (self.height and self.width) or len(lines) != self.height + 2 or lines[-1]:
            raise NotProvedError(f"not {self.height} rows, 1 at least, with ends", name, 1)
        for at, row in enumerate(self.rows, start=2):
            if len(row) != self.width or not set(row) <= set(DIGITS + "?F"):
                raise NotProvedError(f"not {self.width} cells of 0-8, ? and F", name, at)
        self.text = "".join(self.rows) if trust else "".join(self.rows).replace("F", "?")
        self.cells = [place for place, mark in enumerate(self.text) if mark == "?"]
        around: dict[int, list[int]] = {place: [] for place in range(len(self.text))}
        variable = 0
        for place, mark in enumerate(self.text):
            if mark in "?F":
                variable += mark == "?"
                y, x = divmod(place, self.width)
                for r in range(max(y - 1, 0), min(y + 2, self.height)):
                    for c in range(max(x - 1, 0), min(x + 2, self.width)):
                        around[r * self.width + c].append(variable if mark == "?" else 0)
        found = [(around[place], mark) for place, mark in enumerate(self.text) if mark in DIGITS]
        self.clues = [(tuple(filter(None, near)), int(n) - near.count(0)) for near, n in found]
        left = None if self.mines is None else self.mines - self.text.count("F")
        self.total = None if left is None else (tuple(range(1, variable + 1)), left)

    def counts(self) -> list[Count]:
        """Return all that the board says. A clue that counts no cell says nothing if it is met."""
        counts = [count for count in self.clues if any(count)]
        return counts if self.total is None else [*counts, self.total]

    def marks(self, rows: Any, allowed: str, where: str, name: str) -> str:
        """Return the marks of the covered cells in ``rows``, which elsewhere must be the board's.

        ``allowed``: the marks that a covered cell may have; ``where``, ``name``: for messages.
        """
        all_rows = [row for row in rows if isinstance(row, str)] if isinstance(rows, list) else []
        if rows != all_rows or [len(row) for row in rows] != [self.width] * self.height:
            raise NotProvedError(f"{where}: not the rows of the board", name)
        text = "".join(rows)
        for place, (mark, given) in enumerate(zip(text, self.text, strict=True)):
            if mark != given if given != "?" else mark not in allowed:
                cell = divmod(place, self.width)
                raise NotProvedError(f"{where}: '{mark}' at {cell}, not as on the board", name)
        return "".join([text[place] for place in self.cells])


class Certificate:
    """The manifest and the board of a folder, which the file ``given``, if any, must have, too.

    That is a file like ``board.txt``, or rows alone; blank lines and those behind ; do not count.
    """

    def __init__(self, folder: str, given: str | None) -> None:
        self.folder = folder
        raw = read(os.path.join(folder, MANIFEST), MANIFEST, links=False)
        self.manifest = manifest = objects(raw, MANIFEST)
        keys = KEYS.get(str(manifest.get("schema")), "").split()
        if not keys:
            raise NotProvedError("no plain board: under rules, 'satsweeper check' it", MANIFEST)
        if set(keys) != manifest.keys() - ({"proof"} if "grid" in keys else ()):
            raise NotProvedError(f"not these entries: {' '.join(keys)}", MANIFEST)
        flags = manifest["flags"]
        if flags not in ("trust", "ignore") or not isinstance(manifest["files"], dict):
            raise NotProvedError("flags are 'trust' or 'ignore', files an object", MANIFEST)
        name, trust = "board.txt", flags == "trust"
        self.board = board = Board(lines_of(self.file(name), name), name, trust=trust)
        size = {"rows": board.height, "columns": board.width, "mines": board.mines}
        if repr({key: manifest[key] for key in size}) != repr(size):  # since True == 1
            raise NotProvedError("rows, columns, mines: not those of the board", MANIFEST)
        self.about = {"board": {**size, "flags": flags}, "sha256": hashlib.sha256(raw).hexdigest()}
        if given is not None:
            lines = [line.rstrip() for line in lines_of(read(given, given, links=True), given)]
            lines = [line for line in lines if line and line[0] != ";"] or [""]
            head = [] if " " in lines[0] else [f"{len(lines)} {len(lines[0])} ?"]
            other = Board([*head, *lines, ""], given, trust=True)
            if (other.rows, other.mines, True) != (board.rows, board.mines, trust):
                raise NotProvedError(f"not the board in {given}, with flags taken for mines", name)

    def file(self, name: str) -> bytes:
        """Return a file of the folder; the hash in the manifest must be its own."""
        raw = read(os.path.join(self.folder, name), name, links=False)
        if hashlib.sha256(raw).hexdigest() != self.manifest["files"].get(name):
            raise NotProvedError("its hash is not in the manifest", name)
        return raw


def check_verdicts(certificate: Certificate) -> dict[str, Any]:
    """Check all verdicts of a board, or that it has no layout."""
    board, status = certificate.board, certificate.manifest["status"]
    grid, claimed, verdicts, layouts = certificate.manifest["grid"], None, "", 0
    if (status, grid) != ("inconsistent", None):
        if status != "consistent":
            raise NotProvedError("status: 'consistent', or 'inconsistent' without grid", MANIFEST)
        verdicts = board.marks(grid, "SM?", "grid", MANIFEST)
        claimed = [v if mark == "M" else -v for v, mark in enumerate(verdicts, 1) if mark != "?"]
        layouts = check_layouts(certificate, verdicts)
    # With nothing certain nothing is left to prove: the layouts have shown the rest.
    steps = 0 if claimed == [] else check_claim(certificate, claimed)
    numbers = {"proved": len(claimed or ()), "unknown": verdicts.count("?"), "layouts": layouts}
    found = {"kind": "verdicts", "says": status, **certificate.about, **numbers}
    return {**found, "steps": steps, "grid": grid}


def check_claim(certificate: Certificate, claimed: list[int] | None) -> int:
    """Check that the board implies the literals ``claimed``; None: that it has no layout.

    ``proof.opb`` must say what is written down here: each clue and the total as an equality, and
    that one of the literals is false, which the proof refutes. Returns the number of its steps.
    """
    board, names = certificate.board, ("proof.opb", "proof.pbp")
    said = []
    for variables, mines in board.counts():
        said += [Row(dict.fromkeys(variables, 1), mines), Row(dict.fromkeys(variables, -1), -mines)]
    if claimed is not None:
        terms = {abs(lit): -1 if lit > 0 else 1 for lit in claimed}
        said.append(Row(terms, 1 - sum([lit > 0 for lit in claimed])))
    problem = read_problem(certificate.file(names[0]), names[0])
    # The order is free; how often something is said is not.
    written, due = (Counter([row.key() for row in rows]) for rows in (problem.rows, said))
    for (row, bound), _ in (*(written - due).items(), *(due - written).items()):
        text = " ".join([f"{c:+} x{v}" for v, c in sorted(row)][:20])
        raise NotProvedError(f"what the board says and this differ in: {text} >= {bound}", names[0])
    if problem.variables != len(board.cells) or problem.objective:
        raise NotProvedError("other variables than the covered cells, or an objective", names[0])
    proof = Proof(problem, names[1])
    proof.follow(certificate.file(names[1]))
    if proof.answer != "UNSATISFIABLE":
        raise NotProvedError("no contradiction is concluded", names[1])
    return proof.last - proof.rows


def check_layouts(certificate: Certificate, verdicts: str) -> int:
    """Return how many layouts there are, one at least, which show each unknown cell both ways."""
    name, board = "layouts.json", certificate.board
    found = objects(certificate.file(name), name)
    layouts, cells = found.get("layouts", 0), found.get("cells", 0)
    lists = isinstance(cells, list) and isinstance(layouts, list)
    if len(found) != 2 or not lists or not layouts:
        raise NotProvedError("no lists of layouts, one at least, and of cells", name)
    marks = [board.marks(rows, "SM", f"layout {at}", name) for at, rows in enumerate(layouts)]
    counts = board.counts()
    for at, layout in enumerate(marks):
        mined = [0, *[int(mark == "M") for mark in layout]]
        for variables, mines in counts:
            if sum([mined[v] for v in variables]) != mines:
                what = f"{mines} mines in x{' x'.join(map(str, variables[:8]))}"
                raise NotProvedError(f"layout {at} breaks a clue or the total: {what}", name)
        if any(v != mark and v != "?" for v, mark in zip(verdicts, layout, strict=True)):
            raise NotProvedError(f"layout {at} contradicts a certain verdict", name)
    places = enumerate(board.cells)
    left = {divmod(cell, board.width): v for v, cell in places if verdicts[v] == "?"}
    for each in cells:
        match each:
            case {"cell": [row, column], "mine": int(mine), "safe": int(safe)} if len(each) == 3:
                v = left.pop((row, column), -1) if type(row) is type(column) is int else -1
                two = [marks[at][v] for at in (mine, safe) if v >= 0 and 0 <= at < len(marks)]
                if two == ["M", "S"]:
                    continue
        raise NotProvedError(f"cells: {each!r}: not an unknown cell, once, shown both ways", name)
    if left:
        raise NotProvedError(f"the unknown cell {min(left)} is not shown both ways", name)
    return len(marks)


# ------------------------------------------------------------------------------------------- odds

CIRCUITS = "circuits.txt"
FIELD: Final = 5  # bits of a label for each clue: at most 8 mines in either half, so none carries


class Region(NamedTuple):
    """Clues that are connected, and their boxes: sets of cells under equal clues.

    ``under``: the clues of each box, as places in ``needs``, the mines of each clue, and ``cells``.
    """

    boxes: list[list[int]]
    under: list[list[int]]
    needs: list[int]
    cells: list[int]


def divide(clues: list[Count], cells: int) -> tuple[dict[int, int], list[Region], list[int]]:
    """Return the cells that single clues decide (1: a mine), the regions, and cells under no clue.

    A clue decides its undecided cells if it needs none or all of them, until no clue does; it then
    counts the others alone, so no layout is lost and none is added. Cells under no clue are left.
    """
    left, need = [set(variables) for variables, _ in clues], [mines for _, mines in clues]
    around = defaultdict(list)
    for at, (variables, _) in enumerate(clues):
        for v in variables:
            around[v].append(at)
    known: dict[int, int] = {}
    waiting = list(range(len(clues)))
    while waiting:
        at = waiting.pop()
        if need[at] in (0, len(left[at])):
            mine = int(need[at] > 0)
            for v in list(left[at]):
                known[v] = mine
                for other in around[v]:
                    left[other].discard(v)
                    need[other] -= mine
                waiting += around[v]
    # Clues with the same cells are one, or exclude each other.
    stated: dict[frozenset[int], int] = {}
    for clue, mines in zip(map(frozenset, left), need, strict=True):
        if stated.setdefault(clue, mines) != mines or not 0 <= mines <= len(clue):
            raise NotProvedError("its clues exclude one another: there are no odds", "board.txt")
    under: defaultdict[int, list[frozenset[int]]] = defaultdict(list)
    for clue in stated:
        for v in clue:
            under[v].append(clue)
    boxes: defaultdict[tuple[frozenset[int], ...], list[int]] = defaultdict(list)
    for v in sorted(under):
        boxes[tuple(under[v])].append(v)
    # From a cell along its clues to its region; boxes and regions are ordered by their least cells.
    regions: list[Region] = []
    seen: set[int] = set()
    for first in sorted(under):
        if first in seen:
            continue
        reached, waiting = {first}, [first]
        while waiting:
            for clue in under[waiting.pop()]:
                new = clue - reached
                reached |= new
                waiting += new
        seen |= reached
        held = list(dict.fromkeys(tuple(under[v]) for v in sorted(reached)))
        place = {clue: at for at, clue in enumerate(dict.fromkeys(c for h in held for c in h))}
        numbers = [[place[clue] for clue in each] for each in held]
        clue_needs, sizes = [stated[clue] for clue in place], [len(clue) for clue in place]
        regions.append(Region([boxes[each] for each in held], numbers, clue_needs, sizes))
    others = [v for v in range(1, cells + 1) if v not in known and v not in under]
    return known, regions, others


# For each box its least and most mines; and joins of two groups, counted from 0, boxes first. A box
# has a node for each number of mines; a join has those listed here, each a choice between pairs of
# a node of the left group and one of the right.
Circuit = tuple[list[tuple[int, int]], list[tuple[int, int, list[list[tuple[int, int]]]]]]


class CircuitReader:
    """The lines of ``circuits.txt``, one after the other."""

    def __init__(self, raw: bytes) -> None:
        self.lines, self.at = lines_of(raw, CIRCUITS), 1
        if self.lines[0] != "satsweeper circuits 1" or self.lines.pop():
            raise self.wrong("not 'satsweeper circuits 1', or a last line without its end")

    def next(self, kind: str, count: int) -> list[int]:
        """Return the numbers of the next line, at least ``count``, behind the word ``kind``."""
        self.at += 1
        line = self.lines[self.at - 1] if self.at <= len(self.lines) else ""
        if not re.fullmatch(kind + "( (0|[1-9][0-9]{0,8}))+", line) or line.count(" ") < count:
            raise self.wrong(f"not '{kind}' and {count} numbers")
        return [int(word) for word in line.split(" ")[1:]]

    def wrong(self, fault: str) -> NotProvedError:
        """Return an error about the line that was read last."""
        return NotProvedError(fault, CIRCUITS, self.at)


def check_circuit(region: Region, reader: CircuitReader) -> Circuit:
    """Read the circuit of a region, which must have every layout of the region exactly once.

    The *label* of a node is how many mines it puts under each clue that has cells inside and
    outside of its group, a field each of one integer. A node stands for all ways to fill the boxes
    of its group with this label that meet the clues inside: of a box one for each number of mines,
    up to which cells they are in; of a join, one of the left group and one of the right. So all
    pairs are tried: those that close clues wrongly, or leave a clue with too many mines or too few
    cells, are in no layout; the others must be listed, those with equal labels in one node. So each
    node has all its ways, each once, by induction; the root, without open clues, has the layouts.
    """
    needs, cells, budget = region.needs, region.cells, MOST_PAIRS
    joins = len(region.boxes) - 1
    if reader.next("region", 2) != [joins + 1, joins]:
        raise reader.wrong(f"the region has {joins + 1} boxes")
    circuit: Circuit = ([], [])
    groups: list[tuple[dict[int, int], list[int]] | None] = []
    for box, under in zip(region.boxes, region.under, strict=True):
        low = max([0, *[needs[c] - cells[c] + len(box) for c in under]])
        high = min([len(box), *[needs[c] for c in under]])
        if reader.next("box", 2) != [low, high, *box]:
            raise reader.wrong(f"the box is {low} {high} {' '.join(map(str, box[:20]))}")
        circuit[0].append((low, high))
        inside = {c: len(box) for c in under if cells[c] > len(box)}
        mine = sum([1 << FIELD * c for c in inside])
        groups.append((inside, [mine * mines for mines in range(low, high + 1)]))
    for _ in range(joins):
        left, right, size, *more = reader.next("join", 3)
        one, two = (groups[at] if at < len(groups) else None for at in (left, right))
        if one is None or two is None or left == right or more:
            raise reader.wrong("there is no such group, or it is joined already")
        groups[left] = groups[right] = None
        inside = {c: one[0].get(c, 0) + two[0].get(c, 0) for c in one[0] | two[0]}
        closed = [c for c, held in inside.items() if held == cells[c]]
        mask = sum([(1 << FIELD) - 1 << FIELD * c for c in closed])
        wanted = sum([needs[c] << FIELD * c for c in closed])
        inside = {c: held for c, held in inside.items() if held < cells[c]}
        partners = defaultdict(list)
        for j, label in enumerate(two[1]):
            partners[label & mask].append(j)
        pairs: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        for i, label in enumerate(one[1]):
            for j in partners.get(wanted - (label & mask), ()):
                pairs[label + two[1][j] - wanted].append((i, j))
                budget -= 1
            if budget < 0:
                raise reader.wrong(f"more than {MOST_PAIRS} pairs of nodes")
        for c, held in inside.items():
            fits = range(needs[c] - (cells[c] - held), needs[c] + 1)
            for label in [n for n in pairs if n >> FIELD * c & (1 << FIELD) - 1 not in fits]:
                del pairs[label]
        nodes, labels = [], []
        for _ in range(size):
            numbers = reader.next("node", 2)
            i, j = numbers[:2]
            if i >= len(one[1]) or j >= len(two[1]):
                raise reader.wrong("no pair of nodes of the two groups")
            labels.append(one[1][i] + two[1][j] - wanted)
            nodes.append(pairs.pop(labels[-1], []))
            if [n for pair in nodes[-1] for n in pair] != numbers:
                raise reader.wrong("not all pairs with these mines under open clues, in order")
        if pairs:
            raise reader.wrong("a node is missing in this join")
        groups.append((inside, labels))
        circuit[1].append((left, right, nodes))
    if not groups[-1] or not groups[-1][1]:
        raise reader.wrong("the region has no layout: there are no odds")
    return circuit


# The least mines of a region, the numbers of its layouts with so many mines, one more, ...; and for
# each box the numbers of those in which a certain one of its cells is a mine.
Counted = tuple[int, list[int], list[list[int]]]


def count(region: Region, circuit: Circuit, *, by_mines: bool) -> Counted:
    """Return the layouts of a region, by their number of mines or all together.

    A polynomial, how many ways there are for each number of mines m, is one integer, which has the
    coefficient of m at bit ``width * m``; with a width of 0 all m are counted together. Pairs of a
    node exclude each other, so ways are added up; halves of a pair share no cell: a product.
    """
    size = sum(map(len, region.boxes))
    width = (size // 8 + 1) * 8 if by_mines else 0  # no coefficient is above 2^size
    limits = list(zip(map(len, region.boxes), circuit[0], strict=True))
    ways = [[comb(n, m) << width * m for m in range(a, b + 1)] for n, (a, b) in limits]
    for left, right, nodes in circuit[1]:
        one, two = ways[left], ways[right]
        ways.append([sum([one[i] * two[j] for i, j in node]) for node in nodes])
    # Downwards: for each node, the ways to fill the rest of the region around it.
    rest = [[0] * len(each) for each in ways]
    rest[-1] = [1] * len(ways[-1])
    for group in range(len(ways) - 1, len(limits) - 1, -1):
        left, right, nodes = circuit[1][group - len(limits)]
        for node, outside in zip(nodes, rest[group], strict=True):
            for i, j in node:
                rest[left][i] += outside * ways[right][j]
                rest[right][j] += outside * ways[left][i]
    found = [ways[-1][0]]
    for (n, (a, b)), around in zip(limits, rest, strict=False):
        # Of the comb(n, m) ways to put m mines into n cells, comb(n - 1, m - 1) have a certain one.
        some = [(m, around[m - a]) for m in range(a, b + 1) if m]
        found.append(sum([each * comb(n - 1, m - 1) << width * m for m, each in some]))
    whole, *mined = [unpacked(each, width, size + 1) for each in found]
    numbers = [m for m, n in enumerate(whole) if n]
    least, end = numbers[0], numbers[-1] + 1
    return least, whole[least:end], [each[least:end] for each in mined]


def unpacked(packed: int, width: int, size: int) -> list[int]:
    """Return ``size`` coefficients of a polynomial that is one integer; the sum for width 0."""
    if not width:
        return [packed]
    step = width // 8
    raw = packed.to_bytes(step * size, "little")
    return [int.from_bytes(raw[at : at + step], "little") for at in range(0, len(raw), step)]


def dot(numbers: Sequence[int], others: Sequence[int]) -> int:
    """Return the sum of products."""
    return sum([x * y for x, y in zip(numbers, others, strict=True)])


def fraction(above: int, below: int) -> str:
    """Return a fraction in lowest terms; Decimal writes integers of any length."""
    shared = gcd(above, below)
    top, bottom = str(Decimal(above // shared)), str(Decimal(below // shared))
    return top if bottom == "1" else f"{top}/{bottom}"


def with_total(counted: list[Counted], inside: int, mines: int) -> tuple[int, list[list[str]], str]:
    """Return the layouts with ``mines`` in the regions and ``inside`` interior cells, and chances.

    Those of the boxes, region by region, and that of the interior. The regions together have the
    product of their polynomials. A polynomial packed into an integer is its value at a power of
    two, so products and quotients of such integers are those of the polynomials.
    """
    mines -= sum([least for least, _, _ in counted])
    width = (prod([sum(own) for _, own, _ in counted]).bit_length() // 8 + 1) * 8
    size = sum([len(own) - 1 for _, own, _ in counted]) + 1
    packed = [sum([n << width * m for m, n in enumerate(own)]) for _, own, _ in counted]
    together = prod(packed)
    # If the regions have k mines more than their least, the interior has the rest of the total.
    ways = [comb(inside, mines - k) if k <= mines else 0 for k in range(size)]
    whole = unpacked(together, width, size)
    layouts = dot(whole, ways)
    if not layouts:
        raise NotProvedError("no layout has this total: there are no odds", "board.txt")
    chances = []
    for (_, own, boxes), factor in zip(counted, packed, strict=True):
        others = unpacked(together // factor, width, size - len(own) + 1)
        rest = [dot(others, ways[k : k + len(others)]) for k in range(len(own))]
        chances.append([fraction(dot(box, rest), layouts) for box in boxes])
    # Of the ways to put m mines into the interior, a share of m / inside has a certain cell.
    mined = [(mines - k) * n for k, n in enumerate(ways)]
    return layouts, chances, fraction(dot(whole, mined), layouts * max(inside, 1))


def with_density(counted: Counted, mine: int, of: int) -> list[str]:
    """Return the chance of each box if each cell is a mine with the chance ``mine / of``.

    A layout with m mines of n has the weight mine^m (of - mine)^(n - m), up to what all have in
    common. Where mines were not told apart the chance is 1/2, and all weights are equal.
    """
    _, whole, boxes = counted
    if len(whole) ** 2 * of.bit_length() > 1 << 32:
        raise NotProvedError("a region whose weights are too long", CIRCUITS)
    weights = [mine**k * (of - mine) ** (len(whole) - 1 - k) for k in range(len(whole))]
    return [fraction(dot(box, weights), dot(whole, weights)) for box in boxes]


def check_odds(certificate: Certificate) -> dict[str, Any]:
    """Check the number of layouts of a board and all chances, by counting them."""
    board, name, density = certificate.board, "odds.json", certificate.manifest["density"]
    mine, of = 1, 2
    if density is not None:
        form = re.fullmatch("([1-9][0-9]{0,50})/([1-9][0-9]{0,50})", str(density))
        mine, of = (int(form[1]), int(form[2])) if form else (0, 0)
        if not 0 < mine < of or gcd(mine, of) != 1 or board.total is not None:
            raise NotProvedError("density: not in lowest terms, or beside a total", MANIFEST)
    known, regions, interior = divide(board.clues, len(board.cells))
    reader = CircuitReader(certificate.file(CIRCUITS))
    by_mines = density is not None or board.total is not None
    counted = [count(r, check_circuit(r, reader), by_mines=by_mines) for r in regions]
    if reader.at != len(reader.lines):
        raise NotProvedError(f"more than {len(regions)} regions", CIRCUITS, reader.at + 1)
    if board.total is None:
        layouts = prod([sum(whole) for _, whole, _ in counted]) << len(interior)
        found, inside = [with_density(each, mine, of) for each in counted], fraction(mine, of)
    else:
        left = board.total[1] - sum(known.values())
        layouts, found, inside = with_total(counted, len(interior), left)
    chance = {v: str(mine) for v, mine in known.items()} | dict.fromkeys(interior, inside)
    for region, chances in zip(regions, found, strict=True):
        for box, each in zip(region.boxes, chances, strict=True):
            chance |= dict.fromkeys(box, each)
    ordered = [chance[v] for v in range(1, len(board.cells) + 1)]
    place = {each: at for at, each in enumerate(dict.fromkeys(ordered))}
    cells = [place[each] for each in ordered]
    answer = {"solutions": fraction(layouts, 1), "chances": [*place], "cells": cells}
    odds = objects(certificate.file(name), name)
    for key in odds.keys() | answer.keys():
        if repr(odds.get(key)) != repr(answer.get(key)):
            raise NotProvedError(f"{key}: not what was counted", name)
    return {"kind": "odds", "says": "odds", **certificate.about, "density": density, **answer}


def check(paths: Sequence[str], board: str | None = None) -> dict[str, Any]:
    """Check what one, two or three paths name; return what is verified, or raise NotProvedError."""
    if len(paths) > 1:
        return check_files(paths)
    if os.path.isfile(paths[0]):
        raise NotProvedError("one file: the proof of a game is for 'satsweeper check'", paths[0])
    certificate = Certificate(paths[0], board)
    return (check_odds if "density" in certificate.manifest else check_verdicts)(certificate)


def main(words: Sequence[str] | None = None) -> int:
    """Check, print the answer, and return the exit code."""
    about = (__doc__ or "").partition("How to read it")[0] + "example: satsweeper-check certificate"
    parser = argparse.ArgumentParser("satsweeper-check", description=about)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a folder, or files, as above")
    parser.add_argument("--board", metavar="FILE", help="the folder must be about this board")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    asked = parser.parse_args(words)
    if len(asked.paths) > (3 if asked.board is None else 1):
        parser.error("a folder, with or without --board; or two or three files")
    gc.disable()  # a third faster: what is made here is needed to the end, or has no cycles
    try:
        found = {"verified": True} | check(asked.paths, asked.board)
        code = 20 if found["says"] in ("inconsistent", "UNSATISFIABLE") else 0
    except (NotProvedError, KeyboardInterrupt) as error:
        found, code = {"verified": False, "says": str(error) or "interrupted"}, 1
    if asked.json:
        lines = [json.dumps({"schema": "satsweeper/small-check/1"} | found)]
    else:
        lines = [f"{'satsweeper-check' if code == 1 else 'verified'}: {found['says']}"]
        for name, value in {**found.pop("board", {}), **found}.items():
            if name not in ("verified", "kind", "says", "sha256"):
                lines += [f"{name}:", *value] if isinstance(value, list) else [f"{name}: {value}"]
    try:
        print(*lines, sep="\n", file=None if code != 1 or asked.json else sys.stderr, flush=True)
    except OSError:  # the reader has gone, or the disk is full: nobody has the answer
        os.dup2(os.open(os.devnull, os.O_RDWR), 1)
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
