"""``satsweeper decode``: an answer from elsewhere back on the board, judged there, in one line."""

import json
import lzma
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from satsweeper.search.algebraic_fallback import AlgebraicProof
from tests.commands import EXAMPLES, answer, call, solved


class Exported(NamedTuple):
    """A board, its map and its formula in files."""

    board: Path
    map: Path
    formula: Path


@pytest.fixture
def export(tmp_path: Path) -> Callable[..., Exported]:
    def run(text: str, *options: object) -> Exported:
        files = Exported(tmp_path / "board.txt", tmp_path / "map.json", tmp_path / "board.cnf")
        files.board.write_text(text)
        ended = call("export", files.board, "-o", files.formula, "--map", files.map, *options)
        assert ended.code == 0, ended.err
        return files

    return run


# All clues are met by the mine in their corner alone; the other one is in the last column.
CORNER = "3 4 2\n?1??\n11??\n????\n"


@pytest.mark.parametrize("form", ["{0}", "SAT\n{1} 0\n", "{1} 0\n", "{1}\n", "c hi\n{0}"])
def test_every_form_of_output_gives_the_same_board(
    export: Callable[..., Exported], form: str
) -> None:
    files = export("2 3 1\n1??\n1??\n")
    model = solved(files.formula)
    text = form.format(answer(model), " ".join(map(str, model)))
    ended = call("decode", files.board, "--map", files.map, "-", board=text)
    assert (ended.code, ended.err) == (0, "")
    ruler, *rows, legend, sentence = ended.out.splitlines()
    assert ruler == "    0 1 2"
    assert rows in (["0   1 M S", "1   1 S S"], ["0   1 S S", "1   1 M S"])
    assert legend == "S no mine   M mine   ? left open   F flag   0-8 clue"
    assert sentence == "A layout: 1 mine, as the total says; every clue is met."


def test_the_json_has_the_board_and_what_is_left_open(export: Callable[..., Exported]) -> None:
    files = export("1?????\n1?????\n", "--mines", "unknown")
    numbers = json.loads(files.map.read_text())["variables"]
    cell = {tuple(role["cell"]): int(variable) for variable, role in numbers.items()}
    model = [cell[0, 1], -cell[1, 1], cell[0, 5]]
    ended = call("decode", "--json", files.board, "--map", files.map, "-", board=answer(model))
    assert (ended.code, ended.err) == (0, "")
    assert ended.json == {
        "schema": "satsweeper/decode/1", "rows": 2, "columns": 6, "mines": None,
        "claim": "SATISFIABLE", "judgement": "right", "grid": ["1M???M", "1S????"],
        "free": [[0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [1, 5]],
    }  # fmt: skip


@pytest.mark.parametrize(
    ("mines", "wrong", "sentence"),
    [
        ([(0, 0), (0, 2), (1, 2)], {"clue": [0, 1], "shown": 1, "counted": 3},
         "wrong model: the 1 at (0, 1) has 3 mines around it"),
        ([(0, 0), (2, 1)], {"clue": [1, 0], "shown": 1, "counted": 2},
         "wrong model: the 1 at (1, 0) has 2 mines around it"),
        ([(0, 0)], {"total": 2, "counted": 1},
         "wrong model: 1 mine, and the total is 2"),
    ],
)  # fmt: skip
def test_a_wrong_model_is_named_by_the_first_clue_it_breaks_or_the_total(
    export: Callable[..., Exported],
    mines: list[tuple[int, int]],
    wrong: dict[str, Any],
    sentence: str,
) -> None:
    files = export(CORNER)
    numbers = json.loads(files.map.read_text())["variables"]
    model = [
        int(variable) * (1 if tuple(role["cell"]) in mines else -1)
        for variable, role in numbers.items()
    ]
    command = ["decode", files.board, "--map", files.map, "-"]
    ended = call(*command, board=answer(model))
    assert (ended.code, ended.out, ended.err) == (1, "", f"<stdin>: {sentence}\n")
    ended = call(*command, "--json", board=answer(model))
    assert (ended.code, ended.err) == (1, f"<stdin>: {sentence}\n")
    assert ended.json["judgement"] == "wrong"
    assert ended.json["wrong"] == wrong
    assert "grid" not in ended.json


def test_the_total_of_the_map_counts_and_flags_as_they_were_exported(
    export: Callable[..., Exported],
) -> None:
    files = export("1 3 3\nF2?\n")
    command = ["decode", files.board, "--map", files.map, "-"]
    assert call(*command, board="UNSAT\n").code == 20
    files = export("1 3 3\nF2?\n", "--mines", "2")
    ended = call(*command, board=answer(solved(files.formula)))
    lines = ended.out.splitlines()
    assert lines[1] == "0   F 2 M"
    assert lines[-1] == "A layout: 1 mine and 1 flag, as the total says; every clue is met."
    files = export("1 3 3\nF2?\n", "--mines", "2", "--flags", "ignore")
    ended = call(*command, board=answer(solved(files.formula)))
    assert ended.out.splitlines()[1] == "0   M 2 M"


def test_a_right_claim_of_no_layout_is_confirmed(export: Callable[..., Exported]) -> None:
    files = export("1?3\n???\n?1?\n")
    command = ["decode", files.board, "--map", files.map, "-"]
    ended = call(*command, board="s UNSATISFIABLE\n")
    assert (ended.code, ended.err) == (20, "")
    assert ended.out == ("The solver claims that the board has no layout. Our own search agrees.\n")
    ended = call(*command, "--json", board="UNSAT\n")
    assert (ended.code, ended.json["judgement"]) == (20, "right")


def test_a_wrong_claim_of_no_layout_is_found_out(export: Callable[..., Exported]) -> None:
    files = export(CORNER)
    command = ["decode", files.board, "--map", files.map, "-"]
    ended = call(*command, "--json", board="s UNSATISFIABLE\n")
    assert (ended.code, ended.json["judgement"]) == (1, "wrong")
    assert ended.json["wrong"] == {"claim": "UNSATISFIABLE"}
    assert ended.err == "<stdin>: wrong claim: UNSATISFIABLE, but the board has a layout\n"


def test_a_claim_that_we_cannot_confirm_in_time_says_so(
    hard: Path, export: Callable[..., Exported], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "satsweeper.search.algebraic_fallback.prove_without_search",
        lambda *arguments: AlgebraicProof(),
    )
    files = export(hard.read_text())
    command = ["decode", files.board, "--map", files.map, "--timeout", "0.01", "--json", "-"]
    ended = call(*command, board="s UNSATISFIABLE\n")
    assert (ended.code, ended.err, ended.json["judgement"]) == (20, "", "unconfirmed")


def test_no_answer_is_a_limit(export: Callable[..., Exported]) -> None:
    files = export(CORNER)
    command = ["decode", files.board, "--map", files.map, "-"]
    ended = call(*command, board="c time is up\ns UNKNOWN\n")
    assert (ended.code, ended.out, ended.err) == (124, "The solver has no answer.\n", "")
    assert call(*command, "--json", board="INDET\n").json["judgement"] == "unknown"


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("s SATISFIABLE\ns SATISFIABLE\nv 0\n", "<stdin>:2:1: 's': a second s line"),
        ("s SATISFIABLE\nv 1 -1 0\n", "<stdin>:2:5: '-1': the model holds 1 already"),
        ("s SATISFIABLE\nv 1 two 0\n", "<stdin>:2:5: 'two': no literal"),
        ("s SATISFIABLE\nv 999999 0\n", "<stdin>:2:3: '999999': a literal of no variable"),
        ("s SATISFIABLE\nv 1 0\n",
         "<stdin>: the model is incomplete: no value for (0, 2), (0, 3), (1, 2)"),
        ("", "<stdin>: empty: no claim, no literals"),
    ],
)  # fmt: skip
def test_output_that_is_no_answer_is_one_line(
    export: Callable[..., Exported], output: str, message: str
) -> None:
    files = export(CORNER)
    ended = call("decode", files.board, "--map", files.map, "-", board=output)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith(message)
    assert ended.err.count("\n") == 1


