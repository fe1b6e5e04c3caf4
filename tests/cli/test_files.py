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
from tests.commands import EXAMPLES, call, python, refused

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
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "examples").mkdir()
    for path in EXAMPLES.glob("*.*"):
        (tmp_path / "examples" / path.name).symlink_to(path)
    (tmp_path / "examples" / "contradiction.cnf").write_text(UNSATISFIABLE)
    (tmp_path / "folder").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def no_work(*arguments: object, **options: object) -> None:
    raise AssertionError("work has begun")


@pytest.mark.parametrize("command", WRITING.values(), ids=WRITING)
@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("nowhere/x", 1, "nowhere/x: No such file or directory"),
        ("folder", 1, "folder: Is a directory"),
        ("examples/expert.txt/x", 1, "examples/expert.txt/x: Not a directory"),
        ("a" * 300, 1, "File name too long"),
        ("x.cnf.zst", 2, "x.cnf.zst: .zst is not supported; what is: .gz, .bz2, .xz"),
        ("x.zip", 2, ".zip is not supported"),
        ("x.opb.Z", 2, ".Z is not supported"),
    ],
)
def test_what_cannot_be_written_is_told_before_anything_is_read(
    here: Path, command: str, name: str, code: int, message: str
) -> None:
    before = sorted(here.rglob("*"))
    readers = [
        "satsweeper.position.Position.read",
        "pbcnf.formats.problems.open_problem",
        "pbcnf.formats.problems.read_problem",
        "pbcnf.formats.read.dimacs.read_dimacs",
        "satsweeper.notation.board_file.board_data",
    ]
    with ExitStack() as patches:
        for reader in readers:
            patches.enter_context(patch(reader, no_work))
        ended = call(*shlex.split(command.format(name)))
    assert (ended.code, ended.out, ended.err.count("\n")) == (code, "", 1)
    assert message in ended.err
    assert sorted(here.rglob("*")) == before


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("suffix", ["", ".gz", ".BZ2", ".xz"])
def test_the_name_of_the_file_says_the_format(here: Path, name: str, suffix: str) -> None:
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


@pytest.mark.parametrize("command", ["export examples/expert.txt", "encode examples/knapsack.opb"])
def test_a_name_that_says_another_format_is_refused(here: Path, command: str) -> None:
    for given, name in (("cnf", "x.opb"), ("opb", "x.cnf.gz"), ("pmc", "x.wcnf"), ("lp", "x.MPS")):
        ended = call(*command.split(), "--format", given, "-o", name)
        said = name.removesuffix(".gz").rpartition(".")[2].lower()
        assert (ended.code, ended.out) == (2, "")
        assert f"{name}: the name says {said}, and the format is to be {given}" in ended.err
    ended = call(*command.split(), "-o", "x.obp")
    assert (ended.code, ended.out) == (2, "")
    assert "did you mean 'opb'?" in ended.err
    # Files for model counters are named so in their competition.
    assert call(*command.split(), "--format", "pmc", "-o", "x.cnf").code == 0
    # A name that says nothing is no objection to anything.
    assert call(*command.split(), "--format", "opb", "-o", "x.txt").code == 0
    assert call(*command.split(), "--format", "cnf", "-o", "formula").code == 0
    assert Path("formula").read_bytes().startswith(b"c satsweeper")


@pytest.mark.parametrize("name", ["foo.xyz", "foo.jpg", "foo", "foo.gz", "a.opb/foo"])
def test_a_name_that_says_no_format_is_refused_unless_an_option_does(here: Path, name: str) -> None:
    (here / "a.opb").mkdir()
    commands = {
        "export examples/expert.txt": "--format",
        "encode examples/knapsack.opb": "--format",
        "family pigeonhole --size 3": "--to",
        "convert examples/expert.txt": "--to",
    }
    for command, option in commands.items():
        ended = call(*command.split(), "-o", name)
        assert (ended.code, ended.out) == (2, "")
        assert option in ended.err
        assert any(f" {known}, " in ended.err for known in ("opb", "json"))
        assert not Path(name).exists()
        format = "json" if command.startswith("convert") else "opb"
        assert call(*command.split(), option, format, "-o", name).code == 0
        Path(name).unlink()
        given = (option, format) if format == "json" else ()
        assert call(*command.split(), *given, "-o", "/dev/null").code == 0


