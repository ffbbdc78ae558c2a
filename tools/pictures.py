"""Takes the pictures of the documentation: the real pages in a real browser, with cards that are laid for them."""

import base64
import re
import struct
import tempfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import chain
from pathlib import Path

import msgspec
import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from feltworks.floor.accounts import Cents
from feltworks.floor.actors import person as by_person
from feltworks.floor.roles import Role
from feltworks.floor.table.answers import Answer, Dealt, Hidden, Shown, Turned
from feltworks.floor.table.commands import (
    ChooseFor,
    CloseBetting,
    Enter,
    PlaceFor,
    Report,
    SeatPatron,
    SignOn,
    StaffCommand,
    StartRound,
    TickOff,
    VoidRound,
)
from feltworks.floor.table.settings import Pace, TableSettings
from feltworks.games import load
from feltworks.web.cookies import COOKIE
from feltworks.web.demo import JACKPOT, PIT, TABLES, open_demo_jackpot
from feltworks.web.lab import Lab
from feltworks.web.staff.settings_form import first_settings
from tests.browser.cards import stack
from tests.browser.consoles import TABLET
from tests.browser.people import DESKTOP, PHONE, Person, Screen, start
from tests.browser.rolls import lay
from tests.web.people_of_the_house import employ
from tests.web.robots import HOST, Json, LocalServer, Robot
from tools.film import Film

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "pictures"
LARGEST = 400_000
AT_NOON = 1_782_932_400_000
PAUSED = Pace(0, 0, 3_600_000, 0)


@contextmanager
def demo(
    *deals: str,
    rolls: str = "",
    clock: Callable[[], int] = lambda: AT_NOON,
    lab: Lab | None = None,
    opened: Iterable[TableSettings] = TABLES,
) -> Iterator[LocalServer]:
    """The demo house at a moment that does not pass; its shoes begin with these cards, or its game with these rolls."""
    tables = [msgspec.structs.replace(table, pace=PAUSED, burn=0) for table in opened]
    with (
        tempfile.TemporaryDirectory() as folder,
        pytest.MonkeyPatch.context() as patch,
        LocalServer(Path(folder), tables, clock=clock, lab=lab) as server,
    ):
        if rolls:
            lay(patch, rolls)
        else:
            stack(patch, *deals)
        yield server


def visitor(browser: Browser, server: LocalServer, screen: Screen = DESKTOP) -> Person:
    person = Person(browser, server, screen, sharpness=2 if screen.touch else 1)
    person.page.clock.set_fixed_time(AT_NOON)
    person.page.add_init_script("performance.now = () => 0")  # by which a clock at the table runs
    return person


def take(person: Person, name: str) -> None:
    """Write what a person sees, once every letter is there and nothing has the mouse over it."""
    person.page.mouse.move(0, 0)
    person.page.evaluate("document.fonts.ready")
    path = FOLDER / f"{name}.png"
    whole = person.page.screenshot(animations="disabled", caret="hide")
    smaller = (with_palette(person, whole, colours) for colours in (256, 192, 128))
    picture = next((picture for picture in chain([whole], smaller) if len(picture) < LARGEST), None)
    if picture is None:
        raise SystemExit(f"{path} would have more than {LARGEST:,} bytes.")
    path.write_bytes(picture)
    tell(path)


def tell(path: Path) -> None:
    print(f"{path.relative_to(FOLDER.parent.parent)}  {path.stat().st_size // 1000} kB")


