"""Engines with a package of their own: brute force, limits, hard boards, and what rests on doubles.

Each runs in a process of its own (``ask``), since OR-Tools and HiGHS cannot share one.
"""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

import pytest

from satsweeper import Position, Session, Status, classify
from satsweeper.answers.options import Options
from satsweeper.board.facts import WrongModelError
from satsweeper.engines.parts.position_sums import PositionSums
from satsweeper.engines.parts.query_loop import Evidence
from satsweeper.engines.parts.weak_duality import find_lp_conflict, proved_bound
from satsweeper.engines.table import ENGINES, PACKAGES
from satsweeper.families.chessboard import chessboard_with_private_cells
from satsweeper.families.table import FAMILIES
from satsweeper.linear.highs import ProgramOutcome
from satsweeper.processes.deadline import Deadline
from satsweeper.reasons.guarded import Guarded
from satsweeper.solvers.protocol import Answer, LiveSolver, Satisfied, Unknown
from satsweeper.solvers.search_budget import SearchBudget
from tests.boards import CertainCells, assert_refutes
from tests.commands import EXAMPLES, environment, python
from tests.oracles import exact_sets

Ask = Callable[..., CertainCells]

WITH_PACKAGE = {name: engine for name, engine in ENGINES.items() if engine.extra is not None}
COMPLETE = [name for name, engine in WITH_PACKAGE.items() if engine.complete]
EXAMPLE = Position.parse("1??\n12?\n01?")
TRIANGLE = Position.parse("?2?\n3F3\nF?F")
"""Of three cells each two hold one mine: no layout does that, only three halves of a mine."""
MISSED = Position.parse("?FF??\nFF6F3\n3F?2?")

highs = pytest.mark.skipif(find_spec("highspy") is None, reason="highspy is an extra: ilp")
scip = pytest.mark.skipif(find_spec("pyscipopt") is None, reason="pyscipopt is an extra: scip")


def corners(n: int) -> set[tuple[int, int]]:
    """The certain cells of a mutilated chessboard of this side with private cells, both safe."""
    return {(0, 0), (2 * n, 2 * n)}


@pytest.mark.parametrize("name", COMPLETE)
def test_verdicts_are_those_of_brute_force(name, known, ask):
    answers = [(one, ask(name, one.position)) for one in known]
    # SCIP's notes on what elimination misses are tested below; HiGHS's verdicts are all proved.
    bare = [(one, replace(a, notes=()) if name == "scip" else a) for one, a in answers]
    assert [(one, answer) for one, answer in bare if not one.agrees(answer)] == []


@pytest.mark.parametrize("name", WITH_PACKAGE)
def test_a_board_that_only_halves_of_mines_meet_is_a_contradiction(name, ask):
    assert replace(ask(name, TRIANGLE), notes=()) == CertainCells("inconsistent")


@pytest.mark.parametrize(
    ("name", "family", "size", "seconds"),
    [
        ("cp_sat", "chessboard_with_private_cells", 20, 0.5),
        ("smt", "chessboard_with_private_cells", 20, 0.5),
        ("lp", "chessboard_with_private_cells", 30, 0.001),
        ("scip", "parity_lattice_with_open_end", 8, 0.01),
    ],
)
def test_a_limit_is_kept_and_what_is_certain_stays(name, family, size, seconds, ask):
    position = FAMILIES[family].instance(size, 1)
    answer = ask(name, position, timeout=seconds)
    assert not answer.decided
    assert answer.notes
    truth = corners(size) if family.startswith("chess") else set(classify(position).safe)
    assert answer.safe <= truth
    assert not answer.mines or name == "scip"


@pytest.mark.parametrize("name", ["ilp", "lp", "lp_relaxation"])
def test_linear_programs_prove_both_cells_safe_and_the_proof_is_exact(name, ask):
    for n in (10, 30):
        answer = ask(name, chessboard_with_private_cells(n))
        # Without a note: nothing rests on doubles.
        assert answer == CertainCells("consistent", frozenset(corners(n)))


class FewConflicts(SearchBudget):
    """A limit of 3,000 conflicts in all: the deadline comes when they are used up."""

    conflicts_left = 3_000

    def solve(self, solver: LiveSolver, assumptions: Sequence[int] = ()) -> Answer:
        if self.deadline.passed():
            return Unknown("conflicts")
        before = solver.conflicts()
        answer = solver.solve(assumptions, self.conflicts_left)
        self.conflicts_left -= solver.conflicts() - before
        if self.conflicts_left <= 0:
            self.deadline = Deadline.after(0.0)
        return answer


def test_sat_reaches_its_limit_where_linear_programs_do_not():
    limit = FewConflicts()
    with Session(chessboard_with_private_cells(30), beyond=False) as session:
        answer = session.classify(limit)
    assert limit.deadline.passed()
    assert (answer.status, answer.mines) == (Status.UNDECIDED, [])
    assert not set(answer.safe) & corners(30)


