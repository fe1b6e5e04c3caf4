"""The notebooks in examples/ run from anywhere and show what they are stored with."""

import json
import os
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest

from tests.commands import python

ROOT = Path(__file__).parents[2]
SCRIPT = ROOT / "scripts" / "run_notebooks.py"
NOTEBOOKS = sorted((ROOT / "examples").glob("*.ipynb"))
FAMILIES = {"board_to_proof", "comparing_encodings", "modelling", "playing"}


def run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return python(SCRIPT, *arguments, cwd=folder, env=clean)


def outputs(path: Path) -> list[dict[str, Any]]:
    cells = json.loads(path.read_text("utf-8"))["cells"]
    return [output for cell in cells for output in cell.get("outputs", [])]


def shown(path: Path, kind: str) -> list[str]:
    found = [output.get("data", {}).get(kind) for output in outputs(path)]
    return [each if isinstance(each, str) else "".join(each) for each in found if each]


def test_there_are_four_and_each_is_named_in_the_examples():
    assert {path.stem for path in NOTEBOOKS} == FAMILIES
    text = (ROOT / "examples" / "README.md").read_text("utf-8")
    assert all(f"({path.name})" in text for path in NOTEBOOKS)


@pytest.mark.parametrize("name", sorted(FAMILIES))
def test_a_notebook_runs_and_shows_what_is_stored(name, tmp_path):
    ended = run("--check", name, folder=tmp_path)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_stored_notebook_names_no_machine_no_version_and_no_time(path):
    stored = json.loads(path.read_text("utf-8"))
    assert stored["metadata"] == {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    for cell in stored["cells"]:
        assert cell["metadata"].keys() <= {"tags"}
    text = path.read_text("utf-8")
    assert not re.search(r"/(?:home|root|tmp|Users)/|[A-Z]:\\\\| at 0x", text)
    assert path.stat().st_size < 300_000


def test_what_is_shown_is_drawn_and_said_in_characters_as_well():
    for path in NOTEBOOKS:
        for drawing in shown(path, "image/svg+xml"):
            ElementTree.fromstring(drawing)
    kinds = {path.stem: (len(shown(path, "image/svg+xml")), len(shown(path, "text/html")))
             for path in NOTEBOOKS}  # fmt: skip
    assert kinds["board_to_proof"][0] >= 6
    assert kinds["comparing_encodings"][0] >= 3
    assert kinds["comparing_encodings"][1] >= 4
    assert kinds["modelling"][1] >= 2
    assert kinds["playing"][0] >= 4
    for output in (each for path in NOTEBOOKS for each in outputs(path)):
        assert output["output_type"] in ("execute_result", "stream")
        assert "text" in output or "text/plain" in output["data"]


def copy_of_script(folder: Path, cells: list[str]) -> Path:
    """The script with a notebook of its own: what is to be found wrong."""
    for name in ("encodings", "satsweeper"):
        (folder / name).symlink_to(ROOT / name)
    (folder / "scripts").mkdir()
    (folder / "scripts" / "run_notebooks.py").write_bytes(SCRIPT.read_bytes())
    (folder / "examples").mkdir()
    code = [
        {"cell_type": "code", "id": f"c{at}", "metadata": {}, "source": source, "outputs": [],
         "execution_count": None}
        for at, source in enumerate(cells)
    ]  # fmt: skip
    meta = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    notebook = {"cells": code, "metadata": meta, "nbformat": 4, "nbformat_minor": 5}
    (folder / "examples" / "odd.ipynb").write_text(json.dumps(notebook))
    return folder / "scripts" / "run_notebooks.py"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("1 / 0", "a cell fails: ZeroDivisionError: division by zero"),
        ("1 + 1", "other kinds of output than are stored"),
        ("import os; os.getcwd()", "names "),
        ("open('left.txt', 'w').close()", "left behind: left.txt"),
    ],
    ids=["fails", "differs", "path", "file"],
)
@pytest.mark.slow
def test_what_is_wrong_with_a_notebook_is_one_line(source, said, tmp_path):
    script = copy_of_script(tmp_path, [source])
    ended = python(script, "--check", "odd", env=None)
    assert ended.returncode == 1
    assert said in ended.stderr
    assert "Traceback" not in ended.stderr


def test_an_unknown_notebook_is_one_line(tmp_path):
    ended = run("nothing_of_ours", folder=tmp_path)
    assert ended.returncode == 2
    assert ended.stderr.count("\n") == 1
    assert "board_to_proof" in ended.stderr
