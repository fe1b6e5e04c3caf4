"""The small checker: one file alone, which accepts what is true, and says in one line what is not.

What it says of proofs is in `test_small_checker_proofs.py`, with bugs planted in it.
"""

import ast
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tokenize
from collections import Counter
from fractions import Fraction
from itertools import product
from types import SimpleNamespace
from unittest.mock import patch

import pytest

import satsweeper_check
from satsweeper import Position, certify
from satsweeper.certificate.odds import certify_odds
from satsweeper.checker.board import read_board
from satsweeper.checker.check import check
from satsweeper.checker.errors import WrongCertificateError
from satsweeper.checker.formula import OpbStatement
from satsweeper.checker.odds.check import check_odds
from tests.boards import PROVABLE
from tests.commands import EXAMPLES, ROOT
from tests.oracles import layouts
from tests.problem_files import pb_proof

FILE = ROOT / "encodings" / "satsweeper_check.py"


@pytest.fixture(autouse=True)
def _no_disk():
    with patch("os.fsync"):
        yield


def said(*paths, board=None):
    """Return the claim that the small checker has verified, or its line of refusal."""
    try:
        return satsweeper_check.check([str(path) for path in paths], board)["says"]
    except satsweeper_check.NotProvedError as error:
        return f"refused: {error}"


def alone(folder, *words):
    """Run a copy of the file, in isolation and without packages, from an empty folder."""
    folder.mkdir(exist_ok=True)
    copy = shutil.copy(FILE, folder)
    command = [sys.executable, "-I", "-S", copy, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, check=False)


def test_the_file_imports_the_standard_library_alone_and_shares_no_line_with_the_packages():
    text = FILE.read_text("ascii")
    tree = ast.parse(text)
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {node.module for node in imports if isinstance(node, ast.ImportFrom)}
    names |= {a.name for node in imports if isinstance(node, ast.Import) for a in node.names}
    assert {name.partition(".")[0] for name in names} <= sys.stdlib_module_names
    assert all(node in tree.body and not getattr(node, "level", 0) for node in imports)
    # A line of less than 30 characters says nothing of its own: "for row in rows:".
    imported = {node.lineno for node in imports}
    own = {
        line.strip()
        for at, line in enumerate(text.splitlines(), start=1)
        if len(line.strip()) >= 30 and at not in imported
    }
    sources = [*(ROOT / "satsweeper").rglob("*.py"), *(ROOT / "encodings" / "pbcnf").rglob("*.py")]
    theirs = {line.strip() for path in sources for line in path.read_text("utf-8").splitlines()}
    assert own & theirs == set()
    assert len(own) > 400


def test_a_copy_of_the_file_runs_without_any_package(tmp_path):
    certify(Position.read(EXAMPLES / "expert.txt")).write(tmp_path / "c")
    certify(Position.parse(PROVABLE["clash"])).write(tmp_path / "none")
    ended = alone(tmp_path / "a", tmp_path / "c", "--board", EXAMPLES / "expert.txt")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("verified: consistent\nrows: 16\ncolumns: 30\nmines: 99\n")
    assert ended.stdout.endswith("\n".join(check(tmp_path / "c", external=False).grid) + "\n")
    ended = alone(tmp_path / "a", tmp_path / "none", "--json")
    assert (ended.returncode, ended.stderr) == (20, "")
    answer = json.loads(ended.stdout)
    assert answer["schema"] == "satsweeper/small-check/1"
    assert (answer["verified"], answer["says"], answer["grid"]) == (True, "inconsistent", None)
    ended = alone(tmp_path / "a", tmp_path / "none", "--board", EXAMPLES / "expert.txt")
    assert (ended.returncode, ended.stdout, ended.stderr.count("\n")) == (1, "", 1)
    assert "board.txt: not the board in" in ended.stderr
    ended = alone(tmp_path / "a", tmp_path / "a" / "nothing", "--json")
    assert ended.returncode == 1
    assert json.loads(ended.stdout)["verified"] is False
    for words in ([], ["a", "b", "c", "d"], ["a", "b", "--board", "c"], ["--nothing"]):
        ended = alone(tmp_path / "a", *words)
        assert (ended.returncode, ended.stdout) == (2, "")
    ended = alone(tmp_path / "a", "--help")
    assert ended.returncode == 0
    assert "PROBLEM FORMULA PROOF" in ended.stdout


