"""The compiled kernel: rounds of blackjack by the hundred million, with every seat playing by one strategy.

A strategy and the dealer are one table of states: `after[state, rank]` is the state after one more card. There is a
state for each upcard before a seat's first card, and the next two cards lead to what is done with them. A hand that
draws goes from state to state until it comes to a final one, which says how it ended: with its total, over 21, with a
blackjack, given up. Hands that are played alike from here on share a state. So the best play by all the cards of a hand
needs some hundred states, and basic strategy is the same thing with a few less.

Many tables are played side by side, a round at each, in passes: shuffle, deal, begin a seat's hand, draw, the dealer,
settle, count. So a pass is a short loop that does one thing. The hands that draw are kept in a list, because nothing
takes a processor longer than to ask what it cannot foresee.

A shoe is shuffled only as far as it is dealt. Its cards lie in a row. Those before the place `ready` are shuffled, and
which of the rest comes next is drawn by Philox (`kit.philox`), three draws to a word. A round does not look where it is
and may run on into cards that are not shuffled yet. That is seen at its end: it does not count then, some more cards
are shuffled, and it is played again, with the same cards as far as they went.

Importing this module brings Numba with it, so only what computes imports it. `shoes` is how it is used.
"""

from collections.abc import Iterable
from enum import IntEnum
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy import uint64
from numpy.typing import NDArray

from feltworks.games.blackjack.exact import Plays
from feltworks.games.blackjack.hands import ACE, BUST, RANKS, TEN, all_hands
from feltworks.games.blackjack.options import Options
from feltworks.games.blackjack.solve import Action, Flags, Play, SplitPlay
from feltworks.kit.compiling import compiled
from feltworks.kit.errors import NotAllowed
from feltworks.kit.philox import LOW, ONE, WORD, draw, is_fair, rejected

BLOCKS = 1024
"""How many blocks of chance are drawn at a time."""
MOST_SEATS = 7
MOST_HANDS = 4
"""Of a seat."""
TENTHS = 10
"""Money is counted in tenths of a wager: a blackjack that pays 6 to 5 wins 12 of them, a surrender costs 5."""
MOST_NET = 2 * MOST_HANDS * TENTHS
SPARE = 5 * MOST_HANDS * (MOST_SEATS + 1)
"""Behind the shoe lie so many tens: any round comes to its end there, because no hand can take more than five."""


# States

OVER, SURRENDERED, PEEKED, DEALER_OVER = range(4)
"""Final states below all totals: a seat that is over 21, has given up, or was beaten before it could act; and a dealer
over 21, who beats those and is beaten by any total."""
NOT_DRAWN = 4
"""The dealer did not draw, because every hand was decided. This number is free: the dealer ends with 17 or more."""
BLACKJACK = 22
"""Above all totals, which are final states too."""
SPLIT = 23
"""From here on: a pair that is split, by upcard and rank. The next card is the second one of a split hand."""
DEALER = SPLIT + RANKS * RANKS
"""From here on: the dealer, by upcard."""
SEAT = DEALER + RANKS
"""From here on: a seat before its first card, by upcard."""
ENDED = SEAT + RANKS
"""A seat before its first card, in a round that the dealer's peek ends."""
DRAWS = ENDED + 1
"""From here on: hands that draw."""


class Course(IntEnum):
    """What a seat did with its first two cards."""

    STAND = Action.STAND
    HIT = Action.HIT
    DOUBLE = Action.DOUBLE
    SPLIT = Action.SPLIT
    SURRENDER = Action.SURRENDER
    BLACKJACK = 5
    """It had one."""
    NONE = 6
    """The round was over before."""

    @property
    def label(self) -> str:
        """Its name, as `Action` has it."""
        return self.name.lower()


WAS_GIVEN_UP, WAS_BLACKJACK, WAS_NOTHING = (
    np.uint8(course) for course in (Course.SURRENDER, Course.BLACKJACK, Course.NONE)
)


class States(NamedTuple):
    """What the passes look up."""

    after: NDArray[np.uint16]
    """The next state, by state and rank."""
    course: NDArray[np.uint8]
    """By the state that two cards lead to."""
    stake: NDArray[np.int16]
    """What a hand wins or loses at its end, by course."""


