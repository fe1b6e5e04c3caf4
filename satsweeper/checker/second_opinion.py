"""Second check of every clause of a formula: by assignments of cells, not by the derivation.

The code shares nothing with the checker of derivations, and requires less: every layout of the
board must satisfy the clauses, with some values of the auxiliary variables. Tested are

* clauses of covered cells, by all assignments of the cells of a clue (8 at most, so 256) that have
  the clue's number of mines, cells that were found to be certain before left out; or by the total.
  With a total over n cells, some layout breaks a clause of p positive and q negative literals if
  and only if the number of mines is from q to n - p;
* clauses with auxiliary variables, together with all clauses that share an auxiliary variable with
  them: each assignment of their cells, if the cells are few, must extend to a model;
* clauses with auxiliary variables over more cells, as for a total: by the counts that the
  derivation defines these variables to be.

A clause that no test confirms is refused.
"""

import re
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import product
from typing import Final, NamedTuple, TypeVar

from pbcnf.proof import Cnf
from satsweeper.checker.board import CellCount
from satsweeper.checker.errors import WrongCertificateError

# Auxiliary variables that count cells. Their definitions in the derivation are hints that need no
# trust: if every layout satisfies the clauses with these values of the auxiliary variables, the
# clauses exclude no layout, whatever the variables were meant to be.

_DEFINED: Final = re.compile(
    rb"^red [0-9]+ ~x([0-9]{1,9}) ((?:1 ~?x[0-9]{1,9} )+)>= ([0-9]{1,9}) : x\1 -> 0 ;$",
    re.MULTILINE,
)


class MineRange(NamedTuple):
    """From ``least`` to ``most`` of ``cells`` are mines; bit v of ``cells`` is variable v."""

    cells: int
    least: int
    most: int


Meanings = Mapping[int, tuple[MineRange, MineRange]]
"""Auxiliary variable -> condition for true, condition for false."""


def meanings_in(derivation: bytes, cells: int) -> Meanings:
    """Return the auxiliary variables, above ``cells``, that ``derivation`` defines by a count."""
    found: dict[int, tuple[MineRange, MineRange]] = {}
    for match in _DEFINED.finditer(derivation):
        # Taken to mean: the variable is true if and only if at least ``least`` of the literals are.
        # Positive literals bound the mines from below, negative literals from above.
        words = match[2].split()[1::2]
        mask, least = 0, int(match[3])
        for word in words:
            mask |= 1 << int(word.lstrip(b"~x"))
        size = mask.bit_count()
        if size < len(words) or mask >> cells + 1 or len({word[:1] for word in words}) > 1:
            continue
        true, false = MineRange(mask, least, size), MineRange(mask, 0, least - 1)
        if words[0].startswith(b"~"):
            true, false = MineRange(mask, 0, size - least), MineRange(mask, size - least + 1, size)
        found.setdefault(int(match[1]), (true, false))
    return found


class SumTester:
    """Tests clauses over cells and counting variables against the counts of the board.

    Args:
        meanings: the conditions of the counting variables.
        cells: variables 1 .. ``cells`` are the covered cells.
        counts: the sums that every layout meets.
        known: cell -> whether the cell is a mine, for cells decided by unit clauses.
    """

    def __init__(
        self, meanings: Meanings, cells: int, counts: Iterable[CellCount], known: Mapping[int, bool]
    ) -> None:
        self.meanings = meanings
        self.cells = cells
        self._known = sum(1 << v for v in known)
        self._mines = sum(1 << v for v, mine in known.items() if mine)
        self._counts = [
            self._open(MineRange(sum(1 << v for v in count.variables), count.mines, count.mines))
            for count in counts
        ]

    def confirm(self, clause: Sequence[int]) -> bool:
        """Whether no layout breaks ``clause``: the counts of a broken clause contradict each other.

        Also False if an auxiliary variable is not in ``meanings``, or counted sets overlap partly.
        """
        # A layout breaks the clause if each literal is false: each puts a range on some cells.
        broken = []
        for lit in clause:
            if abs(lit) <= self.cells:
                mines = int(lit < 0)
                broken.append(self._open(MineRange(1 << abs(lit), mines, mines)))
            elif abs(lit) in self.meanings:
                broken.append(self._open(self.meanings[abs(lit)][lit > 0]))
            else:
                return False
        return any(_contradictory([*broken, count]) for count in self._counts)

    def _open(self, of: MineRange) -> MineRange:
        """Return range ``of`` restricted to undecided cells, known mines subtracted."""
        mines = (of.cells & self._mines).bit_count()
        return MineRange(of.cells & ~self._known, of.least - mines, of.most - mines)


def _contradictory(ranges: Iterable[MineRange]) -> bool:
    """Whether no assignment lies in all ranges; False unless their cells are nested or disjoint."""
    outer: list[MineRange] = []
    for cells, least, most in sorted(ranges, key=lambda of: of.cells.bit_count()):
        # ``outer``: disjoint ranges that cover all smaller ones; those inside ``cells`` are merged.
        inner = [of for of in outer if of.cells & cells]
        if any(of.cells & ~cells for of in inner):
            return False
        free = cells.bit_count() - sum(of.cells.bit_count() for of in inner)
        least = max(least, sum(of.least for of in inner))
        most = min(most, sum(of.most for of in inner) + free)
        if least > most:
            return True
        outer = [of for of in outer if not of.cells & cells] + [MineRange(cells, least, most)]
    return False


