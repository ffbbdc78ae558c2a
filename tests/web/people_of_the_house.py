"""People of the house for tests: somebody of each role with a session, and the forms that they send."""

import re
from collections.abc import Mapping, Sequence
from html import unescape
from urllib.parse import urlencode

from feltworks.floor.actors import PROGRAM
from feltworks.floor.house import House
from feltworks.floor.passwords import Hashed, hashed
from feltworks.floor.roles import Role
from feltworks.web.cookies import COOKIE
from tests.web.robots import Address, LocalServer, Reply

FORM = "application/x-www-form-urlencoded"
PASSWORD = "nine brown horses"
BROWSER = "text/html"
_hashed: list[Hashed] = []


def the_hash() -> Hashed:
    """Of the one password that everybody in the tests has; hashing it once is enough."""
    if not _hashed:
        _hashed.append(hashed(PASSWORD))
    return _hashed[0]


def employ(house: House, name: str, *roles: Role) -> tuple[str, str]:
    """Somebody who works in the house, with the password of the tests: the id, and the token of a session."""
    if not house.administration.managers:
        id, token = house.staff.set_up(house.staff.offer_set_up(), name, the_hash())
        if roles != (Role.MANAGER,):
            house.staff.add("Max the first", ["manager"], PROGRAM)
            house.staff.give_roles(id, [role.value for role in roles], "a test", PROGRAM)
        return id, token
    id, code = house.staff.add(name, [role.value for role in roles], PROGRAM)
    house.staff.set_password(id, the_hash(), code)
    found = house.staff.credentials(name, house.store)
    assert found is not None
    return id, house.staff.log_in(found)


class Window:
    """A browser's window without a browser: it remembers the cookie of its session and follows where it is led."""

    def __init__(self, server: Address, token: str = "", root: str = "") -> None:
        self.server, self.token, self.root = server, token, root
        self.reply: Reply | None = None

    def get(self, path: str, **headers: str) -> Reply:
        given = {"Accept": BROWSER, **self._cookie(), **headers}
        return self._keep(self.server.ask(self.root + path, "GET", None, **given))

    def post(self, path: str, fields: Mapping[str, str | Sequence[str]], **headers: str) -> Reply:
        """Send a form, and stay at what answers it."""
        body = urlencode(fields, doseq=True).encode()
        given = {"Accept": BROWSER, "Content_Type": FORM, **self._cookie(), **headers}
        return self._keep(self.server.ask(self.root + path, "POST", body, **given))

    def send(self, path: str, **fields: str | Sequence[str]) -> Reply:
        """Send a form, and go where that leads."""
        reply = self.post(path, fields)
        if reply.status != 303:
            return reply
        return self.get(reply.headers["location"].removeprefix(self.root))

    def _cookie(self) -> dict[str, str]:
        return {"Cookie": f"{COOKIE}={self.token}"} if self.token else {}

    def _keep(self, reply: Reply) -> Reply:
        if found := re.match(rf'{COOKIE}="?([^;"]*)"?;', reply.headers.get("set-cookie", "")):
            self.token = found[1]
        self.reply = reply
        return reply


def staffed(server: LocalServer, name: str, *roles: Role) -> Window:
    """The window of somebody who works here."""
    return Window(server, server.run(lambda house: employ(house, name, *roles))[1])


def said(reply: Reply) -> str:
    """The words of a page, without its signs."""
    text = re.sub(r"<(head|script|style)\b.*?</\1>", " ", reply.text, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())
