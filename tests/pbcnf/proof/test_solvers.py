"""What solvers log passes if it is right; drat-trim and cake_lpr agree where they are installed."""

from __future__ import annotations

import random
import shutil
import subprocess
from pathlib import Path

import pytest
from pysat.solvers import Solver

from pbcnf.proof import (
    Addition,
    check_drat,
    check_lrat,
    parse_drat,
    read_lrat,
    session_lemmas,
    to_lrat,
    write_lrat,
)
from tests.pbcnf.proof.formulas import (
    Clauses,
    extended_resolution,
    pigeonhole,
    random_clauses,
    refuted,
    solver_proof,
)

RIGHT = ["cadical153", "cadical195", "glucose4", "maplechrono", "lingeling"]


def test_proofs_of_maplesat_are_refused_because_every_variable_is_shifted() -> None:
    # Three holes are so symmetric that the shifted proof is one too.
    for clauses in (clauses for name, clauses in refuted().items() if name != "pigeonhole 3"):
        proof = parse_drat(solver_proof("maplesat", clauses))
        checked = check_drat(clauses, proof)
        assert not checked
        by = [
            Addition(tuple(lit - 1 if lit > 0 else lit + 1 for lit in step.literals))
            for step in session_lemmas(proof)
        ]
        assert check_drat(clauses, by)


@pytest.mark.parametrize("name", RIGHT)
def test_an_empty_clause_that_a_solver_logs_under_assumptions_is_refused(name: str) -> None:
    clauses = [[-50, *clause] for clause in refuted()["random 20"]]
    with Solver(name, bootstrap_with=clauses, with_proof=True) as solver:
        assert not solver.solve(assumptions=[50])
        proof = parse_drat("\n".join(line.strip() for line in solver.get_proof()).encode())
    assert not check_drat(clauses, proof)
    assert check_drat(clauses, session_lemmas(proof), goals=[[-50]])
    assert not check_drat(clauses, session_lemmas(proof), goals=[[50]])
    assert check_drat([*clauses, [50]], session_lemmas(proof))


@pytest.mark.parametrize("name", RIGHT)
def test_one_session_proves_all_its_backbone_and_nothing_else(name: str) -> None:
    clauses = random_clauses(random.Random(8), 30, 115)
    with Solver(name, bootstrap_with=clauses, with_proof=True) as solver:
        literals = [sign * var for var in range(1, 31) for sign in (1, -1)]
        certain = [lit for lit in literals if not solver.solve(assumptions=[-lit])]
        open_literals = [lit for lit in literals if lit not in certain]
        lines = "\n".join(line.strip() for line in solver.get_proof()).encode()
    assert certain
    assert open_literals
    lemmas = session_lemmas(parse_drat(lines))
    goals = [[lit] for lit in certain]
    assert check_drat(clauses, lemmas, goals=goals)
    for lit in open_literals:
        assert not check_drat(clauses, lemmas, goals=[*goals, [lit]])
    hints = to_lrat(clauses, lemmas, goals=goals)
    assert check_lrat(clauses, hints, goals=goals)
    assert not check_lrat(clauses, hints, goals=[*goals, [open_literals[0]]])
    some_wrong = [*clauses, [-lit for lit in certain]]
    assert check_drat(some_wrong, [*lemmas, *(Addition((lit,)) for lit in certain)])


def dimacs(clauses: Clauses) -> str:
    most = max(abs(lit) for clause in clauses for lit in clause)
    lines = [" ".join(map(str, [*clause, 0])) for clause in clauses]
    return "\n".join([f"p cnf {most} {len(clauses)}", *lines, ""])


def says_verified(program: str, *arguments: Path | str) -> bool:
    run = subprocess.run(
        [program, *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False
    )
    return "s VERIFIED" in run.stdout


@pytest.fixture(scope="module")
def drat_trim() -> str:
    return shutil.which("drat-trim") or pytest.skip("drat-trim is not on PATH")


@pytest.fixture(scope="module")
def cake_lpr() -> str:
    return shutil.which("cake_lpr") or pytest.skip("cake_lpr is not on PATH")


@pytest.mark.parametrize("solver", [*RIGHT, "maplesat"])
def test_drat_trim_agrees_on_proofs_of_solvers_and_its_hints_pass(
    solver: str, drat_trim: str, tmp_path: Path
) -> None:
    cnf, log, hints = tmp_path / "a.cnf", tmp_path / "a.drat", tmp_path / "a.lrat"
    for clauses in refuted().values():
        cnf.write_text(dimacs(clauses))
        log.write_bytes(solver_proof(solver, clauses))
        verified = says_verified(drat_trim, cnf, log, "-L", hints)
        for backward in (False, True):
            checked = check_drat(clauses, parse_drat(log.read_bytes()), backward=backward)
            assert checked.verified == verified
        if verified:
            assert check_lrat(clauses, read_lrat(hints))


def test_drat_trim_accepts_what_passes_after_mutation(drat_trim: str, tmp_path: Path) -> None:
    rng = random.Random(10)
    cnf, log = tmp_path / "a.cnf", tmp_path / "a.drat"
    clauses = refuted()["random 30"]
    cnf.write_text(dimacs(clauses))
    lines = solver_proof("glucose4", clauses).splitlines()
    for _ in range(15):
        kept = [line for line in lines if rng.random() > 0.1]
        log.write_bytes(b"\n".join(kept) + b"\n")
        proof = parse_drat(log.read_bytes())
        assert check_drat(clauses, proof, backward=True).verified == says_verified(
            drat_trim, cnf, log
        )
        assert check_drat(clauses, proof).verified == says_verified(drat_trim, cnf, log, "-f")


def test_extended_resolution_and_proofs_of_solvers_pass_everywhere(
    drat_trim: str, cake_lpr: str, tmp_path: Path
) -> None:
    cases = [(pigeonhole(holes), extended_resolution(holes)) for holes in (3, 6)]
    for clauses in refuted().values():
        cases += [(clauses, parse_drat(solver_proof(solver, clauses))) for solver in RIGHT]
    cnf, log, hints = tmp_path / "a.cnf", tmp_path / "a.drat", tmp_path / "a.lrat"
    for clauses, proof in cases:
        cnf.write_text(dimacs(clauses))
        with hints.open("w") as stream:
            write_lrat(to_lrat(clauses, proof), stream)
        assert says_verified(cake_lpr, cnf, hints)
    for clauses, proof in cases[:2]:
        cnf.write_text(dimacs(clauses))
        log.write_text("".join(" ".join(map(str, [*step.literals, 0])) + "\n" for step in proof))
        assert says_verified(drat_trim, cnf, log, "-L", hints)
        assert check_lrat(clauses, read_lrat(hints)).rat > 0
