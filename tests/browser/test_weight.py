"""What a page weighs, and that it asks nobody else for anything."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Response, expect

from tests.browser.conftest import Visit
from tests.browser.people import Person, Screen
from tests.web.robots import HOST, LocalServer

MOST = 150_000


def weighed(person: Person, path: str) -> dict[str, int]:
    """The bytes of everything that a page fetches, not compressed, by what it is."""
    answers: list[Response] = []
    person.page.on("response", lambda answer: answers.append(answer))
    person.page.goto(path, wait_until="networkidle")
    return {answer.url: len(answer.body()) for answer in answers}


def test_the_first_table_page_weighs_less_than_150_kb(house: LocalServer, visit: Visit, screen: Screen) -> None:
    ann = visit(house, screen)
    weights = weighed(ann, "/table/money")
    expect(ann.felt).to_be_visible()
    assert sum(weights.values()) < MOST, sorted(weights.items(), key=lambda item: -item[1])[:10]
    assert len(weights) > 10


@pytest.mark.slow
def test_a_page_asks_only_the_server_it_came_from(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    asked: set[str] = set()
    ann.page.on("request", lambda request: asked.add(urlsplit(request.url).netloc))
    ann.page.on("websocket", lambda socket: asked.add(urlsplit(socket.url).netloc))
    ann.sit("money")
    for part in ("Rules", "History", "Fairness"):
        ann.open(part)
    assert asked == {f"{HOST}:{house.port}"}


def test_without_javascript_the_table_says_what_it_needs(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    plain = ann.context.browser
    assert plain is not None
    context = plain.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"http://{HOST}:{house.port}/table/money")
    expect(page.locator("noscript p")).to_contain_text("The table needs JavaScript")
    page.locator("noscript a").click()
    expect(page.get_by_role("heading", name="Choose a table")).to_be_visible()
    context.close()
