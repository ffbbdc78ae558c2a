"""The store: everything that knows SQL. A second database implements the same interface."""
