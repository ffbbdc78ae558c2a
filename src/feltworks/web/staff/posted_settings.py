"""The settings of a table as they are posted there, and what follows from them, for those who work here."""

from typing import Any

from feltworks.floor.precedence import called_at
from feltworks.floor.table.settings_report import settings_report
from feltworks.floor.table.state import Table
from feltworks.web.staff.settings_form import limits_told


def posted_at(table: Table, now: int) -> dict[str, Any]:
    """What `posted-settings.html` shows (F-04, F-37)."""
    settings = table.settings
    return {
        "id": settings.id,
        "settings": settings,
        "game": table.game,
        "limits": [*limits_told(settings, table.game)],
        "report": settings_report(settings, now, table.game),
        "change": table.change,
        "house_rules": [(rule.text, called_at(table.game, rule.kind)) for rule in settings.house_rules or ()],
    }