# Clauses with auxiliary variables: connected components, and extension of cell assignments.

MOST_AUXILIARIES: Final = 128
"""Limit on auxiliary variables of one search; the encoding of a clue has fewer."""

Clauses = tuple[tuple[int, ...], ...]
Key = TypeVar("Key", bound=Hashable)


def components(members: Mapping[Key, Sequence[int]]) -> list[list[Key]]:
    """Group keys so that no two groups share a member; the order of the keys is kept.

    Args:
        members: key -> its members, at least one.
    """
    # Union-find over members: all members of a key are merged, so keys are in one group if and only
    # if their members have one root.
    leader: dict[int, int] = {}

    def find(member: int) -> int:
        while (above := leader.setdefault(member, member)) != member:
            leader[member] = leader[above]
            member = above
        return member

    for first, *others in members.values():
        for member in others:
            leader[find(member)] = find(first)
    found: dict[int, list[Key]] = {}
    for key, held in members.items():
        found.setdefault(find(held[0]), []).append(key)
    return list(found.values())


def extends(clauses: Iterable[Sequence[int]], inputs: Sequence[int], least: int, most: int) -> bool:
    """Whether each assignment of ``inputs`` with ``least`` to ``most`` of them true has a model.

    False as well if there are more auxiliary variables than MOST_AUXILIARIES.
    """
    clauses = [*clauses]
    others = {abs(lit) for clause in clauses for lit in clause}.difference(inputs)
    if len(others) > MOST_AUXILIARIES:
        return False
    # Constraints of one shape have equal clauses but for the numbers of the variables: renamed to
    # 1, 2, ... they share one cached result.
    name = {v: number for number, v in enumerate([*inputs, *sorted(others)], start=1)}
    renamed = tuple(tuple([name[lit] if lit > 0 else -name[-lit] for lit in c]) for c in clauses)
    return _extends(renamed, len(inputs), max(least, 0), min(most, len(inputs)))


@lru_cache(maxsize=4096)
def _extends(clauses: Clauses, inputs: int, least: int, most: int) -> bool:
    return all(
        _satisfiable(clauses, {v if value else -v for v, value in enumerate(values, start=1)})
        for values in product((False, True), repeat=inputs)
        if least <= sum(values) <= most
    )


def _satisfiable(clauses: Clauses, true: set[int]) -> bool:
    """Whether ``clauses`` have a model with the literals ``true``, to which more may be added."""
    found = True
    while found:
        found = False
        short: tuple[int, ...] = ()
        # Unit propagation to its fixpoint; then a shortest open clause is branched on.
        for clause in clauses:
            if true.isdisjoint(clause):
                left = tuple([lit for lit in clause if -lit not in true])
                if not left:
                    return False
                if len(left) == 1:
                    true.add(left[0])
                    found = True
                elif not short or len(left) < len(short):
                    short = left
    if not short:
        return True
    return any(_satisfiable(clauses, true | {lit}) for lit in (short[0], -short[0]))


MOST_CELLS: Final = 8
"""Limit on cells whose assignments are enumerated; a clue counts no more."""

Clause = Sequence[int]


def confirm_clauses(
    cnf: Cnf, counts: Iterable[CellCount], cells: int, derivation: bytes, name: str
) -> None:
    """Confirm every clause of ``cnf`` by the counts of the board.

    Args:
        cnf: the formula, no variable twice in a clause; 1 .. ``cells`` are the covered cells.
        counts: the clues, and perhaps the total.
        cells: how many variables are cells.
        derivation: defines auxiliary variables; its definitions are hints that need no trust.
        name: the name of the formula's file, for errors.

    Raises:
        WrongCertificateError: a clause that no clue and no total confirms.
    """
    board = _BoardCounts(counts)
    # Clauses of cells alone come first: each confirmed unit decides a cell, and decided cells may
    # confirm later what no single count does. A confirmed clause holds in every layout.
    rest: list[int] = []
    others: list[int] = []
    for place, clause in enumerate(cnf.clauses):
        if max(map(abs, clause), default=0) > cells:
            others.append(place)
        elif board.confirm(clause):
            if len(clause) == 1:
                board.learn(clause[0])
        else:
            rest.append(place)
    for place in rest:
        if not board.confirm_with_known(cnf.clauses[place]):
            raise _unconfirmed(cnf, place, name)
    # Clauses with auxiliary variables: it suffices that each layout extends to a model of them.
    if others:
        defined = meanings_in(derivation, cells)
        # Clauses that share an auxiliary variable, directly or by others, go together.
        auxiliaries = {
            place: [abs(lit) for lit in cnf.clauses[place] if abs(lit) > cells] for place in others
        }
        for places in components(auxiliaries):
            wrong = _unconfirmed_part(cnf, places, cells, board, defined)
            if wrong is not None:
                raise _unconfirmed(cnf, wrong, name)


