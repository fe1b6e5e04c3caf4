"""The script that draws encodings: the same bytes every time, and DOT without a file."""

import pytest

from scripts.draw_encoding import main


def test_the_same_arguments_give_the_same_bytes(run_script, tmp_path):
    texts = []
    for seed in ("1", "2"):
        for name in ("a.svg", "a.dot"):
            path = tmp_path / name
            words = ["totalizer", "--n", 7, "--lower", 2, "--upper", 3, "-o", path]
            done = run_script("draw_encoding", *words, PYTHONHASHSEED=seed)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
            texts.append(path.read_bytes())
    assert texts[:2] == texts[2:]
    assert texts[0].startswith(b"<svg")


def test_without_a_file_dot_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["direct", "--n", "3", "--upper", "1"]) == 0
    assert capsys.readouterr().out.startswith("digraph encoding {")
