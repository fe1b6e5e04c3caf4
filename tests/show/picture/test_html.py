"""Pages of pictures: nothing comes from elsewhere, and a film can be held and stepped through."""

import json
import re
from html.parser import HTMLParser

import pytest

from satsweeper import Position, classify
from satsweeper.board.size import BoardSize
from satsweeper.play.narration import narrate_strategy
from satsweeper.show.palette import THEMES
from satsweeper.show.picture.boards import game_film, verdict_scene
from satsweeper.show.picture.scene import Film
from satsweeper.show.picture.write import picture

FILM = game_film(narrate_strategy(BoardSize(6, 6, 6), seed=3), "a <game>")


class Reader(HTMLParser):
    """Elements with their attributes, and the text of each item of a list."""

    def __init__(self, document: str) -> None:
        super().__init__()
        self.elements = list[tuple[str, dict[str, str | None]]]()
        self.items = list[str]()
        self.feed(document)

    def handle_starttag(self, tag, attrs):
        self.elements.append((tag, dict(attrs)))
        if tag == "li":
            self.items.append("")

    def handle_data(self, data):
        if self.items:
            self.items[-1] += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def page(film: Film, theme: str = "light") -> str:
    return picture(film, "html", THEMES[theme], None, "a <title>").decode()


@pytest.mark.parametrize("theme", THEMES)
def test_a_page_asks_nobody_for_anything(theme):
    document = page(FILM, theme)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|url\(|@import|<link|<img", document)
    assert not any("src" in attributes for _, attributes in Reader(document).elements)
    assert f"color-scheme: {theme}" in document


def test_a_film_has_a_player_with_as_many_pictures_as_sentences_and_their_times():
    found = Reader(page(FILM))
    slider = found.all("input")
    assert [(s["type"], s["min"], s["max"]) for s in slider] == [
        ("range", "0", str(len(FILM.scenes) - 1))
    ]
    assert slider[0]["aria-label"]
    assert [button["id"] for button in found.all("button")] == ["back", "play", "step"]
    # Without scripts there is nothing to press: the player is hidden until it works.
    assert [each.get("hidden") for each in found.all("div") if each.get("id") == "player"] == [None]
    assert len(found.items) == len(FILM.scenes)
    for item, scene in zip(found.items, FILM.scenes, strict=True):
        assert item.startswith(" ".join(scene.caption))
    begins, durations = map(json.loads, re.findall(r"(?:begins|durations) = (\[.*?\])", page(FILM)))
    assert durations == list(FILM.durations)
    assert begins == [sum(durations[:at]) for at in range(len(durations))]


def test_a_board_stands_still():
    found = Reader(page(Film((verdict_scene(classify(Position.parse("1 2 ?\n1?"))),), (0,))))
    assert not found.all("script") + found.all("button") + found.all("input")
