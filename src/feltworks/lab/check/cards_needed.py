"""Whether the cards are enough for every round: by what the rules say, and by what rounds took."""

from feltworks.kit.errors import BadValue, FaultyRules
from feltworks.kit.game import Game
from feltworks.kit.rule_faults import place_of, rule_name
from feltworks.lab.check.findings import Finding, Findings


def check_most_cards(game: Game, seats: int, dealt: int, findings: Findings) -> None:
    """F-23: a round takes no more cards than `most_cards` says."""
    rule = game.round_class.most_cards
    try:
        most = game.most_cards(seats)
    except FaultyRules as fault:
        findings.fault(fault)
        return
    if most is not None and dealt > most:
        findings.add(
            Finding(
                "most_cards",
                f"{rule_name(rule)} of {game.title} says {most} cards for {seats} seat{'s' * (seats > 1)}, and a round"
                f" took {dealt}; say the most that it can take (F-23).",
                place_of(rule),
            )
        )


def check_seats(game: Game, findings: Findings) -> None:
    """F-23: the cards are enough for as many seats as the game says that it has."""
    try:
        game.check_cards(game.definition.seats)
    except FaultyRules as fault:
        findings.fault(fault)
    except BadValue as error:
        findings.entry("seats", game, ["seats"], str(error))