def _unconfirmed(cnf: Cnf, place: int, name: str) -> WrongCertificateError:
    clause = " ".join(map(str, cnf.clauses[place]))
    fault = f"clause {place + 1} ({clause} 0): no assignment of cells was found to confirm it"
    return WrongCertificateError(name, fault)


def _unconfirmed_part(
    cnf: Cnf, places: Sequence[int], cells: int, board: "_BoardCounts", defined: Meanings
) -> int | None:
    """Return the index of an unconfirmed clause in ``places``, clauses that share auxiliaries."""
    clauses = [
        kept for place in places if (kept := board.without_known(cnf.clauses[place])) is not None
    ]
    inputs = sorted({abs(lit) for clause in clauses for lit in clause if abs(lit) <= cells})
    # Few cells: a count limits the mines among them, and every such assignment must extend to all
    # clauses of the component at once, as they share their auxiliary variables.
    if len(inputs) <= MOST_CELLS:
        for least, most in board.ranges(inputs):
            if extends(clauses, inputs, least, most):
                return None
    # Many cells: auxiliary variables get the values of their definitions, each clause by itself.
    sums = SumTester(defined, cells, board.large, board.known)
    return next((place for place in places if not sums.confirm(cnf.clauses[place])), None)


class _BoardCounts:
    """The counts of the board, and the cells that unit clauses have decided so far."""

    def __init__(self, counts: Iterable[CellCount]) -> None:
        self.counts = list(counts)
        self.large = [count for count in self.counts if len(count.variables) > MOST_CELLS]
        self.known: dict[int, bool] = {}
        self._of: dict[int, list[CellCount]] = {}
        for count in self.counts:
            if len(count.variables) <= MOST_CELLS:
                for variable in count.variables:
                    self._of.setdefault(variable, []).append(count)
        self._last = CellCount(frozenset(), 0)
        """The count that confirmed a clause last, tried first for the next clause."""
        self._lefts: dict[int, tuple[int, tuple[int, int]]] = {}
        """Identity of a count -> number of known cells at the time, and result of ``_left``."""

    def learn(self, literal: int) -> None:
        """Note ``literal``, which every layout makes true."""
        self.known.setdefault(abs(literal), literal > 0)

    def confirm(self, clause: Clause) -> bool:
        """Whether some clue, or the total, allows no assignment that breaks ``clause``."""
        variables = {abs(lit) for lit in clause}
        negative = sum([lit < 0 for lit in clause])
        positive = len(clause) - negative
        for count in (self._last, *self._about(variables)):
            if variables <= count.variables and _holds(
                len(count.variables), count.mines, positive, negative
            ):
                self._last = count
                return True
        return bool(self.known) and self.confirm_with_known(clause)

    def confirm_with_known(self, clause: Clause) -> bool:
        """Whether `confirm` holds for assignments that agree with the known cells."""
        kept = self.without_known(clause)
        if kept is None:
            return True
        variables = {abs(lit) for lit in kept}
        negative = sum([lit < 0 for lit in kept])
        for count in self._about(variables):
            if variables <= count.variables:
                size, mines = self._left(count)
                if _holds(size, mines, len(kept) - negative, negative):
                    return True
        return False

    def without_known(self, clause: Clause) -> list[int] | None:
        """Return ``clause`` without known cells; None if a known cell satisfies it."""
        if any(self.known.get(abs(lit)) is (lit > 0) for lit in clause):
            return None
        return [lit for lit in clause if abs(lit) not in self.known]

    def ranges(self, inputs: Sequence[int]) -> Iterator[tuple[int, int]]:
        """Yield ranges of the number of mines among ``inputs``, all undecided, from each count."""
        if not inputs:
            yield 0, 0
        for count in self._about(set(inputs)):
            if count.variables.issuperset(inputs):
                size, mines = self._left(count)
                yield mines - (size - len(inputs)), mines

    def _left(self, count: CellCount) -> tuple[int, int]:
        """Return the number of undecided cells of ``count``, and the number of mines among them."""
        when, left = self._lefts.get(id(count), (-1, (0, 0)))
        if when != len(self.known):
            known = [self.known[v] for v in count.variables if v in self.known]
            left = len(count.variables) - len(known), count.mines - sum(known)
            self._lefts[id(count)] = len(self.known), left
        return left

    def _about(self, variables: set[int]) -> list[CellCount]:
        """Return the counts that may contain all of ``variables``."""
        if not variables:
            return self.counts
        return [*self._of.get(min(variables), ()), *self.large]


@cache
def _holds(cells: int, mines: int, positive: int, negative: int) -> bool:
    """Whether each assignment of ``cells`` cells with ``mines`` mines satisfies a clause.

    The clause has ``positive`` positive and ``negative`` negative literals; by symmetry their cells
    do not matter.
    """
    # The clause is broken if ``negative`` cells are mines, ``positive`` are safe, the rest is free.
    if cells > MOST_CELLS:
        return not negative <= mines <= cells - positive
    return all(
        any(values[:positive]) or not all(values[positive : positive + negative])
        for values in product((False, True), repeat=cells)
        if sum(values) == mines
    )
