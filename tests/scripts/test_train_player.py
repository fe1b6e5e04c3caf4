"""The network of `learned` made from games: its targets, its fit, and a run that goes on."""

import json
from dataclasses import replace

import numpy as np
import pytest

from satsweeper.play.kernel.learned import INPUTS, estimate
from satsweeper.play.strategies.built_in import network_of
from scripts import train_player
from scripts.study import value


def guesses(seed, many=20000):
    """Guesses of games of two each, at cells with two values, and the chance of each value."""
    drawn = np.random.default_rng(seed)
    inputs = drawn.normal(size=(2 * many, INPUTS)).astype(np.float32)
    chance = np.exp(inputs[:, 0]) / (1 + np.exp(inputs[:, 0]))
    begin = np.arange(many) * 2
    came = np.where(drawn.random(many) < 0.8, begin + drawn.integers(2, size=many), -1)
    worth = (drawn.random(many) < chance[came]) * (came >= 0)
    after = np.c_[np.full(2 * many, 0.4), inputs].astype(np.float32)
    games = np.arange(many)
    return value.Guesses(after, begin, begin + 2, came, worth.astype(np.float32), games), chance


def test_targets_are_the_next_estimate_and_a_share_of_what_came_after_it():
    found, chance = guesses(1, 6)
    found = replace(found, game=np.array([0, 0, 0, 1, 1, 2]), came=np.array([0, 3, -1, 6, 9, 10]))
    expected = [0.4 * (chance[2 * g] + chance[2 * g + 1]) for g in range(6)]
    last = found.worth
    third = expected[2] + 0.3 * (0 - 0)
    assert value.targets(found, chance, 0.3) == pytest.approx(
        [expected[1] + 0.3 * (third - chance[3]), third, last[2],
         expected[4] + 0.3 * (last[4] - chance[9]), last[4], last[5]]
    )  # fmt: skip
    assert value.targets(found, chance, 0)[0] == pytest.approx(expected[1])


def test_a_fit_finds_what_the_games_were_drawn_by_and_the_file_is_the_network():
    found, chance = guesses(2)
    network, lines = value.train(found, units=4, epochs=40, rounds=2, seed=1, fits=2)
    estimates = network.chances(found.after[:, 1:])
    assert np.corrcoef(estimates, chance)[0, 1] > 0.95
    assert [line.split(":")[0] for line in lines] == ["round 1", "round 2"]
    held = network_of(network.as_json())
    for row in range(20):
        told = estimate(held, found.after[row, 1:].astype(float))
        assert told == pytest.approx(float(estimates[row]), abs=1e-3)


def test_a_run_goes_on_with_the_shards_that_are_there(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(train_player, "SETTINGS", (("8x8/12", "safe", (0, 0), 8),))
    words = ["-o", str(tmp_path / "games"), "--epochs", "1", "--units", "2", "--explore", "1"]
    first, second = tmp_path / "first.json", tmp_path / "second.json"
    assert train_player.main([*words, "--to", str(first)]) == 0
    assert capsys.readouterr().err.count(" guesses\n") == 1
    assert train_player.main([*words, "--to", str(second)]) == 0
    assert capsys.readouterr().err == ""
    assert second.read_bytes() == first.read_bytes()
    [shard] = (tmp_path / "games").glob("*.npz")
    found = value.read([shard, shard])
    sums = np.add.reduceat(found.after[:, 0], found.begin)
    assert ((sums > 0) & (sums <= 1 + 1e-6)).all()
    assert ((found.begin <= found.came) & (found.came < found.end) | (found.came == -1)).all()
    assert len(set(found.game)) == 2 * len(set(value.read([shard]).game))
    # The network made here plays the next games.
    more = ["-o", str(tmp_path / "more"), "--also", str(tmp_path / "games")]
    assert train_player.main([*words[2:], *more, "--network", str(first)]) == 0
    first.write_text(json.dumps({"hidden": [[1]], "output": [1]}))
    assert train_player.main([*words, "--network", str(first)]) == 1
    assert "first.json: no network" in capsys.readouterr().err
