"""The one pseudo-Boolean proof: it proves what the problem says, and the problem is the board's."""

import random
import re
from collections.abc import Callable, Iterator
from itertools import pairwise, product
from typing import Any

import pytest

from pbcnf.proof import LratAddition
from pbcnf.proof.cutting_planes import ProofError, check_proof
from satsweeper.certificate.refutation import Refutation, implied, refute
from tests.checker.mutated import mutated

Forge = Callable[[str], Any]
PROVED = ("total", "open", "clash", "clash by the total", "interior")
CONSISTENT = ("total", "open", "interior")
ROW = re.compile(r"((?:[+-]1 x[0-9]+ )*)(=|>=) (-?[0-9]+) ;")


def models(problem: str) -> Iterator[tuple[int, ...]]:
    """All assignments that satisfy an OPB problem of ones and minus ones, tried one by one."""
    head, *lines = problem.splitlines()
    rows = []
    for line in lines:
        match = ROW.fullmatch(line)
        assert match is not None, line
        words = match[1].split()
        terms = [(int(w), int(x[1:])) for w, x in zip(words[::2], words[1::2], strict=True)]
        rows.append((terms, match[2], int(match[3])))
    for values in product((0, 1), repeat=int(head.split()[2])):
        sums = [(sum(w * values[v - 1] for w, v in terms), op, n) for terms, op, n in rows]
        if all(found == n if op == "=" else found >= n for found, op, n in sums):
            yield values


@pytest.mark.parametrize("name", PROVED)
def test_the_problem_has_no_model_and_without_the_claim_those_of_the_board(forge, name):
    forged = forge(name)
    problem = forged.text("proof.opb")
    assert not list(models(problem))
    board = list(models(forged.text("clues.opb")))
    if forged.about["grid"] is None:
        assert problem == forged.text("clues.opb")
        assert not board
        return
    *lines, _ = problem.splitlines()
    assert list(models("\n".join(lines))) == board
    variables = {
        tuple(each["cell"]): int(v) - 1 for v, each in forged.json("map.json")["variables"].items()
    }
    for verdict, values in (("M", {1}), ("S", {0}), ("?", {0, 1})):
        for cell in forged.cells_with(verdict):
            assert {model[variables[cell]] for model in board} == values


@pytest.mark.parametrize("name", [*PROVED, "expert"])
def test_the_proof_is_checked_and_alone_it_is_enough(forge, name):
    forged = forge(name)
    assert forged.check().one_proof
    assert check_proof(forged.files["proof.opb"], forged.files["proof.pbp"]).refuted


@pytest.mark.parametrize("name", PROVED)
def test_older_certificates_do_not_have_it_and_hold(forge, name):
    forged = forge(name)
    for file in [file for file in forged.files if "proof." in file]:
        del forged.files[file]
    assert not forged.check().one_proof


@pytest.mark.parametrize("missing", ["proof.opb", "proof.pbp"])
def test_half_of_it_is_refused(forge, missing):
    forged = forge("open")
    del forged.files[missing]
    assert forged.fault().file == "manifest.json"


@pytest.mark.parametrize("name", ["expert", "total", "open"])
def test_each_step_is_used_and_in_a_number_of_the_new_proof(forge, name):
    """Trimmed: a constraint that is derived is a hint or an operand later, or the conclusion."""
    lines = forge(name).lines("proof.pbp")
    number = given = int(lines[1].split()[1])
    used: set[int] = set()
    for line in lines[2:-3]:
        rule, *words = line.split()
        if rule == "rup":
            words = words[words.index("~", words.index(">=")) + 1 :]
        if rule in ("rup", "pol"):
            pairs = pairwise(words)
            now = {int(w) for w, behind in pairs if w.isdigit() and behind not in "*d"}
            assert max(now) <= number
            used |= now
        number += rule != "del"
    assert int(lines[-2].split()[-2]) == number
    assert used.issuperset(range(given + 1, number))
    assert given in used  # the claim


