"""Proofs that solvers write are accepted: DRAT, LRAT with spare hints, LIDRUP.

drat-trim and cake_lpr agree where they are installed. Identifiers may be in any order.
"""

from __future__ import annotations

import random
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pysolvers
import pytest
from pysat.solvers import Solver

from pbcnf.proof import (
    Addition,
    LidrupChecker,
    LratAddition,
    LratDeletion,
    LratStep,
    ProofFormatError,
    check_drat,
    check_lrat,
    parse_drat,
    parse_lrat,
    read_lrat,
    session_lemmas,
    to_lrat,
    write_lrat,
)
from tests.oracles import models
from tests.pbcnf.proof.formulas import (
    RIGHT,
    Clauses,
    change_lrat,
    extended_resolution,
    mutated,
    pigeonhole,
    random_clauses,
    refuted,
    satisfiable,
    solver_proof,
    text_of,
)
from tests.problem_files import cnf as dimacs

MOST = 99
"""More variables than any formula here has."""


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
        proof = parse_drat(text_of(solver.get_proof()))
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
        lemmas = session_lemmas(parse_drat(text_of(solver.get_proof())))
    assert certain
    assert open_literals
    goals = [[lit] for lit in certain]
    assert check_drat(clauses, lemmas, goals=goals)
    for lit in open_literals:
        assert not check_drat(clauses, lemmas, goals=[*goals, [lit]])
    hints = to_lrat(clauses, lemmas, goals=goals)
    assert check_lrat(clauses, hints, goals=goals)
    assert not check_lrat(clauses, hints, goals=[*goals, [open_literals[0]]])
    some_wrong = [*clauses, [-lit for lit in certain]]
    assert check_drat(some_wrong, [*lemmas, *(Addition((lit,)) for lit in certain)])


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
def test_drat_trim_agrees_on_proofs_of_solvers_and_its_hints_pass(solver, drat_trim, tmp_path):
    cnf, log, hints = tmp_path / "a.cnf", tmp_path / "a.drat", tmp_path / "a.lrat"
    for clauses in refuted().values():
        cnf.write_text(dimacs(MOST, clauses))
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
    cnf.write_text(dimacs(MOST, clauses))
    lines = solver_proof("glucose4", clauses).splitlines()
    for _ in range(15):
        kept = [line for line in lines if rng.random() > 0.1]
        log.write_bytes(b"\n".join(kept) + b"\n")
        proof = parse_drat(log.read_bytes())
        assert check_drat(clauses, proof, backward=True).verified == says_verified(
            drat_trim, cnf, log
        )
        assert check_drat(clauses, proof).verified == says_verified(drat_trim, cnf, log, "-f")


def test_extended_resolution_and_proofs_of_solvers_pass_everywhere(drat_trim, cake_lpr, tmp_path):
    cases = [(pigeonhole(holes), extended_resolution(holes)) for holes in (3, 6)]
    for clauses in refuted().values():
        cases += [(clauses, parse_drat(solver_proof(solver, clauses))) for solver in RIGHT]
    cnf, log, hints = tmp_path / "a.cnf", tmp_path / "a.drat", tmp_path / "a.lrat"
    for clauses, proof in cases:
        cnf.write_text(dimacs(MOST, clauses))
        with hints.open("w") as stream:
            write_lrat(to_lrat(clauses, proof), stream)
        assert says_verified(cake_lpr, cnf, hints)
    for clauses, proof in cases[:2]:
        cnf.write_text(dimacs(MOST, clauses))
        log.write_text("".join(" ".join(map(str, [*step.literals, 0])) + "\n" for step in proof))
        assert says_verified(drat_trim, cnf, log, "-L", hints)
        assert check_lrat(clauses, read_lrat(hints)).rat > 0


# -- LRAT and LIDRUP


FORMULAS = 200


def cadical_lrat(clauses: Clauses) -> bytes | None:
    """The LRAT proof that CaDiCaL 3 logs; None if the clauses are satisfiable."""
    solver = pysolvers.cadical300_new()
    with tempfile.TemporaryFile("w+") as log:
        pysolvers.cadical300_set(solver, "lrat", 1)
        pysolvers.cadical300_set(solver, "binary", 0)
        pysolvers.cadical300_tracepr(solver, log)
        for clause in clauses:
            pysolvers.cadical300_add_cl(solver, clause)
        found = pysolvers.cadical300_solve(solver, [], 0)
        pysolvers.cadical300_del(solver, None)
        log.seek(0)
        # It numbers deletions 0, and LRAT by the lemma before.
        lines = [f"1{line[1:]}" if line.startswith("0 d") else line for line in log]
    return None if found else "".join(lines).encode()


@pytest.fixture(scope="module")
def proofs() -> list[tuple[Clauses, list[LratStep]]]:
    rng = random.Random(20)
    found: list[tuple[Clauses, list[LratStep]]] = []
    while len(found) < FORMULAS:
        num_vars = rng.randint(6, 24)
        clauses = random_clauses(rng, num_vars, 6 * num_vars)
        proof = cadical_lrat(clauses)
        if proof is not None:
            found.append((clauses, parse_lrat(proof)))
    return found


