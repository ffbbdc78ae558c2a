"""What cannot be answered: a small page for a browser, and JSON for a program."""

from collections.abc import Mapping
from http import HTTPStatus

from fastapi import FastAPI, Request
from fastapi.exception_handlers import http_exception_handler, request_validation_exception_handler
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.templating import Jinja2Templates
from starlette.exceptions import HTTPException

from feltworks.web.guard import headers_for
from feltworks.web.sockets import BROKEN

SAID = {
    403: ("Not open to you", "This is not yours to see or to do."),
    404: ("Not here", "There is no such page."),
    405: ("Not in this way", "This page is not asked for in that way."),
    413: ("Too long", "That is too long."),
    422: ("Not understood", "Something in this address is not what it should be."),
    429: ("Too much at once", "Come back later."),
    500: ("Something went wrong", BROKEN),
    503: ("Not at the moment", "This cannot be done now."),
}
"""The title of the page, and what it says where the reason has no words of its own."""


def add_error_pages(app: FastAPI, pages: Jinja2Templates) -> None:
    def page(request: Request, status: int, why: str = "", headers: Mapping[str, str] | None = None) -> Response:
        title, said = SAID.get(status, (HTTPStatus(status).phrase, ""))
        shown = {"title": title, "why": why or said}
        given = {**(headers or {}), "cache-control": "no-store"}
        return pages.TemplateResponse(request, "error.html", shown, status_code=status, headers=given)

    @app.exception_handler(HTTPException)
    async def refused(request: Request, problem: HTTPException) -> Response:
        if not _is_browser(request):
            return await http_exception_handler(request, problem)
        status = problem.status_code
        own_words = problem.detail if problem.detail != HTTPStatus(status).phrase else ""
        return page(request, status, own_words, problem.headers)

    @app.exception_handler(RequestValidationError)
    async def not_understood(request: Request, problem: RequestValidationError) -> Response:
        return (
            page(request, 422) if _is_browser(request) else await request_validation_exception_handler(request, problem)
        )

    @app.exception_handler(Exception)
    async def fault(request: Request, _: Exception) -> Response:
        """It is answered outside of everything else: so the headers are put on here."""
        response = page(request, 500) if _is_browser(request) else JSONResponse({"detail": BROKEN}, 500)
        response.headers.update({name.decode(): value.decode() for name, value in headers_for(request.scope)})
        return response


def _is_browser(request: Request) -> bool:
    return "text/html" in request.headers.get("accept", "")