def test_the_table_says_who_is_strong_and_weak_there():
    for name in ("sat", "elimination", "cp_sat", "ilp", "lp", "lp_relaxation", "scip", "smt"):
        assert "mutilated chessboard" in ENGINES[name].promise
    for name in ("sat", "elimination", "ilp", "lp", "lp_relaxation", "scip"):
        assert "parity" in ENGINES[name].promise


@pytest.mark.parametrize(("name", "share"), [("elimination", 0.99), ("lp_relaxation", 0.9)])
def test_what_sums_prove_is_true_most_is_proved_and_the_rest_admitted(name, share, known, ask):
    certain = found = seen = 0
    for one in known:
        answer = ask(name, one.position)
        if not one.layouts:
            seen += answer.status == "inconsistent"
            assert answer.status != "consistent"
            continue
        assert answer.status != "inconsistent"
        assert answer.safe <= one.safe
        assert answer.mines <= one.mines
        certain += len(one.safe) + len(one.mines)
        found += len(answer.safe) + len(answer.mines)
        assert one.agrees(answer) if answer.decided else answer.notes or name == "elimination"
    assert share * certain < found <= certain
    assert seen > share * sum(not one.layouts for one in known)


def test_a_safe_cell_that_may_be_half_a_mine_is_missed(ask):
    by_sat = classify(MISSED)
    assert by_sat.safe == [(0, 4), (2, 2)]
    answer = ask("lp_relaxation", MISSED)
    assert (answer.safe, answer.mines, answer.decided) == ({(2, 2)}, set(by_sat.mines), False)
    assert answer.notes


def test_a_bound_is_valid_whatever_the_duals():
    sums = PositionSums(EXAMPLE, Options())
    layouts = [{0, 2}, {0, 3}]
    for duals in ([0, 0, 0, 0], [1, 0, 0, 0], [0.3, -2, 1.7, -0.1], [9, 9, -9, 9]):
        for column in range(4):
            for cost in (1, -1):
                bound = proved_bound(sums, column, cost, ProgramOutcome("optimal", (), duals))
                assert all(bound <= cost * (column in layout) for layout in layouts)


def solutions(sums: PositionSums) -> list[set[tuple[int, int]]]:
    """The assignments that meet all equations, as the cells that are mines."""
    return [{sums.cells[v - 1] for v in ones} for ones in exact_sets(sums.rows, sums.variables)]


def test_the_worked_example_has_the_equations_and_the_layouts_of_its_document():
    sums = PositionSums(EXAMPLE, Options())
    assert sums.cells == [(0, 1), (0, 2), (1, 2), (2, 2)]
    # The clue 0 counts no covered cell.
    assert sums.columns == [((0,), 1), ((0,), 1), ((0, 1, 2, 3), 2), ((2, 3), 1)]
    assert solutions(sums) == [{(0, 1), (2, 2)}, {(0, 1), (1, 2)}]


def test_the_solutions_of_the_equations_are_the_layouts(known):
    for one in known:
        assert len(solutions(PositionSums(one.position, Options()))) == one.layouts


def test_a_layout_that_breaks_the_board_is_not_believed():
    evidence = Evidence(PositionSums(EXAMPLE, Options()))
    with pytest.raises(WrongModelError):
        evidence.add_layout(frozenset({1, 2, 3}))
    with pytest.raises(WrongModelError, match="asked for"):
        evidence.add_layout(frozenset({1, 3}), 4)
    assert not evidence.has_layout
    evidence.add_layout(frozenset({1, 3}), 3)
    # The first two cells are shown one way; the last two may change places.
    assert (evidence.has_layout, evidence.open) == (True, {-1, 2})


@pytest.mark.parametrize("name", [name for name, f in FAMILIES.items() if f.of == "board"])
def test_scip_finds_the_status_and_the_certain_cells_of_every_family(name, ask):
    family = FAMILIES[name]
    size = family.small[-1]
    answer = ask("scip", family.instance(size, 1))
    assert answer.decided
    assert (answer.status == "consistent") == family.satisfiable
    for cell, mine in family.certain(size, 1).items():
        assert cell in (answer.mines if mine else answer.safe)


def test_a_note_says_how_many_verdicts_rest_on_doubles(ask):
    """Of 41 certain cells of this board elimination misses a few; of a lattice it misses none."""
    answer = ask("scip", FAMILIES["checkerboard"].instance(12, 1))
    assert len(answer.safe | answer.mines) == 41
    [note] = answer.notes
    assert re.match(r"\d of 41 certain cells rest on SCIP's word", note)
    [note] = ask("scip", FAMILIES["hall"].instance(5)).notes
    assert note.startswith("that no layout exists is SCIP's word")
    assert ask("scip", FAMILIES["parity_lattice"].instance(4)).notes == ()


