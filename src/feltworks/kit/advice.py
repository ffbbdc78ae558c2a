"""What each option is worth in a situation, and which one is best."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from feltworks.kit.html_table import table


@dataclass(frozen=True)
class Advice:
    """A situation in words, the expected net result of each option, and the best one. An option `beside` the others,
    such as insurance, is a question of its own."""

    situation: str
    options: Mapping[str, Fraction]
    best: str
    beside: frozenset[str] = frozenset()

    def _repr_html_(self) -> str:
        rows = [
            (name + (" (best)" if name == self.best else ""), str(value), f"{float(value):.6f}")
            for name, value in self.options.items()
        ]
        return table(self.situation, ("option", "expected net result", ""), rows)

    def to_json(self) -> dict[str, Any]:
        options = {name: {"exact": str(value), "value": float(value)} for name, value in self.options.items()}
        return {"best": self.best, "options": options}

    def cost(self, option: str) -> Fraction:
        """What choosing this option costs against the best one."""
        return self.options[self.best] - self.options[option]
