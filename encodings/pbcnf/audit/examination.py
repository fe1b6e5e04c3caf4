"""The contract of one encoding: what its clauses do in every partial assignment of the inputs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from pbcnf.audit.scenarios import (
    MAX_INPUTS,
    Bits,
    Scenarios,
    Truth,
    first,
    partial_assignments,
    total_assignments,
    truth_of_sum,
)
from pbcnf.formula import EncodingSize
from pbcnf.literals import Clause, Lit
from pbcnf.wording import counted

Known = list[Bits]
"""For each literal, as index, the scenarios in which it is known to be true; -v is from the end."""


class Propagator:
    """Unit propagation in many scenarios at once, over clauses of the variables 1 .. num_vars.

    A clause is visited when one of its literals becomes false, and only in the scenarios in which
    the literal does. Clauses of two literals are kept apart, as implications.
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
            case [left, right]:
                self._implied[-left].append(right)
                self._implied[-right].append(left)
            case _:
                for place, lit in enumerate(lits):
                    self._rest[-lit].append(lits[:place] + lits[place + 1 :])

    def start(self, scenarios: Scenarios) -> tuple[Known, Bits]:
        """Propagate in every scenario; return known literals and the scenarios without conflict."""
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
        """Propagate the literals of `pending` into `known`; return scenarios without conflict."""
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
                # `none` are the scenarios in which all other literals are false (a conflict), `one`
                # those in which all but one are (the remaining literal is implied).
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
        # Branch on both values of the first open variable: two branches never end in the same
        # model.
        branches = [(known, live, 0, 0)]
        while branches:
            known, live, lit, where = branches.pop()
            live &= ~several  # a scenario with two models is settled
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


class Property(Enum):
    """Properties of an encoding; the last two are judged only with a prediction or a record."""

    CORRECT = "correct"
    """An assignment of the inputs extends to a model if and only if it meets the bounds."""

    DETECTS = "detects"
    """Unit propagation finds a conflict wherever no completion meets the bounds."""

    ARC_CONSISTENT = "arc-consistent"
    """DETECTS, and unit propagation finds every input that has one value in all completions."""

    PARSIMONIOUS = "parsimonious"
    """An assignment that meets the bounds extends to exactly one model."""

    EXACT_SIZE = "exact size"
    """The numbers of variables, clauses and literals are the predicted numbers."""

    RECORDED = "as recorded"
    """The clauses are those on record (`pbcnf.audit.contract`): every change shows."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The first counter-example to a property; fewer decided inputs come first."""

    problem: str
    """The fault in words, to be read after the inputs."""
    inputs: tuple[Lit, ...] = ()
    """The decided inputs, as literals."""
    literal: Lit | None = None
    """The literal of an input that was not propagated."""

    def __str__(self) -> str:
        """Return the counter-example as a phrase."""
        given = " ".join(map(str, self.inputs))
        return f"given {given}: {self.problem}" if given else self.problem


@dataclass(frozen=True, slots=True)
class Audit:
    """The properties of one encoding of one constraint, with counter-examples."""

    size: EncodingSize | None
    """The emitted size; None for a refusal, where only the prediction is examined."""
    judged: frozenset[Property]
    failures: Mapping[Property, Finding]
    """The properties that the encoding lacks, each with a counter-example."""

    def holds(self, prop: Property) -> bool | None:
        """Whether the encoding has `prop`; None where `prop` was not judged."""
        return prop not in self.failures if prop in self.judged else None

    def judging(self, prop: Property, failure: Finding | None) -> Audit:
        """Return a copy in which `prop` is judged too, with its counter-example if there is one."""
        failures = {**self.failures, **({} if failure is None else {prop: failure})}
        return Audit(self.size, self.judged | {prop}, failures)