# The colours of a picture, parted where they differ most until there are few enough; and which of them each pixel has.
FEWER = """
async ([picture, most]) => {
  const bytes = Uint8Array.from(atob(picture), (c) => c.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height).getContext("2d");
  canvas.drawImage(bitmap, 0, 0);
  const pixels = new Uint32Array(canvas.getImageData(0, 0, width, height).data.buffer);
  const counts = new Map();
  for (const pixel of pixels) counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
  const channels = [0, 8, 16];
  const box = (colours) => {
    const total = colours.reduce((sum, [, n]) => sum + n, 0);
    const mean = channels.map((c) => colours.reduce((sum, [v, n]) => sum + ((v >> c) & 255) * n, 0) / total);
    const off = (i) => (sum, [v, n]) => sum + (((v >> channels[i]) & 255) - mean[i]) ** 2 * n;
    const spreads = mean.map((_, i) => colours.reduce(off(i), 0));
    return { colours, mean, spreads, spread: Math.max(...spreads) };
  };
  const boxes = [box([...counts])];
  while (boxes.length < most) {
    boxes.sort((a, b) => a.spread - b.spread);
    const { colours, mean, spreads, spread } = boxes.at(-1);
    if (!spread) break;
    const widest = spreads.indexOf(spread);
    const low = ([v]) => ((v >> channels[widest]) & 255) <= mean[widest];
    boxes.splice(-1, 1, box(colours.filter(low)), box(colours.filter((c) => !low(c))));
  }
  const places = new Map(boxes.flatMap(({ colours }, i) => colours.map(([v]) => [v, i])));
  let indexed = "";
  for (const pixel of pixels) indexed += String.fromCharCode(places.get(pixel));
  return { width, height, palette: boxes.flatMap(({ mean }) => mean.map(Math.round)), indexed: btoa(indexed) };
}
"""


def with_palette(person: Person, picture: bytes, colours: int) -> bytes:
    """The same picture in so many colours: a third of the bytes, and hardly anybody sees it."""
    found = person.page.evaluate(FEWER, [base64.b64encode(picture).decode(), colours])
    width, height, indexed = found["width"], found["height"], base64.b64decode(found["indexed"])
    lines = b"".join(b"\0" + indexed[at : at + width] for at in range(0, width * height, width))
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", bytes(found["palette"])),
        (b"IDAT", zlib.compress(lines, 9)),
        (b"IEND", b""),
    )
    told = (struct.pack(">I", len(d)) + kind + d + struct.pack(">I", zlib.crc32(kind + d)) for kind, d in parts)
    return b"\x89PNG\r\n\x1a\n" + b"".join(told)


def bet(robot: Robot, **wagers: Cents) -> None:
    robot.phase("betting")
    for spot, amount in wagers.items():
        robot.done("place", spot=spot, amount=amount)


def ready(*robots: Robot) -> None:
    """When all who have bet are ready, the cards come."""
    for robot in robots:
        robot.done("ready")


def lobby(browser: Browser, screen: Screen, name: str) -> None:
    """The tables with people at them."""
    with demo() as server:
        ann = visitor(browser, server, screen)
        ann.sit("money")
        taken = {"money": (2, 5), "match": (3,), "between": (1, 3, 4), "under": (2, 4), "yo": (1, 2, 4, 5)}
        for table, seats in taken.items():
            for seat in seats:
                server.join(table, seat)
        ann.go("/")
        expect(ann.page.get_by_text("3 of 5")).to_have_count(2)
        take(ann, name)
        ann.close()


def one_for_the_money(screen: Screen, table: str, results: str | None) -> Callable[[Browser], None]:
    """A decision with three seats taken, and what comes of it: the queen wins, and makes a straight."""

    def pictures(browser: Browser) -> None:
        with demo("7c Qh Kd Js Td") as server:
            ann = visitor(browser, server, screen)
            ann.enter("money")
            bob, carol = server.join("money", 2), server.join("money", 5)
            ann.press(ann.button("Take a seat"))
            bet(bob, ante=2500, three_card_bonus=500)
            bet(carol, ante=10_000)
            for spot, chip in (("Ante", 2500), ("Ante", 500), ("Ante", 500), ("3 Card Bonus", 500)):
                ann.bet(spot, chip)
            ready(bob, carol)
            ann.deal()
            bob.my_turn()
            bob.done("choose", option="raise")
            expect(ann.options).to_have_count(3)
            take(ann, table)
            if results:
                ann.decide("Raise")
                carol.my_turn()
                carol.done("choose", option="check")
                expect(ann.notice).to_contain_text("You win")
                take(ann, results)
            ann.close()

    return pictures


def in_between(browser: Browser, screen: Screen, name: str) -> None:
    """Eights that are split into three hands, the first of them doubled; beside them the upcard fell in between."""
    with demo("Kc 8s 9h 6d 4c 8h 5s 2d 8d 3c Tc 9s") as server:
        ann = visitor(browser, server, screen)
        ann.enter("between")
        bob, carol = server.join("between", 2), server.join("between", 4)
        ann.press(ann.button("Take a seat"))
        bet(bob, base=2500, in_between=500)
        bet(carol, base=10_000, in_between=500)
        for spot, chip in (("Blackjack", 2500), ("IN BETween", 500)):
            ann.bet(spot, chip)
        ready(bob, carol)
        ann.deal()
        bob.my_turn()
        bob.done("choose", option="stand")
        for option, hand in (("Split", "hand 1 of 2"), ("Split", "hand 1 of 3"), ("Double", "hand 2 of 3")):
            ann.decide(option)
            expect(ann.head).to_contain_text(hand)
        take(ann, name)
        ann.close()