@scip
def test_a_wrong_layout_of_scip_is_not_believed_and_it_writes_nothing(monkeypatch, capfd):
    import pyscipopt

    ENGINES["scip"].classify(EXAMPLE, Options())

    class Liar(pyscipopt.Model):
        """SCIP with every value turned round."""

        def getVal(self, variable: Any) -> Any:  # noqa: N802
            return 1.0 - super().getVal(variable)

    monkeypatch.setattr(pyscipopt, "Model", Liar)
    with pytest.raises(WrongModelError):
        ENGINES["scip"].classify(EXAMPLE, Options())
    assert capfd.readouterr() == ("", "")


@highs
def test_a_conflict_by_linear_programs_has_no_layout_and_is_irreducible_if_it_says_so(
    known, make_board
):
    named = 0
    for one in known:
        found = find_lp_conflict(one.position, Options())
        assert not (one.layouts and found)
        if found is not None:
            named += found.irreducible
            rows = one.position.text().split("\n", 1)[1]
            assert_refutes(make_board(rows, one.position.mines), found)
    assert named > 0.8 * sum(not one.layouts for one in known)


@highs
def test_the_mutilated_chessboard_has_an_irreducible_conflict_and_sat_confirms_each_part(data):
    position = Position.read(data / "positions" / "mutilated_8.txt")
    found = find_lp_conflict(position, Options())
    assert found.irreducible
    assert not found.total
    guarded = Guarded(position.view())
    guarded.add_all()
    index = position.geometry.index
    wanted = {index(cell) for cell in (*found.clues, *found.flags)}
    chosen = [s for s, cell in (guarded.clue_of | guarded.flag_of).items() if cell in wanted]
    assert len(chosen) == len(wanted) == len(found.clues) + len(found.flags)
    for part in chosen:
        answer = guarded.sink.solver.solve([other for other in chosen if other != part])
        assert isinstance(answer, Satisfied)
    guarded.close()


@highs
def test_a_conflict_leaves_out_open_ground_and_without_time_there_is_none():
    rows = ["0" * 120] * 117 + ["0" * 104 + "11" + "0" * 14, "0" * 104 + "1F" + "0" * 14]
    position = Position.parse("\n".join([*rows, "0" * 104 + "F1" + "0" * 14]))
    found = find_lp_conflict(position, Options())
    assert found.irreducible
    assert len(found.clues) == len(found.flags) == 1
    late = find_lp_conflict(Position.parse("1?3\n???"), Options(timeout=0.0))
    assert late is None or not late.irreducible


BOTH = """
from satsweeper import Position
from satsweeper.engines.table import ENGINES
from satsweeper.answers.options import Options
position = Position.parse("1??\\n12?\\n01?")
for engine in "ORDER".split(", "):
    print(ENGINES[engine].classify(position, Options(timeout=30)).grid())
"""


@pytest.mark.parametrize(
    "order", ["cp_sat, ilp, lp_relaxation", "ilp, cp_sat", "smt, ilp, scip, cp_sat, scip"]
)
def test_engines_of_packages_that_clash_work_in_one_process(order):
    packages = {p for name in order.split(", ") for p in PACKAGES[ENGINES[name].extra]}
    if None in map(find_spec, packages):
        pytest.skip("extras")
    child = python("-c", BOTH.replace("ORDER", order))
    assert child.stderr == ""
    lines = child.stdout.splitlines()
    assert len(lines) == order.count(",") + 1
    assert len(set(lines)) == 1


@pytest.mark.parametrize(
    ("engine", "package"),
    [("smt", "z3"), ("ilp", "highspy"), ("cp_sat", "ortools"), ("scip", "pyscipopt")],
)
def test_an_engine_whose_package_is_broken_is_refused_in_one_line(engine, package, tmp_path):
    if find_spec("pysmt" if engine == "smt" else package) is None:
        pytest.skip("an extra")
    (tmp_path / package).mkdir()
    (tmp_path / package / "__init__.py").write_text("raise ImportError('no\\nlibrary')\n")
    here = environment()
    here["PYTHONPATH"] = os.pathsep.join([str(tmp_path), here["PYTHONPATH"]])
    command = ["-m", "satsweeper", "classify", EXAMPLES / "lp_5x5.txt", "--engine", engine]
    ended = python(*command, env=here)
    assert (ended.returncode, ended.stdout) == (1, "")
    broken = f"a package of engine {engine} is installed, but broken ("
    assert ended.stderr.startswith((broken, f"satsweeper classify: {broken}"))
    assert "pip install --force-reinstall" in ended.stderr
    assert ended.stderr.count("\n") == 1
