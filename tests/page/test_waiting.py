"""The page while it waits: nothing is lost, nothing refused is taken, all is there at once."""

import json
import re
import shutil
from contextlib import suppress
from urllib.parse import quote

import pytest

from scripts.build_page import finish
from tests.page.conftest import PAGE, ROOT, Visit, served

KEPT = """async files => {
  const [name] = await caches.keys();
  return name && (await (await caches.open(name)).keys()).length === files;
}"""
"""Whether all files of the page, and Python as it was left, are in the cache of the page."""
STOP_OR_DONE = """() => {
  const { hidden } = document.querySelector("#cancel");
  return !hidden || document.body.dataset.waiting === "0";
}"""
WAITING = "async () => Boolean((await navigator.serviceWorker.getRegistration()).waiting)"
"""Whether another build is there, complete, and waits."""
NEW = "() => document.querySelector('h1')?.innerText.startsWith('New')"
"""Whether the new build is shown."""
GAME = "game=16x16/40&seed=5&first=opening&guess=no"
SMALL = "size=3x3/?&cells=01a12ac"
CORNERS = "id=3x3:u808&did=o1.1"
"""Mines at (0, 0) and (2, 2), and the clue 2 between them is open."""


def flags(visit):
    return visit.page.locator(".flag").count()


# What is asked while an answer is due waits for it


def test_clicks_faster_than_the_answers_are_all_kept(visit):
    visit.go("game=30x16/99&seed=5&first=opening&guess=yes&start=8.8&did=o8.8&show=odds")
    cells = [(row, column) for row in (0, 15) for column in range(30)]
    covered = [cell for cell in cells if "covered" in visit.label(*cell)][:30]
    assert len(covered) == 30
    visit.burst(covered, button="right")
    visit.idle()
    assert flags(visit) == len(covered)
    moves = "-".join(f"f{row}.{column}" for row, column in covered)
    assert visit.link().endswith(f"&did=o8.8-{moves}&show=odds")


def test_the_largest_board_is_pasted_stopped_classified_and_drawn_on(visit):
    rows = [["?"] * 100 for _ in range(100)]
    rows[0][0] = "3"
    text = "100 100 ?\n" + "\n".join("".join(row) for row in rows)
    visit.page.fill("#pasted", text)
    visit.page.click("#read")
    # Stopped while it is read, or else read before it could be.
    visit.page.wait_for_function(STOP_OR_DONE)
    visit.stop()
    visit.paste(text)
    assert visit.label(1, 1) == "row 1 column 1, covered, mine"
    assert visit.label(99, 99) == "row 99 column 99, covered, unknown"
    visit.page.click("[data-tool='0']")
    visit.cell(99, 99).click()
    visit.page.wait_for_timeout(150)
    visit.idle()
    assert visit.label(98, 98) == "row 98 column 98, covered, safe"
    visit.page.click("[data-tool=why]")


def test_clicks_during_the_search_for_a_board_wait_for_it(visit):
    visit.go(GAME)
    visit.burst([(8, 8), (0, 0), (15, 15)])
    visit.idle()
    assert "&start=8.8&did=o8.8-o0.0" in visit.link()


def test_clicks_after_the_end_are_no_moves_and_keys_work_wherever_the_focus_is(visit):
    visit.go(CORNERS)
    visit.cell(0, 0).click()
    visit.page.click("text=Auto")
    visit.page.click("text=Auto")
    visit.cell(0, 2).click()
    visit.idle()
    assert visit.said() == "The game is lost."
    assert visit.link() == "#id=3x3:u808&did=o1.1-o0.0"
    visit.page.click("text=Auto")
    visit.press("u")
    assert visit.label(0, 0) == "row 0 column 0, covered"
    # In a field a key is a letter.
    visit.page.fill("#game [name=seed]", "")
    visit.page.focus("#game [name=seed]")
    visit.press("u")
    assert visit.link() == "#id=3x3:u808&did=o1.1"


# What is refused changes nothing


