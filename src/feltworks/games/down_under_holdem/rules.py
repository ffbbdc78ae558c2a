"""Down Under Hold'em (document 002): two cards against the dealer's two, of which a card reader tells the bands."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction

from feltworks.games.down_under_holdem import jackpot as jackpots
from feltworks.kit import (
    DISCARD,
    EVEN,
    OUT_OF_SERVICE,
    Amount,
    Answer,
    BadCard,
    BadValue,
    Bet,
    Bonus,
    Call,
    Card,
    CardSet,
    Choose,
    Deal,
    Decide,
    Extra,
    Hand,
    HandRank,
    Incident,
    Items,
    Larger,
    MeterShare,
    Moment,
    Move,
    NotAllowed,
    Odds,
    Option,
    Place,
    PlayedGame,
    Read,
    Role,
    Round,
    Seat,
    Settlement,
    Situation,
    Stake,
    Token,
    ToldHand,
    Turn,
    UnknownName,
    best_hand,
    compared_words,
    in_sentence,
    note,
    parse_cards,
    plural,
    poker_hand,
    poker_words,
    sign,
    task,
)
from feltworks.kit.jackpot_steps import CONFIRM_AWARD, ENTER_AWARD, LIT, NOT_LIT
from feltworks.kit.manual_entry import READER_FAULT
from feltworks.kit.odds import Pay

SMALL, MEDIUM, LARGE = CardSet("small", "2345"), CardSet("medium", "6789"), CardSet("large", "TJQKA")
BANDS = (SMALL, MEDIUM, LARGE)
"""D-04: blue, red and gold. What is counted has them again, in `enumerator/bands.py`."""
READER = "card reader"
COUNTS = {3: "three", 4: "four"}
ALL_OTHER_HANDS = "All other hands"

DEALER = (Token(None, "dealer 1"), Token(None, "dealer 2"))
FLOP = tuple(Token(None, f"flop {n}") for n in (1, 2, 3))
TURN_AND_RIVER = (Token(None, "turn"), Token(None, "river"))


def own(seat: Seat) -> tuple[Token, Token]:
    return Token(seat, "card 1"), Token(seat, "card 2")


@dataclass(frozen=True)
class DownUnder(Round):
    """One round, in the order of the document's numbered rules."""

    shows_alone = True

    def play(self) -> Items:
        """D-02 to D-08."""
        yield Call("Place your bets.")
        yield self.game.betting("open")
        yield Call("No more bets.")
        yield task(self.sense)
        yield task(self.deal)
        yield task(self.read)
        yield task(self.seats_look)
        yield task(self.before_flop)
        yield task(self.flop)
        yield task(self.after_flop)
        yield task(self.showdown)
        yield task(self.settle)

    def alike_cards(self) -> Iterable[tuple[Token, ...]]:
        """D-03, D-06, D-07: two cards of a hand, the three of the flop, and turn and river."""
        return (*(own(seat) for seat in self.seats), DEALER, FLOP, TURN_AND_RIVER)

    @classmethod
    def most_cards(cls, game: PlayedGame, seats: int) -> int:
        """D-03, D-06, D-07, F-23: two for each seat and for the dealer, and five on the board."""
        return 2 * seats + 7

    # Wagers.

    def check(self, answer: Answer) -> None:
        """D-02, D-05, D-06, D-13: what the house refuses in the words of the rules."""
        match answer:
            case Place(seat, spot) if isinstance(self.next, Bet) and spot in BONUSES and not self.has(seat, "base"):
                raise NotAllowed(
                    f"{self.game.spot_title(spot)} is for seats with Ante and Bet (D-02); place those first."
                )
            case Place(_, "jackpot") if not isinstance(self.next, Bet):
                raise NotAllowed("The Jackpot wager is placed before the deal (D-13); wait for the next round.")
            case Decide(int(seat), play) if self.is_asked(Seat(seat)) and _is_play(play):
                assert isinstance(self.next, Choose)
                offered = [option.name for option in self.next.options]
                if play not in offered:
                    rule = "Play is 2x or 3x Ante before the flop (D-05) and 1x after it (D-06)"
                    raise NotAllowed(f"{rule}, not {play}; choose one of: {', '.join(offered)}.")

    def is_asked(self, seat: Seat) -> bool:
        return isinstance(self.next, Choose) and self.next.is_for(seat)

    def may_play(self, seat: Seat) -> None:
        """D-02: Ante and Bet are both made, and equal."""
        if self.stake(seat, "ante") != self.stake(seat, "bet"):
            raise NotAllowed(f"Seat {seat} needs equal wagers on Ante and Bet (D-02); make them equal.")

    def sense(self) -> Items:
        """D-13: the dealer triggers the sensing; lit spots are registered, and their chips are taken at once."""
        placed = [seat for seat in self.playing if self.stake(seat, "jackpot")]
        if placed:
            yield Move("jackpot sensing", "triggered")
        for seat in placed:
            options = (LIT, Option(NOT_LIT, then=DownUnder.not_lit, args=(seat,)))
            about = f"seat {seat}'s Jackpot spot"
            yield Choose(Role.DEALER, options, about=about, sentence="The dealer takes the jackpot chips.")
        yield task(self.take_lit_chips)

    def take_lit_chips(self) -> Items:
        """D-13: the wager is registered, and counts until it is decided; the chips are off the spot."""
        lit = {(seat, "jackpot"): self.stake(seat, "jackpot") for seat in self.playing if self.stake(seat, "jackpot")}
        for seat, _ in lit:
            yield Move(f"seat {seat}'s Jackpot chips", "taken")
        if lit:
            yield note(registered=lit)

    def not_lit(self, dealer: Role, seat: Seat) -> Items:
        """D-13: chips on a spot that did not light are no wager and go back before the first card."""
        yield self.push(seat, "jackpot", "Spot did not light", "D-13")

    # The deal.

    def deal(self) -> Items:
        """D-01, D-03: one card at a time, clockwise; two face down to each betting seat and to the dealer."""
        for number in range(2):
            for seat in self.playing:
                yield Deal(own(seat)[number], f"seat {seat}")
            yield Deal(DEALER[number], "dealer")

    def read(self) -> Items:
        """D-04: for each dealer's card the reader tells its band, and the card is laid there, face down."""
        for token in DEALER:
            yield Read(token, BANDS)
            yield task(self.lay_in_band, token)

    def lay_in_band(self, token: Token) -> Items:
        """D-04."""
        band = self.cards[token].reading
        assert band is not None
        yield Move(token, band.name)

    def seats_look(self) -> Items:
        """D-05: each seat looks at its own two cards."""
        for seat in self.playing:
            for token in own(seat):
                yield Turn(token, to=seat)

    # What the seats do.

    def before_flop(self) -> Items:
        """D-05: each seat checks or makes Play of 2x or 3x its Ante."""
        yield from self.asked(self.playing, (CHECK, TWICE, THRICE))

    def flop(self) -> Items:
        """D-06: three community cards."""
        for token in FLOP:
            yield Deal(token, "board")
        for token in FLOP:
            yield Turn(token)

    def after_flop(self) -> Items:
        """D-06: a seat without Play folds or makes Play of 1x its Ante."""
        yield from self.asked([s for s in self.playing if not self.stake(s, "play")], (FOLD, ONCE))

    def asked(self, seats: "tuple[Seat, ...] | list[Seat]", options: tuple[Option, ...]) -> Items:
        """D-05: the seats decide one after the other, clockwise; or all at once."""
        if self.game.reading("order_of_action") == "together":
            if seats:
                yield Choose(frozenset(seats), options)
            return
        for seat in seats:
            yield Choose(frozenset({seat}), options)

    def fold(self, seat: Seat) -> Items:
        """D-06, D-09: Ante and Bet are forfeited. The hand stays sealed, and is kept only if it can still win."""
        yield self.lose(seat, "ante", "Fold", "D-06")
        yield self.lose(seat, "bet", "Fold", "D-06")
        if self.game.reading("folded_bonus") == "forfeits":
            for spot in ("trips_or_better", "match_the_dealer"):
                if self.stake(seat, spot):
                    yield self.lose(seat, spot, "Fold", "D-09")
        yield task(self.lay_folded, seat)

    def lay_folded(self, seat: Seat) -> Items:
        """D-09."""
        for token in own(seat):
            yield Move(token, f"seat {seat}, folded" if self.may_still_win(seat) else DISCARD)

    def has_folded(self, seat: Seat) -> bool:
        return self.cards[own(seat)[0]].place != f"seat {seat}"

    def may_still_win(self, seat: Seat) -> bool:
        """D-09: whether a folded hand can win a bonus wager or the jackpot."""
        if self.stake(seat, "trips_or_better") or self.stake(seat, "match_the_dealer"):
            return True
        return bool(self.stake(seat, "jackpot")) and self.game.reading("folded_jackpot") == "qualifies"

    def may_win_jackpot(self, seat: Seat) -> bool:
        """D-09, D-17: whether a hand counts for the jackpot, for its own seat and for the envy of others."""
        return not self.has_folded(seat) or self.game.reading("folded_jackpot") == "qualifies"

    @property
    def in_the_showdown(self) -> tuple[Seat, ...]:
        """The seats whose hands decide anything."""
        return tuple(s for s in self.playing if not self.has_folded(s) or self.may_still_win(s))

    # How it ends.

    def showdown(self) -> Items:
        """D-07 to D-09: the dealer's cards, then turn and river together; then the hands that decide anything."""
        seats = self.in_the_showdown
        if not seats:
            return
        for token in DEALER:
            yield Turn(token)
        for token in TURN_AND_RIVER:
            yield Deal(token, "board")
        for token in TURN_AND_RIVER:
            yield Turn(token)
        yield task(self.announce)
        for seat in reversed(seats):
            for token in own(seat):
                yield Turn(token)

    def announce(self) -> Items:
        """D-08."""
        yield Call(f"Dealer has {poker_words(self.best(DEALER))}.")

    def settle(self) -> Items:
        """D-01: counter-clockwise, and in a seat Ante, Bet, Play, Trips, Match, Jackpot."""
        with_jackpot = tuple(s for s in self.playing if self.stake(s, "jackpot") and self.may_win_jackpot(s))
        for seat in reversed(self.playing):
            if not self.has_folded(seat):
                yield task(self.settle_seat, seat)
            yield Moment("end", seat)
            if self.stake(seat, "jackpot"):
                yield task(self.envy, seat, with_jackpot)
            yield Moment("jackpot", seat)
        yield task(self.pay_largest_first)

    def pay_largest_first(self) -> Items:
        """D-16: where the house pays the largest percentage first, all that were won wait until the rest is settled."""
        won = [(seat, jackpot_pay(self, seat)) for seat in reversed(self.playing) if self.stake(seat, "jackpot")]
        shares = [(seat, *found) for seat, found in won if found is not None]
        for seat, line, pay in sorted(shares, key=lambda one: -percent_of(one[2])):
            yield task(award, seat, line, pay)

    def settle_seat(self, seat: Seat) -> Items:
        """D-08: the better hand wins; Ante and Play 1 to 1, Bet by its pay table; equal hands push."""
        hand, dealer = self.best(own(seat)), self.best(DEALER)
        for spot in ("ante", "bet", "play"):
            if not self.stake(seat, spot):
                continue
            if hand < dealer:
                yield self.lose(seat, spot, "Dealer's hand is better", "D-08")
            elif hand == dealer:
                yield self.push(seat, spot, "Tie", "D-08")
            elif spot == "bet":
                yield self.by_table(seat, spot, bet_line(hand.category), "D-08")
            else:
                yield self.win(seat, spot, "Better hand", EVEN, "D-08")

    def envy(self, seat: Seat, seats: tuple[Seat, ...]) -> Items:
        """D-17: paid for each royal or straight flush of another seat with the Jackpot wager; never for one's own."""
        table = self.game.pay_table("jackpot")
        for other in reversed(seats):
            line = None if other == seat else jackpots.envy_line(table, self.hole(other), self.board)
            if line is not None:
                pay = table.pay(line)
                if isinstance(pay, Amount) and self.game.reading("envy_scales") == "yes":
                    dollars = Fraction(pay.cents, 100)
                    pay = Odds("to", dollars.numerator, dollars.denominator)
                line_and_seat = f"{line} of seat {other}"
                yield Settlement(seat, "jackpot", line_and_seat, pay, Stake.STAYS, self.stake(seat, "jackpot"), "D-17")

    def hole(self, seat: Seat) -> tuple[Card, ...]:
        return tuple(map(self.card, own(seat)))

    @property
    def board(self) -> tuple[Card, ...]:
        """The community cards."""
        return tuple(map(self.card, (*FLOP, *TURN_AND_RIVER)))

    def best(self, tokens: tuple[Token, ...]) -> Hand:
        """The best five of two hole cards and the board."""
        return best_hand([*map(self.card, tokens), *self.board])

    # What is told of the hands.

    def told_hands(self, known: Mapping[Token, Card]) -> Iterator[ToldHand]:
        """D-08: the best five of two hole cards and the board, once its flop lies open."""
        board = {token: known[token] for token in (*FLOP, *TURN_AND_RIVER) if token in known}
        if len(board) < len(FLOP):
            return
        for owner, tokens in ((None, DEALER), *((seat, own(seat)) for seat in self.seats)):
            if all(token in known and self.cards[token].place != DISCARD for token in tokens):
                yield poker_hand(owner, {token: known[token] for token in tokens} | board)

    def why(self, settled: Settlement, before: "DownUnder") -> str:
        """D-08: both hands, and by which of them."""
        if settled.rule != "D-08":
            return "folded" if settled.line == "Fold" else in_sentence(settled.line)
        hand, dealer = self.best(own(settled.seat)), self.best(DEALER)
        told = compared_words(hand, dealer)
        low = settled.spot == "bet" and hand > dealer and bet_line(hand.category) == ALL_OTHER_HANDS
        return f"{told}, but is below a straight" if low else told

    # Incidents.

    @property
    def incidents(self) -> tuple[str, ...]:
        """D-10, F-28."""
        return (READER_FAULT, *super().incidents)

    def on_incident(self, incident: Incident) -> Choose:
        """D-10: a dealer's card that is not of the band that was shown stops the round for the supervisor, and each
        choice ends that."""
        if incident.kind != READER_FAULT:
            return super().on_incident(incident)
        if all(t in self.cards and self.cards[t].card for t in DEALER):
            raise NotAllowed("The dealer's cards lie open; what the reader showed is past (D-10).")
        go_on: tuple[Option, ...] = (Option("continue"),)
        if isinstance(self.next, Turn) and self.next.token in DEALER:
            band = Option("correct the band", then=DownUnder.read_again, args=(self.next.token,))
            go_on = (Option("correct the card"), band)
        return Choose(Role.SUPERVISOR, (*go_on, LIGHT_WRONG, Option("void", then=Round.void)))

    def read_again(self, supervisor: Role, token: Token) -> Items:
        """D-10: the card is what it is, and the band was entered wrongly; it is entered as the light showed it."""
        yield note(cards={**self.cards, token: replace(self.cards[token], reading=None)})
        yield Read(token, BANDS)
        yield task(self.lay_in_band, token)

    def light_was_wrong(self, supervisor: Role) -> Items:
        """D-10, F-17: the round is void, and the reader out of service until it is released."""
        yield Move(READER, OUT_OF_SERVICE)
        yield from self.void(supervisor)


