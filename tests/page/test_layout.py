"""The page under a finger and by keys: sizes of cells, places that stay, toolbars, the form."""

import pytest

from tests.page.test_page import BEGUN, EXPERT, PHONE, SMALL, focused

WIDE_GAME = "game=30x16/99&seed=5&first=opening&guess=no"


def top(visit, cell="0,0"):
    return visit.page.locator(f"[data-cell='{cell}']").bounding_box()["y"]


def side(visit):
    return visit.cell(0, 0).bounding_box()["width"]


@pytest.mark.parametrize("options", [{}, PHONE], ids=["desktop", "phone"])
def test_cells_fill_the_room_from_24_to_44_pixels(visiting, options):
    visit = visiting(f"#{SMALL}", **options)
    assert side(visit) == pytest.approx(44, abs=0.6)
    visit.go("size=9x9/10&cells=" + "z" * 3 + "c")
    assert side(visit) >= 38
    visit.go(WIDE_GAME)
    assert side(visit) >= 23.9
    assert (
        visit.page.evaluate("document.documentElement.scrollWidth")
        <= (options.get("viewport", {"width": 1280})["width"])
    )
    assert visit.page.is_visible("#map") == bool(options)


def test_nothing_moves_whatever_is_said(visiting):
    visit = visiting(f"#{SMALL}", **PHONE)
    visit.paste(EXPERT)
    places = []
    for cell in ((3, 2), (0, 9), (9, 9), (15, 0)):
        visit.page.evaluate("scrollTo(0, 0)")
        visit.cell(*cell).tap()
        visit.idle()
        box, said = visit.cell(*cell).bounding_box(), visit.page.locator(".head").bounding_box()
        assert box["y"] >= said["y"] + said["height"]
        visit.page.evaluate("scrollTo(0, 0)")
        places.append(top(visit))
    assert len(set(places)) == 1


def test_cells_grow_and_shrink_by_buttons_and_another_board_fits_again(visit):
    before = side(visit)
    visit.page.click("[aria-label='smaller cells']")
    assert side(visit) < before
    for _ in range(2):
        visit.page.click("[aria-label='larger cells']")
    assert side(visit) > before
    visit.go("size=4x4/?&cells=p")
    assert side(visit) == pytest.approx(44, abs=0.6)


def test_two_fingers_make_cells_larger_and_touch_none(visiting):
    visit = visiting(f"#{WIDE_GAME}&start=8.15&did=o8.15", **PHONE)
    before, link = side(visit), visit.link()
    session = visit.context.new_cdp_session(visit.page)

    def touch(kind, *places):
        points = [{"x": x, "y": 600, "id": number} for number, x in enumerate(places)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 150)
    touch("touchStart", 150, 250)
    for further in range(5, 60, 5):
        touch("touchMove", 150 - further, 250 + further)
    # As long as a long touch.
    visit.page.wait_for_timeout(500)
    touch("touchEnd")
    visit.idle()
    assert side(visit) > 1.5 * before
    assert visit.link() == link


def test_a_finger_on_the_map_moves_a_wide_board(visiting):
    visit = visiting(f"#{WIDE_GAME}", **PHONE)
    box = visit.page.locator("#map").bounding_box()
    visit.page.mouse.click(box["x"] + box["width"] - 3, box["y"] + box["height"] / 2)
    edge = visit.cell(8, 29).bounding_box()
    assert edge["x"] + edge["width"] <= 401


def test_arrows_move_in_the_toolbar_and_in_the_groups_and_keys_work_there(visit):
    visit.go(BEGUN)
    page = visit.page
    page.focus("text=New game")
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.textContent") == "Hint"
    assert page.locator("#commands [tabindex='0']").count() == 1
    page.keyboard.press("End")
    assert page.evaluate("document.activeElement.textContent") == "Replay"
    page.focus("[name=show][value=nothing]")
    page.keyboard.press("ArrowRight")
    visit.idle()
    assert page.is_checked("[name=show][value=verdicts]")
    assert page.get_by_role("group", name="What is shown").get_by_role("radio").count() == 3
    # A letter is a command there, as on the board.
    visit.press("o")
    assert page.is_checked("[name=show][value=odds]")
    page.focus("[name=show][value=odds]")
    visit.press("u")
    assert "&did=" not in visit.link()
    assert focused(visit) == ""


def test_the_form_says_what_is_played_and_another_game_is_of_that_kind(visiting):
    visit = visiting("#game=20x5/9&seed=4&first=safe&guess=no")
    read = "form => Object.fromEntries(['board','columns','rows','mines','first_click']"
    read += ".map(name => [name, form.elements[name].value]))"
    assert visit.page.eval_on_selector("#game", read) == {
        "board": "", "columns": "20", "rows": "5", "mines": "9", "first_click": "safe"
    }  # fmt: skip
    visit.cell(0, 0).focus()
    visit.press("n")
    assert visit.link().startswith("#game=20x5/9&seed=")
    # A choice in the form holds for the key and the button alike.
    visit.page.select_option("#game [name=board]", "16x16/40")
    visit.cell(0, 0).focus()
    visit.press("n")
    assert visit.link().startswith("#game=16x16/40&seed=")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_borders_that_mean_something_stand_out(visiting, theme):
    visit = visiting(f"#{BEGUN}", color_scheme=theme)
    colours = visit.page.evaluate(
        """() => {
          const of = (selector, name) => getComputedStyle(document.querySelector(selector))[name];
          return [
            [of("button", "borderTopColor"), of("body", "backgroundColor")],
            [of("button", "borderTopColor"), of("button", "backgroundColor")],
            [of(".covered", "borderTopColor"), of(".covered", "backgroundColor")],
            [of(".covered", "borderTopColor"), of(".open", "backgroundColor")],
            [of("input:not([type=radio])", "borderTopColor"), of("body", "backgroundColor")],
          ];
        }"""
    )
    assert [pair for pair in colours if contrast(*pair) < 3] == []


def contrast(one, other):
    """The ratio of two colours as WCAG 2.2 defines it."""
    light = sorted((luminance(one), luminance(other)))
    return (light[1] + 0.05) / (light[0] + 0.05)


def luminance(colour):
    parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return sum(w * p for w, p in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


PAINTED = """() => {
  globalThis.painted = new Set();
  new MutationObserver(changes => {
    for (const { target } of changes) {
      const cell = (target.closest ? target : target.parentElement).closest("[data-cell]");
      globalThis.painted.add(cell?.dataset.cell ?? "all");
    }
  }).observe(document.getElementById("board"),
    { subtree: true, childList: true, attributes: true, characterData: true });
}"""


def test_an_arrow_paints_the_two_cells_that_it_leaves_and_reaches(visiting):
    visit = visiting(f"#{WIDE_GAME}")
    visit.cell(2, 3).focus()
    visit.idle()
    visit.page.evaluate(PAINTED)
    visit.press("ArrowRight")
    assert set(visit.page.evaluate("[...painted]")) == {"2,3", "2,4"}
