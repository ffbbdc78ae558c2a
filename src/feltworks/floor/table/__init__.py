"""A table: commands, events, state, and the pure functions between them."""