def down_under(browser: Browser, screen: Screen, name: str) -> None:
    """Three queens on the flop, against a small and a large card of the dealer; one has raised, the others checked."""
    with demo("Ks Qc 7d 5c Kd Qh 2c Ad Js Qd 4h 9c 3s") as server:
        ann = visitor(browser, server, screen)
        ann.enter("under")
        bob, carol = server.join("under", 2), server.join("under", 4)
        ann.press(ann.button("Take a seat"))
        bet(bob, ante=2500, bet=2500, jackpot=100)
        bet(carol, ante=500, bet=500, trips_or_better=500)
        for spot, chip in (("Ante", 2500), ("Ante", 500), ("Trips or Better", 500), ("Match the Dealer", 500)):
            ann.bet(spot, chip)
        ann.bet("Jackpot")
        ready(bob, carol)
        ann.deal()
        bob.my_turn()
        bob.done("choose", option="3x")
        ann.decide("Check")
        carol.my_turn()
        carol.done("choose", option="check")
        expect(ann.options).to_have_count(2)
        take(ann, name)
        ann.close()


def from_its_rules(browser: Browser, screen: Screen, name: str) -> None:
    """Games whose definition says nothing of their felt: a poker game before the last decision, and roulette."""
    poker, wheel = (first_settings(load(game)) for game in ("ultimate-texas-holdem", "roulette"))
    with demo("Kh Ts 9c Qh 4d Qd 7h 2s Jh Kd 5c 3h 8s", opened=[poker, wheel]) as server:
        ann = visitor(browser, server, screen)
        ann.enter(poker.id)
        bob, carol = server.join(poker.id, 2), server.join(poker.id, 4)
        ann.press(ann.button("Take a seat"))
        for robot in (bob, carol):
            bet(robot, ante=500, blind=500, trips=500)
        for spot in ("Ante", "Blind", "Trips"):
            ann.bet(spot, 500)
        ready(bob, carol)
        ann.deal()
        bob.my_turn()
        bob.done("choose", option="4x")
        ann.decide("Check")
        carol.my_turn()
        carol.done("choose", option="check")
        expect(ann.options).to_have_count(2)
        take(ann, f"{name}-poker{'-phone' * screen.touch}")
        ann.go("/")
        ann.enter(wheel.id)
        dan, eve = server.join(wheel.id, 2), server.join(wheel.id, 4)
        ann.press(ann.button("Take a seat"))
        bet(dan, **{"17": 500, "red": 2500, "dozen-2": 500})
        bet(eve, **{"20-21-23-24": 500, "black": 1000})
        ann.press(ann.chip(500))
        for spot in ("23", "black", "17-20"):
            ann.press(ann.felt.locator(f"[data-spot='{spot}']"))
        expect(ann.rail).to_contain_text("15.00")
        take(ann, f"{name}-wheel{'-phone' * screen.touch}")
        ann.close()


@contextmanager
def at_a_game_of_the_gallery(
    browser: Browser, screen: Screen, game: str, *deals: str, rolls: str = ""
) -> Iterator[tuple[Person, Robot, Robot, Robot]]:
    """Somebody at a table as its definition has it, between two others; and what bets and decides for them."""
    table = msgspec.structs.replace(first_settings(load(game)), id=game)
    with demo(*deals, rolls=rolls, opened=[table]) as server:
        ann = visitor(browser, server, screen)
        ann.enter(game)
        bob, carol = server.join(game, 2), server.join(game, 5)
        ann.press(ann.button("Take a seat"))
        expect(ann.rail.get_by_role("radio").first).to_be_enabled()
        (session,) = [cookie["value"] for cookie in ann.context.cookies() if cookie["name"] == COOKIE]
        yield ann, server.watch(game, session), bob, carol
        ann.close()


