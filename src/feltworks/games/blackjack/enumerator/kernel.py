"""The compiled kernel: rounds of blackjack by the hundred million, with every seat playing by one strategy.

What is played is a table of states (`kernel_states`): a hand takes a card and is in another state, until that is final.

Many tables are played side by side, a round at each, in passes: shuffle, deal, begin a seat's hand, draw, the dealer,
settle, count. So a pass is a short loop that does one thing. The hands that draw are kept in a list, because nothing
takes a processor longer than to ask what it cannot foresee.

A shoe is shuffled only as far as it is dealt. Its cards lie in a row. Those before the place `ready` are shuffled, and
which of the rest comes next is drawn by Philox (`kit.philox`), three draws to a word. A round does not look where it is
and may run on into cards that are not shuffled yet. That is seen at its end: it does not count then, some more cards
are shuffled, and it is played again, with the same cards as far as they went.

Importing this module brings Numba with it, so only what computes imports it. `shoe_simulation` is how it is used.
"""

from collections.abc import Iterable
from math import prod
from typing import NamedTuple

import numpy as np
from numpy import uint64
from numpy.typing import NDArray

from feltworks.games.blackjack.enumerator.hands import ACE, TEN
from feltworks.games.blackjack.enumerator.kernel_states import (
    BLACKJACK,
    DEALER,
    DEALER_OVER,
    DRAWS,
    NOT_DRAWN,
    PEEK_ENDED,
    SEAT,
    SPLIT,
    TENTHS,
    Course,
    States,
)
from feltworks.kit.compiled import compiled
from feltworks.kit.philox import LOW, ONE, WORD, draw, is_fair, rejected

BLOCKS = 1024
"""How many blocks of chance are drawn at a time."""
DRAWS_OF_WORD = 3
"""How many cards are drawn with one word."""
MOST_SEATS = 7
MOST_HANDS = 4
"""Of a seat."""
MOST_NET = 2 * MOST_HANDS * TENTHS
SPARE = 5 * MOST_HANDS * (MOST_SEATS + 1)
"""Behind the shoe lie so many tens: any round comes to its end there, because no hand can take more than five."""

WAS_SURRENDERED, WAS_BLACKJACK, WAS_NOTHING = (
    np.uint8(course) for course in (Course.SURRENDER, Course.BLACKJACK, Course.NONE)
)
"""The courses that settling asks about, as the arrays have them."""


# Tables side by side

Cards = NDArray[np.uint8]
StateNumbers = NDArray[np.uint16]


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
    """Where chance comes from: the words of one chunk."""

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
    chunk: uint64
    """What is drawn depends on this number and the key, and on nothing else."""
    key: uint64


