"""Trees that choose encoders by time: planted rules are found, chance is not taken for skill."""

import json
from typing import Any

import numpy as np

from pbcnf.constraints.order import LiteralOrder
from pbcnf.emission.dispatch import Kind
from pbcnf.encoders.table import ENCODERS
from satsweeper.compare.job.job import Job, JobStatus, Measured, Result, Task
from scripts import train_choice
from scripts.study import decision
from scripts.study.decision import Table
from scripts.study.families import CANDIDATES, FAMILIES, Family, questions
from tests.commands import ROOT


def table_of(cost, families=6, each=8, seed=0):
    """Problems of two features; `cost` of both, and a random number, gives three encoders' costs.

    The rule by size takes the third encoder, which no tree may choose.
    """
    rng = np.random.default_rng(seed)
    features = rng.integers(5, 50, size=(families * each, 2))
    costs = [cost(*row, rng) for row in features]
    return Table(
        ("literals", "percent"), ("a", "b", "c"), 2, tuple(map(str, range(len(costs)))),
        np.repeat([f"family {i}" for i in range(families)], each), features.astype(float),
        np.array(costs), np.full(len(costs), 2),
    )  # fmt: skip


def test_a_planted_rule_is_found_and_holds_on_families_never_seen():
    planted = table_of(lambda n, place, rng: (0.1, 1, 0.5) if n <= 20 else (1, 0.1, 0.5))
    tree = decision.grown(planted, np.arange(48))
    assert tree["feature"] == "literals"
    below, above = planted.features[:, 0] <= 20, planted.features[:, 0] > 20
    assert tree["most"] == np.max(planted.features[below, 0])
    assert [tree[side]["encoder"] for side in ("low", "high")] == ["a", "b"]
    assert [tree[side]["problems"] for side in ("low", "high")] == [np.sum(below), np.sum(above)]
    scores = decision.held_out(planted)
    assert np.mean(scores.tree) < 0.2
    assert np.all(scores.oracle == 0.1)
    assert np.mean(scores.by_size) == 0.5
    assert np.mean(scores.single) > 0.3
    apart = decision.difference(scores.tree, scores.by_size)
    assert apart.claim == "faster"
    assert decision.difference(scores.by_size, scores.tree).claim == "slower"
    null = decision.null_test(planted, 39)
    assert null.p < 0.05
    assert null.gain > null.high


def test_noise_is_not_taken_for_a_rule():
    rejected = 0
    for seed in range(10):
        noise = table_of(lambda n, place, rng: tuple(rng.exponential(size=3)), 5, 6, seed)
        rejected += decision.null_test(noise, 19, seed).p <= 0.05
    # Ten tests at 5 %: three or more would come in 1.2 % of all cases.
    assert rejected <= 2


def test_a_tree_asks_nothing_that_only_one_family_answers():
    """Where one family alone gains by a question, what is learned is that family."""
    apart = table_of(lambda n, place, rng: (0.5, 0.6, 1))
    features, costs = apart.features.copy(), apart.costs.copy()
    features[:8, 0], costs[:8] = 100, (0.6, 0.1, 1)
    fields = {name: getattr(apart, name) for name in Table.__dataclass_fields__}
    tree = decision.grown(Table(**fields | {"features": features, "costs": costs}), np.arange(48))
    assert tree == {"encoder": "a", "problems": 48}


def test_every_kind_has_families_and_every_problem_its_contestants():
    for kind in CANDIDATES:
        assert len({family.name for family in FAMILIES if family.kind is kind}) >= 5
    for question in (family.question(0, 1) for family in FAMILIES):
        assert question.sums, question
        chosen = {encoder.chosen for encoder in question.encoders.values()}
        assert chosen >= {*CANDIDATES[question.kind]} - {"direct"}
        # The sums in question get the contestant, all others what they get anyway.
        form = question.sums[0].form
        n, bounds = len(form.lits), (form.lower, form.upper)
        for encoder in question.encoders.values():
            wanted: Any = ENCODERS[encoder.chosen]
            if max(form.weights) == 1:
                assert encoder.size(n, *bounds) == wanted.size(n, *bounds)
            else:
                found = encoder.weighted_size(form.weights, *bounds)
                assert found == wanted.weighted_size(form.weights, *bounds)
            if question.kind is not Kind.AT_MOST_ONE:
                assert encoder.size(9, 0, 1) == ENCODERS["product"].size(9, 0, 1)


