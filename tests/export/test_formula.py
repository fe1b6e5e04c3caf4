"""Exported formulas: their models are the layouts of the board, and every variable has a name."""

import bz2
import errno
import gzip
import hashlib
import json
import lzma
import os
import re
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from io import BytesIO
from itertools import chain, product
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Solver

from pbcnf import ENCODERS
from pbcnf.constraints.order import LiteralOrder
from pbcnf.formats.lint import lint
from satsweeper import Position, __version__
from satsweeper.board.facts import Flags
from satsweeper.export.competition import compacted, entry_of
from satsweeper.export.formula import BoardProblem, Export, distinct, formula_of, questions
from tests import oracles
from tests.commands import EXAMPLES, call, done, python, refused
from tests.problem_files import formula_of as formula_with
from tests.problem_files import read_by_highs, written

BOARD = "3 4 4\n1???\n?2F1\n????\n"
Layout = frozenset[tuple[int, int]]


class Parsed(NamedTuple):
    comments: list[str]
    num_vars: int
    num_clauses: int
    clauses: list[list[int]]


def lits_of(lines: Iterable[list[str]]) -> list[list[int]]:
    """The literals of lines that end with a 0 and hold no other."""
    rows = [[int(word) for word in line] for line in lines]
    assert all(row.index(0) == len(row) - 1 for row in rows)
    return [row[:-1] for row in rows]


def parse(text: str) -> Parsed:
    lines = text.splitlines()
    comments = [line[2:] for line in lines if line.startswith("c ")]
    p, cnf, num_vars, num_clauses = lines[len(comments)].split(" ")
    assert (p, cnf) == ("p", "cnf")
    clauses = lits_of(line.split(" ") for line in lines[len(comments) + 1 :])
    return Parsed(comments, int(num_vars), int(num_clauses), clauses)


def file_of(export: Export, name: str = "cnf") -> str:
    stream = BytesIO()
    export.write(stream, name)
    return stream.getvalue().decode("ascii")


def name_map(export: Export) -> Any:
    stream = BytesIO()
    export.write_map(stream)
    return json.loads(stream.getvalue())


def layouts(position: Position, trust: bool) -> set[Layout]:
    """Every set of mines among the covered cells that meets the clues and the total."""
    flags = position.flag_cells() if trust else ()
    return {found.difference(flags) for found in oracles.layouts(position, trust)}


def models(parsed: Parsed) -> set[Layout]:
    """The cells that are mines in some model, by the name map in the comments."""
    named = {}
    for line in parsed.comments:
        if match := re.fullmatch(r"var (\d+) cell (\d+) (\d+)", line):
            variable, row, column = map(int, match.groups())
            named[variable] = (row, column)
    found = set()
    with Solver("minisat22", bootstrap_with=parsed.clauses) as solver:
        for signs in product((1, -1), repeat=len(named)):
            assumptions = [sign * v for sign, v in zip(signs, named, strict=True)]
            if all(parsed.clauses) and solver.solve(assumptions=assumptions):
                found.add(frozenset(named[lit] for lit in assumptions if lit > 0))
    return found


@st.composite
def positions(draw: st.DrawFn) -> Position:
    """Small boards; most have a layout, but clues, flags and the total may be wrong."""
    rows, columns = draw(st.tuples(st.integers(1, 3), st.integers(1, 3)))
    every = [(r, c) for r in range(rows) for c in range(columns)]
    covered = draw(st.lists(st.sampled_from(every), max_size=7, unique=True))
    mines = {cell for cell in covered if draw(st.booleans())}
    cells = [[-1] * columns for _ in range(rows)]
    for r, c in every:
        if (r, c) not in covered:
            cells[r][c] = sum(max(abs(y - r), abs(x - c)) == 1 for y, x in mines)
            if draw(st.integers(0, 19)) == 19:
                cells[r][c] = draw(st.integers(0, 8))
        elif draw(st.integers(0, 9)) > 7:
            cells[r][c] = -2
    totals = st.sampled_from([None, len(mines)]) | st.integers(0, len(every))
    return Position(cells, draw(totals))


