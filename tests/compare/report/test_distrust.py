"""Whoever is wrong is ranked apart: tied and compared with nobody, and it is said."""

import json

import pytest

from satsweeper.compare.job.job import JobStatus
from satsweeper.compare.report.file_formats import as_json, latex
from satsweeper.compare.report.findings import findings
from satsweeper.compare.report.sentences import apart, wrong_answers
from satsweeper.compare.report.sweep_folder import read_sweep_folder
from satsweeper.compare.report.tables import pair_table, score_table


@pytest.fixture
def report(save, tmp_path):
    def read(results, **manifest):
        return findings(read_sweep_folder(str(save(tmp_path / "s", results, **manifest))))

    return read


def right(made_up, *names):
    return [made_up(n, f"i{at}", solve=1.0 + at) for n in names for at in range(12)]


def check(found, name, why):
    """The contender is last, has no letter and no pair; the others are compared as ever."""
    (task,) = found.tasks
    assert not found.trustworthy
    rows = {row[0]: row for row in score_table(task).rows}
    assert list(rows)[-2:] == [name, "virtual best"]
    assert rows[name][1] == why
    assert rows[name][4] == "-"
    others = rows.keys() - {name, "virtual best"}
    assert {rows[each][1] for each in others} <= {"a", "b"}
    assert not any(name in row[0].split(" : ") for row in pair_table(task, "time").rows)
    assert f"compared with nobody: {name} " in " ".join(apart(task))
    (own,) = [c for c in as_json(found)["tasks"][0]["contenders"] if c["contender"] == name]
    assert (own["tied"], own["distrust"], own["par2"]) == ("", why, None)
    assert f"& {why} " in latex(found)


def test_a_wrong_model(made_up, report):
    wrong = made_up("bad", "i0", status=JobStatus.ERROR, message="wrong model: clue at (0, 1)")
    answers = [made_up("bad", f"i{at}", solve=0.001) for at in range(1, 12)]
    check(report([*right(made_up, "x", "y"), wrong, *answers]), "bad", "wrong answers")


def test_unsat_where_a_model_was_checked(made_up, report):
    answers = [made_up("bad", f"i{at}", status=JobStatus.UNSAT, verdicts=None) for at in range(12)]
    found = report([*right(made_up, "x", "y"), *answers])
    check(found, "bad", "wrong answers")
    assert found.differing


def test_what_the_audit_after_the_sweep_found(made_up, report):
    found = report(right(made_up, "x", "y", "mine:bad"), faults={"mine:bad": "at most 1 of 2: ..."})
    check(found, "mine:bad", "wrong answers")
    assert wrong_answers(found) == [
        "mine:bad is wrong, although no job has shown it: at most 1 of 2: ..."
    ]


def test_of_answers_that_differ_all_are_in_doubt_and_tied_with_nobody(made_up, report):
    odd = [made_up("odd", f"i{at}", verdicts="something else") for at in range(2)]
    late = [made_up("late", f"i{at}") for at in range(2, 12)]
    found = report([*right(made_up, "x"), *odd, *late])
    (task,) = found.tasks
    letters = {task.contest.label(each): letter for each, letter in task.letters.items()}
    assert letters == {"late": "a", "odd": "in doubt", "x": "in doubt"}
    assert task.compared == ()
    assert len(apart(task)) == 2


def test_who_is_known_to_be_wrong_casts_no_doubt_on_the_others(made_up, report):
    wrong = made_up("bad", "i0", status=JobStatus.ERROR, message="wrong model: clue at (0, 1)")
    other = made_up("bad", "i1", verdicts="something else")
    (task,) = report([*right(made_up, "x", "y"), wrong, other]).tasks
    assert [c.encoding for c in task.distrust] == ["bad"]


def test_a_sweep_writes_down_what_its_audit_finds(tmp_path, capsys: pytest.CaptureFixture[str]):
    from satsweeper.cli.main import main

    board = tmp_path / "covered.txt"
    board.write_text("4 4 5\n????\n????\n????\n????\n")
    folder = str(tmp_path / "sweep")
    total = "totalizer,odd_encoders:DroppingTotalizer"
    words = ["compare", str(board), "--tasks", "consistent", "--total-encodings", total]
    more = ["--encodings", "direct", "--solvers", "minisat22", "--seeds", "1", "-o", folder]
    assert main([*words, *more]) == 1
    assert (
        "warning: no difference can be shown: task consistent: up to 5" in capsys.readouterr().err
    )
    assert main(["report", folder, "--json"]) == 1
    found = json.loads(capsys.readouterr().out)
    tied = {c["total_encoding"]: c["distrust"] for c in found["tasks"][0]["contenders"]}
    assert tied == {"totalizer": None, "odd_encoders:DroppingTotalizer": "wrong answers"}
    assert [each["encoding"] for each in found["faults"]] == ["odd_encoders:DroppingTotalizer"]
