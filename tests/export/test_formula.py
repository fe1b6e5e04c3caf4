"""The models of an exported formula are the layouts of the board, and every variable has a name."""

import bz2
import errno
import gzip
import hashlib
import json
import lzma
import os
import re
import stat
from collections.abc import Callable
from io import BytesIO
from itertools import product
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Minisat22

from pbcnf import ENCODERS, Formula
from pbcnf.formats.writing import replacing
from satsweeper import __version__
from satsweeper.board.facts import Flags
from satsweeper.export.formula import Export, distinct, formula_of
from satsweeper.position import Position
from tests import oracles
from tests.commands import EXAMPLES, call, done, refused

BOARD = "3 4 4\n1???\n?2F1\n????\n"
Layout = frozenset[tuple[int, int]]


class Parsed(NamedTuple):
    comments: list[str]
    num_vars: int
    num_clauses: int
    clauses: list[list[int]]


def parse(text: str) -> Parsed:
    lines = text.splitlines()
    comments = [line[2:] for line in lines if line.startswith("c ")]
    p, cnf, num_vars, num_clauses = lines[len(comments)].split(" ")
    assert (p, cnf) == ("p", "cnf")
    rows = [[int(word) for word in line.split(" ")] for line in lines[len(comments) + 1 :]]
    assert all(row[-1] == 0 and 0 not in row[:-1] for row in rows)
    return Parsed(comments, int(num_vars), int(num_clauses), [row[:-1] for row in rows])


def cnf_text(export: Export) -> str:
    stream = BytesIO()
    export.write_cnf(stream)
    return stream.getvalue().decode("ascii")


def name_map(export: Export) -> dict[str, object]:
    stream = BytesIO()
    export.write_map(stream)
    found: dict[str, object] = json.loads(stream.getvalue())
    return found


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
    with Minisat22(bootstrap_with=parsed.clauses) as solver:
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
@given(position=positions(), flags=st.sampled_from(["trust", "ignore"]))
def test_the_models_are_the_layouts_and_each_variable_has_a_name(
    name: str, position: Position, flags: Flags
) -> None:
    if not expressible(name, formula_of(position, flags=flags)):
        with pytest.raises(ValueError, match=f"{name} cannot express"):
            formula_of(position, encoding=name, total_encoding=name, flags=flags)
        return
    export = formula_of(position, encoding=name, total_encoding=name, flags=flags)
    parsed = parse(cnf_text(export))
    assert models(parsed) == layouts(position, flags == "trust")
    assert parsed.num_clauses == len(parsed.clauses)
    assert max((abs(lit) for c in parsed.clauses for lit in c), default=0) <= parsed.num_vars
    assert_every_variable_named(export, parsed)


def assert_every_variable_named(export: Export, parsed: Parsed) -> None:
    names = name_map(export)
    variables, ranges = names["variables"], names["auxiliaries"]
    assert isinstance(variables, dict)
    assert isinstance(ranges, list)
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
    text = cnf_text(formula_of(position, encoding="totalizer"))
    digest = hashlib.sha256(position.text().encode()).hexdigest()
    assert parse(text).comments[:10] == [
        f"satsweeper {__version__}",
        "board 4x3, total 4",
        f"board sha256 {digest}",
        "flags trusted as mines: 1",
        "encoding of clues: totalizer",
        "clues n=2 k=1: 1",
        "clues n=4 k=0: 1",
        "clues n=6 k=1: 1",
        "encoding of total: direct",
        "total n=8 k=3",
    ]
    assert text.count("p cnf") == 1


