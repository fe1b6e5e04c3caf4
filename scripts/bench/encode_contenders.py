"""Contenders in encoding: our encoders, and their namesakes in other libraries.

The libraries are PySAT (C++), pindakaas and RustSAT (Rust), PBLib (C++). Each contender brings a
problem into the form that its library takes, and returns the call that is timed. Which of our
encoders has which namesakes, for which sums, is a table.
"""

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from itertools import chain, combinations
from pathlib import Path
from typing import Any, Final, NamedTuple

from pbcnf import ENCODERS, EncodingSize, Formula, encode, encode_many, write_dimacs
from pbcnf.constraints.constraint import Cardinality, PseudoBoolean
from pbcnf.encoders.protocol import WeightedEncoder
from pbcnf.encoders.table import expresses
from satsweeper.solvers.pysat import PysatSolver
from scripts.bench import encode_forms
from scripts.bench.encode_forms import (
    FILE,
    SOLVER,
    STEPS,
    Contender,
    Lists,
    Problem,
    Problems,
    Result,
    Run,
    deliver,
)
from scripts.bench.output import missing


def pysat(name: str, problem: Problem, form: str) -> Run:
    """Prepare PySAT's `CardEnc`, or `PBEnc` (which uses pindakaas) for "pb_" before the name."""
    from pysat.formula import CNF

    weighted = name.startswith("pb_")
    module = import_module("pysat.pb" if weighted else "pysat.card")
    maker: Any = module.PBEnc if weighted else module.CardEnc
    options = {"encoding": getattr(module.EncType, name.removeprefix("pb_"))}
    methods = {"at most": maker.atmost, "at least": maker.atleast, "exactly": maker.equals}
    constraints = [
        (methods[kind], {"lits": lits, "bound": bound} | ({"weights": weights} if weighted else {}))
        for lits, weights, kind, bound in problem.constraints()
    ]

    def run() -> Result:
        top = problem.num_vars
        clauses: list[list[int]] = []
        for method, arguments in constraints:
            found = method(**arguments, top_id=top, **options)
            # For a trivial bound `nv` may be smaller than the largest variable already in use.
            top = max(top, found.nv)
            if clauses:
                clauses += found.clauses
            else:
                clauses = found.clauses
        if form == "file":
            made: object = CNF(from_clauses=clauses).to_file(str(FILE))
        else:
            made = deliver(form, lambda: clauses, top)
        return Result(top - problem.num_vars, len(clauses), (clauses, made))

    return run


def pindakaas(name: str, problem: Problem, form: str) -> Run:
    """Prepare an encoder of pindakaas; ``name`` is NAME, or NAME:OPTION with an option set to True.

    The sums are built before the timed call, as adding up a Python expression takes quadratic time.
    """
    import pindakaas as library

    method, _, option = name.partition(":")
    options = {option: True} if option else {}
    encoder = getattr(library.Encoder, method)
    used = sorted({lit for lits, *_ in problem.constraints() for lit in lits})
    formula: Any = library.solver.CaDiCaL() if form == "solver" else library.CNF()
    literal = dict(zip(used, formula.new_vars(len(used)), strict=True))
    constraints = []
    for lits, weights, kind, bound in problem.constraints():
        terms = [w * literal[lit] for w, lit in zip(weights, lits, strict=True)]
        total = sum(terms[1:], terms[0])
        choice = {"at most": total <= bound, "at least": total >= bound, "exactly": total == bound}
        constraints.append(choice[kind])

    def run() -> Result:
        for constraint in constraints:
            formula.add_encoding(constraint, encoder=encoder, **options)
        if form == "solver":
            return Result(None, None, (formula, None))
        if form == "file":
            FILE.write_bytes(formula.to_dimacs().encode())
        lists = formula._clauses_as_int() if form == "lists" else None
        return Result(len(formula.variables()) - len(used), lists and len(lists), (formula, lists))

    return run


def rustsat(name: str, problem: Problem, form: str) -> Run:
    """Prepare an encoder of RustSAT, of at most one, cardinalities or weighted sums.

    RustSAT's encoders emit outputs; each bound is enforced by further unit clauses.
    """
    from rustsat import Lit, VarManager
    from rustsat.encodings import am1, card, pb

    at_most_one = hasattr(am1, name)
    builder = next(getattr(part, name) for part in (am1, card, pb) if hasattr(part, name))
    constraints = [
        ([*map(Lit, lits)], [*zip(map(Lit, lits), weights, strict=True)], kind, bound)
        for lits, weights, kind, bound in problem.constraints()
    ]
    weighted = hasattr(pb, name)
    steps = {"at most": "ub", "at least": "lb", "exactly": "both"}
    units = {"at most": "ub", "at least": "lb", "exactly": "eq"}

    def run() -> Result:
        variables = VarManager(problem.num_vars)
        parts, clauses = [], 0
        for lits, terms, kind, bound in constraints:
            encoding: Any = builder(terms if weighted else lits)
            if at_most_one:
                found = encoding.encode(variables)
                enforced = [lits] if kind == "exactly" else []
            else:
                found = getattr(encoding, f"encode_{steps[kind]}")(bound, bound, variables)
                enforced = [[lit] for lit in getattr(encoding, f"enforce_{units[kind]}")(bound)]
            parts.append((found, enforced))
            clauses += len(found) + len(enforced)

        def lists() -> Lists:
            made = chain.from_iterable(chain.from_iterable(parts))
            return [[lit.to_ipasir() for lit in clause] for clause in made]

        made = deliver(form, lists, variables.n_used())
        return Result(variables.n_used() - problem.num_vars, clauses, (parts, made))

    return run


