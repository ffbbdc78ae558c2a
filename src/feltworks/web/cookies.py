"""The cookie of a session: out of reach of scripts and of other sites, and by TLS alone where the house has it."""

from fastapi import Request
from fastapi.responses import Response

COOKIE = "feltworks"


def give_cookie(request: Request, response: Response, token: str, milliseconds: int) -> None:
    secure = request.url.scheme == "https"
    response.set_cookie(COOKIE, token, max_age=milliseconds // 1000, httponly=True, samesite="lax", secure=secure)


def take_cookie(request: Request, response: Response) -> None:
    response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=request.url.scheme == "https")
