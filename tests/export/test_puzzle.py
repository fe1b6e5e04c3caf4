"""Exported boards under rules: every format, read again, has the layouts of brute force."""

import io
import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from pysat.formula import CNF
from pysat.solvers import Solver

from pbcnf import FORMATS, Formula
from pbcnf.constraints.problem import Problem
from pbcnf.emission.whole_problems import encode_problem
from pbcnf.formats.lint import lint
from pbcnf.formats.problems import read_problem
from satsweeper.export.puzzle import PuzzleProblem
from satsweeper.puzzle.puzzle import Puzzle
from tests.commands import call, done, refused
from tests.problem_files import read_by_highs
from tests.puzzle import plain_boards as plain
from tests.puzzle.plain_boards import Mines

BOARDS = {
    "connected runs": "rules: C W\nmines: 4\n. . . 2\n. 13 . .\n. . . .\n",
    "weighted": "rules: T M\nmines: 5\n. 4 . .\n. . . 3\n. . . .\n",
    "snake, sight": "rules: S E\n. . . .\n4 . . F\n. . . .\n",
    "areas": "rules: O 2A\n. . 2 .\n. . . .\n3 . . .\n",
    "distances": "rules: 2B 2P\nmines: 4\n. . . .\n. 2 . .\n. . . .\n",
    "without a layout": "rules: Q\nmines: 1\n? ? ? ?\n? ? ? ?\n? ? ? ?\n",
}


def layouts(text: str) -> set[Mines]:
    """The layouts of a board of 3x4 cells under a rule of layouts and one of clues."""
    head, rows = {}, []
    for line in text.splitlines():
        if ":" in line:
            key, _, value = line.partition(": ")
            head[key] = value
        else:
            rows.append(line.split())
    shown = {(r, c): text for r, row in enumerate(rows) for c, text in enumerate(row)}
    clues = {cell: text for cell, text in shown.items() if text not in ".?F"}
    flags = [cell for cell, text in shown.items() if text == "F"]
    total = int(head["mines"]) if "mines" in head else None
    return {*plain.layouts(head["rules"], 3, 4, clues, mines=total, flags=flags)}


def assignments(clauses: list[list[int]], num_vars: int) -> Iterator[set[int]]:
    """The models over the variables 1 .. num_vars, as the true ones of them."""
    with Solver("minisat22", bootstrap_with=clauses) as live:
        while live.solve():
            true = {lit for lit in live.get_model() if 0 < lit <= num_vars}
            yield true
            live.add_clause([-v if v in true else v for v in range(1, num_vars + 1)])


def solutions(problem: Problem) -> list[set[int]]:
    """The models of a problem over its own variables."""
    formula = Formula(problem.num_vars)
    for _ in encode_problem(problem.constraints, formula):
        pass
    return [*assignments([list(c) for c in formula.clauses()], problem.num_vars)]


def exported(text: str, format: str, tmp_path: Path, *options: str) -> tuple[bytes, Any]:
    """The file that the command writes, and its map."""
    board, out, names = tmp_path / "b.txt", tmp_path / f"b.{format}", tmp_path / "b.json"
    board.write_text(text)
    done("export", board, "--format", format, "-o", out, "--map", names, *options)
    return out.read_bytes(), json.loads(names.read_text())


@pytest.mark.parametrize("format", [name for name in FORMATS if FORMATS[name].reader])
@pytest.mark.parametrize("board", BOARDS)
def test_every_format_read_again_has_each_layout_once(
    format: str, board: str, tmp_path: Path
) -> None:
    if format == "smt2" and find_spec("pysmt") is None:
        pytest.skip("the extra smt is not installed")
    data, names = exported(BOARDS[board], format, tmp_path)
    problem = read_problem(io.BytesIO(data), f"b.{format}")
    cells = {
        int(v): tuple(role["cell"]) for v, role in names["variables"].items() if "cell" in role
    }
    if format in ("lp", "mps", "smt2"):
        # Variables have the numbers of their first occurrence: the cell is in the name.
        cells = {
            variable: (int(match[1]), int(match[2]))
            for variable, name in problem.names.items()
            if (match := re.fullmatch(r"m_(\d)_(\d)", name))
        }
    flags = {tuple(cell) for cell in names["flags"]}
    found = Counter(
        frozenset({cells[v] for v in true if v in cells} | flags) for true in solutions(problem)
    )
    wanted = layouts(BOARDS[board])
    # A variable that occurs in no statement is not in files that have no list of variables.
    assert {*found} <= wanted
    assert sum(found.values()) == len(wanted) or format == "wcnf"
    assert {*found.values()} <= {1}


