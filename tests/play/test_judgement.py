"""Moves are judged by all layouts that the player could not exclude, and luck and skill add up."""

from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from satsweeper import Position
from satsweeper.board.geometry import Square
from satsweeper.board.layout import Layout
from satsweeper.play.game import Game
from satsweeper.play.judgement import GuessSum, Judge, MoveKind, WorthSource
from satsweeper.play.narration import narrate_record
from tests.boards import FLAG
from tests.play.cells import all_layouts, clue_of, neighbours, open_some

# The best play and two moves ahead, by trying every cell in every layout.


def parts(layouts, cells):
    """The layouts in which all these cells are free, by what they show there."""
    found = {}
    for layout in layouts:
        shown = tuple(layout[cell] for cell in cells)
        if "*" not in shown:
            found.setdefault(shown, []).append(layout)
    return found.values()


def wins(layouts, closed):
    """How many of the layouts the best play wins."""
    if all(layouts[0][cell] == "*" for cell in closed) or len(layouts) == 1:
        return len(layouts)
    free = [cell for cell in closed if any(layout[cell] != "*" for layout in layouts)]
    certain = [cell for cell in free if all(layout[cell] != "*" for layout in layouts)]
    # What is certain never loses; to try it alone keeps the search short.
    return max(won(layouts, closed, [cell]) for cell in certain[:1] or free)


def won(layouts, closed, cells):
    """How many of the layouts a player wins who opens ``cells``, and plays the best then."""
    return sum(wins(part, closed - {*cells}) for part in parts(layouts, cells))


def two_moves(layouts, closed, cell):
    """The chance to survive a cell, and the safest cell then."""
    survived = 0
    for part in parts(layouts, [cell]):
        safest = max((sum(r[c] != "*" for r in part) for c in closed - {cell}), default=0)
        survived += safest or len(part)
    return survived / len(layouts)


def positions(many, seed, columns=4):
    random = Random(seed)
    for _ in range(many):
        cells, total = open_some(3, columns, random)
        yield cells, total, all_layouts(cells, total), random


def test_the_worth_of_a_guess_is_that_of_the_best_play_among_all_layouts():
    kinds = set()
    for cells, total, layouts, _ in positions(60, seed=1, columns=3):
        closed, judge = frozenset(layouts[0]), Judge()
        for cell in closed:
            judged = judge.opened(Position(cells, total), [cell])
            free = sum(layout[cell] != "*" for layout in layouts)
            kinds.add(judged.kind)
            if free == len(layouts):
                assert judged.kind is MoveKind.CERTAIN
                continue
            certain = any(all(layout[c] != "*" for layout in layouts) for c in closed)
            expected = MoveKind.NEEDLESS if certain else MoveKind.GUESS
            assert judged.kind is (expected if free else MoveKind.MISTAKE)
            assert judged.safe == Fraction(free, len(layouts))
            assert judged.worths.source is WorthSource.EXACT
            assert judged.worths.best == Fraction(wins(layouts, closed), len(layouts))
            assert judged.worths.played == Fraction(won(layouts, closed, [cell]), len(layouts))
            # The bound that is told where the tree is too large.
            assert judged.worths.best - judged.worths.played <= 1 - judged.safe
    assert len(kinds) == 4


def test_a_chord_is_worth_what_all_of_its_cells_are_together():
    tried = unsafe = 0
    for cells, total, layouts, random in positions(60, seed=2):
        closed = frozenset(layouts[0])
        for at in map(tuple, zip(*(cells > 0).nonzero(), strict=True)):
            near = sorted(neighbours(at, cells.shape) & closed)
            if len(near) - cells[at] < 2:
                continue
            flags = random.sample(near, int(cells[at]))
            opened = [cell for cell in near if cell not in flags]
            right = cells.copy()
            for cell in flags:
                right[cell] = FLAG
            judged = Judge().opened(Position(cells, total), opened, Position(right, total))
            if judged.kind is MoveKind.CERTAIN:
                continue
            free = sum(map(len, parts(layouts, opened)))
            assert judged.safe == Fraction(free, len(layouts))
            assert (judged.kind is MoveKind.MISTAKE) == (not free)
            assert judged.worths.played == Fraction(won(layouts, closed, opened), len(layouts))
            tried, unsafe = tried + 1, unsafe + (not free)
    assert tried > unsafe > 0


