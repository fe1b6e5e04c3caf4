"""Output files: tried before any work begins, whole or not at all, in the format of the name."""

import json
import lzma
import os
import pty
import random
import shlex
import subprocess
import sys
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from unittest.mock import patch

import pytest

from pbcnf import FORMATS, EncodingError, Problem, write_problem
from pbcnf.constraints.constraint import Cardinality
from satsweeper.cli.convert import FORMATS as NOTATIONS
from satsweeper.cli.convert import PARTS
from satsweeper.cli.exit_codes import InputError, UsageError
from satsweeper.cli.files import require_folder, require_writable
from satsweeper.cli.main import COMMANDS
from satsweeper.notation.formats import FORMATS as TABLE
from satsweeper.position import Position
from tests.commands import EXAMPLES, call, done, python, refused

UNSATISFIABLE = "p cnf 1 2\n1 0\n-1 0\n"

WRITING = {
    "export": "export examples/expert.txt -o {}",
    "export --format": "export examples/expert.txt --format cnf -o {}",
    "export --map": "export examples/expert.txt -o formula.cnf --map {}",
    "encode": "encode examples/knapsack.opb -o {}",
    "encode --map": "encode examples/knapsack.opb -o formula.cnf --map {}",
    "encode to constraints": "encode examples/knapsack.opb --format opb -o {}",
    "convert": "convert examples/expert.txt --to text -o {}",
    "sat --proof": "sat examples/contradiction.cnf --proof {}",
}


@pytest.fixture
def here(tmp_path, monkeypatch):
    (tmp_path / "examples").mkdir()
    for path in EXAMPLES.glob("*.*"):
        (tmp_path / "examples" / path.name).symlink_to(path)
    (tmp_path / "examples" / "contradiction.cnf").write_text(UNSATISFIABLE)
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("command", WRITING.values(), ids=WRITING)
@pytest.mark.parametrize(
    ("name", "code", "message"),
    [("nowhere/x", 1, "nowhere/x: No such file or directory"), ("folder", 1, "folder: Is a dir"),
     ("examples/expert.txt/x", 1, "examples/expert.txt/x: Not a directory"),
     ("a" * 300, 1, "File name too long"),
     ("x.cnf.zst", 2, "x.cnf.zst: .zst is not supported; what is: .gz, .bz2, .xz"),
     ("x.zip", 2, ".zip is not supported"), ("x.opb.Z", 2, ".Z is not supported")],
)  # fmt: skip
def test_what_cannot_be_written_is_told_before_anything_is_read(here, command, name, code, message):
    before = sorted(here.rglob("*"))
    readers = (
        "satsweeper.position.Position.read", "pbcnf.formats.problems.open_problem",
        "pbcnf.formats.problems.read_problem", "pbcnf.formats.read.dimacs.read_dimacs",
        "satsweeper.notation.board_file.board_data",
    )  # fmt: skip
    with ExitStack() as patches:
        for reader in readers:
            work = patch(reader, side_effect=AssertionError("work has begun"))
            patches.enter_context(work)
        assert message in refused(code, *shlex.split(command.format(name))).err
    assert sorted(here.rglob("*")) == before


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("suffix", ["", ".gz", ".BZ2", ".xz"])
def test_the_name_of_the_file_says_the_format(here, name, suffix):
    if name == "smt2":
        pytest.importorskip("pysmt")
    by_name, by_option = f"x.{name}{suffix}", f"y{suffix}"
    for command in ("export examples/expert.txt", "encode examples/committee.knf"):
        if command.startswith("encode") and name == "knf" and suffix:
            continue
        assert call(*command.split(), "-o", by_name).code == 0
        assert call(*command.split(), "--format", name, "-o", by_option).code == 0
        assert Path(by_name).read_bytes() == Path(by_option).read_bytes()
        assert (Path(by_name).read_bytes()[:2] in (b"\x1f\x8b", b"BZ", b"\xfd7")) is bool(suffix)


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("command", ["export examples/expert.txt", "encode examples/knapsack.opb"])
def test_a_name_that_says_another_format_is_refused(command):
    words = command.split()
    for given, name in (("cnf", "x.opb"), ("opb", "x.cnf.gz"), ("pmc", "x.wcnf"), ("lp", "x.MPS")):
        said = name.removesuffix(".gz").rpartition(".")[2].lower()
        ended = refused(2, *words, "--format", given, "-o", name)
        assert f"{name}: the name says {said}, and the format is to be {given}" in ended.err
    assert "did you mean 'opb'?" in refused(2, *words, "-o", "x.obp").err
    # Files for model counters are named so in their competition; and a name that says nothing is
    # no objection to anything.
    for given, name in (("pmc", "x.cnf"), ("opb", "x.txt"), ("cnf", "formula")):
        assert call(*words, "--format", given, "-o", name).code == 0
    assert Path("formula").read_bytes().startswith(b"c satsweeper")


