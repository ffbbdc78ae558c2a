"""Blackjack: what it is worth, exactly, from a fresh shoe."""
