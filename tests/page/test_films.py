"""The page of a film in a real browser: it plays, stops, steps and says where it is."""

import pytest

from satsweeper.board.size import BoardSize
from satsweeper.play.narration import narrate_strategy
from satsweeper.show.palette import THEMES
from satsweeper.show.picture.boards import game_film
from satsweeper.show.picture.write import picture

FILM = game_film(narrate_strategy(BoardSize(6, 6, 6), seed=3), "a game", 60_000)
LAST = len(FILM.scenes) - 1


@pytest.fixture
def opened(browser, tmp_path):
    path = tmp_path / "game.html"
    path.write_bytes(picture(FILM, "html", THEMES["light"], None, "a game"))

    def visit(motion: str):
        page = browser.new_context(reduced_motion=motion).new_page()
        page.goto(path.as_uri())
        return page

    return visit


def test_a_film_begins_by_itself_but_where_less_motion_is_wanted(opened):
    for motion, label in (("no-preference", "Pause"), ("reduce", "Play")):
        assert opened(motion).locator("#play").inner_text() == label


def test_keys_and_buttons_lead_to_every_picture(opened):
    page = opened("reduce")

    def shown() -> tuple[int, float]:
        scene = page.locator("#at").input_value()
        assert page.locator("#said").inner_text().startswith(f"{scene} of {LAST}")
        assert (
            page.locator("li[aria-current]")
            .inner_text()
            .startswith(" ".join(FILM.scenes[int(scene)].caption))
        )
        return int(scene), page.evaluate("document.querySelector('svg').getCurrentTime()")

    begins = [sum(FILM.durations[:at]) / 1000 for at in range(len(FILM.scenes))]
    page.locator("summary").click()
    for scene in range(1, LAST + 1):
        page.keyboard.press("ArrowRight")
        assert shown() == (scene, pytest.approx(begins[scene], abs=0.01))
    page.keyboard.press("ArrowRight")
    assert shown()[0] == LAST
    page.locator("#back").click()
    assert shown()[0] == LAST - 1
    page.keyboard.press("Home")
    assert shown()[0] == 0
    page.locator("#at").focus()
    page.keyboard.press("ArrowRight")
    assert shown()[0] == 1
    page.locator("#play").press("Space")
    assert page.locator("#play").inner_text() == "Pause"
    page.locator("#step").press("Enter")
    assert (page.locator("#play").inner_text(), shown()[0]) == ("Play", 2)
