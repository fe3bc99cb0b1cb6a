"""Pages in a real browser: nothing leaves the file, nothing is complained of, all of it can be read on a phone.

`make test-pages` runs these and fails where there is no browser; elsewhere they are skipped, and say so. BROWSER is the
program, by default `chromium`; with SHOTS=FOLDER the pictures are kept for people to look at.
"""

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from test_pages import QUESTIONS, make_page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings("ignore::ResourceWarning")]

BROWSER = shutil.which(os.environ.get("BROWSER", "chromium"))
MUST = "MUST_HAVE_BROWSER" in os.environ
SHOTS = os.environ.get("SHOTS")
LOOKS = [(width, scheme) for width in (390, 1280) for scheme in ("light", "dark")]
TOO_WIDE = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
CUT_OFF = """
() => [...document.querySelectorAll("main *")].filter(each => {
  if (each.closest(".scroll, .paper, figcaption")) return false;
  const box = each.getBoundingClientRect();
  return box.right > innerWidth + 1 || box.left < -1;
}).map(each => each.outerHTML.slice(0, 80))
"""
RULES = {"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"], "resultTypes": ["violations"]}


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Debian's browser, driven from here."""
    missing = [] if BROWSER else ["chromium"]
    missing += [] if importlib.util.find_spec("playwright") else ["playwright"]
    if missing and not MUST:
        pytest.skip(
            f"pages are not looked at in a browser, without {' and '.join(missing)}; make test-pages needs both"
        )
    assert not missing, "install chromium, or name a browser of its kind in BROWSER; make test-pages installs the rest"
    from playwright.sync_api import sync_playwright

    with sync_playwright() as run:
        opened = run.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the pages are."""
    return tmp_path_factory.mktemp("pages")


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_page_can_be_read_by_everybody_and_asks_nobody(name: str, browser: Any, folder: Path) -> None:
    from axe_playwright_python.sync_playwright import Axe

    path = make_page(name, folder)
    for width, scheme in LOOKS:
        context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
        page = context.new_page()
        said: list[str] = []
        asked: list[str] = []
        page.on("console", lambda message, said=said: said.append(message.text))
        page.on("pageerror", lambda error, said=said: said.append(str(error)))
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto(path.as_uri())
        if SHOTS:
            page.screenshot(path=Path(SHOTS) / f"{name}-{width}-{scheme}.png", full_page=True)
        assert said == []
        assert asked == [path.as_uri()]
        assert not page.evaluate(TOO_WIDE)
        assert page.evaluate(CUT_OFF) == []
        if width == 390:  # what can be read there can be read at any width; it takes the longest by far
            found = Axe().run(page, options=RULES)
            assert found.violations_count == 0, found.generate_report()
        context.close()


def test_a_page_on_paper_is_dark_on_white_and_cuts_no_table_off(browser: Any, folder: Path) -> None:
    page = browser.new_page(viewport={"width": 720, "height": 1000}, color_scheme="dark")  # A4 without its margins
    page.emulate_media(media="print")
    for name in ("four", "bid", "simulate"):
        page.goto(make_page(name, folder).as_uri())
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert not page.evaluate(TOO_WIDE)
        if SHOTS:
            page.pdf(path=Path(SHOTS) / f"{name}.pdf", format="A4")
    page.close()
