"""What is measured on: equal content, equal digests; every kind of source; bad ones in a line."""

import bz2
import gzip
import os
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from pbcnf import Cardinality, EncodingError, Problem, PseudoBoolean, write_problem
from pbcnf.formats.table import FORMATS
from satsweeper.board.size import FORM
from satsweeper.compare.instances.files import load_instances
from satsweeper.compare.instances.instance import Instance, InstanceKind
from satsweeper.compare.instances.random_boards import random_boards, random_position
from satsweeper.notation.formats import read_record, write_record
from satsweeper.position import Position
from scripts import measure_coverage
from tests.commands import environment, python

OPB = "* #variable= 2 #constraint= 1\n+1 x1 +1 x2 >= 1 ;\n"
KNF = "p knf 3 1\nk 2 1 2 3 0\n"
CNF = "c hello\np cnf 2 1\n1 -2 0\n"
BOARD = "2 3 2\n1??\n1?F\n"


def test_equal_content_has_an_equal_digest_whatever_the_notation(tmp_path: Path) -> None:
    (tmp_path / "board.txt").write_text(BOARD)
    (tmp_path / "same.txt").write_text("; a comment\n2 3 2\n 1 # #\n 1 . *\n")
    (tmp_path / "same.json").write_bytes(write_record(read_record(BOARD), "json"))
    (tmp_path / "same.txt.gz").write_bytes(gzip.compress(BOARD.encode()))
    (tmp_path / "other.txt").write_text(BOARD.replace("2 3 2", "2 3 3"))
    found = [load_instances([tmp_path / name])[0] for name in sorted(os.listdir(tmp_path))]
    assert len({instance.digest for instance in found}) == 2
    assert len(load_instances([tmp_path])) == 2
    assert load_instances([tmp_path / "same.json"])[0].position() == Position.parse(BOARD)
    assert len({i.digest for i in load_instances([tmp_path], mines=3)}) == 1
    assert [i.position().mines for i in load_instances([tmp_path], mines=None)] == [None]


def test_a_position_comes_back_as_it_was_one_that_no_file_may_hold_too() -> None:
    rng = np.random.default_rng(0)
    for rows, columns in [(1, 1), (1, 7), (4, 3), (20, 50)]:
        cells = rng.integers(-2, 9, (rows, columns)).astype(np.int8)
        for total in (None, 0, rows * columns):
            position = Position(cells, total)
            assert Instance.of_board(position, "board").position() == position


def test_content_decides_what_a_file_is(tmp_path: Path) -> None:
    for name, text in {"a": OPB, "b": KNF, "c": CNF, "d": BOARD, "e": "*1?\n1??\n"}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "f").write_bytes(bz2.compress(OPB.replace(">= 1", ">= 2").encode()))
    found = load_instances([tmp_path / name for name in "abcdef"])
    kinds = ["problem", "problem", "cnf", "board", "board", "problem"]
    assert [instance.kind for instance in found] == kinds
    assert found[0].problem().constraints[0].holds({1, 2})
    assert list(found[2].formula().clauses()) == [[1, -2]]
    assert found[4].position().flag_cells() == [(0, 0)]
    others = {"board": "position", "problem": "problem", "cnf": "formula"}
    for instance, (kind, other) in product(found, others.items()):
        if kind != instance.kind:
            with pytest.raises(ValueError, match=f"is a {instance.kind}, not a {kind}"):
                getattr(instance, other)()


def test_a_corpus_is_one_instance_a_record(data: Path, tmp_path: Path, sample) -> None:
    found = load_instances([data / "corpus" / "sample.txt"])
    assert [instance.name for instance in found] == [record.name for record in sample]
    assert [i.position() for i in found] == [Position.parse(record.text) for record in sample]
    assert {instance.family for instance in found} == {"mid", "triv", "stuck", "sparse"}
    packed = tmp_path / "sample.ms.gz"
    packed.write_bytes(gzip.compress((data / "corpus" / "sample.txt").read_bytes()))
    assert load_instances([packed]) == found


