"""The pit in real browsers: every game is dealt by people from real cards and dice, and much goes wrong.

Ann plays at a screen, a patron without one at the next seat; Dana deals and is relieved by Eli; Sue supervises, Kim
signs second, and Rex decides about what Ann disputes. Every number on their screens is one of the round, and of the
books.
"""

import re
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from feltworks.floor.accounts import Cents
from feltworks.floor.roles import Role
from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Answer, Rolled, Shown, Turned, recorded
from feltworks.floor.table.corrections import corrected
from feltworks.floor.table.procedure import asked_at
from feltworks.floor.table.state import Table
from feltworks.kit import steps
from feltworks.kit.cards import RANKS, one_card
from tests.browser.conftest import Visit
from tests.browser.consoles import Dealer
from tests.browser.people import Person, cents, shown
from tests.browser.test_board import at_work, tile
from tests.web.dealing import GAMES, Physical
from tests.web.robots import LocalServer

ANN, PATRON = 2, 3
STAKE = 2_500
CLAIMED = 500


@dataclass(frozen=True)
class Walk:
    """What differs between the games: the wagers, what both decide where they can, and what is reported and how that is
    decided."""

    spots: tuple[str, ...]
    option: str
    incident: str
    decision: str
    pressed: tuple[str, ...] = ()
    """The spots on which Ann puts a chip herself, where their twins are bet with them."""


WALKS = {
    "one-for-the-money": Walk(("ante",), "raise", "misdeal", "Continue"),
    "in-between": Walk(("base", "in_between"), "stand", "exposed card", "Continue"),
    "blackjack": Walk(("base",), "stand", "exposed card", "Continue"),
    "down-under-holdem": Walk(("ante", "bet"), "1x", "reader fault", "Continue", pressed=("ante",)),
    "yo": Walk(("play", "high"), "roll", "dice left the table", "Dice verified"),
}
ROLLS = ((4, 2, 1, 1), (3, 3, 1, 1), (2, 3, 4, 5))
"""Of Yo!: a point of six that is made, and a point of five in the round that is void."""
SEVEN = (4, 3, 1, 1)
MISREAD = (5, 3, 1, 1)
"""What the dealer enters for the first of them; High wins by it."""


class Laid(Physical):
    """Real cards, and dice that fall as the test wants them."""

    def __init__(self, table: Table) -> None:
        super().__init__(table)
        self.rolls = deque(ROLLS)

    def shows(self, table: Table) -> steps.Answer:
        if table.round is not None and isinstance(table.round.next, steps.Roll):
            return self.rolls.popleft()
        return super().shows(table)


