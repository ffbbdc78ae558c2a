"""A round of One For The Money with cards that are written down beforehand, told step by step.

    python examples/play_by_script.py

The seat has a four, trades it, and gets a queen, which is higher than the dealer's jack.
"""

from fractions import Fraction

import feltworks
from feltworks.kit import Call, Card, Decide, Place, Seat, Settlement, parse_cards
from feltworks.kit.chance import Scripted
from feltworks.kit.walk import Habit, walk

CARDS = parse_cards("4h Js 7d Qc")
"""In the order of the deal: the seat's card, the dealer's two, and the one that the seat trades for."""


def main() -> None:
    seat = Seat(1)
    player = Habit(stakes={"base": Fraction(1)}, prefer=("trade", "stand"))
    start = feltworks.load("one-for-the-money").start([seat])
    for _, answer, round in walk(start, Scripted(CARDS), {seat: player}):
        match answer:
            case Place(_, spot, amount):
                print(f"Seat 1 puts {amount} on {spot}.")
            case Decide(_, option):
                print(f"Seat 1 chooses to {option}.")
            case Card():
                print(f"A card is turned: {answer.text}.")
        for effect in round.effects:
            match effect:
                case Call(text):
                    print(f'The dealer says: "{text}"')
                case Settlement(_, spot, line, rule=rule):
                    print(f"{line} ({rule}): {spot} wins {effect.net()}.")


if __name__ == "__main__":
    main()