@pytest.mark.parametrize("board", BOARDS)
def test_the_dimacs_file_as_pysat_reads_it_has_each_layout_once(board: str, tmp_path: Path) -> None:
    order = random.Random(board).choice(["reversed", "occurrence", "proximity", "bandwidth"])
    data, _ = exported(BOARDS[board], "cnf", tmp_path, "--order", order)
    assert f"c order of literals: {order}\n".encode() in data
    formula = CNF(from_string=data.decode())
    wanted = layouts(BOARDS[board])
    assert sum(1 for _ in assignments(formula.clauses, formula.nv)) == len(wanted)
    assert [*lint(io.BytesIO(data))] == []


@pytest.mark.parametrize("format", ["lp", "mps"])
def test_highs_finds_each_layout_once_in_linear_programs(format: str, tmp_path: Path) -> None:
    # Sums with weights; and cases of the two nearest mines, which imply bounds by large weights.
    boards = [BOARDS["weighted"], "rules: T 2P\nmines: 3\n. . . .\n. 4 . F\n. F . .\n"]
    paths = []
    for number, text in enumerate(boards):
        board, path = tmp_path / f"{number}.txt", tmp_path / f"{number}.{format}"
        board.write_text(text)
        done("export", board, "-o", path)
        paths.append(path)
    for text, (found, names, *_) in zip(boards, read_by_highs(*paths), strict=True):
        flags = 2 * ("F" in text)
        assert len(layouts(text)) == len(found)
        mines = [sum(v for v, name in zip(model, names, strict=True) if name.startswith("m_"))
                 for model in found]  # fmt: skip
        assert {*mines} == {int(text.split("mines: ")[1][0]) - flags}


def test_icnf_asks_two_questions_for_each_covered_cell(tmp_path: Path) -> None:
    text = BOARDS["connected runs"]
    data, names = exported(text, "icnf", tmp_path)
    lines = [line.split() for line in data.decode().splitlines() if line[0] not in "cp"]
    clauses = [[int(word) for word in line[:-1]] for line in lines if line[0] != "a"]
    questions = [int(line[1]) for line in lines if line[0] == "a"]
    covered = [v for v, role in names["variables"].items() if "cell" in role]
    assert questions == [sign * int(v) for v in covered for sign in (1, -1)]
    wanted = layouts(text)
    with Solver("minisat22", bootstrap_with=clauses) as live:
        for question in questions:
            row, column = names["variables"][str(abs(question))]["cell"]
            there = any(((row, column) in mines) == (question > 0) for mines in wanted)
            assert live.solve([question]) is there


def test_projected_counting_shows_the_covered_cells(tmp_path: Path) -> None:
    # Two directions can be the missing one in many layouts, each of which counts once here.
    text = "rules: 2I\n. . . .\n. 2 . .\n. . . 1\n"
    data, names = exported(text, "pmc", tmp_path)
    covered = [int(v) for v, role in names["variables"].items() if "cell" in role]
    assert covered == [*range(1, 11)]
    assert b"c t pmc\n" in data
    assert f"c p show {' '.join(map(str, covered))} 0\n".encode() in data
    assert b"c models: one or more for every layout; projected on 1 to 10, one\n" in data
    clauses = CNF(from_string=data.decode()).clauses
    with Solver("minisat22", bootstrap_with=clauses) as live:
        found = 0
        while live.solve():
            true = {lit for lit in live.get_model() if lit > 0}
            live.add_clause([-v if v in true else v for v in covered])
            found += 1
    assert found == len(layouts(text))


def test_the_map_and_the_comments_name_every_variable(tmp_path: Path) -> None:
    data, names = exported(BOARDS["areas"], "cnf", tmp_path)
    problem = read_problem(io.BytesIO(data), "b.cnf")
    own = {int(v) for v in names["variables"]}
    ranges = [range(each["first"], each["last"] + 1) for each in names["auxiliaries"]]
    assert own | {v for each in ranges for v in each} == {*range(1, problem.num_vars + 1)}
    assert sum(map(len, ranges)) + len(own) == problem.num_vars
    roles = {role["auxiliary"]: role["part"] for role in names["variables"].values()
             if "auxiliary" in role}  # fmt: skip
    assert roles["reach (1, 1) after 1"] == "rule O"
    assert {part for role, part in roles.items() if role.endswith(" of safe cells")} == {"rule O"}
    assert all(part in ("rule O", "the 2 at (0, 2)", "the 3 at (2, 0)") for part in roles.values())
    comments = data.decode()
    assert "c board Puzzle(square 4x3, rules O 2A, total unknown)\n" in comments
    assert "c var 3 cell 0 3\n" in comments
    assert re.search(r"^c aux \d+ reach \(1, 1\) after 1, rule O$", comments, re.M)


