"""What every page under `/house` shares: who asks for it and whether they may, its frame, and how a form is answered.

A page asks `desk.asked_by(request, roles)` first: whoever may not see it gets a page that says who may. A form is a
plain post: what is carried out leads on to another page, and what is refused shows the page again with the reason and
with what was entered. Nothing here decides who may do what: that is the floor's (F-13).
"""

from collections.abc import Awaitable, Callable, Collection, Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, NamedTuple, TypeVar

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import RedirectResponse, Response
from fastapi.templating import Jinja2Templates
from markupsafe import Markup
from starlette.requests import HTTPConnection

from feltworks.floor.accounts import money
from feltworks.floor.actors import Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.person import token_digest
from feltworks.floor.refusal import Refused
from feltworks.floor.roles import DOES, RIGHTS, STAFF, Role, listed, may_propose
from feltworks.floor.statutory_limits import dollars
from feltworks.floor.store.sqlite import StoreError
from feltworks.floor.table.state import Table
from feltworks.floor.times import shown
from feltworks.kit.errors import FeltworksError
from feltworks.web.cookies import COOKIE
from feltworks.web.hub import Hub
from feltworks.web.staff.time_range import house_moment, house_zone

T = TypeVar("T")
PRIVATE = {"cache-control": "no-store"}
"""A page of the house is in no cache: after logging out nobody sees it by going back."""
MOST_NOTES = 1_000
"""Notes are kept until their page is shown; of no more sessions than these."""


class NotLoggedIn(Exception):
    """Nobody is here by a session; `ended` where there was one."""

    def __init__(self, ended: bool) -> None:
        self.ended = ended


class NotForYou(Exception):
    """A page that others may see."""

    def __init__(self, who: "Who", roles: Collection[Role]) -> None:
        self.who, self.roles = who, roles


@dataclass(frozen=True)
class Who:
    """Somebody with a session."""

    id: str
    name: str
    roles: frozenset[Role]
    session: str
    """The digest of its token."""
    demo: bool = False

    @property
    def actor(self) -> Actor:
        return by_person(self.id)

    @property
    def works_here(self) -> bool:
        return bool(self.roles & STAFF)

    def is_one_of(self, *roles: Role) -> bool:
        return bool(self.roles.intersection(roles))

    def may(self, command: type, has_dealer: bool = True) -> bool:
        """Whether one of their roles may give a command, alone or as the first of two."""
        right = RIGHTS.get(command)
        return right is not None and (bool(right.roles & self.roles) or may_propose(command, self.roles, has_dealer))


class Way(NamedTuple):
    """A page in the navigation."""

    path: str
    title: str
    roles: frozenset[Role]


class Offer(NamedTuple):
    """Something that somebody can do now, on their start page."""

    title: str
    text: str
    path: str
    number: int | None = None
    urgent: bool = False
    """Whether it waits for this person."""


class Note(NamedTuple):
    """What is said once, on the next page that is shown; a code is shown large."""

    text: str
    code: str = ""


