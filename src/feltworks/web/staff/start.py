"""The start page of whoever works here: what each role can do now, made from what there is and what the roles allow."""

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response

from feltworks.floor.roles import STAFF, Role
from feltworks.web.staff.desk import Desk, Way

TODAY = {
    Role.DEALER: "You deal at the tables below that people deal; press Space there to sign on.",
    Role.CASHIER: "The cage has no screen yet; you sign entries in the books with a manager.",
    Role.SECURITY: "Fills and credits have no screen yet.",
}
"""What a role that does little on the screen finds there as it is."""


def add_start(app: FastAPI, desk: Desk) -> None:
    desk.ways.insert(0, Way("/house", "Start", STAFF))

    @app.get("/house", response_class=HTMLResponse, include_in_schema=False)
    async def start(request: Request) -> Response:
        who = await desk.asked_by(request)
        offers = [offer for found in desk.offers for offer in found(who)]
        offers.sort(key=lambda offer: not offer.urgent)
        return await desk.page(request, who, "house/start.html", offers=offers, today=TODAY)