def test_compressed_files_are_read(export: Callable[..., Exported]) -> None:
    files = export(CORNER)
    for path in (files.map, files.map.with_name("out.txt")):
        data = path.read_bytes() if path.exists() else answer(solved(files.formula)).encode()
        path.write_bytes(lzma.compress(data))
    ended = call("decode", files.board, "--map", files.map, files.map.with_name("out.txt"))
    assert (ended.code, ended.err) == (0, "")


def test_files_that_are_missing_or_another_s_are_one_line(
    export: Callable[..., Exported], tmp_path: Path
) -> None:
    files = export(CORNER)
    other = tmp_path / "other.txt"
    other.write_text("3 3 2\n?1?\n11?\n???\n")
    damaged = tmp_path / "damaged.gz"
    damaged.write_bytes(b"\x1f\x8bnothing")
    for board, names, output, message in (
        (other, files.map, "-", "the map is of a board of 4x3, and this one has 3x3"),
        (files.board, files.map, damaged, "damaged.gz: "),
        (files.board, damaged, "-", "damaged.gz: "),
        (files.board, files.board, "-", ":1:3: no JSON: Extra data"),
        (files.board, files.map, "no\0name", "embedded null byte"),
    ):
        ended = call("decode", board, "--map", names, output, board="1 0\n")
        assert (ended.code, ended.out) == (1, "")
        assert message in ended.err
        assert ended.err.count("\n") == 1
    assert call("decode", "-", "--map", files.map, "-").code == 2
    assert call("decode", files.board, files.map).code == 2


CALLS = {
    "cadical": ["-q"], "picosat": [], "clasp": ["--outf=0"], "cryptominisat5": ["--verb", "0"],
    "minisat": ["-verb=0"],
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_what_a_real_solver_says_of_the_expert_board_comes_back(
    export: Callable[..., Exported], name: str
) -> None:
    if shutil.which(name) is None:
        pytest.skip(f"{name} is not installed: scripts/test --external")
    files = export((EXAMPLES / "expert.txt").read_text())
    output = files.formula.with_name("out")
    command = [name, *CALLS[name], str(files.formula)]
    if name == "minisat":
        command.append(str(output))
    said = subprocess.run(command, capture_output=True, check=False).stdout
    if name != "minisat":
        output.write_bytes(said)
    ended = call("decode", files.board, "--map", files.map, output)
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.endswith("A layout: 99 mines, as the total says; every clue is met.\n")
