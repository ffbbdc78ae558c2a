"""A strategy as a table of states, followed card by card."""

import pytest

from feltworks.games.blackjack.enumerator.hands import RANKS, TEN
from feltworks.games.blackjack.enumerator.kernel_states import DRAWS, SEAT, SEAT_OVER, Course, states_of
from feltworks.games.blackjack.enumerator.shoe_simulation import Setup, simulate
from feltworks.games.blackjack.enumerator.solution import analyse
from feltworks.games.blackjack.options import Options
from feltworks.kit.errors import NotAllowed
from tests.games.blackjack.test_kernel import any_plays, stand_always

ONE_DECK = Options(decks=1)
FIVE, SIX = 4, 5


@pytest.mark.rule("B-02", "B-04")
def test_sixteen_against_a_ten_goes_from_state_to_state_as_the_worked_example_says() -> None:
    states = states_of(ONE_DECK, analyse(ONE_DECK).plays)
    sixteen = states.after[states.after[SEAT + TEN, TEN], SIX]
    assert sixteen >= DRAWS and states.course[sixteen] == Course.HIT
    assert states.after[sixteen, FIVE] == 21
    assert states.after[sixteen, SIX] == SEAT_OVER


def test_hands_that_are_played_alike_share_a_state() -> None:
    assert len(states_of(ONE_DECK, (stand_always(),) * RANKS).after) < 200
    assert len(states_of(ONE_DECK, analyse(ONE_DECK).plays).after) < 1_000


@pytest.mark.rule("B-04")
@pytest.mark.parametrize(
    ("generous", "strict", "says"),
    [
        (Options(surrender="late"), Options(), "surrenders"),
        (Options(), Options(double="10-11"), "doubles hands"),
        (Options(), Options(double_after_split="no"), "doubles split hands"),
        (Options(split_aces="hit"), Options(split_aces="resplit"), "draws to split aces"),
    ],
)
def test_a_way_of_playing_that_the_table_does_not_allow_is_refused(
    generous: Options, strict: Options, says: str
) -> None:
    plays = any_plays(generous, 3)
    with pytest.raises(NotAllowed, match=says):
        simulate(Setup(strict), plays, 1)