def audit_clauses(
    clauses: Sequence[Clause],
    num_vars: int,
    weights: Sequence[int],
    lower: int,
    upper: int,
    predicted: EncodingSize | None = None,
) -> Audit:
    """Examine clauses that should say ``lower <= sum of weight * input <= upper``.

    The inputs are the variables 1 .. n, one for each weight; the auxiliary variables follow, up to
    `num_vars`. For the weights ``[1] * n`` this is a cardinality constraint.

    >>> audit = audit_clauses([[-1, 3], [-2, -3]], 3, [1, 1], 0, 1)
    >>> [prop.value for prop in Property if audit.holds(prop)]
    ['correct', 'detects', 'arc-consistent']
    >>> print(audit.failures[Property.PARSIMONIOUS])
    given -1 -2: several models
    """
    return audit_truth(
        clauses, num_vars, len(weights), truth_of_sum(tuple(weights), lower, upper), predicted
    )


def audit_truth(
    clauses: Sequence[Clause],
    num_vars: int,
    n: int,
    truth: Truth,
    predicted: EncodingSize | None = None,
) -> Audit:
    """Examine clauses over the inputs 1 .. n against `truth`, the truth of any constraint.

    Raises ValueError beyond 8 inputs, and for a literal outside 1 .. num_vars.
    """
    if n > min(MAX_INPUTS, num_vars):
        raise ValueError(
            f"{counted(n, 'input')} of {counted(num_vars, 'variable')}:"
            f" at most {MAX_INPUTS} are possible"
        )
    propagator = Propagator(num_vars, clauses)
    size = EncodingSize(num_vars - n, len(clauses), sum(map(len, clauses)))
    judged, failures = set(Property) - {Property.RECORDED}, dict[Property, Finding]()
    failures |= _models(propagator, total_assignments(n), truth)
    failures |= _propagation(propagator, partial_assignments(n), truth)
    if predicted is None:
        judged.remove(Property.EXACT_SIZE)
    elif predicted != size:
        problem = f"emitted {size_in_words(size)}; predicted {size_in_words(predicted)}"
        failures[Property.EXACT_SIZE] = Finding(problem)
    return Audit(size, frozenset(judged), failures)


def size_in_words(size: EncodingSize) -> str:
    """Return the numbers of variables, clauses and literals as text."""
    numbers = ((size.variables, "variable"), (size.clauses, "clause"), (size.literals, "literal"))
    return ", ".join(counted(number, noun) for number, noun in numbers)


def _models(propagator: Propagator, scenarios: Scenarios, truth: Truth) -> dict[Property, Finding]:
    # In each set, bit s stands for the total assignment s of the inputs.
    some, several = propagator.models(scenarios)
    missing = truth.solutions & ~some
    failures = {}
    if wrong := missing | some & ~truth.solutions:
        scenario = first(wrong)
        problem = "a model is missing" if missing >> scenario & 1 else "a model too many"
        failures[Property.CORRECT] = Finding(problem, scenarios.lits(scenario))
    if wrong := missing | several & truth.solutions:
        scenario = first(wrong)
        problem = "a model is missing" if missing >> scenario & 1 else "several models"
        failures[Property.PARSIMONIOUS] = Finding(problem, scenarios.lits(scenario))
    return failures


def _propagation(
    propagator: Propagator, scenarios: Scenarios, truth: Truth
) -> dict[Property, Finding]:
    known, live = propagator.start(scenarios)
    failures = {}
    if undetected := live & ~truth.possible:
        inputs = scenarios.lits(first(undetected))
        conflict = Finding("no completion, but no conflict by unit propagation", inputs)
        failures[Property.DETECTS] = failures[Property.ARC_CONSISTENT] = conflict
    missed: list[tuple[Bits, Lit]] = [
        (first(unknown), lit)
        for lit, bits in truth.forced
        if (unknown := bits & live & ~known[lit])
    ]
    if missed:
        scenario, lit = min(missed, key=lambda found: (found[0], abs(found[1])))
        failures[Property.ARC_CONSISTENT] = Finding(
            f"{lit} holds in every completion, but not by unit propagation",
            scenarios.lits(scenario),
            lit,
        )
    return failures