LIGHT_WRONG = Option("light was wrong", then=DownUnder.light_was_wrong)
CHECK = Option("check")
TWICE = Option("2x", Extra("play", of="ante", least=Fraction(2), most=Fraction(2)))
THRICE = Option("3x", Extra("play", of="ante", least=Fraction(3), most=Fraction(3)))
FOLD = Option("fold", then=DownUnder.fold)
ONCE = Option("1x", Extra("play", of="ante"))


def _is_play(option: str) -> bool:
    return option.endswith("x") and option[:-1].isdigit()


def bet_line(category: HandRank) -> str:
    """D-08: the line of the Bet's pay table for a winning hand."""
    return category.label if category >= HandRank.STRAIGHT else ALL_OTHER_HANDS


def trips_or_better(round: DownUnder, seat: Seat) -> Items:
    """D-11: the seat's best five of seven, whatever the dealer has."""
    category = round.best(own(seat)).category
    line = category.label if category >= HandRank.THREE_OF_A_KIND else None
    yield round.by_table(seat, "trips_or_better", line, "D-11", losing="No three of a kind")


def match_the_dealer(round: DownUnder, seat: Seat) -> Items:
    """D-12: the ranks of the four hole cards."""
    mine = [card.rank for card in round.hole(seat)]
    dealer = [round.card(token).rank for token in DEALER]
    matched = set(mine) & set(dealer)
    line: str | None
    if len({*mine, *dealer}) == 1:
        line = "Four of a kind"
    elif matched and (mine[0] == mine[1] or dealer[0] == dealer[1]):
        line = "Three of a kind"
    elif len(matched) == 2:
        line = "2 card matches"
    else:
        line = "1 card match" if matched else None
    yield round.by_table(seat, "match_the_dealer", line, "D-12", losing="No match")


