"""The peers of our encoders: PySAT (C++), pindakaas and RustSAT (Rust), PBLib (C++).

Each brings a problem into the form that its library takes, and returns the call that is timed.
"""

from importlib import import_module
from itertools import combinations
from typing import Any, Final

from scripts.bench.encode_forms import Lists, Problem, Result, Run, deliver, file, write


def pysat(name: str, problem: Problem, form: str) -> Run:
    """`CardEnc`, or with "pb_" before the name `PBEnc`, which is built on pindakaas."""
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
            # Of a trivial bound `nv` says nothing about the numbers already in use.
            top = max(top, found.nv)
            if clauses:
                clauses += found.clauses
            else:
                clauses = found.clauses
        if form == "file":
            made: object = CNF(from_clauses=clauses).to_file(str(file()))
        else:
            made = deliver(form, lambda: clauses, top)
        return Result(top - problem.num_vars, len(clauses), (clauses, made))

    return run


def pindakaas(name: str, problem: Problem, form: str) -> Run:
    """An encoder, with the name of an option that is switched on after a colon.

    The sums are built here: adding up a Python expression takes quadratic time.
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
            return Result(None, None, formula)
        if form == "file":
            write(formula.to_dimacs().encode())
        lists = formula._clauses_as_int() if form == "lists" else None
        return Result(len(formula.variables()) - len(used), lists and len(lists), lists)

    return run


def rustsat(name: str, problem: Problem, form: str) -> Run:
    """An encoder of at most one, of a cardinality or of weights; bounds are units more."""
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
            return [
                [lit.to_ipasir() for lit in clause]
                for pair in parts
                for some in pair
                for clause in some
            ]

        made = deliver(form, lists, variables.n_used())
        return Result(variables.n_used() - problem.num_vars, clauses, (parts, made))

    return run


def pblib(name: str, problem: Problem, form: str) -> Run:
    """An encoder by its name with AMO, AMK or PB before it."""
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
    """A plain loop in Python: the rival of the direct encoding."""
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


PEERS: Final = {
    "PySAT": ("pysat.card", pysat),
    "pindakaas": ("pindakaas", pindakaas),
    "RustSAT": ("rustsat", rustsat),
    "PBLib": ("pypblib.pblib", pblib),
}
"""Library -> module, and the function that prepares a run."""
