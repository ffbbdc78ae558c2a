"""What things cost, measured: ratios within one run, because machines differ and are shared."""
