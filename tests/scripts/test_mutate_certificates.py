"""Random mutations of certificates: none is accepted that claims anything false."""

import json
import random
from pathlib import Path
from unittest.mock import patch

import pytest

from satsweeper import Position
from satsweeper.certificate.certify import certify
from satsweeper.certificate.folder import write_folder
from scripts.forgery.claims import false_claim
from scripts.mutate_certificates import Original, judge, main, mutate

PROOF = {"cell": [0, 1], "verdict": "mine", "clues": [[0, 0]], "total": False}


def test_two_hundred_mutations_are_rejected_or_harmless(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with patch("os.fsync"):
        assert main(["--count", "200", "--boards", "15", "--seed", "7"]) == 0
    out = capsys.readouterr().out
    assert "200 mutations" in out
    footer = out.splitlines()[-2].split("│")
    rejected, harmless, false, failed = map(int, footer[2:6])
    assert (rejected + harmless, false, failed) == (200, 0, 0)
    assert rejected > 150


@pytest.mark.slow
def test_a_thousand_mutations_are_rejected_or_harmless() -> None:
    assert main(["--count", "1000", "--seed", "1"]) == 0


def test_the_same_seed_makes_the_same_mutations(tmp_path: Path) -> None:
    found = []
    for run in ("one", "two"):
        original = Original(tmp_path / run, Position.parse("2 5 1\n1????\n1????\n"))
        rng = random.Random(5)
        found.append([mutate(original, [original], rng) for _ in range(30)])
    assert found[0] == found[1]
    assert judge(tmp_path / "one") == ("harmless", "")


def test_a_checker_that_believes_too_much_is_found_out(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["--count", "60", "--boards", "8", "--seed", "3"]
    assert main(options) == 0
    monkeypatch.setattr("satsweeper.checker.claims.check_refutation", lambda *_: 0)
    monkeypatch.setattr("satsweeper.checker.claims.check_one_proof", lambda *_: None)
    monkeypatch.setattr("satsweeper.checker.check.check_layouts", lambda *_: 0)
    assert main(options) == 1
    assert ": FALSE: grid [" in capsys.readouterr().out


def test_a_checker_that_breaks_is_found_out(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    Original(tmp_path / "one", Position.parse("1?\n"))
    monkeypatch.setattr("satsweeper.checker.check.check_layouts", lambda *_: 1 // 0)
    outcome, why = judge(tmp_path / "one")
    assert outcome == "FAILED"
    assert why.startswith("ZeroDivisionError: ")


@pytest.mark.parametrize(
    ("change", "claim"),
    [
        ({"grid": ["1MS??", "12?2S", "01?1M"]}, "grid"),
        ({"grid": ["1MS??", "12?2?", "01?1S"]}, "grid"),
        ({"status": "inconsistent", "grid": None}, "status"),
        ({"mines": 3}, "the size"),
        ({"cells": [{**PROOF, "verdict": "safe"}]}, "the proof of [0, 1]"),
        ({"cells": [{**PROOF, "clues": [[1, 3]]}]}, "the proof of [0, 1]"),
    ],
)
def test_a_false_claim_is_seen(tmp_path: Path, change: dict[str, object], claim: str) -> None:
    certificate = certify(Position.parse("3 5 ?\n1????\n12?2?\n01?1?\n"), cells=[(0, 1)])
    folder = tmp_path / "certificate"
    write_folder(folder, certificate.files, certificate.about)
    assert false_claim(folder) is None
    manifest = json.loads((folder / "manifest.json").read_bytes())
    (folder / "manifest.json").write_text(json.dumps(manifest | change))
    found = false_claim(folder)
    assert found is not None
    assert found.startswith(claim)
