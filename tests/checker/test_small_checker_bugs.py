"""Forgeries that the small checker refuses, and bugs planted in it that let one of them pass."""

import hashlib
import json
import shutil
from types import ModuleType

import pytest

import satsweeper_check
from satsweeper import Position, certify
from satsweeper.certificate.odds import certify_odds
from tests.boards import PROVABLE
from tests.checker.small import CLAUSES, FORWARD, ROW, SUM, WAYS, put, rows_of, said
from tests.commands import ROOT
from tests.problem_files import cnf, pb_proof

FILE = ROOT / "encodings" / "satsweeper_check.py"


def forged_folder(target, source, change):
    """A copy of a certificate, changed, with hashes made to fit."""
    shutil.copytree(source, target)
    about = json.loads((target / "manifest.json").read_bytes())
    change(target, about)
    for name in about["files"]:
        about["files"][name] = hashlib.sha256((target / name).read_bytes()).hexdigest()
    (target / "manifest.json").write_text(json.dumps(about))
    return [target]


def replaced(name, old, new):
    def change(folder, about):
        text = (folder / name).read_text()
        assert old in text, (name, old)
        (folder / name).write_text(text.replace(old, new, 1))

    return change


def whole(name, text):
    return lambda folder, about: (folder / name).write_text(text)


def grid_of(*rows, layouts=None):
    def change(folder, about):
        about["grid"] = list(rows)
        if layouts is not None:
            (folder / "layouts.json").write_text(json.dumps(layouts))

    return change


def of_no_layout(folder, about):
    """Call the cells of a board without layouts safe, by a proof that it has none."""
    about |= {"status": "consistent", "grid": ["1S1", "2S1"]}
    about["files"]["layouts.json"] = ""
    (folder / "layouts.json").write_text('{"layouts": [], "cells": []}')
    statement = (folder / "proof.opb").read_text() + "+1 x1 +1 x2 >= 1 ;\n"
    (folder / "proof.opb").write_text(statement)
    given = rows_of(statement)
    proof = pb_proof("rup >= 1 ;", given=given, conclusion="UNSAT : -1")
    (folder / "proof.pbp").write_text(proof)


def both(*changes):
    def change(folder, about):
        for each in changes:
            each(folder, about)

    return change


