"""The pages of those who work in the house, under `/house`."""