Row = tuple[int, ...]
"""The next states, by rank."""


class Builder:
    """Numbers the states, each once: two of the same course that lead to the same ones are one."""

    def __init__(self) -> None:
        self.rows: list[Row] = [(OVER,) * RANKS] * DRAWS
        self.courses = [Course.STAND] * DRAWS
        self.courses[SURRENDERED], self.courses[PEEKED] = Course.SURRENDER, Course.NONE
        self.courses[BLACKJACK] = Course.BLACKJACK
        self.courses[SPLIT:DEALER] = [Course.SPLIT] * (DEALER - SPLIT)
        self._known: dict[tuple[Row, Course], int] = {}

    def draws(self, states: Iterable[int], course: Course = Course.HIT) -> int:
        """The state that leads to these."""
        row = tuple(states)
        if (row, course) not in self._known:
            self._known[row, course] = len(self.rows)
            self.rows.append(row)
            self.courses.append(course)
        return self._known[row, course]


class Hitter:
    """The states of hands that are hit or not as flags say; 21 stands."""

    def __init__(self, builder: Builder, hits: Flags) -> None:
        self.builder, self.hits, self.hands = builder, hits, all_hands()
        self._known = {BUST: OVER}

    def state(self, hand: int) -> int:
        """Of a hand by its number."""
        if hand not in self._known:
            reached = int(self.hands.total[hand])
            self._known[hand] = self.hit(hand) if self.hits[hand] and reached < 21 else reached
        return self._known[hand]

    def hit(self, hand: int) -> int:
        """Of a hand that is hit once at least."""
        return self.builder.draws(map(self.state, self.hands.after[hand].tolist()))


def states_of(options: Options, plays: Plays) -> States:
    """The dealer of a table and a way of playing there."""
    builder = Builder()
    for upcard, play in enumerate(plays):
        builder.rows[DEALER + upcard] = _dealer(builder, options, upcard)
        builder.rows[SEAT + upcard] = _seat(builder, options, upcard, play)
    builder.rows[ENDED] = tuple(
        builder.draws(BLACKJACK if _is_natural(rank, card) else PEEKED for card in range(RANKS))
        for rank in range(RANKS)
    )
    stakes = dict.fromkeys(Course, TENTHS)
    stakes[Course.DOUBLE], stakes[Course.SURRENDER] = 2 * TENTHS, TENTHS // 2
    stakes[Course.BLACKJACK] = int(options.natural * TENTHS)
    return States(
        np.array(builder.rows, np.uint16), np.array(builder.courses, np.uint8), np.array([*stakes.values()], np.int16)
    )


def _is_natural(rank: int, card: int) -> bool:
    return {rank, card} == {ACE, TEN}


def _dealer(builder: Builder, options: Options, upcard: int) -> Row:
    """Where the dealer's second card leads (B-02, B-05)."""

    @cache
    def state(hard: int, ace: bool) -> int:
        soft = ace and hard <= 11
        reached = hard + 10 * soft
        if reached > 21:
            return DEALER_OVER
        if reached > 17 or (reached == 17 and not (soft and options.hits_soft_17)):
            return reached
        return builder.draws(state(hard + card + 1, ace or card == ACE) for card in range(RANKS))

    return tuple(
        BLACKJACK if _is_natural(upcard, card) else state(upcard + card + 2, ACE in (upcard, card))
        for card in range(RANKS)
    )


