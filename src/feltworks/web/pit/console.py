"""What a dealer's console shows of a table: what to do now, what is entered next, what can be taken back, who deals."""

from feltworks.floor.accounts import account_of, money
from feltworks.floor.chips import STANDARD, in_chips
from feltworks.floor.house import House
from feltworks.floor.table import events as ev
from feltworks.floor.table import procedure as floor
from feltworks.floor.table.incidents import incident_kinds
from feltworks.floor.table.settings import why_no_patrons
from feltworks.floor.table.state import Table
from feltworks.kit.hands import capital
from feltworks.kit.steps import Stake
from feltworks.web.pit.asks import ask_of, patrons_of
from feltworks.web.pit.console_messages import Act, Ask, Console, Pile


def console_of(house: House, table: Table, dealer: str) -> Console:
    """The console of one dealer."""
    chips = {seat: house.journal.balance(str(account_of(player))) for seat, player in patrons_of(table).items()}
    yours, why = table.dealer == dealer, why_no_patrons(table.settings, table.game)
    return Console(
        you=house.people.known_name(dealer),
        dealer=house.people.known_name(table.dealer) if table.dealer else "",
        yours=yours,
        said=_said(house, table, dealer),
        at=len(table.answers),
        acts=[_act(act, table) for act in floor.acts_now(table) if act.who == "person" and not table.incident],
        before=[_act(act, table) for act in floor.acts_done(table)[:-4:-1] if act.who == "person"],
        ask=ask_of(table, chips) if yours else _sign_on(house, table),
        can_take_back=floor.take_back_of(table),
        free=[] if why else [seat for seat in range(1, table.settings.seats + 1) if seat not in table.seats],
        no_patrons=why,
        leaving=[seat for seat in sorted(chips) if table.betting or not table.has_chips(seat)],
        incidents=list(incident_kinds(table)),
        chips=[value for value in STANDARD if value % table.settings.chip == 0],
    )


def _sign_on(house: House, table: Table) -> Ask:
    if not table.dealer:
        return Ask(kind="sign on", text="Sign on to deal here.")
    who = house.people.known_name(table.dealer)
    return Ask(kind="sign on", text=f"Relieve {who}.", detail=f"{who} clears the hands and steps back; then you do.")


def _said(house: House, table: Table, dealer: str) -> str:
    """What keeps this dealer from dealing."""
    if table.dealer and table.dealer != dealer:
        who = house.people.known_name(table.dealer)
        return f"{who} deals here now; hands are cleared. What you see is live; what you enter does not count."
    if table.service in ("paused", "closed", "closing"):
        return f"The table is {table.service}: {table.service_reason}"
    return ""


def _act(act: floor.Act, table: Table) -> Act:
    """A thing to do; what is taken, paid or handed back has its seat and spot in large, and why in small."""
    if not act.spot or act.do == "shift":
        return Act(number=act.number, do=act.do, text=act.text, seat=act.seat)
    cut = in_chips(act.amount if act.do == "pay" else 0, table.settings.chip)
    paid = f": pays {act.pays}" if act.pays else ""
    return Act(
        number=act.number,
        do=act.do,
        text=f"Seat {act.seat}, {act.title}",
        detail=f"{capital(act.line)}{paid}.{_wager(act, table)}",
        seat=act.seat,
        amount=act.amount,
        chips=tuple(Pile(value, count) for value, count in cut.piles),
        loose=cut.loose,
        rule=act.rule,
    )


def _wager(act: floor.Act, table: Table) -> str:
    """What becomes of the wager beside what is paid."""
    if act.do == "hold":
        return " Do not pay it yet: surveillance verifies it."
    if act.do not in ("pay", "leave"):
        return f" Put the wager of {money(act.stake)} back on its spot." if act.stake else ""
    effect = (table.shown or table).effects[act.number - 1]
    assert isinstance(effect, ev.Settled)
    if act.is_off:
        return "" if effect.stake == Stake.STAYS.value else " Its chips were taken before."
    if act.do == "leave":
        return ""
    if effect.stake == Stake.STAYS.value:
        self_service = table.game.wager_of(act.spot).self_service
        return " Wager and win stay on the spot." if self_service else " The wager stays."
    if effect.stake == Stake.TAKEN.value:
        return " The wager is taken."
    return " The wager goes back." if act.stake else ""
