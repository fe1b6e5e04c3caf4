"""Folders of the PB Competition: enough instances in each, all different, counted by hand."""

import hashlib
import json
import lzma
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from pbcnf.formats.problems import read_problem
from satsweeper.board.errors import DefectError
from satsweeper.certificate.folder import FolderTakenError
from satsweeper.competition.domains import CATEGORIES, candidates, domains, facts_of, write_domains
from satsweeper.families.table import FAMILIES
from tests.commands import call, done, refused

FEW = ("ones", "bump", "tiles_of_wrong_total", "safehole_asked", "pigeonhole", "at_most_k_most",
       "fewest_mines", "soft_clues")  # fmt: skip


@pytest.fixture(scope="module", params=[FEW, pytest.param((), marks=pytest.mark.slow)], ids=len)
def written(request, tmp_path_factory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("domains") / "entry"
    return folder, write_domains(folder, 15, 2, only=request.param)


class Counted:
    """The numbers of variables and constraints of an OPB or WBO file, counted token by token."""

    def __init__(self, text: str) -> None:
        self.header, *rest = text.splitlines()
        rows = [line for line in rest if not line.startswith("*")]
        self.objectives = [row for row in rows if row.startswith(("min:", "soft:"))]
        self.constraints = [row for row in rows if not row.startswith(("min:", "soft:"))]
        self.soft = [row for row in self.constraints if row.startswith("[")]
        self.equations = [row for row in self.constraints if ">=" not in row]
        self.variables: set[int] = set()
        self.widest = 0
        for row in rows:
            assert row.endswith(";")
            width = 0
            for token in re.sub(r"^\[\d+\]|^min:|^soft:", "", row).split():
                if token.startswith("x"):
                    self.variables.add(int(token[1:]))
                elif token not in (">=", "=", ";"):
                    width += abs(int(token))
            self.widest = max(self.widest, width)


def numbers(header: str) -> dict[str, int]:
    return {name: int(number) for name, number in re.findall(r"#?(\w+)= (\d+)", header)}


def test_a_folder_has_enough_instances_and_no_two_are_the_same(written) -> None:
    folder, content = written
    assert content["missing"] == []
    rows = content["domains"]
    assert {row["category"] for row in rows} == {"DEC-LIN", "OPT-LIN", "WBO"}
    assert [row["instances"] for row in rows] == [15] * len(rows)
    texts, bodies = [], []
    for row in rows:
        files = sorted((folder / row["category"] / row["domain"]).iterdir())
        assert len(files) == 15
        for file in files:
            text = lzma.decompress(file.read_bytes())
            texts.append(hashlib.md5(text).hexdigest())
            bodies.append(b"\n".join(line for line in text.splitlines() if line[:1] != b"*"))
            assert re.fullmatch(rf"{row['domain']}_n\d+_s\d+\.(opb|wbo)\.xz", file.name)
    assert len(set(texts)) == len(set(bodies)) == len(texts) == 15 * len(rows)
    assert sorted(texts) == sorted(row["md5"] for row in content["instances"])


def test_headers_are_exact_and_only_optimisation_has_an_objective(written) -> None:
    folder, content = written
    for row in content["instances"]:
        text = lzma.decompress((folder / row["file"]).read_bytes()).decode("ascii")
        counted, said = Counted(text), numbers(text.splitlines()[0])
        assert said["variable"] == len(counted.variables) == max(counted.variables)
        assert said["constraint"] == len(counted.constraints) == row["constraints"]
        assert counted.widest.bit_length() == row["intsize"] <= 63
        assert len(counted.equations) == row["equations"]
        if row["category"] == "WBO":
            assert counted.objectives == ["soft: ;"]
            assert said["soft"] == len(counted.soft) == said["sumcost"] > 0
            continue
        assert said["equal"] == len(counted.equations)
        assert said["intsize"] == row["intsize"]
        assert counted.soft == []
        assert len(counted.objectives) == (row["category"] == "OPT-LIN")
        assert "satisfiable" not in text.lower()


def test_the_entry_and_descriptions_say_what_the_files_say(written) -> None:
    folder, content = written
    assert json.loads((folder / "entry.json").read_text()) == content
    listed = dict(
        reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines()
    )
    for name, said in listed.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == said
    for line in (folder / "MD5SUMS").read_text().splitlines():
        md5, name = line.split("  ")
        assert hashlib.md5(lzma.decompress((folder / f"{name}.xz").read_bytes())).hexdigest() == md5
    assert (folder / "README.md").read_text().startswith(f"# {len(content['instances'])} instances")
    for row in content["instances"]:
        family = FAMILIES[row["family"]]
        text = (folder / "description" / f"{row['family'].replace('_', '-')}.md").read_text()
        name = Path(row["file"]).name.partition(".")[0]
        optimum = family.optimum(row["size"], row["seed"])
        expected = row["status"] if row["category"] == "DEC-LIN" else "unknown optimum"
        if optimum is not None:
            expected = f"optimum {optimum}"
        sizes = [row[key] for key in ("variables", "constraints", "equations", "intsize")]
        assert f"| {' | '.join(map(str, (name, expected, *sizes)))} |" in text
        assert "Hardness was not measured" in text
        assert row["status"] == ("satisfiable" if family.satisfiable and "asked" not in name else
                                 "unsatisfiable")  # fmt: skip


@pytest.mark.skipif(shutil.which("clasp") is None, reason="clasp is not on PATH")
def test_clasp_finds_the_expected_answer_of_the_smallest_instances(written, tmp_path) -> None:
    folder, content = written
    smallest: dict[str, dict[str, Any]] = {}
    for row in content["instances"]:
        smallest.setdefault(row["domain"], row)
    for row in smallest.values():
        text = lzma.decompress((folder / row["file"]).read_bytes()).decode()
        # clasp 3.3.5 knows the header of 2012, and needs a top.
        text = re.sub(" #equal=.*", "", text, count=1).replace("soft: ;", "soft: 1000000 ;")
        file = tmp_path / Path(row["file"]).stem
        file.write_text(text)
        ended = subprocess.run(["clasp", file], capture_output=True, text=True, check=False)
        (status,) = re.findall("^s (.*)$", ended.stdout, re.MULTILINE)
        if row["category"] == "DEC-LIN":
            assert status == row["status"].upper()
            continue
        assert status == "OPTIMUM FOUND"
        best = abs(int(re.findall(r"^o (-?\d+)$", ended.stdout, re.MULTILINE)[-1]))
        assert row["optimum"] in (None, best)


def test_what_was_written_is_kept_and_a_broken_off_entry_is_the_same_in_the_end(tmp_path) -> None:
    class EndError(Exception):
        pass

    def reach(number: int) -> None:
        if number == 7:
            raise EndError

    names = ("ones", "bump")
    with pytest.raises(EndError):
        write_domains(tmp_path / "a", 5, 0, reach=reach, only=names)
    assert not (tmp_path / "a" / "SHA256SUMS").exists()
    (first,) = (tmp_path / "a" / "DEC-LIN" / "ones").glob("*_n6_*")
    before, lost = first.stat().st_mtime_ns, first.with_name("ones_n7_s0.opb.xz")
    lost.unlink()
    ends = [write_domains(tmp_path / name, 5, 0, only=names) for name in ("a", "b")]
    assert ends[0] == ends[1]
    assert first.stat().st_mtime_ns == before
    sums = [(tmp_path / name / "SHA256SUMS").read_bytes() for name in ("a", "b")]
    assert sums[0] == sums[1]
    # With fewer instances the rest is gone, and another seed needs another folder.
    write_domains(tmp_path / "a", 2, 0, only=names)
    assert len(list((tmp_path / "a").rglob("*.opb.xz"))) == 4
    with pytest.raises(FolderTakenError, match="was written with seed 0, not 1"):
        write_domains(tmp_path / "a", 2, 1, only=names)


def test_every_family_has_a_folder_and_many_instances_for_it() -> None:
    known = domains()
    assert {each.family.name for each in known.values()} == set(FAMILIES)
    assert {CATEGORIES[each.family.goal] for each in known.values()} == {
        "DEC-LIN",
        "OPT-LIN",
        "WBO",
    }
    for series in known.values():
        first = [job for job, _ in zip(candidates(series, 4), range(30), strict=False)]
        assert len(set(first)) == 30
        assert all(job.size in series.family.sizes for job in first)


@pytest.mark.parametrize("name", [n for n, each in FAMILIES.items() if each.goal != "decide"])
def test_an_objective_is_read_back_with_the_same_values(name, tmp_path) -> None:
    content = write_domains(tmp_path, 1, 0, only=(name,))
    (row,) = content["instances"]
    made, read = (
        FAMILIES[name].instance(row["size"], row["seed"]),
        read_problem(tmp_path / row["file"]),
    )
    assert read.objective.maximise is False
    for true in ((), (1,), (2, 3)):
        model = {var if var in true else -var for var in range(1, made.num_vars + 1)}
        sign = -1 if made.objective.maximise else 1
        assert read.objective.value(model) == sign * made.objective.value(model)


@pytest.mark.parametrize("text", [
    b"* #variable= 3 #constraint= 1 #equal= 0\n+1 x1 +1 x2 >= 1 ;\n",
    b"* #variable= 2 #constraint= 2 #equal= 0\n+1 x1 +1 x2 >= 1 ;\n",
    b"* #variable= 2 #constraint= 1 #equal= 0\n+1 x1 +1 x2 = 1 ;\n",
    b"+1 x1 >= 1 ;\n",
])  # fmt: skip
def test_a_header_with_other_numbers_is_refused(text: bytes) -> None:
    with pytest.raises(DefectError, match="a header that is not"):
        facts_of(text)


def test_the_command_writes_folders_unless_a_number_asks_for_measuring(
    tmp_path, monkeypatch
) -> None:
    few = {name: domains()[name] for name in ("ones", "soft_clues")}
    monkeypatch.setattr("satsweeper.competition.domains.domains", lambda: few)
    told = done("competition", "--track", "pb", "--each", 2, "-o", tmp_path, "--json").json
    assert (told["schema"], told["each"], told["measured"]) == ("satsweeper/pb-entry/1", 2, 0)
    assert all((tmp_path / row["file"]).is_file() for row in told["instances"])
    lines = call("competition", "--track", "pb", "--each", 2, "-o", tmp_path).out.splitlines()
    assert lines[:2] == ["DEC-LIN/ones: 2", "WBO/soft-clues: 2"]
    assert lines[2] == f"{tmp_path}: 4 instances in 2 folders; nothing was measured"
    for words in (("--track", "sat"), ("--track", "pb", "--count", 3)):
        ended = refused(2, "competition", *words, "--each", 3, "-o", tmp_path)
        assert "--each makes folders without measuring" in ended.err
    refused(1, "competition", "--track", "pb", "--count", 1, "-o", tmp_path)