def random_board(rng):
    """A board of 8 covered cells and flags at the most, with a wrong number now and then."""
    rows, columns = rng.choice([(1, 1), (1, 5), (2, 3), (3, 3), (3, 4), (4, 4)])
    cells = [*product(range(rows), range(columns))]
    mines = set(rng.sample(cells, rng.randint(0, len(cells) // 2)))
    hidden = set(rng.sample(cells, rng.randint(0, min(8, len(cells)))))
    text = ""
    for r, c in cells:
        near = sum((r + i, c + j) in mines for i, j in product((-1, 0, 1), repeat=2) if i or j)
        near = min(max(near + (rng.random() < 0.03), 0), 8)
        mark = "F" if (r, c) in mines and rng.random() < 0.3 else "?"
        text += (mark if (r, c) in hidden else str(near)) + "\n" * (c == columns - 1)
    return f"{rows} {columns} {rng.choice(['?', len(mines), rng.randint(0, 4)])}\n{text}"


@pytest.mark.parametrize("count", [100, pytest.param(3000, marks=pytest.mark.slow)])
def test_certificates_of_random_boards_are_accepted_as_check_accepts_them(count, tmp_path):
    rng, found = random.Random(3), Counter()
    for at in range(count):
        try:
            position = Position.parse(random_board(rng))
        except ValueError:
            continue
        flags = rng.choice(["trust", "ignore"])
        certificate = certify(position, flags=flags)
        certificate.write(tmp_path / f"c{at}")
        status = check(tmp_path / f"c{at}", external=False).status
        assert said(tmp_path / f"c{at}") == status
        if status == "consistent":
            density = None
            if position.mines is None and rng.random() < 0.5:
                density = Fraction(rng.randint(1, 4), rng.randint(5, 9))
            certify_odds(position, flags=flags, density=density).write(tmp_path / f"o{at}")
            check_odds(tmp_path / f"o{at}")
            assert said(tmp_path / f"o{at}") == "odds"
            found[density is None, position.mines is None] += 1
        found[status] += 1
    assert set(found) >= {"consistent", "inconsistent", (True, True), (True, False), (False, True)}


ROWS = ("0", "1", "?", "F", "00", "1?", "2?", "??", "?1?", "F1", "F0?", "1?F", "8")
WAYS = {"S": {False}, "M": {True}, "?": {False, True}}


def test_of_files_that_prove_nothing_only_what_is_so_is_accepted(forge):
    """Boards of few cells or none, all that can be claimed of them, and proofs without a step."""
    rng, accepted = random.Random(6), Counter()
    for _ in range(800):
        forged = forge("interior")
        row, total = rng.choice(ROWS), rng.choice("?012")
        text = f"1 {len(row)} {total}\n{row}\n"
        board = read_board(text, True)
        n, statement = len(board.cells), OpbStatement.by(board)
        status = rng.choice(("consistent", "inconsistent"))
        verdicts = tuple(rng.choices("SM?", k=n))
        fills = rng.sample([*product("SM", repeat=n)], k=rng.choice((0, 1, 2**n, 2**n)))
        shown = [[row.replace("?", "%s") % fill] for fill in (verdicts, *fills)]
        cells = []
        for v, cell in enumerate(board.cells):
            mine, safe = ([f[v] for f in (*fills, "M" * n, "S" * n)].index(mark) for mark in "MS")
            cells += [{"cell": cell, "mine": mine, "safe": safe}] * (verdicts[v] == "?")
        claim = [v if mark == "S" else -v for v, mark in enumerate(verdicts, 1) if mark != "?"]
        clauses = [claim] if status == "consistent" else []
        last = "".join(f"{'-+'[lit > 0]}1 x{abs(lit)} " for lit in claim)
        last += f">= {1 - sum(lit < 0 for lit in claim)} ;\n"
        opb = f"* #variable= {n} #constraint= 0 #equal= 0 intsize= 0\n" + statement.text.decode()
        given, end = 2 * len(statement.sums) + len(clauses), rng.choice(("NONE", "UNSAT : 1"))
        end = rng.choice((end, "UNSAT : -1"))
        step = rng.choice(([], ["rup >= 1 ;"], ["rup >= 1 : ~ ;"], ["pol 1 ;"]))
        forged.files = {
            "board.txt": text.encode(),
            "layouts.json": json.dumps({"layouts": shown[1:], "cells": cells}).encode(),
            "proof.pbp": pb_proof(*step, given=given, conclusion=end).encode(),
            "proof.opb": (opb + last * len(clauses)).encode(),
        }
        grid = shown[0] if clauses else None
        size = {"rows": 1, "columns": len(row), "mines": board.mines}
        forged.about |= {**size, "status": status, "grid": grid, "cells": []}
        if said(forged.write()) != status:
            continue
        codes = [{"?": -1, "F": -2}.get(mark) or int(mark) for mark in row]
        every = layouts(SimpleNamespace(cells=[codes], mines=board.mines))
        assert bool(every) == (status == "consistent"), forged.files
        for cell, mark in zip(board.cells, verdicts, strict=True):
            assert not every or {cell in mines for mines in every} == WAYS[mark], forged.files
        accepted[status] += 1
    assert min(accepted["consistent"], accepted["inconsistent"]) > 10


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """A certificate of verdicts, and one of odds, to be spoiled."""
    made = tmp_path_factory.mktemp("valid")
    certify(Position.parse(PROVABLE["open"])).write(made / "c")
    certify_odds(Position.parse(PROVABLE["open"])).write(made / "o")
    return made


def hashed(folder):
    """Give the files of a folder the hashes that they have."""
    about = json.loads((folder / "manifest.json").read_bytes())
    for name in about["files"]:
        path = folder / name
        if path.is_file():
            about["files"][name] = hashlib.sha256(path.read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(about))


LONG = "9" * 5000
SPOILED = [
    ("c", "manifest.json", "{", "manifest.json:1: no JSON"),
    ("c", "manifest.json", "[" * 100_000, "manifest.json: no JSON"),
    ("c", "manifest.json", "[]", "no JSON object"),
    ("c", "manifest.json", '{"schema": 1, "schema": 2}', "a name is there twice"),
    ("c", "manifest.json", '{"schema": 1.5}', "no JSON"),
    ("c", "manifest.json", '{"schema": NaN}', "no JSON"),
    ("c", "manifest.json", f'{{"schema": {LONG}}}', "no JSON"),
    ("c", "manifest.json", '{"schema": "satsweeper/puzzle-certificate/1"}', "'satsweeper check'"),
    ("c", "manifest.json", '{"schema": "satsweeper/certificate/1"}', "not these entries"),
    ("c", "board.txt", "", "board.txt:1: not 'ROWS COLUMNS MINES'"),
    ("c", "board.txt", "0 0 ?\n", "board.txt:1: not 0 rows"),
    ("c", "board.txt", "3 5 ?\n1????\n12?2?\n", "board.txt:1: not 3 rows"),
    ("c", "board.txt", "3 5 ?\n1????\n12?2\n01?1?\n", "board.txt:3: not 5 cells"),
    ("c", "board.txt", "3 5 ?\n1????\n12?2x\n01?1?\n", "board.txt:3: not 5 cells"),
    ("c", "board.txt", f"{LONG} 5 ?\n", "board.txt:1: not 'ROWS"),
    ("c", "board.txt", "3 5 ?\n1????\n12?2?\n01?1?", "board.txt:1: not 3 rows"),
    ("c", "board.txt", "3 5 ?\n1????\n12?3?\n01?1?\n", "grid: '2' at (1, 3)"),
    ("c", "board.txt", "3 5 2\n1????\n12?2?\n01?1?\n", "manifest.json: rows, columns, mines"),
    ("c", "layouts.json", '{"layouts": [], "cells": []}', "layouts.json: no lists"),
    ("c", "layouts.json", '{"layouts": [7], "cells": []}', "layout 0: not the rows"),
    ("c", "layouts.json", '{"layouts": 7, "cells": []}', "layouts.json: no lists"),
    ("c", "layouts.json", '{"layouts": [[]], "cells": []}', "layout 0: not the rows"),
    ("c", "proof.opb", "+1 x1 >= 1\n", "proof.opb:1: the last statement has no ';'"),
    ("c", "proof.opb", "+1 x1 +1 >= 1 ;\n", "proof.opb:1: '+1' is half a term"),
    ("c", "proof.opb", "\n+1 x0 >= 1 ;\n", "proof.opb:2: 'x0' is no literal"),
    ("c", "proof.opb", f"+{LONG} x1 >= 1 ;\n", "proof.opb:1: '+99999"),
    ("c", "proof.opb", "max: +1 x1 ;\n", "proof.opb:1: 'max:' is no literal"),
    ("c", "proof.opb", "+1 x1 >= é ;\n", "proof.opb:1: byte 0xc3 is no text"),
    ("c", "proof.opb", "", "proof.opb: what the board says and this differ in"),
    ("c", "proof.pbp", "", "proof.pbp:1: the first line is not"),
    ("c", "proof.pbp", "pseudo-Boolean proof version 2.0\n", "proof.pbp:1: the first line is not"),
    ("c", "proof.pbp", "pseudo-Boolean proof version 3.0\n", "proof ;' is missing"),
    ("c", "proof.pbp", "pseudo-Boolean proof version 3.0\n\nf 1 ;\n", "proof.pbp:3: no step"),
    ("o", "circuits.txt", "", "circuits.txt:1: not 'satsweeper circuits 1'"),
    ("o", "circuits.txt", "satsweeper circuits 1", "circuits.txt:1: not 'satsweeper circuits 1'"),
    ("o", "circuits.txt", "satsweeper circuits 1\nregion 1\n", "circuits.txt:2: not 'region'"),
    ("o", "circuits.txt", "satsweeper circuits 1\n\n", "circuits.txt:2: not 'region'"),
    ("o", "circuits.txt", "satsweeper circuits 1\nregion 9 8\n", "circuits.txt:2: the region has"),
    ("o", "odds.json", "{}", "odds.json"),
    ("o", "odds.json", '{"solutions": "1"}', "odds.json"),
]  # fmt: skip


@pytest.mark.parametrize(("which", "name", "content", "fault"), SPOILED)
def test_what_is_malformed_is_refused_in_one_line_with_its_place(
    folders, tmp_path, which, name, content, fault, capsys, monkeypatch
):
    monkeypatch.setattr("gc.disable", lambda: None)  # as this process goes on
    folder = shutil.copytree(folders / which, tmp_path / "x")
    (folder / name).write_text(content, "utf-8")
    if name != "manifest.json":
        hashed(folder)
    assert satsweeper_check.main([str(folder)]) == 1
    out, err = capsys.readouterr()
    assert (out, err.count("\n"), err.rstrip().isprintable()) == ("", 1, True)
    assert fault in err
    with pytest.raises(WrongCertificateError):
        (check if which == "c" and "puzzle" not in content else check_odds)(folder)


def test_only_regular_files_are_read_and_none_by_a_link_out_of_the_folder(folders, tmp_path):
    def spoiled(name, change):
        folder = shutil.copytree(folders / "c", tmp_path / f"{len([*tmp_path.iterdir()])}")
        (folder / name).unlink()
        change(folder / name)
        return said(folder)

    outside = tmp_path / "outside"
    shutil.copy(folders / "c" / "board.txt", outside)
    assert "refused: board.txt: " in spoiled("board.txt", lambda path: path.symlink_to(outside))
    for name in ("board.txt", "manifest.json", "proof.pbp"):
        assert "no regular file" in spoiled(name, os.mkfifo)
        assert f"refused: {name}: " in spoiled(name, os.mkdir)
        assert f"refused: {name}: No such file" in spoiled(name, lambda path: None)

    def sparse(path):
        with path.open("wb") as file:
            file.truncate(2**31 + 1)

    huge = spoiled("proof.pbp", sparse)
    assert "no regular file of at most" in huge
    assert "No such file" in said(tmp_path / "nothing")
    assert "'satsweeper check'" in said(outside)
    assert "refused" in said("/dev/zero", "/dev/zero")
    assert "refused" in said("\0")
    changed = shutil.copytree(folders / "c", tmp_path / "changed")
    (changed / "proof.pbp").write_bytes(b"")
    assert said(changed) == "refused: proof.pbp: its hash is not in the manifest"


def test_a_certificate_is_about_the_board_that_is_asked_for_or_refused(folders, tmp_path):
    board = tmp_path / "board"
    for text, same in {
        "1????\n12?2?\n01?1?\n": True,
        "; a comment\n\n3 5 ?\n1????\n12?2?\n01?1?\n": True, "3 5 ?\n1????\n12?2?\n01?1?": True,
        "3 5 3\n1????\n12?2?\n01?1?\n": False, "3 5 ?\n1????\n12?2?\n01?2?\n": False,
        "": False, "#\n": False,
    }.items():  # fmt: skip
        board.write_text(text)
        for which, status in (("c", "consistent"), ("o", "odds")):
            found = said(folders / which, board=str(board))
            assert found == status if same else found.startswith("refused: ")
    certify(Position.parse("1 3 ?\n1F?\n"), flags="ignore").write(tmp_path / "ignored")
    board.write_text("1 3 ?\n1F?\n")
    assert "with flags taken for mines" in said(tmp_path / "ignored", board=str(board))


def lines_of_code(path):
    """The lines with a word of a statement: no docstring, no comment, no blank line."""
    tree, found = ast.parse(path.read_bytes()), set()
    strings = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(getattr(node.value, "value", None), str)
    ]
    nothing = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.string and token.type not in (*nothing, tokenize.ENCODING):
                found.update(range(token.start[0], token.end[0] + 1))
    return len(found.difference(*[range(s.lineno, (s.end_lineno or 0) + 1) for s in strings]))


def test_the_page_on_trust_counts_what_has_to_be_read():
    page = " ".join((ROOT / "docs/trust.md").read_text("utf-8").split())
    checker, proofs = ROOT / "satsweeper/checker", ROOT / "encodings/pbcnf/proof"
    second = [checker / f"{name}.py" for name in (
        "second_opinion", "sums_recheck", "derivation_recheck", "answer_recheck", "odds/recount",
        "odds/division", "game/lemma_recheck",
    )]  # fmt: skip
    stated = [*(checker / "statements").glob("*.py")]
    for said_there, paths in {
        "answers of `solve` ([0-9,]+),": checker.glob("*.py"),
        "statements ([0-9,]+), games": stated,
        "games ([0-9,]+), odds": (checker / "game").glob("*.py"),
        "odds ([0-9,]+), boards": (checker / "odds").glob("*.py"),
        r"boards under rules ([0-9,]+) \(": (checker / "puzzle").glob("*.py"),
        "proofs of clauses ([0-9,]+) and": proofs.glob("*.py"),
        "of cutting planes ([0-9,]+) ": (proofs / "cutting_planes").glob("*.py"),
        "Of it ([0-9,]+) are the second opinions": [*second, *stated],
        "([0-9,]+) lines of code, `checker/board.py`": [checker / "board.py"],
        "([0-9,]+) lines of code, `checker/puzzle/`": (checker / "puzzle").glob("*.py"),
    }.items():
        number = int(re.search(said_there, page)[1].replace(",", ""))
        assert sum(map(lines_of_code, paths)) == pytest.approx(number, rel=0.1), said_there
    size = "at most ([0-9,]+) lines with its comments, ([0-9]+) of them"
    most, code = re.search(size, page).groups()
    assert FILE.read_text("ascii").count("\n") <= int(most.replace(",", ""))
    assert round(lines_of_code(FILE), -1) == int(code)


@pytest.mark.parametrize(
    ("which", "limit", "most", "fault"),
    [
        ("c", "MOST_TERMS", 20, "proof.pbp:3: more than 20 terms at a time"),
        ("c", "MOST_BYTES", 10, "manifest.json: no regular file of at most 10 bytes"),
        ("c", "MOST_IN_A_LINE", 20, "proof.opb: a line of more than 20 bytes"),
        ("o", "MOST_PAIRS", 0, "circuits.txt:"),
    ],
)
def test_what_would_take_too_much_is_refused(folders, monkeypatch, which, limit, most, fault):
    monkeypatch.setattr(satsweeper_check, limit, most)
    assert said(folders / which).startswith(f"refused: {fault}")
