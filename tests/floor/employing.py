"""People who work in the house of a test."""

from itertools import count

from feltworks.floor.actors import PROGRAM, Actor
from feltworks.floor.actors import person as by_person
from feltworks.floor.house import House
from feltworks.floor.roles import Role

_NAMES = (f"{first} {second}" for second in count(100) for first in ("Uma", "Kit", "Zoe", "Jem", "Fay"))


def employed(house: House, *roles: Role) -> Actor:
    """Somebody new who works here in these roles."""
    id, _ = house.staff.add(next(_NAMES), [role.value for role in roles], PROGRAM)
    return by_person(id)


def one_of(house: House, role: Role) -> Actor:
    """Somebody who works here in this role: the first one, or somebody new."""
    for id, who in house.administration.staff.items():
        if role.value in who.roles:
            return by_person(id)
    return employed(house, role)
