"""A certificate that says something else than was proved is refused, and so is what proves it."""

import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest

from pbcnf.proof import check_drat, check_lrat, parse_cnf, parse_drat, parse_lrat

REFUTATIONS = ("refutation.drat", "refutation.lrat")
NAMES = ["total", "open", "clash", "clash by the total", "flags", "interior", "expert"]


@pytest.mark.parametrize("name", NAMES)
def test_what_was_not_changed_is_verified(forge, name):
    checked = forge(name).check()
    assert checked.status == ("inconsistent" if "clash" in name else "consistent")
    assert checked.cells == {"total": 2, "open": 1}.get(name, 0)


def test_every_clue_of_the_board_counts(forge):
    lines = forge("open").lines("board.txt")
    for row, line in enumerate(lines[1:], start=1):
        for column, symbol in enumerate(line):
            if symbol == "?":
                continue
            forged = forge("open")
            changed = [*lines]
            changed[row] = line[:column] + str((int(symbol) + 1) % 9) + line[column + 1 :]
            forged.put_lines("board.txt", changed)
            # The grid shows the clues, too.
            rows = [list(each) for each in forged.about["grid"]]
            rows[row - 1][column] = changed[row][column]
            forged.about["grid"] = ["".join(each) for each in rows]
            forged.refused("clues.opb layouts.json")


@pytest.mark.parametrize("total", ["2", "?", "0", "10"])
def test_another_total_is_another_board(forge, total):
    forged = forge("total")
    forged.replace("board.txt", "2 5 1", f"2 5 {total}")
    forged.refused("manifest.json")
    again = forge("total")
    again.replace("board.txt", "2 5 1", f"2 5 {total}")
    again.about["mines"] = None if total == "?" else int(total)
    again.refused("clues.opb")


@pytest.mark.parametrize("name", ["total", "open", "flags", "interior", "expert"])
@pytest.mark.parametrize(
    ("old", "new"), [("S", "M"), ("M", "S"), ("S", "?"), ("M", "?"), ("?", "S"), ("?", "M")]
)
def test_no_other_verdict_is_accepted(forge, name, old, new):
    cells = list(forge(name).cells_with(old))
    for cell in cells[:4]:
        forged = forge(name)
        forged.change_verdict(cell, new)
        forged.refused("layouts.json refutation.cnf manifest.json")


def test_a_layout_must_be_a_layout(forge):
    found = forge("open").json("layouts.json")
    for at, grid in enumerate(found["layouts"]):
        for r, row in enumerate(grid):
            for c, mark in enumerate(row):
                changed = [[*rows] for rows in found["layouts"]]
                symbol = {"S": "M", "M": "S"}.get(mark, "9")
                changed[at][r] = row[:c] + symbol + row[c + 1 :]
                forged = forge("open")
                forged.put_json("layouts.json", {**found, "layouts": changed})
                forged.refused("layouts.json")


@pytest.mark.parametrize(
    ("change", "why"),
    [(lambda found: {**found, "layouts": []}, "no layout at all"),
     (lambda found: {**found, "layouts": found["layouts"][:1]}, "cells: "),
     (lambda found: {**found, "cells": found["cells"][1:]}, "has no layouts"),
     (lambda found: {**found, "cells": []}, "has no layouts"),
     (lambda found: {**found, "cells": found["cells"] * 2}, "cells: "),
     (lambda found: {**found, "cells": None}, "cells: no list"),
     (lambda found: {"layouts": found["layouts"]}, "not an object of layouts and cells"),
     (lambda found: {**found, "more": 1}, "not an object of layouts and cells"),
     (lambda found: {**found, "layouts": None}, "no layout at all"),
     (lambda found: {**found, "layouts": [None]}, "not the rows of the board"),
     (lambda found: {**found, "layouts": [[]]}, "not the rows of the board"),
     (lambda found: {**found, "layouts": [[1, 2, 3]]}, "row 0 is not one of the board"),
     (lambda found: {**found, "layouts": [["", "", ""]]}, "row 0 is not one of the board")],
)  # fmt: skip
def test_the_list_of_layouts_is_read_strictly(forge, change, why):
    forged = forge("open")
    forged.put_json("layouts.json", change(forged.json("layouts.json")))
    forged.refused("layouts.json", why)