PROBLEM = "* #variable= 3\nmin: +1 x1 +1 x2 +1 x3 ;\n+1 x1 +1 x2 >= 1 ;\n+1 x2 +1 x3 >= 1 ;\n"
"""The optimum is 1, with x2 alone."""
HALF = "* #variable= 2\n+2 x1 +2 x2 >= 1 ;\n"
CLAIMS = {
    "a clash that is none": (HALF, ["rup >= 1 ;"], "UNSAT : 2"),
    "a conclusion from a row": (HALF, [], "UNSAT : 1"),
    "a quotient rounded up too far": (
        "+2 x1 +2 x2 >= 1 ;\n+1 ~x1 +1 ~x2 >= 1 ;\n", ["pol 1 2 d ;", "pol 3 2 + ;"], "UNSAT : 4"
    ),
    "a weight rounded down": ("+3 ~x1 >= 3 ;\n", ["pol 1 2 d ;"], "UNSAT : 2"),
    "a weight below the degree": (
        "+3 x1 +1 x2 >= 2 ;\n+1 ~x2 >= 1 ;\n", ["pol 1 s ;", "pol 3 2 + ;"], "UNSAT : 4"
    ),
    "a variable weakened away for nothing": (HALF, ["pol 1 x1 w x2 w ;"], "UNSAT : 2"),
    "a definition of an input": (
        HALF, ["red 1 x1 >= 1 : x1 -> 1 ;", "red 1 ~x1 >= 1 : x1 -> 0 ;", "pol 2 3 + ;"],
        "UNSAT : 4",
    ),
    "two definitions that clash": (
        HALF, ["red 1 x3 >= 1 : x3 -> 1 ;", "red 1 ~x3 >= 1 : x3 -> 0 ;", "pol 2 3 + ;"],
        "UNSAT : 4",
    ),
    "a definition that does not help": (
        HALF, ["red 1 x3 1 ~x1 >= 2 : x3 -> 1 ;", "red 1 x4 1 ~x2 >= 2 : x4 -> 1 ;", "rup >= 1 ;"],
        "UNSAT : 4",
    ),
    "no solution, though one was shown": (
        PROBLEM, ["soli ~x1 x2 ~x3 ;", "rup >= 1 ;"], "UNSAT : 4"
    ),
    "a solution that is none": (HALF, [], "SAT : ~x1 ~x2"),
    "a better solution that is none": (
        PROBLEM, ["soli ~x1 ~x2 ~x3 ;", "rup >= 1 ;"], "BOUNDS 0 : 4 0 : ~x1 ~x2 ~x3"
    ),
    "a lower bound above a solution": (
        PROBLEM, ["soli ~x1 x2 ~x3 ;", "rup >= 1 ;"], "BOUNDS 2 : 4 2 : x1 x2 ~x3"
    ),
    "a lower bound that is not derived": (PROBLEM, [], "BOUNDS 2 : 1 2 : x1 x2 ~x3"),
    "an upper bound below its solution": (PROBLEM, [], "BOUNDS 1 : 1 1 : x1 x2 ~x3"),
    "a solution that wins too much": (
        PROBLEM, ["soli x1 x2 ~x3 ;", "pol 3 x2 + ;", "rup >= 1 : 3 1 2 ~ ;", "rup >= 1 ;"],
        "BOUNDS 2 : 6 2 : x1 x2 ~x3",
    ),
}  # fmt: skip
OPEN = PROVABLE["total"]
"""Two rows "1????" with one mine in all: the cells behind the second column are safe."""


