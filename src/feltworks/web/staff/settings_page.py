"""Opening a table, and changing the settings of one that is open: one form, and beside it at once what the settings
come to (F-01 to F-06, F-09, F-29, F-31, F-40).

The form is the page's own with and without scripts. Where they run, every change sends it as the button "Look" would,
and takes from the page that comes back whatever has changed. Figures are the lab's and come by themselves.
"""

import re
from collections.abc import Awaitable, Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, Response

from feltworks.floor.precedence import PRECEDENCE, RuleKind, called_at
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import STAFF, Role
from feltworks.floor.statutory_limits import StatutoryLimit, day_of, dollars, limit_on
from feltworks.floor.table import commands as cmd
from feltworks.floor.table.settings import DOES, Limits, TableSettings, why_no_patrons
from feltworks.floor.table.settings_change import differences_between
from feltworks.floor.table.settings_check import Problem, conditions_of
from feltworks.floor.table.settings_report import SettingsReport, settings_report
from feltworks.floor.table.state import Table
from feltworks.kit.errors import BadValue, FeltworksError, UnknownName
from feltworks.kit.game import Game
from feltworks.kit.paytable import PayTable
from feltworks.kit.standing import pieces_used
from feltworks.web.forms import NO_FORM, Form, no_more, read_form
from feltworks.web.guard import Door
from feltworks.web.lab import Lab
from feltworks.web.staff import settings_form
from feltworks.web.staff.desk import PRIVATE, Desk, Offer, Who
from feltworks.web.staff.edge_figures import EdgeFigures, Figures
from feltworks.web.staff.jackpot_links import Links
from feltworks.web.staff.posted_settings import posted_at
from feltworks.web.staff.settings_form import (
    TYPED,
    Draft,
    condition_field,
    definitions,
    drafted,
    game_of,
    limits_told,
    loaded,
)
from feltworks.web.staff.tables import PATH

NEW = f"{PATH}/new"
MANAGER = frozenset({Role.MANAGER})
NO_FIGURES = "There are figures when the game can be played with these settings."


@dataclass(frozen=True)
class Shown:
    """A form with all that is said about what stands in it."""

    draft: Draft
    report: SettingsReport
    now: int
    opened: Table | None = None
    """The table whose settings would change; none where one would be opened."""
    progressive: Mapping[str, str] = field(default_factory=dict)
    """The open progressive jackpots for which it may play, with their meters."""

    @property
    def settings(self) -> TableSettings:
        return self.draft.settings

    @cached_property
    def game(self) -> Game:
        """The game as far as it can be configured."""
        return game_of(self.settings)

    @property
    def rule_kinds(self) -> dict[RuleKind, str]:
        """The kinds of rules in the order in which they count, and what each is called at a table of this game."""
        return {kind: called_at(self.game, kind) for kind in PRECEDENCE}

    @cached_property
    def problems(self) -> list[Problem]:
        """All that stands against it, each with the field where it is said."""
        unread = {problem.setting for problem in self.draft.unread}
        if not self.settings.name:
            unread.add("id")  # it is made from the name
        unread.update(f"limits.{spot}" for _, (_, *others), _ in self.limits for spot in others)  # said at the first
        found = [problem for problem in self.report.problems if problem.setting not in unread]
        return [Problem(self._field(problem), problem.error) for problem in (*self.draft.unread, *found)]

    def _field(self, problem: Problem) -> str:
        if problem.setting == "conditions":
            for condition in conditions_of(self.settings, self.game):
                if condition in problem.said:
                    return condition_field(condition)
        return problem.setting.partition(".")[0] if problem.setting.startswith("house_rules") else problem.setting

    @property
    def is_playable(self) -> bool:
        """Whether the lab can be asked about it."""
        parts = ("game", "version", "decks", "readings", "pay", "without")
        return not any(problem.setting.partition(".")[0] in parts for problem in self.problems)

    def value(self, field: str) -> str:
        return self.draft.fields.get(field, "")

    def wrong(self, *settings: str) -> list[str]:
        """What is wrong with a setting, in words; a condition stands beside what is wrong with it."""
        known = dict(self.conditions)
        return [
            re.sub(rf"(; it is not)?: {re.escape(known[problem.setting])}$", ".", problem.said)
            if problem.setting in known
            else problem.said
            for problem in self.problems
            if problem.setting in settings
        ]

    def is_wrong(self, section: str) -> bool:
        return any(SECTIONS.get(problem.setting.partition(".")[0]) == section for problem in self.problems)

    @property
    def law(self) -> StatutoryLimit | None:
        return limit_on(self.settings.venue, day_of(self.now))

    @property
    def changes(self) -> list[str]:
        """What would not be as it is now (F-40)."""
        if self.opened is None:
            return []
        return list(differences_between(self.opened.settings, self.opened.game, self.settings, self.game))

    @property
    def no_patrons(self) -> str:
        """Why no patron without an account could be seated (F-10)."""
        return why_no_patrons(self.settings, self.game)

    # What is chosen from.

    @cached_property
    def limits(self) -> list[tuple[str, list[str], Limits]]:
        return [*limits_told(self.settings, self.game)]

    @property
    def pay_tables(self) -> Iterator[tuple[str, str, Mapping[str, PayTable], PayTable]]:
        """Of each wager or spot that has one: its name, its title, those that are listed, and the chosen one."""
        for name in filter(self.game.offers, self.game.pay):
            yield name, self.game.title_of(name), self.game.definition.tables(name), self.game.pay_table(name)

    @property
    def optional(self) -> list[tuple[str, str]]:
        definition = self.game.definition
        return [
            (name, definition.wagers[name].title)
            for name in self.game.version.wagers
            if settings_form.may_be_left_out(definition, name)
        ]

    @property
    def decks(self) -> tuple[list[int], list[int]]:
        """The numbers of decks that are approved, and the others."""
        pack = self.game.definition.pack
        approved = list(pack.approved_decks) if pack is not None else []
        return approved, [n for n in range(1, 9) if n not in approved]

    @property
    def pieces(self) -> Mapping[str, Any]:
        return pieces_used(self.game)

    @cached_property
    def conditions(self) -> list[tuple[str, str]]:
        return [(condition_field(text), text) for text in conditions_of(self.settings, self.game)]

    # Each section in a few words.

    @property
    def in_short(self) -> dict[str, str]:
        settings, game = self.settings, self.game
        wagers = [
            f"{title} {dollars(limits.least)}" + (f" to {dollars(limits.most)}" if limits.most != limits.least else "")
            for title, _, limits in self.limits
        ]
        more = f" and {len(wagers) - 3} more" if len(wagers) > 3 else ""
        found = {"wagers": ", ".join(wagers[:3]) + more}
        if game.decks:
            how = "a continuous shuffler" if settings.shuffling == "shuffler" else f"a shoe, {settings.penetration} %"
            found["cards"] = f"{game.decks} deck{'s' * (game.decks > 1)}, {how}"
        others = len(game.other_readings)
        found["readings"] = f"{others} not the usual one" if others else "all as usual"
        clocks = settings.clocks
        found["seats"] = (
            f"{settings.seats} seats, {clocks.betting / 1000:g} s to bet, {clocks.decision / 1000:g} s to decide"
        )
        found["dealing"] = settings.who_deals
        wanted, recorded = len(self.conditions), len(settings.conditions or ())
        found["approval"] = f"{recorded} of {wanted} recorded" if wanted else "a training table needs none of this"
        rules = len(settings.house_rules or ())
        found["rules"] = f"{rules} posted" if rules else "none besides those of the game"
        return found