def expressible(name: str, export: Export) -> bool:
    """Whether each exact number is one that this encoder, by its own description, can express."""
    shapes = [group.shape for group in export.board.groups]
    if export.board.total is not None:
        shapes.append((len(export.board.cells), export.board.total))
    at_most_one = type(ENCODERS[name]).__module__.startswith("pbcnf.encoders.at_most_one.")
    return not at_most_one or not any(1 < mines < cells - 1 for cells, mines in shapes)


@pytest.mark.parametrize("name", ENCODERS)
@settings(max_examples=40)
@given(positions(), st.sampled_from(["trust", "ignore"]), st.sampled_from(LiteralOrder))
def test_the_models_are_the_layouts_and_each_variable_has_a_name(
    name: str, position: Position, flags: Flags, order: LiteralOrder
) -> None:
    if not expressible(name, formula_of(position, flags=flags)):
        with pytest.raises(ValueError, match=f"{name} cannot express"):
            formula_of(position, encoding=name, total_encoding=name, flags=flags)
        return
    export = formula_of(position, encoding=name, total_encoding=name, flags=flags, order=order)
    parsed = parse(file_of(export))
    assert models(parsed) == layouts(position, flags == "trust")
    assert parsed.num_clauses == len(parsed.clauses)
    assert max((abs(lit) for c in parsed.clauses for lit in c), default=0) <= parsed.num_vars
    assert_every_variable_named(export, parsed)


def assert_every_variable_named(export: Export, parsed: Parsed) -> None:
    names = name_map(export)
    variables, ranges = names["variables"], names["auxiliaries"]
    numbers = [int(variable) for variable in variables]
    for found in ranges:
        assert found["role"] in ("clue", "total")
        assert f"aux {found['first']}-{found['last']} {found['role']} {found['encoding']}" in (
            parsed.comments
        )
        numbers += range(found["first"], found["last"] + 1)
    assert numbers == list(range(1, parsed.num_vars + 1))
    assert [role["cell"] for role in variables.values()] == export.board.cells.tolist()


def test_the_comments_say_where_the_file_comes_from() -> None:
    position = Position.parse(BOARD)
    text = file_of(formula_of(position, encoding="totalizer"))
    digest = hashlib.sha256(position.text().encode()).hexdigest()
    assert parse(text).comments[:10] == [
        f"satsweeper {__version__}", "board 4x3, total 4", f"board sha256 {digest}",
        "flags trusted as mines: 1", "encoding of clues: totalizer", "clues n=2 k=1: 1",
        "clues n=4 k=0: 1", "clues n=6 k=1: 1", "encoding of total: direct", "total n=8 k=3",
    ]  # fmt: skip
    assert text.count("p cnf") == 1


def test_the_encoding_of_the_total_is_chosen_by_size() -> None:
    for cells, mines, encoding in (
        (8, 4, "direct"), (9, 4, "totalizer"), (12, 6, "totalizer"), (1000, 200, "parallel_counter")
    ):  # fmt: skip
        export = formula_of(Position.parse("?" * cells, mines=mines))
        assert export.total_encoding == encoding
    # A board without a clue needs a name that exists all the same.
    with pytest.raises(ValueError, match="unknown encoder 'dirct'"):
        formula_of(Position.parse("??"), encoding="dirct")


def test_the_map_tells_the_board_apart() -> None:
    names = name_map(formula_of(Position.parse(BOARD)))
    found = [names[key] for key in ("schema", "rows", "columns", "mines", "flags")]
    assert found == ["satsweeper/map/1", 3, 4, 4, [[1, 2]]]
    assert name_map(formula_of(Position.parse("1?F"), flags="ignore"))["flags"] == []


def test_auxiliaries_of_clues_and_total_are_told_apart() -> None:
    position = Position.parse("4 4 5\n????\n?3??\n????\n????")
    export = formula_of(position, encoding="totalizer", total_encoding="sequential_counter")
    clue, total = export.auxiliaries
    alone = formula_of(Position(position.cells), encoding="totalizer").formula.num_vars
    assert (clue.first, clue.last, clue.role, clue.encoding) == (16, alone, "clue", "totalizer")
    assert (total.first, total.last) == (alone + 1, export.formula.num_vars)
    assert (total.role, total.encoding) == ("total", "sequential_counter")


