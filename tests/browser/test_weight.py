"""What a page weighs, and that it asks nobody else for anything."""

from playwright.sync_api import Response, expect

from tests.browser.conftest import Visit
from tests.browser.people import Person, Screen
from tests.web.robots import HOST, LocalServer

MOST = 150_000


def weighed(person: Person, path: str) -> dict[str, int]:
    """The bytes of everything that a page fetches, not compressed, by what it is."""
    answers: list[Response] = []
    person.page.on("response", answers.append)
    person.page.goto(path, wait_until="networkidle")
    return {answer.url: len(answer.body()) for answer in answers}


def test_the_first_table_page_weighs_less_than_150_kb(house: LocalServer, visit: Visit, screen: Screen) -> None:
    ann = visit(house, screen)
    weights = weighed(ann, "/table/money")
    expect(ann.felt).to_be_visible()
    assert sum(weights.values()) < MOST, sorted(weights.items(), key=lambda item: -item[1])[:10]
    assert len(weights) > 10


def test_a_page_asks_only_the_server_it_came_from(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    home = f"http://{HOST}:{house.port}/"
    for path in ("/", "/table/money", "/table/between"):
        assert all(url.startswith(home) for url in weighed(ann, path))


def test_without_javascript_the_table_says_what_it_needs(house: LocalServer, visit: Visit) -> None:
    ann = visit(house)
    plain = ann.context.browser
    assert plain is not None
    context = plain.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"http://{HOST}:{house.port}/table/money")
    expect(page.get_by_text("The table needs JavaScript")).to_be_visible()
    page.get_by_role("link", name="Back to the lobby").click()
    expect(page.get_by_role("heading", name="Choose a table")).to_be_visible()
    context.close()
