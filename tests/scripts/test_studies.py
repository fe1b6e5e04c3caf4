"""Scripts that measure for documents: encodings, growth, coverage; runs, statistics, pages."""

import json
import re
from dataclasses import replace
from itertools import chain, pairwise, repeat
from math import inf
from random import Random
from types import SimpleNamespace

import networkx as nx
import pytest

from pbcnf.constraints.order import LiteralOrder
from pbcnf.encoders.table import ENCODERS
from satsweeper.board.errors import DefectError
from satsweeper.board.geometry import Square
from satsweeper.board.planes import board_of, indices
from satsweeper.board.size import BoardSize
from satsweeper.compare.job.job import Job, JobStatus, Measured, Result, Task
from satsweeper.compare.sweep.run import Compared
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
from scripts.study import tables as study_tables
from scripts.study.parts import PARTS, QUICK, Part, against_default, pooled, rank_correlation
from scripts.study.tables import prepared_part
from tests.commands import ROOT

SECTIONS = [study_encodings.SUMMARY, study_encodings.SIZES, study_encodings.SETTING]
SECTIONS += map(study_encodings.section_of, PARTS)


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
    page.write_text(page_of("encodings"), "utf-8")
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
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith("study_encodings: middle: ")


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
    counts = dict.fromkeys(("variables", "clauses", "literals"), clauses)
    counts |= {"conflicts": conflicts, "propagations": 1, "decisions": 1}
    return Result(job, JobStatus.SAT, Measured(0.0, seconds, 1), **counts)


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
    text = page_of("encodings")
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
    defaults = [part.default + ", given" * (len(part.orders) > 1) for part in PARTS]
    assert [row[1] for row in summary[1:]] == defaults


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
