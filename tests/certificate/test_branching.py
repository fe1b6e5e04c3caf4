"""Proofs by branching and by sums modulo 2, and bounds beside a solution: held to brute force."""

import io
from dataclasses import replace
from itertools import product
from random import Random

import pytest

from pbcnf import read_problem
from pbcnf.proof.cutting_planes.propagation import refuted as refuted_by
from pbcnf.proof.cutting_planes.statements import inequality
from satsweeper.certificate.answer import answer_proof
from satsweeper.certificate.propagation import ConstraintPropagation
from satsweeper.families.table import FAMILIES
from satsweeper.optimisation import Settings
from satsweeper.optimisation.run import solve
from satsweeper.optimisation.search import LearnedClause, SearchLog, SolveStatus
from scripts.bench_solve import drawn as family
from scripts.forgeries.answers import drawn, objectives
from tests.certificate.test_answer import checked
from tests.commands import need_highs
from tests.problem_files import written


def rules(proof: bytes) -> set[str]:
    return {line.split(" ")[0] for line in proof.decode().splitlines()[2:-3]}


@pytest.mark.parametrize("seeds", [range(40), pytest.param(range(40, 400), marks=pytest.mark.slow)])
def test_what_branching_has_learned_proves_the_optimum_without_definitions(seeds):
    need_highs()
    proved = 0
    for seed in seeds:
        text = drawn(Random(seed))
        problem, log = read_problem(io.BytesIO(text.encode())), SearchLog()
        if problem.objective is None:
            continue
        outcome = solve(problem, Settings("branching"), log=log)
        made = answer_proof(text.encode(), Settings(), problem, outcome, log)
        found, values = checked(text, made.text), objectives(text)
        assert found.refuted == (not values), text
        assert found.bounds == ((min(values), min(values)) if values else None), text
        proved += rules(made.text) <= {"soli", "pol", "rup", "del"}
    assert 10 * proved > 7 * len(seeds)


@pytest.mark.parametrize(("kind", "size"), [("knapsack", 14), ("set_cover", 12), ("soft_sums", 8)])
def test_a_tree_of_many_nodes_is_proved_without_definitions(kind, size):
    need_highs()
    text = written(family(kind, size, 1).problem, "opb")
    problem, log = read_problem(io.BytesIO(text.encode())), SearchLog()
    best = solve(problem, Settings("core-guided"))
    outcome = solve(problem, Settings("branching"), log=log, start=best.model)
    made = answer_proof(text.encode(), Settings(), problem, outcome, log)
    assert checked(text, made.text).bounds == (best.value, best.value)
    assert rules(made.text) <= {"soli", "pol", "rup", "del"}


def test_a_clause_of_a_log_that_does_not_follow_is_left_out():
    text = "* #variable= 2 #constraint= 1\nmin: +1 x1 +2 x2 ;\n+1 x1 +1 x2 >= 1 ;\n"
    problem, log = read_problem(io.BytesIO(text.encode())), SearchLog()
    outcome = solve(problem, Settings("core-guided"))
    log.clauses.extend([LearnedClause((-1,), {}, 0), LearnedClause((), {0: 1}, 1)])
    log.clauses.append(LearnedClause((), {}, 0))
    made = answer_proof(text.encode(), Settings(), problem, outcome, log)
    assert checked(text, made.text).bounds == (1, 1)


@pytest.mark.parametrize("name", ["regular_of_odd_sum", "torus", "langford_of_odd_sum"])
def test_equations_that_are_impossible_modulo_two_are_refuted_by_three_sums(name):
    of = FAMILIES[name]
    text = written(of.instance(of.small[-1], 1), "opb")
    problem = read_problem(io.BytesIO(text.encode()))
    outcome = solve(problem)
    made = answer_proof(text.encode(), Settings(), problem, outcome)
    assert outcome.status is SolveStatus.UNSATISFIABLE
    assert checked(text, made.text).refuted
    assert made.steps <= 3


def test_beside_a_solution_a_bound_is_proved_that_no_solution_is_below():
    closed = above = 0
    for seed in range(80):
        random = Random(seed)
        text = drawn(random)
        problem, log = read_problem(io.BytesIO(text.encode())), SearchLog()
        strategy = random.choice(["core-guided", "branching", "auto"])
        outcome = solve(problem, Settings(strategy), log=log)
        if problem.objective is None or outcome.model is None:
            continue
        # As if the time had been over before: some of the arguments, and a solution.
        del log.cores[random.randint(0, len(log.cores)) :]
        del log.clauses[random.randint(0, len(log.clauses)) :]
        outcome = replace(outcome, status=SolveStatus.SATISFIABLE)
        made = answer_proof(text.encode(), Settings(), problem, outcome, log)
        bounds = checked(text, made.text).bounds
        assert bounds is not None
        lower, upper = bounds
        assert lower <= min(objectives(text)) <= upper == outcome.value
        assert (made.bound, made.closed) == (lower, lower == upper)
        closed += made.closed
        above += lower > sum(min(w, 0) for w in problem.objective.weights)
    assert min(closed, above) > 10


def test_the_optimum_of_no_terms_is_any_solution():
    text = "+1 x1 +1 x2 >= 1 ;\n"
    problem = read_problem(io.BytesIO(b"min: ;\n" + text.encode()))
    outcome = solve(problem)
    assert outcome.status is SolveStatus.OPTIMUM
    assert checked(text, answer_proof(text.encode(), Settings(), problem, outcome).text).satisfied


def test_what_propagation_names_is_enough_and_what_it_refutes_has_no_solution():
    refuted = 0
    for seed in range(400):
        random = Random(seed)
        known, rows = ConstraintPropagation(), []
        for _ in range(random.randint(2, 7)):
            chosen = random.sample(range(1, 7), random.randint(1, 4))
            terms = {v * random.choice((1, -1)): random.randint(1, 4) for v in chosen}
            rows.append((terms, random.randint(1, max(sum(terms.values()) - 1, 1))))
            if known.add(*rows[-1]) is not None:
                break
        else:
            lits = [v * random.choice((1, -1)) for v in random.sample(range(1, 7), 3)]
            found = known.refute(lits)
            if found is None:
                continue
            refuted += 1
            assert {*found.assumed} <= {*lits}
            texts = [
                " ".join(f"{w} {'~' * (lit < 0)}x{abs(lit)}" for lit, w in terms.items())
                for terms, _ in (rows[index] for index in found.indices)
            ]
            hints = [
                inequality(f"{text} >= {rows[index][1]}".split())[0]
                for text, index in zip(texts, found.indices, strict=True)
            ]
            true = {*found.assumed, *found.known}
            assert any(-lit in true for lit in true) or refuted_by(hints, true)
            # The checker's propagation agrees, and so does trying all assignments.
            for bits in product((1, -1), repeat=6):
                model = {sign * v for v, sign in enumerate(bits, start=1)}
                holds = all(sum(w for lit, w in t.items() if lit in model) >= d for t, d in rows)
                assert not (holds and {*found.assumed} <= model)
    assert refuted > 40
