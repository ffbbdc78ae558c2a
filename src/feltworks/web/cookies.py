"""The cookie of a session: out of reach of scripts and of other sites, and by TLS alone where the house has it."""

from fastapi import Request
from fastapi.responses import Response

COOKIE = "feltworks"


def cookie_at(window: str) -> str:
    """The name of the cookie of a window in a demonstration."""
    return f"{COOKIE}-{window}"


def give_cookie(request: Request, response: Response, token: str, milliseconds: int, window: str = "") -> None:
    response.set_cookie(
        cookie_at(window) if window else COOKIE,
        token,
        max_age=milliseconds // 1000,
        path=f"/as/{window}" if window else "/",
        httponly=True,
        samesite="lax",
        secure=request.url.scheme == "https",
    )


def take_cookie(request: Request, response: Response) -> None:
    response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=request.url.scheme == "https")