def why_trips(round: DownUnder, settled: Settlement) -> str:
    """D-11: what the seat has."""
    if settled.rule != "D-11":
        return ""
    words = poker_words(round.best(own(settled.seat)))
    return words if settled.pay else f"{words} is below three of a kind"


def why_match(round: DownUnder, settled: Settlement) -> str:
    """D-12: which cards match."""
    if settled.rule != "D-12":
        return ""
    mine, dealer = round.hole(settled.seat), tuple(map(round.card, DEALER))
    ranks = [card.rank for card in (*mine, *dealer)]
    matched = {sign(card): card.rank for card in mine if card.rank in ranks[2:]}
    if not matched:
        return f"{' and '.join(map(sign, mine))} match neither {' nor '.join(map(sign, dealer))}"
    if len(matched) == 2:
        return f"{' and '.join(matched)} match the dealer's"
    ((shown, rank),) = matched.items()
    return f"{shown} matches the dealer's" if ranks.count(rank) == 2 else f"{COUNTS[ranks.count(rank)]} {plural(rank)}"


def why_jackpot(round: DownUnder, settled: Settlement) -> str:
    """D-14, D-15: the hand that was read, where it has no line."""
    if settled.rule != "D-14" or settled.pay:
        return ""
    board = round.board if jackpots.FLOPPED in round.game.pay_table("jackpot").names else round.board[:3]
    shared = "flop" if len(board) == 3 else "board"
    return f"{poker_words(best_hand([*round.hole(settled.seat), *board]))} with the {shared} has no line"