@pytest.mark.parametrize("name", ["foo.xyz", "foo.jpg", "foo", "foo.gz", "a.opb/foo"])
@pytest.mark.parametrize(
    ("command", "option", "format"),
    [("export examples/expert.txt", "--format", "opb"),
     ("encode examples/knapsack.opb", "--format", "opb"),
     ("family pigeonhole --size 3", "--to", "opb"),
     ("convert examples/expert.txt", "--to", "json")],
)  # fmt: skip
def test_a_name_that_says_no_format_is_refused_unless_an_option_does(
    here, name, command, option, format
):
    (here / "a.opb").mkdir()
    words = command.split()
    ended = refused(2, *words, "-o", name)
    assert option in ended.err
    assert f" {format}, " in ended.err
    assert not Path(name).exists()
    assert call(*words, option, format, "-o", name).code == 0
    given = (option, format) if format == "json" else ()
    assert call(*words, *given, "-o", "/dev/null").code == 0


def test_write_problem_refuses_names_as_the_commands_do(tmp_path):
    problem = Problem(2, (Cardinality([1, 2], lower=1),))
    for name, format in (("x.opb", "cnf"), ("x.cnf.zst", None), ("x.cnf.zip", "cnf")):
        with pytest.raises(EncodingError, match=name):
            write_problem(problem, tmp_path / name, format)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_forbids_writing_is_told_before(tmp_path):
    tmp_path.chmod(0o500)
    for require in (require_writable, require_folder):
        with pytest.raises(InputError, match="Permission denied"):
            require(str(tmp_path / "new"))
    tmp_path.chmod(0o700)


def test_trying_touches_nothing(tmp_path):
    older = tmp_path / "older"
    older.write_text("as it was")
    require_writable(str(older), str(tmp_path / "new"), "-", None, os.devnull)
    assert [path.name for path in tmp_path.iterdir()] == ["older"]
    assert older.read_text() == "as it was"
    require_folder(str(tmp_path / "a" / "b"))
    assert (tmp_path / "a" / "b").is_dir()
    with pytest.raises(InputError, match="older: File exists"):
        require_folder(str(older))
    with pytest.raises(UsageError, match="is not supported"):
        require_writable("x.lz4")


def test_an_answer_is_printed_even_if_its_proof_cannot_be_written():
    # Opening it for a try works, writing does not.
    ended = call("sat", "--proof", "/dev/full", board=UNSATISFIABLE)
    assert ended.out.endswith("s UNSATISFIABLE\n")
    assert (ended.code, ended.err) == (1, "/dev/full: No space left on device\n")


@pytest.mark.parametrize(
    ("command", "format"), [("sat", "cnf"), ("lint", "cnf"), ("encode", "opb")]
)
def test_a_board_in_the_place_of_a_formula_is_told_of_export(here, command, format):
    for board in ("examples/expert.txt", "examples/minesweepr.txt", "examples/danamlund_8x8.txt"):
        ended = refused(1, command, board)
        would_do = f"satsweeper export {board} -o FILE.{format}"
        assert f"{board}: this is a board: {would_do} makes a file of it" in ended.err
        assert call(*would_do.replace("FILE", "file").split()[1:]).code == 0
        if command != "lint":
            refused(1, command, "-", board=Path(board).read_text())
    for other in ("p cnf 1 1\n2 0\n", "1 2 0\n2 3 0\n", "1 -2 0\n-1 2 0\n", "huh?\n"):
        out = ["-o", here / "out.cnf"] if command == "encode" else []
        assert "board" not in call(command, "-", *out, board=other).err