class Pit:
    """A table, everybody around it, and what the walk does there."""

    def __init__(self, server: LocalServer, game: str, dana: Dealer, eli: Dealer, ann: Person) -> None:
        self.server, self.game, self.walk = server, GAMES[game], WALKS[game]
        self.dealer, self.relief, self.ann = dana, eli, ann
        self.physical = dana.physical = eli.physical = Laid(dana.table)

    @property
    def table(self) -> Table:
        return self.dealer.table

    # Playing.

    def begin(self) -> None:
        """A round with the wagers of both, and the betting closed."""
        self.dealer.go_on()
        while self.dealer.told.acts:
            self.dealer.tick()
        for spot in self.walk.pressed or self.walk.spots:
            self.ann.bet(self.table.game.spot_title(spot), STAKE)
        self.server.wait_for(lambda: self.table.wagers.keys() >= {(ANN, spot) for spot in self.walk.spots})
        self.dealer.caught_up()
        for spot in self.walk.spots:
            self.dealer.bet(PATRON, spot, STAKE // 100)
        assert set(self.table.wagers.values()) == {STAKE}
        self.sees_stakes()
        self.dealer.type("c")

    def step(self) -> None:
        """The next thing: the dealer does what the console leads to, or Ann decides at her own screen."""
        wanted = self.walk.option
        if self.dealer.go_on(lambda ask: next((o for o in ask.choices if o.name == wanted), ask.choices[0])):
            return
        before = self.table.version
        expect(self.ann.options.first).to_be_enabled()
        own = self.ann.options.filter(has_text=re.compile(f"^{wanted}", re.IGNORECASE))
        self.ann.press(own if own.count() else self.ann.options.first)
        self.server.wait_for(lambda: self.table.version > before)
        self.dealer.caught_up()

    def until(self, wanted: Callable[[], bool]) -> None:
        while not wanted():
            self.step()

    def is_settled(self) -> bool:
        """Whether everything is taken and paid, and the round can end."""
        return self.dealer.told.ask.kind == "end" and not self.dealer.told.acts

    # Reading.

    def books(self, seat: int) -> Cents:
        """What the books say that somebody at a seat has."""
        account = str(self.table.account_of(seat))
        return self.server.run(lambda house: house.journal.balance(account))

    def net(self, seat: int) -> Cents:
        """What the round has won or lost for a seat."""
        return sum(one.net for one in self.table.effects if isinstance(one, ev.Settled) and one.seat == seat)

    def sees_stakes(self) -> None:
        """What lies on the table is the same on every screen."""
        table = self.table
        own = sum(int(amount) for (seat, _), amount in table.wagers.items() if seat == ANN)
        expect(self.ann.figure("On the table")).to_have_text(shown(own))
        self.sees_balance()
        for seat in (ANN, PATRON):
            laid = [int(amount) for (at, _), amount in table.wagers.items() if at == seat]
            on_console = self.dealer.page.locator(".arc > li").nth(seat - 1).locator("dd")
            expect(on_console).to_have_text([f"${amount // 100}" for amount in laid])

    def sees_balance(self) -> None:
        expect(self.ann.figure("Balance")).to_have_text(shown(self.books(ANN)))
        assert self.ann.ledger == self.books(ANN)

    def sees_results(self) -> None:
        """What was won or lost since the betting was last closed is on the console, and all of it at Ann's screen."""
        for seat in (ANN, PATRON):
            net = sum(one.net for one in self.table.results if one.seat == seat)
            assert self.table.brought[seat] == self.net(seat)
            on_console = self.dealer.page.locator(".arc > li").nth(seat - 1).locator(".net")
            verb = "wins " if net > 0 else "loses " if net < 0 else "even"
            expect(on_console).to_contain_text(verb)
            if net:
                assert cents(on_console.inner_text().split()[1].replace("+", "")) == net
        mine = self.net(ANN)
        said = f"You win {shown(mine)}" if mine > 0 else f"You lose {shown(-mine)}" if mine < 0 else "even"
        expect(self.ann.notice).to_contain_text(said)

    # What goes wrong.

    def misread(self) -> tuple[str, str]:
        """The dealer enters something else than lies there, and the next thing after it: what was entered, and what
        should have been."""
        self.until(lambda: self.dealer.told.ask.kind in ("card", "light", "dice") and not self.dealer.told.acts)
        ask, right = self.dealer.told.ask, recorded(self.physical.shows(self.table))
        match right:
            case Turned(card):
                wrong = next(one for one in reversed(ask.cards) if one[0] != card[0])
                keys, both = list(wrong), (wrong, card)
            case Shown(light):
                band = next(band for band in ask.bands if band.name != light)
                keys, both = [band.key], (band.name, light)
            case Rolled(faces):
                keys, both = [str(face) for face in MISREAD], (told(Rolled(MISREAD)), told(Rolled(faces)))
            case _:
                raise AssertionError(right)
        self.dealer.type(*keys)
        entered = self.entered
        self.until(lambda: self.entered > entered)
        return both

    @property
    def entered(self) -> int:
        return sum(past.entered for past in self.table.answers)

    def report(self, sue: Person) -> None:
        """The dealer reports it, the table stops, and the supervisor decides it on the board."""
        before = {seat: self.books(seat) for seat in (ANN, PATRON)}
        dealer, name = self.dealer, self.game.name
        dealer.key("/")
        dialog = dealer.page.get_by_role("dialog")
        dealer.press(dialog.get_by_role("button", name=re.compile(f"^{self.walk.incident}$", re.IGNORECASE)))
        dialog.get_by_label("What was seen").fill("Everybody saw it")
        dealer.press(dialog.get_by_role("button", name="Stop the table"))
        expect(dealer.asked).to_have_text("The supervisor decides.")
        assert self.table.incident == self.walk.incident
        sue.go("/house/board")
        expect(tile(sue, name)).to_contain_text("Incident")
        expect(tile(sue, name)).to_contain_text(shown(sum(int(amount) for amount in self.table.wagers.values())))
        sue.page.get_by_label("Why it is decided so").fill("It changes nothing")
        sue.press(sue.page.get_by_role("button", name=f"{self.walk.decision} at {name}"))
        expect(sue.page.get_by_text("Nothing waits.")).to_be_visible()
        dealer.caught_up()
        assert self.table.incident == ""
        assert {seat: self.books(seat) for seat in (ANN, PATRON)} == before

    @property
    def read(self) -> list[int]:
        """The numbers of the entries that say what cards, lights and dice showed."""
        return [n for n, answer in self.answers if isinstance(answer, Turned | Shown | Rolled)]

    @property
    def answers(self) -> list[tuple[int, Answer]]:
        past = [past.event for past in self.table.answers]
        return [(n, event.answer) for n, event in enumerate(past, 1) if isinstance(event, ev.Answered)]

    def other_end(self) -> tuple[int, str, str]:
        """The last entry of a round, as it was, and with which everybody's luck would have been another."""
        table, number = self.table, self.read[-1]
        was = dict(self.answers)[number]
        others: list[Answer] = [Turned(card) for card in asked_at(table, number).cards] or [Rolled(SEVEN)]
        for other in others:
            if other == was:
                continue
            effects = [one for caused in corrected(table, number, other, "a test", 0).effects for one in caused]
            settled = [one for one in effects if isinstance(one, ev.Settled)]
            if settled and [one.net for one in settled] != [one.net for one in table.results]:
                return number, told(was), told(other)
        raise AssertionError("no other card decides otherwise")

    def correct(self, sue: Person, number: int, wrong: str, right: str) -> None:
        """The supervisor corrects an entry, and the books are what follows from it."""
        table = self.table
        sue.go("/house/board")
        sue.press(sue.page.locator(f"#tile-{self.game.id}"))
        sue.press(sue.page.get_by_role("link", name="Correct an entry"))
        link = sue.page.get_by_role("link", name=re.compile(f"^Correct entry {number}:"))
        expect(link).to_contain_text(called(wrong))
        sue.press(link)
        page = sue.page
        if right.isdigit():
            for die, face in enumerate(right, 1):
                page.get_by_label(f"Die {die}").select_option(face)
        else:
            page.get_by_label(re.compile("The card was|The light showed")).select_option(right)
        page.get_by_label("Why: what was seen").fill("The camera shows it")
        sue.press(sue.button("Correct it"))
        expect(page.get_by_role("status")).to_contain_text("Corrected.")
        self.dealer.caught_up()
        assert self.table.version > table.version
        self.sees_balance()

    def relieve(self) -> None:
        """Another dealer goes on where the first one was."""
        before, dana, eli = self.table, self.dealer, self.relief
        eli.come()
        expect(eli.asked).to_have_text(f"Relieve {dana.told.dealer}.")
        eli.type("r")
        expect(dana.page.locator(".said")).to_contain_text("Eli deals here now")
        self.dealer = eli
        assert (self.table.round, self.table.done, self.table.wagers) == (before.round, before.done, before.wagers)

    def void(self, sue: Person, kim: Person) -> None:
        """Two sign that the round is void, and everybody has what they had before it."""
        name, number = self.game.name, self.table.round_number
        kim.go("/house/board")
        stake = shown(sum(int(amount) for amount in self.table.wagers.values()))
        expect(tile(kim, name)).to_contain_text(stake)
        sue.go(f"/house/tables/{self.game.id}")
        card = sue.page.locator(".card", has_text=f"Propose to void round {number}")
        expect(card).to_contain_text(stake)
        card.get_by_label("Reason").fill("The cards were touched")
        sue.press(card.get_by_role("button", name="Sign first"))
        expect(sue.page.get_by_text("It waits for the second signature.")).to_be_visible()
        assert self.table.wagers, "one signature moves nothing"
        kim.press(kim.page.get_by_role("button", name=f"Sign this: Void round {number} at {name}"))
        expect(kim.page.get_by_role("status").filter(has_text="Signed, and done.")).to_be_visible()
        expect(tile(kim, name)).not_to_contain_text(stake)
        assert not self.table.wagers

    def dispute(self, rex: Person, number: int) -> None:
        """Ann disputes a round in its recall; another supervisor finds it on the board and decides it."""
        ann, page, had = self.ann, rex.page, self.books(ANN)
        ann.press(ann.drawer.get_by_role("button", name="Dispute this round"))
        ann.drawer.get_by_label("What was wrong in this round?").fill("Five dollars more were mine.")
        ann.press(ann.drawer.get_by_role("button", name="Send"))
        state = ann.drawer.get_by_role("region", name="Dispute")
        expect(state).to_contain_text("Your dispute is open.")
        rex.go("/house/board")
        rex.press(page.get_by_role("link", name=re.compile("Look at it and decide")).first)
        expect(page.get_by_role("heading", level=1)).to_have_text(f"{self.game.name}, round {number}, seat {ANN}")
        page.get_by_label("Upheld").check()
        page.get_by_label("By which rules").select_option("approved house rules")
        page.get_by_label("Why: the rule").fill("The camera shows it.")
        page.get_by_label("Amount, if money was wrong").fill(str(CLAIMED // 100))
        rex.press(rex.button("Decide"))
        expect(page.get_by_text("Decided.", exact=True)).to_be_visible()
        expect(state).to_contain_text(f"{shown(CLAIMED)} is corrected in your favour.")
        assert self.books(ANN) == had + CLAIMED
        self.sees_balance()

    def recall(self, number: int, net: Cents) -> None:
        """Ann's history and the recall say what the round came to."""
        self.ann.open("History")
        self.ann.press(self.ann.drawer.get_by_role("button", name=re.compile(rf"^Round {number}\b")))
        mine = self.ann.drawer.get_by_role("region", name="Results").locator(".mine > p > strong").last
        expect(mine).to_be_visible()
        assert cents(mine.inner_text().replace("+", "")) == net


def called(entered: str) -> str:
    """What was entered, as a dealer calls it."""
    if entered.isdigit():
        return " ".join(entered)
    return one_card(entered).name if entered[0] in RANKS else entered


def told(entry: Answer) -> str:
    """A card or dice as the form of a correction has them."""
    assert isinstance(entry, Turned | Rolled)
    return entry.card if isinstance(entry, Turned) else "".join(map(str, entry.faces))


@pytest.fixture
def pit(tmp_path: Path, browser: Browser, visit: Visit, request: pytest.FixtureRequest) -> Iterator[Pit]:
    """A table with both players at their seats, and Dana, who deals there."""
    settings = GAMES[request.param]
    with LocalServer(tmp_path, [settings]) as server:
        dana, eli = (Dealer(browser, server, settings.id, name=name) for name in ("Dana", "Eli"))
        ann = visit(server)
        ann.enter(settings.id)
        dana.sign_on()
        ann.press(ann.page.get_by_role("button", name=f"Sit here, seat {ANN}"))
        server.wait_for(lambda: ANN in dana.table.seats)
        dana.seat(PATRON)
        yield Pit(server, request.param, dana, eli, ann)
        troubles = dana.troubles + eli.troubles
        dana.close()
        eli.close()
        assert troubles == []


@pytest.mark.slow
@pytest.mark.rule("F-13", "F-19", "F-20", "F-27", "F-28", "F-41")
@pytest.mark.parametrize("pit", WALKS, indirect=True)
def test_a_table_goes_through_an_incident_a_correction_a_relief_a_void_and_a_dispute_to_the_cent(
    pit: Pit, visit: Visit
) -> None:
    server = pit.server
    sue, _ = at_work(server, visit, "Sue", Role.SUPERVISOR)
    had = {seat: pit.books(seat) for seat in (ANN, PATRON)}
    pit.begin()
    wrong, right = pit.misread()
    pit.report(sue)
    pit.correct(sue, pit.read[0], wrong, right)
    pit.sees_stakes()
    pit.relieve()
    pit.until(pit.is_settled)
    pit.sees_results()
    before = pit.net(ANN), pit.net(PATRON)
    pit.correct(sue, *pit.other_end())
    assert pit.table.undo or pit.dealer.told.acts, "what was taken and paid is put right by hand"
    pit.until(pit.is_settled)
    pit.sees_results()
    assert (pit.net(ANN), pit.net(PATRON)) != before
    won = {seat: pit.net(seat) for seat in (ANN, PATRON)}
    pit.dealer.go_on()
    assert {seat: pit.books(seat) for seat in (ANN, PATRON)} == {seat: had[seat] + won[seat] for seat in had}
    pit.sees_balance()

    had = {seat: pit.books(seat) for seat in (ANN, PATRON)}
    pit.begin()
    assert {seat: pit.books(seat) for seat in (ANN, PATRON)} != had
    pit.step()
    kim, _ = at_work(server, visit, "Kim", Role.MANAGER)
    pit.void(sue, kim)
    assert {seat: pit.books(seat) for seat in (ANN, PATRON)} == had
    pit.sees_balance()

    rex, _ = at_work(server, visit, "Rex", Role.SUPERVISOR)
    pit.recall(1, won[ANN])
    pit.dispute(rex, 1)
    with server.reading() as store:
        store.check_books()
    server.check()
