"""Every exported format has exactly the layouts of the board, counted by another program."""

import hashlib
import io
import json
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from pbcnf import Formula
from pbcnf.formats.lint import lint
from pbcnf.formats.problems import write_problem
from satsweeper import Position
from satsweeper.export.competition import compacted, entry_of
from satsweeper.export.formula import BoardProblem, Export, formula_of, questions
from tests.commands import environment, python
from tests.oracles import layouts as layouts_of

BOARDS = [
    "1?\n??",
    "2 3 2\n1??\n?1?",
    "2 3 ?\n?2?\n???",
    "1 5 2\n??1??",
    "2 3 3\nF2?\n???",
    "1 3 3\n?1?",
    "3 3 8\n???\n???\n?0?",
    "1 1 ?\n?",
]
ENCODINGS = ["direct", "totalizer", "cardinality_network"]


def layouts(position: Position) -> int:
    """The number of layouts."""
    return len(layouts_of(position))


def covered(position: Position) -> int:
    return sum(x == -1 for row in position.cells.tolist() for x in row)


def clause_file(name: str, export: Export) -> str:
    stream = io.BytesIO()
    export.write(stream, name)
    return stream.getvalue().decode()


def constraint_file(name: str, position: Position) -> str:
    stream = io.BytesIO()
    problem = BoardProblem.of(position).problem
    write_problem(problem, stream, name, comments=("a remark",))
    return stream.getvalue().decode()


def body(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if line and not line.startswith("c")]


def projected(clauses: list[list[int]], n: int) -> int:
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        return sum(
            solver.solve([v if bit else -v for v, bit in enumerate(bits, 1)])
            for bits in product((0, 1), repeat=n)
        )


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("board", BOARDS)
def test_cnf_icnf_and_wcnf_have_the_layouts_as_projected_models(board: str, encoding: str) -> None:
    position = Position.parse(board)
    export = formula_of(position, encoding=encoding, total_encoding=encoding)
    n, expected = covered(position), layouts(position)
    cnf = body(clause_file("cnf", export))
    assert projected([[int(w) for w in line[:-1]] for line in cnf[1:]], n) == expected
    icnf = body(clause_file("icnf", export))
    assert icnf[0] == ["p", "inccnf"]
    clauses = [[int(w) for w in line[:-1]] for line in icnf[1:] if line[0] != "a"]
    assert projected(clauses, n) == expected
    cubes = [[int(w) for w in line[1:-1]] for line in icnf if line[0] == "a"]
    assert cubes == questions(export) == [[s * v] for v in range(1, n + 1) for s in (1, -1)]
    wcnf = body(clause_file("wcnf", export))
    assert all(line[0] == "h" for line in wcnf)
    assert projected([[int(w) for w in line[1:-1]] for line in wcnf], n) == expected


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("board", BOARDS)
def test_pmc_is_counted_by_ganak(tmp_path: Path, board: str, encoding: str) -> None:
    pytest.importorskip("pyganak")
    position = Position.parse(board)
    export = formula_of(position, encoding=encoding, total_encoding=encoding)
    text = clause_file("pmc", export)
    shown = [line.split() for line in text.splitlines() if line.startswith("c p show")]
    show = [int(word) for line in shown for word in line[3:-1]]
    assert show == list(range(1, covered(position) + 1))
    assert "c t pmc" in text.splitlines()
    clauses = [[int(w) for w in line[:-1]] for line in body(text)[1:]]
    num_vars = int(body(text)[0][2])
    # In a child: a counter that was given a contradiction may end the process.
    code = (
        "import json, sys\nfrom pyganak import Counter\n"
        "num_vars, clauses, show = json.load(sys.stdin)\n"
        "counter = Counter()\n"
        "counter.add_clauses(clauses + [[v, -v] for v in range(1, num_vars + 1)])\n"
        "counter.set_sampling_set(show)\n"
        "print(counter.count())\n"
    )
    if any(not clause for clause in clauses):
        assert layouts(position) == 0
        return
    child = python("-c", code, input=json.dumps([num_vars, clauses, show]))
    assert child.returncode == 0, child.stderr
    assert int(child.stdout.split()[-1]) == layouts(position)