def test_write_problem_refuses_names_as_the_commands_do(tmp_path: Path) -> None:
    problem = Problem(2, (Cardinality([1, 2], lower=1),))
    for name, format in (("x.opb", "cnf"), ("x.cnf.zst", None), ("x.cnf.zip", "cnf")):
        with pytest.raises(EncodingError, match=name):
            write_problem(problem, tmp_path / name, format)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to root")
def test_a_folder_that_forbids_writing_is_told_before(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(InputError, match="Permission denied"):
        require_writable(str(tmp_path / "x"))
    with pytest.raises(InputError, match="Permission denied"):
        require_folder(str(tmp_path / "new"))
    tmp_path.chmod(0o700)


def test_trying_touches_nothing(tmp_path: Path) -> None:
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


def test_an_answer_is_printed_even_if_its_proof_cannot_be_written() -> None:
    # Opening it for a try works, writing does not.
    ended = call("sat", "--proof", "/dev/full", board=UNSATISFIABLE)
    assert ended.out.endswith("s UNSATISFIABLE\n")
    assert (ended.code, ended.err) == (1, "/dev/full: No space left on device\n")


@pytest.mark.parametrize(
    ("command", "format"), [("sat", "cnf"), ("lint", "cnf"), ("encode", "opb")]
)
def test_a_board_in_the_place_of_a_formula_is_told_of_export(
    here: Path, command: str, format: str
) -> None:
    for board in ("examples/expert.txt", "examples/minesweepr.txt", "examples/danamlund_8x8.txt"):
        ended = refused(1, command, board)
        would_do = f"satsweeper export {board} -o FILE.{format}"
        assert f"{board}: this is a board: {would_do} makes a file of it" in ended.err
        assert call(*would_do.replace("FILE", "file").split()[1:]).code == 0
        if command != "lint":
            ended = call(command, "-", board=Path(board).read_text())
            assert (ended.code, ended.err.count("\n")) == (1, 1)
    for other in ("p cnf 1 1\n2 0\n", "1 2 0\n2 3 0\n", "1 -2 0\n-1 2 0\n", "huh?\n"):
        out = ["-o", here / "out.cnf"] if command == "encode" else []
        assert "board" not in call(command, "-", *out, board=other).err


def test_a_board_is_told_of_export_where_smt_lib_cannot_be_read(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in [each for each in sys.modules if each.split(".")[0] == "pysmt"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "pysmt", None)
    ended = call("encode", "examples/expert.txt")
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert "this is a board: satsweeper export" in ended.err


def test_board_and_problem_are_told_apart_when_the_map_is_of_the_other(here: Path) -> None:
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
def test_a_killed_export_leaves_the_old_file_or_the_new_one(
    tmp_path: Path, environment: dict[str, str], part: int
) -> None:
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
def files(data: Path) -> Path:
    return data / "notation"


def test_the_command_offers_every_format_and_every_part_and_says_what_they_are() -> None:
    assert set(NOTATIONS) == set(TABLE)
    ended = call("convert", "--help")
    assert all(f"\n  {name} " in ended.out for name in NOTATIONS)
    assert all(part in ended.out for part in PARTS)
    assert "convert" in COMMANDS


@pytest.mark.parametrize("name", NOTATIONS)
def test_the_name_of_the_file_says_the_notation(files: Path, tmp_path: Path, name: str) -> None:
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
def test_there_and_back_gives_the_same_board_and_layout(
    files: Path, tmp_path: Path, name: str
) -> None:
    there, back = tmp_path / "there", tmp_path / "back"
    source = files / "vector.tatham"
    assert call("convert", source, "--to", name, "-o", there).code == 0
    assert call("convert", there, "--to", "tatham", "-o", back).code == 0
    # Only JSON keeps which of the cells of the opening was clicked; any other gives the same board.
    if name == "json":
        assert back.read_text() == "9x9:4,4,mb071b49fbd1cb6a0d5868\n"
    assert Position.read(back) == Position.read(source) == Position.read(there)
    assert back.read_text().partition("m")[2] == "b071b49fbd1cb6a0d5868\n"


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("vector.tatham", {"safe": 16, "mine": 8, "unknown": 4}),
        ("layout_3x2.mbf", {"safe": 0, "mine": 0, "unknown": 6}),
        ("readme.minesweepr", {"safe": 3, "mine": 3, "unknown": 79}),
    ],
)
def test_every_command_reads_every_format(files: Path, name: str, status: dict[str, int]) -> None:
    mines = ["--mines", "10"] if name == "readme.minesweepr" else []
    assert call("classify", "--json", *mines, files / name).json["counts"] == status