def pblib(name: str, problem: Problem, form: str) -> Run:
    """Prepare an encoder of PBLib; ``name`` begins with AMO, AMK or PB."""
    from pypblib import pblib as library

    config = library.PBConfig()
    getattr(config, f"set_{name.partition('_')[0]}_Encoder")(getattr(library, name))
    constraints = list(problem.constraints())

    def run() -> Result:
        encoder, clauses = library.Pb2cnf(config), list[list[int]]()
        first = problem.num_vars + 1
        for lits, weights, kind, bound in constraints:
            if kind == "exactly":
                top = encoder.encode_both(weights, lits, bound, bound, clauses, first)
            else:
                method = encoder.encode_leq if kind == "at most" else encoder.encode_geq
                top = method(weights, lits, bound, clauses, first)
            first = max(first, top + 1)
        made = deliver(form, lambda: clauses, first - 1)
        return Result(first - 1 - problem.num_vars, len(clauses), (clauses, made))

    return run


def combined(name: str, problem: Problem, form: str) -> Run:
    """Prepare a loop over combinations in Python, the peer of the direct encoding."""
    constraints = [(lits, kind, bound) for lits, _, kind, bound in problem.constraints()]

    def run() -> Result:
        clauses: list[list[int]] = []
        for lits, kind, bound in constraints:
            negated = [-lit for lit in lits]
            if kind != "at least":
                clauses += map(list, combinations(negated, bound + 1))
            if bound and kind != "at most":
                clauses += map(list, combinations(lits, len(lits) - bound + 1))
        made = deliver(form, lambda: clauses, problem.num_vars)
        return Result(0, len(clauses), (clauses, made))

    return run


def in_steps(
    build: Callable[[Problem], Any],
    clauses: Callable[[Any], tuple[int, int, Any]],
    problem: Problem,
    form: str,
) -> Run:
    """Prepare a step of solving small problems with PySAT's solver.

    `clauses` encodes what `build` built, and returns the numbers of auxiliary variables and of
    clauses, and an object that holds the clauses: a list, or a formula.
    """
    from pysat.solvers import Solver

    def load(encoded: tuple[int, int, Any]) -> Any:
        held = encoded[2]
        live = Solver(SOLVER)
        live.append_formula(held.tuples() if isinstance(held, Formula) else held)
        return live

    steps: dict[str, Callable[[Any], Any]] = dict(
        zip(STEPS, (build, clauses, load, lambda live: live.solve()), strict=True)
    )
    assert isinstance(problem, Problems)
    made: list[Any] = [*problem.parts]
    while (step := next(iter(steps))) != form:
        made = [*map(steps.pop(step), made)]

    def run() -> Result:
        found = [*map(steps[form], made)]
        if form != "encode":
            return Result(None, None, (made, found))
        return Result(sum(one[0] for one in found), sum(one[1] for one in found), (made, found))

    return run


def _built(problem: Problem) -> list[Cardinality | PseudoBoolean]:
    return [
        PseudoBoolean(lits, group.weights, *group.bounds)
        if group.weights
        else Cardinality(lits, *group.bounds)
        for group in problem.groups
        for lits in group.inputs.tolist()
    ]


def _encoded(
    constraints: list[Cardinality | PseudoBoolean], of_sums: str | None = None
) -> tuple[int, int, Formula]:
    formula = Formula(12)
    for constraint in constraints:
        encode(constraint, formula, of_sums if isinstance(constraint, PseudoBoolean) else None)
    return formula.num_vars - 12, len(formula), formula


def _encoded_by_pysat(constraints: list[Any]) -> tuple[int, int, Any]:
    from pysat.card import CardEnc
    from pysat.pb import PBEnc

    top, clauses = 12, list[list[int]]()
    for lits, weights, kind, bound in constraints:
        maker: Any = CardEnc if max(weights) == 1 else PBEnc
        method = {"at most": "atmost", "at least": "atleast", "exactly": "equals"}[kind]
        more = {} if maker is CardEnc else {"weights": weights}
        found = getattr(maker, method)(lits=lits, bound=bound, top_id=top, **more)
        top = max(top, found.nv)
        clauses += found.clauses
    return top - 12, len(clauses), clauses


SOLVED: Final = (
    Contender(
        "PySAT",
        "by default",
        partial(in_steps, lambda part: [*part.constraints()], _encoded_by_pysat),
    ),
    *(
        Contender("pbcnf", title, partial(in_steps, _built, partial(_encoded, of_sums=name)))
        for title, name in {
            "by default": None,
            "generalized_totalizer of sums": "generalized_totalizer",
            "adder of sums": "adder",
        }.items()
    ),
)
"""The contenders of small problems: PySAT, which takes lists as they are, and ours."""


