"""What the derivation checker would let through is still refused, and nothing right is."""

import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Any

import pytest
from pysat.solvers import Solver

from pbcnf.encoders.table import expresses
from pbcnf.proof import Cnf, parse_cnf
from satsweeper.certificate.certify import certify
from satsweeper.certificate.formula import ENCODINGS, TOTAL_ENCODINGS
from satsweeper.checker.board import CellCount, CheckedBoard, read_board
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.second_opinion import confirm_clauses
from satsweeper.position import Position
from tests import oracles
from tests.boards import neighbours


@pytest.fixture
def blind(monkeypatch):
    """A derivation checker that accepts every clause."""
    package = "pbcnf.proof.cutting_planes"
    monkeypatch.setattr(f"{package}.checker.refuted", lambda *_: True)
    monkeypatch.setattr(f"{package}.propagation.refuted", lambda *_: True)
    monkeypatch.setattr(f"{package}.propagation.Database.refutes", lambda *_: True)


def claim_safe(forged: Any, clauses: list[str], lrat: str) -> None:
    """Call the last cell safe, by steps of the derivation that do not follow, and by no more."""
    for name in ("proof.opb", "proof.pbp"):
        del forged.files[name]
    for clause in clauses:
        words = [f"1 {'~' * (lit[0] == '-')}x{lit.lstrip('-')}" for lit in clause.split()[:-1]]
        forged.add_steps(f"rup {' '.join(words)} >= 1 : ~ 1 ;")
    forged.claim_last_cell_safe(clauses, lrat)


def test_a_false_claim_is_refused_although_the_derivation_checker_takes_every_step(
    forge, blind, monkeypatch
):
    forged, again = forge("interior"), forge("interior")
    assert forged.about["grid"] == ["1M???"]
    for one in (forged, again):
        claim_safe(one, ["-4 0"], "4 0 2 1 3 0\n")
    forged.refused("formula.cnf", "clause 2 (-4 0): no assignment of cells was found to confirm it")
    # Without the second opinion it would be accepted.
    monkeypatch.setattr("satsweeper.checker.formula.confirm_clauses", lambda *_: None)
    assert again.check().proved == 2


def test_nor_can_it_be_hidden_behind_auxiliary_variables(forge, blind):
    forged = forge("interior")
    claim_safe(forged, ["5 -4 0", "-5 -4 0"], "5 -4 0 2 3 0\n6 0 5 1 4 0\n")
    forged.replace("formula.cnf", "p cnf 4", "p cnf 5")
    forged.replace("refutation.cnf", "p cnf 4", "p cnf 5")
    auxiliaries = [{"first": 5, "last": 5, "role": "clue", "encoding": "totalizer"}]
    forged.put_json("map.json", {**forged.json("map.json"), "auxiliaries": auxiliaries})
    forged.refused("formula.cnf", "clause 2 (5 -4 0)")


@pytest.mark.parametrize("name", ["total", "open", "flags", "expert"])
def test_every_clause_of_a_clue_is_confirmed_and_each_that_says_more_is_not(forge, blind, name):
    """A literal less in a clause of cells excludes a layout of its clue, or is the clue's own."""
    board, cnf, confirmed = judged(forge(name).files)
    assert confirmed(cnf.clauses)
    small = [count for count in counts_of(board) if len(count.variables) <= 8]
    refused = 0
    for place, clause in enumerate(cnf.clauses[:60]):
        shorter = clause[1:]
        if not clause or any(abs(lit) > len(board.cells) for lit in clause):
            continue
        if not any(implied(shorter, count) for count in small):
            assert not confirmed([*cnf.clauses[:place], shorter, *cnf.clauses[place + 1 :]])
            refused += 1
    assert refused > 1


def counts_of(board: CheckedBoard) -> list[CellCount]:
    said = [count for count in board.counts if count.variables or count.mines]
    return said if board.total is None else [*said, board.total]


def judged(files: Mapping[str, bytes]) -> tuple[CheckedBoard, Cnf, Callable[..., bool]]:
    """Board and formula of a certificate, and whether clauses in the place of its are confirmed."""
    board = read_board(files["board.txt"].decode(), True)
    cnf = parse_cnf(files["formula.cnf"])
    rest = counts_of(board), len(board.cells), files["derivation.pbp"], "f"

    def confirmed(clauses: Iterable[tuple[int, ...]]) -> bool:
        try:
            confirm_clauses(Cnf(cnf.num_vars, tuple(clauses)), *rest)
        except WrongCertificateError:
            return False
        return True

    return board, cnf, confirmed


def implied(clause: tuple[int, ...], count: CellCount) -> bool:
    variables = sorted(count.variables)
    if not {*map(abs, clause)} <= count.variables:
        return False
    # As if these were all variables.
    renamed = [(variables.index(abs(lit)) + 1) * (1 if lit > 0 else -1) for lit in clause]
    every = oracles.assignments(len(variables))
    return all(oracles.satisfied([renamed], bits) for bits in every if sum(bits) == count.mines)


