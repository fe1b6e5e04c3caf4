#!/usr/bin/env python3
"""Decision trees that choose encoders by measured time, and what they are worth on new families.

Makes problems in families, each about one kind of constraint (at most one, other counts, weighted
sums), runs each with every contestant and solver into DIR, in turns, so that any beginning has
problems of all families; trains a tree for each kind on all families but one, and compares it on
this one with the rule by size, the best single encoder and the best encoder of each problem. The
time is CPU time of encoding and solving; an unsolved job counts as twice the limit (PAR-2).
After an end of any kind the same command with --resume goes on. With --budget it stops after so
long, and trains on the problems that have all their results; exit code 124.

Examples: scripts/train_choice.py -o times --quick
  scripts/train_choice.py -o times --budget 30 --resume --update docs/choice_by_time.md
  scripts/train_choice.py -o more_times --seeds 20 --write
"""

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final

sys.path[:0] = [str(Path(__file__).resolve().parents[1] / name) for name in ("encodings", "")]

import numpy as np

from pbcnf.emission.dispatch import Kind
from pbcnf.encoders.by_time import FEATURES, features_of
from pbcnf.formats.writing import replacing
from satsweeper.compare.job.job import Job, Result, Task
from satsweeper.compare.sweep.backends import BackendError
from satsweeper.compare.sweep.journal import JournalError
from satsweeper.compare.sweep.plan import Axes, digest_of
from satsweeper.compare.sweep.run import Killable, Prepared, prepare
from satsweeper.processes.limits import Limits
from satsweeper.report.table import markdown_table
from scripts.frame import arguments as frame
from scripts.study import decision
from scripts.study.families import CANDIDATES, FAMILIES, Question, questions
from scripts.study.runs import SPENT, WrongAnswerError, add_options, deadline, measured_on, swept

ROOT: Final = Path(__file__).resolve().parents[1]
TREES: Final = ROOT / "encodings" / "pbcnf" / "encoders" / "by_time.json"
COMMAND: Final = "python scripts/train_choice.py -o DIR --update docs/choice_by_time.md --write"
SOLVERS: Final = ("minisat22", "cadical195")
DEALS: Final = 200
"""The number of random deals of the null test."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the remaining jobs, train, and print or write tables; return the exit code."""
    parser = frame.parser_of(__doc__)
    add = parser.add_argument
    add_options(parser)
    add("--limit", metavar="SECONDS", type=frame.above_zero, default=2.0,
        help="CPU time of a job (2)")  # fmt: skip
    add("--seeds", metavar="N", type=frame.positive, default=4, help="problems of a sort (4)")
    add("--write", action="store_true", help="also write the trees that pbcnf uses")
    arguments = parser.parse_args(argv)
    errors = OSError, ValueError, JournalError, BackendError, WrongAnswerError
    return frame.ended("train_choice", lambda: _train(arguments), errors, "; --resume")


def _train(arguments: argparse.Namespace) -> int:
    asked = [family.question(0, 1) for family in FAMILIES] if arguments.quick else None
    asked = questions(arguments.seeds) if asked is None else asked
    solvers = SOLVERS[:1] if arguments.quick else SOLVERS
    sweep = planned(asked, solvers, arguments.limit)
    opening = partial(Killable, sweep.instances, sweep.limits, sweep.encoders)
    about = arguments.output, arguments, deadline(arguments)
    results, every = swept("times", sweep, opening, *about)
    if not every:
        sys.stderr.write("train_choice: time is spent; go on with --resume\n")
    tables = tables_of(asked, solvers, results, arguments.limit)
    if not tables:
        raise ValueError("no problem has all its results yet; go on with --resume")
    scores = {kind: decision.held_out(table) for kind, table in tables.items()}
    trees = {
        kind.value: decision.grown(table, np.arange(len(table.names)))
        for kind, table in tables.items()
    }
    done = {name for table in tables.values() for name in table.names}
    sections = {
        "verdict": verdict(tables, scores, trees),
        "times by kind": by_kind(scores),
        "times by family": by_family(tables, scores),
        "trees": "\n\n".join(f"**{kind}**\n\n{drawn(tree)}" for kind, tree in trees.items()),
        "setting": setting(arguments, solvers, len(done), len(asked), results),
    }
    if arguments.write:
        with replacing(TREES) as stream:
            stream.write(f"{json.dumps({'trees': trees}, indent=1)}\n".encode("ascii"))
    if arguments.update is not None:
        frame.update(arguments.update, COMMAND, sections)
    else:
        print("\n\n".join(f"## {name}\n\n{text}" for name, text in sections.items()))
    return 0 if every else SPENT