@pytest.fixture
def board(tmp_path: Path) -> str:
    path = tmp_path / "in" / "board.txt"
    path.parent.mkdir()
    path.write_text(BOARD)
    return str(path)


UNPACK: dict[str, Callable[[bytes], bytes]] = {
    "": bytes, ".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress
}  # fmt: skip


@pytest.mark.parametrize(("ending", "unpack"), UNPACK.items())
def test_the_ending_of_the_name_says_how_to_compress(board, tmp_path: Path, ending, unpack) -> None:
    out, names = tmp_path / f"b.cnf{ending}", tmp_path / f"b.json{ending}"
    assert call("export", board, "--format", "cnf", "-o", out, "--map", names).code == 0
    export = formula_of(Position.parse(BOARD))
    assert unpack(out.read_bytes()).decode() == file_of(export)
    assert json.loads(unpack(names.read_bytes())) == name_map(export)
    if ending == ".gz":
        assert out.read_bytes()[3:8] == bytes(5), "neither a name nor a time is in the file"


def test_a_dash_is_standard_output(board: str) -> None:
    assert done("export", board, "-o", "-").out == file_of(formula_of(Position.parse(BOARD)))


def test_a_board_without_layout_is_exported_all_the_same(tmp_path: Path) -> None:
    out = tmp_path / "b.cnf"
    assert call("export", "-", "-o", out, board="1?1\n0??").code == 0
    assert models(parse(out.read_text())) == set()


def test_options_choose_encodings_flags_and_total(board: str, tmp_path: Path) -> None:
    out = tmp_path / "b.cnf"
    chosen = {"encoding": "totalizer", "total_encoding": "knuth_counter", "flags": "ignore"}
    chosen["order"] = LiteralOrder.BANDWIDTH
    options = [f"--{name.replace('_', '-')}={word}" for name, word in chosen.items()]
    assert call("export", board, "-o", out, "--mines", 3, *options).code == 0
    assert out.read_text() == file_of(formula_of(Position.parse(BOARD, mines=3), **chosen))


def test_an_encoding_too_large_for_the_total_is_refused_at_once() -> None:
    board = "16 30 99\n" + ("?" * 30 + "\n") * 16
    ended = refused(2, "export", "-", "--total-encoding", "direct", board=board)
    assert "'direct' of 99 <= sum of 480 <= 99" in ended.err


def first_of_equal(clauses: list[list[int]]) -> list[list[int]]:
    found: dict[frozenset[int], list[int]] = {}
    for clause in clauses:
        found.setdefault(frozenset(clause), clause)
    return list(found.values())


@pytest.mark.parametrize("seed", range(20))
def test_the_first_of_equal_clauses_stays_and_no_other_is_lost(seed: int) -> None:
    random = Random(seed)
    clauses = [
        [random.choice((1, -1)) * var for var in random.sample(range(1, 6), random.randint(0, 3))]
        for _ in range(random.randint(0, 60))
    ]
    found, expected = distinct(formula_with(6, clauses)), first_of_equal(clauses)
    assert (list(found), found.num_vars) == (expected, 6)
    assert (found.num_clauses, found.num_literals) == (len(expected), sum(map(len, expected)))


def test_the_export_that_lint_shows_as_its_example_has_no_finding(tmp_path: Path) -> None:
    path = tmp_path / "ms_expert.cnf"
    assert call("export", EXAMPLES / "expert.txt", "-o", path).code == 0
    ended = call("lint", path)
    assert (ended.code, ended.out) == (0, "0 errors, 0 warnings\n")
    clauses = parse(path.read_text()).clauses
    assert len({*map(frozenset, clauses)}) == len(clauses)


