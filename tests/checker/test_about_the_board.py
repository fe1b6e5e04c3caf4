"""A certificate is about one board: its rows, its total, and how its flags are read."""

import hashlib
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from satsweeper import Position
from satsweeper.certificate.certify import certify
from satsweeper.checker import contents
from satsweeper.checker.check import check
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.expected_board import plain_board
from satsweeper.notation.error import BoardError

Forge = Callable[[str], Any]


def written(tmp_path: Path, text: str, **options: Any) -> Path:
    folder = tmp_path / f"c{len(list(tmp_path.iterdir()))}"
    certify(Position.parse(text), **options).write(folder)
    return folder


def refusal(folder: Path, **asked: Any) -> str:
    with pytest.raises(WrongCertificateError) as refused:
        check(folder, external=False, **asked)
    return str(refused.value)


ABOUT = "board.txt: the certificate is about total"


@pytest.mark.parametrize(
    ("certified", "board", "fault"),
    [
        ("1 1 0\n?\n", "1 1 1\n?\n", f"{ABOUT} 0, the board says 1"),
        ("1 2 0\n1?\n", "1 2 1\n1?\n", f"{ABOUT} 0, the board says 1"),
        ("1 1 0\n?\n", "?\n", f"{ABOUT} 0, the board says unknown"),
        ("1 1 0\n?\n", "1 1 ?\n?\n", f"{ABOUT} 0, the board says unknown"),
        ("?\n", "1 1 0\n?\n", f"{ABOUT} unknown, the board says 0"),
    ],
)
def test_a_certificate_of_another_total_is_refused_by_name(
    tmp_path: Path, certified: str, board: str, fault: str
) -> None:
    folder = written(tmp_path, certified)
    assert refusal(folder, board=board) == fault
    rows, total = board.split("\n")[-2:-1], Position.parse(board).mines
    asked = "unknown" if total is None else total
    other = fault.replace("the board says", "asked for is")
    assert refusal(folder, board=rows, mines=asked) == other
    assert refusal(folder, mines=asked) == other
    assert check(folder, board=certified, external=False).rows == tuple(rows)


def test_rows_alone_state_no_total(tmp_path: Path) -> None:
    folder = written(tmp_path, "1 1 0\n?\n")
    assert refusal(folder, board=["?"]) == f"{ABOUT} 0, the board says unknown"
    assert check(folder, board=["?"], mines=0, external=False).mines == 0
    assert check(written(tmp_path, "?\n"), board=["?"], external=False).mines is None


def test_flags_that_are_read_otherwise_are_refused_by_name(tmp_path: Path) -> None:
    board = "1 3 ?\nF0?\n"
    trusting, ignoring = (written(tmp_path, board, flags=mode) for mode in ("trust", "ignore"))
    assert check(trusting, board=board, external=False).status == "inconsistent"
    assert check(ignoring, board=board, flags="ignore", external=False).grid == ("S0S",)
    fault = "manifest.json: the certificate is about flags read as"
    for asked in ({"board": board}, {"flags": "trust"}, {"board": board, "flags": "trust"}):
        assert refusal(ignoring, **asked) == f"{fault} 'ignore', asked for is 'trust'"
    for asked in ({"flags": "ignore"}, {"board": board, "flags": "ignore"}):
        assert refusal(trusting, **asked) == f"{fault} 'trust', asked for is 'ignore'"


def test_what_was_checked_is_told_from_the_bytes_that_were_checked(
    forge: Forge, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = forge("total").write()
    manifest = (folder / "manifest.json").read_bytes()
    read = contents.read_regular

    def spoilt(where: Path, name: str) -> bytes:
        content = read(where, name)
        (where / name).write_bytes(b"another one")
        return content

    monkeypatch.setattr("satsweeper.checker.contents.read_regular", spoilt)
    monkeypatch.setattr("satsweeper.checker.manifest.read_regular", spoilt)
    found = check(folder, external=False)
    assert (folder / "manifest.json").read_bytes() == b"another one"
    assert found.sha256 == hashlib.sha256(manifest).hexdigest()
    assert (found.rows, found.mines, found.flags) == (("1????", "1????"), 1, "trust")
    assert list(found.grid or ()) == forge("total").about["grid"]
    assert found.as_json()["board"] == {"rows": 2, "columns": 5, "mines": 1, "flags": "trust"}


@pytest.mark.parametrize(
    "asked", [{"flags": "some"}, {"mines": "?"}, {"board": "2x1x1\n?x"}, {"board": ""}]
)
def test_what_nobody_can_ask_for_is_refused(forge: Forge, asked: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"flags=|mines=|board: no board in the plain notation"):
        check(forge("total").write(), external=False, **asked)


def test_the_checker_reads_the_plain_notation_as_all_other_commands_do() -> None:
    for path in sorted((Path(__file__).parents[2] / "examples").glob("*.txt")):
        found = plain_board(path.read_bytes())
        assert found is not None, path
        position = Position.read(path)
        lines = position.text().splitlines()
        assert (list(found.rows), found.mines) == (lines[1:], position.mines)


def test_what_it_reads_is_read_by_the_others_in_the_same_way() -> None:
    rng = random.Random(1)
    pieces = [*"0012?#.H-F!*", " ", "  ", "\t", "\n", "\n", "\r\n", "; a 1\n", "# 1\n", "# word\n"]
    pieces += ["2 2 1\n", "1 3 ?\n", "3 1 9\n", "2 3 F\n", "x", ":", ";", "9", "\x0b", "\ufeff"]
    both = 0
    for _ in range(20_000):
        text = "".join(rng.choices(pieces, k=rng.randint(1, 9)))
        text += "".join("".join(rng.choices("012?", k=3)) + "\n" for _ in range(rng.randrange(3)))
        both += read_alike(text)
    assert both > 1000


def read_alike(text: str) -> bool:
    """Whether the checker reads a text; if so, the others must read the same."""
    found = plain_board(text)
    if found is None:
        return False
    try:
        position = Position.parse(text)
    except BoardError as error:
        # Whether a game can show a clue is not a matter of notation.
        if "a clue is at most" not in str(error):
            pytest.fail(f"{text!r}: {error}")
        return False
    lines = position.text().splitlines()
    assert (list(found.rows), found.mines) == (lines[1:], position.mines), text
    return True


@pytest.mark.parametrize("text", ["0 0 ?", "0 1 ?", " 0\t0 ?\r\n", "0 0 0\n;\n"])
def test_three_cells_alone_are_a_row_for_both(text: str) -> None:
    assert read_alike(text)
    assert plain_board("0 00 1") is None


def test_three_clues_alone_are_another_board_and_no_header(tmp_path: Path) -> None:
    folder = written(tmp_path, "1 3 ?\n1??\n")
    for text in ("0 0 1\n", "0 0 1"):
        assert refusal(folder, board=text) == "board.txt: this is another board than the one given"


@settings(max_examples=400, deadline=None)
@given(
    header=st.tuples(st.integers(0, 3), st.integers(0, 3), st.sampled_from(["0", "1", "?", "9"])),
    rows=st.lists(st.text("01?F ", max_size=4), max_size=3),
    end=st.sampled_from(["", "\n", " \n", "\r\n", "\n;"]),
)
def test_small_texts_below_any_three_words_are_read_alike(
    header: tuple[int, int, str], rows: list[str], end: str
) -> None:
    read_alike("\n".join([" ".join(map(str, header)), *rows]) + end)