# The sweep.


def planned(asked: Sequence[Question], solvers: Sequence[str], limit: float) -> Prepared:
    """Return the jobs of all problems; the jobs of a problem come one after the other."""
    jobs: list[Job] = []
    for question in asked:
        axes = Axes((Task.SOLVE,), tuple(question.encoders), ("totalizer",), tuple(solvers))
        jobs += prepare([question.instance], axes, encoders=question.encoders).jobs
    encoders = dict(chain.from_iterable(question.encoders.items() for question in asked))
    limits, axes = Limits(seconds=limit), replace(axes, encodings=tuple(encoders))
    instances = tuple(question.instance for question in asked)
    digest = digest_of(jobs, limits, False)
    return Prepared(instances, axes, encoders, limits, False, None, tuple(jobs), digest, ())


def tables_of(
    asked: Sequence[Question], solvers: Sequence[str], results: Sequence[Result], limit: float
) -> dict[Kind, decision.Table]:
    """Return the table of each kind, of the problems that have all their results.

    The cost of an encoder that is no contestant on a problem is that of an unsolved job. The
    features are those of the sum in the middle if all sums in question are ordered.
    """
    held: dict[tuple[str, str], dict[str, float]] = {}
    for each in results:
        spent = each.measured.encode + each.measured.solve
        cost = min(spent, limit) if each.status.solved else 2 * limit
        held.setdefault((each.job.instance, each.job.encoding), {})[each.job.solver] = cost
    found = {}
    for kind in CANDIDATES:
        own, costs = [], []
        for question in asked:
            times = {
                encoder.chosen: held.get((question.instance.digest, name), {})
                for name, encoder in (question.encoders if question.kind is kind else {}).items()
            }
            if times and all(len(of) == len(solvers) for of in times.values()):
                own.append(question)
                costs.append({name: float(np.mean([*of.values()])) for name, of in times.items()})
        if len({question.family for question in own}) < 2:
            continue
        by_size = [question.by_size for question in own]
        names = tuple(dict.fromkeys([*CANDIDATES[kind], *by_size]))
        found[kind] = decision.Table(
            columns=FEATURES,
            encoders=names,
            candidates=len(CANDIDATES[kind]),
            names=tuple(question.instance.name for question in own),
            families=np.array([question.family for question in own]),
            features=np.array([_features(question) for question in own], dtype=np.float64),
            costs=np.array([[of.get(name, 2 * limit) for name in names] for of in costs]),
            by_size=np.array([names.index(name) for name in by_size]),
        )
    return found