def accepted(clauses: Sequence[Sequence[int]], proof: Sequence[LratStep]) -> bool:
    """The definition, for lemmas that follow by unit propagation; no literal is ever cached."""
    had = {number: tuple(clause) for number, clause in enumerate(clauses, start=1)}
    there = dict(had)
    for step in proof:
        if isinstance(step, LratDeletion):
            for number in step.deleted:
                there.pop(number, None)
            continue
        if step.identifier in had or not follows(step, there):
            return False
        had[step.identifier] = there[step.identifier] = step.literals
    return () in had.values()


def follows(step: LratAddition, there: dict[int, tuple[int, ...]]) -> bool:
    true = [-lit for lit in step.literals]
    for hint in step.hints:
        if hint not in there:
            return False
        if any(lit in true for lit in there[hint]):
            continue
        undecided = {lit for lit in there[hint] if -lit not in true}
        if not undecided:
            return True
        if len(undecided) > 1:
            return False
        true += undecided
    return False


def padded(rng: random.Random, clauses: Clauses, proof: Sequence[LratStep]) -> list[LratStep]:
    """The same proof with hints that are satisfied, repeated or behind the conflict."""
    there = {number: tuple(clause) for number, clause in enumerate(clauses, start=1)}
    changed: list[LratStep] = []
    for step in proof:
        if isinstance(step, LratDeletion):
            for number in step.deleted:
                there.pop(number, None)
            changed.append(step)
            continue
        hints, true = list[int](), {-lit for lit in step.literals}
        for hint in step.hints:
            for other in rng.choices(list(there), k=2 * (rng.random() < 0.2)):
                if not true.isdisjoint(there[other]):
                    hints.append(other)
            hints += rng.choices([*hints, hint], k=rng.random() < 0.1)
            true |= {lit for lit in there[hint] if -lit not in true}
            hints.append(hint)
        hints += rng.choices([*there, 10**6, -3], k=rng.randrange(3))
        there[step.identifier] = step.literals
        changed.append(step._replace(hints=tuple(hints)))
    return changed


def renumbered(rng: random.Random, originals: int, proof: Sequence[LratStep]) -> list[LratStep]:
    """The same proof with identifiers that are new, and in no order."""
    lemmas = [step.identifier for step in proof if isinstance(step, LratAddition)]
    fresh = rng.sample(range(originals + 1, originals + 3 * len(lemmas) + 1), len(lemmas))
    name = {**{n: n for n in range(originals + 1)}, **dict(zip(lemmas, fresh, strict=True))}

    def of(number: int) -> int:
        found = name.get(abs(number), 10**6)
        return found if number > 0 else -found

    return [
        step._replace(deleted=tuple(map(of, step.deleted)))
        if isinstance(step, LratDeletion)
        else step._replace(identifier=of(step.identifier), hints=tuple(map(of, step.hints)))
        for step in proof
    ]


def test_what_cadical_writes_of_random_formulas_is_accepted(proofs) -> None:
    assert len(proofs) == FORMULAS
    for clauses, proof in proofs:
        checked = check_lrat(clauses, proof)
        assert checked, checked.reason
        assert accepted(clauses, proof)
        assert not satisfiable([clauses[number - 1] for number in checked.core])


def test_hints_that_are_not_needed_and_any_new_identifiers_are_accepted_unless_strict(proofs):
    rng = random.Random(21)
    refused = 0
    for clauses, proof in proofs:
        changed = padded(rng, clauses, proof)
        for other in (changed, renumbered(rng, len(clauses), changed)):
            assert accepted(clauses, other)
            checked = check_lrat(clauses, other)
            assert checked, checked.reason
            assert not satisfiable([clauses[number - 1] for number in checked.core])
        refused += not check_lrat(clauses, changed, strict=True)
    assert refused > FORMULAS // 2


def test_a_spoilt_proof_is_judged_as_defined_and_refutes_no_satisfiable_formula(proofs) -> None:
    rng = random.Random(22)
    verdicts = {True: 0, False: 0}
    with_models = 0
    for clauses, proof in proofs:
        whole = renumbered(rng, len(clauses), padded(rng, clauses, proof))
        most = max(abs(lit) for clause in clauses for lit in clause)
        last = max(step.identifier for step in whole)
        other = mutated(rng, whole, change_lrat(rng, most, last))
        checked = check_lrat(clauses, other)
        if not any(hint < 0 for step in other for hint in getattr(step, "hints", ())):
            assert checked.verified == accepted(clauses, other)
        verdicts[checked.verified] += 1
        core = clauses if not checked else [clauses[number - 1] for number in checked.core]
        assert not checked or not satisfiable(core)
        # Without the clauses that it cannot spare the formula has a model.
        kept = list(clauses)
        for place in rng.sample(range(len(clauses)), 6):
            kept[place] = [kept[place][0], -kept[place][0]]
            if satisfiable(kept):
                assert not check_lrat(kept, other)
                assert not check_lrat(kept, proof)
                with_models += 1
                break
    assert min(*verdicts.values(), with_models) > FORMULAS // 20