@pytest.mark.parametrize(
    "entry",
    [{"cell": [0, 3], "mine": 0, "safe": 0}, {"cell": [0, 3], "mine": 0, "safe": 99},
     {"cell": [0, 3], "mine": -1, "safe": 0}, {"cell": [0, 3], "mine": True, "safe": False},
     {"cell": [False, 3], "mine": 0, "safe": 1}, {"cell": [0], "mine": 0, "safe": 1},
     {"cell": "03", "mine": 0, "safe": 1}, {"cell": [0, 3], "mine": 0},
     {"cell": [0, 3], "mine": 0, "safe": 1, "more": 0}, {"cell": [0, 1], "mine": 0, "safe": 1},
     {"cell": [0, 0], "mine": 0, "safe": 1}, {"cell": [9, 9], "mine": 0, "safe": 1},
     [0, 3, 0, 1], None],
)  # fmt: skip
def test_which_layouts_show_a_cell_is_read_strictly(forge, entry):
    forged = forge("open")
    found = forged.json("layouts.json")
    cells = [each for each in found["cells"] if each["cell"] != [0, 3]]
    assert len(cells) < len(found["cells"])
    forged.put_json("layouts.json", {**found, "cells": [*cells, entry]})
    forged.refused("layouts.json")


def test_an_inconsistent_board_and_a_consistent_one_are_no_certificates_of_each_other(forge):
    for name, other in (("open", "clash"), ("clash", "open")):
        forged, files, from_other = forge(name), forge(name), forge(other)
        forged.about.update(status=from_other.about["status"], grid=from_other.about["grid"])
        forged.refused("manifest.json")
        size = {key: files.about[key] for key in ("rows", "columns")}
        files.about = {**from_other.about, **size, "cells": []}
        whole = {name: data for name, data in from_other.files.items() if "/" not in name}
        files.files = {**whole, "board.txt": files.files["board.txt"]}
        files.refused("clues.opb layouts.json manifest.json")


def test_a_board_with_layouts_cannot_be_called_inconsistent(forge):
    forged, again = forge("interior"), forge("interior")
    forged.claim_inconsistent()
    forged.refused("refutation.cnf")
    again.claim_inconsistent()
    again.put_clauses("refutation.cnf", again.clauses("formula.cnf"))
    again.refused("refutation.lrat")


def test_an_inconsistent_board_cannot_be_called_consistent(forge):
    forged = forge("clash")
    forged.about.update(status="consistent", grid=["1?1", "2?1"])
    cells = [{"cell": [r, 1], "mine": 0, "safe": 1} for r in (0, 1)]
    for name in ("refutation.cnf", *REFUTATIONS, "proof.opb", "proof.pbp"):
        del forged.files[name]
    forged.put_json("layouts.json", {"layouts": [["1M1", "2S1"], ["1S1", "2M1"]], "cells": cells})
    forged.refused("layouts.json")


def test_an_inconsistent_board_has_no_verdicts_of_cells(forge):
    forged, other = forge("clash"), forge("open")
    forged.about["cells"] = other.about["cells"]
    forged.files |= {name: data for name, data in other.files.items() if "/" in name}
    forged.refused("manifest.json", "cells: (0, 1) has another verdict")


def test_flags_are_trusted_or_not_as_was_proved(forge):
    forged = forge("flags")
    forged.about["flags"] = "ignore"
    forged.refused("manifest.json")
    filled = forge("flags")
    filled.about.update(flags="ignore", grid=["1M" + filled.about["grid"][0][2:], "12SM"])
    filled.refused("clues.opb manifest.json")
    unflagged = forge("flags")
    unflagged.replace("board.txt", "1F??", "1???")
    unflagged.about["grid"] = ["1?" + unflagged.about["grid"][0][2:], unflagged.about["grid"][1]]
    unflagged.refused("clues.opb")


# -- No clause without its derivation, no verdict without its refutation.


def add_clause(forged: Any, clause: str, *files: str) -> None:
    """Add a clause at the end of files, in the refuted clauses before the negated claim."""
    for name in files:
        clauses = forged.clauses(name)
        clauses.insert(len(clauses) - (name == "refutation.cnf"), clause)
        forged.put_clauses(name, clauses)


