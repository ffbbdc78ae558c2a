"""How the house is: for whoever watches over the machine that it runs on."""

import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from typing import Any, get_args

from fastapi import FastAPI, HTTPException, Request
from fastapi.responses import JSONResponse, Response

from feltworks.web.entrance import Entrance
from feltworks.web.guard import HEALTH, Door
from feltworks.web.hub import Hub
from feltworks.web.lab import Fate, Lab
from feltworks.web.views import phase

STUCK = 5.0
"""Seconds that nothing should wait to be written."""
RECENT = 60.0
"""Seconds for which a failed write counts: where nobody comes, nothing is written that would show that it works."""
STARTED = time.time()


def add_figures(app: FastAPI, hub: Hub, door: Door, entrance: Entrance, lab: Lab | None = None) -> None:
    async def health() -> Response:
        status, said = health_of(hub, lab)
        return JSONResponse(said, status, {"cache-control": "no-store"})

    async def metrics(request: Request) -> Response:
        if not entrance.shows_figures(request.scope):
            raise HTTPException(404)
        return Response(metrics_of(hub, door, lab), media_type="text/plain; version=0.0.4")

    app.add_api_route(HEALTH, health, methods=["GET", "HEAD"], include_in_schema=False)
    app.add_api_route("/metrics", metrics, include_in_schema=False)


def health_of(hub: Hub, lab: Lab | None = None) -> tuple[int, dict[str, Any]]:
    """Whether the house can write, as far as that is known without asking the disk. Without the lab the tables go on:
    how it is, is told and no more."""
    house, clerk = hub.house, hub.clerk
    why, failed = house.fault, clerk.failed_at
    if not why and failed is not None and (ago := time.monotonic() - failed) < RECENT:
        why = f"The records could not be written {ago:.0f} seconds ago."
    if not why and (waited := clerk.waited) > STUCK:
        why = f"Something has waited {waited:.0f} seconds to be written."
    age = None if clerk.newest is None else max(0, house.clock() - clerk.newest) // 1_000
    known: dict[str, Any] = {
        "newest_commit_seconds": age,
        "tables": len(house.tables),
        "closed_tables": len(house.closed),
    }
    if lab is not None:
        known["lab"] = {name: lane.state for name, lane in lab.lanes.items()}
    return (503, {"status": "failing", "why": why, **known}) if why else (200, {"status": "ok", **known})


def metrics_of(hub: Hub, door: Door, lab: Lab | None = None) -> str:
    """The figures of the house, as Prometheus reads them."""
    house, clerk, clients = hub.house, hub.clerk, hub.clients
    answers = {f'{{answer="{a}"}}': hub.answered[a] for a in ("acknowledged", "refused")}
    caps = ("guests", "names", "questions", "connects", "sockets", "log-ins")
    refused = {f'{{cap="{cap}"}}': door.refused[cap] for cap in caps}
    playing = sum(client.player is not None for client in clients)
    people = {'{who="player"}': playing, '{who="spectator"}': len(clients) - playing}
    phases = Counter(f'{{phase="{phase(live.table)}"}}' for live in house.tables.values())
    rounds = {f'{{table="{name}"}}': live.table.round_number for name, live in house.tables.items()}
    used = getrusage(RUSAGE_SELF)
    families = [
        _family("feltworks_commands_total", "counter", "Commands of players, by what they were answered.", answers),
        _family("feltworks_refused_total", "counter", "Who came and was one too many, by the cap.", refused),
        _family("feltworks_groups_total", "counter", "Groups of commits that were written.", clerk.groups),
        _family("feltworks_commits_total", "counter", "Commits that were written.", clerk.commits),
        _family("feltworks_write_failures_total", "counter", "Groups that could not be written.", clerk.failures),
        _write_seconds(hub),
        _family("feltworks_orders_waiting", "gauge", "What waits to be written.", len(clerk)),
        _family("feltworks_oldest_order_seconds", "gauge", "How long the oldest of it has waited.", clerk.waited),
        _family("feltworks_connections", "gauge", "Sockets that are open, by who is there.", people),
        _family(
            "feltworks_tables",
            "gauge",
            "Tables, by what goes on there.",
            phases | {'{phase="closed"}': len(house.closed)},
        ),
        _family("feltworks_rounds_total", "counter", "Rounds that began, since the table was opened.", rounds),
        _family("feltworks_fault", "gauge", "1 if the house is read-only.", int(bool(house.fault))),
        *(_lab_families(lab) if lab is not None else ()),
        _family("process_resident_memory_bytes", "gauge", "Memory in use.", _memory(used.ru_maxrss)),
        _family("process_cpu_seconds_total", "counter", "Processor time.", used.ru_utime + used.ru_stime),
        _family("process_start_time_seconds", "gauge", "When the process started.", STARTED),
    ]
    return "".join(families)


def _lab_families(lab: Lab) -> Iterator[str]:
    lanes = {f'lane="{name}"': lane for name, lane in lab.lanes.items()}
    questions = {
        f'{{{name},became="{fate}"}}': lane.fates[fate] for name, lane in lanes.items() for fate in get_args(Fate)
    }
    yield _family("feltworks_lab_questions_total", "counter", "Questions to the lab, by what they became.", questions)
    waiting = {f"{{{name}}}": len(lane.waiting) for name, lane in lanes.items()}
    yield _family("feltworks_lab_waiting", "gauge", "Questions that wait for the lab.", waiting)
    ended = {f"{{{name}}}": lane.restarts for name, lane in lanes.items()}
    yield _family("feltworks_lab_restarts_total", "counter", "Processes of the lab that ended.", ended)
    up = {f"{{{name}}}": int(lane.state == "up") for name, lane in lanes.items()}
    yield _family("feltworks_lab_up", "gauge", "1 if a process of the lab is there.", up)


def _family(name: str, kind: str, about: str, values: float | Mapping[str, float]) -> str:
    """One figure, or one for each of its labels."""
    samples = values if isinstance(values, Mapping) else {"": values}
    lines = [
        f"# HELP {name} {about}",
        f"# TYPE {name} {kind}",
        *(f"{name}{of} {value}" for of, value in samples.items()),
    ]
    return "\n".join(lines) + "\n"


def _write_seconds(hub: Hub) -> str:
    name, writes = "feltworks_write_seconds", hub.clerk.writes
    counts = writes.counts
    samples = {f'_bucket{{le="{bound}"}}': count for bound, count in counts.items()}
    return _family(
        name, "histogram", "How long a write took.", {**samples, "_sum": writes.total, "_count": counts["+Inf"]}
    )


def _memory(most: int) -> int:
    """What is in use now, where the system says it; otherwise the most that ever was."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return most if sys.platform == "darwin" else most * 1_024
