"""Tables and the progressive jackpots for which they play: asked of the lab where that is needed, and linked (D-19)."""

from collections.abc import Callable, Mapping

from feltworks.floor.accounts import money
from feltworks.floor.actors import Actor
from feltworks.floor.house import House
from feltworks.floor.jackpot import commands as cmd
from feltworks.floor.refusal import Refused
from feltworks.floor.table.settings import TableSettings
from feltworks.kit.questions import JackpotsCompared, Mistake
from feltworks.web.lab import NOT_NOW, Lab, NotNow
from feltworks.web.staff.desk import Who

UNKNOWN = "Whether hands, pays and chances are the same cannot be told"


class Links:
    def __init__(self, house: House, lab: Lab | None) -> None:
        self.house, self.lab = house, lab

    def open_ones(self) -> Mapping[str, str]:
        """The open jackpots by id, each with its meter."""
        return {m.id: f"{m.terms.name}, at {money(m.meter)}" for m in self.house.jackpots.all() if not m.closed}

    def is_linked(self, id: str, settings: TableSettings) -> bool:
        meter = self.house.jackpots.known(id)
        return settings.id in meter.tables and self.house.jackpots.played_by(settings) in meter.played

    async def compared(self, id: str, settings: TableSettings, who: Who) -> JackpotsCompared | None:
        """What the lab says of a table that plays otherwise; nothing where it is known to play alike."""
        question = self.house.jackpots.question(id, settings)
        if question is None:
            return None
        if self.lab is None:
            raise Refused(f"{UNKNOWN}: {NOT_NOW}")
        try:
            answer = await self.lab.ask(question, f"{who.id} same jackpot")
        except NotNow as why:
            raise Refused(f"{UNKNOWN}: {why}") from None
        if isinstance(answer, Mistake):
            raise Refused(answer.why)
        if not isinstance(answer, JackpotsCompared):
            raise Refused(f"{UNKNOWN}: {NOT_NOW}")
        return answer

    async def of(self, settings: TableSettings, who: Who) -> Callable[[], None]:
        """What links a table to the jackpot of its settings, if it has one."""
        id = settings.jackpot or ""
        compared = await self.compared(id, settings, who) if id and not self.is_linked(id, settings) else None
        return lambda: self.link(id, settings, compared, who.actor) if id else None

    def link(self, id: str, settings: TableSettings, compared: JackpotsCompared | None, actor: Actor) -> None:
        if not self.is_linked(id, settings):
            self.house.jackpots.link(id, settings, actor, compared)

    def lines(self, id: str, settings: TableSettings, compared: JackpotsCompared | None, actor: Actor) -> list[str]:
        """What linking it would do."""
        if self.is_linked(id, settings):
            return []
        link = cmd.LinkTable(settings.id, self.house.jackpots.played_by(settings))
        if compared is not None:
            link = cmd.LinkTable(link.table, link.played, compared)
        return list(self.house.jackpots.effect(id, link, actor).lines)