def craps(browser: Browser, screen: Screen, name: str) -> None:
    """A point of six, with odds behind the line, a Come that has gone to the nine, and place bets."""
    with at_a_game_of_the_gallery(browser, screen, "craps", rolls="42 54") as (ann, own, bob, carol):
        for robot, line in ((bob, "pass"), (carol, "dont_pass"), (own, "pass")):
            bet(robot, **{line: 2500})
        ready(bob, carol, own)
        later = {bob: {"place_8": 1200}, carol: {"field": 500}, own: {"odds": 5000, "come": 1000, "place_8": 1200}}
        for robot, wagers in later.items():
            robot.until(lambda view: view["phase"] == "betting" and view["dice"] == [4, 2])
            bet(robot, **wagers)
        ready(bob, carol, own)
        own.until(lambda view: view["phase"] == "betting" and view["dice"] == [5, 4])
        expect(ann.felt.locator(".die")).to_have_count(2)
        take(ann, name)


def punto_banco(browser: Browser, screen: Screen, name: str) -> None:
    """The banker draws to a five, and wins with a nine."""
    with at_a_game_of_the_gallery(browser, screen, "punto-banco", "4d 9s 3h 6c 4c") as (ann, own, bob, carol):
        for robot, wagers in (
            (bob, {"player": 2500}),
            (carol, {"banker": 10_000}),
            (own, {"banker": 2500, "tie": 500}),
        ):
            bet(robot, **wagers)
        ready(bob, carol, own)
        expect(ann.notice).to_contain_text("You win")
        take(ann, name)


def three_card_poker(browser: Browser, screen: Screen, name: str) -> None:
    """Three nines against a queen high."""
    deal = "Kd 9h 7c Qs 8d 9s 4c 8h 3s 9c 2d 5d"
    with at_a_game_of_the_gallery(browser, screen, "three-card-poker", deal) as (ann, own, bob, carol):
        for robot, amount in ((bob, 1000), (carol, 500), (own, 2500)):
            bet(robot, ante=amount, pair_plus=500)
        ready(bob, carol, own)
        for robot, option in ((bob, "play"), (own, "play"), (carol, "fold")):
            robot.my_turn()
            robot.done("choose", option=option)
        expect(ann.notice).to_contain_text("You win")
        take(ann, name)


def jackpot(browser: Browser) -> None:
    """A progressive jackpot after an award, on its display, at a table, and on the page of a manager."""
    deal = "8s 5c 9s 8d Ts Js Qs 3h 4h"
    with demo(*[deal] * 3, lab=Lab(patience=300)) as server:
        server.run(lambda house: open_demo_jackpot(house, pace=PAUSED))
        robot = server.join("outback", 3)
        bet(robot, ante=500, bet=500, jackpot=100)
        ready(robot)
        while robot.view["phase"] != "over":
            if robot.you["options"]:
                robot.do("choose", option=robot.you["options"][0]["name"])
            else:
                robot.receive()
        kim = server.run(lambda house: employ(house, "Kim Alba", Role.MANAGER))[1]
        for screen, size in ((DESKTOP, ""), (PHONE, "-phone")):
            display = visitor(browser, server, screen)
            display.go(f"/display/jackpots/{JACKPOT}")
            expect(display.page.get_by_text("● Live")).to_be_visible()
            take(display, f"jackpot-display{size}")
            display.close()
            at_table = visitor(browser, server, screen)
            at_table.go("/table/outback")
            expect(at_table.felt.locator(".sign .prize")).to_be_visible()
            at_table.open("Pay tables")
            expect(at_table.page.locator("[data-jackpot-returns]")).to_be_visible(timeout=300_000)
            at_table.page.locator("[data-jackpot-meter]").evaluate("at => at.scrollIntoView()")
            take(at_table, f"jackpot-table{size}")
            at_table.close()
        page = at_work(browser, server, DESKTOP, kim)
        page.go(f"/house/jackpots/{JACKPOT}")
        expect(page.page.get_by_role("table").first).to_be_visible()
        take(page, "jackpot-page")
        page.close()


