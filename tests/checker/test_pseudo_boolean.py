"""Pseudo-Boolean proofs, by sums and of all claims in one: refused, or what they say is true."""

import random
import re
import shutil
from collections.abc import Iterator
from itertools import pairwise, product

import pytest

from pbcnf.proof import LratAddition
from pbcnf.proof.cutting_planes import ProofError, check_proof
from satsweeper.certificate.refutation import implied, refute
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.external import check_externally
from satsweeper.checker.sums_recheck import add_up, given, polished
from tests.checker.mutated import mutated
from tests.oracles import assignments, weighted_sum
from tests.problem_files import pb_proof

BY_SUMS = ("two cells", "another contradiction", "contradiction", "with clauses")


def test_the_one_proof_of_each_kind_holds_by_itself_and_for_veripb(certificates):
    kinds = [certificates[name].about["proof"] for name in BY_SUMS]
    assert kinds == [*["sums"] * 3, "both"]
    for name in BY_SUMS:
        files = {file: certificates[name].files[file] for file in ("proof.opb", "proof.pbp")}
        assert check_proof(*files.values()).refuted
        asked = ["veripb"] if shutil.which("veripb") else []
        assert check_externally(files, "", 60) == asked


def test_a_verdict_that_no_sum_proves_is_refused(forge):
    forged = forge("two cells")
    cell = next(forged.cells_with("?"))
    forged.change_verdict(cell, "S")
    forged.refused("sums.pbp", f"the verdict of {cell} is not proved")
    turned_round = forge("two cells")
    turned_round.change_verdict(next(turned_round.cells_with("S")), "M")
    turned_round.refused("sums.pbp")


def test_a_board_with_layouts_cannot_be_called_inconsistent_by_sums(forge):
    forged = forge("two cells")
    forged.claim_inconsistent()
    forged.refused("sums.pbp", "that there is no layout is not proved")
    concluded = forge("two cells")
    concluded.claim_inconsistent()
    last = len(concluded.lines("sums.pbp")) - 5
    concluded.replace("sums.pbp", "conclusion NONE", f"conclusion UNSAT : {last}")
    concluded.refused("sums.pbp")


def test_a_contradiction_that_is_not_concluded_is_refused(forge):
    forged = forge("contradiction")
    kept = [line for line in forged.lines("sums.pbp") if not line.startswith("conclusion")]
    forged.put_lines("sums.pbp", [*kept[:-1], "conclusion NONE ;", kept[-1]])
    forged.refused("sums.pbp", "that there is no layout is not proved")


@pytest.mark.parametrize("way", ["magic", None, 1, ["sums"]])
def test_a_way_of_proving_that_is_not_known_is_refused(forge, way):
    forged = forge("two cells")
    forged.about["proof"] = way
    forged.refused("manifest.json", "proof: not one of clauses, sums, both")


def test_each_way_has_exactly_its_files(forge):
    for name, way in (("two cells", "clauses"), ("two cells", "both"), ("with clauses", "sums")):
        forged = forge(name)
        forged.about["proof"] = way
        forged.refused("manifest.json", "files: ")


def test_a_clause_that_no_sum_proves_is_refused(forge):
    forged = forge("with clauses")
    clauses = forged.clauses("refutation.cnf")
    forged.put_clauses("refutation.cnf", [*clauses[:-1], "1 2 3 0", clauses[-1]])
    fault = f"clause {len(clauses)} is not in formula.cnf, and sums.pbp does not prove it"
    forged.refused("refutation.cnf", fault)


def test_sums_may_not_use_a_clue_that_the_board_does_not_have(forge):
    forged = forge("contradiction")
    lines = forged.lines("clues.opb")
    place = next(n for n, line in enumerate(lines) if line.endswith("= 1 ;"))
    forged.put_lines("clues.opb", [*lines[:place], *lines[place + 1 :]])
    forged.refused("clues.opb")


def test_mutations_of_proofs_are_refused_or_harmless(forge, certificates):
    refused = harmless = 0
    for seed in range(80):
        chance = random.Random(seed)
        name = chance.choice(BY_SUMS)
        forged = forge(name)
        changed = chance.choice(["sums.pbp", "sums.pbp", "clues.opb"])
        forged.put_lines(changed, mutated(forged.lines(changed), chance))
        if forged.about["grid"] and chance.random() < 0.5:
            # A claim that is not true: nothing may make it pass.
            forged.change_verdict(next(forged.cells_with("?")), chance.choice("SM"))
        try:
            found = forged.check()
        except WrongCertificateError:
            refused += 1
            continue
        harmless += 1
        about = certificates[name].about
        assert (found.status, found.grid and [*found.grid]) == (about["status"], about["grid"])
    assert refused > harmless > 0


PROBLEM = "* a comment\n+1 x1 +1 x2 +1 x3 = 1 ;\n+1 x3 +1 x4 = 1 ;\n"