def test_parts_are_left_out_on_request(files: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    drops = [word for part in ("total", "layout", "notes", "marks") for word in ("--drop", part)]
    assert call("convert", files / "both.board", "--to", "minesweepr", *drops, "-o", out).code == 0
    assert out.read_text() == "x*2x\n1x2x\n"
    arguments = ["--to", "mbf", "--drop", "view", "-o", out]
    assert call("convert", files / "vector.tatham", *arguments).code == 0
    assert out.read_bytes()[:4] == bytes([9, 9, 0, 10])


def test_the_solution_of_a_layout_is_shown_on_request(files: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["--to", "text", "--solution", "-o", out]
    assert call("convert", files / "layout_3x2.mbf", *arguments).code == 0
    assert out.read_text() == "2 3 2\n12F\nF21\n"
    assert call("convert", out, "--to", "mbf", "--drop", "view", "-o", out.with_suffix("")).code
    again = tmp_path / "again"
    assert call("convert", out, "--to", "mbf", "--drop", "view", "-o", again).code == 0
    assert again.read_bytes() == (files / "layout_3x2.mbf").read_bytes()


def test_total_seed_and_mask_are_chosen(files: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    board = files / "readme.minesweepr"
    assert call("convert", board, "--to", "text", "--mines", "10", "-o", out).code == 0
    assert out.read_text().startswith("10 10 10\n")
    assert call("convert", out, "--to", "json", "--mines", "unknown", "-o", out).code == 2
    other = tmp_path / "other"
    assert call("convert", out, "--to", "json", "--mines", "unknown", "-o", other).code == 0
    assert json.loads(other.read_text())["mines"] is None
    vector = files / "vector.tatham"
    assert call("convert", vector, "--to", "tatham", "--unmasked", "-o", out).code == 0
    assert out.read_text() == "9x9:4,4,u004000007c00010022080\n"
    assert call("convert", vector, "--to", "danamlund", "--seed", "7", "-o", out).code == 0
    assert "Solution encrypted with seed 7\n" in out.read_text()
    assert call("convert", vector, "--to", "danamlund", "--seed", "-1", "-o", out).code == 2
    assert call("convert", vector, "--to", "pgn", "-o", out).code == 2


def test_binary_formats_go_to_a_pipe_but_not_to_a_terminal(files: Path) -> None:
    mbf = files / "layout_3x2.mbf"
    ended = call("convert", "-", "--to", "mbf", board=mbf.read_bytes())
    assert (ended.code, ended.data, ended.err) == (0, mbf.read_bytes(), "")
    terminal, end = pty.openpty()
    try:
        words = ("-m", "satsweeper", "convert", mbf, "--to", "mbf")
        refused = python(*words, stdout=end, stderr=subprocess.PIPE)
    finally:
        os.close(end)
        os.close(terminal)
    assert refused.returncode == 2
    assert refused.stderr.endswith(": mbf is binary and not for a terminal: -o FILE\n")
