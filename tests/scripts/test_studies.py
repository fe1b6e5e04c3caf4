"""Scripts that measure for documents: encodings, growth, coverage; runs, statistics, pages."""

import json
import re
from dataclasses import replace
from inspect import signature
from itertools import chain, pairwise, product, repeat
from math import inf, log
from random import Random
from types import SimpleNamespace

import networkx as nx
import pytest

from pbcnf import choose
from pbcnf.constraints.order import LiteralOrder
from pbcnf.encoders.table import ENCODERS
from satsweeper import classify
from satsweeper.board.errors import DefectError
from satsweeper.board.geometry import Square
from satsweeper.board.planes import board_of, indices
from satsweeper.board.size import BoardSize
from satsweeper.compare.job.job import Job, JobStatus, Measured, Result, Task
from satsweeper.compare.wrong_answers.disagreement import Disagreement
from satsweeper.competition.measurement import SolverRun
from satsweeper.families.table import FAMILIES
from satsweeper.play.draw import FirstClick
from satsweeper.processes.limits import Limits
from satsweeper.solvers.table import SOLVERS
from scripts import bench_hard_boards, measure_coverage, study_encodings
from scripts.bench import growth
from scripts.bench_hard_boards import growth_of
from scripts.certain_moves import summary as moves
from scripts.study import runs as study_runs
from scripts.study.contests import (
    against_rivals,
    pooled,
    rank_correlation,
    spreads,
    worth_of_orders,
)
from scripts.study.families import GROUPED
from scripts.study.parts import BY_SIZE, PARTS, QUICK, Part, planned
from tests.commands import ROOT

SUMMARIES = [getattr(study_encodings, name) for name in ("SUMMARY", "WORTH", "SPREAD", "SETTING")]
LIMITS = Limits(seconds=2)


def tables(text):
    """Every table of a text, as rows of cells."""
    found = []
    for block in re.findall(r"(?m)(?:^\|.*\n?)+", text):
        rows = [[cell.strip() for cell in line.split(" |")] for line in block.splitlines()]
        assert {len(row) for row in rows} == {len(rows[0])}
        assert not "".join(rows[1]).strip("|- ")
        found.append([[row[0].strip("| "), *row[1:-1]] for row in (rows[0], *rows[2:])])
    return found


def section(text, name):
    """The command and the content of a section of a page."""
    wanted = rf"<!-- {name}: (.*?) -->\n\n(.*?)\n\n<!-- end of {name} -->"
    [found] = re.findall(wanted, text, re.DOTALL)
    return found


def page_of(name):
    return (ROOT / "docs" / f"{name}.md").read_text("utf-8")