def _seat(builder: Builder, options: Options, upcard: int, play: Play) -> Row:
    """Where a seat's first card leads (B-02, B-04)."""
    hands, hitter, stander = all_hands(), Hitter(builder, play.hits), Hitter(builder, np.zeros_like(play.hits))

    def doubled(hand: int) -> int:
        if hands.total[hand] == 21 or not options.may_double(int(hands.hard[hand]), bool(hands.soft[hand])):
            raise NotAllowed("This way of playing doubles hands that the table does not let it double.")
        return builder.draws(map(stander.state, hands.after[hand].tolist()), Course.DOUBLE)

    def split(rank: int, way: SplitPlay) -> int:
        apart, alike = Hitter(builder, way.apart), Hitter(builder, way.alike)
        if way.doubles.any() and not options.doubles_after_split:
            raise NotAllowed("This way of playing doubles split hands, and the table does not allow it.")
        if options.one_card(rank) and (way.doubles.any() or way.apart.any() or way.alike.any()):
            raise NotAllowed("This way of playing draws to split aces, and the table gives them one card.")
        place = SPLIT + RANKS * upcard + rank
        builder.rows[place] = tuple(
            doubled(hands.of(rank, card))
            if way.doubles[card]
            else (alike if card == rank else apart).state(hands.of(rank, card))
            for card in range(RANKS)
        )
        return place

    def second(rank: int, card: int) -> int:
        hand = hands.of(rank, card)
        if _is_natural(rank, card):
            return BLACKJACK
        match Action(int(play.first[hand])):
            case Action.HIT:
                return hitter.hit(hand)
            case Action.DOUBLE:
                return doubled(hand)
            case Action.SPLIT:
                return split(rank, play.splits[rank])
            case Action.SURRENDER if options.surrenders:
                return SURRENDERED
            case Action.SURRENDER:
                raise NotAllowed("This way of playing surrenders, and the table does not allow it.")
            case _:
                return stander.state(hand)

    return tuple(builder.draws(second(rank, card) for card in range(RANKS)) for rank in range(RANKS))


# Tables side by side


class Rules(NamedTuple):
    """What the passes have to know of a table."""

    cards: np.uint64
    """In a shoe."""
    seats: np.uint64
    has_hole_card: bool
    peeks: bool
    takes_original: bool
    """Whether a dealer's blackjack that shows at the end takes the original wager and no more."""
    hands: np.uint64
    """How many hands a pair may become."""
    hands_of_aces: np.uint64
    burn: np.uint64
    cut: np.uint64
    """The round that comes to this place is the last one of the shoe."""
    rounds: np.uint64
    """And so is the round of this number, if it is not 0."""
    first: np.uint64
    """How many cards are shuffled at first."""
    more: np.uint64
    """And how many more when they were too few."""


class Tables(NamedTuple):
    """Tables side by side, and a round at each."""

    left: NDArray[np.int64]
    """How many rounds are still to be played; the last shoe is finished."""
    rounds: NDArray[np.int64]
    """Rounds that were counted of this shoe."""
    shoe_net: NDArray[np.int64]
    """And what all seats have won in them."""
    ran_out: NDArray[np.bool_]
    """Whether the shoe has run out in this round."""

    cards: NDArray[np.uint8]
    """By table and place."""
    ready: NDArray[np.uint64]
    """How many of them are shuffled."""
    wanted: NDArray[np.uint64]
    """And how many should be."""
    start: NDArray[np.uint64]
    """Where the round begins."""
    at: NDArray[np.uint64]
    """Where the next card is."""

    seat: NDArray[np.uint16]
    """The state of a seat before its first card."""
    dealer: NDArray[np.uint16]
    """The state of the dealer."""
    state: NDArray[np.uint16]
    """The state of the hand that is played."""
    drawing: NDArray[np.uint16]
    """A list of tables: where it draws, or is to be split."""
    live: NDArray[np.bool_]
    """Whether a hand waits for the dealer."""

    course: NDArray[np.uint8]
    """By seat and table."""
    hands: NDArray[np.uint8]
    """How many, by seat and table."""
    end: NDArray[np.uint16]
    """The final state, by seat, hand and table."""
    stake: NDArray[np.int16]
    """By seat, hand and table."""
    net: NDArray[np.int16]
    """By seat and table."""
    round_net: NDArray[np.int64]
    """Of all seats together."""
    counts: NDArray[np.bool_]
    """Whether the round counts."""