def yo(screen: Screen, name: str, shooter: str | None) -> Callable[[Browser], None]:
    """A new point with a win on the arc to collect, other seats at it, and a late one; then the own roll."""

    def pictures(browser: Browser) -> None:
        with demo(rolls="4211 5436 6256") as server:
            ann = visitor(browser, server, screen)
            ann.enter("yo")
            robots = bob, carol = server.join("yo", 5), server.join("yo", 6)
            ann.press(ann.button("Take a seat"))
            bet(bob, play=2500, yo=500, high=500, pairs=500)
            bet(carol, play=10_000, low=500, craps=100)
            for spot, chip in (("Play", 2500), ("Yo!", 500), ("Low", 500), ("Low", 500), ("Pairs", 500)):
                ann.bet(spot, chip)
            ready(*robots)
            ann.press(ann.button("Ready"))
            expect(ann.head).to_contain_text("Your roll.")
            if shooter:
                take(ann, shooter)
            ann.decide("Roll")
            expect(ann.head).to_contain_text("New Point of 6")
            late = server.join("yo", 1)
            bet(late, late_play=2500, eleven=100)
            bob.until(lambda view: view["told"]["point"] == "6")
            bob.done("place", spot="more", amount=5000)
            bob.done("place", spot="high", amount=500)
            ann.bet("More", 2500)
            ann.bet("More")
            expect(ann.felt.locator(".die")).to_have_count(4)
            take(ann, name)
            ann.close()

    return pictures


def at_work(browser: Browser, server: LocalServer, screen: Screen, token: str) -> Person:
    """Somebody who works here."""
    person = visitor(browser, server, screen)
    person.context.add_cookies(
        [{"name": COOKIE, "value": token, "url": f"http://{HOST}:{server.port}", "httpOnly": True}]
    )
    return person


def open_table(browser: Browser, screen: Screen, name: str) -> None:
    """A manager tries other decks for a game, and reads what that comes to."""
    with demo(lab=Lab()) as server:
        _, token = server.run(lambda house: employ(house, "Kim Alba", Role.MANAGER))
        kim = at_work(browser, server, screen, token)
        kim.go("/house/tables/new")
        kim.press(kim.page.get_by_role("radio", name=re.compile("^One For The Money")))
        expect(kim.page.get_by_label("Name of the table")).to_have_value("One For The Money 1")
        kim.press(kim.page.locator("#section-cards > summary"))
        kim.page.get_by_label("Decks").select_option("4")
        expect(kim.page.locator("[data-wager] .apart")).to_have_count(2)
        if screen.touch:
            kim.press(kim.button("Details"))
        else:
            kim.page.evaluate("scrollTo(0, 0)")
        take(kim, name)
        kim.close()


def dealing(screen: Screen, name: str) -> Callable[[Browser], None]:
    """A dealer's console: the light of a card is to be read, a card to be turned, and a round to be paid."""

    def pictures(browser: Browser) -> None:
        table = msgspec.structs.replace(next(pit for pit in PIT if pit.game == "down-under-holdem"), name="Table 3")
        with tempfile.TemporaryDirectory() as folder, LocalServer(Path(folder), [table], lambda: AT_NOON) as server:
            id, token = server.run(lambda house: employ(house, "Dana Reyes", Role.DEALER))
            dana = at_work(browser, server, screen, token)
            dana.go(f"/house/tables/{table.id}/deal")
            expect(dana.page.locator("#ask")).to_be_visible()

            def do(*commands: StaffCommand) -> None:
                for command in commands:
                    server.run(lambda house, command=command: house.deal_by_hand(table.id, command, by_person(id)))  # type: ignore[misc]

            def enter(*answers: Answer) -> None:
                do(*(Enter(answer) for answer in answers))

            def see(asked: str) -> None:
                expect(dana.page.locator("#ask")).to_have_text(asked)

            do(SignOn(), SeatPatron(1, 40_000), SeatPatron(2, 40_000), SeatPatron(4, 40_000), StartRound(shuffle=True))
            for seat, amount in ((1, 2_500), (2, 1_000), (4, 500)):
                do(PlaceFor(seat, "ante", amount), PlaceFor(seat, "bet", amount))
            do(PlaceFor(4, "trips_or_better", 500), CloseBetting(), TickOff(2))
            see("The light of dealer 1")
            take(dana, f"{name}-light")
            enter(*[Dealt()] * 8, Shown("small"), Shown("large"), *[Hidden()] * 6)
            do(ChooseFor(1, "2x"), ChooseFor(2, "check"), ChooseFor(4, "3x"), TickOff(4))
            enter(*[Dealt()] * 3, Turned("7h"), Turned("8h"))
            see("Turn flop 3")
            take(dana, f"{name}-card")
            enter(Turned("9h"))
            do(ChooseFor(2, "1x"))
            enter(Turned("2h"), Turned("Kh"), Dealt(), Dealt(), Turned("As"), Turned("Ad"))
            enter(*map(Turned, ("Th", "Jh", "Qs", "Qc", "3d", "4d")))
            see("End the round.")
            take(dana, f"{name}-pays")
            dana.close()

    return pictures