def random_board(rng: random.Random) -> str:
    """At most 13 covered cells, consistent or nearly so, with a total or without."""
    rows, columns = rng.choice([(2, 5), (3, 4), (3, 5), (4, 4)])
    cells = [*product(range(rows), range(columns))]
    mines = {cell for cell in cells if rng.random() < 0.3}
    shown = []
    for cell in cells:
        count = len(mines.intersection(neighbours(cell, (rows, columns)))) + (rng.random() < 0.05)
        shown.append("?" if cell in mines or rng.random() < 0.5 else str(min(count, 8)))
    for at in range(len(shown)):
        if shown[at] == "?" and shown.count("?") > 13:
            shown[at] = "F"
    lines = ["".join(shown[r * columns :][:columns]) for r in range(rows)]
    return "\n".join([f"{rows} {columns} {rng.choice([len(mines), '?'])}", *lines, ""])


def changed(rng: random.Random, clauses: list[tuple[int, ...]], most: int) -> None:
    """One clause says more, or something else, or there is one more."""
    at = rng.randrange(len(clauses))
    lits = list(clauses[at])
    match rng.randrange(4):
        case 0 if lits:
            lits.pop(rng.randrange(len(lits)))
        case 1 if lits:
            which = rng.randrange(len(lits))
            lits[which] *= -1
        case 2 if lits:
            others = [v for v in range(1, most + 1) if v not in map(abs, lits)] or [most]
            lits[rng.randrange(len(lits))] = rng.choice((1, -1)) * rng.choice(others)
        case _:
            clauses.append((rng.choice((1, -1)) * rng.randint(1, most),))
    if len({*map(abs, lits)}) == len(lits):
        clauses[at] = tuple(lits)


def extends_all(clauses: list[tuple[int, ...]], layouts: list[list[int]]) -> bool:
    if not all(clauses):
        return not layouts
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        return all(solver.solve(assumptions=layout) for layout in layouts)


@pytest.mark.parametrize("encoding", TOTAL_ENCODINGS)
@pytest.mark.parametrize("total_encoding", TOTAL_ENCODINGS)
def test_what_it_accepts_excludes_no_layout_and_what_certify_writes_it_accepts(
    encoding, total_encoding
):
    rng = random.Random(f"{encoding} {total_encoding}")
    verdicts = Counter[bool]()
    for _ in range(12):
        text = random_board(rng)
        try:
            made = certify(Position.parse(text), encoding=encoding, total_encoding=total_encoding)
        except ValueError:  # No board, or bounds that this encoding cannot express.
            continue
        board, cnf, confirmed = judged(made.files)
        layouts = [
            [v if cell in mines else -v for cell, v in board.variable.items()]
            for mines in oracles.layouts(Position.parse(text))
        ]
        assert confirmed(cnf.clauses)
        assert extends_all(list(cnf.clauses), layouts)
        for _ in range(25 if cnf.clauses else 0):
            clauses = list(cnf.clauses)
            for _ in range(rng.randint(1, 2)):
                changed(rng, clauses, cnf.num_vars)
            accepted = confirmed(clauses)
            verdicts[accepted] += 1
            assert not accepted or extends_all(clauses, layouts), (text, clauses)
    # Encodings of at most one refuse most boards.
    if all(expresses(name, 8, 3, 3) for name in (encoding, total_encoding)):
        assert min(verdicts[True], verdicts[False]) > 5


@pytest.mark.parametrize("total_encoding", ["totalizer", "sequential_counter", "knuth_counter"])
def test_a_total_over_many_cells_is_confirmed_by_what_its_variables_count(total_encoding):
    """Two clues that allow one or two mines; the total says one, for thirty cells."""
    text = "2 16 1\n" + "1" + "?" * 15 + "\n" + "1" + "?" * 15 + "\n"
    made = certify(Position.parse(text), total_encoding=total_encoding)
    assert made.found.counts["safe"] > 20
    board, cnf, confirmed = judged(made.files)
    cells = len(board.cells)
    assert cnf.num_vars > cells
    assert confirmed(cnf.clauses)
    # The mine is in one of the two cells that both clues count.
    layouts = [[v if v == mine else -v for v in range(1, cells + 1)] for mine in (1, 16)]
    of_total = [place for place, clause in enumerate(cnf.clauses) if max(map(abs, clause)) > cells]
    rng = random.Random(3)
    for place in rng.sample(of_total, 30):
        clause = cnf.clauses[place]
        for at in range(len(clause)):
            clauses = list(cnf.clauses)
            clauses[place] = clause[:at] + clause[at + 1 :]
            assert not confirmed(clauses) or extends_all(clauses, layouts)


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_every_clause_of_a_clue_with_eight_neighbours_is_confirmed(encoding):
    for mines in (k for k in range(9) if k in (0, 8) or expresses(encoding, 8, k, k)):
        made = certify(Position.parse(f"???\n?{mines}?\n???\n"), encoding=encoding)
        cnf = parse_cnf(made.files["formula.cnf"])
        said = [CellCount(frozenset(range(1, 9)), mines)]
        confirm_clauses(cnf, said, 8, b"", "f")
        if cnf.clauses and 0 < mines < 8:
            for other in (mines - 1, mines + 1):
                with pytest.raises(WrongCertificateError):
                    confirm_clauses(cnf, [CellCount(frozenset(range(1, 9)), other)], 8, b"", "f")