def jackpot_pay(round: DownUnder, seat: Seat) -> tuple[str, Pay] | None:
    """D-14, D-15: the one line on which a seat is paid, and what it pays."""
    table = round.game.pay_table("jackpot")
    line = jackpots.line_of(table, round.hole(seat), round.board)
    return None if line is None else (line, jackpots.pay_of(table, line, round.game.reading("community_royal")))


def percent_of(pay: Pay) -> Fraction:
    """What share of the meter is paid; nothing where there is none."""
    share = pay.share if isinstance(pay, Larger) else pay
    return share.percent if isinstance(share, MeterShare) else Fraction(0)


def jackpot(round: DownUnder, seat: Seat) -> Items:
    """D-14 to D-16: paid on one line; a share of the meter at once, or when it is its turn among those of the round."""
    if not round.may_win_jackpot(seat):
        yield round.lose(seat, "jackpot", "Fold", "D-09")
        return
    found = jackpot_pay(round, seat)
    if found is None:
        yield round.lose(seat, "jackpot", "No line", "D-14")
        return
    line, pay = found
    if not percent_of(pay):
        yield round.win(seat, "jackpot", line, pay, "D-14")
    elif round.game.reading("award_sequence") == "paying_order":
        yield task(award, seat, line, pay)


def award(round: DownUnder, seat: Seat, line: str, pay: Pay) -> Items:
    """D-18: a share of the meter is entered by the dealer and confirmed by the supervisor before it is paid."""
    about = f"seat {seat}'s {in_sentence(line)}"
    yield Choose(Role.DEALER, (ENTER_AWARD,), about=about, sentence=f"The dealer enters the award of seat {seat}.")
    told = f"The supervisor confirms the award of seat {seat}."
    yield Choose(Role.SUPERVISOR, (CONFIRM_AWARD,), about=about, sentence=told)
    yield round.win(seat, "jackpot", line, pay, "D-14")