@pytest.mark.parametrize("size", ["5x5/", "5x5/25", "200x200/5"])
def test_a_game_that_cannot_be_leaves_the_game_in_play(visit, size):
    visit.go(f"{CORNERS}-f0.0&show=verdicts")
    link, rows = visit.link(), visit.rows()
    visit.page.select_option("#game [name=board]", "")
    for name, value in zip(("columns", "rows", "mines"), re.split("[x/]", size), strict=True):
        visit.page.fill(f"#game [name={name}]", value)
    visit.page.click("#game button")
    visit.idle()
    assert visit.page.get_attribute("#said", "class") == "wrong"
    assert (visit.link(), visit.rows()) == (link, rows)
    assert visit.page.inner_text("#counts") == "1 mine left"
    visit.cell(0, 2).click()
    visit.idle()
    assert visit.link() == link.replace("f0.0", "f0.0-o0.2")


def test_a_refused_paste_changes_nothing_but_the_message(visit):
    visit.cell(2, 2).click()
    visit.idle()
    link, rows, counts = visit.link(), visit.rows(), visit.page.inner_text("#counts")
    assert visit.marked() == {"0,1", "1,0", "1,1"}
    visit.paste("1?\n?z\n")
    assert visit.said().startswith("board:2:2: unknown character 'z'")
    assert visit.page.inner_text("#work") == ""
    assert (visit.link(), visit.rows()) == (link, rows)
    assert visit.page.inner_text("#counts") == counts
    assert visit.marked() == {"0,1", "1,0", "1,1"}
    assert visit.page.input_value("#pasted") == "1?\n?z\n"


@pytest.mark.parametrize(
    ("link", "said"),
    [
        ("size=5x5/3&cells=zz", "its cells are not 25 of 0-8, F and a-z."),
        ("board=1%3Fz", "board:1:3: unknown character 'z'"),
        ("game=abc&seed=1&did=o0.0", "abc"),
    ],
)
def test_a_broken_link_says_so_and_stays_in_the_address(visiting, link, said):
    visit = visiting(f"#{link}")
    assert visit.said().startswith("The link cannot be read: ")
    assert said in visit.said()
    assert visit.said().endswith("This is an example.")
    assert visit.link() == f"#{link}"
    assert len(visit.rows()) == 4
    # What is done then is linked again.
    visit.go(SMALL)
    visit.go(link)
    assert said in visit.said()
    assert visit.rows()[0] == ["", "1", "?"]
    assert visit.link() == f"#{link}"


def test_an_impossible_clue_is_framed_where_it_stands(visit):
    visit.go("size=3x3/?&cells=i")
    visit.cell(2, 1).focus()
    visit.press("7")
    assert visit.said().startswith("(2, 1): clue 7 with 5 covered")
    assert visit.marked("clash") == {"2,1"}
    visit.press("5")
    assert visit.marked("clash") == set()


# What is shown in a game


def test_odds_in_a_game_show_what_is_certain_by_letters(visit):
    visit.go(f"{GAME}&start=8.8&did=o8.8")
    visit.page.click("[data-show=odds]")
    visit.idle()
    signs = {visit.label(*cell).rpartition(", ")[2]: sign for cell, sign in cells_of(visit)}
    assert (signs["safe"], signs["mine"]) == ("S", "M")
    assert "" not in {sign for cell, sign in cells_of(visit) if "covered" in visit.label(*cell)}


def cells_of(visit):
    return [((r, c), sign) for r, row in enumerate(visit.rows()) for c, sign in enumerate(row)]


def test_a_wrong_flag_is_crossed_out_after_a_loss(visit):
    visit.go(f"{CORNERS}-f0.1-f2.2")
    visit.cell(0, 0).click()
    visit.idle()
    assert "You have lost" in visit.said()
    assert visit.label(0, 1) == "row 0 column 1, a wrong flag"
    assert visit.label(2, 2) == "row 2 column 2, flag"
    style = "c => getComputedStyle(c).textDecorationLine"
    assert [visit.cell(*cell).evaluate(style) for cell in ((0, 1), (2, 2))] == [
        "line-through",
        "none",
    ]


# There at once, and again without a network