def forgeries(folder):
    """Name -> paths, of which nothing may be verified."""
    certify(Position.parse(OPEN)).write(folder / "c")
    certify(Position.parse(PROVABLE["interior"])).write(folder / "i")
    certify(Position.parse(PROVABLE["clash"])).write(folder / "n")
    certify(Position.parse("1 3 ?\n1F?\n"), flags="trust").write(folder / "f")
    lattice = "3 7 ?\n???????\n?2?3?2?\n???????\n"
    certify_odds(Position.parse(lattice)).write(folder / "o")
    certify_odds(Position.parse("1 5 2\n1????\n")).write(folder / "t")
    lines = (folder / "c" / "proof.opb").read_text().splitlines(keepends=True)
    rows = rows_of("".join(lines))
    half = [*FORWARD[:3], "del id 1 ;", SUM, "pol 2 ;"]
    formulas = {"a row that stays": (CLAUSES[:3], half)} | {
        f"clause {at} in the formula alone": ([*CLAUSES[:at], [4], *CLAUSES[at:]], FORWARD)
        for at in (0, 4)
    }
    made = {
        way: put(folder / f"w{at}", ROW, cnf(4, CLAUSES), pb_proof(*steps, given=2))
        for at, (way, (steps, shown)) in enumerate(WAYS.items())
        if shown == "refused"
    }
    free = ["rup 1 ~x1 1 ~x2 >= 1 : ~ 1 ;", "rup 1 x1 1 x2 >= 1 : ~ 2 ;", "del id 1 2 ;"]
    free += ["red 1 ~x3 >= 1 : x3 -> 0 ;", "pol 3 5 + ;", "pol 4 ;"]
    proof = pb_proof(*free, given=2)
    made["a variable of the problem that the formula has not"] = put(
        folder / "free", ROW, cnf(2, [[-1, -2], [1, 2]]), proof
    )
    made |= {
        name: put(folder / f"e{at}", ROW, cnf(4, clauses), pb_proof(*steps, given=2))
        for at, (name, (clauses, steps)) in enumerate(formulas.items())
    }
    made |= {
        name: put(
            folder / f"a{at}", problem, pb_proof(*steps, given=rows_of(problem), conclusion=end)
        )
        for at, (name, (problem, steps, end)) in enumerate(CLAIMS.items())
    }
    changed = {
        "another verdict": ("i", grid_of("1SS??", layouts={
            "layouts": [["1SSSM"], ["1SSMS"]], "cells": [
                {"cell": [0, 3], "mine": 1, "safe": 0}, {"cell": [0, 4], "mine": 0, "safe": 1}]})),
        "a claim without its row": ("c", whole("proof.opb", "".join(lines[:-1]))),
        "a row that is not the board's": ("c", both(
            whole("proof.opb", "".join([*lines[:-1], "+1 x1 >= 2 ;\n", lines[-1]])),
            whole("proof.pbp", pb_proof("rup >= 1 ;", given=rows + 1, conclusion="UNSAT : -1")),
        )),
        "a proof of nothing": ("c", whole("proof.pbp", pb_proof(given=rows))),
        "a layout that breaks a clue": ("i", grid_of("1????", layouts={
            "layouts": [["1MSSS"], ["1SMMM"]], "cells": [
                {"cell": [0, c], "mine": int(c > 1), "safe": int(c < 2)} for c in range(1, 5)]})),
        "no layout": ("n", of_no_layout),
        "a cell shown one way": ("i", replaced("layouts.json", '"mine": 1', '"mine": 0')),
        "a cell not shown": ("i", whole("layouts.json", json.dumps({
            "layouts": [["1MSSS"]], "cells": []}))),
        "a layout against a verdict": (
            "f", grid_of("1FM", layouts={"layouts": [["1FS"]], "cells": []})
        ),
        "a layout of another board": ("i", replaced("layouts.json", '"1M', '"0M')),
        "another total": ("c", lambda folder, about: about.update(mines=2)),
        "chances": ("o", replaced("odds.json", '"71/', '"73/')),
        "a pair left out": ("o", replaced("circuits.txt", "node 1 0 2 1\n", "node 1 0\n")),
        # One that leads to no layout, so that the numbers stay what they are.
        "a node left out": ("o", both(
            replaced("circuits.txt", "join 5 2 4", "join 5 2 3"),
            replaced("circuits.txt", "node 1 0 2 1\nnode 2 0\n", "node 1 0 2 1\n"),
        )),
        "a density beside a total": ("t", lambda folder, about: about.update(density="1/3")),
        "number of layouts": ("o", replaced("odds.json", '"solutions": "', '"solutions": "1')),
        "a box with more mines": ("o", replaced("circuits.txt", "box 0 2", "box 0 3")),
    }  # fmt: skip
    for at, (name, (source, change)) in enumerate(changed.items()):
        made[name] = forged_folder(folder / f"f{at}", folder / source, change)
    return made


@pytest.fixture(scope="module")
def forged(tmp_path_factory):
    return forgeries(tmp_path_factory.mktemp("forged"))


def test_no_forgery_is_verified(forged):
    found = {name: said(satsweeper_check, *paths) for name, paths in forged.items()}
    assert {name for name in found if not found[name].startswith("refused: ")} == set()
    assert len(found) > 40