def tables_of(number: int, shoe: Iterable[int], rules: Rules) -> Tables:
    """So many tables with such a shoe, of which nothing is shuffled yet."""
    ranks = [*shoe, *[TEN] * SPARE]
    one, by_seat, by_hand = (number,), (MOST_SEATS, number), (MOST_SEATS, MOST_HANDS, number)
    return Tables(
        left=np.zeros(one, np.int64),
        rounds=np.zeros(one, np.int64),
        shoe_net=np.zeros(one, np.int64),
        ran_out=np.zeros(one, np.bool_),
        cards=np.tile(np.array(ranks, np.uint8), (number, 1)),
        ready=np.zeros(one, np.uint64),
        wanted=np.full(one, rules.first, np.uint64),
        start=np.full(one, rules.burn, np.uint64),
        at=np.zeros(one, np.uint64),
        seat=np.zeros(one, np.uint16),
        dealer=np.zeros(one, np.uint16),
        state=np.zeros(one, np.uint16),
        drawing=np.zeros(one, np.uint16),
        live=np.zeros(one, np.bool_),
        course=np.zeros(by_seat, np.uint8),
        hands=np.zeros(by_seat, np.uint8),
        end=np.zeros(by_hand, np.uint16),
        stake=np.zeros(by_hand, np.int16),
        net=np.zeros(by_seat, np.int16),
        round_net=np.zeros(one, np.int64),
        counts=np.zeros(one, np.bool_),
    )


class Source(NamedTuple):
    """Where chance comes from."""

    words: NDArray[np.uint32]
    """As they are drawn."""
    row: NDArray[np.uint32]
    """The same words in the order in which they are used."""
    used: NDArray[np.uint64]
    """How many of them are used, and the number of the next block."""
    sequences: NDArray[np.uint64]
    """How many sequences of three draws there are from a place on."""
    reject: NDArray[np.uint64]
    """How many words are thrown away there."""


def source_of(cards: int) -> Source:
    """Chance for shoes of so many cards."""
    words = np.zeros((4, BLOCKS), np.uint32)
    left = [max(cards - place, 1) for place in range(cards + 2)]
    sequences = [left[place] * left[place + 1] * left[place + 2] for place in range(cards)]
    return Source(
        words,
        words.reshape(-1),
        np.array([words.size, 0], np.uint64),
        np.array(sequences, np.uint64),
        np.array([rejected(number) for number in sequences], np.uint64),
    )


class Tallies(NamedTuple):
    """What is counted."""

    nets: NDArray[np.int64]
    """Seats, by course and net result."""
    dealer: NDArray[np.int64]
    """Rounds, by the final state of the dealer."""
    splits: NDArray[np.int64]
    """Hands that pairs became, and those of them that were doubled."""
    cards: NDArray[np.int64]
    """Cards dealt; shoes that ran out; rounds that not even the discards were enough for."""
    squares: NDArray[np.int64]
    """Shoes; and sums of squares and products: of the net result of all seats in a round; of the same in a shoe; of
    that and the rounds of the shoe; and of these rounds."""


def no_tallies() -> Tallies:
    """Nothing counted yet."""
    shapes = (len(Course), 2 * MOST_NET + 1), (BLACKJACK + 1,), (2,), (3,), (5,)
    return Tallies(*(np.zeros(shape, np.int64) for shape in shapes))


# The passes of a round. What a loop uses is taken out of its tuple before: inside it would be counted as a reference,
# each time, and cost more than all the rest.


@compiled
def swap_in(cards: Any, table: Any, place: Any, word: Any, end: Any) -> Any:
    """The next draw of a word: one of the cards from this place on comes to it.

    At the last place of a shoe the word becomes 0, and what would be drawn behind it stays where it is.
    """
    word *= end - place
    drawn = place + (word >> WORD)
    card = cards[table, drawn]
    cards[table, drawn] = cards[table, place]
    cards[table, place] = card
    return word & LOW


@compiled
def shuffle(tables: Any, end: Any, source: Any, chunk: Any, key: Any) -> None:
    """Shuffle as many cards at each table as are wanted."""
    cards, ready, wanted = tables.cards, tables.ready, tables.wanted
    row, sequences, reject = source.row, source.sequences, source.reject
    used, size = source.used[0], uint64(len(row))
    for table in range(uint64(len(ready))):
        place = ready[table]
        while place < wanted[table]:
            if used == size:
                draw(source.words, source.used[1], chunk, key)
                source.used[1] += uint64(BLOCKS)
                used = uint64(0)
            word = uint64(row[used])
            used += ONE
            if is_fair(word, sequences[place], reject[place]):
                word = swap_in(cards, table, place, word, end)
                word = swap_in(cards, table, place + ONE, word, end)
                swap_in(cards, table, place + uint64(2), word, end)
                place += uint64(3)
        ready[table] = place
    source.used[0] = used


