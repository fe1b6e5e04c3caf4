"""The script that draws encodings: the same bytes every time, one line for bad input."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scripts.draw_encoding import main

ROOT = Path(__file__).parents[2]


def draw(*arguments: object, seed: str = "0") -> subprocess.CompletedProcess[str]:
    paths = [str(ROOT / "encodings"), str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.run(
        [sys.executable, str(ROOT / "scripts" / "draw_encoding.py"), *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths), "PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        timeout=60,
    )


def test_the_same_arguments_give_the_same_bytes(tmp_path: Path) -> None:
    texts = []
    for seed in ("1", "2"):
        for name in ("a.svg", "a.dot"):
            path = tmp_path / name
            done = draw("totalizer", "--n", 7, "--lower", 2, "--upper", 3, "-o", path, seed=seed)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
            texts.append(path.read_bytes())
    assert texts[:2] == texts[2:]
    assert texts[0].startswith(b"<svg")


def test_without_a_file_dot_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["direct", "--n", "3", "--upper", "1"]) == 0
    assert capsys.readouterr().out.startswith("digraph encoding {")


def test_help_has_an_example(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    assert ended.value.code == 0
    assert "draw_encoding.py totalizer --n 6 --upper 2 -o totalizer.svg" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("nobody --n 3 --upper 1", "unknown encoder 'nobody'"),
        ("totalizer --upper 1", "--n or --weights is needed"),
        ("totalizer --n 4", "--lower or --upper is needed"),
        ("totalizer --n four --upper 1", "invalid int value: 'four'"),
        ("totalizer --n 0 --upper 1", "0 inputs: 1 to 200 can be drawn"),
        ("totalizer --n 900 --upper 1", "900 inputs: 1 to 200 can be drawn"),
        ("pairwise --n 5 --upper 2", "pairwise"),
        ("totalizer --weights 3,2,1 --upper 4", "totalizer takes weights 1 only"),
        ("direct --n 20 --upper 5", "4000 at most can be drawn"),
        ("totalizer --n 2 --weights 1,1,1 --upper 1", "--n 2 and 3 weights"),
        ("totalizer --weights 0,1 --upper 1", "weights are 1 at least"),
        ("totalizer --n 4 --upper 1 -o a.gif", "a name that ends in .svg, .dot or .gv is needed"),
        ("totalizer --n 4 --upper 1 -o no/such/folder.svg", "No such file or directory"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments.split())
    assert ended.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("draw_encoding: ")
    assert message in err
    assert err.count("\n") == 1