def _features(question: Question) -> tuple[int, ...]:
    ordered = sorted(
        features_of(each.form.weights, each.form.lower, each.form.upper) for each in question.sums
    )
    return ordered[len(ordered) // 2]


# The page.


def verdict(
    tables: Mapping[Kind, decision.Table],
    scores: Mapping[Kind, decision.Scores],
    trees: Mapping[str, decision.Tree],
) -> str:
    """Return the conclusions: the tree against the rule by size, against singles, and chance."""
    every = decision.stacked([*scores.values()])
    lines = [_against("All kinds together", every)]
    for kind, of in scores.items():
        null = decision.null_test(tables[kind], DEALS)
        lines.append(
            f"{_against(_title(kind), of)} Against the best single encoder the trees save"
            f" {null.gain:.0%} of the time; with times dealt out to the problems at random, 95 % of"
            f" {DEALS} deals save {null.low:.0%} to {null.high:.0%} (p = {null.p:.3f})."
        )
    if all("encoder" in grown for grown in trees.values()):
        lines.append(
            "Learned from all families, the trees ask no question: by time is one encoder for each"
            " kind, the best single one."
        )
    families = sum(len(set(table.families.tolist())) for table in tables.values())
    lines.append(f"All this rests on {len(every.tree)} problems of {families} families.")
    return "\n".join(f"- {line}" for line in lines)


def _against(what: str, scores: decision.Scores) -> str:
    apart = decision.difference(scores.tree, scores.by_size)
    worth = {
        "faster": "**the choice by time is faster than the rule by size**",
        "slower": "**the choice by time is slower than the rule by size**",
        "no difference shown": "no difference between the choice by time and the rule by size is"
        " shown",
    }[apart.claim]
    return (
        f"{what}: {worth} on families not seen, {np.mean(scores.tree):.3f} s against"
        f" {np.mean(scores.by_size):.3f} s a job; the difference is {apart.mean:+.3f} s"
        f" ({apart.low:+.3f} to {apart.high:+.3f})."
    )


def _title(kind: Kind) -> str:
    return f"{kind.value[0].upper()}{kind.value[1:]}"


def by_kind(scores: Mapping[Kind, decision.Scores]) -> str:
    """Return the table of PAR-2 by kind."""
    head = ["constraints", "problems", "by time", "best single encoder", "by size",
            "best of each problem", "by time - by size", "by time - single"]  # fmt: skip
    rows = []
    for name, of in [*((_title(kind), of) for kind, of in scores.items()),
                     ("All", decision.stacked([*scores.values()]))]:  # fmt: skip
        means = [f"{np.mean(each):.3f}" for each in (of.tree, of.single, of.by_size, of.oracle)]
        apart = [decision.difference(of.tree, each) for each in (of.by_size, of.single)]
        ends = [f"{each.mean:+.3f} ({each.low:+.3f} to {each.high:+.3f})" for each in apart]
        rows.append([name, str(len(of.tree)), *means, *ends])
    return markdown_table(head, rows)


def by_family(tables: Mapping[Kind, decision.Table], scores: Mapping[Kind, decision.Scores]) -> str:
    """Return the table of PAR-2 by family, and the fastest encoder of each."""
    head = ["family", "constraints", "problems", "by time", "best single encoder", "by size",
            "best of each problem", "fastest encoder"]  # fmt: skip
    rows = []
    for kind, table in tables.items():
        for family in dict.fromkeys(table.families.tolist()):
            own = table.families == family
            means = [f"{np.mean(each[own]):.3f}" for each in
                     (scores[kind].tree, scores[kind].single, scores[kind].by_size,
                      scores[kind].oracle)]  # fmt: skip
            fastest = table.encoders[int(np.argmin(np.sum(table.costs[own], axis=0)))]
            rows.append([family, kind.value, str(int(np.sum(own))), *means, f"`{fastest}`"])
    return markdown_table(head, rows)


def drawn(tree: Mapping[str, Any], deep: int = 0) -> str:
    """Return a tree as a nested list."""
    if "encoder" in tree:
        return f"{'  ' * deep}- `{tree['encoder']}` ({tree['problems']} problems)"
    lines = []
    for side, sign in (("low", "at most"), ("high", "more than")):
        lines.append(f"{'  ' * deep}- {tree['feature']} {sign} {tree['most']}")
        lines.append(drawn(tree[side], deep + 1))
    return "\n".join(lines)


def setting(
    arguments: argparse.Namespace,
    solvers: Sequence[str],
    done: int,
    planned: int,
    results: Sequence[Result],
) -> str:
    """Return the number of problems, jobs, limits, versions and days."""
    of_all = f"- {done} of {planned} problems have all their results."
    which = f"- Solvers: {', '.join(solvers)}; {arguments.limit:g} s of CPU time a job."
    return "\n".join([of_all, which, measured_on([arguments.output], results)])


if __name__ == "__main__":
    sys.exit(main())