@pytest.mark.parametrize("board", BOARDS)
def test_knf_has_the_layouts_as_models(board: str) -> None:
    position = Position.parse(board)
    lines = body(constraint_file("knf", position))
    n = covered(position)
    assert lines[0][:2] == ["p", "knf"]
    assert lines[0][2:] == [str(n), str(len(lines) - 1)]

    def holds(line: list[str], model: set[int]) -> bool:
        bound, words = (int(line[1]), line[2:-1]) if line[0] == "k" else (1, line[:-1])
        return sum(int(word) in model for word in words) >= bound

    models = [
        {v if bit else -v for v, bit in enumerate(bits, 1)} for bits in product((0, 1), repeat=n)
    ]
    found = sum(all(holds(line, model) for line in lines[1:]) for model in models)
    assert found == layouts(position)


@pytest.mark.parametrize("board", BOARDS)
def test_opb_has_the_layouts_as_models_of_another_reader(board: str) -> None:
    position = Position.parse(board)
    n = covered(position)
    text = constraint_file("opb", position)
    lines = [line for line in text.splitlines() if not line.startswith("*")]
    assert text.startswith(f"* #variable= {n} #constraint= {len(lines)} #equal= ")
    found = 0
    for bits in product((0, 1), repeat=n):
        value = {f"x{v}": bit for v, bit in enumerate(bits, 1)}
        value |= {f"~{name}": 1 - bit for name, bit in value.items()}
        met = True
        for line in lines:
            *terms, relation, bound, end = line.split()
            assert end == ";"
            total = sum(int(w) * value[x] for w, x in zip(terms[::2], terms[1::2], strict=True))
            met &= total == int(bound) if relation == "=" else total >= int(bound)
        found += met
    assert found == layouts(position)


HIGHS = """
import sys, highspy
from itertools import product
class Silent(highspy.Highs):
    enableCallbacks = lambda self: None  # where 1.16 prints
h = Silent()
h.setOptionValue("output_flag", False)
assert h.readModel(sys.argv[1]) != highspy.HighsStatus.kError
n, found = h.getNumCol(), 0
for bits in product((0, 1), repeat=n):
    for column, bit in enumerate(bits):
        h.changeColBounds(column, bit, bit)
    h.run()
    found += h.getModelStatus() == highspy.HighsModelStatus.kOptimal or (
        n == 0 and h.getModelStatus() == highspy.HighsModelStatus.kModelEmpty
    )
print(n, found)
"""


@pytest.mark.parametrize("name", ["lp", "mps"])
@pytest.mark.parametrize("board", BOARDS)
def test_lp_and_mps_have_the_layouts_as_solutions_of_highs(
    tmp_path: Path, name: str, board: str
) -> None:
    pytest.importorskip("highspy")
    position = Position.parse(board)
    path = tmp_path / f"board.{name}"
    path.write_text(constraint_file(name, position))
    # In a child: its library and that of OR-tools do not go together.
    child = python("-c", HIGHS, path, env=environment(PYTHONWARNINGS="ignore"))
    assert child.returncode == 0, child.stderr
    columns, found = map(int, child.stdout.split())
    # A column that no row mentions may be left out by the format.
    assert found * 2 ** (covered(position) - columns) == layouts(position)


@pytest.mark.parametrize("board", BOARDS)
def test_smtlib_has_the_layouts_as_models_of_z3(board: str) -> None:
    pytest.importorskip("pysmt")
    z3 = pytest.importorskip("z3")
    position = Position.parse(board)
    solver = z3.Solver()
    solver.from_string(constraint_file("smt2", position))
    names = BoardProblem.of(position).problem.names.values()
    found = 0
    declared = {str(d): d for a in solver.assertions() for d in constants(z3, a)}
    while solver.check() == z3.sat:
        model = solver.model()
        found += 1
        solver.add(z3.Or([v != model.eval(v, True) for v in declared.values()] or [False]))
    assert set(declared) <= set(names)
    assert found * 2 ** (len(list(names)) - len(declared)) == layouts(position)