def source_of(cards: int, chunk: int, key: int) -> Source:
    """Chance for shoes of so many cards."""
    words = np.zeros((4, BLOCKS), np.uint32)
    left = [max(cards - place, 1) for place in range(cards + DRAWS_OF_WORD)]
    sequences = [prod(left[place : place + DRAWS_OF_WORD]) for place in range(cards)]
    return Source(
        words,
        words.reshape(-1),
        np.array([words.size, 0], np.uint64),
        np.array(sequences, np.uint64),
        np.array([rejected(number) for number in sequences], np.uint64),
        uint64(chunk),
        uint64(key),
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
def swap_in(cards: Cards, table: int, place: uint64, word: uint64, end: uint64) -> uint64:
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
def shuffle(tables: Tables, end: uint64, source: Source) -> None:
    """Shuffle as many cards at each table as are wanted."""
    cards, ready, wanted = tables.cards, tables.ready, tables.wanted
    row, sequences, reject, chunk, key = source.row, source.sequences, source.reject, source.chunk, source.key
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
def deal(tables: Tables, rules: Rules, states: States) -> None:
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
                seat[table] = PEEK_ENDED
        at[table] = place
        live[table] = False


@compiled
def begin_hands(tables: Tables, seat: int, rules: Rules, states: States) -> uint64:
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
def draw_cards(tables: Tables, draws: uint64, state: StateNumbers, after: StateNumbers) -> None:
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
def record_ends(tables: Tables, seat: int) -> uint64:
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
def split_pairs(tables: Tables, splits: uint64, seat: int, rules: Rules, states: States) -> None:
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
def blackjack_matters(courses: NDArray[np.uint8], table: int, rules: Rules) -> bool:
    """Whether a dealer's blackjack would change what seats get of which no hand waits for a total.

    It pushes a blackjack, and takes the whole wager of a seat that has given up half of it. Where it takes the original
    wager and no more, hands over 21 wait for it too.
    """
    matters = rules.takes_original
    for seat in range(rules.seats):
        matters |= courses[seat, table] in (WAS_BLACKJACK, WAS_SURRENDERED)
    return matters


@compiled
def begin_dealer(tables: Tables, rules: Rules, after: StateNumbers) -> uint64:
    """The dealer takes a second card if there is no hole card; say at how many tables the dealer draws (B-05)."""
    cards, at, dealer, drawing = tables.cards, tables.at, tables.dealer, tables.drawing
    live, courses = tables.live, tables.course
    draws = uint64(0)
    for table in range(uint64(len(at))):
        if not rules.has_hole_card:
            may_have_blackjack = dealer[table] == DEALER + ACE or dealer[table] == DEALER + TEN
            if live[table] or (may_have_blackjack and blackjack_matters(courses, table, rules)):
                dealer[table] = after[dealer[table], cards[table, at[table]]]
                at[table] += ONE
        if not live[table] and dealer[table] != BLACKJACK:
            dealer[table] = NOT_DRAWN
        drawing[draws] = table
        draws += uint64(dealer[table] >= DRAWS)
    return draws


@compiled
def net_of_hand(end: np.uint16, dealer: np.uint16, stake: np.int16) -> np.int16:
    """What a hand wins or loses."""
    return np.int16(np.int16(end > dealer) - np.int16(end < dealer)) * stake


@compiled
def settle(tables: Tables, rules: Rules) -> None:
    """What every seat wins or loses."""
    dealer, courses, hands = tables.dealer, tables.course, tables.hands
    ends, stakes, nets = tables.end, tables.stake, tables.net
    every = uint64(len(dealer))
    for seat in range(rules.seats):
        for table in range(every):
            nets[seat, table] = net_of_hand(ends[seat, 0, table], dealer[table], stakes[seat, 0, table])
        for table in range(every):
            for hand in range(ONE, uint64(hands[seat, table])):
                nets[seat, table] += net_of_hand(ends[seat, hand, table], dealer[table], stakes[seat, hand, table])
        if rules.peeks:
            continue
        for table in range(every):
            if dealer[table] == BLACKJACK:
                gave_up = courses[seat, table] == WAS_SURRENDERED
                if gave_up or (rules.takes_original and nets[seat, table] < -TENTHS):
                    nets[seat, table] = -TENTHS


@compiled
def play_round(tables: Tables, rules: Rules, states: States) -> None:
    """A round at every table."""
    deal(tables, rules, states)
    for seat in range(rules.seats):
        draw_cards(tables, begin_hands(tables, seat, rules, states), tables.state, states.after)
        split_pairs(tables, record_ends(tables, seat), seat, rules, states)
    draw_cards(tables, begin_dealer(tables, rules, states.after), tables.dealer, states.after)
    settle(tables, rules)


# The passes that count


@compiled
def check_cards(tables: Tables, rules: Rules) -> int:
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
def deal_discards(tables: Tables, rules: Rules, tallies: Tallies) -> None:
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
def count_seats(tables: Tables, rules: Rules, tallies: Tallies) -> None:
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
def count_splits(tables: Tables, rules: Rules, tallies: Tallies) -> None:
    """Count the hands of split pairs."""
    counts, hands, stakes, splits = tables.counts, tables.hands, tables.stake, tallies.splits
    for seat in range(rules.seats):
        for table in range(uint64(len(counts))):
            if hands[seat, table] > 1 and counts[table]:
                for hand in range(uint64(hands[seat, table])):
                    splits[0] += 1
                    splits[1] += stakes[seat, hand, table] > TENTHS


@compiled
def count_rounds(tables: Tables, tallies: Tallies) -> None:
    """Count how the dealer ended, and go on behind the last card."""
    counts, dealer, start, at = tables.counts, tables.dealer, tables.start, tables.at
    shoe_rounds, by_dealer = tables.rounds, tallies.dealer
    for table in range(uint64(len(counts))):
        if counts[table]:
            by_dealer[dealer[table]] += 1
            start[table] = at[table]
            shoe_rounds[table] += 1


@compiled
def count_shoes(tables: Tables, rules: Rules, tallies: Tallies) -> np.int64:
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
def play(rules: Rules, states: States, tables: Tables, source: Source, tallies: Tallies) -> None:
    """Play whole shoes at every table until it has had its rounds."""
    playing = len(tables.left)
    while playing > 0:
        shuffle(tables, rules.cards, source)
        play_round(tables, rules, states)
        if check_cards(tables, rules):
            deal_discards(tables, rules, tallies)
        count_seats(tables, rules, tallies)
        count_splits(tables, rules, tallies)
        count_rounds(tables, tallies)
        playing -= count_shoes(tables, rules, tallies)