@pytest.mark.parametrize(
    ("cells", "encoding"), [(8, "direct"), (9, "totalizer"), (12, "totalizer")]
)
def test_the_encoding_of_the_total_is_chosen_by_size(cells: int, encoding: str) -> None:
    export = formula_of(Position.parse("?" * cells, mines=cells // 2))
    assert export.total_encoding == encoding
    assert formula_of(Position.parse("?" * 1_000, mines=200)).total_encoding == "parallel_counter"


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
    "": bytes,
    ".gz": gzip.decompress,
    ".bz2": bz2.decompress,
    ".xz": lzma.decompress,
}


@pytest.mark.parametrize("ending", UNPACK)
def test_the_ending_of_the_name_says_how_to_compress(
    board: str, tmp_path: Path, ending: str
) -> None:
    unpack = UNPACK[ending]
    out, names = tmp_path / f"b.cnf{ending}", tmp_path / f"b.json{ending}"
    assert call("export", board, "--format", "cnf", "-o", out, "--map", names).code == 0
    export = formula_of(Position.parse(BOARD))
    assert unpack(out.read_bytes()).decode() == cnf_text(export)
    assert json.loads(unpack(names.read_bytes())) == name_map(export)
    if ending == ".gz":
        assert out.read_bytes()[3:8] == bytes(5), "neither a name nor a time is in the file"


def test_a_dash_is_standard_output(board: str) -> None:
    assert done("export", board, "-o", "-").out == cnf_text(formula_of(Position.parse(BOARD)))


def test_a_board_without_layout_is_exported_all_the_same(tmp_path: Path) -> None:
    out = tmp_path / "b.cnf"
    assert call("export", "-", "-o", out, board="1?1\n0??").code == 0
    assert models(parse(out.read_text())) == set()


def test_options_choose_encodings_flags_and_total(board: str, tmp_path: Path) -> None:
    out = tmp_path / "b.cnf"
    chosen = {"encoding": "totalizer", "total_encoding": "knuth_counter", "flags": "ignore"}
    options = [f"--{name.replace('_', '-')}={word}" for name, word in chosen.items()]
    assert call("export", board, "-o", out, "--mines", 3, *options).code == 0
    assert out.read_text() == cnf_text(formula_of(Position.parse(BOARD, mines=3), **chosen))


def test_an_encoding_too_large_for_the_total_is_refused_at_once() -> None:
    board = "16 30 99\n" + ("?" * 30 + "\n") * 16
    ended = refused(2, "export", "-", "--total-encoding", "direct", board=board)
    assert "'direct' of 99 <= sum of 480 <= 99" in ended.err


@pytest.mark.parametrize("seed", range(20))
def test_the_first_of_equal_clauses_stays_and_no_other_is_lost(seed: int) -> None:
    random = Random(seed)
    formula = Formula(num_vars=6)
    expected: dict[frozenset[int], list[int]] = {}
    for _ in range(random.randint(0, 60)):
        variables = random.sample(range(1, 6), random.randint(0, 3))
        clause = [random.choice((1, -1)) * var for var in variables]
        formula.add_clause(clause)
        expected.setdefault(frozenset(clause), clause)
    found = distinct(formula)
    assert (list(found), found.num_vars) == (list(expected.values()), 6)
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


@pytest.mark.parametrize("name", ["b.cnf", "b.cnf.gz", "b.cnf.bz2", "b.cnf.xz"])
@pytest.mark.parametrize("error", [KeyboardInterrupt, OSError, MemoryError])
def test_an_interrupted_write_leaves_nothing(
    tmp_path: Path, name: str, error: type[BaseException]
) -> None:
    with pytest.raises(error), replacing(tmp_path / name) as stream:  # noqa: PT012
        stream.write(b"p cnf 1 1\n" * 100_000)
        raise error
    assert os.listdir(tmp_path) == []


def test_nobody_sees_the_file_before_it_is_whole(tmp_path: Path) -> None:
    path = tmp_path / "b.cnf"
    path.write_text("older")
    with replacing(path) as stream:
        stream.write(b"newer")
        assert path.read_text() == "older"
    assert path.read_text() == "newer"
    assert os.listdir(tmp_path) == ["b.cnf"]


def test_a_link_and_the_permissions_of_a_file_survive(tmp_path: Path) -> None:
    path, link = tmp_path / "b.cnf", tmp_path / "link"
    path.write_text("older")
    path.chmod(0o640)
    link.symlink_to(path)
    with replacing(link) as stream:
        stream.write(b"newer")
    assert link.is_symlink()
    assert path.read_text() == "newer"
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_device_is_written_to_and_not_replaced() -> None:
    with replacing(os.devnull) as stream:
        stream.write(b"newer")
    assert stat.S_ISCHR(os.stat(os.devnull).st_mode)
