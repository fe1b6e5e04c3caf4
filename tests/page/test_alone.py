"""The page by itself: no other host, no network once it is there, and answers that come at once."""

from pathlib import Path
from time import monotonic

PAGE = Path(__file__).parents[2] / "dist" / "page"
EXPERT = (Path(__file__).parents[2] / "examples" / "expert.txt").read_text()
# The limits that were set for the page.
COLD, LATER, MEGABYTES = 30.0, 0.3, 35


def test_the_page_is_small():
    size = sum(path.stat().st_size for path in PAGE.rglob("*") if path.is_file())
    assert size <= MEGABYTES * 10**6


def test_the_first_verdict_comes_soon_and_later_ones_at_once(visiting):
    begun = monotonic()
    visit = visiting()
    visit.page.wait_for_selector(".cell.safe")
    assert monotonic() - begun < COLD
    visit.page.fill("#pasted", EXPERT)
    visit.paste(EXPERT)
    begun = visit.page.evaluate("performance.now()")
    visit.page.click("#read")
    visit.idle()
    visit.page.wait_for_selector("[data-cell='3,2'].safe")
    taken = visit.page.evaluate("document.getElementById('work').textContent")
    assert taken.startswith("classified in ")
    number, unit = taken.split()[-2:]
    assert float(number) / (1000 if unit == "ms" else 1) < LATER


def test_without_a_network_a_page_that_is_open_answers_everything(visiting, address):
    visit = visiting()
    before = len(visit.requests)
    visit.context.set_offline(True)
    visit.paste(EXPERT)
    visit.cell(3, 2).click()
    visit.idle()
    visit.page.click("[data-show=odds]")
    visit.idle()
    visit.go("game=9x9/10&seed=5&first=opening&guess=no&start=4.4&did=o4.4-a")
    assert "You have won" in visit.said()
    assert [url for url in visit.requests[before:] if not url.startswith(address)] == []
    assert all(url.startswith(address) for url in visit.requests)
    assert visit.faults == []
