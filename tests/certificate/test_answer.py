"""Answers of ``solve`` with their proofs: optima by brute force, and proofs that claim too much."""

import io
import re
import runpy
from contextlib import redirect_stdout
from random import Random

import pytest

from pbcnf import read_problem
from pbcnf.constraints.problem import Problem
from pbcnf.proof.cutting_planes.checker import Derived, check_proof
from pbcnf.proof.cutting_planes.error import ProofError
from pbcnf.proof.cutting_planes.formula import read_formula
from satsweeper.certificate.answer import answer_proof
from satsweeper.optimisation import Outcome, Settings, Status
from satsweeper.optimisation.models import problem_of
from satsweeper.optimisation.run import solve
from satsweeper.optimisation.search import SearchLog
from scripts.bench_solve import drawn as family
from tests.commands import need_highs
from tests.oracles import assignments, true_literals
from tests.problem_files import written


def drawn(seed: int, most: int = 7) -> str:
    """A random OPB file: rows of any relation and sign, three times of four an objective."""
    random = Random(seed)
    n = random.randint(3, most)

    def total(size: int, weights: range) -> str:
        chosen = random.sample(range(1, n + 1), size)
        lits = [random.choice(["", "", "~"]) + f"x{v}" for v in chosen]
        return " ".join(f"{random.choice(weights):+} {lit}" for lit in lits)

    lines = []
    if random.random() < 0.75:
        weights = random.choice([range(1, 9), range(-6, 7), range(1, 2)])
        lines.append(f"min: {total(random.randint(1, n), weights)} ;")
    for _ in range(random.randint(1, n // 2 + 1)):
        size = random.randint(2, min(n, 5))
        weights = random.choice([range(1, 2), range(1, 6), range(-5, 6)])
        relation = random.choice([">=", ">=", "<=", "<=", "="])
        lines.append(f"{total(size, weights)} {relation} {random.randint(-1, 5)} ;")
    return f"* #variable= {n} #constraint= {len(lines)}\n" + "\n".join(lines) + "\n"


def by_brute_force(problem: Problem) -> tuple[bool, int | None]:
    """Whether there is a solution, and the least value of the objective."""
    models = [true_literals(bits) for bits in assignments(problem.num_vars)]
    models = [model for model in models if problem.holds(model)]
    objective = problem.objective
    if objective is None or not models:
        return bool(models), None
    return True, min(objective.value(model) for model in models)


def proved(
    text: str, settings: Settings | None = None, *, by_clauses: bool = False
) -> tuple[Problem, Outcome, bytes]:
    """The problem, its answer, and the proof: of an optimum by cores, or by clauses."""
    problem, settings = read_problem(io.BytesIO(text.encode())), settings or Settings()
    log = SearchLog()
    outcome = solve(problem, settings, log=log)
    made = answer_proof(text.encode(), settings, problem, outcome, None if by_clauses else log)
    assert made is not None
    return problem, outcome, made.text


def checked(problem: str, proof: bytes | str) -> Derived:
    formula = read_formula(problem.encode(), objective=True)
    return check_proof(formula, proof if isinstance(proof, bytes) else proof.encode())


def agrees(problem: Problem, found: Derived) -> bool:
    """Whether what a proof concludes is true."""
    solvable, least = by_brute_force(problem)
    if found.bounds is not None:
        return least is not None and found.bounds.lower <= least <= found.bounds.upper
    return not (found.refuted and solvable) and not (found.satisfied and not solvable)


@pytest.mark.parametrize("seeds", [range(30), pytest.param(range(30, 300), marks=pytest.mark.slow)])
def test_the_proof_of_an_answer_concludes_what_brute_force_finds(seeds):
    optima = 0
    for seed in seeds:
        text = drawn(seed)
        strategy = ("core-guided", "auto", "linear")[seed % 3]
        problem, outcome, proof = proved(text, Settings(strategy), by_clauses=seed % 2 == 1)
        solvable, least = by_brute_force(problem)
        found = checked(text, proof)
        assert found.refuted == (not solvable), text
        assert found.bounds == (None if least is None else (least, least)), text
        assert found.satisfied == (solvable and least is None)
        if outcome.status is Status.OPTIMUM:
            assert outcome.value == least
            optima += 1
    assert 3 * optima > len(seeds)


@pytest.mark.parametrize("encoder", ["adder", "generalized_totalizer", "local_polynomial_watchdog"])
def test_encoders_that_are_named_are_those_of_the_proof(encoder):
    from pbcnf.emission.whole_problems import Choices

    for seed in (11, 12):
        text = drawn(seed)
        named = Settings(choices=Choices(pseudo_boolean=encoder))
        problem, _, proof = proved(text, named)
        assert agrees(problem, checked(text, proof))


@pytest.mark.parametrize(
    ("kind", "size"),
    [
        ("set_cover", 8),
        ("facilities", 7),
        ("max_sat", 20),
        ("vertex_cover", 12),
        ("soft_sums", 10),
        ("knapsack", 7),
    ],
)
def test_cores_that_count_others_prove_the_optimum(kind, size):
    text = written(family(kind, size, 1).problem, "opb")
    problem, outcome, proof = proved(text, Settings("core-guided"))
    assert outcome.value == solve(problem, Settings("linear")).value
    assert checked(text, proof).bounds == (outcome.value, outcome.value)


def test_pigeons_without_holes_are_refuted_by_one_sum_of_rows():
    pigeons, holes = 9, 8
    sits = [[holes * pigeon + hole + 1 for hole in range(holes)] for pigeon in range(pigeons)]
    rows = [" ".join(f"+1 x{v}" for v in home) + " >= 1 ;" for home in sits]
    rows += [" ".join(f"+1 x{v}" for v in hole) + " <= 1 ;" for hole in zip(*sits, strict=True)]
    text = "\n".join(["* #variable= 72 #constraint= 18", "+1 x1 >= 0 ;", *rows, ""])
    _, outcome, proof = proved(text)
    assert outcome.status is Status.UNSATISFIABLE
    assert checked(text, proof).refuted
    assert len(proof.splitlines()) == 6


def test_a_bound_of_the_relaxation_that_is_reached_is_the_proof():
    need_highs()
    n = 12
    # A path, which is bipartite: as many vertices cover it as there are edges in a matching.
    rows = [f"+1 x{v} +1 x{v + 1} >= 1 ;" for v in range(1, n)]
    head = f"* #variable= {n} #constraint= {n - 1}"
    objective = " ".join(f"{2 * (v % 3 + 1):+} x{v}" for v in range(1, n + 1))
    text = "\n".join([head, f"min: {objective} ;", *rows, ""])
    problem, outcome, proof = proved(text, Settings("linear"))
    assert outcome.value == by_brute_force(problem)[1]
    assert checked(text, proof).bounds == (outcome.value, outcome.value)
    rules = [line.split()[0] for line in proof.decode().splitlines()[3:-3]]
    assert [rule for rule in rules if rule != "del"] == ["pol", "pol", "rup", "pol"]


MODELS = {"set_cover": 12, "dominating_set": 3, "knapsack": -242, "golomb_ruler": 11,
          "max_clique": -9, "pigeonhole": None}  # fmt: skip
"""Models of the gallery, and the least values that its pages show (negated where most is best)."""


@pytest.mark.parametrize("name", MODELS)
def test_models_of_the_gallery_are_proved(name):
    with redirect_stdout(io.StringIO()):
        builder = runpy.run_path(f"examples/gallery/{name}.py")["b"]
    text = written(problem_of(builder), "opb")
    _, outcome, proof = proved(text)
    value = MODELS[name]
    assert checked(text, proof).bounds == (None if value is None else (value, value))
    assert (outcome.status is Status.UNSATISFIABLE) == (value is None)


PACKING = "min: +3 x1 +4 x2 +2 x3 ;\n+1 x1 +1 x2 >= 1 ;\n+1 x2 +1 x3 >= 1 ;\n"
"""The least value is 4, of x2 alone."""


@pytest.fixture(scope="module")
def proof() -> str:
    return proved(PACKING)[2].decode()


FORGED = {
    "a lower bound better by one": (r"BOUNDS 4", "BOUNDS 5", "a solution has 4: 5 is no lower"),
    "an upper bound better by one": (r" 4 : (~?x1 ~?x2)", r" 3 : \1", "objective .* is 4, not at"),
    "a wrong assignment": (r"4 : ~x1 x2 ~x3 ;", "4 : ~x1 ~x2 ~x3 ;", "no solution: constraint 1"),
    "a dearer assignment": (r"4 : ~x1 x2 ~x3 ;", "4 : x1 x2 ~x3 ;", "is 7, not at most 4"),
    "half an assignment": (r"4 : ~x1 x2 ~x3 ;", "4 : ~x1 x2 ;", "x3 has no value"),
    "a solution that is none": (r"soli .*;", "soli ~x1 ~x2 x3 : 2 ;", "no solution: constraint 1"),
    "a solution of another value": (r"(soli .*): 4 ;", r"\1: 3 ;", "objective .* is 4"),
    "a worse solution": (r"soli .*;", "soli x1 ~x2 x3 : 5 ;", None),
    "no solution at all": (r"soli .*;\n", "", "there is no constraint|does not"),
    "unsatisfiable": (r"conclusion .*;", "conclusion UNSAT : 1 ;", "there is a solution"),
}
"""Claim, change of the proof, and refusal; None: any refusal."""


@pytest.mark.parametrize("name", FORGED)
def test_a_forged_proof_is_refused_by_name(proof, name):
    old, new, refusal = FORGED[name]
    forged = re.sub(old, new, proof)
    assert forged != proof
    with pytest.raises(ProofError, match=refusal):
        checked(PACKING, forged)


def test_the_proof_of_another_problem_is_refused(proof):
    first, *rest = PACKING.splitlines(keepends=True)
    fewer = first + rest[0]
    with pytest.raises(ProofError, match="the formula has 1 constraint"):
        checked(fewer, proof)
    for other in (fewer + "+1 x2 +1 x3 >= 0 ;\n", PACKING.replace("+3 x1", "+1 x1")):
        with pytest.raises(ProofError):
            checked(other, proof)
    with pytest.raises(ProofError, match="'soli' needs an objective"):
        checked("".join(rest), proof)


@pytest.mark.parametrize(
    "seeds", [range(250), pytest.param(range(250, 1500), marks=pytest.mark.slow)]
)
def test_a_proof_that_was_changed_at_random_is_refused_or_true(seeds):
    accepted = 0
    for seed in seeds:
        random = Random(seed)
        text = drawn(random.randrange(20), 5)
        problem, _, made = proved(text)
        lines = made.decode().split("\n")
        at = random.randrange(1, len(lines) - 1)
        words = lines[at].split(" ")
        match random.randrange(4):
            case 0:
                del lines[at]
            case 1:
                lines[at] = lines[random.randrange(1, len(lines) - 1)]
            case _:
                place = random.randrange(len(words))
                number = re.fullmatch(r"-?[0-9]+", words[place])
                literal = words[place][1:] if words[place][:1] == "~" else "~" + words[place]
                words[place] = (
                    str(int(words[place]) + random.choice([-1, 1])) if number else literal
                )
                lines[at] = " ".join(words)
        try:
            found = checked(text, "\n".join(lines))
        except ProofError:
            continue
        accepted += 1
        assert agrees(problem, found), "\n".join(lines)
    assert accepted