def test_a_name_of_several_lines_stays_in_its_comment() -> None:
    import networkx as nx

    stream = io.BytesIO()
    puzzle = Puzzle.from_graph(nx.path_graph(["a\n1 0", "b"]), mines=1)
    PuzzleProblem.of(puzzle, format="cnf").write(stream)
    assert b"c var 1 cell a\\n1 0\n" in stream.getvalue()
    assert len(solutions(read_problem(io.BytesIO(stream.getvalue()), "b.cnf"))) == 2


@pytest.mark.parametrize("ending", ["", ".gz", ".bz2", ".xz"])
def test_files_are_compressed_as_they_are_named(ending: str, tmp_path: Path) -> None:
    board, out = tmp_path / "b.txt", tmp_path / f"b.opb{ending}"
    board.write_text(BOARDS["weighted"])
    done("export", board, "-o", out)
    assert len(solutions(read_problem(out))) == len(layouts(BOARDS["weighted"]))


def test_the_total_of_the_option_and_the_treatment_of_flags_are_taken() -> None:
    text = BOARDS["snake, sight"]
    trusted = json.loads(done("export", "-", "-o", "/dev/null", "--map", "-", board=text).out)
    ignored = json.loads(
        done("export", "-", "-o", "/dev/null", "--map", "-", "--flags", "ignore",
             "--mines", "6", board=text).out
    )  # fmt: skip
    assert (trusted["flags"], trusted["mines"], ignored["flags"], ignored["mines"]) == (
        [[1, 3]], None, [], 6
    )  # fmt: skip
    covered = [len([1 for role in each["variables"].values() if "cell" in role])
               for each in (trusted, ignored)]  # fmt: skip
    assert covered == [10, 11]


@pytest.mark.parametrize("encoding", ["totalizer", "sequential_counter"])
def test_named_encoders_encode_the_sums(encoding: str, tmp_path: Path) -> None:
    options = ("--encoding", encoding, "--total-encoding", encoding)
    data, names = exported("rules: T V\nmines: 5\n. . . .\n. 4 . .\n. . . .\n", "cnf", tmp_path,
                           *options)  # fmt: skip
    assert [(each["part"], each["encoding"]) for each in names["auxiliaries"]] == [
        ("the 4 at (1, 1)", encoding), ("the total of 5 mines", encoding)
    ]  # fmt: skip
    assert f"c encoding of larger sums: {encoding}\n".encode() in data


@pytest.mark.parametrize(
    ("code", "words", "board", "message"),
    [
        (2, ["--encoding", "totaliser"], BOARDS["areas"], "'totaliser'"),
        (2, ["--total-encoding", "pairwise"], BOARDS["connected runs"], "pairwise"),
        (1, [], "rules: Z\n? ?\n", "<stdin>:1:8: unknown rule 'Z'"),
        (1, [], "rules: 2S\ngeometry: torus\n? ? ?\n? ? ?\n? ? ?\n",
         "<stdin>: rule 2S needs rows with ends, which a torus does not have"),
        (1, ["--competition", "-o", "entries"], BOARDS["areas"],
         "<stdin>: --competition is for boards of squares without rules"),
        (1, ["--mines", "13"], BOARDS["areas"], "13 mines in 12 cells: the total is 0 to 12"),
    ],
)  # fmt: skip
def test_what_cannot_be_exported_says_so_in_one_line(
    code: int, words: list[str], board: str, message: str, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    ended = refused(code, "export", "-", *words, board=board)
    assert message in ended.err
    assert not [*tmp_path.iterdir()]


def test_names_of_cells_of_a_graph_are_in_map_and_file() -> None:
    import networkx as nx

    graph = nx.Graph([("n\u00f6rd", "west"), ("west", 7), (7, "n\u00f6rd")])
    puzzle = Puzzle.from_graph(graph, clues={"west": 1}, capacity={7: 2}, rules=["C"], mines=2)
    stream = io.BytesIO()
    found = PuzzleProblem.of(puzzle, format="opb")
    found.write(stream)
    names = found.as_json()
    assert (names["geometry"], names["rows"], names["columns"]) == ("graph", 1, 3)
    cells = [role for role in names["variables"].values() if "cell" in role]
    assert cells == [{"cell": "n\u00f6rd"}, {"cell": 7}, {"cell": 7, "mines": 2}]
    text = stream.getvalue().decode("ascii")
    assert "* x2 = m_7\n* x3 = m_7_ge_2\n" in text
    assert len(solutions(read_problem(io.BytesIO(stream.getvalue()), "b.opb"))) == 0
    assert call("export", "-", "-o", "-", board="rules: Q\n? ?\n").code == 0