@pytest.mark.parametrize(
    ("step", "fault"),
    [("pol 1 0 d ;", "0 where a number above 0 should be"),
     ("pol 1 3 ;", "the operations leave 2 constraints, not one"),
     ("pol + ;", "'+' has too little"), ("pol 2 d ;", "'d' has too little"),
     ("pol 9 ;", "there is no constraint 9"), ("pol 1 1 2 w ;", "'2' is no literal: x1, x2, ..."
      " or ~x1, ..."), ("pol 1.5 ;", "'1.5' is no integer of at most 4000 digits"),
     ("rup 1 x1 >= 1 : ~ 1 ;", "the clause does not follow from that constraint"),
     ("rup 1 ~x1 >= 1 : ~ 1 2 ;", "no step of sums"),
     ("red 1 x5 >= 1 : x5 -> 1 ;", "no step of sums"),
     ("conclusion UNSAT : 7 ;", "there is no constraint 7")],
)  # fmt: skip
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


def test_what_operations_leave_follows_and_is_the_same_for_both_checkers():
    rng = random.Random(4)
    cut_off = other = 0
    for _ in range(400):
        rows = [([rng.randint(-3, 3) for _ in range(4)], rng.randint(-3, 4)) for _ in range(3)]
        terms = [" ".join(f"{w:+d} x{v}" for v, w in enumerate(row, start=1)) for row, _ in rows]
        lines = [f"{text} >= {least} ;" for text, (_, least) in zip(terms, rows, strict=True)]
        words = str(rng.randint(1, 3))
        for _ in range(rng.randint(1, 7)):
            x, number = f"x{rng.randint(1, 4)}", rng.randint(1, 3)
            more = (f"{number} +", f"{x} +", f"~{x} +", f"{number} *", f"{number} d", "s", f"{x} w")
            words += f" {rng.choice(more)}"
        proof = pb_proof(f"pol {words} ;", given=3).encode()
        first = check_proof("\n".join(lines).encode(), proof).constraints[4]
        known = {at: next(given(line.split()[:-1])) for at, line in enumerate(lines, start=1)}
        second = polished(words.split(), known)
        for bits in assignments(4):
            so = all(weighted_sum(range(1, 5), bits, row) >= least for row, least in rows)
            one = weighted_sum(first.terms, bits, first.terms.values()) >= first.degree
            two = sum(c * bits[v - 1] for v, c in second.left.items()) >= second.bound
            assert so <= two <= one, f"{lines}: {words}"
            cut_off += not one
            other += one > two
    # What always holds, with a negative degree, is no more than 0 >= 0 for the second alone.
    assert cut_off > 20 * other > 0


# -- The one proof of all claims: it proves what the problem says, and the problem is the board's.


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
def test_older_certificates_do_not_have_it_and_hold_and_half_of_it_is_refused(forge, name):
    forged = forge(name)
    forged.files = {file: data for file, data in forged.files.items() if "proof." not in file}
    assert forged.check().one_proof is False
    for missing in ("proof.opb", "proof.pbp"):
        forged = forge(name)
        del forged.files[missing]
        forged.refused("manifest.json")


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


def other_boards(head: str, rows: list[str]) -> Iterator[list[str]]:
    """Problems that are not that of the board and its verdicts, line by line."""
    yield [head, *rows, "+1 x1 >= 1 ;"]
    yield [head, *rows[:-1]]
    for at, row in enumerate(rows):
        number = int(row.split()[-2])
        larger = row.replace(f"= {number} ;", f"= {number + 1} ;")
        yield [head, *rows[:at], larger, *rows[at + 1 :]]
        if at < len(rows) - 1:
            yield [head, *rows[:at], *rows[at + 1 :]]
    first, _, *words, degree, end = rows[-1].split()
    if len(words) > 1:  # fewer verdicts than are claimed
        fewer = " ".join([*words, str(int(degree) + (first == "-1")), end])
        yield [head, *rows[:-1], fewer]
    yield [re.sub(r"#variable= (\d+)", lambda m: f"#variable= {int(m[1]) + 1}", head), *rows]


@pytest.mark.parametrize("name", CONSISTENT)
def test_a_proof_about_another_board_or_other_claims_is_refused(forge, name):
    head, *rows = forge(name).lines("proof.opb")
    for problem in other_boards(head, rows):
        forged = forge(name)
        forged.put_lines("proof.opb", problem)
        assert forged.fault().file == "proof.opb", problem
    for other in PROVED:
        if other != name:
            forged, source = forge(name), forge(other)
            forged.files |= {file: source.files[file] for file in ("proof.opb", "proof.pbp")}
            forged.refused("proof.opb")


def test_a_proof_that_concludes_nothing_is_refused(forge):
    forged = forge("open")
    conclusion = forged.lines("proof.pbp")[-2]
    forged.replace("proof.pbp", conclusion, "conclusion NONE ;")
    forged.refused("proof.pbp", "conclude")


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
    one, other = "cells/0_2/proof", "cells/1_4/proof"
    found = {name for name in forged.files if name.endswith("/proof.pbp")}
    assert found == {f"{one}.pbp", f"{other}.pbp"}
    forged.files |= {f"{one}.{end}": forged.files[f"{other}.{end}"] for end in ("opb", "pbp")}
    forged.refused(f"{one}.opb")


def test_a_lemma_that_is_not_implied_is_not_written():
    clauses = [[1, 2], [-1, 2], [1, -2], [-1, -2]]
    rat = [LratAddition(5, (3,), (-4,)), *refute(clauses, "glucose4")]
    again = implied(rat, clauses)
    assert again is not rat
    assert all(hint > 0 for step in again for hint in getattr(step, "hints", ()))
    plain = refute(clauses, "glucose3")
    assert implied(plain, clauses) is plain
