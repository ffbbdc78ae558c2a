"""A toy: a wheel of fortune, whose pockets are not all equally many."""

from feltworks.kit import Items, Round, Spin, task


class BigSix(Round):
    def play(self) -> Items:
        """T-31: wagers, and the wheel."""
        yield self.game.betting("open")
        yield Spin("wheel")
        yield task(self.stopped)

    def stopped(self) -> Items:
        """T-32: what the pointer shows wins, everything else loses."""
        for seat in self.playing:
            for spot in self.game.wagers:
                if self.stake(seat, spot):
                    shown = str(self.pocket) if self.game.spot_title(spot) == str(self.pocket) else None
                    yield self.by_table(seat, spot, shown, "T-32", losing="Another pocket")


ROUND = BigSix