SECTIONS = {
    **dict.fromkeys(("limits", "pay", "without", "payout_limits", "prize", "jackpot", "chip", "rounding"), "wagers"),
    **dict.fromkeys(("decks", "shuffling", "penetration", "burn"), "cards"),
    **dict.fromkeys(("readings",), "readings"),
    **dict.fromkeys(("seats", "clocks", "pace", "idle"), "seats"),
    **dict.fromkeys(("equipment", "dealing", "source", "duties"), "dealing"),
    **dict.fromkeys(("conditions",), "approval"),
    **dict.fromkeys(("house_rules",), "rules"),
}
"""In which part of the form a setting stands."""


def anchor(setting: str) -> str:
    """The id of a field in the page."""
    return re.sub(r"[^a-z0-9]+", "-", setting.lower())


def add_settings(app: FastAPI, desk: Desk, door: Door, lab: Lab | None) -> None:
    house, figures, links = desk.hub.house, EdgeFigures(lab), Links(desk.hub.house, lab)
    desk.pages.env.filters |= {"anchor": anchor}

    def offers(who: Who) -> Iterator[Offer]:
        if who.may(cmd.OpenTable):
            yield Offer("Open a table", "Choose a game and its settings, and see what they come to.", NEW)

    def table_offers(who: Who, table: Table) -> Iterator[Offer]:
        title = "Change settings" if who.may(cmd.ChangeSettings) else "Settings"
        yield Offer(title, "What is posted at this table.", f"{PATH}/{table.settings.id}/settings")

    desk.offers.append(offers)
    desk.table_offers.append(table_offers)

    def taken() -> Collection[str]:
        return {*house.tables, *house.closed, *(live.table.settings.name for live in house.tables.values())}

    def shown(form: Form, opened: Table | None = None) -> Shown:
        base = None if opened is None else opened.change.settings if opened.change is not None else opened.settings
        draft, now = drafted(form, taken(), base), house.clock()
        report = settings_report(draft.settings, now, loaded(draft.settings.game))
        return Shown(draft, report, now, opened, links.open_ones())

    async def form_page(
        request: Request, who: Who, form: Form, told: Figures | None, opened: Table | None = None, refusal: str = ""
    ) -> Response:
        found = shown(form, opened)
        context = {
            "shown": found,
            "path": NEW if opened is None else f"{PATH}/{opened.settings.id}/settings",
            "games": definitions(),
            "typed": TYPED,
            "duties": DOES,
            "figures": told,
            "no_figures": NO_FIGURES,
            "refusal": refusal,
        }
        return await desk.page(request, who, "house/settings.html", 422 if refusal else 200, **context)

    async def looked(
        request: Request, who: Who, form: Form, opened: Table | None = None, refusal: str = ""
    ) -> Response:
        """The form with all that can be said about it. Where scripts run, the figures are asked for by themselves."""
        if "x-look" in request.headers:
            return await form_page(request, who, form, None, opened, refusal)
        found = shown(form, opened)
        told = await figures.all(found.settings, who.id) if found.is_playable else Figures(why=NO_FIGURES)
        return await form_page(request, who, form, told, opened, refusal)

    async def answered(
        request: Request,
        who: Who,
        form: Form,
        do: Mapping[str, tuple[Callable[[TableSettings], None], str, str]],
        opened: Table | None = None,
    ) -> Response:
        """Do what the form's button says, if nothing stands against it."""
        if form["do"] not in do:
            return await looked(request, who, form, opened)
        found = shown(form, opened)
        work, said, then = do[form["do"]]
        if found.problems:
            count = len(found.problems)
            why = f"{'One thing stands' if count == 1 else f'{count} things stand'} against it; nothing was done."
            return await looked(request, who, form, opened, why)
        settings = found.settings
        try:
            is_taken = opened is None and settings.id in {*house.tables, *house.closed}  # which opening it refuses
            link = (lambda: None) if is_taken else await links.of(settings, who)
        except FeltworksError as refusal:
            return await looked(request, who, form, opened, str(refusal))
        again: Callable[[str], Awaitable[Response]] = partial(looked, request, who, form, opened)
        then = then.format(id=settings.id)
        return await desk.answer(
            request,
            who,
            lambda: _refused(link, work, settings),
            said=said.format(name=settings.name),
            then=then,
            again=again,
        )

    async def figure_rows(request: Request, opened: Table | None = None) -> Response:
        """The figures by themselves: those that are known quickly, or of the wager that is asked for."""
        who, form = await desk.asked_by(request, MANAGER), await read_form(request, settings_form.LARGEST)
        no_more(door.question, request)
        found, wager = shown(form, opened), form["wager"]
        if not found.is_playable:
            told = Figures(why=NO_FIGURES)
        elif wager:
            told = await figures.of_wager(found.settings, wager, who.id)
        else:
            told = await figures.first(found.settings, who.id)
        context = {"figures": told, "no_figures": NO_FIGURES}
        return desk.pages.TemplateResponse(request, "house/settings-figures.html", context, headers=PRIVATE)

    # A new table.

    @app.get(NEW, response_class=HTMLResponse, include_in_schema=False)
    async def new(request: Request) -> Response:
        who = await desk.asked_by(request, MANAGER)
        return await form_page(request, who, NO_FORM, None)

    @app.post(NEW, include_in_schema=False)
    async def open_new(request: Request) -> Response:
        who, form = await desk.asked_by(request, MANAGER), await read_form(request, settings_form.LARGEST)

        def work(settings: TableSettings) -> None:
            house.open_table(settings, actor=who.actor)

        said = "{name} is open, and in the lobby."
        return await answered(request, who, form, {"open": (work, said, PATH + "/{id}")})

    @app.post(f"{NEW}/figures", include_in_schema=False)
    async def new_figures(request: Request) -> Response:
        return await figure_rows(request)

    # A table that is open.

    def opened_table(id: str) -> Table:
        if id not in house.tables:
            raise HTTPException(404, "There is no such table; go back to the list of tables.")
        return house.live(id).table

    @app.get(PATH + "/{id}/settings", response_class=HTMLResponse, include_in_schema=False)
    async def settings(request: Request, id: str) -> Response:
        who, table = await desk.asked_by(request, STAFF), opened_table(id)
        if who.may(cmd.ChangeSettings):
            return await form_page(request, who, NO_FORM, None, table)
        return await desk.page(request, who, "house/posted.html", **posted_at(table, house.clock()))

    @app.post(PATH + "/{id}/settings", include_in_schema=False)
    async def change(request: Request, id: str) -> Response:
        who, form = await desk.asked_by(request, MANAGER), await read_form(request, settings_form.LARGEST)
        table = opened_table(id)
        if form["do"] == "withdraw":
            return await desk.answer(
                request,
                who,
                partial(house.withdraw_change, id, who.actor),
                said="The change is withdrawn; the table goes on as it is.",
                then=f"{PATH}/{id}",
                again=partial(form_page, request, who, NO_FORM, None, table),
            )

        def work(settings: TableSettings) -> None:
            house.change_settings(id, settings, who.actor)

        said = "The change is posted at the table. It is in force when the round is over."
        return await answered(request, who, form, {"post": (work, said, f"{PATH}/{id}")}, table)

    @app.post(PATH + "/{id}/settings/figures", include_in_schema=False)
    async def changed_figures(request: Request, id: str) -> Response:
        return await figure_rows(request, opened_table(id))


def _refused(link: Callable[[], None], work: Callable[[TableSettings], None], settings: TableSettings) -> None:
    """A table is linked to its jackpot first. Whatever stands against settings is a refusal, to whoever entered
    them."""
    try:
        link()
        work(settings)
    except (BadValue, UnknownName) as error:
        raise Refused(str(error)) from None