def test_a_beginning_of_the_problems_is_of_all_families():
    asked = questions(1, [family for family in FAMILIES if family.name in ("queens", "boards")])
    assert [question.family for question in asked] == ["boards", "queens"] * 3


SMALL = (
    Family("pigeons", Kind.AT_MOST_ONE, FAMILIES[7].make, ((4, 3, 1),), drawn=False),
    Family("latin", Kind.AT_MOST_ONE, FAMILIES[1].make, ((3, 4),)),
)


def test_costs_are_par2_of_problems_with_all_their_results():
    asked, solvers = questions(1, SMALL), ("minisat22", "cadical195")
    results = []
    for question in asked:
        for name, encoder in question.encoders.items():
            for solver in solvers:
                job = Job(question.instance.digest, "", Task.SOLVE, name, "", solver,
                          LiteralOrder.GIVEN, 0)  # fmt: skip
                slow = encoder.chosen == "bitwise" and solver == "minisat22"
                status = JobStatus.TIMEOUT if slow else JobStatus.SAT
                results.append(Result(job, status, Measured(0.25, 0.5, 0)))
    [found] = train_choice.tables_of(asked, solvers, results, 2.0).values()
    wanted = dict.fromkeys(found.encoders, 0.75) | {"bitwise": (4 + 0.75) / 2}
    assert [dict(zip(found.encoders, row, strict=True)) for row in found.costs] == [wanted] * 2
    # Pigeons sit four to a hole that takes one; the sums of the square have three literals.
    assert [row[0] for row in found.features.tolist()] == [4, 3]
    assert not train_choice.tables_of(asked, solvers, results[:-1], 2.0)


def test_a_run_goes_on_where_it_was_and_writes_the_page(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(train_choice, "FAMILIES", SMALL)
    monkeypatch.setattr(train_choice, "DEALS", 3)
    monkeypatch.setattr(train_choice, "TREES", tmp_path / "trees.json")
    page, out = tmp_path / "page.md", tmp_path / "times"
    names = ("verdict", "times by kind", "times by family", "trees", "setting")
    page.write_text("".join(f"<!-- {n}: -->\n<!-- end of {n} -->\n" for n in names), "utf-8")
    words = ["-o", str(out), "--quick", "--update", str(page)]
    assert train_choice.main([*words, "--budget", "1e-9"]) == 1
    assert "no problem has all its results yet; go on with --resume" in capsys.readouterr().err
    assert train_choice.main([*words, "--resume", "--write"]) == 0
    text, results = page.read_text("utf-8"), (out / "results.jsonl").read_bytes()
    assert "2 of 2 problems have all their results.\n" in text
    assert "- 14 jobs, 0 of them unsolved, " in text
    assert '"at most one"' in (tmp_path / "trees.json").read_text("ascii")
    assert train_choice.main([*words, "--resume"]) == 0
    assert (page.read_text("utf-8"), (out / "results.jsonl").read_bytes()) == (text, results)


def test_the_published_trees_are_those_that_are_used():
    page = (ROOT / "docs" / "choice_by_time.md").read_text("utf-8")
    for kind, tree in json.loads(train_choice.TREES.read_text("ascii"))["trees"].items():
        assert f"**{kind}**\n\n{train_choice.drawn(tree)}\n" in page


def test_a_verdict_says_what_the_interval_says():
    ones = np.ones(30) + np.arange(30) / 100
    for factor, words in ((0.5, "is faster than"), (2, "is slower than")):
        scores = decision.Scores(factor * ones, ones, ones, ones / 4)
        assert words in train_choice._against("All", scores)
    assert "no difference" in train_choice._against("All", decision.Scores(ones, ones, ones, ones))
