"""Whether a bonus wager can be counted as a shoe is dealt, and what a card counter wins."""