def house(screen: Screen, start_page: str, waiting: str | None) -> Callable[[Browser], None]:
    """The start page of a manager, and what waits for a second signature."""

    def pictures(browser: Browser) -> None:
        with demo() as server:
            for seat, amount in ((1, 2500), (3, 500)):
                bet(server.join("money", seat), ante=amount)
            supervisor, _ = server.run(lambda house: employ(house, "Sam Ortiz", Role.SUPERVISOR))
            _, token = server.run(lambda house: employ(house, "Kim Alba", Role.MANAGER))
            void = VoidRound("A card was exposed before the deal.", 1)
            server.run(lambda house: house.staff.propose("money", void, by_person(supervisor)))
            server.run(lambda house: house.pause("between", "The light above the shoe flickers"))
            kim = at_work(browser, server, screen, token)
            kim.go("/house")
            take(kim, start_page)
            if waiting:
                kim.go("/house/waiting")
                take(kim, waiting)
            kim.close()

    return pictures


def board(screen: Screen, name: str, chosen: str | None = None) -> Callable[[Browser], None]:
    """All tables before a supervisor: something to decide, to sign, and to let go on."""

    def pictures(browser: Browser) -> None:
        with demo("7c Qh Kd Js Td") as server:
            for table, seats in {"match": (3,), "between": (1, 3, 4), "under": (2, 4), "yo": (1, 2, 4, 5)}.items():
                for seat in seats:
                    server.join(table, seat)
            robots = [server.join("money", seat) for seat in (1, 3, 4)]
            for robot, amount in zip(robots, (2500, 500, 10_000), strict=True):
                bet(robot, ante=amount)
            ready(*robots)
            robots[0].my_turn()
            id, token = server.run(lambda house: employ(house, "Sam Ortiz", Role.SUPERVISOR))
            manager, _ = server.run(lambda house: employ(house, "Kim Alba", Role.MANAGER))
            void = VoidRound("A card was exposed before the deal.", 1)
            server.run(lambda house: house.staff.propose("between", void, by_person(manager)))
            server.run(lambda house: house.pause("match", "The light above the shoe flickers", by_person(id)))
            server.run(
                lambda house: house.pit.report("money", Report("exposed card", "The burn card lay open"), by_person(id))
            )
            sam = at_work(browser, server, screen, token)
            sam.go("/house/board")
            expect(sam.page.locator(".tile.yours")).to_have_count(2)
            if chosen:
                sam.press(sam.page.locator("#tile-yo"))
                expect(sam.page.locator("#chosen")).to_be_visible()
            take(sam, name)
            sam.close()

    return pictures


def watched(browser: Browser, screen: Screen, name: str) -> None:
    """A table as surveillance sees it, live, while a seat decides."""
    with demo("7c Qh Kd Js Td") as server:
        robots = [server.join("money", seat) for seat in (1, 3, 4)]
        for robot, amount in zip(robots, (2500, 500, 10_000), strict=True):
            bet(robot, ante=amount)
        bet(robots[0], three_card_bonus=500)
        ready(*robots)
        robots[0].my_turn()
        _, token = server.run(lambda house: employ(house, "Vera Lund", Role.SURVEILLANCE))
        vera = at_work(browser, server, screen, token)
        vera.go("/house/watch/money")
        expect(vera.page.get_by_role("region", name="About this table")).to_contain_text("135.00")
        take(vera, name)
        vera.close()


def found(browser: Browser, screen: Screen, name: str) -> None:
    """What surveillance finds of one seat at one table."""
    with demo("7c Qh Kd Js Td") as server:
        robots = [server.join("money", seat) for seat in (1, 3)]
        for robot, amount in zip(robots, (2500, 500), strict=True):
            bet(robot, ante=amount)
        ready(*robots)
        for robot in robots:
            robot.my_turn()
            robot.done("choose", option="raise")
        robots[0].phase("over")
        server.pass_time(PAUSED.between_rounds)
        robots[0].until(lambda view: view["phase"] != "over")
        _, token = server.run(lambda house: employ(house, "Vera Lund", Role.SURVEILLANCE))
        vera = at_work(browser, server, screen, token)
        vera.go("/house/search?table=money&seat=1")
        take(vera, name)
        vera.close()