@dataclass
class Desk:
    """The frame of the pages, and what they ask of the house."""

    hub: Hub
    pages: Jinja2Templates
    demo: bool = False
    """Whether any visitor may take any role."""
    ways: list[Way] = field(default_factory=list)
    offers: list[Callable[[Who], Iterable[Offer]]] = field(default_factory=list)
    """What fills the start pages: each names what somebody can do now on its page."""
    table_offers: list[Callable[[Who, Table], Iterable[Offer]]] = field(default_factory=list)
    """What else can be done with a table, on other pages than its own."""
    _notes: dict[str, list[Note]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.pages.env.filters |= {"when": when, "house_time": house_moment, "utc": shown}
        self.pages.env.filters |= {"money": money, "dollars": dollars, "listed": listed}

    # Who asks.

    async def who(self, request: HTTPConnection) -> Who:
        """Whoever has a session, whatever they are."""
        token = request.cookies.get(COOKIE, "")
        id = await self.hub.player_of(token)
        if id is None:
            raise NotLoggedIn(ended=bool(token))
        house = self.hub.house
        person = house.people.person(id)
        demo = person is not None and person.demo
        return Who(id, house.people.known_name(id), house.staff.roles(id), token_digest(token), demo)

    async def asked_by(self, request: Request, roles: Collection[Role] = STAFF) -> Who:
        """Somebody of one of these roles; nobody else gets any further."""
        who = await self.who(request)
        if not who.roles.intersection(roles):
            raise NotForYou(who, roles)
        return who

    async def names(self, ids: Iterable[str]) -> dict[str, str]:
        """What people are called; read where nobody waits for the disk."""
        wanted, house = list(ids), self.hub.house
        return await self.hub.sessions.ask(lambda store: {id: house.people.name_in(store, id) for id in wanted})

    # What is shown.

    async def page(self, request: Request, who: Who, template: str, status: int = 200, /, **shown: Any) -> Response:
        """A page with its frame: who you are, where you can go, what was just done."""
        live = "x-live" in request.headers  # a page that looks again takes no note away
        context = {
            "root": root_of(request),
            "you": who,
            "said_roles": ", ".join(role.value for role in Role if role in who.roles),
            "ways": [way for way in self.ways if way.roles & who.roles],
            "here": request.url.path.removeprefix(root_of(request)),
            "notes": [] if live else self.notes_for(who.session),
            "fault": self.hub.house.fault,
            "zone": house_zone(),
            "roles": [role for role in Role if role in STAFF],
            "does": DOES,
            **shown,
        }
        response = self.pages.TemplateResponse(request, template, context, status_code=status, headers=PRIVATE)
        if live:
            tag = f'"{sha256(response.body).hexdigest()[:32]}"'
            if request.headers.get("if-none-match") == tag:
                return Response(status_code=304, headers={"etag": tag, **PRIVATE})
            response.headers["etag"] = tag
        return response

    def tell(self, who: Who, text: str, code: str = "") -> None:
        """Say something on the next page that they see."""
        self.note(who.session, Note(text, code))

    def note(self, session: str, note: Note) -> None:
        """The same, to whoever has a session, by the digest of its token."""
        if session not in self._notes and len(self._notes) >= MOST_NOTES:
            del self._notes[next(iter(self._notes))]
        self._notes.setdefault(session, []).append(note)

    def notes_for(self, session: str) -> list[Note]:
        """What there is to say to them, once."""
        return self._notes.pop(session, [])

    # What is asked for.

    async def carry_out(self, work: Callable[[], T]) -> T:
        """Let the clerk carry something out; a refusal is the caller's to show."""
        try:
            return await self.hub.clerk.carried_out(work)
        except StoreError as fault:  # the records cannot be written
            raise HTTPException(503, str(fault)) from None
        except Refused:
            raise
        except FeltworksError as problem:
            raise Refused(str(problem)) from None

    async def answer(
        self,
        request: Request,
        who: Who,
        work: Callable[[], T],
        *,
        said: str | Callable[[T], Note],
        then: str,
        again: Callable[[str], Awaitable[Response]],
    ) -> Response:
        """Carry out what a form asks for, say so and go on to another page; or show the page `again`, with why not."""
        try:
            made = await self.carry_out(work)
        except Refused as refusal:
            return await again(str(refusal))
        self.tell(who, *(said(made) if callable(said) else (said,)))
        return go(request, then)


def go(request: Request, path: str) -> RedirectResponse:
    """On to another page of the same window; the lobby is everybody's."""
    root = root_of(request) if path != "/" else ""
    return RedirectResponse(root + path, status_code=303, headers=PRIVATE)


def root_of(request: Request) -> str:
    """What the paths of this window begin with: nothing but in a demonstration."""
    return str(request.scope.get("root_path", ""))


def when(milliseconds: int) -> Markup:
    """A moment, in UTC; where scripts run it is shown in local time."""
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    return Markup('<time datetime="{}">{} UTC</time>').format(
        moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"), moment.strftime("%Y-%m-%d %H:%M:%S")
    )


def add_desk(app: FastAPI, desk: Desk) -> None:
    """What whoever may not see a page gets instead."""

    @app.exception_handler(NotLoggedIn)
    async def not_logged_in(request: Request, problem: NotLoggedIn) -> Response:
        done = "" if request.method in ("GET", "HEAD") else " Nothing was done."
        said = (
            "Your session has ended, here or elsewhere. Log in again." if problem.ended else "Log in to see this page."
        )
        shown = {"root": root_of(request), "notice": said + done, "demo": desk.demo}
        return desk.pages.TemplateResponse(request, "log-in.html", shown, status_code=401, headers=PRIVATE)

    @app.exception_handler(NotForYou)
    async def not_for_you(request: Request, problem: NotForYou) -> Response:
        return await desk.page(request, problem.who, "house/not-for-you.html", 403, who_may=listed(problem.roles))