BUGS = {
    "any row clashes": ("if slack < 0:", "if slack < 2:"),
    "a quotient is one too large": ("-(-self.degree() // by) +", "1 - (-self.degree() // by) +"),
    "negative coefficients are rounded up": ("else c // by for v", "else -(-c // by) for v"),
    "saturated weights are below the degree": ("min(c, most))", "min(c, most - 1))"),
    "a variable is weakened away without its weight": ("int(row.terms.get(v, 0) > 0))", "0)"),
    "variables of the problem may be defined": ("if y <= self.given:", "if y <= 0:"),
    "any definition goes": ("if not wrong.impossible() and not", "if False and not"),
    "only C itself is looked at": (
        "for old in [row, *[self.live[at] for at in self.mentions.get(y, ())]]:",
        "for old in [row]:",
    ),
    "C need not hold with its witness": ("for old in [row, *[self.live", "for old in [*[self.live"),
    "any inequality is a contradiction": (
        "if not self.live[self.find(which)].impossible() or",
        "if",
    ),
    "no solution, whatever was shown": ("or self.best is not None:", "or False:"),
    "any assignment is a solution": (
        "in row.terms.items()]) < row.bound:",
        "in row.terms.items()]) < -99:",
    ),
    "a solution excludes those as good, and one more": (
        "self.add(self.at_least(value).opposite())",
        "self.add(self.at_least(value - 1).opposite())",
    ),
    "bounds that no solution lies between": (
        "if self.lower > best or value > self.upper:",
        "if False:",
    ),
    "lower bounds need no inequality": (
        "if not row.impossible() and not row.plus(below)",
        "if False and not row.plus(below)",
    ),
    "deleted rows stay": ("row = self.live.pop(at)", "row = self.live[at]"),
    "some rows may be deleted": ("if self.gone < self.rows:", "if False:"),
    "what is left at the turn is not looked at": (
        "        self.compare()\n        self.turned",
        "        self.turned",
    ),
    "variables of the formula may be defined": (
        "self.turned, self.given = True, self.variables",
        "self.turned = True",
    ),
    "the clauses are not looked at": ("if left != due:", "if False:"),
    "the rows at the end are not looked at": (
        "if [row.key() for row in last] !=",
        "if False and [row.key() for row in last] !=",
    ),
    "any problem is the board's": (
        "in (*(written - due).items(), *(due - written).items()):",
        "in ():",
    ),
    "what more proof.opb says": (
        "(*(written - due).items(), *(due - written).items())",
        "(due - written).items()",
    ),
    "formulas may have fewer variables": (
        "if clauses is not None and variables < problem.variables:",
        "if False:",
    ),
    "nodes may be missing": ("        if pairs:\n", "        if False:\n"),
    "a density beside a total": (
        "or board.total is not None:\n            raise",
        "or False:\n            raise",
    ),
    "no contradiction is needed": ('if proof.answer != "UNSATISFIABLE":', "if False:"),
    "clues are not counted in layouts": (
        "if sum([mined[v] for v in variables]) != mines:",
        "if False:",
    ),
    "no layout is needed": ("or not lists or not layouts:", "or not lists:"),
    "unknown cells are shown one way": ('if two == ["M", "S"]:', "if two:"),
    "unknown cells need no layouts": ("    if left:\n", "    if False:\n"),
    "layouts of any board": (
        'if mark != given if given != "?" else',
        'if False if given != "?" else',
    ),
    "any total": ("!= repr(size):", "== 0:"),
    "pairs that are not all": (
        "if [n for pair in nodes[-1] for n in pair] != numbers:",
        "if False:",
    ),
    "chances are not compared": ("if repr(odds.get(key)) != repr(answer.get(key)):", "if False:"),
    "boxes are not compared": (
        'if reader.next("box", 2) != [low, high, *box]:',
        'if not reader.next("box", 2):',
    ),
}
"""Planted bug -> the text of the file that it replaces, and the text instead."""


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_planted_in_the_file_is_found(forged, bug):
    old, new = BUGS[bug]
    text = FILE.read_text("ascii")
    assert text.count(old) == 1, text.count(old)
    wrong = ModuleType("wrong")
    exec(compile(text.replace(old, new), "wrong", "exec"), wrong.__dict__)
    accepted = []
    for name, paths in forged.items():
        try:
            if not said(wrong, *paths).startswith("refused: "):
                accepted.append(name)
        except Exception:
            continue
    assert accepted