def test_before_python_is_there_a_board_is_drawn_and_pasted_and_the_rest_waits(starting):
    visit = starting()
    assert visit.page.get_attribute("body", "data-ready") is None
    assert len(visit.rows()) == 4
    visit.page.fill("#blank [name=columns]", "3")
    visit.page.fill("#blank [name=rows]", "1")
    visit.page.click("#blank button")
    visit.page.click("[data-tool='2']")
    visit.cell(0, 1).click()
    assert visit.rows() == [["", "2", ""]]
    # Escape stops no loading, and there is no button that would.
    assert visit.page.is_hidden("#cancel")
    visit.page.keyboard.press("Escape")
    visit.page.click("[data-tool=why]")
    visit.cell(0, 0).click()
    assert visit.page.locator(".pending").count() == 1
    assert visit.page.get_attribute("body", "data-ready") is None
    visit.ready()
    assert visit.rows() == [["M", "2", "M"]]
    assert visit.said().startswith("(0, 0) is a mine: ")
    visit.paste("1 3 1\n1??\n")
    assert visit.rows() == [["1", "M", "S"]]


def files_kept(folder=PAGE):
    """The number of entries of the cache of a page."""
    # The service worker itself is kept elsewhere by the browser; the memory of Python is no file.
    return sum(path.is_file() for path in folder.rglob("*"))


def kept_visit(browser, address, folder):
    """A visit that has kept all files of the page in its cache."""
    visit = Visit(browser, address).ready()
    visit.until(KEPT, files_kept(folder))
    return visit


def test_the_second_visit_needs_no_network(browser):
    with served(PAGE) as address:
        visit = kept_visit(browser, address, PAGE)
    visit.page.goto("about:blank")
    visit.page.goto(f"{address}#board={quote('1??')}%0A")
    visit.ready()
    assert visit.rows() == [["1", "M", "?"]]
    visit.context.close()


def test_a_kept_memory_of_python_that_is_damaged_is_made_again(browser, address):
    visit = kept_visit(browser, address, PAGE)
    store = "caches.keys().then(([name]) => caches.open(name))"
    memory = f"{store}.then(store => store.match('memory')).then(kept => kept.arrayBuffer())"
    size = f"() => {memory}.then(kept => kept.byteLength)"
    before = visit.page.evaluate(size)
    damaged = "kept => new Response(kept.slice(0, 10 ** 6))"
    put = f"{memory}.then({damaged}).then(cut => {store}.then(store => store.put('memory', cut)))"
    visit.page.evaluate(f"() => {put}")
    assert visit.page.evaluate(size) == 10**6 < before
    visit.page.reload()
    visit.ready()
    assert visit.page.locator(".cell.safe").count() == 2
    visit.until(f"async size => await ({size})() === size", before)
    visit.end()


def test_a_new_build_takes_the_place_of_the_old_one_as_a_whole(browser, tmp_path):
    """The next visit shows the old build still, and fetches the new one for the one after it."""
    from playwright.sync_api import TimeoutError as TooLate

    folder = tmp_path / "page"
    shutil.copytree(PAGE, folder)
    with served(folder) as address:
        visit = kept_visit(browser, address, folder)
        (before,) = visit.page.evaluate("caches.keys()")
        index = folder / "index.html"
        index.write_text(index.read_text("utf-8").replace("<h1>", "<h1>New "), "utf-8")
        shutil.copy(ROOT / "page" / "service_worker.js", folder)
        finish(folder, json.loads((ROOT / "page" / "versions.json").read_text()), "2")
        visit.page.reload()
        visit.ready()
        assert visit.page.inner_text("h1") == "SatSweeper"
        visit.until(WAITING)
        # A browser may hold the old build for another visit, as long as it is busy with it.
        for _ in range(4):
            visit.page.reload()
            with suppress(TooLate):
                visit.page.wait_for_function(NEW, timeout=15_000)
                break
        assert visit.page.evaluate(NEW)
        visit.ready()
        (after,) = visit.page.evaluate("caches.keys()")
        assert after != before
        visit.end()
