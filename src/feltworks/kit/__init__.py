"""The vocabulary of a game: everything that its rules need comes by one import, `from feltworks.kit import ...`.

A name is loaded when it is first asked for, so that a command which needs little of the kit starts at once.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from feltworks.kit.cards import Card, CardSet, Seat, Token, height, name_cards, one_card, parse_cards, points
    from feltworks.kit.errors import BadCard, BadValue, NotAllowed, NotPossible, UnknownName
    from feltworks.kit.game import Bonus, Game, Situation
    from feltworks.kit.hands import (
        ToldHand,
        capital,
        compared_words,
        in_sentence,
        plural,
        poker_hand,
        poker_words,
        sign,
        with_article,
    )
    from feltworks.kit.odds import EVEN, HALF, Amount, Larger, MeterShare, Odds
    from feltworks.kit.played_game import PlayedGame
    from feltworks.kit.poker import (
        Hand,
        HandRank,
        ThreeCard,
        ThreeCardHand,
        best_hand,
        describe,
        three_card_hand,
        three_cards,
    )
    from feltworks.kit.round import DISCARD, OUT_OF_SERVICE, SHUFFLER, Face, Info, Round
    from feltworks.kit.showdown import NOT_QUALIFIED, HandOf, Showdown, ShowdownRound
    from feltworks.kit.steps import (
        ALL,
        DEALT,
        HIDDEN,
        Answer,
        Bet,
        Call,
        Choose,
        Close,
        Collect,
        Deal,
        Decide,
        Effect,
        Extra,
        Incident,
        Items,
        Moment,
        Move,
        NoRoll,
        Note,
        Option,
        Over,
        Place,
        Pocket,
        Read,
        Role,
        Roll,
        Settlement,
        Spin,
        Stake,
        Step,
        TakeUp,
        Task,
        Turn,
        WagerMoved,
        note,
        task,
    )

MODULES = ("cards", "errors", "game", "hands", "odds", "played_game", "poker", "round", "showdown", "steps")
"""Where the names are from."""

__all__ = [
    "ALL",
    "DEALT",
    "DISCARD",
    "EVEN",
    "HALF",
    "HIDDEN",
    "NOT_QUALIFIED",
    "OUT_OF_SERVICE",
    "SHUFFLER",
    "Amount",
    "Answer",
    "BadCard",
    "BadValue",
    "Bet",
    "Bonus",
    "Call",
    "Card",
    "CardSet",
    "Choose",
    "Close",
    "Collect",
    "Deal",
    "Decide",
    "Effect",
    "Extra",
    "Face",
    "Game",
    "Hand",
    "HandOf",
    "HandRank",
    "Incident",
    "Info",
    "Items",
    "Larger",
    "MeterShare",
    "Moment",
    "Move",
    "NoRoll",
    "NotAllowed",
    "NotPossible",
    "Note",
    "Odds",
    "Option",
    "Over",
    "Place",
    "PlayedGame",
    "Pocket",
    "Read",
    "Role",
    "Roll",
    "Round",
    "Seat",
    "Settlement",
    "Showdown",
    "ShowdownRound",
    "Situation",
    "Spin",
    "Stake",
    "Step",
    "TakeUp",
    "Task",
    "ThreeCard",
    "ThreeCardHand",
    "Token",
    "ToldHand",
    "Turn",
    "UnknownName",
    "WagerMoved",
    "best_hand",
    "capital",
    "compared_words",
    "describe",
    "height",
    "in_sentence",
    "name_cards",
    "note",
    "one_card",
    "parse_cards",
    "plural",
    "points",
    "poker_hand",
    "poker_words",
    "sign",
    "task",
    "three_card_hand",
    "three_cards",
    "with_article",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        for module in MODULES:
            home = import_module(f"{__name__}.{module}")
            if hasattr(home, name):
                return getattr(home, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