PEERS: Final = {
    "PySAT": ("pysat.card", pysat), "pindakaas": ("pindakaas", pindakaas),
    "RustSAT": ("rustsat", rustsat), "PBLib": ("pypblib.pblib", pblib),
}  # fmt: skip
"""Library -> module, and the function that prepares a run."""


class Row(NamedTuple):
    """Our encoder, titles of sums in `SUMS`, and for each library its encoder of equal method."""

    encoder: str
    sums: tuple[str, ...]
    namesakes: Mapping[str, str]


_COUNTS: Final = ((1, 100), (10, 1000), (500, 1000))
_WEIGHTS: Final = ((20, 100), (40, 1000), (200, 1000))
SUMS: Final = {
    **{f"{k} of {n}": encode_forms.single(n, k, 1, "at most") for k, n in _COUNTS},
    **{f"{n} weights to {most}": encode_forms.weighted(n, most, 1, 1) for n, most in _WEIGHTS},
}
"""Title -> a problem of one sum."""

_CHOSEN: Final = {
    "one": ("1 of 100",), "few": ("10 of 1000",), "counts": ("10 of 1000", "500 of 1000"),
    "small": ("20 weights to 100",), "weights": ("40 weights to 1000", "200 weights to 1000"),
}  # fmt: skip

_TEXT: Final = Path(__file__).with_name("namesakes.txt").read_text("utf-8")
_TABLE, _SENTENCES = (
    [line for line in part.splitlines() if not line.startswith("#")] for part in _TEXT.split("\n\n")
)
ROWS: Final = tuple(
    Row(encoder, _CHOSEN[sums], {k: v for k, v in zip(PEERS, names, strict=True) if v != "-"})
    for encoder, sums, *names in map(str.split, _TABLE)
)
BUYS: Final = dict(line.split(": ", 1) for line in _SENTENCES)
"""Our encoder -> the advantage of its additional clauses or variables over smaller namesakes."""

OURS: Final = "pbcnf"

COUNTING: Final = (
    *("direct", "pairwise", "ladder", "bitwise", "product", "sequential_counter", "totalizer"),
    *("modulo_totalizer", "k_modulo_totalizer", "cardinality_network", "sorting_network"),
    *("adder", "decision_diagram"),
)
"""Encoders of counts that are measured."""

WEIGHTED: Final = (
    *("adder", "binary_merge", "global_polynomial_watchdog", "mixed_radix_sorter"),
    *("decision_diagram", "sequential_weight_counter", "generalized_totalizer"),
)
"""Encoders of weighted sums that are measured."""

MANY_CLAUSES: Final = WEIGHTED[4:]
"""Weighted encoders whose clauses become millions with a hundred weights."""


def peers(name: str, problem: Problem) -> list[Contender]:
    """Return the namesakes of our encoder in installed libraries that take ``problem``."""
    weighted = any(group.weights for group in problem.groups)
    # If several rows fit, the last one counts, since its sums are the largest.
    namesakes = {
        library: namesake
        for row in ROWS
        if row.encoder == name and any(("weights" in title) == weighted for title in row.sums)
        for library, namesake in row.namesakes.items()
    }
    found = []
    at_most = all(group.kind == "at most" for group in problem.groups)
    for library, (module, prepare) in PEERS.items():
        namesake = namesakes.get(library, "")
        expressed = at_most or namesake not in ("DynamicPolyWatchdog", "GeneralizedTotalizer")
        needed = "pindakaas" if namesake.startswith("pb_") else module
        if namesake and expressed and not missing(needed):
            found.append(Contender(library, namesake, partial(prepare, namesake)))
    if name == "direct":
        found.append(Contender("Python", "combinations", partial(combined, name)))
    return found


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
    """Return the size of ``problem`` that our encoder ``name`` predicts; 0 where sums choose."""
    found = EncodingSize(0, 0, 0)
    if name not in ENCODERS:
        return found
    encoder = ENCODERS[name]
    for group in problem.groups:
        if group.weights and isinstance(encoder, WeightedEncoder):
            of_one = encoder.weighted_size(group.weights, *group.bounds)
        else:
            of_one = encoder.size(group.n, *group.bounds)
        found += of_one * len(group.inputs)
    return found


def ours(name: str, many: bool = False) -> Contender:
    """Return our encoder as a contender.

    ``many``: one call encodes a group of constraints of equal shape, instead of one constraint.
    """

    def prepare(problem: Problem, form: str) -> Run:
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
            made: object = None
            if form == "lists":
                made = list(formula.clauses())
            elif form == "solver":
                made = live = PysatSolver(SOLVER)
                live.add_clauses(formula.tuples())
            elif form == "file":
                with FILE.open("wb") as stream:
                    write_dimacs(formula, stream)
            return Result(formula.num_vars - problem.num_vars, len(formula), (formula, made))

        return run

    return Contender(OURS, name, prepare)