def situation(seat: Seat, cards: str, *, bands: str, flop: str | None = None) -> Situation:
    """D-05, D-06: a seat's two cards and the bands of the dealer's, before the flop or after a check on it."""
    hole, board = parse_cards(cards), parse_cards(flop or "")
    if len(hole) != 2 or len(board) not in (0, 3):
        raise BadCard("Give two cards, such as AsKh, and for the flop three, such as 2c7dJh.")
    dealt = [*hole, *board]
    for card in dealt:
        if not card.has_suit:
            raise BadCard(f"{card} needs a suit here: {card}c, {card}d, {card}h or {card}s.")
        if dealt.count(card) > 1:
            raise BadCard(f"{card} is named twice; there is one of each card in the deck.")
    names = [name.strip().lower() for name in bands.split(",")]
    by_name = {band.name: band for band in BANDS}
    for name in names:
        if name not in by_name:
            raise UnknownName("band", name, by_name)
    if len(names) != 2:
        raise BadValue(f"The dealer's two cards show two bands, such as small,large; {len(names)} are named.")
    known = dict(zip((*own(seat), *(FLOP if board else ())), dealt, strict=True))
    shown = dict(zip(DEALER, (by_name[name] for name in names), strict=True))
    return Situation(known, ("check",) if board else (), shown)


ROUND = DownUnder
BONUSES = {
    "trips_or_better": Bonus("end", trips_or_better, why=why_trips),
    "match_the_dealer": Bonus("end", match_the_dealer, why=why_match),
    "jackpot": Bonus("jackpot", jackpot, why=why_jackpot),
}
ENUMERATOR = "enumerator"