def no_space(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@pytest.mark.parametrize("broken", ["os.fsync", "os.replace"])
@pytest.mark.parametrize("before", [None, "older"])
def test_a_full_disk_leaves_the_folder_as_it_was(
    board: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str, before: str | None
) -> None:
    out = tmp_path / "b.cnf.gz"
    if before is not None:
        out.write_text(before)
    files = sorted(os.listdir(tmp_path))
    with monkeypatch.context() as patch:
        patch.setattr(broken, no_space)
        ended = call("export", board, "-o", out, "--map", tmp_path / "b.json")
    assert (ended.code, ended.err) == (1, f"{out}: No space left on device\n")
    assert sorted(os.listdir(tmp_path)) == files
    assert before is None or out.read_text() == before


BOARDS = [
    "1?\n??", "2 3 2\n1??\n?1?", "2 3 ?\n?2?\n???", "1 5 2\n??1??", "2 3 3\nF2?\n???",
    "1 3 3\n?1?", "3 3 8\n???\n???\n?0?", "1 1 ?\n?",
]  # fmt: skip
ENCODINGS = ["direct", "totalizer", "cardinality_network"]


def number(position: Position) -> int:
    """The number of layouts."""
    return len(oracles.layouts(position))


def constraint_file(name: str, position: Position) -> str:
    return written(BoardProblem.of(position).problem, name, comments=("a remark",))


def body(text: str) -> list[list[str]]:
    return [line.split() for line in text.splitlines() if line and not line.startswith("c")]


def projected(clauses: list[list[int]], n: int) -> int:
    with Solver("minisat22", bootstrap_with=clauses) as solver:
        every = map(oracles.true_literals, oracles.assignments(n))
        return sum(solver.solve(sorted(bits, key=abs)) for bits in every)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("board", BOARDS)
def test_formats_of_clauses_have_the_layouts_as_projected_models_and_ganak_counts_pmc(
    board: str, encoding: str
) -> None:
    position = Position.parse(board)
    export = formula_of(position, encoding=encoding, total_encoding=encoding)
    n, expected = len(position.covered_cells()), number(position)
    assert projected(parse(file_of(export)).clauses, n) == expected
    first, *icnf = body(file_of(export, "icnf"))
    assert first == ["p", "inccnf"]
    clauses = lits_of(line for line in icnf if line[0] != "a")
    assert projected(clauses, n) == expected
    cubes = lits_of(line[1:] for line in icnf if line[0] == "a")
    assert cubes == questions(export) == [[s * v] for v in range(1, n + 1) for s in (1, -1)]
    wcnf = body(file_of(export, "wcnf"))
    assert all(line[0] == "h" for line in wcnf)
    assert projected(lits_of(line[1:] for line in wcnf), n) == expected
    text = file_of(export, "pmc")
    shown = [line.split() for line in text.splitlines() if line.startswith("c p show")]
    assert [int(word) for line in shown for word in line[3:-1]] == list(range(1, n + 1))
    assert "c t pmc" in text.splitlines()
    (_, _, num_vars, _), *lines = body(text)
    clauses = lits_of(lines)
    assert projected(clauses, n) == expected
    if find_spec("pyganak") is None or [] in clauses:
        return
    # In a child: a counter that was given a contradiction may end the process.
    code = (
        "import json, sys\nfrom pyganak import Counter\n"
        "num_vars, clauses, show = json.load(sys.stdin)\n"
        "counter = Counter()\n"
        "counter.add_clauses(clauses + [[v, -v] for v in range(1, num_vars + 1)])\n"
        "counter.set_sampling_set(show)\n"
        "print(counter.count())\n"
    )
    given = json.dumps([int(num_vars), clauses, list(range(1, n + 1))])
    child = python("-c", code, input=given)
    assert child.returncode == 0, child.stderr
    assert int(child.stdout.split()[-1]) == expected


@pytest.mark.parametrize("board", BOARDS)
def test_knf_has_the_layouts_as_models(board: str) -> None:
    position = Position.parse(board)
    lines = body(constraint_file("knf", position))
    n = len(position.covered_cells())
    assert lines[0][:2] == ["p", "knf"]
    assert lines[0][2:] == [str(n), str(len(lines) - 1)]

    found = 0
    for bits in oracles.assignments(n):
        rows = (line if line[0] == "k" else ["k", "1", *line] for line in lines[1:])
        found += all(oracles.weighted_sum(map(int, row[2:-1]), bits) >= int(row[1]) for row in rows)
    assert found == number(position)


@pytest.mark.parametrize("board", BOARDS)
def test_opb_has_the_layouts_as_models_of_another_reader(board: str) -> None:
    position = Position.parse(board)
    n = len(position.covered_cells())
    text = constraint_file("opb", position)
    lines = [line for line in text.splitlines() if not line.startswith("*")]
    assert text.startswith(f"* #variable= {n} #constraint= {len(lines)} #equal= ")
    found = 0
    for bits in oracles.assignments(n):
        met = True
        for line in lines:
            *terms, relation, bound, end = line.split()
            assert end == ";"
            lits = [int(x.replace("x", "").replace("~", "-")) for x in terms[1::2]]
            total = oracles.weighted_sum(lits, bits, map(int, terms[::2]))
            met &= total == int(bound) if relation == "=" else total >= int(bound)
        found += met
    assert found == number(position)


@pytest.mark.parametrize("name", ["lp", "mps"])
@pytest.mark.parametrize("board", BOARDS)
def test_lp_and_mps_have_the_layouts_as_models_of_highs(tmp_path: Path, name, board: str) -> None:
    position = Position.parse(board)
    path = tmp_path / f"board.{name}"
    path.write_text(constraint_file(name, position))
    [(models, names, *_)] = read_by_highs(path)
    # A column that no row mentions may be left out by the format.
    left_out = len(position.covered_cells()) - len(names)
    assert len(models) * 2**left_out == number(position)


def test_lp_holds_a_board_without_covered_cells() -> None:
    assert constraint_file("lp", Position.parse("00\n00", mines=0)).endswith("Subject To\nEnd\n")


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
    assert found * 2 ** (len(list(names)) - len(declared)) == number(position)


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
    smaller, old = compacted(formula_with(9, clauses))
    names = [0, *old.tolist()]
    restored = [[names[lit] if lit > 0 else -names[-lit] for lit in c] for c in smaller.clauses()]
    assert restored == first_of_equal(clauses)
    assert names[1:] == sorted({abs(lit) for clause in clauses for lit in clause})


@pytest.mark.parametrize("encoding", ["direct", "totalizer", "adder"])
@pytest.mark.parametrize("mines", [None, 4])
def test_an_entry_breaks_no_rule_and_its_models_are_the_layouts(
    encoding: str, mines: int | None
) -> None:
    board = Position.parse("1??\n?3?\n???\n", mines=mines)
    export = formula_of(board, encoding=encoding, total_encoding=encoding)
    entry = entry_of(export)
    stream = BytesIO()
    hashes = entry.write_cnf(stream)
    text = stream.getvalue()
    assert list(lint(text.splitlines(keepends=True), f"{entry.stem}.cnf.xz")) == []
    assert hashes["sha256"] == hashlib.sha256(text).hexdigest()
    names = entry.name_map()
    cells = {tuple(cell["cell"]): int(var) for var, cell in names["variables"].items()}
    ranges = [range(aux["first"], aux["last"] + 1) for aux in names["auxiliaries"]]
    assert [*cells.values(), *chain(*ranges)] == list(range(1, entry.formula.num_vars + 1))
    around = board.covered_cells()
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
    hashes = entry.write_cnf(BytesIO())
    assert hashes["gbd_hash"] == hashlib.md5(clauses.encode()).hexdigest()


def test_cells_without_a_clause_are_free_in_the_map() -> None:
    entry = entry_of(formula_of(Position.parse("1?\n1?\n??\n??")))
    found = entry.name_map()
    assert found["free"] == [{"cell": [3, 0]}, {"cell": [3, 1]}]
    assert entry.left_out == 2
    assert list(found["variables"]) == [str(v) for v in range(1, entry.formula.num_vars + 1)]
