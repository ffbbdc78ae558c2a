"""Progressive jackpots: the meter, what it is made of, and how a table plays for it."""
