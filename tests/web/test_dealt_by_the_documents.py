"""Twenty rounds of each game, dealt by what the console says, beside a second reading of the documents: what is done in
which order, in which words, what is taken and what is paid. Nothing of a game's own rules is used here. What the
console says is held to the Round's own settlements, too, and the records verify."""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from feltworks.floor.table import events as ev
from feltworks.floor.table.answers import Decided, Rolled, Shown, Turned
from feltworks.kit.cards import one_card
from tests.web.dealing import GAMES, Session
from tests.web.robots import Json, LocalServer

Due = dict[str, tuple[str, Fraction | int]]
"""What is to be done with the wagers of a seat, by the titles of their spots, and the amount."""
RANKS = "23456789TJQKA"
TIMES = ("first", "second", "third", "fourth", "fifth")


def rank(card: str) -> int:
    return RANKS.index(card[0])


class Dealer:
    """Whoever deals by the console, and knows the document: what the console says is what comes next in it."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.wagers: dict[tuple[int, str], int] = {}
        """What lies on the spots, by seat and title."""

    @property
    def acts(self) -> list[Json]:
        acts: list[Json] = self.session.dana.console["acts"]
        return acts

    @property
    def ask(self) -> Json:
        return self.session.dana.ask

    def does(self, do: str, text: str = "") -> Json:
        """The next thing that the dealer does."""
        act = self.acts[0]
        assert act["do"] == do and text in ("", act["text"]), (do, text, act)
        self.session.dana.does("tick off", done=act["number"])
        return act

    def says(self, text: str) -> None:
        self.does("say", text)

    def settles(self, seat: int, due: Due) -> None:
        """All wagers of a seat, one after the other, in chips that are worth it."""
        while due:
            act = self.acts[0]
            title = act["text"].removeprefix(f"Seat {seat}, ")
            assert (act["do"], act["amount"]) == due.pop(title), (act, due)
            self._has_chips(self.does(act["do"]))

    def _has_chips(self, act: Json) -> None:
        if act["do"] == "pay":
            assert sum(pile["value"] * pile["count"] for pile in act["chips"]) + act["loose"] == act["amount"]

    def enters(self, kind: str, text: str = "", laid: str = "") -> Any:
        """What is asked for next is entered; what it was."""
        assert not self.acts, self.acts
        assert self.ask["kind"] == kind and text in ("", self.ask["text"]), (kind, text, self.ask)
        assert laid == self.ask["laid"], (laid, self.ask)
        before = len(self.session.table.answers)
        self.session.step()
        self.session.compare()
        for past in self.session.table.answers[before:]:
            match past.event:
                case ev.Answered(Turned(card)):
                    return card
                case ev.Answered(Shown(name)):
                    return name
                case ev.Answered(Rolled(faces)):
                    return faces
                case ev.Answered(Decided(_, option, amount)):
                    return (option, amount) if amount else option
        return None

    def bets(self) -> None:
        """Betting is open; what lies there when it is closed."""
        self.enters("bet", "Betting is open.")
        titles = self.session.table.game.spot_title
        self.wagers = {(seat, titles(spot)): int(cents) for (seat, spot), cents in self.session.bets.items()}

    def seats(self, title: str) -> list[int]:
        return sorted(seat for seat, spot in self.wagers if spot == title)

    def of(self, seat: int) -> dict[str, int]:
        return {title: cents for (owner, title), cents in self.wagers.items() if owner == seat}


def even(beats: int, cents: int) -> tuple[str, int]:
    """A wager that pays 1 to 1, loses or pushes."""
    return ("pay" if beats > 0 else "take" if beats < 0 else "return", cents)


def odds(pays: Fraction | int, cents: int) -> tuple[str, Fraction | int]:
    """A wager that pays by a table, or loses."""
    return ("pay", pays * cents) if pays else ("take", cents)


# Document 004.


def one_for_the_money(dealer: Dealer) -> None:
    dealer.enters("shuffle")
    dealer.says("Place your bets.")
    dealer.bets()
    dealer.says("No more bets.")
    seats, cards = dealer.seats("Ante"), {}
    for seat in seats:  # rule 4: clockwise, one card each, and two for the dealer
        cards[seat] = dealer.enters("card", f"Seat {seat}'s card", f"Deal a card to seat {seat}, face up.")
    for seat in seats:  # rule 5
        ante, two = dealer.wagers[seat, "Ante"], "Deal 2 cards to the dealer, face down." if seat == seats[0] else ""
        option = dealer.enters("choose", f"Seat {seat} decides.", two)
        if option == "trade":
            dealer.wagers[seat, "Trade"] = ante
            dealer.does("card", f"Put seat {seat}'s card, the {one_card(cards[seat]).name}, with the discards.")
            laid = f"Deal a card to seat {seat}, face up."
            cards[seat] = dealer.enters("card", f"Seat {seat}'s replacement", laid)
            option = dealer.enters("choose", f"Seat {seat} decides.")
        if option == "raise":
            dealer.wagers[seat, "Raise"] = ante
    own = [dealer.enters("card", f"Turn the {which} dealer card") for which in TIMES[:2]]  # rule 6
    high = max(own, key=rank)
    dealer.does("card", f"Lay the {TIMES[own.index(high)]} dealer card, the {one_card(high).name}, in the play area.")
    dealer.says(f"Dealer shows {one_card(high).name}.")
    for seat in reversed(seats):  # rules 7 to 11
        beats = (rank(cards[seat]) > rank(high)) - (rank(cards[seat]) < rank(high))
        due: Due = {title: even(beats, cents) for title, cents in dealer.of(seat).items()}
        if "3 Card Bonus" in due:
            due["3 Card Bonus"] = odds(three_card_bonus([cards[seat], *own]), dealer.wagers[seat, "3 Card Bonus"])
        dealer.settles(seat, due)


def three_card_bonus(cards: list[str]) -> int:
    ranks, suits = sorted(map(rank, cards)), {card[1] for card in cards}
    straight = ranks[0] + 2 == ranks[1] + 1 == ranks[2] or ranks == [0, 1, 12]
    if len(set(ranks)) == 1:
        return 30
    return {(True, True): 40, (True, False): 10, (False, True): 5}.get((straight, len(suits) == 1), 0)


# Document 003.


def in_between(dealer: Dealer) -> None:
    dealer.enters(dealer.ask["kind"])
    dealer.says("Place your bets.")
    dealer.bets()
    dealer.says("No more bets.")
    seats, hands = dealer.seats("Blackjack"), dict[int, list[str]]()
    for time in TIMES[:2]:
        for seat in seats:
            laid = f"Deal a card to seat {seat}, face up."
            hands.setdefault(seat, []).append(dealer.enters("card", f"Seat {seat}'s {time} card", laid))
        if time == "first":
            up = dealer.enters("card", "The upcard", "Deal a card to the dealer, face up.")
    for seat in reversed(seats):  # rule (g): before anything else is dealt or read, counter-clockwise in succession
        if cents := dealer.of(seat).get("IN BETween"):
            dealer.settles(seat, {"IN BETween": odds(spread(hands[seat], up), cents)})
    ask = dealer.ask
    assert "Deal a card to the dealer, face down." in (ask["text"], ask["laid"]), ask
    acting, settling = list[int](), list[int]()
    while dealer.ask["kind"] != "end" or dealer.acts:  # blackjack: clockwise, then counter-clockwise
        if acts := dealer.acts:
            act = dealer.does(acts[0]["do"])
            dealer._has_chips(act)
            if act["text"].startswith("Dealer has"):
                settling = []
            if act["do"] in ("take", "pay", "return") and "Insurance" not in act["text"]:
                settling.append(act["seat"])
            continue
        if dealer.ask["kind"] == "choose" and dealer.ask["detail"] != "Insurance.":
            acting.append(dealer.ask["seat"])
        dealer.enters(dealer.ask["kind"], laid=dealer.ask["laid"])
    assert acting == sorted(acting)
    assert settling == sorted(settling, reverse=True) or set(settling) <= set(acting)


def spread(hand: list[str], up: str) -> int:
    low, high = sorted(map(rank, hand))
    if low == rank(up) == high:
        return 30
    return {1: 12, 2: 6, 3: 4}.get(high - low - 1, 1) if low < rank(up) < high else 0


# Document 002.

BANDS = {"small": "2345", "medium": "6789", "large": "TJQKA"}
BET: dict[int, Fraction | int] = {9: 500, 8: 50, 7: 10, 6: 3, 5: Fraction(3, 2), 4: 1}
TRIPS = {9: 50, 8: 40, 7: 30, 6: 9, 5: 7, 4: 4, 3: 3}
MATCH = {4: 250, 3: 25, 2: 10, 1: 2}
JACKPOT = {7: 300, 6: 50, 5: 40, 4: 30, 3: 9}


def down_under_holdem(dealer: Dealer) -> None:
    dealer.enters("shuffle")
    dealer.says("Place your bets.")
    dealer.bets()
    dealer.says("No more bets.")
    seats, wagers = dealer.seats("Ante"), dealer.wagers
    lit = list(jackpots(dealer))
    hands = f"Deal {2 * len(seats) + 2} cards, one at a time: "
    bands = list[str]()
    for time in TIMES[:2]:  # rule 3
        laid = dealer.ask["laid"]
        assert laid.startswith(hands) and laid.endswith("; face down.") if time == "first" else not laid, laid
        bands.append(dealer.enters("light", f"The light of the {time} dealer card", laid))
        dealer.does("card", f"Lay the {time} dealer card in the {bands[-1]} band.")
    for seat in seats:  # rule 4
        assert [choice["name"] for choice in dealer.ask["choices"]] == ["check", "2x", "3x"]
        laid = "Each seat looks at its own cards." if seat == seats[0] else ""
        option = dealer.enters("choose", f"Seat {seat} decides.", laid)
        if option != "check":
            wagers[seat, "Play"] = int(option[0]) * wagers[seat, "Ante"]
    down = "Deal 3 cards to the board, face down."  # rule 5
    flop = [dealer.enters("card", f"Turn the {t} flop card", down if t == "first" else "") for t in TIMES[:3]]
    folded = [seat for seat in seats if (seat, "Play") not in wagers and folds(dealer, seat)]  # rule 6
    own = [dealer.enters("card", f"Turn the {time} dealer card") for time in TIMES[:2]]  # rule 7
    assert all(card[0] in BANDS[band] for card, band in zip(own, bands, strict=True))
    board = list(flop)
    for name, laid in (("turn", "Deal 2 cards to the board, face down."), ("river", "")):  # rule 8
        assert dealer.ask["text"].startswith(f"Turn the {name}")
        board.append(dealer.enters("card", laid=laid))
    best = five_of([*own, *board])
    assert dealer.acts[0]["text"].startswith(f"Dealer has {CALLED[best[0]]}") or best[0] == 0  # rule 9
    dealer.does("say")
    shown = [seat for seat in reversed(seats) if seat not in folded or may_win(dealer, seat, lit)]
    cards = {seat: [dealer.enters("card", f"Turn seat {seat}'s {time} card") for time in TIMES[:2]] for seat in shown}
    for seat, hole in cards.items():  # rules 10 and 11, and rule 4 of the jackpot
        hand, due = five_of([*hole, *board]), Due()
        beats = (hand > best) - (hand < best)
        for title, cents in dealer.of(seat).items():
            match title:
                case "Trips or Better":
                    due[title] = odds(TRIPS.get(hand[0], 0), cents)
                case "Match the Dealer":
                    due[title] = odds(MATCH.get(matched(hole, own), 0), cents)
                case "Jackpot" if seat in lit:
                    won = JACKPOT.get(five_of([*hole, *flop])[0], 0)
                    due[title] = ("pay", won * cents) if won else ("leave", 0)
                case "Bet" if seat not in folded and beats > 0:
                    due[title] = ("pay", BET[hand[0]] * cents) if hand[0] in BET else ("return", cents)
                case "Ante" | "Bet" | "Play" if seat not in folded:
                    due[title] = even(beats, cents)
        dealer.settles(seat, due)


CALLED: tuple[str, ...] = (
    "",
    "a pair of",
    "two pair",
    "three of a kind",
    "a straight",
    "a flush",
    "a full house",
    "four of a kind",
)
CALLED += ("a straight flush", "a royal flush")


def jackpots(dealer: Dealer) -> Iterator[int]:
    """Rule 2 of the jackpot: sensed, and the chips of the lit spots removed, before anything is dealt."""
    seats, lit = dealer.seats("Jackpot"), list[int]()
    if seats:
        dealer.does("move", "Trigger the jackpot sensing.")
    for seat in seats:
        if dealer.enters("choose", f"Seat {seat}'s Jackpot spot: lit or not lit?") == "lit":
            lit.append(seat)
        else:
            dealer.settles(seat, {"Jackpot": ("return", dealer.wagers.pop((seat, "Jackpot")))})
    for seat in lit:
        dealer.does("move", f"Take seat {seat}'s Jackpot chips.")
        yield seat


def folds(dealer: Dealer, seat: int) -> bool:
    assert [choice["name"] for choice in dealer.ask["choices"]] == ["fold", "1x"]
    if dealer.enters("choose", f"Seat {seat} decides.") == "1x":
        dealer.wagers[seat, "Play"] = dealer.wagers[seat, "Ante"]
        return False
    dealer.settles(seat, {title: ("take", dealer.wagers[seat, title]) for title in ("Ante", "Bet")})
    for time in TIMES[:2]:
        assert dealer.does("card")["text"].split(maxsplit=1)[1].startswith(f"seat {seat}'s {time} card")
    return True


def may_win(dealer: Dealer, seat: int, lit: list[int]) -> bool:
    """A folded hand that may still win a bonus, as this house has it."""
    return seat in lit or {"Trips or Better", "Match the Dealer"} & dealer.of(seat).keys() != set()


def matched(hole: list[str], own: list[str]) -> int:
    mine, theirs = ([card[0] for card in cards] for cards in (hole, own))
    counts = Counter(mine + theirs)
    alike = max((n for name, n in counts.items() if name in mine and name in theirs), default=0)
    return alike if alike > 2 else len(set(mine) & set(theirs))


def five_of(cards: list[str]) -> tuple[int, ...]:
    """The best hand of five, so that the better one is the larger."""
    return max(map(hand_of, combinations(cards, 5)))


def hand_of(cards: tuple[str, ...]) -> tuple[int, ...]:
    ranks = sorted(map(rank, cards), reverse=True)
    counts = sorted(Counter(ranks).items(), key=lambda one: (-one[1], -one[0]))
    shape, order = [n for _, n in counts], [one for one, _ in counts]
    wheel, flush = ranks == [12, 3, 2, 1, 0], len({card[1] for card in cards}) == 1
    top = 3 if wheel else ranks[0]
    if wheel or (len(order) == 5 and ranks[0] - ranks[4] == 4):
        return ((9 if top == 12 else 8) if flush else 4, top)
    if flush:
        return (5, *ranks)
    kind = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}.get(tuple(shape), 0)
    return (kind, *order)


# Document 000.

NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split()
POINTS = (4, 5, 6, 8, 9, 10)
MORE = {4: Fraction(2), 5: Fraction(3, 2), 6: Fraction(6, 5)}
LATE = {4: Fraction(9, 5), 5: Fraction(7, 5), 6: Fraction(7, 6)}
CIRCLES = ("Play", "Late Play", "More", "Yo!")


def yo(dealer: Dealer) -> None:
    dealer.enters("start")
    dealer.does("move", "Put the marker on NO.")
    point = 0
    while True:
        dealer.does("signal", "Wave your hand across the arc, palm up.")
        dealer.says("Betting is open.")
        dealer.bets()
        dealer.does("signal", "Wave your hand across the arc, palm down.")
        dealer.says("No more bets.")
        for seat in sorted({seat for seat, _ in dealer.wagers}):
            if not {"Play", "Late Play"} & (back := dealer.of(seat)).keys():  # no other wager without one of them
                dealer.settles(seat, {title: ("return", dealer.wagers.pop((seat, title))) for title in back})
        while not dealer.acts:  # who rolls
            dealer.enters(dealer.ask["kind"], laid=dealer.ask["laid"])
        for do, text in SENT_OUT:
            dealer.does(do, text)
        assert dealer.does("move")["text"].startswith(("Keep the cup", "Pass the cup to seat"))
        faces = dealer.enters("dice")
        number = collected(dealer, faces)
        take_and_pay(dealer, faces, point)
        if not point and number in POINTS:
            point = number
            dealer.does("move", f"Put the marker, YES up, on {point}.")
            dealer.says(f"New Point of {point} has been marked.")
        elif point and number in (7, point):
            dealer.does("move", "Put the marker on NO.")
            again = "Game resets with a 7; please place your bets."
            dealer.says(again if number == 7 else f"The point {point} is made.")
            return


SENT_OUT = (
    ("signal", "Clear your hands."),
    ("move", "Stack all four dice."),
    ("move", "Drop all four dice into the cup together."),
    ("signal", "Clear your hands."),
)


def collected(dealer: Dealer, faces: tuple[int, ...]) -> int:
    """Called, and secured before any wager is touched; what the game dice show."""
    number, eleven = faces[0] + faces[1], faces[2] + faces[3] == 11
    call = dealer.does("say")["text"]
    assert call.lower().startswith(NUMBERS[number]) and ("bonus eleven" in call) == eleven
    dealer.does("move", "Put the cup to the right of the bankroll.")
    game = f"Collect the game dice, {faces[0]} and {faces[1]} up."
    bonus = f"Collect the bonus dice, {faces[2]} and {faces[3]} up."
    usual: tuple[str, ...] = (
        game,
        "Lay the game dice in front.",
        bonus,
        "Lay the bonus dice behind, in a square with the others.",
    )
    reverse: tuple[str, ...] = (bonus, "Lay the bonus dice in front: they show 11.")
    reverse += (game, "Lay the game dice behind: the bonus dice show 11.")
    for text in reverse if eleven else usual:
        dealer.does("move", text)
    return number


def take_and_pay(dealer: Dealer, faces: tuple[int, ...], point: int) -> None:
    """All losers before any winner, the circles before the arc, from the dealer's right to the left."""
    due = {key: found for key, cents in dealer.wagers.items() if (found := decided(key[1], faces, point, cents))}
    last = (False, False, -7)
    while (act := dealer.acts[0])["do"] in ("take", "pay", "return"):
        seat, title = act["seat"], act["text"].removeprefix(f"Seat {act['seat']}, ")
        assert (act["do"], act["amount"]) == due.pop((seat, title)), act
        now = (act["do"] != "take", title not in CIRCLES, -seat)
        assert last <= now, act
        last = now
        dealer._has_chips(dealer.does(act["do"]))
    assert due == {}


