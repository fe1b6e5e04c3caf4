"""The page: well formed, self-contained, accessible, the same every time; and seen by a browser."""

import re
import shutil
import subprocess
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from satsweeper.compare.job.job import JobStatus, Task
from satsweeper.compare.report.findings import findings
from satsweeper.compare.report.sweep_folder import read_sweep_folder

pytest.importorskip("matplotlib")

COMMAND = ["satsweeper", "report", "a sweep", "--html", "<out>.html"]
VOID = {"meta", "br", "hr", "img", "input", "link"}


class Checker(HTMLParser):
    """Nesting, ids, references, and the text by element."""

    def __init__(self, page):
        super().__init__(convert_charrefs=True)
        self.open, self.problems, self.ids, self.used = [], [], [], []
        self.tags, self.text = {}, {}
        self.feed(page)
        self.close()
        self.problems += [f"never closed: {tag}" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        self._see(tag, dict(attrs))

    def handle_startendtag(self, tag, attrs):
        self._see(tag, dict(attrs))

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"closed out of turn: {tag} at {self.getpos()}")

    def handle_data(self, data):
        if self.open:
            self.text.setdefault(self.open[-1], []).append(data)
            for reference in re.findall(r"url\(([^)]*)\)|@import", data):
                self.problems.append(f"style asks for {reference}")

    def _see(self, tag, attrs):
        self.tags.setdefault(tag, []).append(attrs)
        if "id" in attrs:
            self.ids.append(attrs["id"])
        self.used += (attrs.get("aria-labelledby") or "").split()
        for name, value in attrs.items():
            if name in ("src", "srcset", "data", "action") or name.startswith("on"):
                self.problems.append(f"{tag} {name}={value}")
            references = re.findall(r"url\(([^)]*)\)", value or "")
            if name in ("href", "xlink:href"):
                references.append(value)
            for reference in references:
                self.problems += [] if reference.startswith("#") else [f"outside: {reference}"]
                self.used.append(reference.removeprefix("#"))


def page_of(folder):
    from satsweeper.compare.report.page import page

    return page(findings(read_sweep_folder(str(folder))), COMMAND)


@pytest.fixture(scope="module")
def folder(simulate, save, tmp_path_factory):
    """Two tasks, timeouts, a name that would be markup."""
    results = [
        replace(r, status=JobStatus.TIMEOUT, verdicts=None) if r.measured.solve > 0.2 else r
        for r in simulate({"direct": 1.0, "<b>$slow$": 3.0, "twin": 1.0}, 12)
    ]
    total = [
        replace(r, job=replace(r.job, task=Task.TOTAL, name="<script>&"))
        for r in simulate({"one": 1.0}, 3)
    ]
    return save(tmp_path_factory.mktemp("page") / "swept", results + total, timeout=0.2)


@pytest.fixture(scope="module")
def page(folder):
    return page_of(folder)


def test_elements_nest_ids_are_unique_and_found_and_nothing_outside_the_page_is_asked_for(page):
    seen = Checker(page)
    assert seen.problems == []
    assert len(seen.ids) == len(set(seen.ids))
    assert set(seen.used) <= set(seen.ids)
    assert not {"script", "link", "iframe", "img", "object", "embed", "base"} & seen.tags.keys()
    assert re.search("https?://|src=", page) is None


def test_every_plot_is_there_with_a_title_and_words(page):
    seen = Checker(page)
    titles = seen.text["title"]
    drawn = ("Cactus plot", "Growth of time", "Growth of clauses")
    classify, total = ([f"{what}: {task}" for what in drawn] for task in ("classify", "total"))
    against = [title for title in titles if " against " in title]
    assert titles == ["Comparison of encodings: swept", *classify, *against, *total]
    assert len(against) == 2
    assert len(seen.tags["svg"]) == len(seen.tags["figure"]) == len(titles) - 1
    for svg in seen.tags["svg"]:
        assert svg["role"] == "img"
        assert "viewbox" in svg
        assert len(svg["aria-labelledby"].split()) == 2
    assert len(seen.text["desc"]) == len(seen.tags["svg"])
    assert all(len(words) > 40 for words in seen.text["desc"])


