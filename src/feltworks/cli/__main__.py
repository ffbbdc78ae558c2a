"""`python -m feltworks.cli` is `felt`."""

from feltworks.cli import main

main()
