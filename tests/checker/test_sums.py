"""Forged proofs by sums: refused, or what they say is true all the same."""

import random
import shutil
from typing import Any

import pytest

from pbcnf.proof.cutting_planes import check_proof
from satsweeper.certificate.certify import certify_within
from satsweeper.checker.check import check
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.external import check_externally
from satsweeper.checker.sums_recheck import add_up
from satsweeper.families.table import FAMILIES
from tests.checker.mutated import mutated

INSTANCES = {
    "two cells": ("chessboard_with_private_cells", 10),
    "another contradiction": ("mutilated_chessboard", 10),
    "contradiction": ("mutilated_chessboard", 12),
    "with clauses": ("parity_lattice_with_open_end", 10),
}


@pytest.fixture(scope="session")
def certificates():
    # Made in processes that have HiGHS, whatever a test before has loaded here.
    return {
        name: certify_within(200, FAMILIES[family].instance(size))
        for name, (family, size) in INSTANCES.items()
    }


def test_there_is_one_of_each_kind(certificates):
    assert [one.about["proof"] for one in certificates.values()] == [*["sums"] * 3, "both"]


def test_the_one_proof_of_each_holds_by_itself_and_for_veripb(certificates):
    for certificate in certificates.values():
        files = {name: certificate.files[name] for name in ("proof.opb", "proof.pbp")}
        assert check_proof(*files.values()).refuted
        asked = ["veripb"] if shutil.which("veripb") else []
        assert check_externally(files, "", 60) == asked


def test_a_verdict_that_no_sum_proves_is_refused(forge):
    forged = forge("two cells")
    cell = next(forged.cells_with("?"))
    forged.change_verdict(cell, "S")
    fault = forged.fault()
    assert (fault.file, fault.fault) == ("sums.pbp", f"the verdict of {cell} is not proved")


def test_a_verdict_turned_round_is_refused(forge):
    forged = forge("two cells")
    forged.change_verdict(next(forged.cells_with("S")), "M")
    assert forged.fault().file == "sums.pbp"


def test_a_board_with_layouts_cannot_be_called_inconsistent_by_sums(forge):
    forged = forge("two cells")
    forged.about.update(status="inconsistent", grid=None)
    del forged.files["layouts.json"]
    fault = forged.fault()
    assert (fault.file, fault.fault) == ("sums.pbp", "that there is no layout is not proved")
    concluded = forge("two cells")
    concluded.about.update(status="inconsistent", grid=None)
    del concluded.files["layouts.json"]
    last = len(concluded.lines("sums.pbp")) - 5
    concluded.replace("sums.pbp", "conclusion NONE", f"conclusion UNSAT : {last}")
    assert concluded.fault().file == "sums.pbp"


def test_a_contradiction_that_is_not_concluded_is_refused(forge):
    forged = forge("contradiction")
    kept = [line for line in forged.lines("sums.pbp") if not line.startswith("conclusion")]
    forged.put_lines("sums.pbp", [*kept[:-1], "conclusion NONE ;", kept[-1]])
    assert forged.fault().fault == "that there is no layout is not proved"


@pytest.mark.parametrize("way", ["magic", None, 1, ["sums"]])
def test_a_way_of_proving_that_is_not_known_is_refused(forge, way):
    forged = forge("two cells")
    forged.about["proof"] = way
    fault = forged.fault()
    assert (fault.file, fault.fault) == (
        "manifest.json",
        "proof: not one of clauses, sums, both",
    )


def test_each_way_has_exactly_its_files(forge):
    for way in ("clauses", "both"):
        forged = forge("two cells")
        forged.about["proof"] = way
        assert forged.fault().fault.startswith("files: ")
    forged = forge("with clauses")
    forged.about["proof"] = "sums"
    assert forged.fault().fault.startswith("files: ")


