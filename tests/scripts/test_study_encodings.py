"""The study of encodings: plan, statistics, a run on next to nothing, and the published file."""

import json
import re
from itertools import chain, pairwise, repeat
from math import inf
from pathlib import Path
from types import SimpleNamespace

import pytest

from pbcnf.encoders.table import ENCODERS
from satsweeper.compare.job.job import Job, JobStatus, LiteralOrder, Measured, Result, Task
from satsweeper.compare.sweep.run import Compared
from satsweeper.compare.wrong_answers.disagreement import Disagreement
from satsweeper.processes.limits import Limits
from satsweeper.solvers.table import SOLVERS
from scripts import study_encodings
from scripts.study import tables as study_tables
from scripts.study.parts import PARTS, QUICK, Part, against_default, pooled, rank_correlation
from scripts.study.tables import prepared_part

ROOT = Path(__file__).parents[2]
PUBLISHED = ROOT / "docs" / "encodings.md"
SECTIONS = [
    study_encodings.SUMMARY,
    study_encodings.SIZES,
    study_encodings.SETTING,
    *map(study_encodings.section_of, PARTS),
]


def tables(text):
    """Every table of a text, as rows of cells."""
    found = []
    for block in re.findall(r"(?m)(?:^\|.*\n?)+", text):
        rows = [
            [cell.strip() for cell in line.strip("| ").split(" |")]
            for line in block.strip().splitlines()
        ]
        assert all(len(line.split(" |")) == len(rows[0]) + 1 for line in block.strip().splitlines())
        assert set(rows[1]) == {"---"}
        found.append([rows[0], *rows[2:]])
    return found


