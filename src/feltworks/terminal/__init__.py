"""Playing a game in the terminal: one person at seat 1, the house at every other seat, and play money."""
