"""The benchmark of classification, run as a user runs it, on a corpus of two positions."""

import gzip
import json
from pathlib import Path

import pytest

POSITIONS = """\
; id=tiny-mid-0 kind=mid
3 3 2
1##
12#
01#

; id=tiny-stuck-1 kind=stuck
2 4 2
#11#
#11#
"""
ANSWERS = {"tiny-mid-0": (".MS..?..?", ".MS..?..?"), "tiny-stuck-1": ("?..??..?", "?..??..?")}


FEW = ("--contenders", "ours,plain,pysat-loop", "--repeat", 2)


@pytest.fixture(name="tiny")
def _tiny(tmp_path: Path) -> Path:
    with gzip.open(tmp_path / "tiny.ms.gz", "wt") as file:
        file.write(POSITIONS)
    write_answers(tmp_path, ANSWERS)
    return tmp_path


def write_answers(directory: Path, answers: dict[str, tuple[str, str]]) -> None:
    with gzip.open(directory / "tiny.answers.gz", "wt") as file:
        for name, (unknown, known) in answers.items():
            file.write(f"{name}\t{unknown}\t{known}\n")


def test_every_contender_answers_every_position_as_the_others(run_script, tiny):
    options = ("--encodings", "direct,pairwise", "--total", "both", "--by-kind")
    done = run_script("bench_classify", tiny, *FEW, *options, "--json", tiny / "out.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "wrong:" not in done.stdout.replace("wrong: positions", "")
    for title in ("tiny, total unknown, 2 positions", "tiny stuck, total known, 1 positions"):
        assert title in done.stdout
    assert "skipped: ours/pairwise: it cannot express a clue" in done.stdout
    out = json.loads((tiny / "out.json").read_text())
    assert out["schema"] == "satsweeper/bench-classify/1"
    assert not out["differences"]
    assert len(out["results"]) == 2 * 4 * 2
    assert all(len(row["times_ns"]) == 2 and row["failure"] is None for row in out["results"])
    assert str(tiny) not in json.dumps(out)


def test_a_false_answer_is_named(run_script, tiny):
    write_answers(tiny, ANSWERS | {"tiny-mid-0": (".SS..?..?", ".MS..?..?")})
    done = run_script("bench_classify", tiny, *FEW)
    assert done.returncode == 1, done.stdout + done.stderr
    for name in ("ours", "plain", "pysat-loop"):
        assert f"tiny-mid-0: {name} (total unknown), against the answer: (0, 1) M not S" in (
            done.stdout
        )
    assert "tiny-stuck-1:" not in done.stdout


def test_a_contender_without_answers_or_others_is_unchecked(run_script, tiny):
    (tiny / "tiny.answers.gz").unlink()
    alone = run_script("bench_classify", tiny, "--contenders", "ours", "--repeat", 1)
    assert "unchecked (no answer, one complete contender): tiny-mid-0 (total unk" in alone.stdout


def test_large_boards_are_measured_in_process_and_as_a_process(run_script, tiny):
    options = ("--large", "--classes", "tiny", "--contenders", "pysat-loop")
    done = run_script("bench_classify", tiny, *options)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "growth with the cells" in done.stdout


HUNGRY = """
import mmap, tempfile
file = tempfile.TemporaryFile()
file.truncate(100_000_000)
pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
sum(pages[::4096])
from scripts.bench.contenders import Answer
from scripts.bench.contenders import Contender
from scripts.bench.measure import try_out
from scripts.bench.timed import Record
def run(text, with_total):
    return Answer(str(len(bytearray(50_000_000)))[:0], 0)
record = Record('a', 'mid', '', 1, 1)
trial = try_out(Contender('hungry', run), [record], False, 60.0, lambda: None)
print(trial.peak_kib)
"""


def test_the_memory_that_a_contender_takes_is_seen(run_script):
    # Pages of files that this process has in memory are not the child's before it touches them.
    done = run_script("-c", HUNGRY)
    assert (done.returncode, done.stderr) == (0, "")
    assert 40_000 < int(done.stdout) < 80_000
