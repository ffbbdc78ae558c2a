"""Down Under Hold'em: the dealer's cards lie in their bands, and the seat decides twice."""