@compiled
def deal(tables: Any, rules: Any, states: Any) -> None:
    """Two cards to every seat, the upcard between them, then the hole card; the dealer peeks (B-01, B-03)."""
    cards, start, at, after = tables.cards, tables.start, tables.at, states.after
    seat, dealer, live = tables.seat, tables.dealer, tables.live
    for table in range(uint64(len(at))):
        upcard = uint64(cards[table, start[table] + rules.seats])
        place = start[table] + rules.seats + rules.seats + ONE
        seat[table] = uint64(SEAT) + upcard
        dealer[table] = uint64(DEALER) + upcard
        if rules.has_hole_card:
            dealer[table] = after[dealer[table], cards[table, place]]
            place += ONE
            if rules.peeks and dealer[table] == BLACKJACK:
                seat[table] = ENDED
        at[table] = place
        live[table] = False


@compiled
def begin(tables: Any, seat: Any, rules: Any, states: Any) -> Any:
    """What a seat does with its first two cards; say at how many tables it draws."""
    cards, start, state, drawing, before = tables.cards, tables.start, tables.state, tables.drawing, tables.seat
    courses, stakes, hands = tables.course, tables.stake, tables.hands
    after, course_of, stake_of = states.after, states.course, states.stake
    draws = uint64(0)
    for table in range(uint64(len(start))):
        first = start[table] + seat
        second = first + rules.seats + ONE
        reached = after[after[before[table], cards[table, first]], cards[table, second]]
        course = course_of[reached]
        state[table] = reached
        courses[seat, table] = course
        stakes[seat, 0, table] = stake_of[course]
        hands[seat, table] = 1
        # Written for every table, and kept by the next step for those that draw: faster than to ask.
        drawing[draws] = table
        draws += uint64(reached >= DRAWS)
    return draws


@compiled
def draw_on(tables: Any, draws: Any, state: Any, after: Any) -> None:
    """Wherever a hand draws, it takes one card after the other until its state is final."""
    cards, at, drawing = tables.cards, tables.at, tables.drawing
    while draws > uint64(0):
        still = uint64(0)
        for k in range(draws):
            table = drawing[k]
            reached = after[state[table], cards[table, at[table]]]
            at[table] += ONE
            state[table] = reached
            drawing[still] = table
            still += uint64(reached >= DRAWS)
        draws = still


@compiled
def note(tables: Any, seat: Any) -> Any:
    """How the hand of a seat has ended; say at how many tables it is to be split."""
    state, ends, live, drawing = tables.state, tables.end, tables.live, tables.drawing
    splits = uint64(0)
    for table in range(uint64(len(state))):
        end = state[table]
        ends[seat, 0, table] = end
        live[table] |= (end > DEALER_OVER) & (end < BLACKJACK)
        drawing[splits] = table
        splits += uint64(end >= SPLIT)
    return splits


@compiled
def split(tables: Any, splits: Any, seat: Any, rules: Any, states: Any) -> None:
    """A seat splits (B-04). Each hand takes its second card and is played out before the next one takes it."""
    cards, at, start, pairs, drawing = tables.cards, tables.at, tables.start, tables.state, tables.drawing
    ends, stakes, numbers, live = tables.end, tables.stake, tables.hands, tables.live
    after, course_of, stake_of = states.after, states.course, states.stake
    for k in range(splits):
        table = drawing[k]
        place, pair = at[table], pairs[table]
        rank = cards[table, start[table] + seat]
        most = rules.hands_of_aces if rank == ACE else rules.hands
        hands, done = uint64(2), uint64(0)
        while done < hands:
            card = cards[table, place]
            place += ONE
            if card == rank and hands < most:
                hands += ONE
                continue
            state = after[pair, card]
            stakes[seat, done, table] = stake_of[course_of[state]]
            while state >= DRAWS:
                state = after[state, cards[table, place]]
                place += ONE
            ends[seat, done, table] = state
            live[table] |= state > DEALER_OVER
            done += ONE
        at[table] = place
        numbers[seat, table] = hands