def a_round(browser: Browser) -> None:
    """A film: a four is traded for a queen and raised on; the queen wins, and makes a straight."""
    films: list[Film] = []
    with demo("9c 4h Kd Js Td Qh", clock=lambda: AT_NOON + sum(film.elapsed for film in films)) as server:
        ann = Person(browser, server, DESKTOP, calm=False)
        film = Film(ann, AT_NOON)
        ann.enter("money")
        bob, carol = server.join("money", 2), server.join("money", 5)
        ann.press(ann.button("Take a seat"))
        expect(ann.rail.get_by_role("radio").first).to_be_enabled()
        bob.phase("betting")
        carol.phase("betting")
        films.append(film)
        film.start(AT_NOON + 600_000)

        def see(wanted: Callable[[Json], object]) -> None:
            film.sees(carol.until(wanted)["version"])

        def put(spot: str, title: str, amount: Cents) -> None:
            film.press(ann.chip(amount))
            film.press(ann.spot(title))
            see(lambda view: _seat(view, "Guest 1")["wagers"].get(spot) == amount)

        bob.done("place", spot="ante", amount=2500)
        see(lambda view: _seat(view, "Guest 2")["wagers"])
        film.roll(320)
        put("ante", "Ante", 2500)
        carol.done("place", spot="ante", amount=10_000)
        see(lambda view: _seat(view, "Guest 3")["wagers"])
        put("three_card_bonus", "3 Card Bonus", 500)
        ready(bob, carol)
        see(lambda view: _seat(view, "Guest 2")["ready"] and _seat(view, "Guest 3")["ready"])
        film.press(ann.button("Deal"))
        film.sees(bob.my_turn()["version"])
        film.roll(1320)
        bob.done("choose", option="check")
        see(lambda view: view["message"] == "Guest 1 to act.")
        film.roll(720)
        film.press(ann.option("Trade"))
        see(lambda view: _seat(view, "Guest 1")["wagers"].get("trade"))
        film.roll(1120)
        film.press(ann.option("Raise"))
        film.sees(carol.my_turn()["version"])
        film.roll(360)
        carol.done("choose", option="check")
        see(lambda view: view["round"] is None)
        film.roll(4560)
        film.save(FOLDER / "round.webp")
        ann.close()
    tell(FOLDER / "round.webp")


def _seat(view: Json, name: str) -> Json:
    return next(seat for seat in view["seats"] if seat["name"] == name)


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = start(playwright)
        a_round(browser)
        for picture, name in ((lobby, "lobby"), (in_between, "in-between"), (down_under, "down-under")):
            picture(browser, DESKTOP, name)
            picture(browser, PHONE, f"{name}-phone")
        one_for_the_money(DESKTOP, "table", "results")(browser)
        one_for_the_money(PHONE, "table-phone", "results-phone")(browser)
        yo(DESKTOP, "yo", "yo-roll")(browser)
        yo(PHONE, "yo-phone", None)(browser)
        for screen in (DESKTOP, PHONE):
            from_its_rules(browser, screen, "felt")
            for picture, name in (
                (craps, "craps"),
                (punto_banco, "punto-banco"),
                (three_card_poker, "three-card-poker"),
            ):
                picture(browser, screen, f"{name}{'-phone' * screen.touch}")
        jackpot(browser)
        open_table(browser, DESKTOP, "open-table")
        open_table(browser, PHONE, "open-table-phone")
        house(DESKTOP, "house", "signatures")(browser)
        house(PHONE, "house-phone", None)(browser)
        dealing(DESKTOP, "console")(browser)
        dealing(TABLET, "console-tablet")(browser)
        dealing(PHONE, "console-phone")(browser)
        board(DESKTOP, "board")(browser)
        board(PHONE, "board-phone")(browser)
        board(DESKTOP, "board-chosen", "yo")(browser)
        watched(browser, DESKTOP, "watch")
        watched(browser, PHONE, "watch-phone")
        found(browser, DESKTOP, "search")
        browser.close()


if __name__ == "__main__":
    main()
