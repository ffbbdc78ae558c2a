"""What every game asks in the same words that has a wager for a jackpot, so that a table knows it (D-13, D-18)."""

from feltworks.kit.steps import Option

LIT = Option("lit")
NOT_LIT = "not lit"
"""Chips on a spot that did not light go back: the game says by which rule."""
ENTER_AWARD, CONFIRM_AWARD = Option("enter the award"), Option("confirm the award")
