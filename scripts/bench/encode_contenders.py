"""Who encodes: our encoders, and their namesakes in PySAT and pindakaas."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from itertools import combinations
from typing import Final, NamedTuple

from pbcnf import (
    ENCODERS,
    Cardinality,
    EncodingSize,
    Formula,
    Template,
    encode,
    encode_many,
    instantiate,
)
from pbcnf.emission.template import template
from pbcnf.encoders.table import expresses
from scripts.bench.encode_problems import Problem

Clauses = Sequence[Sequence[int]]


class Result(NamedTuple):
    """What a contender made; `lists` gives the clauses as sequences of Python ints.

    The number of clauses is None where only the lists tell it.
    """

    variables: int
    clauses: int | None
    lists: Callable[[], Clauses]


Run = Callable[[], Result]


@dataclass(frozen=True)
class Contender:
    """`prepare` brings a problem into the form the contender takes; the call that it returns is
    what is timed. `gives_lists`: its result consists of Python lists already.
    """

    side: str
    name: str
    prepare: Callable[[Problem], Run]
    gives_lists: bool = False

    @property
    def title(self) -> str:
        """Side and name."""
        return f"{self.side} {self.name}"


class Namesakes(NamedTuple):
    """What others call (nearly) the same encoder, if they have it."""

    pysat: str | None = None
    pindakaas: str | None = None


TABLE: Final[dict[str, Namesakes]] = {
    "direct": Namesakes(),
    "sequential_counter": Namesakes("seqcounter", "SEQUENTIAL_COUNTER"),
    "knuth_counter": Namesakes("seqcounter", "SEQUENTIAL_COUNTER"),
    "totalizer": Namesakes("totalizer", "TOTALIZER"),
    "modulo_totalizer": Namesakes("mtotalizer"),
    "k_modulo_totalizer": Namesakes("kmtotalizer"),
    "cardinality_network": Namesakes("cardnetwrk"),
    "sorting_network": Namesakes("sortnetwrk", "SORTING_NETWORK"),
    "parallel_counter": Namesakes(),
    "adder": Namesakes(None, "ADDER"),
    "decision_diagram": Namesakes(None, "DECISION_DIAGRAM"),
}
"""Our encoder -> its namesakes. The direct encoding's rival is a loop over combinations."""


def registered() -> list[str]:
    """The encoders of `TABLE` that are in the table of encoders."""
    return [name for name in TABLE if name in ENCODERS]


def ours(name: str, many: bool) -> Contender:
    """Our encoder, a call for each group of equal shape or for each constraint."""
    return Contender("pbcnf", name, partial(_prepare_many if many else _prepare_each, name))


def stamped(name: str) -> Contender:
    """Our encoder's templates instantiated in a Python loop."""
    return Contender("pbcnf stamped", name, partial(_prepare_stamped, name), gives_lists=True)


def peers(name: str, small: bool) -> list[Contender]:
    """The namesakes of our encoder; `small`: every constraint has few inputs."""
    found = []
    namesakes = TABLE[name]
    if namesakes.pysat:
        prepare = partial(_prepare_pysat, namesakes.pysat)
        found.append(Contender("pysat", namesakes.pysat, prepare, gives_lists=True))
    if namesakes.pindakaas and not missing("pindakaas"):
        prepare = partial(_prepare_pindakaas, namesakes.pindakaas)
        found.append(Contender("pindakaas", namesakes.pindakaas, prepare))
    if name == "direct" and small:
        found.append(Contender("python", "combinations", _prepare_combinations, gives_lists=True))
    return found


def missing(package: str) -> str | None:
    """Why a package cannot be used; imports it, so that no measurement pays for that."""
    try:
        import_module(package)
    except ImportError as error:
        return f"{package} is not installed ({error})"
    return None


def suits(name: str, problem: Problem) -> bool:
    """Whether our encoder has clauses for every shape; direct ones of a few inputs only."""
    return all(
        expresses(name, group.n, *group.bounds) and (name != "direct" or group.n <= 8)
        for group in problem.groups
    )


