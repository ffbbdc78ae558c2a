"""A dealer at a console in a real browser, who deals by keys or by touch from real cards and dice."""

from random import Random
from typing import Any

from playwright.sync_api import Browser, Locator, expect

from feltworks.floor.accounts import Cents
from feltworks.floor.roles import Role
from feltworks.floor.table import events as ev
from feltworks.floor.table.state import Table
from feltworks.kit.cards import Card, CardSet
from feltworks.web.cookies import COOKIE
from feltworks.web.pit.console import console_of
from feltworks.web.pit.console_messages import Console
from tests.browser.people import WAIT, Person, Screen
from tests.web.dealing import Physical, due_by
from tests.web.people_of_the_house import employ
from tests.web.robots import HOST, LocalServer

TABLET = Screen(820, 1180, touch=True)
APART = 40
"""Milliseconds between two keys, so that no hand is taken for a scanner."""


class Dealer(Person):
    """Somebody who deals at one table. Every press is counted."""

    def __init__(
        self, browser: Browser, server: LocalServer, table: str, name: str = "Dana", screen: Screen = TABLET
    ) -> None:
        super().__init__(browser, server, screen)
        self.table_id, self.server = table, server
        self.id, token = server.run(lambda house: employ(house, name, Role.DEALER))
        home = f"http://{HOST}:{server.port}"
        self.context.add_cookies([{"name": COOKIE, "value": token, "url": home, "httpOnly": True}])
        self.random, self.physical = Random(1), Physical(self.table)

    def come(self) -> None:
        self.go(f"/house/tables/{self.table_id}/deal")
        expect(self.asked).to_be_visible()

    def sign_on(self) -> None:
        self.come()
        self.space()
        expect(self.page.get_by_role("banner")).to_contain_text("deals")
        self.caught_up()

    # Reading.

    @property
    def table(self) -> Table:
        server: Any = self.server
        table: Table = server.run(lambda house: house.live(self.table_id).table)
        return table

    @property
    def told(self) -> Console:
        """What the console must show."""
        server: Any = self.server
        console: Console = server.run(lambda house: console_of(house, house.live(self.table_id).table, self.id))
        return console

    @property
    def asked(self) -> Locator:
        return self.page.locator("#ask")

    @property
    def wrong(self) -> Locator:
        return self.page.locator(".entry").get_by_role("alert")

    @property
    def acts(self) -> Locator:
        return self.page.locator(".act")

    def caught_up(self) -> None:
        """Wait until the console shows the table as it is."""
        shown = "version => Number(document.querySelector('.console')?.dataset.version) >= version"
        self.page.wait_for_function(shown, arg=self.table.version, timeout=WAIT)

    # Pressing.

    def type(self, *keys: str) -> None:
        """Press keys as a hand does."""
        before = self.table.version
        for key in keys:
            self.key(key)
            self.page.wait_for_timeout(APART)
        self.server.wait_for(lambda: self.table.version > before)  # type: ignore[union-attr]
        self.caught_up()

    def wrongly(self, *keys: str) -> str:
        """Press keys that are refused; what the console says."""
        for key in keys:
            self.key(key)
            self.page.wait_for_timeout(APART)
        expect(self.wrong).not_to_be_empty()
        return self.wrong.inner_text()

    def space(self) -> None:
        before = self.table.version
        self.key("Space")
        self.server.wait_for(lambda: self.table.version > before)  # type: ignore[union-attr]
        self.caught_up()

    def scan(self, text: str) -> None:
        """What a scanner types: at once, with Enter at the end, as one press."""
        self.actions += 1
        self.page.evaluate(
            """text => {
              for (const key of [...text, "Enter"])
                document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
            }""",
            text,
        )

    # Dealing.

    def seat(self, *patrons: int, chips: Cents = 100_000) -> None:
        for seat in patrons:
            self.press(self.page.get_by_role("button", name="Patrons"))
            dialog = self.page.get_by_role("dialog")
            self.press(dialog.get_by_role("button", name=f"Seat {seat}", exact=True))
            dialog.get_by_role("textbox").fill(str(chips // 100))
            before = self.table.version
            self.press(dialog.get_by_role("button", name=f"Seat a patron at seat {seat}"))
            self.server.wait_for(lambda before=before: self.table.version > before)  # type: ignore[union-attr,misc]
            self.caught_up()
            expect(dialog).to_have_count(0)

    def bet(self, seat: int, spot: str, dollars: int) -> None:  # type: ignore[override]
        patron = next(patron for patron in self.told.ask.patrons if patron.seat == seat)
        key = next(one.key for one in patron.spots if one.spot == spot)
        self.type(str(seat), key, *str(dollars), "Enter")

    def entry(self) -> list[str]:
        """The keys for what the cards, lights or dice show."""
        shown = self.physical.shows(self.table)
        match shown:
            case Card():
                return list(shown.text)
            case CardSet(name):
                return [next(band.key for band in self.told.ask.bands if band.name == name)]
            case tuple():
                return [str(face) for face in shown]
        raise AssertionError(shown)

    def tick(self) -> None:
        """Look whether the console shows what the round has caused, and tick it off."""
        self.compare()
        self.space()

    def compare(self) -> None:
        """Every number on the screen is one of the round's, in its order. After a correction, what was taken or paid by
        mistake is put right first, and what was carried out and still holds is not done twice (F-20)."""
        table = self.table
        left = [e for n, e in enumerate(table.effects) if n >= table.done and n not in table.carried]
        expect(self.acts).to_have_count(len(table.undo) + len(left))
        acts = self.acts.all()
        for shown, wrong in zip(acts, table.undo, strict=False):
            text, due = shown.inner_text(), wrong.paid or wrong.returned or wrong.amount
            assert f"Seat {wrong.seat}, {table.game.spot_title(wrong.spot)}" in text and "by mistake" in text
            assert f"${due / 100:,.2f}".removesuffix(".00") in text.split("\n")
        for shown, effect in zip(acts[len(table.undo) :], left, strict=True):
            text = shown.inner_text()
            if isinstance(effect, ev.Called):
                assert effect.text in text
            elif isinstance(effect, ev.Settled):
                due = due_by(table, effect)
                assert f"Seat {effect.seat}, {table.game.spot_title(effect.spot)}" in text
                assert not due or f"${due / 100:,.2f}".removesuffix(".00") in text.split("\n")
                if effect.paid and not effect.is_held:
                    assert "Pay" in text and _value(shown.locator(".chips").get_attribute("aria-label")) == due
                elif effect.stake == "taken" and due:
                    assert "Take" in text

    def go_on(self, choose: Any = None) -> bool:
        """The next thing that the console leads to; not a player's own decision. Whether there was one."""
        self.caught_up()
        told = self.told
        if told.acts:
            self.tick()
            return True
        match told.ask.kind:
            case "card" | "light" | "dice":
                self.type(*self.entry())
            case "choose":
                wanted = choose(told.ask) if choose else told.ask.choices[0]
                self.type(wanted.key)
            case "shuffle" | "start" | "deal" | "go on" | "end":
                self.space()
            case "bet":
                self.type("c")
            case _:
                return False
        round = self.table.round
        if round is not None:
            self.physical.chance.happened(round.effects)
        return True


def _value(label: str | None) -> Cents:
    """What chips are worth that are told as "2 of $25, 1 of $5"."""
    cents = 0
    for pile in (label or "").split(", "):
        if pile.endswith(" in coins"):
            cents += round(float(pile.removesuffix(" in coins")) * 100)
        elif pile:
            count, value = pile.split(" of $")
            cents += int(count) * round(float(value.replace(",", "")) * 100)
    return cents