@compiled
def would_matter(courses: Any, table: Any, rules: Any) -> Any:
    """Whether a dealer's blackjack would change what seats get of which no hand waits for a total.

    It pushes a blackjack, and takes the whole wager of a seat that has given up half of it. Where it takes the original
    wager and no more, hands over 21 wait for it too.
    """
    matters = rules.takes_original
    for seat in range(rules.seats):
        matters |= courses[seat, table] in (WAS_BLACKJACK, WAS_GIVEN_UP)
    return matters


@compiled
def dealer_begins(tables: Any, rules: Any, after: Any) -> Any:
    """The dealer takes a second card if there is no hole card; say at how many tables the dealer draws (B-05)."""
    cards, at, dealer, drawing = tables.cards, tables.at, tables.dealer, tables.drawing
    live, courses = tables.live, tables.course
    draws = uint64(0)
    for table in range(uint64(len(at))):
        if not rules.has_hole_card:
            may_have_blackjack = dealer[table] == DEALER + ACE or dealer[table] == DEALER + TEN
            if live[table] or (may_have_blackjack and would_matter(courses, table, rules)):
                dealer[table] = after[dealer[table], cards[table, at[table]]]
                at[table] += ONE
        if not live[table] and dealer[table] != BLACKJACK:
            dealer[table] = NOT_DRAWN
        drawing[draws] = table
        draws += uint64(dealer[table] >= DRAWS)
    return draws


@compiled
def result(end: Any, dealer: Any, stake: Any) -> Any:
    """What a hand wins or loses."""
    return np.int16(np.int16(end > dealer) - np.int16(end < dealer)) * stake


@compiled
def settle(tables: Any, rules: Any) -> None:
    """What every seat wins or loses."""
    dealer, courses, hands = tables.dealer, tables.course, tables.hands
    ends, stakes, nets = tables.end, tables.stake, tables.net
    every = uint64(len(dealer))
    for seat in range(rules.seats):
        for table in range(every):
            nets[seat, table] = result(ends[seat, 0, table], dealer[table], stakes[seat, 0, table])
        for table in range(every):
            for hand in range(ONE, uint64(hands[seat, table])):
                nets[seat, table] += result(ends[seat, hand, table], dealer[table], stakes[seat, hand, table])
        if rules.peeks:
            continue
        for table in range(every):
            if dealer[table] == BLACKJACK:
                gave_up = courses[seat, table] == WAS_GIVEN_UP
                if gave_up or (rules.takes_original and nets[seat, table] < -TENTHS):
                    nets[seat, table] = -TENTHS


@compiled
def play_round(tables: Any, rules: Any, states: Any) -> None:
    """A round at every table."""
    deal(tables, rules, states)
    for seat in range(rules.seats):
        draw_on(tables, begin(tables, seat, rules, states), tables.state, states.after)
        split(tables, note(tables, seat), seat, rules, states)
    draw_on(tables, dealer_begins(tables, rules, states.after), tables.dealer, states.after)
    settle(tables, rules)


# The passes that count


@compiled
def check(tables: Any, rules: Any) -> Any:
    """Which rounds count. One that had too few cards is played again; say how many shoes have run out."""
    at, ready, wanted, left, counts = tables.at, tables.ready, tables.wanted, tables.left, tables.counts
    out = 0
    for table in range(uint64(len(at))):
        enough = at[table] <= min(ready[table], rules.cards)
        counts[table] = enough and left[table] > 0
        if not enough:
            out += ready[table] >= rules.cards
            wanted[table] = min(ready[table] + rules.more, rules.cards)
    return out


@compiled
def deal_discards(tables: Any, rules: Any, tallies: Any) -> None:
    """Where a shoe has run out, all the cards that do not lie on the table are shuffled and dealt on (B-07).

    The cards of the round come first, as they were, and the rest behind them. If there is no rest, everybody gets the
    wager back.
    """
    cards, start, at, ready, end = tables.cards, tables.start, tables.at, tables.ready, rules.cards
    for table in range(uint64(len(at))):
        if at[table] <= end or ready[table] < end:
            continue
        tables.ran_out[table] = True
        playing = tables.left[table] > 0
        if start[table] == 0:
            for seat in range(rules.seats):
                tables.course[seat, table], tables.net[seat, table] = WAS_NOTHING, 0
                tables.hands[seat, table] = 1
            tables.dealer[table] = NOT_DRAWN
            tables.counts[table] = playing
            at[table] = end
            tallies.cards[2] += playing
            continue
        on_table, row = end - start[table], cards[table].copy()
        for place in range(end):
            cards[table, place] = row[(start[table] + place) % end]
        ready[table] = on_table
        tables.wanted[table] = min(on_table + rules.more, end)
        if playing:
            tallies.cards[0] += np.int64(start[table])
            tallies.cards[1] += 1
        start[table] = 0