@pytest.mark.usefixtures("here")
def test_a_board_is_told_of_export_where_smt_lib_cannot_be_read(monkeypatch):
    for module in [each for each in sys.modules if each.split(".")[0] == "pysmt"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "pysmt", None)
    ended = refused(1, "encode", "examples/expert.txt")
    assert "this is a board: satsweeper export" in ended.err


@pytest.mark.usefixtures("here")
def test_board_and_problem_are_told_apart_when_the_map_is_of_the_other():
    board, problem = "examples/expert.txt", "examples/knapsack.opb"
    assert call("export", board, "-o", "b.cnf", "--map", "b.json").code == 0
    assert call("encode", problem, "-o", "p.cnf", "--map", "p.json").code == 0
    Path("out").write_text("s UNSATISFIABLE\n")
    said = f"{board}: this is a board, and the map is of a problem\n"
    assert call("decode", board, "--map", "p.json", "out") == (1, "", said, "")
    ended = refused(1, "decode", problem, "--map", "b.json", "out")
    assert ended.err.endswith(" (the map is of a board)\n")


# Whoever is killed while writing leaves the old file or the new one, never a part


BOARD = "\n".join(
    "".join(str((r * c) % 3) if (r + c) % 2 else "?" for c in range(60)) for r in range(60)
)


def export(board: Path, out: Path, environment: dict[str, str]) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "satsweeper", "export", "--encoding", "totalizer"]
    return subprocess.Popen([*command, str(board), "-o", str(out)], env=environment)


@pytest.mark.parametrize("part", range(2))
def test_a_killed_export_leaves_the_old_file_or_the_new_one(tmp_path, environment, part):
    board, whole, out = tmp_path / "b.txt", tmp_path / "whole.cnf.xz", tmp_path / "out.cnf.xz"
    board.write_text(BOARD)
    start = monotonic()
    assert export(board, whole, environment).wait() == 0
    usual = monotonic() - start
    new = lzma.decompress(whole.read_bytes())
    out.write_bytes(lzma.compress(b"older"))
    draw = random.Random(part)
    kills = 0
    while kills < 4:
        child = export(board, out, environment)
        start = monotonic()
        try:
            child.wait(timeout=usual * draw.uniform(0.2, 1.0))
            # It is quicker now: what else the machine does may have changed.
            usual = monotonic() - start
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
            kills += 1
        assert lzma.decompress(out.read_bytes()) in (b"older", new)
    assert {path.name for path in tmp_path.iterdir()} == {"b.txt", "out.cnf.xz", "whole.cnf.xz"}


# ``satsweeper convert``: a board in another notation, whole or not at all, nothing lost unsaid


@pytest.fixture(scope="module")
def files(data):
    return data / "notation"


def test_the_command_offers_every_format_and_every_part_and_says_what_they_are():
    assert set(NOTATIONS) == set(TABLE)
    ended = call("convert", "--help")
    assert all(f"\n  {name} " in ended.out for name in NOTATIONS)
    assert all(part in ended.out for part in PARTS)
    assert "convert" in COMMANDS


@pytest.mark.parametrize("name", NOTATIONS)
def test_the_name_of_the_file_says_the_notation(files, tmp_path, name):
    by_option, by_name = tmp_path / "given", tmp_path / f"board.{name}"
    drops = [word for part in set(PARTS) - TABLE[name].holds for word in ("--drop", part)]
    board = files / "vector.tatham"
    assert call("convert", board, "--to", name, "-o", by_option, *drops).code == 0
    assert call("convert", board, "-o", by_name, *drops).code == 0
    assert by_name.read_bytes() == by_option.read_bytes()
    other = "mine" if name == "json" else "json"
    ended = call("convert", board, "--to", other, "-o", by_name)
    assert ended.code == 2
    assert f"the name says {name}, and the format is to be {other}" in ended.err