def other_boards(forge: Forge, name: str) -> Iterator[str]:
    """Problems that are not that of the board and its verdicts."""
    head, *rows = forge(name).lines("proof.opb")
    text = "".join(f"{row}\n" for row in rows)
    yield f"{head}\n{text}+1 x1 >= 1 ;\n"
    yield f"{head}\n" + "".join(f"{row}\n" for row in rows[:-1])
    for at, row in enumerate(rows):
        number = int(row.split()[-2])
        changed = [*rows[:at], row.replace(f"= {number} ;", f"= {number + 1} ;"), *rows[at + 1 :]]
        yield f"{head}\n" + "".join(f"{one}\n" for one in changed)
        if at < len(rows) - 1:
            yield f"{head}\n" + "".join(f"{one}\n" for one in [*rows[:at], *rows[at + 1 :]])
    words = rows[-1].split()
    if len(words) > 5:  # fewer verdicts than are claimed
        shorter = " ".join([*words[2:-2], str(int(words[-2]) + (words[0] == "-1")), ";"])
        yield f"{head}\n" + "".join(f"{row}\n" for row in [*rows[:-1], shorter])
    fewer = re.sub(r"#variable= (\d+)", lambda m: f"#variable= {int(m[1]) + 1}", head)
    yield f"{fewer}\n{text}"


@pytest.mark.parametrize("name", CONSISTENT)
def test_a_proof_about_another_board_or_other_claims_is_refused(forge, name):
    for problem in other_boards(forge, name):
        forged = forge(name)
        forged.files["proof.opb"] = problem.encode()
        assert forged.fault().file == "proof.opb", problem
    for other in PROVED:
        if other != name:
            forged, source = forge(name), forge(other)
            forged.files |= {file: source.files[file] for file in ("proof.opb", "proof.pbp")}
            assert forged.fault().file == "proof.opb"


def test_a_proof_that_concludes_nothing_is_refused(forge):
    forged = forge("open")
    conclusion = forged.lines("proof.pbp")[-2]
    forged.replace("proof.pbp", conclusion, "conclusion NONE ;")
    fault = forged.fault()
    assert (fault.file, "conclude" in fault.fault) == ("proof.pbp", True)


@pytest.mark.parametrize("name", CONSISTENT)
def test_no_mutation_proves_a_false_verdict(forge, name):
    """The judge is brute force: a problem with a model has no proof, whatever is written."""
    rng = random.Random(20)
    forged = forge(name)
    head, *rows, _ = forged.lines("proof.opb")
    cells = int(head.split()[2])
    lines = forged.lines("proof.pbp")
    refused = 0
    for _ in range(150):
        proof = "".join(f"{line}\n" for line in mutated(lines, rng))
        claim = rng.sample(range(1, cells + 1), rng.randint(1, cells))
        signs = [rng.choice((1, -1)) for _ in claim]
        terms = "".join(f"{sign:+d} x{v} " for sign, v in zip(signs, claim, strict=True))
        problem = "\n".join([head, *rows, f"{terms}>= {1 - signs.count(-1)} ;"])
        false = next(models(problem), None) is not None
        try:
            found = check_proof(problem.encode(), proof.encode(), most_digits=40).refuted
        except ProofError:
            found = False
        assert not (found and false), f"{problem}\n{proof}"
        refused += not found
    assert refused > 100


def test_proofs_of_single_cells_are_made_and_checked_as_well(forge):
    forged = forge("total")
    assert {name for name in forged.files if name.endswith("/proof.pbp")} == {
        "cells/0_2/proof.pbp", "cells/1_4/proof.pbp",
    }  # fmt: skip
    forged.files["cells/0_2/proof.pbp"] = forged.files["cells/1_4/proof.pbp"]
    forged.files["cells/0_2/proof.opb"] = forged.files["cells/1_4/proof.opb"]
    assert forged.fault().file == "cells/0_2/proof.opb"


def test_a_lemma_that_is_not_implied_is_not_written():
    clauses = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
    rat = Refutation([LratAddition(5, (3,), (-4,)), *refute(clauses, "glucose4").lrat])
    assert not rat.implied
    assert implied(rat, clauses).implied
    plain = refute(clauses, "glucose3")
    assert implied(plain, clauses) is plain
