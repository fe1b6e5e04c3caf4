"""CSV, LaTeX, mkplot, and the reading of a sweep's folder: kept, escaped, refused."""

import csv
import io
import json
import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pbcnf.constraints.order import LiteralOrder
from satsweeper.compare.job.job import JobStatus, Task
from satsweeper.compare.report.file_formats import COLUMNS, as_json, latex, mkplot_files, write_csv
from satsweeper.compare.report.findings import findings
from satsweeper.compare.report.sentences import apart, wrong_answers
from satsweeper.compare.report.sweep_folder import read_sweep_folder
from satsweeper.compare.report.tables import pair_table, score_table
from satsweeper.compare.sweep.journal import JournalError
from tests.commands import call


@pytest.fixture
def results(made_up):
    awkward = '50%_of a&b, "c" #1 {x} ~^ \\ <é>\n$'
    found = [
        made_up(name, f"i{at}", seed, solve=at + 1.0, encode=0.5, conflicts=at)
        for name in ("a_1", "b&2") for at in range(3) for seed in range(2)
    ]  # fmt: skip
    found.append(made_up("a_1", awkward, status=JobStatus.TIMEOUT, solve=4.0, message="a\nb"))
    return found


@pytest.fixture
def report(save, tmp_path):
    def read(results, **manifest):
        return findings(read_sweep_folder(str(save(tmp_path / "s", results, **manifest))))

    return read


@pytest.fixture
def found(results, report):
    return report(results, timeout=4.0)


def test_csv_holds_every_job_and_every_number(results):
    stream = io.BytesIO()
    write_csv(results, stream)
    rows = list(csv.DictReader(io.StringIO(stream.getvalue().decode(), newline="")))
    assert len(rows) == len(results)
    assert tuple(rows[0]) == COLUMNS
    for row, result in zip(rows, results, strict=True):
        whole = result.as_json()
        expected = whole | whole.pop("measured")
        assert row == {key: "" if value is None else str(value) for key, value in expected.items()}


def test_latex_tables_have_as_many_cells_in_every_row_and_close_what_they_open(found):
    text = latex(found)
    (columns,) = re.findall(r"\\begin\{tabular\}\{(\w+)\}", text)
    rows = [line for line in text.splitlines() if line.endswith(r"\\")]
    assert len(rows) == 4
    for row in rows:
        assert len(re.split(r"(?<!\\)&", row)) == len(columns)
    names = re.findall(r"\\(?:begin|end)\{\w+\}", text)
    assert names == [r"\begin{table}", r"\begin{tabular}", r"\end{tabular}", r"\end{table}"]
    assert rows[1].startswith((r"b\&2 &", r"a\_1 &"))
    assert not re.search(r"(?<!\\)[%#$]", text)
    assert text.isascii()
    assert text.count(r"\hline") == 4


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="no pdflatex on PATH")
def test_latex_compiles(found, tmp_path):
    file = tmp_path / "t.tex"
    document = r"\documentclass{article}\begin{document}" + latex(found) + r"\end{document}"
    file.write_text(document)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", file.name]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, timeout=60)


def test_mkplot_has_a_file_a_contender_in_its_format(found):
    files = mkplot_files(found)
    assert list(files) == ["a_1", "b-2"]
    for content in files.values():
        assert content.keys() == {"preamble", "stats"}
        assert {*content["preamble"]} == {"benchmark", "program", "prog_args", "prog_alias"}
        for instance in content["stats"].values():
            assert isinstance(instance["status"], bool)
            assert isinstance(instance["rtime"], float)
    stats = files["a_1"]["stats"]
    assert len(stats) == 7
    assert stats["i2 seed 1"] == {"status": True, "rtime": 3.5, "mempeak": "1024 KiB"}
    assert [each["rtime"] for each in stats.values() if not each["status"]] == [4.0]
    assert files["b-2"]["preamble"]["prog_alias"] == "b&2"


def test_names_of_mkplot_files_are_safe_and_all_different(made_up, report):
    results = [*map(made_up, ("../x", "x", "X", "a/b", "a b")), made_up("x", task=Task.TOTAL)]
    files = mkplot_files(report(results))
    assert len(files) == 6
    assert all(re.fullmatch(r"[\w+-][\w.+-]*", name) for name in files)
    assert len({name.lower() for name in files}) == 6
    assert {name.split("-")[0] for name in files} == {"classify", "total"}
    # Instances of one name stay apart.
    (file,) = mkplot_files(report([made_up("a", at, name="same") for at in "12"])).values()
    assert len(file["stats"]) == 2


def test_json_says_how_many_instances_could_have_shown_a_difference(made_up, report):
    for instances in (4, 12):
        results = [
            made_up(name, f"i{at}", solve=at + 1.0 + (name == "b"), conflicts=at)
            for name in "ab" for at in range(instances)
        ]  # fmt: skip
        (task,) = as_json(report(results))["tasks"]
        smallest = {pair["measure"]: pair["smallest_p"] for pair in task["pairs"]}
        count = task["comparisons"]
        least = pytest.approx(min(1, count * 2 / 2**instances))
        assert task["instances_needed"] == min(n for n in range(40) if count * 2 / 2**n < 0.05)
        assert (task["enough"], task["smallest_p"]) == (instances == 12, least)
        assert (smallest["conflicts"], smallest["time"]) == (None, least)
    (task,) = as_json(report([made_up("a")]))["tasks"]
    assert (task["instances_needed"], task["enough"], task["smallest_p"]) == (None, None, None)


