"""Random mutations of certificates and proofs: none is accepted that claims anything false."""

import json
from unittest.mock import patch

import pytest

from satsweeper import Position
from satsweeper.certificate.certify import certify
from satsweeper.certificate.folder import write_folder
from satsweeper.certificate.odds import certify_odds
from satsweeper.checker.game.steps import CheckedGame
from satsweeper.checker.odds import check, circuit
from scripts import mutate_certificates, mutate_encodings, mutate_games, mutate_odds
from scripts.fuzzing.forgery import false_claim, false_odds
from scripts.mutate_certificates import Original, judge

PROOF = {"cell": [0, 1], "verdict": "mine", "clues": [[0, 0]], "total": False}
MAINS = {
    "certificates": (mutate_certificates.main, "boards"),
    "odds": (mutate_odds.main, "boards"),
    "encodings": (mutate_encodings.main, "problems"),
    "games": (mutate_games.main, "games"),
}


@pytest.mark.parametrize("kind", MAINS)
def test_two_hundred_mutations_are_rejected_or_harmless(kind, capsys):
    main, of = MAINS[kind]
    with patch("os.fsync"):
        assert main(["--count", "200", f"--{of}", "15", "--seed", "7"]) == 0
    footer = capsys.readouterr().out.splitlines()[-2].split("│")
    rejected, harmless, false, failed = map(int, footer[2:6])
    assert (rejected + harmless, false, failed) == (200, 0, 0)
    assert rejected > 120


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("kind", MAINS)
def test_five_thousand_mutations_are_rejected_or_harmless(kind):
    main, of = MAINS[kind]
    assert main(["--count", "5000", f"--{of}", "150", "--seed", "1"]) == 0


def test_a_checker_that_believes_too_much_is_found_out(capsys, monkeypatch):
    options = ["--count", "60", "--boards", "8", "--seed", "3"]
    monkeypatch.setattr("satsweeper.checker.claims.check_refutation", lambda *_: 0)
    monkeypatch.setattr("satsweeper.checker.check.check_one_proof", lambda *_: None)
    monkeypatch.setattr("satsweeper.checker.check.check_layouts", lambda *_: 0)
    assert mutate_certificates.main(options) == 1
    assert ": FALSE: grid [" in capsys.readouterr().out


def test_it_takes_two_bugs_of_the_checker_to_accept_a_circuit_that_lacks_layouts(
    capsys, monkeypatch
):
    options = ["--count", "500", "--boards", "20", "--seed", "3"]
    with monkeypatch.context() as patched:
        patched.setattr(circuit, "_require_all", lambda *_: 0)
        assert mutate_odds.main(options) == 0
    monkeypatch.setattr(check, "recount", lambda *_: None)
    assert mutate_odds.main(options) == 0
    monkeypatch.setattr(circuit, "_require_all", lambda *_: 0)
    assert mutate_odds.main(options) == 1
    assert ": FALSE: " in capsys.readouterr().out


def test_a_checker_that_breaks_is_found_out(tmp_path, monkeypatch):
    Original(tmp_path / "one", Position.parse("1?\n"))
    certify_odds(Position.parse("1??\n")).write(tmp_path / "c")
    assert mutate_odds.judge(tmp_path / "c") == ("harmless", "")
    monkeypatch.setattr("satsweeper.checker.check.check_layouts", lambda *_: 1 // 0)
    outcome, why = judge(tmp_path / "one")
    assert outcome == "FAILED"
    assert why.startswith("ZeroDivisionError: ")
    monkeypatch.setattr(check, "chances_of", lambda *_: 1 // 0)
    assert mutate_odds.judge(tmp_path / "c")[0] == "FAILED"


@pytest.mark.parametrize(
    ("change", "claim"),
    [
        ({"grid": ["1MS??", "12?2S", "01?1M"]}, "grid"),
        ({"status": "inconsistent", "grid": None}, "status"),
        ({"mines": 3}, "the size"),
        ({"cells": [{**PROOF, "verdict": "safe"}]}, "the proof of [0, 1]"),
        ({"cells": [{**PROOF, "clues": [[1, 3]]}]}, "the proof of [0, 1]"),
    ],
)
def test_a_false_claim_of_a_certificate_is_seen(tmp_path, change, claim):
    certificate = certify(Position.parse("3 5 ?\n1????\n12?2?\n01?1?\n"), cells=[(0, 1)])
    write_folder(tmp_path / "c", certificate.files, certificate.about)
    assert false_claim(tmp_path / "c") is None
    manifest = json.loads((tmp_path / "c" / "manifest.json").read_bytes())
    (tmp_path / "c" / "manifest.json").write_text(json.dumps(manifest | change))
    assert str(false_claim(tmp_path / "c")).startswith(claim)


@pytest.mark.parametrize(
    ("old", "new", "claim"),
    [
        ('"2"', '"3"', "3 layouts, which are 2"),
        ('"0"', '"1"', "chances"),
        ("1/2", "1/3", "chances"),
    ],
)
def test_a_false_claim_of_odds_is_seen(tmp_path, old, new, claim):
    certify_odds(Position.parse("1??\n12?\n01?")).write(tmp_path / "c")
    assert false_odds(tmp_path / "c") is None
    file = tmp_path / "c" / "odds.json"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new, 1))
    assert str(false_odds(tmp_path / "c")).startswith(claim)


def test_the_judge_of_encodings_sees_a_solution_that_is_lost():
    problem = "* c\nmin: +1 x1 ;\n+1 x1 +1 ~x2 >= 1 ;\n"
    assert mutate_encodings.lost_solution(problem, "p cnf 2 1\n1 -2 0\n") is None
    assert mutate_encodings.lost_solution(problem, "p cnf 3 2\n1 3 0\n-3 -2 0\n") is None
    lost = mutate_encodings.lost_solution(problem, "p cnf 3 2\n1 3 0\n-3 -1 0\n-3 2 0\n")
    assert lost == "the solution [-1, -2] is lost"


def test_the_judge_of_games_sees_a_verdict_that_is_false():
    def fault(grid, status="consistent"):
        game = CheckedGame(("?1?",), (grid,), 1, status, 1, 0, 1, True, 0, 0, 0)
        return mutate_games.false_verdict(game)

    assert fault("?1?") is None
    assert fault("S1M") == "cell 0,0 is said to be S, and is unknown"
    assert fault("?1?", "inconsistent") == "there are 2 layouts"
