"""Building the page: what is missing is said in one line, and no other folder is overwritten."""

import subprocess
import sys
from pathlib import Path
from typing import Any

BUILD = Path(__file__).parents[2] / "scripts" / "build_page.py"


def build(folder: Path, **env: str) -> Any:
    command = [sys.executable, str(BUILD), "--cache", str(folder / "cache")]
    command += ["-o", str(folder / "page")]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


def test_a_machine_without_npm_is_told_so(tmp_path: Path) -> None:
    ended = build(tmp_path, PATH=str(tmp_path))
    assert (ended.returncode, ended.stderr.count("\n")) == (1, 1)
    assert "needs npm, which is not here" in ended.stderr
    assert not (tmp_path / "page").exists()


def test_a_file_that_is_not_what_it_should_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "cache").mkdir()
    (tmp_path / "cache" / "pyodide-314.0.7.tgz").write_bytes(b"something else")
    ended = build(tmp_path, PATH=str(tmp_path))
    assert ended.returncode == 1
    assert "is not the file of page/versions.json" in ended.stderr


def test_a_folder_that_is_no_page_stays(tmp_path: Path) -> None:
    (tmp_path / "page").mkdir()
    (tmp_path / "page" / "mine.txt").write_text("mine")
    ended = build(tmp_path, PATH=str(tmp_path))
    assert ended.returncode == 1
    assert (tmp_path / "page" / "mine.txt").read_text() == "mine"