def size(name: str, problem: Problem) -> EncodingSize:
    """What our encoder says of itself."""
    parts = (
        ENCODERS[name].size(group.n, *group.bounds) * len(group.inputs) for group in problem.groups
    )
    return sum(parts, EncodingSize(0, 0, 0))


def _result(formula: Formula, problem: Problem) -> Result:
    return Result(
        formula.num_vars - problem.num_vars,
        formula.num_clauses,
        lambda: list(formula.clauses()),
    )


def _prepare_many(name: str, problem: Problem) -> Run:
    def run() -> Result:
        formula = Formula(num_vars=problem.num_vars)
        for group in problem.groups:
            encode_many(group.inputs, *group.bounds, formula, name)
        return _result(formula, problem)

    return run


def _prepare_each(name: str, problem: Problem) -> Run:
    shapes = [(group.inputs.tolist(), *group.bounds) for group in problem.groups]

    def run() -> Result:
        formula = Formula(num_vars=problem.num_vars)
        for rows, lower, upper in shapes:
            for lits in rows:
                encode(Cardinality(lits, lower, upper), formula, name)
        return _result(formula, problem)

    return run


def _prepare_stamped(name: str, problem: Problem) -> Run:
    shapes = [(group.inputs.tolist(), group.n, *group.bounds) for group in problem.groups]

    def run() -> Result:
        clauses: list[tuple[int, ...]] = []
        first = problem.num_vars + 1
        for rows, n, lower, upper in shapes:
            stamp: Template = template(name, n, lower, upper)
            for lits in rows:
                clauses += instantiate(stamp, lits, first)
                first += stamp.auxiliaries
        return Result(first - 1 - problem.num_vars, len(clauses), lambda: clauses)

    return run


def _prepare_pysat(name: str, problem: Problem) -> Run:
    from pysat.card import CardEnc, EncType

    encoding = getattr(EncType, name)
    methods = {"at most": CardEnc.atmost, "at least": CardEnc.atleast, "exactly": CardEnc.equals}
    constraints = [(lits, methods[kind], bound) for lits, kind, bound in problem.constraints()]

    def run() -> Result:
        top = problem.num_vars
        clauses: list[list[int]] = []
        for lits, method, bound in constraints:
            found = method(lits=lits, bound=bound, top_id=top, encoding=encoding)
            # Of a trivial bound `nv` says nothing about the numbers already in use.
            top = max(top, found.nv)
            if clauses:
                clauses += found.clauses
            else:
                clauses = found.clauses
        return Result(top - problem.num_vars, len(clauses), lambda: clauses)

    return run


def _prepare_pindakaas(name: str, problem: Problem) -> Run:
    """The sums are built here: adding up a Python expression takes quadratic time."""
    import pindakaas

    encoder = getattr(pindakaas.Encoder, name)
    used = sorted({lit for lits, _, _ in problem.constraints() for lit in lits})
    formula = pindakaas.CNF()
    literal = dict(zip(used, formula.new_vars(len(used)), strict=True))
    constraints = []
    for lits, kind, bound in problem.constraints():
        first, *others = (literal[lit] for lit in lits)
        total = sum(others, 1 * first)
        choice = {"at most": total <= bound, "at least": total >= bound, "exactly": total == bound}
        constraints.append(choice[kind])

    def run() -> Result:
        for constraint in constraints:
            formula.add_encoding(constraint, encoder=encoder)
        return Result(len(formula.variables()) - len(used), None, formula._clauses_as_int)

    return run


def _prepare_combinations(problem: Problem) -> Run:
    constraints = [(lits, bound) for lits, _, bound in problem.constraints()]

    def run() -> Result:
        clauses: list[list[int]] = []
        for lits, bound in constraints:
            negated = [-lit for lit in lits]
            clauses += map(list, combinations(negated, bound + 1))
            if bound:
                clauses += map(list, combinations(lits, len(lits) - bound + 1))
        return Result(0, len(clauses), lambda: clauses)

    return run