def constants(z3: object, term: object) -> list[object]:
    """The names without arguments that occur in a term."""
    children = term.children()  # type: ignore[attr-defined]
    if not children:
        return [term] if z3.is_const(term) and term.decl().kind() == z3.Z3_OP_UNINTERPRETED else []  # type: ignore[attr-defined]
    return [found for child in children for found in constants(z3, child)]


# Entries to the competition: exact, named, hashed, and the same layouts as the board


LITERALS = st.integers(1, 7).flatmap(lambda var: st.sampled_from([var, -var]))


@settings(max_examples=200, deadline=None)
@given(st.lists(st.lists(LITERALS, max_size=4, unique=True), max_size=8))
def test_compacting_keeps_the_clauses_up_to_names_and_repetition(clauses: list[list[int]]) -> None:
    formula = Formula(num_vars=9)
    for clause in clauses:
        formula.add_clause(clause)
    smaller, old = compacted(formula)
    names = [0, *old.tolist()]
    restored = [[names[lit] if lit > 0 else -names[-lit] for lit in c] for c in smaller.clauses()]
    distinct = []
    for clause in clauses:
        if set(clause) not in map(set, distinct):
            distinct.append(clause)
    assert restored == distinct
    assert names[1:] == sorted({abs(lit) for clause in clauses for lit in clause})


@pytest.mark.parametrize("encoding", ["direct", "totalizer", "adder"])
@pytest.mark.parametrize("mines", [None, 4])
def test_an_entry_breaks_no_rule_and_its_models_are_the_layouts(
    encoding: str, mines: int | None
) -> None:
    board = Position.parse("1??\n?3?\n???\n", mines=mines)
    export = formula_of(board, encoding=encoding, total_encoding=encoding)
    entry = entry_of(export)
    stream = io.BytesIO()
    hashes = entry.write_cnf(stream)
    text = stream.getvalue()
    assert list(lint(text.splitlines(keepends=True), f"{entry.stem}.cnf.xz")) == []
    assert hashes["sha256"] == hashlib.sha256(text).hexdigest()
    cells = {tuple(cell["cell"]): int(var) for var, cell in entry.name_map()["variables"].items()}
    around = [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2)]
    with Solver("minisat22", bootstrap_with=list(entry.formula.clauses())) as solver:
        for layout in product((0, 1), repeat=7):
            mine = dict(zip(around, layout, strict=True))
            valid = sum(layout) == 3 and mine[0, 1] + mine[1, 0] == 1
            valid = valid and (mines is None or sum(layout) == mines)
            known = [cells[c] if mine[c] else -cells[c] for c in around if c in cells]
            assert solver.solve(known) == valid, layout


def test_the_gbd_hash_is_that_of_its_authors_tool(tmp_path: Path) -> None:
    gbdc = pytest.importorskip("gbdc")
    entry = entry_of(formula_of(Position.parse("1??\n?3?\n???\n")))
    path = tmp_path / "e.cnf"
    with path.open("wb") as stream:
        hashes = entry.write_cnf(stream)
    assert gbdc.gbdhash(str(path)) == hashes["gbd_hash"]


def test_the_gbd_hash_of_a_small_formula_by_hand() -> None:
    entry = entry_of(formula_of(Position.parse("1?\n??")))
    clauses = " ".join(" ".join(map(str, [*clause, 0])) for clause in entry.formula.clauses())
    hashes = entry.write_cnf(io.BytesIO())
    assert hashes["gbd_hash"] == hashlib.md5(clauses.encode()).hexdigest()


def test_cells_without_a_clause_are_free_in_the_map() -> None:
    entry = entry_of(formula_of(Position.parse("1?\n1?\n??\n??")))
    found = entry.name_map()
    assert found["free"] == [{"cell": [3, 0]}, {"cell": [3, 1]}]
    assert entry.left_out == 2
    assert list(found["variables"]) == [str(v) for v in range(1, entry.formula.num_vars + 1)]
