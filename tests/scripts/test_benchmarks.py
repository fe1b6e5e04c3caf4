"""Benchmarks on two or three positions or problems: what is promised is measured and compared."""

import gzip
import json
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from pbcnf import ENCODERS, read_problem
from pbcnf.encoders.protocol import WeightedEncoder
from pbcnf.proof.cutting_planes.error import ProofError
from satsweeper.processes.limits import Ended
from scripts import bench_certified_odds, bench_derivations
from scripts.bench import encode_forms as encoding
from scripts.bench.encode_contenders import ours
from scripts.bench_certify import BASE, CERTIFY, SIDES, CertifiedBoard, misses
from scripts.bench_derivations import DERIVED, main
from scripts.bench_encode import PARTS, Row, Section, differences, lost
from scripts.bench_solutions import Best, agree, cell
from scripts.bench_solve import drawn
from tests.commands import EXAMPLES


def test_certifying_and_checking_are_timed_on_every_position(run_script, corpus):
    options = ["--classes", "exp", "--repeat", 1, "--limit", 2, "--commands", 1]
    done = run_script("bench_certify", corpus, *options, "--json", corpus / "out.json")
    # A target may be missed on a busy machine; what it measured is complete all the same.
    assert (done.returncode, done.stderr) == (int("MISSED" in done.stdout), "")
    out = json.loads((corpus / "out.json").read_text())
    assert out["schema"] == "satsweeper/bench-certify/1"
    titles = [f"exp, {what}" for what in ("total known", "total unknown", "commands")]
    assert list(out["classes"]) == titles
    for title, each in out["classes"].items():
        sides = set(SIDES) - ({"certify in memory"} if "commands" in title else set())
        assert set(each["ratios"]) == sides
        assert len(each["positions"]) == (1 if "commands" in title else 2)
        assert all(set(row["ms"]) == sides and min(row["ms"].values()) > 0
                   for row in each["positions"])  # fmt: skip
        assert title in done.stdout


def test_a_missed_target_of_certifying_is_said():
    fast = {BASE: 1.0, CERTIFY: 3.0, "check": 999.0}
    assert misses("class", [CertifiedBoard("a", 480, True, ms=fast)]) == []
    slow = {BASE: 1.0, CERTIFY: 3.1, "check": 1000.0}
    assert misses("class", [CertifiedBoard("a", 480, True, ms=slow)]) == [
        *[f"class: certify takes 3.10 times as long ({w})" for w in ("median", "p99", "typical")],
        "class: check of a takes 1000 ms",
    ]
    assert len(misses("class", [CertifiedBoard("a", 481, True, ms=slow)])) == 3


def test_certified_odds_are_measured_and_those_that_differ_are_found_out(
    capsys, corpus, monkeypatch
):
    main = bench_certified_odds.main
    boards = [str(EXAMPLES / name) for name in ("expert.txt", "contradiction.txt")]
    options = ["--corpus", str(corpus), "--classes", "exp", "--limit", "1", "--repeat", "1"]
    code = main([*boards, *options])
    out = capsys.readouterr().out
    assert (code == 1) is ("MISSED" in out)
    for title in ("exp, total known, 1 position;", "boards, total unknown, 1 position;"):
        assert title in out
    monkeypatch.setattr(bench_certified_odds, "digits", lambda _: "7")
    assert main([*boards, "--repeat", "1"]) == 1
    assert "WRONG: the odds of expert" in capsys.readouterr().out


def test_each_command_on_a_large_board_is_measured(run_script, tmp_path):
    write(tmp_path / "tiny.ms.gz", "; id=tiny-000 kind=any\n3 4 2\n1###\n12##\n01##\n")
    out = tmp_path / "out.json"
    options = ["--classes", "tiny", "--total", "--clauses", "--jobs", 2, "--json", out]
    done = run_script("bench_large_certificates", tmp_path, *options)
    assert (done.returncode, done.stderr) == (0, "")
    runs = json.loads(out.read_text())["runs"]
    assert [run["command"] for run in runs] == ["classify", "certify", "check"]
    assert all(run["id"] == "tiny-000" and run["cpu"] > 0 and run["memory"] > 1 for run in runs)
    assert runs[0]["folder"] == 0 < runs[1]["folder"] == runs[2]["folder"]


