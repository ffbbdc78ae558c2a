"""The pit: the screens of those who deal and look after the tables."""
