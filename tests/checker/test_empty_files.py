"""Boards of few covered cells or none, all that can be claimed of them, and empty proofs."""

import json
import random
from collections import Counter
from itertools import product
from types import SimpleNamespace

from satsweeper.checker.board import read_board
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.formula import OpbStatement
from satsweeper.checker.manifest import ONE_PROOF, PROOF_FILES, REFUTATION_FILES
from tests.oracles import layouts
from tests.problem_files import cnf, pb_proof

ROWS = ("0", "1", "?", "F", "00", "1?", "2?", "??", "?1?", "F1", "F0?", "1?F")
WAYS = {"S": {False}, "M": {True}, "?": {False, True}}
"""Verdict -> what layouts show of the cell."""


def test_of_files_that_prove_nothing_only_what_is_so_is_accepted(forge):
    rng, accepted = random.Random(5), Counter[tuple[str, str]]()
    for _ in range(600):
        forged = forge("interior")
        row, total = rng.choice(ROWS), rng.choice("?012")
        text = f"1 {len(row)} {total}\n{row}\n"
        board = read_board(text, True)
        n, said = len(board.cells), OpbStatement.by(board)
        status, way = rng.choice(("consistent", "inconsistent")), rng.choice([*PROOF_FILES])
        verdicts = tuple(rng.choices("SM?", k=n))
        fills = rng.sample([*product("SM", repeat=n)], k=rng.choice((0, 1, 2**n, 2**n)))
        shown = [[row.replace("?", "%s") % fill] for fill in (verdicts, *fills)]
        cells = []
        for v, cell in enumerate(board.cells):
            mine, safe = ([f[v] for f in (*fills, "M" * n, "S" * n)].index(mark) for mark in "MS")
            cells += [{"cell": cell, "mine": mine, "safe": safe}] * (verdicts[v] == "?")
        claim = [v if mark == "S" else -v for v, mark in enumerate(verdicts, 1) if mark != "?"]
        clauses = [claim] if status == "consistent" else []
        last = "".join(f"{'-+'[lit > 0]}1 x{abs(lit)} " for lit in claim)
        last += f">= {1 - sum(lit < 0 for lit in claim)} ;\n"
        opb = f"* #variable= {n} #constraint= 0 #equal= 0 intsize= 0\n" + said.text.decode()
        given, end = 2 * len(said.sums), rng.choice(("NONE", "UNSAT : 1", "UNSAT : -1"))
        size = {"rows": 1, "columns": len(row), "mines": board.mines}
        variables = {v: {"cell": cell} for v, cell in enumerate(board.cells, 1)}
        mapped = {"flags": board.flags, "variables": variables, "auxiliaries": []}
        files = {
            "board.txt": text, "clues.opb": opb, "formula.cnf": cnf(n, []),
            "map.json": json.dumps({"schema": "satsweeper/map/1", **size, **mapped}),
            "layouts.json": json.dumps({"layouts": shown[1:], "cells": cells}),
            "derivation.pbp": pb_proof(given=given),
            "sums.pbp": pb_proof(given=given, conclusion=end),
            "proof.pbp": pb_proof(given=given + len(clauses), conclusion=end),
            "proof.opb": opb + last * len(clauses),
            "refutation.cnf": cnf(n, clauses), "refutation.drat": rng.choice(("", "0\n")),
            "refutation.lrat": rng.choice(("", "1 0 0\n", "2 0 0\n", "2 0 1 0\n")),
        }  # fmt: skip
        grid = shown[0] if clauses else None
        certain = grid is None or bool(claim)
        needed = {"board.txt", *PROOF_FILES[way], *["layouts.json"] * len(clauses)}
        needed.update(REFUTATION_FILES if certain and way != "sums" else ())
        needed.update(ONE_PROOF if certain and rng.random() < 0.3 else ())
        forged.about |= {**size, "status": status, "grid": grid, "proof": way}
        forged.files = {name: files[name].encode() for name in needed}
        try:
            forged.check()
        except WrongCertificateError:
            continue
        codes = [{"?": -1, "F": -2}.get(mark) or int(mark) for mark in row]
        every = layouts(SimpleNamespace(cells=[codes], mines=board.mines))
        assert bool(every) == (status == "consistent"), files
        for cell, mark in zip(board.cells, verdicts, strict=True):
            assert not every or {cell in mines for mines in every} == WAYS[mark], files
        accepted[status, way] += 1
    assert {status for status, _ in accepted} == {"consistent", "inconsistent"}
    assert {way for _, way in accepted} == PROOF_FILES.keys()