def test_without_the_tree_two_moves_are_counted_or_a_bound_is_given():
    sources = set()
    for cells, total, layouts, _ in positions(40, seed=3):
        closed, judge = frozenset(layouts[0]), Judge(layouts=0)
        for cell in closed:
            judged = judge.opened(Position(cells, total), [cell])
            if judged.worths is None:
                assert judged.kind is MoveKind.CERTAIN
                continue
            sources.add(judged.worths.source)
            if judged.kind is MoveKind.GUESS:
                assert judged.worths.played == pytest.approx(two_moves(layouts, closed, cell))
                best = max(two_moves(layouts, closed, each) for each in closed)
                assert judged.worths.best == pytest.approx(best)
                instead = two_moves(layouts, closed, judged.worths.best_cell)
                assert instead == pytest.approx(best)
            else:
                assert judged.safe is not None
                assert judged.worths.cost == pytest.approx(float(1 - judged.safe))
    assert sources == {WorthSource.ESTIMATE, WorthSource.BOUND}


def test_what_all_games_of_a_board_lose_by_guesses_is_what_they_win_less_than_the_best_play():
    """A player who opens anything loses exactly the sum of the costs, over all layouts."""
    shape, mines = (3, 4), 3
    geometry = Square(*shape)
    places = [(r, c) for r in range(shape[0]) for c in range(shape[1])]
    games, lost, wasted = 0, 0, Fraction(0)
    layouts = []
    judge = Judge()
    for mined in combinations(places, mines):
        game = Game.on(Layout(geometry, sum(1 << geometry.index(cell) for cell in mined)))
        while not (game.won or game.lost):
            position = game.position()
            # Equal positions get equal moves, good ones and bad ones.
            game.open(Random(position.text()).choice(position.covered_cells()))
        for moment in narrate_record(game, judge):
            if moment.judged is not None and moment.judged.worths is not None:
                wasted += Fraction(moment.judged.worths.best) - Fraction(
                    moment.judged.worths.played
                )
        games, lost = games + 1, lost + game.lost
        free = {cell: clue_of(cell, {*mined}) for cell in places}
        layouts.append(free | dict.fromkeys(mined, "*"))
    assert games - lost == wins(layouts, frozenset(places)) - wasted
    assert 0 < lost < games
    assert wasted > 0


def test_luck_counts_the_guesses_that_are_not_taken_back():
    # The mine is at 0,2: a half at first, and after the 1 at 0,1 one of two cells.
    game = Game.on(Layout(Square(1, 4), mines=0b0100))
    for cell in ((0, 3), (0, 2)):
        game.open(cell)
    assert game.lost
    summed = GuessSum([moment.judged for moment in narrate_record(game)][1:], game.lost)
    assert (summed.chance, summed.unlucky) == (Fraction(3, 4), False)
    assert (len(summed.guesses), summed.mistakes) == (1, 1)
    game.undo()
    game.undo()
    game.open((0, 0))
    *_, last = narrate_record(game)
    told = "1 move was a guess, and it was safe: that happens with 75.0 %."
    assert (last.guesses, last.judged.kind) == (1, MoveKind.GUESS)
    assert told in last.sentence
    both = Game.on(Layout(Square(2, 2), mines=0b0010))
    both.open((0, 0))
    both.open((0, 1))
    *_, last = narrate_record(both)
    assert "would have been safe with 50.0 %, the last with 66.7 %. Points" in last.sentence
    unlucky = Game.on(Layout(Square(1, 4), mines=0b0100))
    unlucky.open((0, 2))
    *_, last = narrate_record(unlucky)
    assert "1 move was a guess; all of them together would have been safe with 75" in last.sentence


def test_a_position_too_wide_to_count_is_judged_without_chances(monkeypatch):
    from satsweeper.count.budget import OddsLimitError

    def refuse(position, **options):
        raise OddsLimitError("too wide")

    monkeypatch.setattr("satsweeper.play.judgement.odds", refuse)
    position = Position.parse("2 2 1\n1?\n1?")
    judged = Judge().opened(position, [(0, 1)])
    assert (judged.kind, judged.safe, judged.worths) == (MoveKind.GUESS, None, None)
    assert judged.sentence("Open", str) == "Open: a guess."
    assert GuessSum([judged]).as_json()["chance"] == "1"
