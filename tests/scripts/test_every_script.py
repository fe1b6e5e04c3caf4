"""Every script runs from any folder and refuses bad input; comparing answers and mutants."""

import ast
import json
import os
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from scripts.kill_list import mutants_of
from tests.commands import ROOT, python

CASES = [
    line.split(" | ")
    for line in """\
bench_certified_odds | nowhere.txt | 1 | bench_certified_odds:
bench_certify | . --classes nobody | 1 | nobody.ms.gz
bench_certify | . --limit 0 | 2 | 1 at least
bench_certify | . --repeat many | 2 | invalid positive value: 'many'
bench_classify | . --contenders nobody | 1 | no contender 'nobody'
bench_classify | . --classes none | 1 | none.ms.gz
bench_encode | --encoders nobody | 2 | no 'nobody' (there are direct,
bench_encode | --parts all | 2 | no 'all' (there are clues, large, single, weighted, solves)
bench_encode | --update nowhere.md | 1 | No such file or directory: 'nowhere.md'
bench_encode | --sizes 7 | 2 | 8 at least
bench_encode | --time-limit nan | 2 | more than 0
bench_hard_boards | -o out --families nobody | 2 | nobody
bench_hard_boards | -o out --limit 0 | 2 | --limit
bench_hard_boards |  | 2 | -o
bench_odds | . --limit 0 | 2 | 1 at least
bench_puzzles | --rules nobody | 2 | no 'nobody' (there are Q, C,
bench_puzzles | --size 0 | 2 | --size
bench_solutions | nowhere.opb --seconds 0 | 2 | more than 0
bench_solutions | --contenders rc3 x | 2 | no 'rc3'
bench_solve | --contenders auto,rc3 | 2 | no 'rc3'
bench_solve | --kinds knapsacks | 2 | unknown kind 'knapsacks'
bound_win_rate | --board 4x4/14 | 1 | 14 mines: first click 'opening' leaves room for 7
bound_win_rate | --first-click none | 2 | no 'none' (there are safe, opening)
draw_boards | nowhere.txt -o out | 1 | nowhere.txt
draw_encoding | totalizer --upper 1 | 2 | --n or --weights is needed
draw_encoding | totalizer --n 4 | 2 | --lower or --upper is needed
draw_encoding | totalizer --n 2 --weights 1,1,1 --upper 1 | 2 | --n 2 and 3 weights
fuzz_positions | --positions 0 | 2 | --positions
fuzz_positions | --share nothing=1 | 2 | --share
fuzz_positions | --share odds=2 | 2 | --share
fuzz_rules | --groups nobody | 2 | no 'nobody'
fuzz_rules | --only nothing | 2 | no subject begins with 'nothing'
make_release | --nonsense | 2 | unrecognized arguments
measure_coverage | --boards 30x16 | 1 | board '30x16': COLUMNSxROWS/MINES is needed
measure_coverage | --boards 4x4/14 | 1 | 14 mines: first click 'opening' leaves room for 12
measure_coverage | --methods luck | 2 | no 'luck'
mutate | --count 0 | 2 | --count
mutate | --kind odds --boards x | 2 | --boards
mutate | --kind nobody | 2 | no 'nobody'
table_encoder_analysis | --against libfoo | 2 | no 'libfoo'
table_encoders | --against libfoo | 2 | no 'libfoo'
train_player | -o out --explore 2 | 2 | --explore
table_rule_clauses | --nonsense | 2 | unrecognized arguments""".splitlines()
]


@pytest.mark.parametrize(("script", "words", "code", "message"), CASES)
def test_bad_input_is_refused_with_a_message(
    script, words, code, message, capsys, monkeypatch, tmp_path
):
    monkeypatch.chdir(tmp_path)
    try:
        ended = import_module(f"scripts.{script}").main(words.split())
    except SystemExit as exit_:
        ended = exit_.code
    captured = capsys.readouterr()
    assert ended == int(code)
    assert message in captured.err
    assert "Traceback" not in captured.err
    assert not list(tmp_path.iterdir())


SCRIPTS = sorted((ROOT / "scripts").glob("*.py"))
FOLDERS = [ROOT, *(ROOT / name for name in ("scripts", "encodings", "examples", "scripts/bench"))]


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_finds_what_it_imports(script: Path) -> None:
    # Without site there is no installed project, only what other packages are there.
    packages = Path(np.__file__).parents[1]
    place = FOLDERS[SCRIPTS.index(script) % len(FOLDERS)]
    here = {"cwd": place, "env": {**os.environ, "PYTHONPATH": str(packages)}}
    ended = python("-S", os.path.relpath(script, place), "--help", **here)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "usage: " in ended.stdout


def test_a_checkout_answers_as_itself(run_script, tmp_path):
    options = ("--against", ROOT, "--only", "watchdog counter: ", "-o", tmp_path / "now.json")
    done = run_script("compare_answers", *options)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.endswith("0 differ; 0 files of proofs differ\n")
    assert json.loads((tmp_path / "now.json").read_text())


def test_a_changed_answer_is_named_and_a_changed_proof_is_not_counted(run_script, tmp_path):
    for name, answer, proof in (("old", "a 1", "p 5"), ("new", "b 2", "q 6")):
        content = {"command: x": answer, "proof: x | x.drat": proof, "command: y": "c 3"}
        (tmp_path / name).write_text(json.dumps(content))
    done = run_script("compare_answers", tmp_path / "old", tmp_path / "new")
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "command: x: 1 bytes -> 2 bytes",
        "may differ: proof: x | x.drat: 5 bytes -> 6 bytes",
        "1 answers equal, 1 differ; 1 files of proofs differ",
    ]


SOURCE = '''
LIMIT = 3


def least(numbers: list[int], default: int = 0) -> int:
    """Return the least number."""
    if not numbers or len(numbers) > LIMIT:
        print("none")
        return default + 1
    return min(numbers)
'''
TEXTS = {"(not (not numbers or len(numbers) > LIMIT))", " and ", "", " >= ", "pass", " - ", "2"}


def test_a_mutant_changes_one_place_of_a_function_and_can_be_parsed(tmp_path: Path) -> None:
    path = tmp_path / "least.py"
    path.write_text(SOURCE)
    mutants = list(mutants_of(path, "least.py"))
    assert sorted(m.text for m in mutants) == sorted([*TEXTS, "None", "None"])
    source = path.read_bytes()
    changed = {source[: m.begin] + m.text.encode() + source[m.end :] for m in mutants}
    assert len(changed) == len(mutants)
    assert ast.unparse(ast.parse(source)) not in {ast.unparse(ast.parse(text)) for text in changed}
    assert {m.function for m in mutants} == {("least.py", 5)}
