"""drat-trim and cake_lpr, where they are installed, agree."""

from __future__ import annotations

import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from pbcnf.proof import (
    check_drat,
    check_lrat,
    parse_drat,
    read_lrat,
    to_lrat,
    write_lrat,
)

Clauses = list[list[int]]
SOLVERS = ["cadical153", "cadical195", "glucose4", "maplechrono", "lingeling", "maplesat"]


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


@pytest.mark.parametrize("solver", SOLVERS)
def test_drat_trim_agrees_on_proofs_of_solvers_and_its_hints_pass(
    solver: str,
    drat_trim: str,
    refuted: dict[str, Clauses],
    prove: Callable[..., bytes],
    tmp_path: Path,
) -> None:
    cnf, log, hints = tmp_path / "a.cnf", tmp_path / "a.drat", tmp_path / "a.lrat"
    for clauses in refuted.values():
        cnf.write_text(dimacs(clauses))
        log.write_bytes(prove(solver, clauses))
        verified = says_verified(drat_trim, cnf, log, "-L", hints)
        for backward in (False, True):
            checked = check_drat(clauses, parse_drat(log.read_bytes()), backward=backward)
            assert checked.verified == verified
        if verified:
            assert check_lrat(clauses, read_lrat(hints))


def test_drat_trim_accepts_what_passes_after_mutation(
    drat_trim: str, refuted: dict[str, Clauses], prove: Callable[..., bytes], tmp_path: Path
) -> None:
    rng = random.Random(10)
    cnf, log = tmp_path / "a.cnf", tmp_path / "a.drat"
    clauses = refuted["random 30"]
    cnf.write_text(dimacs(clauses))
    lines = prove("glucose4", clauses).splitlines()
    for _ in range(15):
        kept = [line for line in lines if rng.random() > 0.1]
        log.write_bytes(b"\n".join(kept) + b"\n")
        proof = parse_drat(log.read_bytes())
        assert check_drat(clauses, proof, backward=True).verified == says_verified(
            drat_trim, cnf, log
        )
        assert check_drat(clauses, proof).verified == says_verified(drat_trim, cnf, log, "-f")


def test_extended_resolution_and_proofs_of_solvers_pass_everywhere(
    drat_trim: str,
    cake_lpr: str,
    formulas: SimpleNamespace,
    refuted: dict[str, Clauses],
    prove: Callable[..., bytes],
    tmp_path: Path,
) -> None:
    cases = [(formulas.pigeonhole(holes), formulas.cook(holes)) for holes in (3, 6)]
    for clauses in refuted.values():
        cases += [(clauses, parse_drat(prove(solver, clauses))) for solver in SOLVERS[:-1]]
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
