"""Unit propagation and models of clauses, in many scenarios at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from pbcnf.audit.scenarios import Bits, Scenarios
from pbcnf.literals import Clause, Lit
from pbcnf.wording import counted

Known = list[Bits]
"""Where each literal is true: indexed by the literal, negative ones from the end."""


class Propagator:
    """Clauses over the variables 1 .. num_vars.

    Propagation visits a clause when one of its literals becomes false, and only in the scenarios
    where it does; the clauses of two literals are kept apart as implications.
    """

    def __init__(self, num_vars: int, clauses: Iterable[Clause]) -> None:
        """Take the clauses; ValueError for a literal outside the variables."""
        self._num_vars = num_vars
        self._empty = False
        self._units: list[Lit] = []
        self._implied: dict[Lit, list[Lit]] = defaultdict(list)
        self._rest: dict[Lit, list[Sequence[Lit]]] = defaultdict(list)
        for clause in clauses:
            self._take(clause)

    def _take(self, clause: Clause) -> None:
        lits = list(dict.fromkeys(clause))
        for lit in lits:
            if not 1 <= abs(lit) <= self._num_vars:
                raise ValueError(
                    f"literal {lit} in a formula of {counted(self._num_vars, 'variable')}"
                )
        if any(-lit in lits for lit in lits):
            return
        match lits:
            case []:
                self._empty = True
            case [lit]:
                self._units.append(lit)
            case [one, other]:
                self._implied[-one].append(other)
                self._implied[-other].append(one)
            case _:
                for place, lit in enumerate(lits):
                    self._rest[-lit].append(lits[:place] + lits[place + 1 :])

    def start(self, scenarios: Scenarios) -> tuple[Known, Bits]:
        """Propagate every scenario; return what is known, and where there is no conflict."""
        known: Known = [0] * (2 * self._num_vars + 1)
        pending: dict[Lit, Bits] = {}
        live = 0 if self._empty else scenarios.every
        for lit, bits in scenarios.given:
            known[lit] = pending[lit] = bits
        for lit in self._units:
            pending[lit] = known[lit] = scenarios.every
            live &= ~known[-lit]
        return known, self._propagate(known, live, pending)

    def _propagate(self, known: Known, live: Bits, pending: dict[Lit, Bits]) -> Bits:
        """Follow what became true in `pending`, into `known`; return where no conflict is."""
        while pending and live:
            lit = next(iter(pending))
            bits = pending.pop(lit) & live
            if not bits:
                continue
            for other in self._implied[lit]:
                new = bits & ~known[other]
                if new:
                    known[other] |= new
                    pending[other] = pending.get(other, 0) | new
                    live &= ~(new & known[-other])
            for others in self._rest[lit]:
                # Scenarios where none, and where just one, of the other literals is not false.
                none, one = bits, 0
                for other in others:
                    both = none & known[-other]
                    one = one & known[-other] | none ^ both
                    none = both
                    if not one and not none:
                        break
                else:
                    live &= ~none
                    for other in others if one else ():
                        new = one & ~known[-other] & ~known[other]
                        if new:
                            known[other] |= new
                            pending[other] = pending.get(other, 0) | new
        return live

    def models(self, scenarios: Scenarios) -> tuple[Bits, Bits]:
        """Return the scenarios that extend to a model, and those that extend to several.

        A model is an assignment of all variables 1 .. num_vars, whether they occur or not.
        """
        some = several = 0
        known, live = self.start(scenarios)
        # Both values of one variable at a time; two branches never end in the same model.
        branches = [(known, live, 0, 0)]
        while branches:
            known, live, lit, where = branches.pop()
            live &= ~several
            if lit and live:
                known = known.copy()
                known[lit] |= where & live
                live = self._propagate(known, live, {lit: where & live})
            if not live:
                continue
            var = abs(lit) + 1
            while var <= self._num_vars and not live & ~(known[var] | known[-var]):
                var += 1
            if var > self._num_vars:
                several |= some & live
                some |= live
            else:
                undecided = live & ~(known[var] | known[-var])
                branches.append((known, undecided, var, undecided))
                branches.append((known, live, -var, undecided))
        return some, several
