"""CSV, LaTeX, mkplot, and the reading of a sweep's folder: kept, escaped, refused."""

import csv
import io
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from satsweeper.compare.job.job import JobStatus, LiteralOrder, Task
from satsweeper.compare.report.file_formats import COLUMNS, latex, mkplot_files, write_csv
from satsweeper.compare.report.findings import findings
from satsweeper.compare.report.sweep_folder import read_sweep_folder
from satsweeper.compare.sweep.journal import JournalError


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
def found(results, save, tmp_path):
    return findings(read_sweep_folder(str(save(tmp_path / "s", results, timeout=4.0))))


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
    names = re.findall(r"\\(begin|end)\{(\w+)\}", text)
    assert names == [
        ("begin", "table"), ("begin", "tabular"), ("end", "tabular"), ("end", "table")
    ]  # fmt: skip
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
        keys = {"benchmark", "program", "prog_args", "prog_alias"}
        assert content["preamble"].keys() == keys
        for instance in content["stats"].values():
            assert isinstance(instance["status"], bool)
            assert isinstance(instance["rtime"], float)
    stats = files["a_1"]["stats"]
    assert len(stats) == 7
    assert stats["i2 seed 1"] == {"status": True, "rtime": 3.5, "mempeak": "1024 KiB"}
    assert [each["rtime"] for each in stats.values() if not each["status"]] == [4.0]
    assert files["b-2"]["preamble"]["prog_alias"] == "b&2"


def test_names_of_mkplot_files_are_safe_and_all_different(made_up, save, tmp_path):
    results = [made_up(name) for name in ("../x", "x", "X", "a/b", "a b")]
    results += [made_up("x", task=Task.TOTAL)]
    files = mkplot_files(findings(read_sweep_folder(str(save(tmp_path / "s", results)))))
    assert len(files) == 6
    assert all(re.fullmatch(r"[\w+-][\w.+-]*", name) for name in files)
    assert len({name.lower() for name in files}) == 6
    assert {name.split("-")[0] for name in files} == {"classify", "total"}


def test_instances_of_one_name_stay_apart(made_up, save, tmp_path):
    results = [made_up("a", "one", name="same"), made_up("a", "two", name="same")]
    (file,) = mkplot_files(findings(read_sweep_folder(str(save(tmp_path / "s", results))))).values()
    assert len(file["stats"]) == 2


def append(folder: Path, text: str) -> Path:
    with open(folder / "results.jsonl", "a", encoding="utf-8") as file:
        file.write(text)
    return folder


def test_a_last_line_that_was_torn_off_is_left_out(results, save, tmp_path):
    folder = append(save(tmp_path / "s", results), '{"id": "1234", "inst')
    sweep = read_sweep_folder(str(folder))
    assert sweep.torn
    assert list(sweep.results) == results


def test_a_job_that_is_there_twice_counts_once(results, save, tmp_path):
    folder = save(tmp_path / "s", [*results, results[0]], jobs=len(results))
    sweep = read_sweep_folder(str(folder))
    assert (list(sweep.results), sweep.repeated, sweep.complete) == (results, 1, True)


def test_a_sweep_whose_first_job_runs_has_no_results_file(save, tmp_path):
    folder = save(tmp_path / "s", [], jobs=3)
    (folder / "results.jsonl").unlink()
    sweep = read_sweep_folder(str(folder))
    assert (sweep.results, sweep.complete, sweep.torn) == ((), False, False)


def changed(result, **fields):
    line = result.as_json()
    measured = {key: fields.pop(key) for key in list(fields) if key in line["measured"]}
    return json.dumps(line | fields | {"measured": line["measured"] | measured}) + "\n"


BROKEN = {
    "not JSON": lambda r: "{]\n",
    "no object": lambda r: "[1]\n",
    "empty": lambda r: "\n",
    "no id": lambda r: '{"a": 1}\n',
    "another id": lambda r: changed(r, id="0" * 16),
    "status": lambda r: changed(r, status="maybe"),
    "seconds": lambda r: changed(r, solve="1.0"),
    "negative": lambda r: changed(r, encode=-1.0),
    "not finite": lambda r: changed(r, solve=float("nan")),
    "memory": lambda r: changed(r, memory=1.5),
    "count": lambda r: changed(r, conflicts=-1),
    "huge": lambda r: changed(r, clauses=10**30),
    "verdicts": lambda r: changed(r, verdicts=5),
    "unknown field": lambda r: changed(r, more=5),
    "deep": lambda r: "[" * 100_000 + "\n",
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_line_is_named_by_file_and_number(results, save, tmp_path, kind):
    folder = append(save(tmp_path / "s", results), BROKEN[kind](results[0]))
    append(folder, changed(results[1]))
    with pytest.raises(JournalError) as raised:
        read_sweep_folder(str(folder))
    message = str(raised.value)
    assert message.startswith(f"{folder / 'results.jsonl'}")
    assert f":{len(results) + 1}: " in message or kind in ("deep", "no object")
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


def test_answers_differ_by_verdicts_or_by_status_but_not_without_an_answer(made_up, save, tmp_path):
    results = [
        made_up("a", "same"), made_up("b", "same"),
        made_up("a", "hash"), made_up("b", "hash", verdicts="other"), made_up("c", "hash"),
        made_up("a", "status"), made_up("b", "status", status=JobStatus.UNSAT),
        made_up("a", "fails"), made_up("b", "fails", status=JobStatus.CRASH, verdicts="x"),
        made_up("a", "hash", task=Task.TOTAL, verdicts="another task"),
        made_up("a", "order", order=LiteralOrder.RANDOM),
    ]  # fmt: skip
    found = findings(read_sweep_folder(str(save(tmp_path / "s", results))))
    assert [(each.task, each.name) for each in found.differing] == [
        (Task.CLASSIFY, "hash"),
        (Task.CLASSIFY, "status"),
    ]
    assert sorted(len(own) for own in found.differing[0].answers.values()) == [1, 2]
    assert not found.trustworthy
