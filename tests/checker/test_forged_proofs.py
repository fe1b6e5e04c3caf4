"""No clause without its derivation, no verdict without its refutation."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from pbcnf.proof import check_drat, check_lrat, parse_cnf, parse_drat, parse_lrat

Forge = Callable[[str], Any]
REFUTATIONS = ("refutation.drat", "refutation.lrat")


def add_clause(forged: Any, clause: str, *files: str) -> None:
    for name in files:
        at = -1 if name == "refutation.cnf" else None
        clauses = forged.clauses(name)
        clauses.insert(len(clauses) if at is None else len(clauses) - 1, clause)
        forged.put_clauses(name, clauses)


def test_a_clause_that_was_not_derived_is_refused(forge):
    for clause in ("1 0", "-1 0", "0", "3 4 0", "-3 0"):
        forged = forge("interior" if clause == "0" else "open")
        held = {frozenset(line.split()) for line in forged.clauses("formula.cnf")}
        if frozenset(clause.split()) in held:
            continue
        add_clause(forged, clause, "formula.cnf")
        assert forged.fault().file in ("formula.cnf", "map.json")
        again = forge("open")
        add_clause(again, clause, "formula.cnf", "refutation.cnf")
        assert again.fault().file == "formula.cnf"


def test_a_clause_added_to_the_refuted_ones_alone_is_refused(forge):
    forged = forge("open")
    add_clause(forged, "-1 0", "refutation.cnf")
    assert forged.fault().file == "refutation.cnf"
    replaced = forge("open")
    replaced.put_clauses("refutation.cnf", ["-1 0", *replaced.clauses("refutation.cnf")[1:]])
    assert "clause 1 is not clause 1 of formula.cnf" in replaced.fault().fault


def test_a_clause_dropped_where_the_proof_needs_it_is_refused(forge):
    original = forge("open")
    cnf = parse_cnf(original.files["refutation.cnf"])
    lrat = parse_lrat(original.files["refutation.lrat"])
    core = check_lrat(cnf.clauses, lrat).core
    for number in [each for each in core if each < len(cnf.clauses)]:
        forged = forge("open")
        for name in ("formula.cnf", "refutation.cnf"):
            clauses = forged.clauses(name)
            forged.put_clauses(name, clauses[: number - 1] + clauses[number:])
        assert forged.fault().file in REFUTATIONS


def test_a_formula_needs_its_own_refutation(forge):
    for name in ("refutation.drat", "refutation.lrat", "refutation.cnf"):
        forged = forge("expert")
        forged.files[name] = forge("open").files[name]
        assert forged.fault().file == name


@pytest.mark.parametrize("name", REFUTATIONS)
def test_an_empty_proof_proves_nothing(forge, name):
    forged = forge("expert")
    forged.files[name] = b""
    fault = forged.fault()
    assert (fault.file, fault.fault) == (name, "the proof ends without the empty clause")


@pytest.mark.parametrize("proof", [b"0\n", b"1 0\n0\n", b"a\x00", b"a\x02\x00a\x00", b"1 -1 0 0\n"])
def test_a_short_cut_is_no_proof(forge, proof):
    forged = forge("expert")
    forged.files["refutation.drat"] = proof
    assert forged.fault().file == "refutation.drat"


def literals_flipped(line: str) -> Iterator[str]:
    words = line.split()
    for at, word in enumerate(words):
        if word not in ("0", "d"):
            yield " ".join([*words[:at], str(-int(word)), *words[at + 1 :]])


def test_a_flipped_literal_or_a_dropped_lemma_passes_only_if_the_proof_still_holds(forge):
    original = forge("expert")
    cnf = parse_cnf(original.files["refutation.cnf"]).clauses
    refused = 0
    for name, parse, holds in (
        ("refutation.drat", parse_drat, check_drat),
        ("refutation.lrat", parse_lrat, check_lrat),
    ):
        lines = original.lines(name)
        for at, line in enumerate(lines):
            if "d" in line.split():
                continue
            for instead in ([], *([flipped] for flipped in literals_flipped(line))):
                forged = forge("expert")
                forged.put_lines(name, [*lines[:at], *instead, *lines[at + 1 :]])
                try:
                    still = bool(holds(cnf, parse(forged.files[name])))
                except ValueError:
                    still = False
                if still:
                    continue
                refused += 1
                if refused % 7 == 0:  # Each is a whole check: some of them are enough.
                    assert forged.fault().file == name
    assert refused > 100


# -- derivations


def derivation(forged: Any, *steps: str, name: str = "derivation.pbp") -> None:
    """Put steps before the end."""
    forged.replace(name, "output NONE", "\n".join([*steps, "output NONE"]))


@pytest.mark.parametrize(
    "step",
    [
        "red 1 ~x1 >= 1 : x1 -> 0 ;",
        "red 1 x2 >= 1 : x2 -> 1 ;",
        "red 1 x2 >= 1 : x2 -> x1 ;",
        "rup 1 x2 >= 1 : ~ 1 ;",
        "rup 1 x2 >= 1 ;",
        "pol 1 x2 + ;\nrup 1 x2 >= 1 : -1 ;",
        "e 1 x1 >= 2 : 1 ;",
        "del id 1 ;",
        "load x ;",
        "a 1 x2 >= 1 ;",
        "pol 1 2 ;",
        "pol + ;",
        "pol 99 ;",
        "pol 1 0 d ;",
        "red 1 x9 >= 1 : x9 -> 1 ;\nred 1 ~x9 >= 1 : x9 -> 0 ;",
        "conclusion UNSAT : 1 ;",
        "output NONE ;",
    ],
)
def test_a_step_that_does_not_follow_is_refused(forge, step):
    forged = forge("interior")
    derivation(forged, step)
    fault = forged.fault()
    assert fault.file == "derivation.pbp"
    assert fault.fault.startswith("line ")


def test_a_cell_cannot_be_defined_like_an_auxiliary_variable(forge):
    """Not even where the problem does not declare it: no clue counts the last cell."""
    step = "red 1 ~x4 >= 1 : x4 -> 0 ;"

    def lying() -> Any:
        forged = forge("interior")
        derivation(forged, step)
        forged.claim_last_cell_safe(["-4 0"], "4 0 1 3 2 0\n")
        return forged

    assert lying().fault().file == "derivation.pbp"
    for declared in (1, 3):
        hidden = lying()
        hidden.replace("clues.opb", "#variable= 4", f"#variable= {declared}")
        fault = hidden.fault()
        assert fault.file == "clues.opb"
        assert (
            fault.fault
            == f"{declared} variable{'s' * (declared > 1)}, but the board has 4 covered cells"
        )
    undeclared = lying()
    undeclared.put_lines("clues.opb", undeclared.lines("clues.opb")[1:])
    assert undeclared.fault().file == "clues.opb"


def test_an_auxiliary_variable_cannot_be_defined_twice(forge):
    ranges = forge("open").json("map.json")["auxiliaries"]
    for variable in range(ranges[0]["first"], ranges[-1]["last"] + 1):
        steps = [
            f"red 1 {literal} >= 1 : x{variable} -> {value} ;"
            for value, literal in ((0, f"~x{variable}"), (1, f"x{variable}"))
        ]
        # One of both may be what it is in every layout.
        forged = forge("open")
        derivation(forged, *steps)
        fault = forged.fault()
        assert fault.file == "derivation.pbp"
        assert "witness" in fault.fault


def test_a_step_that_a_clause_needs_cannot_be_left_out(forge):
    # "At most one of more than two" is no clause, and each pair of them is derived once.
    lines, problem = forge("expert").lines("derivation.pbp"), forge("expert").lines("clues.opb")
    pairs = [
        at
        for at, line in enumerate(lines)
        if line.startswith("rup")
        and line.count("~x") == 2
        and problem[(int(line.split()[-2]) + 1) // 2].count("x") > 2
        and sum(line.partition(":")[0] in other for other in lines) == 1
    ]
    for at in pairs[:5]:
        forged = forge("expert")
        forged.put_lines("derivation.pbp", lines[:at] + lines[at + 1 :])
        assert forged.fault().file == "formula.cnf"
    # What follows counts on the number of a definition.
    lines = forge("open").lines("derivation.pbp")
    first = next(at for at, line in enumerate(lines) if line.startswith("red"))
    forged = forge("open")
    forged.put_lines("derivation.pbp", lines[:first] + lines[first + 1 :])
    assert forged.fault().file == "derivation.pbp"


@pytest.mark.parametrize(
    "line",
    ["+1 x1 = 0 ;", "+1 x1 >= 1 ;", "+2 x1 = 2 ;", "+1 x1 = 1 = 1 ;", "+1 x1 +1 x2 = 1 ;",
     "+1 ~x1 = 1 ;", "+1 x1 +1 x1 = 1 ;", "min: +1 x1 ;", "", "+1 x1 = 1 ;\n" * 2,
     "+1 x1 = 1 ;\n+1 x2 >= 1 ;", "+1 x1 = 1", "+1 x5 = 1 ;", "x1 = 1 ;", "+1 x1 = 1e0 ;"],
)  # fmt: skip
def test_the_problem_says_what_the_board_says_and_no_more(forge, line):
    forged = forge("interior")
    forged.replace("clues.opb", "+1 x1 = 1 ;", line)
    assert forged.fault().file in ("clues.opb", "derivation.pbp")


def test_the_same_problem_written_otherwise_is_accepted(forge):
    forged = forge("interior")
    forged.replace("clues.opb", "+1 x1 = 1 ;", "-1 x1 = -1 ;")
    # "At least" and "at most" change places: the derivation must follow.
    forged.replace("derivation.pbp", ": ~ 1", ": ~ 2")
    assert forged.check().proved == 1


def test_the_right_constraints_over_other_variables_are_refused(forge):
    """Cells numbered from the last: every file agrees with the others, the board does not."""
    forged = forge("open")
    count = len(forged.json("map.json")["variables"])
    for name in ("clues.opb", "derivation.pbp"):
        words = [
            " ".join(_renumbered(word, count) for word in line.split(" "))
            for line in forged.lines(name)
        ]
        forged.put_lines(name, words)
    assert forged.fault().file == "clues.opb"


def _renumbered(word: str, count: int) -> str:
    sign, _, number = word.rpartition("x")
    if sign not in ("", "~") or not number.isdigit() or "x" not in word or int(number) > count:
        return word
    return f"{sign}x{count + 1 - int(number)}"


def test_the_total_may_be_used_only_where_the_cell_says_so(forge):
    forged = forge("total")
    (entry,) = [each for each in forged.about["cells"] if each["cell"] == [1, 4]]
    assert entry["total"] is True
    entry["total"] = False
    assert forged.fault().file == "cells/1_4/clues.opb"


def test_a_cell_is_proved_from_the_clues_that_are_named(forge):
    for change in ([], [[0, 0]] * 2, [[1, 1]], [[0, 1]], [[7, 7]]):
        forged = forge("open")
        (entry,) = forged.about["cells"]
        assert entry["clues"] != change
        entry["clues"] = change
        assert forged.fault().file in ("cells/0_1/clues.opb", "manifest.json")
    swapped = forge("open")
    swapped.about["cells"][0]["verdict"] = "safe"
    assert swapped.fault().file == "manifest.json"
    missing = forge("open")
    missing.replace("cells/0_1/formula.cnf", missing.clauses("cells/0_1/formula.cnf")[0], "2 0")
    assert missing.fault().file.startswith("cells/0_1/")
