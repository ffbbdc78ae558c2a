"""The laboratory: what is computed of a game, exactly or by simulation. Nothing here is needed to deal.

- `analysis` begins an exact analysis. A game is walked (`walking_analyzer`, with `graph` and `solver`), or counted by
  an enumerator of its own (`enumerating_analyzer`, with `count_files` to keep the counts).
- `wager_analysis`, `strategy`, `advice`, `betting_plan` and `reading_effects` are what comes of it.
- `certify` compares printed figures with exact ones.
- `check` plays a game in every way there is time for, and tells what is wrong with its rules.
- `simulation` plays rounds by chance, with `dice_table` and `dice_kernel` for dice; `shoe_simulation`, whole shoes.
- `card_counting` asks what a card counter wins from a shoe.
"""