def test_a_clause_that_was_not_derived_is_refused(forge):
    for clause in ("1 0", "-1 0", "0", "3 4 0", "-3 0"):
        for files in (["formula.cnf"], ["formula.cnf", "refutation.cnf"]):
            for name in ("interior", "open"):
                forged = forge(name)
                if clause not in forged.clauses("formula.cnf"):
                    add_clause(forged, clause, *files)
                    forged.refused("formula.cnf")


def test_a_clause_added_to_the_refuted_ones_alone_is_refused(forge):
    forged = forge("open")
    add_clause(forged, "-1 0", "refutation.cnf")
    forged.refused("refutation.cnf")
    replaced = forge("open")
    replaced.put_clauses("refutation.cnf", ["-1 0", *replaced.clauses("refutation.cnf")[1:]])
    replaced.refused("refutation.cnf", "clause 1 is not clause 1 of formula.cnf")


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


@pytest.mark.parametrize("name", ["refutation.cnf", *REFUTATIONS])
def test_a_formula_needs_its_own_refutation(forge, name):
    forged, empty = forge("expert"), forge("expert")
    forged.files[name] = forge("open").files[name]
    forged.refused(name)
    if name in REFUTATIONS:
        empty.files[name] = b""
        empty.refused(name, "the proof ends without the empty clause")


@pytest.mark.parametrize("proof", [b"0\n", b"1 0\n0\n", b"a\x00", b"a\x02\x00a\x00", b"1 -1 0 0\n"])
def test_a_short_cut_is_no_proof(forge, proof):
    forged = forge("expert")
    forged.files["refutation.drat"] = proof
    forged.refused("refutation.drat")


def dropped_or_flipped(line: str) -> Iterator[list[str]]:
    """Yield nothing in the place of a lemma, or the lemma with one of its literals flipped."""
    yield []
    words = line.split()
    for at, word in enumerate(words):
        if word != "0":
            yield [" ".join([*words[:at], str(-int(word)), *words[at + 1 :]])]


def test_a_flipped_literal_or_a_dropped_lemma_passes_only_if_the_proof_still_holds(forge):
    original = forge("expert")
    cnf = parse_cnf(original.files["refutation.cnf"]).clauses
    refused = 0
    ways: Any = ((parse_drat, check_drat), (parse_lrat, check_lrat))
    for name, (parse, holds) in zip(REFUTATIONS, ways, strict=True):
        lines = original.lines(name)
        for at, line in enumerate(lines):
            if "d" in line.split():
                continue
            for instead in dropped_or_flipped(line):
                forged = forge("expert")
                forged.put_lines(name, [*lines[:at], *instead, *lines[at + 1 :]])
                with suppress(ValueError):
                    if holds(cnf, parse(forged.files[name])):
                        continue
                refused += 1
                if refused % 7 == 0:  # Each is a whole check: some of them are enough.
                    assert forged.fault().file == name
    assert refused > 100


# -- derivations


@pytest.mark.parametrize(
    "step",
    ["red 1 ~x1 >= 1 : x1 -> 0 ;", "red 1 x2 >= 1 : x2 -> 1 ;", "red 1 x2 >= 1 : x2 -> x1 ;",
     "rup 1 x2 >= 1 : ~ 1 ;", "rup 1 x2 >= 1 ;", "pol 1 x2 + ;\nrup 1 x2 >= 1 : -1 ;",
     "e 1 x1 >= 2 : 1 ;", "del id 1 ;", "load x ;", "a 1 x2 >= 1 ;", "pol 1 2 ;", "pol + ;",
     "pol 99 ;", "pol 1 0 d ;", "red 1 x9 >= 1 : x9 -> 1 ;\nred 1 ~x9 >= 1 : x9 -> 0 ;",
     "conclusion UNSAT : 1 ;", "output NONE ;"],
)  # fmt: skip
def test_a_step_that_does_not_follow_is_refused(forge, step):
    forged = forge("interior")
    forged.add_steps(step)
    forged.refused("derivation.pbp", "line ")


def test_a_cell_cannot_be_defined_like_an_auxiliary_variable(forge):
    """Not even where the problem does not declare it: no clue counts the last cell."""
    step = "red 1 ~x4 >= 1 : x4 -> 0 ;"

    def lying() -> Any:
        forged = forge("interior")
        forged.add_steps(step)
        forged.claim_last_cell_safe(["-4 0"], "4 0 1 3 2 0\n")
        return forged

    assert lying().fault().file == "derivation.pbp"
    for declared in (1, 3):
        hidden = lying()
        hidden.replace("clues.opb", "#variable= 4", f"#variable= {declared}")
        fault = f"{declared} variable{'s' * (declared > 1)}, but the board has 4 covered cells"
        hidden.refused("clues.opb", fault)
    undeclared = lying()
    undeclared.put_lines("clues.opb", undeclared.lines("clues.opb")[1:])
    undeclared.refused("clues.opb")