@compiled
def count_seats(tables: Any, rules: Any, tallies: Any) -> None:
    """Count how every seat ended."""
    counts, courses, nets = tables.counts, tables.course, tables.net
    round_nets, shoe_nets, by_net = tables.round_net, tables.shoe_net, tallies.nets
    every = uint64(len(counts))
    for table in range(every):
        round_nets[table] = 0
    for seat in range(rules.seats):
        for table in range(every):
            if counts[table]:
                by_net[courses[seat, table], uint64(nets[seat, table] + MOST_NET)] += 1
                round_nets[table] += nets[seat, table]
    squares = 0
    for table in range(every):
        squares += round_nets[table] * round_nets[table]
        shoe_nets[table] += round_nets[table]
    tallies.squares[1] += squares


@compiled
def count_splits(tables: Any, rules: Any, tallies: Any) -> None:
    """Count the hands of split pairs."""
    counts, hands, stakes, splits = tables.counts, tables.hands, tables.stake, tallies.splits
    for seat in range(rules.seats):
        for table in range(uint64(len(counts))):
            if hands[seat, table] > 1 and counts[table]:
                for hand in range(uint64(hands[seat, table])):
                    splits[0] += 1
                    splits[1] += stakes[seat, hand, table] > TENTHS


@compiled
def count_rounds(tables: Any, tallies: Any) -> None:
    """Count how the dealer ended, and go on behind the last card."""
    counts, dealer, start, at = tables.counts, tables.dealer, tables.start, tables.at
    shoe_rounds, by_dealer = tables.rounds, tallies.dealer
    for table in range(uint64(len(counts))):
        if counts[table]:
            by_dealer[dealer[table]] += 1
            start[table] = at[table]
            shoe_rounds[table] += 1


@compiled
def count_shoes(tables: Any, rules: Any, tallies: Any) -> Any:
    """Count the shoes that end with this round and begin new ones; say how many tables have had all their rounds."""
    counts, start, at, ready, wanted = tables.counts, tables.start, tables.at, tables.ready, tables.wanted
    shoe_nets, shoe_rounds, left, ran_out = tables.shoe_net, tables.rounds, tables.left, tables.ran_out
    shoes = cards = squares = products = round_squares = done = np.int64(0)
    for table in range(uint64(len(counts))):
        rounds = shoe_rounds[table]
        if counts[table] and (uint64(rounds) == rules.rounds or at[table] >= rules.cut or ran_out[table]):
            net = shoe_nets[table]
            shoes += 1
            squares += net * net
            products += net * rounds
            round_squares += rounds * rounds
            cards += np.int64(at[table] - rules.burn)
            left[table] -= rounds
            done += left[table] <= 0
            # A new shoe: nothing of it is shuffled yet, in whatever order the cards lie.
            start[table], ready[table], wanted[table] = rules.burn, uint64(0), rules.first
            shoe_nets[table], shoe_rounds[table], ran_out[table] = 0, 0, False
    tallies.squares[0] += shoes
    tallies.squares[2] += squares
    tallies.squares[3] += products
    tallies.squares[4] += round_squares
    tallies.cards[0] += cards
    return done


@compiled
def play(chunk: Any, key: Any, rules: Any, states: Any, tables: Any, source: Any, tallies: Any) -> None:
    """Play whole shoes at every table until it has had its rounds."""
    playing = len(tables.left)
    while playing > 0:
        shuffle(tables, rules.cards, source, chunk, key)
        play_round(tables, rules, states)
        if check(tables, rules):
            deal_discards(tables, rules, tallies)
        count_seats(tables, rules, tallies)
        count_splits(tables, rules, tallies)
        count_rounds(tables, tallies)
        playing -= count_shoes(tables, rules, tallies)