def test_what_was_planned_is_told_and_what_else_a_manifest_holds_is_not(report):
    plan = {"task": "t", "part": "", "contenders": 2, "instances": 1, "comparisons": 5, "needed": 8}
    plans = [plan, {**plan, "comparisons": 0}, {"task": "t"}, "t"]
    (told,) = report([], jobs=1, comparisons=plans).sweep.planned
    assert told == "task t: up to 5 comparisons of 2 contenders need 8 instances; 1 is there"


def append(folder: Path, text: str) -> Path:
    with open(folder / "results.jsonl", "a", encoding="utf-8") as file:
        file.write(text)
    return folder


def test_torn_repeated_and_missing_lines_are_left_out_and_told(results, save, tmp_path):
    folder = save(tmp_path / "s", [*results, results[0]], jobs=len(results))
    append(folder, '{"id": "1234", "inst')
    sweep = read_sweep_folder(str(folder))
    assert (list(sweep.results), sweep.repeated, sweep.complete) == (results, 1, True)
    assert sweep.torn
    # The first job runs still.
    (folder / "results.jsonl").unlink()
    sweep = read_sweep_folder(str(folder))
    assert (sweep.results, sweep.complete, sweep.torn) == ((), False, False)


def changed(result, **fields):
    job = {key: fields.pop(key) for key in list(fields) if key == "name"}
    line = replace(result, job=replace(result.job, **job)).as_json()
    measured = {key: fields.pop(key) for key in list(fields) if key in line["measured"]}
    return json.dumps(line | fields | {"measured": line["measured"] | measured}) + "\n"


DEEP = "[" * 100_000
BROKEN: list[Any] = [
    "{]", "[1]", "", '{"a": 1}', DEEP, {"id": "0" * 16}, {"status": "maybe"}, {"solve": "1.0"},
    {"encode": -1.0}, {"solve": float("nan")}, {"memory": 1.5}, {"conflicts": -1},
    {"clauses": 10**30}, {"verdicts": 5}, {"more": 5}, {"name": 5},
]  # fmt: skip


@pytest.mark.parametrize("broken", BROKEN, ids=lambda broken: str(broken)[:20])
def test_a_broken_line_is_named_by_file_and_number(results, save, tmp_path, broken):
    line = broken + "\n" if isinstance(broken, str) else changed(results[0], **broken)
    folder = append(save(tmp_path / "s", results), line + changed(results[1]))
    with pytest.raises(JournalError) as raised:
        read_sweep_folder(str(folder))
    message = str(raised.value)
    assert message.startswith(f"{folder / 'results.jsonl'}")
    assert f":{len(results) + 1}: " in message or broken in (DEEP, "[1]")
    assert len(message.splitlines()) == 1


@pytest.mark.parametrize(
    "content",
    [
        {"jobs": "9"}, {"jobs": -1}, {"jobs": None}, {"limits": {"timeout": "9"}},
        {"limits": {"timeout": 0}}, {"limits": 3.5j}, {"schema": "satsweeper/compare/2"},
    ],
    ids=str,
)  # fmt: skip
def test_a_manifest_that_is_none_is_one_line(save, tmp_path, content):
    folder = save(tmp_path / "s", [])
    if content == {"limits": 3.5j}:
        (folder / "manifest.json").write_text("{")
    else:
        save(folder, [], **content)
    with pytest.raises(JournalError) as raised:
        read_sweep_folder(str(folder))
    assert str(raised.value).startswith(f"{folder / 'manifest.json'}: ")
    assert len(str(raised.value).splitlines()) == 1


def test_answers_differ_by_verdicts_or_by_status_but_not_without_an_answer(made_up, report):
    results = [
        made_up("a", "same"), made_up("b", "same"),
        made_up("a", "hash"), made_up("b", "hash", verdicts="other"), made_up("c", "hash"),
        made_up("a", "status"), made_up("b", "status", status=JobStatus.UNSAT),
        made_up("a", "fails"), made_up("b", "fails", status=JobStatus.CRASH, verdicts="x"),
        made_up("a", "hash", task=Task.TOTAL, verdicts="another task"),
        made_up("a", "order", order=LiteralOrder.RANDOM),
    ]  # fmt: skip
    found = report(results)
    differing = [(each.task, each.name) for each in found.differing]
    assert differing == [(Task.CLASSIFY, "hash"), (Task.CLASSIFY, "status")]
    assert sorted(len(own) for own in found.differing[0].answers.values()) == [1, 2]
    assert not found.trustworthy


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


def test_a_sweep_writes_down_what_its_audit_finds(tmp_path):
    board, folder = tmp_path / "covered.txt", tmp_path / "sweep"
    board.write_text("4 4 5\n????\n????\n????\n????\n")
    total = "--total-encodings totalizer,odd_encoders:DroppingTotalizer"
    words = f"--tasks consistent --encodings direct --solvers minisat22 --seeds 1 {total}".split()
    ended = call("compare", board, *words, "-o", folder)
    assert ended.code == 1
    assert "warning: no difference can be shown: task consistent: up to 5" in ended.err
    ended = call("report", folder, "--json")
    assert ended.code == 1
    found = ended.json
    tied = {c["total_encoding"]: c["distrust"] for c in found["tasks"][0]["contenders"]}
    assert tied == {"totalizer": None, "odd_encoders:DroppingTotalizer": "wrong answers"}
    assert [each["encoding"] for each in found["faults"]] == ["odd_encoders:DroppingTotalizer"]