def test_of_a_folder_the_files_that_look_like_instances_are_taken(tmp_path: Path) -> None:
    (tmp_path / "hard" / "deep").mkdir(parents=True)
    (tmp_path / "hard" / "z.opb").write_text(OPB)
    (tmp_path / "hard" / "deep" / "a.cnf.gz").write_bytes(gzip.compress(CNF.encode()))
    (tmp_path / "b.txt").write_text(BOARD)
    (tmp_path / "README.md").write_text("nothing")
    (tmp_path / "answers.json").write_text('{"verdicts": []}')
    (tmp_path / ".hidden.txt").write_text("nothing")
    found = load_instances([tmp_path])
    assert [Path(instance.name).name for instance in found] == ["b.txt", "a.cnf.gz", "z.opb"]
    assert [i.family for i in found] == [tmp_path.name, "hard/deep", "hard"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("none.txt", None, "No such file"),
        ("bad.txt", b"1?\n?9\n", "bad.txt:2:2: clue 9"),
        ("bad.opb", OPB.encode() + b"+1 x1 >= ;\n", "bad.opb:3:"),
        ("bad.cnf", b"p cnf 1 1\n2 0\n", "bad.cnf:2:1:"),
        ("bad.knf", b"p knf 1 1\nk 1 5 0\n", "bad.knf:2:"),
        ("cut.txt.gz", gzip.compress(BOARD.encode(), mtime=0)[:-9], "cut.txt.gz: "),
        ("bad.ms", b"; id=a kind=b\n1 2 ?\n1?\n\n; id=b kind=b\n1 2 ?\n9?\n", "bad.ms:7:1: clue 9"),
        ("empty.txt", b"", "empty.txt"),
    ],
)
def test_a_bad_file_is_one_line(tmp_path, monkeypatch, name, content, message) -> None:
    monkeypatch.chdir(tmp_path)
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=r"\S") as caught:
        load_instances([name])
    assert message in str(caught.value)
    assert str(caught.value).startswith(f"{name}:")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("words", "message"),
    [("random:", "boards are drawn by random:COLUMNSxROWS/MINES:seeds="),
     ("random:8x8/10", "as random:30x16/99:seeds=0-9"),
     ("random:3x3/10:seeds=0", "more mines than cells, 10 and 9"),
     ("random:3x3/1:seeds=3-2", "seeds 3 to 2"),
     ("random:3x3/1:seeds=3:opened=1.5", "a share is 0 to 1"),
     ("random:9999999x9999999/1:seeds=3", "the limit is"),
     ("random:7x4/5%x:seed=1", "random:7x4/5%x:seed=1: board '7x4/5%x': "),
     (None, "no instances"), (".", "no instances in this folder")],
)  # fmt: skip
def test_bad_words_for_random_boards_or_none_are_one_line(tmp_path, monkeypatch, words, message):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match=r"\S") as caught:
        load_instances([words] if words else [])
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_random_board_is_a_board_of_its_game() -> None:
    games = [(9, 9, 10, 0.4), (16, 30, 99, 0.2), (1, 12, 3, 1.0)]
    for (rows, columns, mines, opened), seed in product(games, range(3)):
        position = random_position(rows, columns, mines, seed, opened)
        cells, safe = position.cells, rows * columns - mines
        assert position.mines == mines
        assert round(opened * safe) <= int((cells >= 0).sum()) <= safe
        for row, column in position.clue_cells():
            near = cells[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
            clue = cells[row, column]
            assert (clue == 0) <= (near >= 0).all()
            assert opened < 1 or clue == (near < 0).sum()
    assert (random_position(4, 4, 16, 0).cells < 0).all()
    assert (random_position(4, 4, 0, 0, 0.1).cells == 0).all()


def test_a_random_board_is_the_same_everywhere_and_its_name_draws_it_again() -> None:
    words = "random:9x9/20%:seeds=0-4:opened=0.3"
    found = load_instances([words])
    assert [i.position().mines for i in found] == [16] * 5
    assert len({instance.digest for instance in found}) == 5
    assert {instance.family for instance in found} == {"random:9x9/16"}
    assert [load_instances([i.name])[0] for i in found] == found
    code = (
        "from satsweeper.compare.instances.random_boards import random_boards\n"
        f"print(*[i.digest for i in random_boards({words!r})])"
    )
    child = python("-c", code, env=environment(PYTHONHASHSEED="5"))
    assert child.stdout.split() == [instance.digest for instance in random_boards(words)]
    # Fixed for good: results of older sweeps name boards like this one.
    assert random_position(3, 4, 2, seed=1, opened=0.5).text() == "3 4 2\n001?\n012?\n01??\n"


def test_commands_and_scripts_read_a_size_alike(capsys: pytest.CaptureFixture[str]) -> None:
    (drawn,) = load_instances(["random:7x4/5:seed=1"])
    assert (drawn.position().rows, drawn.position().columns) == (4, 7)
    assert drawn.name == "random:7x4/5:seed=1:opened=0.4"
    assert measure_coverage.main(["--boards", "7x4/5", "--games", "1", "--no-groups"]) == 0
    assert "### 7x4/5, " in capsys.readouterr().out
    assert measure_coverage.main(["--boards", "7x4/5%x", "--games", "1"]) == 1
    assert f"board '7x4/5%x': {FORM}" in capsys.readouterr().err


PROBLEM = Problem(3, (Cardinality([1, 2, 3], 1, 2), PseudoBoolean([1, 2, 3], [1, 2, 3], lower=3)))
READ = [row.name for row in FORMATS.values() if row.reader] + ["wbo"]
TEXTS = {
    "soft clauses alone.wcnf": "5 1 0\n3 -1 2 0\n",
    "wcnf of 2022.txt": "c hard\n3 -1 0\nh 1 2 0\n",
    "names of opb.opb": "max: 2 cat 3 dog ;\n1 cat 1 dog <= 1 ;\n",
    "parities.cnf": "p cnf 3 2\nx 1 2 -3 0\n1 2 0\n",
    "lp.txt": "\\ a comment\nMinimize\n x\nSubject To\n x + y >= 1\nBinary\n x y\nEnd\n",
    "soft constraints.txt": "soft: 6 ;\n[3] 1 x1 >= 1 ;\n[2] 1 ~x1 >= 1 ;\n",
    "sums of minicard.txt": "p cnf+ 2 1\n1 2 <= 1\n",
}


@pytest.mark.parametrize("name", READ)
def test_a_problem_of_every_format_is_an_instance_with_the_same_models(tmp_path, name):
    if name == "smt2":
        pytest.importorskip("pysmt")
    path = tmp_path / f"p.{name}.gz"
    try:
        write_problem(PROBLEM, path, name)
    except EncodingError:  # a format without weights
        write_problem(Problem(3, PROBLEM.constraints[:1]), path, name)
    (tmp_path / "notes.md").write_text("no instance")
    [instance] = load_instances([tmp_path])
    assert instance.digest == load_instances([path])[0].digest
    assert instance.kind is (InstanceKind.CNF if name == "cnf" else InstanceKind.PROBLEM)
    if instance.kind is InstanceKind.PROBLEM:
        assert instance.problem().num_vars >= 3


def test_what_encode_reads_is_a_problem(tmp_path):
    for name, text in TEXTS.items():
        (tmp_path / name).write_text(text)
        [instance] = load_instances([tmp_path / name])
        assert instance.kind is InstanceKind.PROBLEM, name
        assert instance.problem().constraints
