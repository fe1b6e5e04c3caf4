"""The contract of one encoding: what its clauses do in every partial assignment of the inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from pbcnf.audit.propagation import Propagator
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


class Property(Enum):
    """Properties of an encoding; sizes and records are judged only where there is one."""

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
    """The clauses are those on record (`pbcnf.audit.recorded`): every change shows."""


@dataclass(frozen=True, slots=True)
class Finding:
    """The first counter-example to a property; fewer decided inputs come first."""

    problem: str
    """In words, to be read after the inputs."""
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
    """The emitted size; None if nothing was examined but a prediction."""
    judged: frozenset[Property]
    failures: Mapping[Property, Finding]
    """The properties it lacks, each with a counter-example."""

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
    """Examine clauses over the inputs 1 .. n for any constraint: its truth is `truth(table)`.

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
    """Return the three numbers with what they count."""
    numbers = ((size.variables, "variable"), (size.clauses, "clause"), (size.literals, "literal"))
    return ", ".join(counted(number, noun) for number, noun in numbers)


def _models(propagator: Propagator, scenarios: Scenarios, truth: Truth) -> dict[Property, Finding]:
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
