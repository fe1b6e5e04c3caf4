"""``satsweeper export --competition``: three files that belong together."""

import hashlib
import json
import lzma
from pathlib import Path

from tests.commands import EXAMPLES, call


def test_the_command_writes_three_files_that_belong_together(
    tmp_path: Path,
) -> None:
    arguments = ["--competition", "-o", tmp_path, "--seed", "7", "--family", "tiny"]
    ended = call("export", "-", *arguments, board="2 3 1\n1??\n?1?\n")
    assert ended.code == 0
    assert "far too easy" in ended.out
    (cnf,) = tmp_path.glob("*.cnf.xz")
    assert cnf.name == "tiny_3x2-m1-direct-pairwise_7.cnf.xz"
    text = lzma.decompress(cnf.read_bytes())
    about = json.loads((tmp_path / f"{cnf.name[:-7]}.json").read_text())
    names = json.loads((tmp_path / f"{cnf.name[:-7]}.map.json").read_text())
    assert about["file"] == cnf.name
    assert about["sha256"] == hashlib.sha256(text).hexdigest()
    assert (about["seed"], about["status"], about["mines"]) == ("7", "satisfiable", 1)
    assert about["variables"] == len(names["variables"]) + sum(
        aux["last"] - aux["first"] + 1 for aux in names["auxiliaries"]
    )
    assert f"p cnf {about['variables']} {about['clauses']}\n".encode() in text


def test_the_folder_of_an_entry_is_made(tmp_path: Path) -> None:
    board, folder = EXAMPLES / "wikipedia_corner.txt", tmp_path / "new" / "entries"
    assert call("export", board, "--competition", "-o", folder).code == 0
    assert len(list(folder.iterdir())) == 3


def test_no_folder_is_made_for_what_is_no_board(tmp_path: Path) -> None:
    ended = call("export", tmp_path / "none.txt", "--competition", "-o", tmp_path / "entries")
    assert (ended.code, ended.err.count("\n")) == (1, 1)
    assert list(tmp_path.iterdir()) == []