def test_odds_of_both_sides_are_timed_and_every_chance_is_compared(run_script, corpus):
    pytest.importorskip("ms_toollib")
    done = run_script("bench_odds", corpus, "--repeat", 1, "--json", corpus / "out.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WRONG" not in done.stdout
    out = json.loads((corpus / "out.json").read_text())
    assert out["schema"] == "satsweeper/bench-odds/1"
    assert set(out["classes"]) == {"exp", "b8"}
    for each in out["classes"].values():
        assert set(each["ratios"]) == {"cells", "text"}
        assert len(each["positions"]) == 3
        for row in each["positions"]:
            theirs = {"onboard", "onboard from text", "csp"}
            assert set(row["ms"]) == {"cells", "text", *theirs}
            assert row["difference"] < 1e-9
            assert not row["failure"]


def test_a_corpus_without_totals_or_nothing_to_compare_with_is_refused(run_script, corpus):
    (corpus / "ms_toollib.py").write_text("raise ImportError('not here')")
    done = run_script("bench_odds", corpus, first=corpus)
    assert (done.returncode, done.stderr) == (1, "bench_odds: not here\n")
    known, unknown = "; id=b8-known kind=any\n1 3 1\n#1#\n", "; id=b8-open kind=any\n1 3 ?\n#1#\n"
    write(corpus / "b8.ms.gz", f"{known}\n{unknown}")
    done = run_script("bench_odds", corpus, "--classes", "b8")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("bench_odds: b8.ms.gz: b8-open has no total: ")


def test_every_contender_finds_the_same_optimum_of_small_problems(run_script, tmp_path):
    pytest.importorskip("ortools")
    (tmp_path / "one.opb").write_text("min: 3 x1 2 x2 ;\n1 x1 1 x2 >= 1 ;\n")
    (tmp_path / "none.opb").write_text("no problem\n")
    options = ["--each", 1, "--size", 5, "--kinds", "knapsack,soft_sums:6", "--json"]
    ended = run_script("bench_solve", *options, tmp_path)
    assert ended.returncode == 0
    assert ended.stderr.startswith("left out: ")
    rows = [json.loads(line) for line in ended.stdout.splitlines()]
    names = [row["problem"] for row in rows]
    assert names == ["one.opb", "knapsack_5_1.opb", "soft_sums_6_1.wbo"]
    assert rows[0]["optimum"] == "2"
    for row in rows:
        assert set(row["cpu"]) == {"auto", "core-guided", "branching", "linear", "RC2", "CP-SAT"}
        assert all(seconds is not None for seconds in row["cpu"].values())


def test_best_values_of_all_contenders_stand_side_by_side(run_script, tmp_path):
    (tmp_path / "best.opb").write_text("max: 3 x1 2 x2 ;\n1 x1 1 x2 <= 1 ;\n")
    (tmp_path / "any.opb").write_text("1 x1 1 x2 >= 1 ;\n")
    (tmp_path / "none.opb").write_text("1 x1 >= 2 ;\n")
    (tmp_path / "other.opb").write_text("no problem\n")
    (tmp_path / "tenths.lp").write_text("Minimize\n .5 x\nSubject To\n x >= 1\nBinary\n x\nEnd\n")
    installed = [name for name in ("ortools", "highspy") if find_spec(name)]
    names = ["solve", *({"ortools": "CP-SAT", "highspy": "HiGHS"}[name] for name in installed)]
    options = ["--seconds", 100, "--contenders", ",".join(names)]
    ended = run_script("bench_solutions", *options, tmp_path)
    assert ended.returncode == 0
    assert ended.stderr.startswith("left out: ")
    assert ended.stderr.count("\n") == 1
    rows = [line.split() for line in ended.stdout.splitlines()[-4:]]
    values = {"any.opb": "0*", "best.opb": "3*", "none.opb": "infeasible", "tenths.lp": "1/2*"}
    assert rows == [[name, *[value] * len(names)] for name, value in values.items()]


def test_a_contender_that_is_not_installed_is_named():
    missing = Ended("error", "ModuleNotFoundError: No module named 'ortools'")
    assert cell(missing) == "not installed"
    assert cell(Ended("timeout", None)) == "timeout"


def test_values_better_than_a_proved_one_contradict_it():
    two, three = Best(Fraction(2), False), Best(Fraction(3), True)
    assert agree([two, three], maximise=True)
    assert not agree([two, three], maximise=False)
    assert not agree([two, Best(None, True)], maximise=True)
    assert agree([two, Best(None, False)], maximise=True)


def test_random_problems_are_written_as_they_are_drawn(run_script, tmp_path):
    folder = tmp_path / "new"
    options = ["--each", 2, "--kinds", "set_cover:6,soft_sums:5", "--seed", 3, "--write"]
    ended = run_script("bench_solve", *options, folder)
    names = ["set_cover_6_3.opb", "set_cover_6_4.opb", "soft_sums_5_3.wbo", "soft_sums_5_4.wbo"]
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines() == [str(folder / name) for name in names]
    assert read_problem(folder / names[1]) == drawn("set_cover", 6, 4).problem


def test_starts_are_timed(run_script):
    start = run_script("bench_start", "--repeat", 1)
    assert [line.split()[-2] for line in start.stdout.splitlines()] == ["ms"] * 8


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
    write(tmp_path / "tiny.ms.gz", POSITIONS)
    write_answers(tmp_path, ANSWERS)
    return tmp_path


def write(path: Path, text: str) -> None:
    path.write_bytes(gzip.compress(text.encode()))


def write_answers(folder: Path, answers: dict[str, tuple[str, str]]) -> None:
    lines = [f"{name}\t{unknown}\t{known}\n" for name, (unknown, known) in answers.items()]
    write(folder / "tiny.answers.gz", "".join(lines))


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
from scripts.bench.contenders import Answer, Contender
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


CHOSEN = ("product", "totalizer", "adder")
SMALL = ["--counts", "8", "--ones", "8", "--weighted", "8", "--repeat", "1"]


def tables(text: str) -> dict[str, dict[str, list[str]]]:
    """Title -> encoder -> the other cells of its row."""
    found: dict[str, dict[str, list[str]]] = {}
    for part in text.split("\n\n**")[1:]:
        title, _, rest = part.partition("**\n\n")
        rows = [line.strip("| ").split(" | ") for line in rest.splitlines()[2:]]
        found[title] = {row[0].strip("`"): row[1:] for row in rows}
    return found


def test_encoders_are_measured_on_every_sum_that_they_express(capsys):
    assert set(DERIVED) == set(ENCODERS)
    assert main([*SMALL, "--encoders", ",".join(CHOSEN)]) == 0
    found = tables(capsys.readouterr().out)
    assert set(found["At most 1 of 8"]) == set(CHOSEN)
    weighted = {name for name in CHOSEN if isinstance(ENCODERS[name], WeightedEncoder)}
    assert set(found["Half of 8 weights"]) == weighted
    counting = {name for name in CHOSEN if name in found["At most 4 of 8"]}
    assert weighted < counting < set(CHOSEN)
    for title, upper in [("At most 1 of 8", 1), ("At most 3 of 8", 3), ("At most 4 of 8", 4)]:
        for name, (clauses, variables, steps, rate, size_rate, *_) in found[title].items():
            size = ENCODERS[name].size(8, 0, upper)
            assert (int(clauses), int(variables)) == (size.clauses, size.variables)
            assert int(steps) >= int(clauses)
            assert rate == f"{int(steps) / int(clauses):.2f}"
            assert f"{rate}, {size_rate}" in found["Steps, and bytes, per clause"][name]


def test_a_derivation_that_is_refused_ends_the_benchmark(capsys, monkeypatch):
    def refuse(*_: bytes) -> None:
        raise ProofError("proof.pbp", 3, "it does not follow")

    monkeypatch.setattr(bench_derivations, "check_encoding", refuse)
    assert main([*SMALL, "--encoders", "totalizer"]) == 1
    message = capsys.readouterr().err
    assert message.startswith("bench_derivations: totalizer, at most 4 of 8: ")
    assert message.endswith("it does not follow\n")


def rows_of(problem: encoding.Problem) -> list[tuple[tuple[int, ...], int]]:
    return sorted((tuple(lits), bound) for lits, _, _, bound in problem.constraints())


@pytest.mark.parametrize(
    "forms", ["memory", pytest.param("memory,lists,solver,file", marks=pytest.mark.slow)]
)
def test_a_quick_run_has_every_part_and_sizes_that_agree(run_script, tmp_path, forms):
    options = ("--quick", "--encoders", "direct,totalizer,adder", "--forms", forms)
    done = run_script("bench_encode", *options, "--json", tmp_path / "out.json")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WRONG" not in done.stdout
    out = json.loads((tmp_path / "out.json").read_text())
    assert out["schema"] == "satsweeper/bench-encode/2"
    assert out["differences"] == []
    results = out["results"]
    assert {row["part"] for row in results} == {*PARTS}
    steps = {row["form"] for row in results if row["part"] == "solves"}
    assert steps == {"build", "encode", "load", "solve"}
    assert {row["form"] for row in results if row["part"] != "solves"} == {*forms.split(",")}
    assert all(row["failure"] is None and len(row["spent_ns"]) == 1 for row in results)
    sides = {(row["side"], row["encoder"]) for row in results}
    assert {("PySAT", "totalizer"), ("Python", "combinations")} <= sides
    for row in results:
        if row["side"] == "pbcnf" and row["part"] in ("large", "single"):
            kind, bound, n = row["problem"].replace(" of ", " ").rsplit(" ", 2)
            lower = 0 if kind == "at most" else int(bound)
            said = ENCODERS[row["encoder"]].size(int(n), lower, int(bound)) * row["constraints"]
            assert (row["variables"], row["clauses"]) == (said.variables, said.clauses), row


def test_markdown_tables_are_whole_and_stand_between_the_markers(run_script, tmp_path):
    page = tmp_path / "page.md"
    marks = [f"<!-- speed of {part}: by hand -->\nold\n<!-- end of speed of {part} -->\n"
             for part in ("clues", "single")]  # fmt: skip
    page.write_text(f"Before\n{''.join(marks)}after\n")
    options = ("--quick", "--encoders", "direct", "--parts", "clues,single", "--forms", "memory")
    done = run_script("bench_encode", *options, "--markdown", "--update", page)
    assert done.returncode == 0, done.stdout + done.stderr
    first, *lines, after = page.read_text().splitlines()
    assert (first, after) == ("Before", "after")
    made_by = "python scripts/bench_encode.py --quick --encoders direct"
    for part in ("clues", "single"):
        [begin] = [line for line in lines if line.startswith(f"<!-- speed of {part}: {made_by}")]
        assert lines.index(begin) < lines.index(f"<!-- end of speed of {part} -->")
    assert {line for line in lines if not line.startswith("<!--")} <= {*done.stdout.splitlines()}
    tables = [line for line in done.stdout.splitlines() if line.startswith("|")]
    assert {line.count(" | ") for line in tables} == {4}
    assert any("| direct | Python combinations |" in line for line in tables)


def test_without_pindakaas_the_rest_is_measured(run_script, tmp_path):
    (tmp_path / "pindakaas.py").write_text("raise ImportError('not here')")
    options = ("--quick", "--encoders", "totalizer", "--parts", "single", "--forms", "memory")
    done = run_script("bench_encode", *options, first=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "skipped: pindakaas: pindakaas is not installed (not here)" in done.stdout
    assert "PySAT totalizer" in done.stdout
    assert "pindakaas TOTALIZER" not in done.stdout


LIMITED = """
from satsweeper.processes.limits import Limits
from scripts.bench.encode_forms import Contender, Result, Task, measure, single

def contender(name, work):
    def prepare(problem, form):
        def run():
            if problem.count > 1:
                work()
            return Result(0, 0, None)
        return run
    return Contender("test", name, prepare)

def endless():
    while True:
        pass

def refuse():
    raise ValueError("I will not")

class Panic(BaseException):
    pass

def panic():
    raise Panic("at once")

contenders = [
    contender("slow", endless),
    contender("large", lambda: bytearray(2**29)),
    contender("refusing", refuse),
    contender("panicking", panic),
    contender("well", lambda: None),
]
tasks = [
    [Task(c, form, single(3, 1, 5), single(3, 1, 1)) for form in ("memory", "lists")]
    for c in contenders
]
measure(tasks, 2, Limits(1, memory=2**28), 0)
for forms in tasks:
    print(forms[0].contender.name, [len(t.spent) for t in forms], forms[1].failure, sep=": ")
"""


def test_who_exceeds_a_limit_is_named_and_the_others_go_on(run_script):
    done = run_script("-c", LIMITED)
    assert done.stdout.splitlines() == [
        "slow: [0, 0]: not within 1 s / 0.25 GB",
        "large: [0, 0]: not within 1 s / 0.25 GB",
        "refusing: [0, 0]: ValueError: I will not",
        "panicking: [0, 0]: Panic: at once",
        "well: [2, 2]: None",
    ], done.stderr


def test_the_clues_are_those_of_a_board_in_mid_game() -> None:
    problem = encoding.clues(5000, seed=3)
    assert problem.count == 5000
    rows, again, other = (rows_of(encoding.clues(5000, seed=seed)) for seed in (3, 3, 4))
    assert rows == again != other
    assert 5.3 < np.mean([len(lits) for lits, _ in rows]) < 5.9
    share = sum(bound for _, bound in rows) / sum(len(lits) for lits, _ in rows)
    assert 0.25 < share < 0.32  # 20 % mines among the 70 % covered cells
    for lits, bound in rows:
        assert len(set(lits)) == len(lits) in range(1, 9)
        assert 0 <= bound <= len(lits)
        assert 1 <= min(lits) <= max(lits) <= problem.num_vars


def test_a_wrong_count_is_a_difference_and_a_faster_peer_is_named() -> None:
    problem = encoding.single(3, 1, 2)

    def tasks(spent: int, side: str) -> dict[str, encoding.Task]:
        about = ours("direct")._replace(side=side), "memory", problem, problem
        return {"memory": encoding.Task(*about, spent=[spent], variables=0, clauses=8)}

    own = tasks(200, "pbcnf")
    rows = [Row(own, tasks(spent, f"rival {spent}")) for spent in (100, 300)]
    section = Section("three", "ms", ["memory"], [*rows, Row(own, {})])
    assert list(differences([section])) == []
    assert list(lost([section])) == ["three: direct, rival 100 direct, memory: 0.5x"]
    own["memory"].clauses = 7
    (line,) = differences([section])
    assert "exactly 1 of 3, memory: 0 variables and 7 clauses, where size() says 0 and 8" in line
