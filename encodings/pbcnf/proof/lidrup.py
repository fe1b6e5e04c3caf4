"""The checker of LIDRUP: one proof of all that was told to, and asked of, an incremental solver.

A line is an input clause, a query, its answer with a model or a core, or a step of the proof:

    i ID LITERALS 0          an input clause
    q ASSUMPTIONS 0          a question
    s SATISFIABLE            the answer, or UNSATISFIABLE, or UNKNOWN
    m LITERALS 0             its model
    u ASSUMPTIONS 0 IDS 0    its core, and the clauses whose propagation refutes it
    l ID LITERALS 0 IDS 0    a lemma, and the clauses from which it follows
    d IDS 0                  clauses that are not used from here on
    w IDS 0, r IDS 0         clauses that are set aside, and taken back

A lemma follows from the inputs: none is merely harmless, as in DRAT. So every core is a
consequence of the inputs before it, and a proof that breaks off is one of what it has. Reference:
Fazekas, Pollitt, Fleury, Biere: Certifying Incremental SAT Solving, LPAR 2024.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from pbcnf.proof.format_error import ProofFormatError, shown
from pbcnf.proof.integers import Integers

_LISTS: Final = {b"i": 1, b"q": 1, b"m": 1, b"l": 2, b"u": 2, b"d": 1, b"w": 1, b"r": 1}
"""Letter of a line -> the number of its lists, each ended by 0."""
_OTHER_BLANK: Final = re.compile(rb"[\x0b\x0c\r]")
_ANSWERS: Final = {b"s SATISFIABLE": "m", b"s UNSATISFIABLE": "u", b"s UNKNOWN": ""}


class Event(NamedTuple):
    """A line that means something to whoever asked the solver; ``kind`` is the line's letter.

    ``i``: an input; ``l``: a lemma; ``m``: a model of all inputs and the assumptions; ``u``:
    assumptions that the inputs refute; ``c``: a comment, its ``text`` without the letter.
    """

    kind: str
    line: int
    literals: tuple[int, ...] = ()
    text: str = ""


class LidrupChecker:
    """Takes a proof line by line, as it grows.

    ``inputs``, ``lemmas``, ``models`` and ``cores`` count what was checked.

    >>> checker = LidrupChecker()
    >>> proof = b"p lidrup\\ni 1 1 2 0\\ni 2 -1 2 0\\nq -2 0\\ns UNSATISFIABLE\\nu -2 0 1 2 0\\n"
    >>> [event.kind for event in checker.events(proof.splitlines())]
    ['i', 'i', 'u']
    >>> list(checker.events([b"q 1 0", b"s SATISFIABLE", b"m 1 -2 0"]))
    Traceback (most recent call last):
    pbcnf.proof.format_error.ProofFormatError: lidrup:9: the model violates input clause '-1 2'
    """

    def __init__(self, source: str = "lidrup") -> None:
        """Name the file in errors."""
        self.source = source
        self.inputs = self.lemmas = self.models = self.cores = 0
        self._line = 0
        self._integers = Integers(source)
        self._input_clauses: list[tuple[int, ...]] = []
        """The input clauses, without those that a unit input clause implied at the last model."""
        self._reduced_at = 0
        """The number of input clauses at the last model."""
        self._active: dict[int, tuple[int, ...]] = {}
        self._aside: dict[int, tuple[int, ...]] = {}
        self._query: tuple[int, ...] | None = None
        self._answer: str | None = None

    def events(self, lines: Iterable[bytes]) -> Iterator[Event]:
        """Check lines, given without line ends, and yield their events.

        Raises:
            ProofFormatError: a line that is not LIDRUP, out of turn, or does not follow.
        """
        for line in lines:
            self._line += 1
            event = self._event(line)
            if event is not None:
                yield event

    def _event(self, line: bytes) -> Event | None:
        if self._line == 1:
            if line != b"p lidrup":
                raise self._wrong(f"expected 'p lidrup', not '{shown(line)}'")
            return None
        if line.startswith(b"c"):
            text = line[1:].strip(b" ").decode("ascii", "backslashreplace")
            return Event("c", self._line, text=text)
        if line in _ANSWERS:
            if self._query is None or self._answer is not None:
                raise self._wrong("an answer to no query")
            # A model or a core has to follow; after UNKNOWN none does, and the query is over.
            self._answer = _ANSWERS[line] or None
            self._query = self._query if self._answer else None
            return None
        if _OTHER_BLANK.search(line):
            raise self._wrong("only blanks and tabs are between words")
        letter, rest = line[:1], line[1:]
        if letter not in _LISTS or rest[:1] != b" ":
            raise self._wrong(f"no line of LIDRUP: '{shown(line)}'")
        numbers = [n for n in self._integers.of(rest, self._line) if n is not None]
        if numbers.count(0) != _LISTS[letter] or numbers[-1]:
            often = ("once", "twice")[_LISTS[letter] - 1]
            raise self._wrong(f"'{letter.decode()}' has a 0 {often}, at the end of each list")
        end = numbers.index(0)
        return self._step(letter.decode(), tuple(numbers[:end]), numbers[end + 1 : -1])

    def _step(self, kind: str, first: tuple[int, ...], hints: list[int]) -> Event | None:
        if self._answer is not None and kind != self._answer and kind in "iqmu":
            raise self._wrong(f"'{kind}', but the query awaits its '{self._answer}'")
        if kind in "il":
            self._add(kind, first, hints)
            return Event(kind, self._line, first[1:])
        if kind in "dwr":
            self._move(kind, first)
            return None
        if kind == "q":
            self._query = first
            return None
        if self._query is None or self._answer != kind:
            raise self._wrong(f"'{kind}' answers no query")
        self._conclude(kind, first, hints)
        self._query = self._answer = None
        return Event(kind, self._line, first)

    def _add(self, kind: str, numbers: tuple[int, ...], hints: list[int]) -> None:
        if not numbers or numbers[0] < 1:
            raise self._wrong("an identifier above 0 comes first")
        number, clause = numbers[0], numbers[1:]
        if number in self._active or number in self._aside:
            raise self._wrong(f"clause {number} is there already")
        if kind == "i":
            if self._query is not None:
                raise self._wrong("an input before the query has its answer")
            self._input_clauses.append(clause)
            self.inputs += 1
        else:
            self._follow(clause, hints, "the lemma")
            self.lemmas += 1
        self._active[number] = clause

    def _move(self, kind: str, numbers: tuple[int, ...]) -> None:
        for number in numbers:
            source = self._aside if kind == "r" else self._active
            clause = source.pop(number, None)
            if clause is None:
                where = "set aside" if kind == "r" else "there"
                raise self._wrong(f"no clause {number} is {where}")
            if kind != "d":
                (self._active if kind == "r" else self._aside)[number] = clause

    def _conclude(self, kind: str, literals: tuple[int, ...], hints: list[int]) -> None:
        assert self._query is not None
        held = set(literals)
        if kind == "u":
            if not held.issubset(self._query):
                raise self._wrong("the core has what the query does not assume")
            self._follow(tuple(-lit for lit in literals), hints, "the core")
            self.cores += 1
            return
        if any(-lit in held for lit in held):
            raise self._wrong("the model has a literal and its opposite")
        if not held.issuperset(self._query):
            raise self._wrong("the model lacks what the query assumes")
        if self._reduced_at < self.inputs:
            # Clauses that a unit clause implies need not be looked at: the unit clause is.
            self._reduced_at = self.inputs
            clauses = self._input_clauses
            untouched = {clause[0] for clause in clauses if len(clause) == 1}.isdisjoint
            self._input_clauses = [each for each in clauses if len(each) < 2 or untouched(each)]
        for clause in self._input_clauses:
            if held.isdisjoint(clause):
                violated = " ".join(map(str, clause))
                raise self._wrong(f"the model violates input clause '{violated}'")
        self.models += 1

    def _follow(self, clause: tuple[int, ...], hints: list[int], what: str) -> None:
        """Refuse a clause (`what`) whose negation propagation along the hints does not refute."""
        # Invariant: if the active clauses hold and `clause` is false, all literals in `false` are.
        false = set(clause)
        for hint in hints:
            known = self._active.get(hint)
            if known is None:
                raise self._wrong(f"{what}: hint {hint} names no clause that is there")
            rest = {lit for lit in known if lit not in false}
            if not rest:
                return
            if any(-lit in false for lit in rest):
                continue
            if len(rest) > 1:
                raise self._wrong(f"{what}: hint {hint} is not unit")
            false.add(-rest.pop())
        raise self._wrong(f"{what}: the hints end without a conflict")

    def _wrong(self, message: str) -> ProofFormatError:
        return ProofFormatError(self.source, message, self._line)