@pytest.mark.parametrize("name", ["json", "board", "danamlund", "mine"])
def test_there_and_back_gives_the_same_board_and_layout(files, tmp_path, name):
    there, back, source = tmp_path / "there", tmp_path / "back", files / "vector.tatham"
    assert call("convert", source, "--to", name, "-o", there).code == 0
    assert call("convert", there, "--to", "tatham", "-o", back).code == 0
    # Only JSON keeps which of the cells of the opening was clicked; any other gives the same board.
    if name == "json":
        assert back.read_text() == "9x9:4,4,mb071b49fbd1cb6a0d5868\n"
    assert Position.read(back) == Position.read(source) == Position.read(there)
    assert back.read_text().partition("m")[2] == "b071b49fbd1cb6a0d5868\n"


@pytest.mark.parametrize("name", ["json", "mine", "board"])
def test_a_position_without_a_layout_comes_back_as_text(tmp_path: Path, name: str) -> None:
    there, back, source = tmp_path / "there", tmp_path / "back.txt", EXAMPLES / "expert.txt"
    assert call("convert", source, "--to", name, "-o", there).code == 0
    assert call("convert", there, "--to", "text", "-o", back).code == 0
    assert Position.read(back) == Position.read(there) == Position.read(source)


@pytest.mark.parametrize(
    ("name", "safe", "mine", "unknown"),
    [("vector.tatham", 16, 8, 4), ("layout_3x2.mbf", 0, 0, 6), ("readme.minesweepr", 3, 3, 79)],
)
def test_every_command_reads_every_format(files, name, safe, mine, unknown):
    mines = ["--mines", "10"] if name == "readme.minesweepr" else []
    counts = call("classify", "--json", *mines, files / name).json["counts"]
    assert counts == {"safe": safe, "mine": mine, "unknown": unknown}


def test_parts_are_left_out_and_the_solution_of_a_layout_is_shown_on_request(files, tmp_path):
    out, again = tmp_path / "out", tmp_path / "again"
    drops = [word for part in ("total", "layout", "notes", "marks") for word in ("--drop", part)]
    assert call("convert", files / "both.board", "--to", "minesweepr", *drops, "-o", out).code == 0
    assert out.read_text() == "x*2x\n1x2x\n"
    to_mbf = ("--to", "mbf", "--drop", "view", "-o")
    assert call("convert", files / "vector.tatham", *to_mbf, out).code == 0
    assert out.read_bytes()[:4] == bytes([9, 9, 0, 10])
    words = ("--to", "text", "--solution", "-o", out)
    assert call("convert", files / "layout_3x2.mbf", *words).code == 0
    assert out.read_text() == "2 3 2\n12F\nF21\n"
    # A file is not written over itself.
    assert call("convert", out, *to_mbf, out).code
    assert call("convert", out, *to_mbf, again).code == 0
    assert again.read_bytes() == (files / "layout_3x2.mbf").read_bytes()


def test_total_seed_and_mask_are_chosen(files, tmp_path):
    def converted(name, line):
        out = tmp_path / "out"
        assert call("convert", files / name, *line.split(), "-o", out).code == 0
        return out.read_text()

    assert converted("readme.minesweepr", "--to text --mines 10").startswith("10 10 10\n")
    text = converted("readme.minesweepr", "--to json --mines unknown")
    assert json.loads(text)["mines"] is None
    told = "9x9:4,4,u004000007c00010022080\n"
    assert converted("vector.tatham", "--to tatham --unmasked") == told
    text = converted("vector.tatham", "--to danamlund --seed 7")
    assert "Solution encrypted with seed 7\n" in text
    for line in ("--to danamlund --seed -1", "--to pgn"):
        refused(2, "convert", files / "vector.tatham", *line.split(), "-o", tmp_path / "out")


def test_binary_formats_go_to_a_pipe_but_not_to_a_terminal(files):
    mbf = files / "layout_3x2.mbf"
    assert done("convert", "-", "--to", "mbf", board=mbf.read_bytes()).data == mbf.read_bytes()
    terminal, end = pty.openpty()
    try:
        words = ("-m", "satsweeper", "convert", mbf, "--to", "mbf")
        child = python(*words, stdout=end, stderr=subprocess.PIPE)
    finally:
        os.close(end)
        os.close(terminal)
    assert child.returncode == 2
    assert child.stderr.endswith(": mbf is binary and not for a terminal: -o FILE\n")