def decided(title: str, faces: tuple[int, ...], point: int, cents: int) -> tuple[str, int] | None:
    """What a roll does with a wager."""
    number, pair, eleven = faces[0] + faces[1], faces[0] == faces[1], faces[2] + faces[3] == 11
    pays: Fraction | int | None = None
    match title:
        case "Play" if not point:
            if number == 7:
                return ("return", cents)
            pays = 4 if number == 11 else 0 if number in (2, 3, 12) else None
        case "Play" | "More" | "Late Play":
            table: Mapping[int, Fraction] = {"More": MORE, "Late Play": LATE}.get(title, {})
            pays = table.get(min(point, 14 - point), 1) if number == point else 0 if number == 7 else None
        case "Yo!":
            if point and ((eleven and number == 7) or (not eleven and number == point)):
                return ("return", cents)
            won = (20 if number == 11 else 4 if pair else 1) if eleven else None
            pays = None if not point else 0 if number == 7 else won
        case "High" | "Low":
            pays = Fraction(3, 2) if number in ((8, 9, 10) if title == "High" else (4, 5, 6)) else 0
        case "Pairs":
            pays = 7 if pair and faces[0] in (2, 3, 4, 5) else 0
        case "Eleven":
            pays = 15 if number == 11 else 0
        case "Craps":
            pays = 7 if number in (2, 3, 12) else 0
    if pays is None:
        return None
    do, due = odds(pays, cents)
    return do, math.floor(due + Fraction(1, 2))


DOCUMENTS = {
    "one-for-the-money": one_for_the_money,
    "in-between": in_between,
    "blackjack": in_between,
    "down-under-holdem": down_under_holdem,
    "yo": yo,
}
WAGERS = {"one-for-the-money": 4, "in-between": 2, "blackjack": 1, "down-under-holdem": 6, "yo": 9}


@pytest.mark.slow
@pytest.mark.rule("F-20", "F-27", "Y-30", "Y-31", "Y-32", "Y-33", "Y-36", "D-04", "D-13", "I-05")
@pytest.mark.parametrize("game", DOCUMENTS)
def test_twenty_rounds_go_step_by_step_as_somebody_reads_them_in_the_document(tmp_path: Path, game: str) -> None:
    settings = GAMES[game]
    with LocalServer(tmp_path, [settings]) as server:
        session = Session(server, settings, (1, 2, 4), seed=17)
        dealer = Dealer(session)
        seen = Counter[str]()
        for _ in range(20):
            DOCUMENTS[game](dealer)
            seen.update(title for _, title in dealer.wagers)
            assert dealer.acts == []
            dealer.enters("end")
        assert session.table.round_number == 20
        assert len(seen) == WAGERS[game], seen
        server.check()
