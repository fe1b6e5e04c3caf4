"""Random mutations of certificates of odds: none is accepted that claims anything false."""

from pathlib import Path

import pytest

from satsweeper import Position
from satsweeper.certificate.odds import certify_odds
from satsweeper.checker.odds import check, circuit
from scripts.forgery.odds_claims import false_odds, truth
from scripts.mutate_odds import judge, main


def test_four_hundred_mutations_are_rejected_or_harmless(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["--count", "400", "--boards", "20", "--seed", "7"]) == 0
    out = capsys.readouterr().out
    assert "400 mutations" in out
    footer = out.splitlines()[-2].split("│")
    rejected, harmless, false, failed = map(int, footer[2:6])
    assert (rejected + harmless, false, failed) == (400, 0, 0)
    assert rejected > 300


@pytest.mark.slow
def test_ten_thousand_mutations_are_rejected_or_harmless() -> None:
    assert main(["--count", "10000", "--boards", "150", "--seed", "1"]) == 0


def test_it_takes_two_bugs_of_the_checker_to_accept_a_circuit_that_lacks_layouts(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ["--count", "500", "--boards", "20", "--seed", "3"]
    with monkeypatch.context() as patch:
        patch.setattr(circuit, "_require_all", lambda *_: 0)
        assert main(options) == 0
    monkeypatch.setattr(check, "recount", lambda *_: None)
    assert main(options) == 0
    monkeypatch.setattr(circuit, "_require_all", lambda *_: 0)
    assert main(options) == 1
    assert ": FALSE: " in capsys.readouterr().out


def test_a_checker_that_breaks_is_found_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    certify_odds(Position.parse("1??\n")).write(tmp_path / "c")
    assert judge(tmp_path / "c") == ("harmless", "")
    monkeypatch.setattr(check, "chances_of", lambda *_: 1 // 0)
    assert judge(tmp_path / "c")[0] == "FAILED"


@pytest.mark.parametrize(
    ("old", "new", "claim"),
    [
        ('"2"', '"3"', "3 layouts, which are 2"),
        ('"0"', '"1"', "chances"),
        ("1/2", "1/3", "chances"),
    ],
)
def test_a_false_claim_is_seen(tmp_path: Path, old: str, new: str, claim: str) -> None:
    certify_odds(Position.parse("1??\n12?\n01?")).write(tmp_path / "c")
    assert false_odds(tmp_path / "c") is None
    file = tmp_path / "c" / "odds.json"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new, 1))
    found = false_odds(tmp_path / "c")
    assert found is not None
    assert found.startswith(claim)


def test_the_referee_counts_two_layouts_of_a_corner() -> None:
    solutions, chances = truth(("1??", "12?", "01?"), None, True, None)
    assert (solutions, [str(chance) for chance in chances]) == (2, ["1", "0", "1/2", "1/2"])