def test_a_clause_that_no_sum_proves_is_refused(forge):
    forged = forge("with clauses")
    clauses = forged.clauses("refutation.cnf")
    forged.put_clauses("refutation.cnf", [*clauses[:-1], "1 2 3 0", clauses[-1]])
    number = len(clauses)
    fault = forged.fault()
    assert fault.file == "refutation.cnf"
    assert fault.fault == f"clause {number} is not in formula.cnf, and sums.pbp does not prove it"


def test_sums_may_not_use_a_clue_that_the_board_does_not_have(forge):
    forged = forge("contradiction")
    lines = forged.lines("clues.opb")
    place = next(n for n, line in enumerate(lines) if line.endswith("= 1 ;"))
    forged.put_lines("clues.opb", [*lines[:place], *lines[place + 1 :]])
    assert forged.fault().file == "clues.opb"


def mutations(forge: Any, certificates: Any, seeds: range) -> tuple[int, int]:
    """How many were refused, and how many were harmless; fails if one proves a false claim."""
    refused = harmless = 0
    for seed in seeds:
        chance = random.Random(seed)
        name = chance.choice([*INSTANCES])
        forged = forge(name)
        changed = chance.choice(
            [file for file in ("sums.pbp", "sums.pbp", "clues.opb") if file in forged.files]
        )
        forged.put_lines(changed, mutated(forged.lines(changed), chance))
        if forged.about["grid"] and chance.random() < 0.5:
            # A claim that is not true: nothing may make it pass.
            forged.change_verdict(next(forged.cells_with("?")), chance.choice("SM"))
            with pytest.raises(WrongCertificateError):
                forged.check()
            refused += 1
            continue
        try:
            found = check(forged.write(), external=False)
        except WrongCertificateError:
            refused += 1
            continue
        harmless += 1
        about = certificates[name].about
        assert (found.status, found.grid and [*found.grid]) == (about["status"], about["grid"])
    return refused, harmless


def test_mutations_of_proofs_are_refused_or_harmless(forge, certificates):
    refused, harmless = mutations(forge, certificates, range(80))
    assert refused > harmless > 0


PROBLEM = "* a comment\n+1 x1 +1 x2 +1 x3 = 1 ;\n+1 x3 +1 x4 = 1 ;\n"


@pytest.mark.parametrize(
    ("step", "fault"),
    [
        ("pol 1 0 d ;", "0 where a number above 0 should be"),
        ("pol 1 3 ;", "too many values to unpack (expected 1)"),
        ("pol + ;", "pop from empty list"),
        ("pol 9 ;", "list index out of range"),
        ("rup 1 x1 >= 1 : ~ 1 ;", "the clause does not follow from that constraint"),
        ("rup 1 ~x1 >= 1 : ~ 1 2 ;", "no step of sums"),
        ("red 1 x5 >= 1 : x5 -> 1 ;", "no step of sums"),
        ("conclusion UNSAT : 7 ;", "list index out of range"),
    ],
)
def test_a_step_that_is_not_sound_is_refused_by_who_adds_up_again(step, fault):
    with pytest.raises(WrongCertificateError) as refused:
        add_up(PROBLEM, f"pseudo-Boolean proof version 3.0\nf 4 ;\n{step}\n", "sums.pbp")
    assert refused.value.fault == f"line 3: added up again: {fault}"


def test_who_adds_up_again_finds_what_constraints_force():
    steps = "pol 1 x1 + ;\npol 4 ~x4 + ;\nrup 1 ~x1 1 ~x2 >= 1 : ~ 2 ;\n"
    found = add_up(PROBLEM, f"pseudo-Boolean proof version 3.0\nf 4 ;\n{steps}", "sums.pbp")
    assert not found.refuted
    assert found.literals == set()
    assert frozenset({-1, -2}) in found.clauses
    one = add_up("* one\n+1 x1 = 1 ;\n+1 x1 +1 x2 = 1 ;\n", "header\nf 4 ;\npol 4 1 + ;\n", "")
    # At least one of x1; at most one of both, and x1: at most none of x2.
    assert one.literals == {1, -2}