def chapters(text):
    """The tables of the study: title -> text."""
    _, content = section(text, study_encodings.TABLES)
    first, *found = re.split(r"(?m)^## (.+)\n\n", content)
    assert not first
    return dict(zip(found[::2], found[1::2], strict=True))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The folder of a quick study that was stopped at once, gone on with, and written down."""
    path = tmp_path_factory.mktemp("study")
    run = ["-o", str(path / "runs"), "--quick", "--resume"]
    clock = chain(repeat(0.0, 13), repeat(inf))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(study_runs, "time", SimpleNamespace(monotonic=lambda: next(clock)))
        assert study_encodings.main([*run, "--budget", "60"]) == 124
    done = (path / "runs" / "clues" / "results.jsonl").read_text().splitlines()
    # The first look is for the end of the time, the second before the first job.
    assert len(done) == 12
    page = path / "page.md"
    page.write_text(page_of("encodings"), "utf-8")
    (path / "page_tables.md").write_text(page_of("encodings_tables"), "utf-8")
    assert study_encodings.main([*run, "--update", str(page)]) == 0
    again = (path / "runs" / "clues" / "results.jsonl").read_text().splitlines()
    assert set(done) <= set(again)
    return path


def test_a_quick_study_does_every_job_once_and_writes_every_section(folder):
    text = (folder / "page.md").read_text("utf-8")
    for name in SUMMARIES:
        command, content = section(text, name)
        assert command == f"{study_encodings.COMMAND} --quick"
        assert content
    found = chapters((folder / "page_tables.md").read_text("utf-8"))
    assert [*found] == [*(part.title for part in QUICK), "Size and time"]
    for part in QUICK:
        jobs = planned(part, LIMITS).sweep.jobs
        lines = study_encodings.folder_of(folder / "runs", part) / "results.jsonl"
        held = [json.loads(line) for line in lines.read_text().splitlines()]
        assert [line["id"] for line in held] == [job.id for job in jobs]
        assert {line["status"] for line in held} <= {"sat", "unsat"}
        assert found[part.title].startswith(f"{len(jobs)} jobs")


def test_a_study_that_did_everything_only_writes_its_tables_again(folder, capsys):
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    run = ["-o", str(folder / "runs"), "--quick", "--resume", "--update", str(folder / "page.md")]
    assert study_encodings.main(run) == 0
    assert capsys.readouterr().out == ""
    assert before == {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_folder_is_not_overwritten_and_a_page_takes_all_parts(folder, capsys):
    assert study_encodings.main(["-o", str(folder / "runs"), "--quick"]) == 1
    assert "not empty" in capsys.readouterr().err
    with pytest.raises(SystemExit, match="2"):
        study_encodings.main(["-o", str(folder / "new"), "--parts", "clues", "--update", "x"])
    assert "with all parts only" in capsys.readouterr().err
    assert not (folder / "new").exists()


def test_a_wrong_answer_ends_the_study(tmp_path, capsys, monkeypatch):
    found = Disagreement(*[result(name, "i", 0, 1.0) for name in ("adder", "direct")])
    sweep = SimpleNamespace(run=lambda *_, **__: ([], found))
    monkeypatch.setattr(study_runs, "ResumableSweep", lambda *_, **__: sweep)
    assert study_encodings.main(["-o", str(tmp_path), "--quick", "--parts", "middle"]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("study_encodings: middle: ")


@pytest.mark.parametrize("part", QUICK, ids=lambda part: part.name)
def test_contenders_of_an_instance_and_seed_run_side_by_side(part):
    plan = planned(part, LIMITS)
    jobs = plan.sweep.jobs
    blocks = [(job.seed, job.instance) for job in jobs]
    assert sum(one != two for one, two in pairwise(blocks)) + 1 == len(set(blocks))
    for block in set(blocks):
        own = [job for job in jobs if (job.seed, job.instance) == block]
        # The rule by size takes an encoder that is there anyway.
        native = [plan.by_size[block[1]] if n == BY_SIZE else n for n in part.native]
        orders = part.orders[:1] if block[0] else part.orders
        pairs = [*product(part.encodings, part.solvers, orders)]
        if part.native:
            pairs += product(["native", *native], part.counting, orders)
        who = [(part.contender(each), each.solver) for each in own]
        assert {(by.encoding, s, by.order) for by, s in who} == set(pairs)
        assert len(own) == len(set(pairs))
        if part.default == BY_SIZE:
            assert plan.by_size[block[1]] in part.encodings


def result(encoding, instance, seed, seconds, clauses=1, conflicts=10, order="given"):
    order = LiteralOrder(order)
    job = Job(instance, instance, Task.SOLVE, encoding, "", "minisat22", order, seed)
    counts = dict.fromkeys(("variables", "clauses", "literals"), clauses)
    counts |= {"conflicts": conflicts, "propagations": 1, "decisions": 1}
    return Result(job, JobStatus.SAT, Measured(0.0, seconds, 1), **counts)


NAMES = ("totalizer", "adder", "direct", "sequential_counter", "sorting_network")


def part_of(**options):
    options = {"encodings": NAMES, "default": NAMES[0], "seeds": 2, **options}
    return Part("made up", "", Task.SOLVE, make=list, solvers=("minisat22",), **options)


def made(factors, clauses):
    return [
        result(name, f"i{i}", seed, factor * (1 + i % 5) * (1 + 0.01 * seed), size)
        for (name, factor), size in zip(factors.items(), clauses, strict=True)
        for i in range(12)
        for seed in range(2)
    ]


def test_who_is_slower_is_said_to_be_and_who_is_equal_is_not():
    part, factors = part_of(), dict(zip(NAMES, (0.1, 0.15, 0.05, 0.1, 0.2), strict=True))
    contest = pooled(made(factors, range(1, 6)), part, ["minisat22"], 9.0)
    found = {who.encoding: by for who, by in against_rivals(contest, part).items()}
    assert found.keys() == set(NAMES) - {"totalizer"}
    for name, ratio in (("adder", 1.5), ("direct", 0.5), ("sorting_network", 2)):
        by = found[name]["time"]
        assert by.ratio == pytest.approx(ratio)
        assert by.low <= by.ratio <= by.high or by.low == pytest.approx(by.high)
        assert (by.better, by.worse) == (ratio < 1, ratio > 1)
    same = found["sequential_counter"]
    assert (same["time"].ratio, same["time"].better, same["time"].worse) == (1, False, False)
    assert not any(by["conflicts"].better or by["conflicts"].worse for by in found.values())


def test_the_rule_by_size_has_the_times_of_the_encoder_that_it_takes():
    part, factors = part_of(default=BY_SIZE), dict(zip(NAMES, (1, 2, 3, 4, 5), strict=True))
    chosen = {f"i{i}": "adder" if i % 2 else "direct" for i in range(12)}
    contest = pooled(made(factors, range(1, 6)), part, ["minisat22"], 99.0, chosen)
    found = {who.encoding: by["time"] for who, by in against_rivals(contest, part).items()}
    for name, factor in factors.items():
        assert found[name].ratio == pytest.approx(factor / (2 * 3) ** 0.5)
    assert (found["totalizer"].better, found["sorting_network"].worse) == (True, True)


@pytest.mark.parametrize(
    ("times", "expected"),
    [((1, 2, 3, 4, 5), 1), ((5, 4, 3, 2, 1), -1), ((2, 1, 4, 3, 5), 1 - 6 * 4 / (5 * 24))],
)
def test_ranks_are_spearmans(times, expected):
    part, factors = part_of(), dict(zip(NAMES, times, strict=True))
    contest = pooled(made(factors, (10, 20, 30, 40, 50)), part, ["minisat22"], 99.0)
    found = rank_correlation(contest, "clauses", "time")
    assert found is not None
    assert found.mean == pytest.approx(expected)
    assert found.instances == 12
    # Who is equal in everything has no rank.
    assert rank_correlation(contest, "clauses", "conflicts") is None


ORDERS = ("given", "random", "reversed")


def ordered(by_order, by_encoder, own=lambda i, order: 1.0):
    """Results of 12 instances; the factors of orders and encoders are planted."""
    return [
        result(name, f"i{i:02}", seed, a * b * own(i, order) * 1.1**seed / 100, order=order)
        for (name, a), (order, b), i in product(by_encoder.items(), by_order.items(), range(12))
        for seed in range(1 + (order == "given"))
    ]


def test_what_an_order_is_worth_is_found_and_is_less_where_it_was_not_learned():
    part = part_of(
        default="", seeds=1, encodings=NAMES[:2], orders=tuple(map(LiteralOrder, ORDERS))
    )
    by_encoder = dict(zip(NAMES[:2], (1, 4), strict=True))
    # One order halves all times of one family alone; the other saves a fifth everywhere.
    results = ordered(
        {"given": 1, "random": 0.8, "reversed": 1}, by_encoder,
        lambda i, order: 0.5 if i < 6 and order == "reversed" else 1,
    )  # fmt: skip
    families = {f"i{i:02}": "first" if i < 6 else "second" for i in range(12)}
    contest = pooled(results, part, ["minisat22"], 9.0)
    for found in worth_of_orders(contest, part, families):
        assert (found.best, found.fixed.better) == ("reversed", False)
        assert found.fixed.ratio == pytest.approx(0.5**0.5)
        assert found.unseen.ratio == pytest.approx((0.8 * 1) ** 0.5)
        assert found.oracle.ratio == pytest.approx((0.5 * 0.8) ** 0.5)
    plain = pooled(ordered({"given": 1, "random": 0.8}, by_encoder), part, ["minisat22"], 9.0)
    for found in worth_of_orders(plain, part, families):
        assert (found.best, found.fixed.better) == ("random", True)
        assert found.unseen.ratio == pytest.approx(0.8)


def test_spreads_are_deviations_of_logarithms_and_the_larger_one_is_named():
    part = part_of(
        default="", seeds=1, encodings=NAMES[:2], orders=tuple(map(LiteralOrder, ORDERS))
    )
    by_order = dict(zip(ORDERS, (1, 2, 4), strict=True))
    for factor, sides in ((1.5, (False, True)), (50, (True, False))):
        results = ordered(by_order, dict(zip(NAMES[:2], (1, factor), strict=True)))
        for found in spreads(results, part, 1e9):
            # Three values a step apart deviate by the step, two values by their distance / √2.
            assert found.orders == pytest.approx(2)
            assert found.encoders == pytest.approx(factor ** (1 / 2**0.5))
            assert found.chance == pytest.approx(1.1 ** (1 / 2**0.5))
            assert found.ratio.ratio == pytest.approx(log(found.orders) / log(found.encoders))
            assert (found.ratio.better, found.ratio.worse) == sides


def test_the_published_tables_are_those_of_the_command_and_have_every_encoder():
    named = {name.removesuffix(GROUPED) for part in PARTS for name in part.encodings}
    assert named == ENCODERS.keys()
    text = page_of("encodings")
    assert len(text.splitlines()) <= 150
    for name in SUMMARIES:
        assert section(text, name)[0] == study_encodings.COMMAND
    rest = page_of("encodings_tables")
    assert section(rest, study_encodings.TABLES)[0] == study_encodings.COMMAND
    found = chapters(rest)
    for part in PARTS:
        content = found[part.title]
        if content.strip() == study_encodings.NOTHING:
            continue
        first, by_solver, *_ = tables(content)
        names = {*part.encodings, *([BY_SIZE] if part.default == BY_SIZE else [])}
        shown = {row[0].strip("`") for row in first[1:]}
        wanted = {(name, order) for name in names for order in part.orders}
        single = len(part.orders) == 1
        assert shown == {name if single else f"{name}, {order}" for name, order in wanted}
        assert by_solver[0][1:] == list(part.solvers)
        assert set(part.solvers) <= SOLVERS.keys()
        jobs, instances, of = map(
            int, re.match(r"(\d+) jobs .*?(\d+) of (\d+) instances", content).groups()
        )
        own = len(part.encodings) * len(part.solvers)
        scrambled = own if len(part.orders) > 1 else 0
        if part.native:
            own += (1 + len(part.native)) * len(part.counting)
        assert jobs == (own * len(part.orders) * part.seeds + scrambled) * instances
        assert instances <= of
    summary = tables(section(text, study_encodings.SUMMARY)[1])[0]
    measured = [part for part in PARTS if study_encodings.NOTHING not in found[part.title]]
    with_default = [part for part in measured if part.default]
    assert [row[0] for row in summary[1:]] == [part.title for part in with_default]
    assert [row[1].strip("`") for row in summary[1:]] == [part.default for part in with_default]


def test_defaults_of_the_study_are_those_of_the_code():
    by_name = {part.name: part.default for part in PARTS}
    parameters = signature(classify).parameters
    assert by_name["clues"] == by_name["hard boards"] == parameters["encoding"].default
    assert by_name["total"] == by_name["reduced"] == parameters["total_encoding"].default
    # Problems are compared with what `choose` says of their own sums.
    assert {by_name[name] for name in ("one", "middle", "counts", "sums")} == {BY_SIZE}
    for part in QUICK:
        for question in part.make() if part.default == BY_SIZE else ():
            choices = {choose(each).encoder for each in question.problem.constraints}
            assert planned(part, LIMITS).by_size[question.instance.digest] in choices


EMPTY = "before\n<!-- growth: nothing -->\n<!-- end of growth -->\nafter\n"


def point(family, contender, size, *seconds, verdicts=()):
    """A point with an answer in so many seconds; no seconds: it has none."""
    runs = [SolverRun("UNSATISFIABLE", each) for each in seconds]
    runs = runs or [SolverRun("UNKNOWN", 5.0, "timeout")]
    return growth.Measured(growth.Point(family, contender, size), tuple(runs), tuple(verdicts))


def growth_tables(text):
    """Family -> rows of its table, each by the heads."""
    _, content = section(text, "growth")
    overview, *each = tables(content)
    names = re.findall(r"### Growth of `(\w+)`\n", content)
    found = {}
    for (family, *cells), name, (heads, *rows) in zip(overview[1:], names, each, strict=True):
        assert family == f"`{name}`"
        contenders = growth.contenders_of(FAMILIES[name])
        assert [row[0].split("`")[1] for row in rows] == [*contenders]
        found[name] = [dict(zip(heads, row, strict=True)) for row in rows]
        sizes = [(size.strip("+"), size.endswith("+")) for size in cells if size != "-"]
        ends = [(row["decided up to"], row["not decided"]) for row in found[name]]
        assert sizes == [(size, end == "every size is") for size, end in ends]
    return found


@pytest.fixture(scope="module")
def quick(tmp_path_factory):
    """The folder of a quick run whose tables were written into a page."""
    pytest.importorskip("highspy")
    folder = tmp_path_factory.mktemp("growth")
    (folder / "page.md").write_text(EMPTY)
    run = ["-o", str(folder / "out"), "--quick", "--repetitions", "1"]
    assert bench_hard_boards.main([*run, "--update", str(folder / "page.md")]) == 0
    return folder


def test_a_quick_run_writes_every_contender_of_every_family(quick):
    text = (quick / "page.md").read_text("utf-8")
    assert (text[:7], text[-6:]) == ("before\n", "after\n")
    found = growth_tables(text)
    assert list(found) == list(growth.QUICK)
    for name, rows in found.items():
        largest = str([*growth.QUICK[name].sizes()][-1])
        assert {row["decided up to"] for row in rows} == {largest}
        assert {row["not decided"] for row in rows} == {"every size is"}


def test_a_run_goes_on_where_it_was_ended_and_repeats_nothing(quick, tmp_path):
    journal = (quick / "out" / "results.jsonl").read_bytes()
    lines = journal.splitlines(keepends=True)
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "manifest.json").write_bytes((quick / "out" / "manifest.json").read_bytes())
    # The last line is torn off.
    (tmp_path / "out" / "results.jsonl").write_bytes(b"".join(lines[:-1]) + lines[-1][:20])
    run = ["-o", str(tmp_path / "out"), "--quick", "--repetitions", "1"]
    assert bench_hard_boards.main(run) == 0
    again = (tmp_path / "out" / "results.jsonl").read_bytes().splitlines(keepends=True)
    assert again[:-1] == lines[:-1]
    assert json.loads(again[-1])["id"] == json.loads(lines[-1])["id"]
    assert bench_hard_boards.main(run) == 0
    assert (tmp_path / "out" / "results.jsonl").read_bytes() == b"".join(again)
    assert all(growth.measured_of(json.loads(line)).as_json() == json.loads(line) for line in lines)


def test_other_settings_are_refused_in_one_line(quick, tmp_path, capsys):
    run = ["-o", str(quick / "out"), "--quick", "--repetitions", "2"]
    assert bench_hard_boards.main(run) == 1
    assert "other settings" in capsys.readouterr().err
    (tmp_path / "page.md").write_text("no markers")
    update = ["-o", str(tmp_path / "out"), "--update", str(tmp_path / "page.md")]
    assert bench_hard_boards.main(update) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("contender", ["minisat22", "elimination", growth.SUMS])
def test_an_answer_that_is_not_the_family_s_ends_all_work(monkeypatch, contender):
    name = "torus" if contender == growth.SUMS else "ones"
    family = replace(FAMILIES[name], satisfiable=True)
    monkeypatch.setattr(growth, "FAMILIES", {name: family})
    with (
        growth.Measurer(growth.Setting(5.0, 1, 0)) as measurer,
        pytest.raises(DefectError, match="UNSATISF"),
    ):
        measurer.run(growth.Point(name, contender, 5))


def test_a_contender_that_is_late_or_gives_up_has_not_decided():
    with growth.Measurer(growth.Setting(0.05, 3, 0)) as measurer:
        late = measurer.run(growth.Point("ones", "minisat22", 12))
    assert (late.decided, late.runs[-1].reason) == (False, "timeout")
    with growth.Measurer(growth.Setting(5.0, 3, 0)) as measurer:
        # Linear programming alone finds these cells.
        gave_up = measurer.run(growth.Point("safehole", "elimination", 6))
        sat = measurer.run(growth.Point("planted", "glucose4", 5))
    assert [run.reason for run in gave_up.runs] == ["no answer"]
    assert [run.claim for run in sat.runs] == ["SATISFIABLE"] * 3


def test_growth_is_a_factor_for_two_more_with_the_interval_of_its_ends():
    # Twice as long for each 2 more, whatever the distance of the sizes.
    points = [point("ones", "sat", n, *[2.0 ** (n / 2) / 100] * 3) for n in (2, 4, 6, 10, 20)]
    found = growth_of(points)
    assert (found.first, found.last) == (6, 20)
    assert [found.factor, found.least, found.most] == pytest.approx([2.0] * 3)
    wide = growth_of([point("ones", "sat", 4, 0.1, 0.2, 0.4), point("ones", "sat", 6, 1, 2, 3)])
    assert [wide.factor, wide.least, wide.most] == pytest.approx([10, 2.5, 30])
    # What takes no time, and what has no answer, tells nothing.
    short = point("ones", "sat", 2, 0.001)
    assert growth_of([short, point("ones", "sat", 4, 0.1), point("ones", "sat", 6)]) is None


def test_sizes_grow_until_one_is_not_decided():
    ladders = {"torus": growth.Ladder(3, 7)}
    assert {each.size for each in growth.next_points(ladders, {})} == {3}
    ended = [point("torus", name, 3) for name in growth.ON_FORMULAS]
    found = {each.job: each for each in [*ended, point("torus", growth.SUMS, 3, 0.1)]}
    assert growth.next_points(ladders, found) == [growth.Point("torus", growth.SUMS, 5)]
    assert growth.steps_done(ladders, found) == 6 * 3 - 2
    found |= {(each := point("torus", growth.SUMS, n, 0.1)).job: each for n in (5, 7)}
    assert growth.next_points(ladders, found) == []


def test_the_published_page_names_what_there_is():
    found = growth_tables(page_of("hard_boards"))
    assert list(found) == list(growth.LADDERS)
    for name, rows in found.items():
        sizes = list(map(str, growth.LADDERS[name].sizes()))
        for row in rows:
            assert row["decided up to"] in [*sizes, "none"]
            ends = row["decided up to"] == sizes[-1]
            assert ends is (row["not decided"] == "every size is")


SMALL = ("--boards", "6x5/6", "--games", "12")


def measured(capsys, *arguments):
    code = measure_coverage.main([*map(str, arguments)])
    return code, capsys.readouterr()


def share(text):
    """``30.1% (24.9 to 35.6)`` as three numbers in per cent."""
    match = re.fullmatch(r"([0-9.]+)% \(([0-9.]+) to ([0-9.]+)\)", text)
    value, low, high = map(float, match.groups())
    assert 0 <= low <= value <= high <= 100
    return value, low, high


def test_figures_depend_on_the_seed_alone(capsys):
    one = measured(capsys, *SMALL, "--json")[1].out
    assert measured(capsys, *SMALL, "--json", "--jobs", 2)[1].out == one
    assert measured(capsys, *SMALL, "--json", "--seed", 2)[1].out != one


def test_a_game_is_the_same_for_all_methods_and_goes_on_to_its_end():
    plan = moves.Plan(BoardSize(8, 8, 10), FirstClick.OPENING, (3, 3), moves.DEFAULT, 1)
    for number in range(8):
        record = moves.play(plan, number)
        assert record == moves.play(plan, number)
        shares = dict(zip(moves.DEFAULT, record.shares, strict=True))
        won = dict(zip(moves.DEFAULT, record.won, strict=True))
        assert 9 / 54 <= shares["single_clue"] <= shares["subset"] <= shares["sat"]
        assert shares["sat"] <= shares["sat+total"] <= 1
        assert won == {name: value == 1 for name, value in shares.items()}
        assert record.won_with_guesses or not won["sat+total"]
        guessed = [seen.guessed for seen in record.seen]
        assert guessed == sorted(guessed)
        assert all(seen.undecided <= seen.covered for seen in record.seen)
        if not won["sat+total"]:
            assert [seen for seen in record.seen if not seen.guessed][-1].stuck


def test_positions_of_one_game_are_not_taken_for_independent():
    # Ten games of a hundred positions each, all alike within a game.
    parts, wholes = [100.0, 0.0] * 5, [100.0] * 10
    found = moves.ratio(parts, wholes, seed=1)
    assert found.value == 0.5
    assert found.high - found.low > 0.5
    assert moves.proportion(500, 1000).high - moves.proportion(500, 1000).low < 0.07
    assert moves.ratio([0.0], [0.0], seed=1) == moves.Share(0, 0, 1)


def test_the_section_of_a_file_is_replaced_and_nothing_else(capsys, tmp_path):
    file = tmp_path / "page.md"
    other = "<!-- more: kept -->\nkept\n<!-- end of more -->\n"
    file.write_text(f"above\n<!-- coverage: old -->\nold\n<!-- end of coverage -->\n{other}below\n")
    code, printed = measured(capsys, *SMALL, "--update", file)
    assert code == 0
    text = file.read_text()
    made_by = "python scripts/measure_coverage.py --boards 6x5/6 --games 12 --seed 1"
    assert text.startswith(f"above\n<!-- coverage: {made_by} -->\n\n### 6x5/6, first cell (0, 0)")
    assert text.endswith(f"<!-- end of coverage -->\n{other}below\n")
    assert printed.out.strip() in text
    assert "old" not in text
    options = ("--section", "more", "--no-groups", "--methods", "sat")
    measured(capsys, *SMALL, "--update", file, *options)
    assert f"<!-- more: {made_by} --methods sat --no-groups -->" in file.read_text()


@pytest.mark.parametrize("name", ["coverage", "coverage with the total"])
def test_the_published_tables_carry_the_command_that_made_them(name):
    made_by, content = section(page_of("coverage"), name)
    parts = re.split(r"(?m)^### ", content)[1:]
    arguments = measure_coverage._arguments(made_by.split()[2:])
    assert measure_coverage.command(arguments) == made_by
    assert len(parts) == 2
    for part in parts:
        assert f"\n{arguments.games} games." in part
        coverage, *groups = [
            [dict(zip(heads, row, strict=True)) for row in rows] for heads, *rows in tables(part)
        ]
        assert len(groups) == arguments.groups
        assert tuple(row["method"] for row in coverage) == arguments.methods
        for row in coverage:
            _, low, high = share(row["safe cells open, mean"])
            share(row["solved"])
            claim = moves.METHODS[row["method"]].claim
            if claim:
                outside = high < claim[0] or low > claim[1]
                assert row["the claim"].startswith("excluded") == outside
        for row in chain.from_iterable(groups):
            assert int(row["number"]) >= int(row["largest"]) > 20
            at15, at20 = (share(row[f"over {limit}: positions"])[0] for limit in (15, 20))
            assert at15 >= at20
            assert share(row["over 15: games"])[0] >= share(row["over 20: games"])[0]


# -- Groups of cells under common clues, against a graph.


def test_groups_are_the_components_of_the_graph_of_cells_and_clues():
    square = Square(8, 9)
    random = Random(3)
    cells = [square.index((r, c)) for r in range(8) for c in range(9)]
    several = 0
    for _ in range(200):
        clues = random.sample(cells, random.randint(0, 20))
        counted = random.sample(sorted(set(cells) - set(clues)), random.randint(0, 40))
        graph = nx.Graph()
        for clue in clues:
            for cell in set(square.neighbours(clue)) & set(counted):
                graph.add_edge(("clue", clue), cell)
        expected = {
            frozenset(n for n in part if isinstance(n, int))
            for part in nx.connected_components(graph)
        }
        several += len(expected) > 1
        found = moves.groups(square, board_of(clues, square.size), board_of(counted, square.size))
        assert {frozenset(indices(group, square.size)) for group in found} == expected
        assert len(found) == len(expected)
    assert several > 50


def test_cells_that_no_clue_counts_are_in_no_group():
    # A clue at each end of a row, and a cell in the middle that neither counts.
    assert moves.groups(Square(1, 7), 0b1000001, 0b0111110) == [0b10, 0b100000]
    assert moves.groups(Square(1, 7), 0, 0b1111111) == []


def test_cells_left_out_no_longer_tie_their_neighbours():
    # Clues in the upper row; below, the second clue counts all three cells.
    square = Square(2, 3)
    assert moves.groups(square, 0b0000_0111, 0b0111_0000) == [0b0111_0000]
    assert moves.groups(square, 0b0000_0101, 0b0101_0000) == [0b0001_0000, 0b0100_0000]