def section(text, name):
    match = re.search(
        rf"<!-- {re.escape(name)}: (.*?) -->\n\n(.*?)\n\n<!-- end of {re.escape(name)} -->",
        text,
        re.DOTALL,
    )
    assert match, name
    return match[1], match[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of a quick study that was stopped at once, gone on with, and written down."""
    path = tmp_path_factory.mktemp("study")
    run = ["-o", str(path / "runs"), "--quick", "--resume"]
    clock = chain(repeat(0.0, 5), repeat(inf))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study_tables, "time", SimpleNamespace(monotonic=lambda: next(clock)))
        assert study_encodings.main([*run, "--budget", "60"]) == 124
    done = (path / "runs" / "clues" / "results.jsonl").read_text().splitlines()
    # The first look is before the first job.
    assert len(done) == 5
    page = path / "page.md"
    page.write_text(PUBLISHED.read_text("utf-8"), "utf-8")
    assert study_encodings.main([*run, "--update", str(page)]) == 0
    again = (path / "runs" / "clues" / "results.jsonl").read_text().splitlines()
    assert set(done) <= set(again)
    return path


def test_a_quick_study_does_every_job_once_and_writes_every_section(folder):
    text = (folder / "page.md").read_text("utf-8")
    for name in SECTIONS:
        command, content = section(text, name)
        assert command == f"{study_encodings.COMMAND} --quick"
        assert content
    for part in QUICK:
        jobs = prepared_part(part, Limits(seconds=2)).jobs
        lines = study_encodings.folder_of(folder / "runs", part) / "results.jsonl"
        held = [json.loads(line) for line in lines.read_text().splitlines()]
        assert [line["id"] for line in held] == [job.id for job in jobs]
        assert {line["status"] for line in held} <= {"sat", "unsat"}
        _, content = section(text, study_encodings.section_of(part))
        assert content.startswith(f"{len(jobs)} jobs")


def test_a_folder_is_not_overwritten_and_a_page_takes_all_parts(folder, capsys):
    assert study_encodings.main(["-o", str(folder / "runs"), "--quick"]) == 1
    assert "not empty" in capsys.readouterr().err
    with pytest.raises(SystemExit) as ended:
        study_encodings.main(["-o", str(folder / "new"), "--parts", "clues", "--update", "x"])
    assert ended.value.code == 2
    assert "with all parts only" in capsys.readouterr().err
    assert not (folder / "new").exists()


def test_a_wrong_answer_ends_the_study(tmp_path, capsys, monkeypatch):
    found = Disagreement(*[result(name, "i", 0, 1.0) for name in ("adder", "direct")])
    monkeypatch.setattr(study_tables, "run_prepared", lambda *_, **__: Compared([], found))
    assert study_encodings.main(["-o", str(tmp_path), "--quick", "--parts", "middle"]) == 1
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("study_encodings: middle: ")
    assert output.err.count("\n") == 1


@pytest.mark.parametrize("part", QUICK, ids=lambda part: part.name)
def test_contenders_of_an_instance_and_seed_run_side_by_side(part):
    jobs = prepared_part(part, Limits(seconds=2)).jobs
    blocks = [(job.seed, job.instance) for job in jobs]
    assert sum(one != two for one, two in pairwise(blocks)) + 1 == len(set(blocks))
    each = {(job.encoding, job.total_encoding, job.solver, job.order) for job in jobs}
    assert len(jobs) == len(set(jobs)) == len(each) * len(set(blocks))
    own = "total_encoding" if part.of_total else "encoding"
    expected = {(name, solver) for name in part.encodings for solver in part.solvers}
    if part.native:
        expected |= {(n, solver) for n in ("native", *part.native) for solver in part.counting}
    assert {(getattr(job, own), job.solver) for job in jobs} == expected


@pytest.fixture(scope="module")
def instances():
    return {part.name: part.make() for part in PARTS}


def result(encoding, instance, seed, seconds, clauses=1, conflicts=10):
    job = Job(instance, instance, Task.SOLVE, encoding, "", "minisat22", LiteralOrder.GIVEN, seed)
    return Result(
        job,
        JobStatus.SAT,
        Measured(0.0, seconds, 1),
        variables=clauses,
        clauses=clauses,
        literals=clauses,
        conflicts=conflicts,
        propagations=1,
        decisions=1,
    )


@pytest.fixture
def part():
    names = ("totalizer", "adder", "direct", "sequential_counter", "sorting_network")
    return Part("made up", "", Task.SOLVE, names, list, ())


def made(part, factors, clauses):
    return [
        result(name, f"i{i}", seed, factor * (1 + i % 5) * (1 + 0.01 * seed), size)
        for (name, factor), size in zip(factors.items(), clauses, strict=True)
        for i in range(12)
        for seed in range(2)
    ]


def test_who_is_slower_is_said_to_be_and_who_is_equal_is_not(part):
    factors = dict(zip(part.encodings, (0.1, 0.15, 0.05, 0.1, 0.2), strict=True))
    contest = pooled(made(part, factors, range(1, 6)), part, ["minisat22"], 9.0)
    found = {who.encoding: by for who, by in against_default(contest, part).items()}
    assert found.keys() == set(part.encodings) - {"totalizer"}
    for name, ratio in (("adder", 1.5), ("direct", 0.5), ("sorting_network", 2)):
        by = found[name]["time"]
        assert by.ratio == pytest.approx(ratio)
        assert by.low <= by.ratio <= by.high or by.low == pytest.approx(by.high)
        assert (by.better, by.worse) == (ratio < 1, ratio > 1)
    same = found["sequential_counter"]
    assert (same["time"].ratio, same["time"].better, same["time"].worse) == (1, False, False)
    assert not any(by["conflicts"].better or by["conflicts"].worse for by in found.values())


@pytest.mark.parametrize(
    ("times", "expected"),
    [((1, 2, 3, 4, 5), 1), ((5, 4, 3, 2, 1), -1), ((2, 1, 4, 3, 5), 1 - 6 * 4 / (5 * 24))],
)
def test_ranks_are_spearmans(part, times, expected):
    factors = dict(zip(part.encodings, times, strict=True))
    contest = pooled(made(part, factors, (10, 20, 30, 40, 50)), part, ["minisat22"], 99.0)
    found = rank_correlation(contest, "clauses", "time")
    assert found is not None
    assert found.mean == pytest.approx(expected)
    assert found.instances == 12
    # Who is equal in everything has no rank.
    assert rank_correlation(contest, "clauses", "conflicts") is None


def test_the_published_tables_are_those_of_the_command_and_name_what_exists(instances):
    text = PUBLISHED.read_text("utf-8")
    for name in SECTIONS:
        command, _ = section(text, name)
        assert command == study_encodings.COMMAND
    known = {*ENCODERS, "native"}
    for part in PARTS:
        _, content = section(text, study_encodings.section_of(part))
        first, by_solver, *_ = tables(content)
        shown = {row[0].strip("`") for row in first[1:]}
        wanted = {(name, order) for name in part.encodings for order in part.orders}
        single = len(part.orders) == 1
        assert shown == {name if single else f"{name}, {order}" for name, order in wanted}
        assert {name.partition(",")[0] for name in shown} <= known
        assert by_solver[0][1:] == list(part.solvers)
        assert set(part.solvers) <= SOLVERS.keys()
        jobs = int(re.match(r"[0-9]+", content)[0])
        own = len(part.encodings) * len(part.solvers)
        if part.native:
            own += (1 + len(part.native)) * len(part.counting)
        assert jobs == own * len(part.orders) * len(instances[part.name]) * part.seeds
    summary = tables(section(text, study_encodings.SUMMARY)[1])[0]
    assert [row[0] for row in summary[1:]] == [part.title for part in PARTS]
    assert [row[1] for row in summary[1:]] == [
        part.default if len(part.orders) == 1 else f"{part.default}, given" for part in PARTS
    ]


def test_defaults_of_the_study_are_those_of_the_code():
    from inspect import signature

    from pbcnf import Cardinality, choose
    from satsweeper import classify

    by_name = {part.name: part.default for part in PARTS}
    parameters = signature(classify).parameters
    assert by_name["clues"] == parameters["encoding"].default
    assert by_name["total"] == by_name["total alone"] == parameters["total_encoding"].default
    # The first choice of the rule; beyond three times the smallest it takes others.
    large = [Cardinality(range(1, n + 1), k, k) for n, k in ((60, 6), (40, 20), (400, 4))]
    assert {by_name["large"]} == {choose(each).encoder for each in large}
    assert by_name["middle"] == choose(Cardinality(range(1, 9), upper=4)).encoder
    assert by_name["at most one"] == choose(Cardinality(range(1, 11), upper=1)).encoder
