"""The built page in a real browser; `scripts/test --browser` installs it and builds the page."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "dist" / "page"
ARTEFACTS = ROOT / "build" / "screenshots"
BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
PATIENCE = 200_000
FOLLOWED = """link => new Promise(done => {
  if (location.hash === `#${link}` || location.hash === link) done();
  addEventListener("hashchange", done, { once: true });
  location.hash = link;
})"""
"""Follow a link; done when the page has heard of it."""
WIDE = {"width": 1280, "height": 860}
TWICE = {"viewport": {"width": 640, "height": 430}}
"""A screen 1280 wide at 200 %."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = [item for item in items if Path(__file__).parent in item.path.parents]
    for item in here:
        item.add_marker(pytest.mark.xdist_group("browser"))
        if "SATSWEEPER_BROWSER" not in os.environ:
            item.add_marker(pytest.mark.skip(reason="scripts/test --browser runs it"))


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server of a built page."""
    command = [sys.executable, "-m", "satsweeper", "page", "--serve", str(folder)]
    path = os.pathsep.join([str(ROOT / "encodings"), str(ROOT)])
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": path}
    ) as server:
        assert server.stdout is not None
        try:
            yield server.stdout.readline().strip()
        finally:
            server.terminate()


@pytest.fixture(scope="session")
def address():
    with served(PAGE) as found:
        yield found


@pytest.fixture(scope="session")
def browser():
    from playwright.sync_api import sync_playwright

    program = next(path for name in BROWSERS if (path := shutil.which(name)))
    with sync_playwright() as tool:
        started = tool.chromium.launch(executable_path=program, args=["--no-sandbox"])
        yield started
        started.close()


class Visit:
    """A page that was opened, and what it asked for and complained about meanwhile."""

    def __init__(self, browser: Any, address: str, link: str = "", **options: Any) -> None:
        self.context = browser.new_context(**{"viewport": WIDE, "accept_downloads": True} | options)
        self.requests: list[str] = []
        self.faults: list[str] = []
        self.context.on("request", lambda request: self.requests.append(request.url))
        self.page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("console", self._noted)
        self.address = address
        self.page.goto(address + link)

    def ready(self) -> "Visit":
        self.page.wait_for_selector("body[data-ready]")
        self.idle()
        return self

    def idle(self) -> None:
        """Wait until Python has answered all questions."""
        self.page.wait_for_selector("body[data-waiting='0']", state="attached")

    def stop(self) -> None:
        """Stop what runs, if something does, and wait until it has stopped."""
        # Seen and clicked in one step: the button is gone as soon as the work has ended.
        self.page.evaluate("(stop => stop.checkVisibility() && stop.click())(cancel)")
        self.idle()

    def until(self, condition: str, given: Any = None) -> None:
        """Wait until an asynchronous function of JavaScript comes to something true."""
        # wait_for_function does not wait for what a function promises.
        again = f"(await ({condition})(given)) ? done() : setTimeout(look, 100)"
        late = f"setTimeout(() => fail(new Error('never')), {PATIENCE})"
        look = f"const look = async () => {again}; look(); {late};"
        self.page.evaluate(f"given => new Promise((done, fail) => {{ {look} }})", given)

    def said(self) -> str:
        return str(self.page.inner_text("#said"))

    def cell(self, row: int, column: int) -> Any:
        return self.page.locator(f"[data-cell='{row},{column}']")

    def label(self, row: int, column: int) -> str:
        return str(self.cell(row, column).get_attribute("aria-label"))

    def marked(self, kind: str = "mark") -> set[str]:
        found = self.page.eval_on_selector_all(f".{kind}", "all => all.map(c => c.dataset.cell)")
        return set(found)

    def rows(self) -> list[list[str]]:
        """The board as it is shown, a sign a cell."""
        code = "all => all.map(line => [...line.querySelectorAll('.cell')].map(c => c.innerText))"
        return list(self.page.eval_on_selector_all("[role=row]", code))

    def paste(self, text: str) -> None:
        self.page.fill("#pasted", text)
        self.page.click("#read")
        self.idle()

    def go(self, link: str) -> None:
        self.page.evaluate(FOLLOWED, link)
        self.idle()

    def link(self) -> str:
        return str(self.page.evaluate("location.hash"))

    def burst(self, cells: list[tuple[int, int]], button: str = "left") -> None:
        """Click on cells one after the other without waiting for answers."""
        boxes = [self.cell(*cell).bounding_box() for cell in cells]
        for box in boxes:
            self.page.mouse.click(box["x"] + 9, box["y"] + 9, button=button)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
            self.idle()

    def picture(self, name: str) -> None:
        ARTEFACTS.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=ARTEFACTS / f"{name}.png")

    def end(self) -> None:
        """Close it; nothing went wrong, and no other host was asked for anything."""
        self.context.close()
        assert self.faults == []
        others = [u for u in self.requests if not u.startswith((self.address, "blob:", "data:"))]
        assert others == []

    def _noted(self, message: Any) -> None:
        if message.type == "error":
            self.faults.append(message.text)


@pytest.fixture(scope="session")
def opened(browser, address):
    """One visit for the tests that do not care how it began."""
    visit = Visit(browser, address).ready()
    yield visit
    visit.end()


@pytest.fixture
def starting(browser, address):
    """Visits of their own, in which Python is still loading: a link, and options of the context."""
    visits: list[Visit] = []

    def begin(link: str = "", **options: Any) -> Visit:
        visits.append(Visit(browser, address, link, **options))
        return visits[-1]

    yield begin
    for visit in visits:
        visit.end()


@pytest.fixture
def visiting(starting):
    """Visits of their own in which Python is there."""
    return lambda link="", **options: starting(link, **options).ready()


@pytest.fixture
def visit(opened):
    opened.go("size=3x3/?&cells=01a12ac")
    return opened
