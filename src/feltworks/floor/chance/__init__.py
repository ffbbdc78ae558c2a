"""Chance at the tables: the generator, shoes, rolls and spins fixed before they are dealt, and their openings."""