def test_tables_have_captions_and_heads(page):
    seen = Checker(page)
    assert len(seen.tags["caption"]) == len(seen.tags["table"]) >= 6
    assert {head.get("scope") for head in seen.tags["th"]} == {"col", "row"}


def test_colours_are_those_of_the_page_light_and_dark(page):
    drawings = "".join(re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL))
    assert set(re.findall(r"#[0-9a-f]{6}\b", drawings)) <= {"#000000"}
    assert "currentColor" in drawings
    assert "var(--s0)" in drawings
    assert "prefers-color-scheme: dark" in page


def test_the_page_says_what_the_tables_say_and_where_it_comes_from_every_time(folder, page):
    seen = Checker(page)
    cells = seen.text["td"]
    assert any(cell.startswith(("direct faster by ", "twin faster by ")) for cell in cells)
    assert "no significant difference" in cells
    code = "".join(seen.text["code"])
    assert "satsweeper report 'a sweep' --html '<out>.html'" in code
    assert "satsweeper compare boards --encodings direct,totalizer -o DIR" in code
    assert '"cpu": "made up <&> nowhere"' in code
    # Equal sweeps give equal pages.
    assert page_of(folder) == page


@pytest.mark.parametrize("case", ["empty", "unsolved", "one", "instant"])
def test_sweeps_with_little_to_show_have_a_page_too(made_up, save, tmp_path, case):
    results = {
        "empty": [],
        "unsolved": [made_up(n, status=JobStatus.TIMEOUT, solve=1.0) for n in "ab"],
        "one": [made_up("a", solve=1.0)],
        "instant": [made_up(n, f"i{i}", solve=0.0, clauses=0) for n in "ab" for i in range(3)],
    }[case]
    page = page_of(save(tmp_path / "s", results, jobs=2 + len(results), timeout=None))
    assert Checker(page).problems == []
    assert f"INCOMPLETE: {len(results)} of {len(results) + 2} jobs" in page
    drawings = "".join(re.findall(r"<svg.*?</svg>", page, flags=re.DOTALL))
    assert ("virtual best" in drawings) is (case == "instant"), "one contender is the best"


def test_wrong_answers_come_before_everything_and_many_contenders_have_a_page_of_bounded_size(
    made_up, save, tmp_path, monkeypatch
):
    results = [made_up("a"), made_up("b", verdicts="something else")]
    page = page_of(save(tmp_path / "s", results))
    assert page.index("Wrong answers") < page.index("<table")
    monkeypatch.setattr("satsweeper.compare.report.page.SCATTERS", 2)
    results = [
        made_up(f"encoder_{at:02}", f"i{i}", solve=0.1 + at * 0.01 + i, variables=9 + i)
        for at in range(18) for i in range(3)
    ]  # fmt: skip
    page = page_of(save(tmp_path / "s", results))
    assert Checker(page).problems == []
    assert len(re.findall("<svg", page)) == 2 + 2
    assert "Of 17 scatter plots 2 are drawn" in page


BROWSERS = map(shutil.which, ("chromium", "chromium-browser", "chromium-headless-shell"))
CHROMIUM = next(filter(None, BROWSERS), None)


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on PATH")
@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.slow)])
def test_a_browser_without_a_network_shows_it(page, tmp_path, scheme):
    from matplotlib.image import imread

    file, shot = tmp_path / "page.html", tmp_path / "shot.png"
    file.write_text(page, "utf-8")
    command = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        f"--user-data-dir={tmp_path / 'profile'}", "--host-resolver-rules=MAP * 127.0.0.1:1",
        "--window-size=1200,1600", "--hide-scrollbars",
        f"--blink-settings=preferredColorScheme={int(scheme == 'light')}",
        f"--screenshot={shot}", file.as_uri(),
    ]  # fmt: skip
    subprocess.run(command, check=True, capture_output=True, timeout=120)
    pixels = (imread(shot)[::3, ::3, :3].mean(axis=2) * 255).astype(int).ravel().tolist()
    ground = max(set(pixels), key=pixels.count)
    assert ground > 240 if scheme == "light" else ground < 40
    # Text and curves: a page that is blank has one grey only.
    assert len(set(pixels)) > 30
    assert 0.01 < sum(abs(p - ground) > 60 for p in pixels) / len(pixels) < 0.5
