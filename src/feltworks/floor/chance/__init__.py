"""Chance at the tables: the generator, shoes and rolls that are fixed before they are dealt, and their openings."""