def test_the_proof_that_began_with_a_satisfied_hint() -> None:
    cnf = [[2], [1, -2], [-1, -2]]
    proof = parse_lrat(b"4 -2 0 1 2 3 0\n5 0 4 1 0\n")
    assert check_lrat(cnf, proof)
    assert not check_lrat(cnf, proof, strict=True)


@pytest.mark.parametrize("strict", [False, True])
def test_no_lemma_takes_an_identifier_that_was_there(strict: bool) -> None:
    cnf = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
    for reason, proof in (
        ("4, but 4", b"4 2 0 1 2 0\n"), ("1, but", b"5 2 0 1 2 0\n1 0 5 3 4 0\n"),
        ("5, but 5", b"5 2 0 1 2 0\n5 d 5 0\n5 2 0 1 2 0\n"),
        ("2, but", b"4 d 2 0\n2 1 2 0 1 0\n"),
    ):  # fmt: skip
        checked = check_lrat(cnf, parse_lrat(proof), strict=strict)
        assert f"identifier {reason}" in checked.reason
    for number in (0, -1):
        assert not check_lrat(cnf, [LratAddition(number, (2,), (1, 2))], strict=strict)


INPUTS = ["i 1 1 2 0", "i 2 -1 2 0"]


def events(*lines: str) -> list[str]:
    found = LidrupChecker().events(line.encode() for line in ("p lidrup", *lines))
    return [event.kind for event in found]


def test_a_clause_that_is_set_aside_counts_again_once_it_is_taken_back() -> None:
    core = ["q -2 0", "s UNSATISFIABLE", "u -2 0 1 2 0"]
    assert events(*INPUTS, "w 1 0", "r 1 0", *core) == ["i", "i", "u"]
    with pytest.raises(ProofFormatError, match="lidrup:7: the core: hint 1 names no clause"):
        events(*INPUTS, "w 1 0", *core)


def test_a_model_is_held_to_inputs_that_were_deleted() -> None:
    with pytest.raises(ProofFormatError, match="the model violates input clause '-1 2'"):
        events(*INPUTS, "d 2 0", "q 1 0", "s SATISFIABLE", "m 1 -2 0")


@pytest.mark.parametrize(
    ("lines", "fault"),
    [(["i 1 3 0"], "4: clause 1 is there already"), (["d 7 0"], "4: no clause 7 is there"),
     (["i -1 3 0"], "4: an identifier above 0 comes first"),
     (["r 1 0"], "4: no clause 1 is set aside"), (["s SATISFIABLE"], "4: an answer to no query"),
     (["q 1 0", "i 3 1 0"], "5: an input before the query has its answer"),
     (["q 1 0", "s SATISFIABLE", "u 1 0 1 0"], "6: 'u', but the query awaits its 'm'"),
     (["q 1 0", "m 1 2 0"], "5: 'm' answers no query"),
     (["q 1 0", "s SATISFIABLE", "m 1 -1 2 0"], "6: the model has a literal and its opposite"),
     (["q 1 2"], "4: 'q' has a 0 once, at the end"), (["q one 0"], "4: 'one' is no integer"),
     (["l 3 2 0"], "4: 'l' has a 0 twice, at the end"),
     (["x 1 0"], "4: no line of LIDRUP: 'x 1 0'"),
     (["q 1\x0b2 0"], "4: only blanks and tabs are between words")],
)  # fmt: skip
def test_what_is_wrong_is_told_with_its_line(lines: list[str], fault: str) -> None:
    with pytest.raises(ProofFormatError) as caught:
        events(*INPUTS, *lines)
    assert str(caught.value).startswith(f"lidrup:{fault}")


def test_the_first_line_is_the_header() -> None:
    with pytest.raises(ProofFormatError, match="lidrup:1: expected 'p lidrup', not 'i 1 1 0'"):
        list(LidrupChecker().events([b"i 1 1 0"]))


def test_an_unknown_answer_leaves_the_query_behind() -> None:
    assert events(*INPUTS, "q 1 0", "s UNKNOWN", "i 3 1 0") == ["i", "i", "i"]


@pytest.mark.parametrize("seed", range(4))
def test_whatever_hints_are_given_what_is_accepted_is_implied(seed: int) -> None:
    rnd = random.Random(seed)
    accepted = 0
    for _ in range(500):
        inputs = [rnd.sample([1, -1, 2, -2, 3, -3, 4, -4], rnd.randint(1, 2)) for _ in range(7)]
        checker = LidrupChecker()
        told = [f"i {n} {' '.join(map(str, one))} 0" for n, one in enumerate(inputs, 1)]
        list(checker.events(line.encode() for line in ("p lidrup", *told)))
        for number in range(8, 14):
            clause = rnd.sample([1, -1, 2, -2, 3, -3, 4, -4], rnd.randint(0, 2))
            hints = rnd.sample(range(1, number), rnd.randint(1, 4))
            line = f"l {number} {' '.join(map(str, clause))} 0 {' '.join(map(str, hints))} 0"
            try:
                list(checker.events([line.replace("  ", " ").encode()]))
            except ProofFormatError:
                break
            accepted += 1
            assert models([*inputs, clause], 4) == models(inputs, 4)
    assert accepted > 20
