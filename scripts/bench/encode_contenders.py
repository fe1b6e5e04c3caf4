"""Contenders in encoding: our encoders, and their namesakes in other libraries."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from typing import Final

from pbcnf import (
    ENCODERS,
    Cardinality,
    EncodingSize,
    Formula,
    PseudoBoolean,
    encode,
    encode_many,
    write_dimacs,
)
from pbcnf.encoders.protocol import WeightedEncoder
from pbcnf.encoders.table import expresses
from satsweeper.solvers.pysat import PysatSolver
from scripts.bench.encode_forms import SOLVER, Group, Problem, Result, Run, file
from scripts.bench.encode_peers import PEERS, combined
from scripts.sizes.rows import ROWS

OURS: Final = "pbcnf"


@dataclass(frozen=True)
class Contender:
    """`prepare` brings a problem into the form the contender takes; the call that it returns is
    what is timed, up to the form in which the clauses are wanted.
    """

    side: str
    name: str
    prepare: Callable[[Problem, str], Run]

    @property
    def title(self) -> str:
        """Side and name."""
        return f"{self.side} {self.name}"


COUNTING: Final = (
    *("direct", "pairwise", "ladder", "bitwise", "product", "sequential_counter", "totalizer"),
    *("modulo_totalizer", "k_modulo_totalizer", "cardinality_network", "sorting_network"),
    *("adder", "decision_diagram"),
)
"""Encoders of counts that are measured. The direct one's rival is a loop over combinations."""

WEIGHTED: Final = (
    *("adder", "binary_merge", "global_polynomial_watchdog", "mixed_radix_sorter"),
    *("decision_diagram", "sequential_weight_counter", "generalized_totalizer"),
)
"""Encoders of weighted sums that are measured."""

MANY_CLAUSES: Final = WEIGHTED[4:]
"""Weighted encoders whose clauses become millions with a hundred weights."""


def ours(name: str, many: bool = False) -> Contender:
    """Our encoder, a call for each group of equal shape or for each constraint."""
    return Contender(OURS, name, partial(_prepare, name, many))


def peers(name: str, problem: Problem) -> list[Contender]:
    """The namesakes of our encoder that take the problem, in the libraries that are installed."""
    found = []
    for library, (module, prepare) in PEERS.items():
        namesake = _namesake(name, library, problem)
        if namesake and namesake.startswith("pb_"):
            module = "pindakaas"
        if namesake and not missing(module):
            found.append(Contender(library, namesake, partial(prepare, namesake)))
    if name == "direct":
        found.append(Contender("Python", "combinations", partial(combined, name)))
    return found


def _namesake(name: str, library: str, problem: Problem) -> str | None:
    named = [
        row.namesakes[library]
        for row in ROWS
        if row.encoder == name and library in row.namesakes and _fits(row.sums, problem)
    ]
    groups = problem.groups
    one_sided = "DynamicPolyWatchdog", "GeneralizedTotalizer"
    if named and named[-1] in one_sided and any(group.kind != "at most" for group in groups):
        return None
    return named[-1] if named else None


def _fits(sums: tuple[str, ...], problem: Problem) -> bool:
    weighted = any(group.weights for group in problem.groups)
    return any(("weights" in title) == weighted for title in sums)


def missing(package: str) -> str | None:
    """Import a package before measurements; return why it cannot be used, or None."""
    try:
        import_module(package)
    except ImportError as error:
        return f"{package} is not installed ({error})"
    return None


def measured(name: str, problem: Problem) -> bool:
    """Whether our encoder is measured on a problem: it expresses the problem in few clauses."""
    if any(group.weights for group in problem.groups):
        few = all(group.n <= 60 for group in problem.groups)
        return name in WEIGHTED and (few or name not in MANY_CLAUSES)
    return name in COUNTING and all(
        expresses(name, group.n, *group.bounds) and (name != "direct" or group.n <= 8)
        for group in problem.groups
    )


def size(name: str, problem: Problem) -> EncodingSize:
    """Return the size that our encoder predicts."""
    parts = (_size(name, group) * len(group.inputs) for group in problem.groups)
    return sum(parts, EncodingSize(0, 0, 0))


def _size(name: str, group: Group) -> EncodingSize:
    encoder = ENCODERS[name]
    if group.weights and isinstance(encoder, WeightedEncoder):
        return encoder.weighted_size(group.weights, *group.bounds)
    return encoder.size(group.n, *group.bounds)


def _prepare(name: str, many: bool, problem: Problem, form: str) -> Run:
    groups = [(group, group.inputs.tolist()) for group in problem.groups]

    def run() -> Result:
        formula = Formula(num_vars=problem.num_vars)
        for group, rows in groups:
            if many:
                encode_many(group.inputs, *group.bounds, formula, name)
            elif group.weights:
                for lits in rows:
                    encode(PseudoBoolean(lits, group.weights, *group.bounds), formula, name)
            else:
                for lits in rows:
                    encode(Cardinality(lits, *group.bounds), formula, name)
        made = _deliver(formula, form)
        return Result(formula.num_vars - problem.num_vars, len(formula), (formula, made))

    return run


def _deliver(formula: Formula, form: str) -> object:
    if form == "lists":
        return list(formula.clauses())
    if form == "solver":
        live = PysatSolver(SOLVER)
        live.add_clauses(formula.tuples())
        return live
    if form == "file":
        with file().open("wb") as stream:
            write_dimacs(formula, stream)
    return None