def test_an_auxiliary_variable_cannot_be_defined_twice(forge):
    ranges = forge("open").json("map.json")["auxiliaries"]
    for variable in range(ranges[0]["first"], ranges[-1]["last"] + 1):
        x = f"x{variable}"
        # One of both may be what it is in every layout.
        forged = forge("open")
        forged.add_steps(f"red 1 ~{x} >= 1 : {x} -> 0 ;", f"red 1 {x} >= 1 : {x} -> 1 ;")
        forged.refused("derivation.pbp", "witness")


def test_a_step_that_a_clause_needs_cannot_be_left_out(forge):
    # "At most one of more than two" is no clause, and each pair of them is derived once.
    lines, problem = forge("expert").lines("derivation.pbp"), forge("expert").lines("clues.opb")
    pairs = [
        at
        for at, line in enumerate(lines)
        if line.startswith("rup") and line.count("~x") == 2
        if problem[(int(line.split()[-2]) + 1) // 2].count("x") > 2
        if sum(line.partition(":")[0] in other for other in lines) == 1
    ]
    for at in pairs[:5]:
        forged = forge("expert")
        forged.put_lines("derivation.pbp", lines[:at] + lines[at + 1 :])
        forged.refused("formula.cnf")
    # What follows counts on the number of a definition.
    lines = forge("open").lines("derivation.pbp")
    first = next(at for at, line in enumerate(lines) if line.startswith("red"))
    forged = forge("open")
    forged.put_lines("derivation.pbp", lines[:first] + lines[first + 1 :])
    forged.refused("derivation.pbp")


@pytest.mark.parametrize(
    "line",
    ["+1 x1 = 0 ;", "+1 x1 >= 1 ;", "+2 x1 = 2 ;", "+1 x1 = 1 = 1 ;", "+1 x1 +1 x2 = 1 ;",
     "+1 ~x1 = 1 ;", "+1 x1 +1 x1 = 1 ;", "min: +1 x1 ;", "", "+1 x1 = 1 ;\n" * 2,
     "+1 x1 = 1 ;\n+1 x2 >= 1 ;", "+1 x1 = 1", "+1 x5 = 1 ;", "x1 = 1 ;", "+1 x1 = 1e0 ;"],
)  # fmt: skip
def test_the_problem_says_what_the_board_says_and_no_more(forge, line):
    forged = forge("interior")
    forged.replace("clues.opb", "+1 x1 = 1 ;", line)
    forged.refused("clues.opb derivation.pbp")


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

    def renumbered(found: re.Match[str]) -> str:
        v = int(found[1])
        return f"x{count + 1 - v if v <= count else v}"

    for name in ("clues.opb", "derivation.pbp"):
        lines = [re.sub(r"\bx(\d+)\b", renumbered, line) for line in forged.lines(name)]
        assert lines != forged.lines(name)
        forged.put_lines(name, lines)
    forged.refused("clues.opb")


def test_the_total_may_be_used_only_where_the_cell_says_so(forge):
    forged = forge("total")
    (entry,) = [each for each in forged.about["cells"] if each["cell"] == [1, 4]]
    assert entry["total"] is True
    entry["total"] = False
    forged.refused("cells/1_4/clues.opb")


def test_a_cell_is_proved_from_the_clues_that_are_named(forge):
    for change in ([], [[0, 0]] * 2, [[1, 1]], [[0, 1]], [[7, 7]]):
        forged = forge("open")
        (entry,) = forged.about["cells"]
        assert entry["clues"] != change
        entry["clues"] = change
        forged.refused("cells/0_1/clues.opb manifest.json")
    swapped = forge("open")
    swapped.about["cells"][0]["verdict"] = "safe"
    swapped.refused("manifest.json")
    missing = forge("open")
    missing.replace("cells/0_1/formula.cnf", missing.clauses("cells/0_1/formula.cnf")[0], "2 0")
    assert missing.fault().file.startswith("cells/0_1/")
